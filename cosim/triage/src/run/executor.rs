// SPDX-License-Identifier: Apache-2.0
//! Runs one case, in this process.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use super::sums::Passed;
use super::{Cases, Job};
use crate::base::output;
use crate::case::Case;
use crate::cases;
use crate::coverage::collect::Collector;
use crate::coverage::hits::Hits;
use crate::coverage::rtl::Counter;
use crate::lockstep::failure::{Cause, Failure};
use crate::lockstep::{Counts, Lockstep, Observer, Setup};
use crate::random::host_program::MOST_INSTRUCTIONS;
use crate::run::SelfTest;
use crate::unit::target::Target;
use crate::unit::{ModelKind, RtlError};

pub type Done = cases::Done<Passed, Failure>;

/// A case that was run, without coverage.
pub fn done(case: &Case, result: Result<Counts, Box<Failure>>) -> Done {
    let result = result.map(|counts| Passed { counts, ..Passed::default() });
    Done { instructions: case.program.len() as u64, hash: case.hash(), result }
}

/// Runs cases in this process.
pub struct InProcess<'a> {
    cases: Cases<'a>,
    self_test: Option<&'a SelfTest>,
    counter: Option<&'a Counter>,
}

impl<'a> InProcess<'a> {
    /// An executor without more.
    pub fn new(cases: Cases<'a>) -> InProcess<'a> {
        InProcess { cases, self_test: None, counter: None }
    }

    /// Runs on models that count lines and toggles.
    pub fn counting(self, counter: Option<&'a Counter>) -> InProcess<'a> {
        InProcess { counter, ..self }
    }

    /// Crashes on purpose.
    pub fn with_self_test(self, self_test: Option<&'a SelfTest>) -> InProcess<'a> {
        InProcess { self_test, ..self }
    }

    /// Runs a case, with everything that watches it.
    fn run(&self, number: u64, case: &Case) -> Result<Done> {
        let (target, fault) = (self.cases.target, self.cases.fault(number));
        let kind = if self.counter.is_some() { ModelKind::Covered } else { ModelKind::for_run(fault, false) };
        let mut bench = match bench_for(target, case, kind, fault) {
            Ok(bench) => bench,
            Err(failure) => return Ok(done(case, Err(failure))),
        };
        let sink = Arc::new(Mutex::new(Hits::default()));
        let collector = self.cases.bins.as_ref().map(|bins| Collector::into(target, bins, &case.setup, &sink));
        let hooks = &mut bench.observers.hooks;
        hooks.extend(self.self_test.and_then(|test| test.observer(target)));
        hooks.extend(collector.map(|collector| Box::new(collector) as Box<dyn Observer>));
        let mut done = done(case, drive(&mut bench, case));
        if let Ok(passed) = &mut done.result {
            passed.hits = std::mem::take(&mut *sink.lock().unwrap_or_else(PoisonError::into_inner));
            if let Some(counter) = self.counter {
                passed.points = counter.sample(number, bench.rtl())?;
            }
        }
        Ok(done)
    }

    /// Runs the case of a job.
    ///
    /// # Errors
    /// When the case cannot be run, for a reason that has nothing to do with the unit: a full disk, say.
    pub fn execute(&self, job: &Job) -> Result<Done> {
        self.run(job.number, &self.cases.case(job))
    }
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
    let mut bench = bench_for(target, case, kind, fault)?;
    prepare(&mut bench).map_err(before_the_start)?;
    drive(&mut bench, case)
}

fn bench_for(target: &Target, case: &Case, kind: ModelKind, fault: u32) -> Result<Lockstep, Box<Failure>> {
    Lockstep::new(target, kind, &Setup { fault, ..case.setup.clone() }).map_err(before_the_start)
}

/// Runs one case on a bench that was made for it.
pub fn drive(bench: &mut Lockstep, case: &Case) -> Result<Counts, Box<Failure>> {
    if case.host {
        let broken = |why: String| Failure::without_state(Cause::Protocol(why.into()));
        bench.load(&case.loaded()).map_err(|error| broken(error.to_string()))?;
        if let Err(stuck) = bench.run_program(MOST_INSTRUCTIONS)? {
            return Err(broken(format!("the program of the case does not end: {stuck}")));
        }
        return bench.finish();
    }
    if let Some(cycles) = case.reset_after {
        bench.run_and_reset(&case.words(), cycles)?;
    }
    bench.run(&case.preload)?;
    bench.run(&case.program)?;
    bench.finish()
}

/// Runs something on the RTL in this process; what the RTL prints is in its failure, too.
///
/// # Errors
/// When the system refuses to listen; a failure is the inner error.
pub fn listening<T>(work: impl FnOnce() -> Result<T, Box<Failure>>) -> Result<Result<T, Box<Failure>>> {
    let (done, printed) = output::overhear(work).context("cannot listen to the RTL")?;
    Ok(done.map_err(|failure| Box::new(Failure { printed, ..*failure })))
}

/// An error of the C++ side before the first instruction, as a failure.
pub fn before_the_start(error: RtlError) -> Box<Failure> {
    Failure::without_state(Cause::Rtl(error))
}
