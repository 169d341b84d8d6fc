// SPDX-License-Identifier: Apache-2.0
//! The cases of a configuration: they run, and what failed is reported.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;

use super::ci::{Compared, Outcome};
use super::options::CoverageOptions;
use crate::base::output::say;
use crate::base::table;
use crate::case::replay::Running;
use crate::cases::closing::Limits;
use crate::coverage::bins::Bins;
use crate::coverage::file::Covered;
use crate::coverage::rtl::Counter;
use crate::lockstep::failure::Failure;
use crate::report::Reported;
use crate::run::interrupt::Interrupt;
use crate::run::regression::Plan;
use crate::run::schedule::{Schedule, Shard};
use crate::run::until;
use crate::run::{Cases, Done, FailedCase, InProcess, Job, Stimulus, Summary, pool};
use crate::shrink::Signature;
use crate::triage::explain::Explainer;
use crate::unit::target::Target;

/// What runs a case: a worker, or this process.
type Execute<'a> = dyn FnMut(&Job) -> Result<Done> + 'a;

/// What all configurations of a run have in common.
pub struct Session<'a> {
    pub stimulus: Stimulus,
    /// Of pairs the number of instructions does not count: all are run.
    pub plan: Plan,
    /// Planted faults, which take turns.
    pub faults: &'a [u32],
    pub shard: Shard,
    /// Failing cases that end the run of a configuration.
    pub max_failures: usize,
    pub coverage: &'a CoverageOptions,
    /// What to do with cases that fail, and how cases run.
    pub explainer: &'a Explainer<'a>,
    pub interrupt: &'a Interrupt,
}

impl Session<'_> {
    /// Runs the cases of a configuration, with its progress and the reports of cases that fail; no case begins after
    /// `deadline`. What was done is added to `shards`, also when there is an error after it. Gives what was hit, when
    /// that is wanted.
    pub fn run(
        &self,
        target: &Target,
        deadline: Option<Instant>,
        shards: &mut Vec<Outcome>,
    ) -> Result<Option<Covered>> {
        let Session { plan, coverage, explainer, .. } = self;
        let mut cases = Cases::new(target, plan.seed, 0).with_faults(self.faults);
        if coverage.asked() {
            cases = cases.covering(&Arc::new(Bins::new(target)));
        }
        let running = Running::new(target, explainer.out)?;
        let done = self.run_with(&running, target, cases, deadline, shards);
        running.close();
        done
    }

    fn run_with(
        &self,
        running: &Running,
        target: &Target,
        cases: Cases,
        deadline: Option<Instant>,
        shards: &mut Vec<Outcome>,
    ) -> Result<Option<Covered>> {
        let Session { plan, coverage, explainer, .. } = self;
        let counter = coverage.rtl_coverage.as_ref().map(|out| Counter::new(target, out)).transpose()?;
        let executor = || -> Result<Box<Execute>> {
            Ok(match &counter {
                Some(_) => {
                    let cases = InProcess::new(cases.clone()).recorded(running).counting(counter.as_ref());
                    Box::new(move |job: &Job| cases.execute(job))
                }
                None => Box::new(explainer.isolation.executor(&cases, explainer.out)),
            })
        };
        let summary = self.run_all(&cases, deadline, executor)?;
        let sums = Compared { counts: summary.sums.counts.clone(), ports_only: target.models.port_only() };
        let unit = (target.name(), plan.seed, self.shard);
        let signature = |failure: &Failure| Signature::of_failure(target, failure).to_string();
        shards.push(Outcome::new(unit, &summary, sums, signature));
        let Some(shard) = shards.last_mut() else { return Ok(None) };
        say!("{}", shard.headline())?;
        shard.sums.note().iter().try_for_each(|note| say!("{}: {note}", shard.name()))?;
        shard.explain(&summary, plan.jobs, |FailedCase { job, failure, .. }| {
            let (case, again) = (cases.case(job), cases.again(job));
            Ok(explainer.explain(target, cases.origin(job.number), &case, failure, &again))
        })?;
        if let Some(error) = summary.error {
            return Err(error);
        }
        if let Some(counter) = &counter {
            say!("{}", counter.write(target, &summary.sums.points)?)?;
        }
        summary.all_failed.iter().try_for_each(|&number| running.done(cases.origin(number)))?;
        let covered = |bins| Covered { target: target.clone(), bins, hits: summary.sums.hits };
        Ok(cases.bins.map(covered))
    }

    /// Random cases, or cases for the bins that are missing.
    fn run_all<E: FnMut(&Job) -> Result<Done>>(
        &self,
        cases: &Cases,
        deadline: Option<Instant>,
        executor: impl Fn() -> Result<E> + Sync,
    ) -> Result<Summary> {
        let (Plan { instructions, jobs, .. }, interrupt) = (self.plan, self.interrupt.clone());
        if let (true, Some(bins)) = (self.coverage.until_covered, &cases.bins) {
            let limits = Limits { jobs, deadline, interrupt, most_failures: self.max_failures, ..Limits::default() };
            return until::run(bins, instructions, limits, executor, Some(cases.target.name()));
        }
        let count = match self.stimulus {
            Stimulus::Random => self.plan.cases(),
            Stimulus::Pairs => cases.pairs().count(),
        };
        let schedule = Schedule::new(self.shard, count, deadline, interrupt).with_failures(self.max_failures);
        let bar = table::progress(&format!("{} cases", cases.target.name()), schedule.cases());
        let job = |number| Job::new(self.stimulus, number);
        let summary = pool::run(jobs, &schedule, job, executor, |_| bar.inc(1))?;
        bar.finish_and_clear();
        Ok(summary)
    }
}
