// SPDX-License-Identifier: Apache-2.0
//! `random`: many cases, and cases for the bins that they miss.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::case::{Case, Failure};
use super::explain::explain;
use super::kind::Kind;
use super::models::Target;
use super::replay::hash;
use super::report::{Outcome, Passed, Sums};
use super::unit::Unit;
use super::worker::Worker;
use crate::base::draw::Draw;
use crate::base::interrupt::Interrupt;
use crate::base::output::say;
use crate::base::{parallel, table};
use crate::cases::closing::{self, Goals, Limits, Speaker};
use crate::cases::process::WATCHDOG;
use crate::cases::schedule::{Schedule, Shard};
use crate::cases::{Done, FailedCase, Summary, pool};
use crate::replay::Origin;

/// Cases for each missing bin in a round of closing.
const PER_BIN: usize = 4;
/// Rounds after which closing gives up.
const ROUNDS: u32 = 16;
/// Number of the first case for a bin: no random case has it.
pub const FIRST_AIMED: u64 = 1 << 48;

#[derive(Clone, Debug, clap::Args)]
pub struct RandomOptions {
    /// Cases
    #[arg(long, default_value_t = 1000)]
    pub count: u64,
    /// Seed of the cases
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Processes
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// Part I of N of the cases
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// End after this time, such as 90s or 2h; then --count is no limit
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,
    /// Draw further cases for the bins that are missing, until all are hit
    #[arg(long)]
    pub until_covered: bool,
    /// Go on until so many cases have failed
    #[arg(long, default_value_t = 1)]
    pub max_failures: usize,
    /// Seconds after which a case has crashed
    #[arg(long, default_value_t = WATCHDOG)]
    pub watchdog: u64,
    /// A planted fault
    #[arg(long, default_value_t = 0)]
    pub fault: u32,
    /// Folder for what failing cases leave behind
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
}

/// A case by its number; for a bin, or random.
#[derive(Clone, Debug)]
pub struct Job {
    pub number: u64,
    bin: Option<&'static str>,
}

impl Job {
    pub fn random(number: u64) -> Job {
        Job { number, bin: None }
    }

    /// Cases for every bin, with numbers from [`FIRST_AIMED`] on.
    pub fn aimed<U: Unit>(unit: &U) -> Vec<Job> {
        let bins = unit.bins().into_iter().flat_map(|bin| [bin; PER_BIN]);
        (FIRST_AIMED..).zip(bins).map(|(number, bin)| Job { number, bin: Some(bin) }).collect()
    }

    /// The case. It follows from seed, unit and job.
    pub fn case<U: Unit>(&self, unit: &U, seed: u64) -> Case<U::Step> {
        let mut draw = Draw::new(seed, unit.name(), self.number);
        let power_up = draw.u64();
        let aimed = self.bin.and_then(|bin| unit.aim(bin, &mut draw));
        Case { power_up, steps: aimed.unwrap_or_else(|| unit.random(&mut draw)) }
    }
}

/// What runs cases of one seed, with a planted fault or a mutant.
pub struct Cases<'a, U> {
    pub target: &'a Target<'a, U>,
    pub seed: u64,
    pub selection: u32,
    pub watchdog: Duration,
    /// The model of mutants, if they run on one.
    pub mutants: Option<PathBuf>,
}

impl<U: Unit> Cases<'_, U> {
    pub fn worker(&self) -> Worker<'_, U> {
        let worker = Worker::new(self.target, self.watchdog);
        match &self.mutants {
            Some(library) => worker.on_mutants(library),
            None => worker,
        }
    }

    pub fn executor(&self) -> impl FnMut(&Job) -> Result<Done<Passed, Failure>> {
        let mut worker = self.worker();
        move |job: &Job| {
            let case = job.case(self.target.unit, self.seed);
            let ran = worker.run(&case, self.selection, None)?;
            let steps = case.steps.len() as u64;
            let hash = hash(&case)?;
            let passed = Passed { cycles: ran.cycles, steps, hits: ran.hits };
            let result = ran.failure.map_or(Ok(passed), |failure| Err(Box::new(failure)));
            Ok(Done { instructions: steps, hash, result })
        }
    }

    /// Runs the cases that `schedule` hands out.
    pub fn run(
        &self,
        jobs: usize,
        schedule: &Schedule,
        job: impl Fn(u64) -> Job + Sync,
        progress: impl Fn() + Sync,
    ) -> Result<Summary<Passed, Job, Failure>> {
        pool::run(jobs, schedule, job, || Ok(self.executor()), |_| progress())
    }
}

/// Runs the cases of a unit; gives what came of them.
///
/// # Errors
/// When models cannot be made, cases not be run, or files not be written.
pub fn random<U: Unit>(target: &Target<U>, options: &RandomOptions, interrupt: &Interrupt) -> Result<Outcome> {
    let RandomOptions { seed, jobs, shard, fault, .. } = *options;
    let start = Instant::now();
    let cases =
        Cases { target, seed, selection: fault, watchdog: Duration::from_secs(options.watchdog), mutants: None };
    target.check_fault(fault)?;
    target.make(Kind::for_run(fault, false))?;
    let deadline = options.time.map(|time| start + time);
    let count = if options.time.is_some() { u64::MAX } else { options.count };
    let schedule = Schedule::new(shard, count, deadline, interrupt.clone()).with_failures(options.max_failures);
    let bar = table::progress(&format!("{} cases", target.unit.name()), schedule.cases());
    let mut summary = cases.run(jobs, &schedule, Job::random, || bar.inc(1))?;
    bar.finish_and_clear();
    if options.until_covered {
        close(&cases, options, deadline, interrupt, &mut summary)?;
    }
    let bins = target.unit.bins().iter().map(|bin| (*bin).to_owned()).collect();
    let sums = Sums { passed: summary.sums.clone(), bins };
    let unit = (target.unit.name(), seed, shard);
    let mut outcome = Outcome::new(unit, &summary, sums, |failure: &Failure| failure.signature.clone());
    outcome.explain(&summary, jobs, |FailedCase { job, failure, .. }| {
        let (origin, case) = (Origin { seed, case: job.number, fault }, job.case(target.unit, seed));
        explain(target, &mut cases.worker(), origin, (case, (**failure).clone()), &options.out)
    })?;
    summary.error.map_or(Ok(outcome), Err)
}

/// Rounds of cases for the bins that are missing.
fn close<U: Unit>(
    cases: &Cases<U>,
    options: &RandomOptions,
    deadline: Option<Instant>,
    interrupt: &Interrupt,
    summary: &mut Summary<Passed, Job, Failure>,
) -> Result<()> {
    let (unit, bins) = (cases.target.unit, cases.target.unit.bins());
    let goals = Missing { bins: bins.len() };
    let round = goals.round(&goals.missing(&summary.sums));
    let RandomOptions { jobs, max_failures: most_failures, .. } = *options;
    let limits = Limits { jobs, rounds: ROUNDS, deadline, interrupt: interrupt.clone(), most_failures };
    let job = |number, aimed: Vec<usize>| Job { number, bin: aimed.first().map(|&bin| bins[bin]) };
    let speaker = Speaker { name: unit.name(), goals: bins.len(), say: &|line| say!("{line}") };
    closing::run(&goals, &limits, Some(speaker), (FIRST_AIMED, round), summary, job, || Ok(cases.executor()))
}

struct Missing {
    bins: usize,
}

impl Goals<Passed> for Missing {
    fn missing(&self, sums: &Passed) -> Vec<usize> {
        (0..self.bins).filter(|&bin| sums.hits.get(bin).is_none_or(|&hits| hits == 0)).collect()
    }

    fn round(&self, missing: &[usize]) -> Vec<Vec<usize>> {
        missing.iter().flat_map(|&bin| vec![vec![bin]; PER_BIN]).collect()
    }
}
