// SPDX-License-Identifier: Apache-2.0
//! Cases in a process of their own: a crash or a loop without end is a failure of the case, and not the end of the run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::case::{Case, Cover, Failure};
use super::dut::Dut;
use super::kind::Kind;
use super::models::Target;
use super::unit::Unit;
use crate::base::signals::leave_to_the_parent;
use crate::cases::process::{Crash, Heard, Process, child};
use crate::search::Budget;
use crate::waveform;

/// What a worker is asked: to run a case on a verilated model that is there.
#[derive(Debug, Serialize, Deserialize)]
struct Ask<S> {
    kind: Kind,
    library: PathBuf,
    case: Case<S>,
    /// A planted fault or a mutant; 0 for none.
    selection: u32,
    /// A waveform, and the clock cycle in which it ends.
    wave: Option<(PathBuf, u64)>,
}

/// What came of a case.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ran {
    pub cycles: u64,
    /// How often each bin was hit.
    pub hits: Vec<u64>,
    pub failure: Option<Failure>,
}

/// Answers requests until there are no more.
pub fn serve<U: Unit>(target: &Target<U>) -> Result<()> {
    leave_to_the_parent().context("cannot watch for signals")?;
    child::serve(|ask: Ask<U::Step>| {
        target.made_elsewhere(ask.kind, &ask.library);
        run(target, &ask)
    })
}

fn run<U: Unit>(target: &Target<U>, Ask { kind, case, selection, wave, .. }: &Ask<U::Step>) -> Result<Ran> {
    let library = target.load(*kind)?;
    let mut cover = Cover::new(target.unit.bins());
    let mut cycles = 0;
    let until = wave.as_ref().map(|(path, end)| (&**path, *end));
    let result = Dut::new(&library, &target.rtl, case.power_up, *selection, until)?.and_then(|mut dut| {
        let result = target.unit.run(&mut dut, &case.steps, &mut cover);
        cycles = dut.cycle();
        result.map_err(|failure| Failure { step: dut.step(), cycle: dut.cycle(), ..failure })
    });
    let unknown = cover.unknown.take();
    let unknown = unknown.map(|name| Failure::new("wrong bench", format!("there is no bin {name:?}")));
    until.map_or(Ok(()), |(path, _)| waveform::check(path))?;
    Ok(Ran { cycles, hits: cover.hits, failure: result.err().or(unknown) })
}

/// A worker for one target.
pub struct Worker<'a, U> {
    target: &'a Target<'a, U>,
    process: Process,
    watchdog: Duration,
    mutants: Option<PathBuf>,
}

impl<'a, U: Unit> Worker<'a, U> {
    /// It is ended when a case takes longer than `watchdog`.
    pub fn new(target: &'a Target<'a, U>, watchdog: Duration) -> Worker<'a, U> {
        let mut arguments = vec!["worker".to_owned(), "--config".into(), target.unit.name().into()];
        if let Some(folder) = &target.given {
            arguments.extend(["--rtl".into(), folder.display().to_string()]);
        }
        Worker { target, process: Process::new(arguments, watchdog), watchdog, mutants: None }
    }

    /// Runs on this model, whose mutants are selected.
    pub fn on_mutants(self, library: &Path) -> Worker<'a, U> {
        Worker { mutants: Some(library.to_owned()), ..self }
    }

    /// How much a case is made smaller: some runs that never end may be among those that it takes.
    pub fn budget(&self) -> Budget {
        Budget::with_watchdog(self.watchdog)
    }

    /// The end of what was printed while the latest case ran.
    pub fn printed(&self) -> &str {
        self.process.printed()
    }

    /// Runs a case, with a waveform if it has a file; that of a case which ends its process ends where the process did.
    /// A crash is a failure.
    ///
    /// # Errors
    /// When the model cannot be made, or the worker not be started.
    pub fn run(&mut self, case: &Case<U::Step>, selection: u32, wave: Option<&Path>) -> Result<Ran> {
        let ran = self.run_until(case, selection, wave.map(|path| (path, u64::MAX)))?;
        if let (Some(path), Some(failure)) = (wave.filter(|path| waveform::check(path).is_err()), &ran.failure) {
            self.run_until(case, selection, Some((path, failure.cycle)))?;
        }
        Ok(ran)
    }

    fn run_until(&mut self, case: &Case<U::Step>, selection: u32, wave: Option<(&Path, u64)>) -> Result<Ran> {
        let (kind, library) = match &self.mutants {
            Some(library) => (Kind::Mutants, library.clone()),
            None => {
                let kind = Kind::for_run(selection, wave.is_some());
                (kind, self.target.make(kind)?)
            }
        };
        let ask =
            Ask { kind, library, case: case.clone(), selection, wave: wave.map(|(path, end)| (path.to_owned(), end)) };
        let Heard { answer, last }: Heard<Ran, (Option<usize>, u64)> = self.process.ask(&ask)?;
        let (step, cycle) = last.unwrap_or_default();
        Ok(answer.unwrap_or_else(|Crash { how, message }| {
            // `panicked at src/main.rs:12:5: index out of bounds`: the place tells one panic from another.
            let place = message.split(": ").next().filter(|place| place.starts_with("panicked at "));
            let signature = place.map_or(how.clone(), str::to_owned);
            let failure = Failure { step, cycle, ..Failure::new(signature, format!("{how} {message}").trim()) };
            Ran { cycles: 0, hits: vec![0; self.target.unit.bins().len()], failure: Some(failure) }
        }))
    }
}
