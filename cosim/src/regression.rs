// SPDX-License-Identifier: Apache-2.0
//! Random regressions: many cases on several threads, and the first one that fails.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::failure::{Cause, Failure};
use crate::host::Operands;
use crate::lockstep::{Counts, Lockstep, Setup};
use crate::model::{ModelKind, RtlError};
use crate::random::{CASE_INSTRUCTIONS, Case};
use crate::target::Target;

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
#[derive(Debug)]
pub struct Summary {
    /// Sums over all cases that passed.
    pub counts: Counts,
    /// Hash over the stimulus of all cases that were run, whatever the order.
    pub hash: u64,
    /// Time that it took.
    pub elapsed: Duration,
    /// The failing case with the lowest number.
    pub failed: Option<FailedCase>,
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
        bench.run_and_reset(&case.program, cycles)?;
    }
    bench.run(&case.program)?;
    bench.finish()
}

/// An error of the C++ side before the first instruction, as a failure.
pub fn before_the_start(error: RtlError) -> Box<Failure> {
    Box::new(Failure {
        cause: Cause::Rtl(error),
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

/// Runs all cases of `plan`, or those up to the first that fails; `progress` is told of the instructions done.
pub fn run(target: &Target, plan: &Plan, progress: impl Fn(u64) + Sync) -> Summary {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    // No case from here on needs to be run.
    let end = AtomicU64::new(plan.cases());
    let total = Mutex::new((Counts::default(), 0u64, None::<FailedCase>));
    let worker = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end.load(Ordering::Relaxed) {
                break;
            }
            let case = Case::new(target, plan.seed, number);
            let hash = case.hash().wrapping_mul(number.wrapping_mul(2).wrapping_add(1));
            let result = run_case(target, &case, fast_kind(plan.fault), plan.fault, |_| Ok(()));
            progress(case.program.len() as u64);
            let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            total.1 = total.1.wrapping_add(hash);
            match result {
                Ok(counts) => total.0.add(&counts),
                Err(failure) => {
                    end.fetch_min(number, Ordering::Relaxed);
                    if total.2.as_ref().is_none_or(|first| number < first.case) {
                        total.2 = Some(FailedCase { case: number, failure });
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..plan.jobs.max(1) {
            scope.spawn(worker);
        }
        worker();
    });
    let (counts, hash, failed) = total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Summary { counts, hash, elapsed: start.elapsed(), failed }
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
