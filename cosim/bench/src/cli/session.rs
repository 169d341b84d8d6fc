// SPDX-License-Identifier: Apache-2.0
//! The cases of a configuration: they run, and what failed is reported.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use super::ci::{Compared, Outcome};
use super::options::CoverageOptions;
use super::timing::Chain;
use crate::base::output::say;
use crate::base::parallel;
use crate::base::table::{self, Progress};
use crate::case::replay::Running;
use crate::cases::closing::{Limits, Speaker};
use crate::cases::side_by_side::SideBySide;
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
type Execute<'a> = dyn FnMut(&Job) -> Result<Done> + Send + 'a;

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

/// The cases of a configuration, and what came of them.
struct Ran<'a> {
    running: Running,
    cases: Cases<'a>,
    counter: Option<Counter>,
    summary: Summary,
    /// Of its cases, those that run one after the other.
    chain: Duration,
}

impl Session<'_> {
    /// Runs the cases of `targets` side by side, with their progress and the reports of cases that fail, in the order
    /// of the targets; no case begins after `deadline`. What was done is added to `shards`, also when there is an error
    /// after it, and then `each` gets it, with what was hit when that is wanted. Gives the work of all threads, and the
    /// longest chain of cases that run one after the other.
    pub fn run(
        &self,
        targets: &[Target],
        deadline: Option<Instant>,
        shards: &mut Vec<Outcome>,
        mut each: impl FnMut(&Target, Option<Covered>, &mut Vec<Outcome>) -> Result<()>,
    ) -> Result<[Duration; 2]> {
        let runs = SideBySide::new(self.plan.jobs);
        let mut chain = Duration::ZERO;
        let label = match targets {
            [target] => format!("{} cases", target.name()),
            _ => format!("cases of {} units", targets.len()),
        };
        let new = |target| Cases::new(target, self.plan.seed, 0).with_faults(self.faults);
        let cases: Vec<Cases> = targets.iter().map(new).collect();
        let all = if self.coverage.until_covered { &[] } else { &cases[..] };
        let bar = table::progress(&label, all.iter().map(|cases| self.schedule(cases, None).cases()).sum());
        std::thread::scope(|scope| {
            let run = |number: usize| {
                let (runs, bar, cases) = (&runs, &bar, cases[number].clone());
                parallel::in_scope(scope, move || self.simulate(cases, deadline, (runs, number), bar))
            };
            let threads: Vec<_> = (0..targets.len()).map(run).collect();
            let reported = threads.into_iter().zip(targets).enumerate().try_for_each(|(number, (thread, target))| {
                let ran = thread?.join().unwrap_or_else(|_| Err(anyhow!("a thread died")))?;
                if number + 1 == targets.len() {
                    bar.finish_and_clear();
                }
                chain = chain.max(ran.chain);
                let covered = self.report(target, ran, shards)?;
                each(target, covered, shards)?;
                runs.over()
            });
            runs.end();
            reported
        })?;
        Ok([(0..targets.len()).map(|number| runs.busy(number)).sum(), chain])
    }

    /// The cases of a target whose number is known beforehand.
    fn schedule(&self, cases: &Cases, deadline: Option<Instant>) -> Schedule {
        let count = match self.stimulus {
            Stimulus::Random => self.plan.cases(),
            Stimulus::Pairs => cases.pairs().count(),
        };
        Schedule::new(self.shard, count, deadline, self.interrupt.clone()).with_failures(self.max_failures)
    }

    /// Runs the cases of a target, which is the one with this number of those that run side by side.
    fn simulate<'a>(
        &self,
        mut cases: Cases<'a>,
        deadline: Option<Instant>,
        (runs, number): (&SideBySide, usize),
        bar: &Progress,
    ) -> Result<Ran<'a>> {
        let Session { plan, coverage, explainer, .. } = self;
        let target = cases.target;
        if coverage.asked() {
            cases = cases.covering(&Arc::new(Bins::new(target)));
        }
        let running = Running::new(target, explainer.out)?;
        let counter = coverage.rtl_coverage.as_ref().map(|out| Counter::new(target, out)).transpose()?;
        let chain = Chain::default();
        let executor = || -> Result<_> {
            let mut execute: Box<Execute> = match &counter {
                Some(_) => {
                    let cases = InProcess::new(cases.clone()).counting(counter.as_ref());
                    Box::new(move |job: &Job| cases.execute(job))
                }
                None => Box::new(explainer.isolation.executor(&cases)),
            };
            let mut command = running.thread()?;
            let (chain, cases, running) = (&chain, &cases, &running);
            Ok(move |job: &Job| {
                let _turn = runs.turn(number)?;
                command.begins(&cases.again(job))?;
                let done = chain.case(|| execute(job))?;
                if done.result.is_err() {
                    running.failed(cases.origin(job.number), &cases.case(job));
                }
                Ok(done)
            })
        };
        // A round has ended.
        let say = |line: &str| {
            chain.end_round();
            runs.say(number, line)
        };
        let mut summary = self.run_all(&cases, deadline, executor, &say, bar).inspect_err(|_| running.close())?;
        // As if it had had all threads.
        summary.elapsed = runs.busy(number) / u32::try_from(plan.jobs.max(1)).unwrap_or(u32::MAX);
        Ok(Ran { running, cases, counter, summary, chain: chain.length() })
    }

    /// Says what came of the cases of a target, and adds it to `shards`.
    fn report(&self, target: &Target, ran: Ran, shards: &mut Vec<Outcome>) -> Result<Option<Covered>> {
        let Session { plan, explainer, .. } = self;
        let Ran { running, cases, counter, mut summary, .. } = ran;
        let sums = Compared { counts: summary.sums.counts.clone(), ports_only: target.models.port_only() };
        let unit = (target.name(), plan.seed, self.shard);
        let signature = |failure: &Failure| Signature::of_failure(target, failure).to_string();
        shards.push(Outcome::new(unit, &summary, sums, signature));
        let Some(shard) = shards.last_mut() else { return Ok(None) };
        let mut said = || -> Result<()> {
            say!("{}", shard.headline())?;
            shard.sums.note().iter().try_for_each(|note| say!("{}: {note}", shard.name()))?;
            shard.explain(&summary, plan.jobs, |FailedCase { job, failure, .. }| {
                let (case, again) = (cases.case(job), cases.again(job));
                Ok(explainer.explain(target, cases.origin(job.number), &case, failure, &again))
            })?;
            if let Some(error) = summary.error.take() {
                return Err(error);
            }
            if let Some(counter) = &counter {
                say!("{}", counter.write(target, &summary.sums.points)?)?;
            }
            summary.all_failed.iter().try_for_each(|&number| running.done(cases.origin(number)))
        };
        let said = said();
        running.close();
        said?;
        let covered = |bins| Covered { target: target.clone(), bins, hits: summary.sums.hits };
        Ok(cases.bins.map(covered))
    }

    /// Random cases, or cases for the bins that are missing.
    fn run_all<E: FnMut(&Job) -> Result<Done> + Send>(
        &self,
        cases: &Cases,
        deadline: Option<Instant>,
        executor: impl Fn() -> Result<E> + Sync,
        say: &dyn Fn(&str) -> Result<()>,
        bar: &Progress,
    ) -> Result<Summary> {
        let Plan { instructions, jobs, .. } = self.plan;
        if let (true, Some(bins)) = (self.coverage.until_covered, &cases.bins) {
            let interrupt = self.interrupt.clone();
            let limits = Limits { jobs, deadline, interrupt, most_failures: self.max_failures, ..Limits::default() };
            let speaker = Speaker { name: cases.target.name(), goals: bins.possible().count(), say };
            return until::run(bins, instructions, limits, executor, Some(speaker));
        }
        let schedule = self.schedule(cases, deadline);
        pool::run(jobs, &schedule, |number| Job::new(self.stimulus, number), executor, |_| bar.inc(1))
    }
}
