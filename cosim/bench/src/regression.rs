// SPDX-License-Identifier: Apache-2.0
//! Random regressions: many cases on several threads, and the first one that fails.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::ci::interrupt::Interrupt;
use crate::ci::schedule::{Schedule, Shard, Stopped};
use crate::coverage::hits::Hits;
use crate::failure::{Cause, Failure};
use crate::host::Operands;
use crate::lockstep::{Counts, Lockstep, Setup};
use crate::random::{CASE_INSTRUCTIONS, Case};
use crate::replay::Running;
use crate::tally::Tally;
use crate::target::Target;
use crate::triage::Origin;
use crate::unit::{ModelKind, RtlError};
use crate::worker::SelfTest;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Seed of all cases.
    pub seed: u64,
    /// Instructions, rounded up to whole cases.
    pub instructions: u64,
    /// Threads.
    pub jobs: usize,
    /// Planted fault; 0 is none.
    pub fault: u32,
}

impl Plan {
    /// Number of cases.
    pub fn cases(&self) -> u64 {
        self.instructions.div_ceil(CASE_INSTRUCTIONS)
    }
}

/// A case that failed.
#[derive(Debug)]
pub struct FailedCase {
    /// Its number.
    pub case: u64,
    /// What happened.
    pub failure: Box<Failure>,
}

/// The result of a regression.
#[derive(Debug, Default)]
pub struct Summary {
    /// Sums over all cases that passed.
    pub counts: Counts,
    /// Cases that were run.
    pub cases: u64,
    /// Why others were not, beside a failure.
    pub stopped: Option<Stopped>,
    /// Hash over the stimulus of all cases that were run, whatever the order.
    pub hash: u64,
    /// Time that it took.
    pub elapsed: Duration,
    /// The failing case with the lowest number.
    pub failed: Option<FailedCase>,
    /// Those after it, in the order of their numbers, as many as were asked for.
    pub more_failed: Vec<FailedCase>,
    /// The numbers of all cases that failed, in no order; threads may have gone beyond the last that was asked for.
    pub all_failed: Vec<u64>,
}

/// Runs one case on the model `kind`; `prepare` may change the bench before the program starts.
///
/// # Errors
/// What went wrong, a failure of the RTL or of `prepare` among it.
pub fn run_case(
    target: &Target,
    case: &Case,
    kind: ModelKind,
    fault: u32,
    prepare: impl FnOnce(&mut Lockstep) -> Result<(), RtlError>,
) -> Result<Counts, Box<Failure>> {
    let setup = Setup { fault, ..case.setup.clone() };
    let mut bench = Lockstep::new(target, kind, &setup).map_err(before_the_start)?;
    prepare(&mut bench).map_err(before_the_start)?;
    drive(&mut bench, case)
}

/// Runs one case on a bench that was made for it.
///
/// # Errors
/// What went wrong.
pub fn drive(bench: &mut Lockstep, case: &Case) -> Result<Counts, Box<Failure>> {
    if let Some(cycles) = case.reset_after {
        bench.run_and_reset(&case.words(), cycles)?;
    }
    bench.run(&case.preload)?;
    bench.run(&case.program)?;
    bench.finish()
}

/// An error of the C++ side before the first instruction, as a failure.
pub fn before_the_start(error: RtlError) -> Box<Failure> {
    without_state(Cause::Rtl(error))
}

/// A failure of which nothing but the cause is known.
pub fn without_state(cause: Cause) -> Box<Failure> {
    Box::new(Failure {
        cause,
        at: None,
        cycle: 0,
        history: Vec::new(),
        shape: (0, 0),
        operands: Operands::default(),
        tile_sizes: None,
        element_bits: None,
    })
}

/// The model for a run without waveforms.
pub fn fast_kind(fault: u32) -> ModelKind {
    if fault == 0 { ModelKind::Fast } else { ModelKind::Faults }
}

/// What became of a case.
#[derive(Debug, Serialize, Deserialize)]
pub struct Done {
    /// Instructions of its program.
    pub instructions: u64,
    /// Hash of its stimulus.
    pub hash: u64,
    /// How it went.
    pub result: Result<Counts, Box<Failure>>,
    /// What it hit, when that was asked for.
    #[serde(default)]
    pub hits: Option<Hits>,
}

/// Something that runs cases of a seed by number.
pub trait Executor {
    /// Runs case `number`.
    ///
    /// # Errors
    /// When the case cannot be run, for a reason that has nothing to do with the unit: a full disk, say.
    fn execute(&mut self, number: u64) -> anyhow::Result<Done>;
}

/// Runs the cases of a plan in this process.
pub struct InProcess<'a> {
    target: &'a Target,
    plan: &'a Plan,
    running: Option<&'a Running>,
    self_test: Option<&'a SelfTest>,
}

impl<'a> InProcess<'a> {
    /// An executor that writes nothing.
    pub fn new(target: &'a Target, plan: &'a Plan) -> InProcess<'a> {
        InProcess { target, plan, running: None, self_test: None }
    }

    /// The replay file of a case is there while it runs, and stays when it fails.
    pub fn recorded(self, running: &'a Running) -> InProcess<'a> {
        InProcess { running: Some(running), ..self }
    }

    /// Crashes on purpose.
    pub fn with_self_test(self, self_test: Option<&'a SelfTest>) -> InProcess<'a> {
        InProcess { self_test, ..self }
    }
}

impl Executor for InProcess<'_> {
    fn execute(&mut self, number: u64) -> anyhow::Result<Done> {
        let Plan { seed, fault, .. } = *self.plan;
        let origin = Origin { seed, case: number, fault };
        let case = Case::new(self.target, seed, number);
        if let Some(running) = self.running {
            running.start(origin, &case)?;
        }
        let result = run_case(self.target, &case, fast_kind(fault), fault, |bench| {
            bench.observer = self.self_test.and_then(|test| test.observer(self.target));
            Ok(())
        });
        if let (Some(running), Ok(_)) = (self.running, &result) {
            running.done(origin)?;
        }
        Ok(Done { instructions: case.program.len() as u64, hash: case.hash(), result, hits: None })
    }
}

/// Runs all cases of `plan` in this process, or those up to the first that fails; `progress` is told of the
/// instructions done. Nothing is written.
pub fn run(target: &Target, plan: &Plan, progress: impl Fn(u64) + Sync) -> Summary {
    // Without files there is nothing that could fail.
    let schedule = Schedule::new(Shard::WHOLE, plan.cases(), None, Interrupt::default());
    run_with(plan.jobs, &schedule, || Ok(InProcess::new(target, plan)), progress).unwrap_or_default()
}

/// Runs the cases of `schedule`, or those up to the failure that ends it, on an executor for each of `jobs` threads.
///
/// # Errors
/// The first error of an executor.
pub fn run_with<E: Executor>(
    jobs: usize,
    schedule: &Schedule,
    executor: impl Fn() -> anyhow::Result<E> + Sync,
    progress: impl Fn(u64) + Sync,
) -> anyhow::Result<Summary> {
    let start = Instant::now();
    let tally = Mutex::new(Tally::new(schedule.shard(), schedule.most_failures()));
    let work = || -> anyhow::Result<()> {
        let mut executor = executor()?;
        while let Some(number) = schedule.take() {
            let done = executor.execute(number)?;
            progress(done.instructions);
            if done.result.is_err() {
                schedule.failed(number);
            }
            tally.lock().unwrap_or_else(PoisonError::into_inner).add(number, done);
        }
        Ok(())
    };
    let error = Mutex::new(None);
    let worker = || {
        if let Err(reason) = work() {
            schedule.end_at(0);
            error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.max(1) {
            scope.spawn(worker);
        }
        worker();
    });
    let summary = tally.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(Summary { elapsed: start.elapsed(), stopped: schedule.stopped(), ..summary }),
    }
}

impl Counts {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Counts) {
        self.retired += other.retired;
        self.compared += other.compared;
        self.traps += other.traps;
        self.cycles += other.cycles;
        self.roofline += other.roofline;
    }
}
