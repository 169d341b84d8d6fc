// SPDX-License-Identifier: Apache-2.0
//! Runs cases with a collector and adds up what they hit.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::bins::Bins;
use super::collect::Collector;
use super::hits::Hits;
use super::rtl::Counter;
use super::steer;
use crate::ci::schedule::{Schedule, Stopped};
use crate::failure::{Cause, Failure};
use crate::lockstep::{Counts, Lockstep};
use crate::random::Case;
use crate::regression::{Done, before_the_start, drive, run_case, without_state};
use crate::replay::Running;
use crate::target::Target;
use crate::triage::Origin;
use crate::unit::ModelKind;
use crate::worker::{Request, SelfTest, Worker};

/// A case of a configuration and a seed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number.
    pub number: u64,
    /// The bins that it is made for; none for a random case.
    pub bins: Vec<usize>,
}

impl Job {
    /// Random case `number`.
    pub fn random(number: u64) -> Job {
        Job { number, bins: Vec::new() }
    }

    /// The case.
    pub fn case(&self, target: &Target, bins: &Arc<Bins>, seed: u64) -> Case {
        if self.bins.is_empty() {
            Case::new(target, seed, self.number)
        } else {
            steer::case::new(target, bins, seed, self.number, &self.bins)
        }
    }
}

/// Something that runs cases and tells what they hit.
pub trait Runner {
    /// Runs a case.
    ///
    /// # Errors
    /// When it cannot be run, for a reason that has nothing to do with the unit.
    fn run(&mut self, job: &Job) -> Result<Done>;
}

impl Runner for Box<dyn Runner + '_> {
    fn run(&mut self, job: &Job) -> Result<Done> {
        (**self).run(job)
    }
}

/// Runs cases in this process.
pub struct InProcess<'a> {
    target: &'a Target,
    bins: Arc<Bins>,
    seed: u64,
    running: Option<&'a Running>,
    self_test: Option<&'a SelfTest>,
    counter: Option<&'a Counter>,
}

impl<'a> InProcess<'a> {
    /// A runner for cases of `seed` that writes nothing.
    pub fn new(target: &'a Target, bins: &Arc<Bins>, seed: u64) -> InProcess<'a> {
        InProcess { target, bins: bins.clone(), seed, running: None, self_test: None, counter: None }
    }

    /// The replay file of a case is there while it runs, and stays when it fails.
    pub fn recorded(self, running: &'a Running) -> InProcess<'a> {
        InProcess { running: Some(running), ..self }
    }

    /// Runs on models that count lines and toggles.
    pub fn counting(self, counter: &'a Counter) -> InProcess<'a> {
        InProcess { counter: Some(counter), ..self }
    }

    /// Crashes on purpose.
    pub fn with_self_test(self, self_test: Option<&'a SelfTest>) -> InProcess<'a> {
        InProcess { self_test, ..self }
    }
}

impl Runner for InProcess<'_> {
    fn run(&mut self, job: &Job) -> Result<Done> {
        let origin = Origin { seed: self.seed, case: job.number, fault: 0 };
        let case = job.case(self.target, &self.bins, self.seed);
        self.running.map_or(Ok(()), |running| running.start(origin, &case))?;
        if let Some(test) = self.self_test {
            test.maybe_crash(self.target, &case);
        }
        let (result, hits) = match self.counter {
            None => one(self.target, &self.bins, &case),
            Some(counter) => counted(self.target, &self.bins, &case, job.number, counter)?,
        };
        if let (Some(running), Ok(_)) = (self.running, &result) {
            running.done(origin)?;
        }
        Ok(Done { instructions: case.program.len() as u64, hash: case.hash(), result, hits: Some(hits) })
    }
}

/// Runs cases in a worker: a crash is a failure of the case.
pub struct Isolated<'a> {
    /// The configuration.
    pub target: &'a Target,
    /// Its bins.
    pub bins: Arc<Bins>,
    /// Seed of the cases.
    pub seed: u64,
    /// A worker for this configuration and seed.
    pub worker: Worker,
}

impl Runner for Isolated<'_> {
    fn run(&mut self, job: &Job) -> Result<Done> {
        let crash = match self.worker.ask(&Request::Covered(job.clone()))? {
            Ok(done) => return Ok(done),
            Err(crash) => crash,
        };
        let case = job.case(self.target, &self.bins, self.seed);
        let result = Err(without_state(Cause::Crash(crash)));
        Ok(Done { instructions: case.program.len() as u64, hash: case.hash(), result, hits: None })
    }
}

/// Runs one case with a collector; what a case that fails hit does not count.
pub fn one(target: &Target, bins: &Arc<Bins>, case: &Case) -> (Result<Counts, Box<Failure>>, Hits) {
    let sink = Arc::new(Mutex::new(Hits::default()));
    let collector = Collector::into(target, bins, case.setup.stalls, &sink);
    let result = run_case(target, case, ModelKind::Fast, 0, |bench| {
        bench.observer = Some(Box::new(collector));
        Ok(())
    });
    let hits = std::mem::take(&mut *sink.lock().unwrap_or_else(PoisonError::into_inner));
    (result, hits)
}

/// As [`one`], on a model that counts lines and toggles.
fn counted(
    target: &Target,
    bins: &Arc<Bins>,
    case: &Case,
    number: u64,
    counter: &Counter,
) -> Result<(Result<Counts, Box<Failure>>, Hits)> {
    let sink = Arc::new(Mutex::new(Hits::default()));
    let mut bench = match Lockstep::new(target, ModelKind::Covered, &case.setup) {
        Ok(bench) => bench,
        Err(error) => return Ok((Err(before_the_start(error)), Hits::default())),
    };
    bench.observer = Some(Box::new(Collector::into(target, bins, case.setup.stalls, &sink)));
    let start = counter.sample(number, bench.rtl())?;
    let result = drive(&mut bench, case);
    counter.add(&start, counter.sample(number, bench.rtl())?);
    let hits = std::mem::take(&mut *sink.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((result, hits))
}

/// Where cases come from.
pub trait Source: Sync {
    /// The next case to run.
    fn next(&self) -> Option<Job>;
    /// Case `number` failed.
    fn failed(&self, number: u64);
    /// Why there are no more although not all have run.
    fn stopped(&self) -> Option<Stopped>;
}

/// Random cases, up to the first that fails.
impl Source for Schedule {
    fn next(&self) -> Option<Job> {
        self.take().map(Job::random)
    }

    fn failed(&self, number: u64) {
        self.end_at(number);
    }

    fn stopped(&self) -> Option<Stopped> {
        Schedule::stopped(self)
    }
}

/// What a number of cases did.
#[derive(Debug, Default)]
pub struct Covered {
    /// Sums over the cases that passed.
    pub counts: Counts,
    /// A hash over the stimulus of all cases, whatever the order.
    pub hash: u64,
    /// Cases that were run.
    pub cases: u64,
    /// What the cases that passed hit.
    pub hits: Hits,
    /// The failing case with the lowest number.
    pub failed: Option<(Job, Box<Failure>)>,
    /// The numbers of all cases that failed.
    pub all_failed: Vec<u64>,
    /// Why the run ended early.
    pub stopped: Option<Stopped>,
}

impl Covered {
    fn add(&mut self, job: Job, done: Done) {
        self.cases += 1;
        self.hash = self.hash.wrapping_add(done.hash.wrapping_mul(job.number.wrapping_mul(2).wrapping_add(1)));
        done.hits.iter().for_each(|hits| self.hits.merge(hits));
        match done.result {
            Ok(counts) => self.counts.add(&counts),
            Err(failure) => {
                self.all_failed.push(job.number);
                if self.failed.as_ref().is_none_or(|(first, _)| job.number < first.number) {
                    self.failed = Some((job, failure));
                }
            }
        }
    }
}

/// Runs all cases of `source` on `threads` threads, with a runner for each; `progress` is told of the instructions done.
///
/// # Errors
/// The first error of a runner.
pub fn all<R: Runner>(
    source: &impl Source,
    threads: usize,
    runner: impl Fn() -> R + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Covered> {
    let total = Mutex::new(Covered::default());
    let error = Mutex::new(None::<anyhow::Error>);
    let broken = || error.lock().unwrap_or_else(PoisonError::into_inner).is_some();
    let work = || -> Result<()> {
        let mut runner = runner();
        while !broken() {
            let Some(job) = source.next() else { break };
            let done = runner.run(&job)?;
            progress(done.instructions);
            if done.result.is_err() {
                source.failed(job.number);
            }
            total.lock().unwrap_or_else(PoisonError::into_inner).add(job, done);
        }
        Ok(())
    };
    let worker = || {
        if let Err(reason) = work() {
            error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(worker);
        }
        worker();
    });
    if let Some(error) = error.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    let covered = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Covered { stopped: source.stopped(), ..covered })
}
