// SPDX-License-Identifier: Apache-2.0
//! Runs one case, in this process.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::{Cases, Job};
use crate::base::output;
use crate::case::Case;
use crate::case::replay::Running;
use crate::coverage::collect::Collector;
use crate::coverage::hits::Hits;
use crate::coverage::rtl::{Counter, Points};
use crate::lockstep::failure::{Cause, Failure};
use crate::lockstep::host::Operands;
use crate::lockstep::observer::Observer;
use crate::lockstep::{Counts, Lockstep, Setup};
use crate::random::host_program::MOST_INSTRUCTIONS;
use crate::run::SelfTest;
use crate::unit::target::Target;
use crate::unit::{ModelKind, RtlError};

/// What became of a case.
#[derive(Debug, Serialize, Deserialize)]
pub struct Done {
    /// Instructions of its program.
    pub instructions: u64,
    /// Hash of its stimulus.
    pub hash: u64,
    /// How it went.
    pub result: Result<Counts, Box<Failure>>,
    /// What it hit, when that was asked for; nothing when it failed.
    #[serde(default)]
    pub hits: Option<Hits>,
    /// Lines and toggles of the RTL, when they were counted; never by another process.
    #[serde(skip)]
    pub points: Option<Points>,
}

impl Done {
    /// A case that was run, without coverage.
    pub fn of(case: &Case, result: Result<Counts, Box<Failure>>) -> Done {
        Done { instructions: case.program.len() as u64, hash: case.hash(), result, hits: None, points: None }
    }
}

/// Something that runs cases.
pub trait Executor {
    /// Runs the case of a job.
    ///
    /// # Errors
    /// When the case cannot be run, for a reason that has nothing to do with the unit: a full disk, say.
    fn execute(&mut self, job: &Job) -> Result<Done>;
}

impl Executor for Box<dyn Executor + '_> {
    fn execute(&mut self, job: &Job) -> Result<Done> {
        (**self).execute(job)
    }
}

/// Runs cases in this process.
pub struct InProcess<'a> {
    cases: Cases<'a>,
    running: Option<&'a Running>,
    self_test: Option<&'a SelfTest>,
    counter: Option<&'a Counter>,
}

impl<'a> InProcess<'a> {
    /// An executor that writes nothing.
    pub fn new(cases: Cases<'a>) -> InProcess<'a> {
        InProcess { cases, running: None, self_test: None, counter: None }
    }

    /// The replay file of a case is there while it runs, and stays when it fails.
    pub fn recorded(self, running: &'a Running) -> InProcess<'a> {
        InProcess { running: Some(running), ..self }
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
        let kind = if self.counter.is_some() { ModelKind::Covered } else { fast_kind(fault) };
        let mut bench = match bench_for(target, case, kind, fault) {
            Ok(bench) => bench,
            Err(failure) => return Ok(Done::of(case, Err(failure))),
        };
        let sink = Arc::new(Mutex::new(Hits::default()));
        let collector = self.cases.bins.as_ref().map(|bins| Collector::into(target, bins, &case.setup, &sink));
        let mut observers: Vec<Box<dyn Observer>> = Vec::new();
        observers.extend(self.self_test.and_then(|test| test.observer(target)));
        observers.extend(collector.map(|collector| Box::new(collector) as Box<dyn Observer>));
        // Nobody is told of anything when there is nobody to tell.
        bench.observer = (!observers.is_empty()).then(|| Box::new(observers) as Box<dyn Observer>);
        let result = drive(&mut bench, case);
        let points = self.counter.map(|counter| counter.sample(number, bench.rtl())).transpose()?;
        let hits = std::mem::take(&mut *sink.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Done { hits: self.cases.bins.is_some().then_some(hits), points, ..Done::of(case, result) })
    }
}

impl Executor for InProcess<'_> {
    fn execute(&mut self, job: &Job) -> Result<Done> {
        let origin = self.cases.origin(job.number);
        let case = self.cases.case(job);
        self.running.map_or(Ok(()), |running| running.start(origin, &case))?;
        let done = self.run(job.number, &case)?;
        if let (Some(running), Ok(_)) = (self.running, &done.result) {
            running.done(origin)?;
        }
        Ok(done)
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
///
/// # Errors
/// What went wrong.
pub fn drive(bench: &mut Lockstep, case: &Case) -> Result<Counts, Box<Failure>> {
    if case.host {
        let broken = |why: String| without_state(Cause::Protocol(why.into()));
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
        printed: String::new(),
    })
}

/// The model for a run without waveforms.
pub fn fast_kind(fault: u32) -> ModelKind {
    if fault == 0 { ModelKind::Fast } else { ModelKind::Faults }
}
