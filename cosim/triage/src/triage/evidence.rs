// SPDX-License-Identifier: Apache-2.0
//! What is known about a failing case: it is run a second time, recorded and with a waveform, and its program once more
//! on the model alone.

use std::path::Path;

use anyhow::{Result, bail};
use golden::{Machine, Outcome};

use crate::case::Case;
use crate::lockstep::failure::{Cause, Failure};
use crate::lockstep::record::{Recorder, Recording};
use crate::lockstep::{Lockstep, Setup, Tracker};
use crate::random::host_program::MOST_INSTRUCTIONS;
use crate::run::executor::drive;
use crate::unit::ModelKind;
use crate::unit::target::Target;
use crate::waveform;

/// A failing case and how a reader gets it back.
pub struct Subject<'a> {
    pub target: &'a Target,
    pub case: &'a Case,
    /// Planted fault; 0 is none.
    pub fault: u32,
    /// What to call it, on one line.
    pub name: String,
    /// The command that runs it again.
    pub again: String,
    /// Which of its neighbours fail, too; empty when that is not known.
    pub nearby: String,
    /// The folder that its page is in; links to the RTL are from there.
    pub folder: &'a Path,
}

/// Everything that the pages show.
pub struct Evidence {
    /// The failure as the second run met it.
    pub failure: Failure,
    /// What happened at the ports.
    pub recording: Recording,
    /// The model before the instruction that failed; at the end of the program when none did.
    pub before: Machine,
    /// What the model says that the instruction does.
    pub outcome: Option<Outcome>,
    /// The model when the comparison failed.
    pub model: Machine,
    /// L0M as the retired stores of the RTL left it.
    pub l0m: Vec<u8>,
    /// The second run failed like the first.
    pub reproduced: bool,
    /// Why there was no second run, and so no waveform.
    pub no_wave: Option<String>,
}

/// Cycles recorded before the failure, at least.
const BEFORE: u64 = 300;
/// And at most, unless nothing happened for longer.
const BEFORE_AT_MOST: u64 = 3000;
/// Cycles of the waveform after the failure.
const AFTER: u64 = 20;

/// The first cycle of the window around `failure`: it holds the last retirements where that is not too long.
pub fn window(failure: &Failure) -> u64 {
    let oldest = failure.history.first().map_or(failure.cycle, |retirement| retirement.cycle);
    let newest = failure.history.last().map_or(0, |retirement| retirement.cycle);
    let start = oldest.min(failure.cycle.saturating_sub(BEFORE)).max(failure.cycle.saturating_sub(BEFORE_AT_MOST));
    match failure.cause {
        Cause::Hang { .. } => start.min(newest.saturating_sub(BEFORE)),
        _ => start,
    }
}

/// The clock cycle at which the marker of the waveform stands: that of the failure, or the last retirement before a
/// hang.
pub fn moment(failure: &Failure) -> u64 {
    match failure.cause {
        Cause::Hang { .. } => failure.history.last().map_or(0, |retirement| retirement.cycle),
        _ => failure.cycle,
    }
}

/// What is known when not even the model is run: the failure.
pub fn without_the_model(subject: &Subject, failure: &Failure, why: String) -> Evidence {
    let reset = Machine::new(&subject.target.golden);
    Evidence {
        failure: failure.clone(),
        recording: Recording { in_reset: subject.case.setup.reset_cycles.into(), ..Recording::default() },
        outcome: None,
        model: reset.clone(),
        before: reset,
        l0m: Vec::new(),
        reproduced: false,
        no_wave: Some(why),
    }
}

/// What is known without a second run, which there is not because of `why`. The model runs.
pub fn without_a_run(subject: &Subject, failure: &Failure, why: String) -> Evidence {
    let evidence = up_to_the_instruction(subject, failure, why);
    Evidence { outcome: failure.at.map(|(_, word, _)| evidence.before.clone().step(word)), ..evidence }
}

/// As [`without_a_run`], but the model does not execute the instruction that failed: that may end the process.
fn up_to_the_instruction(subject: &Subject, failure: &Failure, why: String) -> Evidence {
    let before = before(subject.target, subject.case, failure);
    Evidence { model: before.clone(), before, ..without_the_model(subject, failure, why) }
}

/// Runs the case of `subject`, which failed with `failure`, again; writes the waveform `wave`. A case that ends its
/// process is run up to the clock cycle in which it does.
pub fn collect(subject: &Subject, failure: &Failure, wave: &Path) -> Result<Evidence> {
    let Subject { target, case, fault, .. } = *subject;
    let setup = Setup { fault, ..case.setup.clone() };
    let mut bench = match Lockstep::new(target, ModelKind::for_run(fault, true), &setup) {
        Ok(bench) => bench,
        Err(error) => return Ok(without_a_run(subject, failure, format!("the model cannot be made: {error}"))),
    };
    let crashed = matches!(failure.cause, Cause::Crash(_));
    let base = if crashed { up_to_the_instruction } else { without_a_run };
    let mut evidence = Evidence { no_wave: None, ..base(subject, failure, String::new()) };
    let last_words = waveform::last_words(wave)?;
    bench.observers.recorder = Some(Recorder::new(window(failure), wave.to_owned(), setup.reset_cycles));
    bench.tracker = crashed.then(|| stop_before(failure));
    let again = drive(&mut bench, case).err();
    if !crashed {
        bench.coast(AFTER);
    }
    bench.rtl().close_wave();
    drop(last_words);
    if let Some(recorder) = bench.observers.recorder.take() {
        evidence.recording = recorder.finish();
    }
    if let Some(error) = &evidence.recording.wave_error {
        bail!("{error}");
    }
    if let Some(model) = bench.model() {
        evidence.model.clone_from(model);
    }
    evidence.l0m = bench.retired_l0m().to_vec();
    if let Some(again) = again {
        evidence.reproduced = again.cause == failure.cause && again.cycle == failure.cycle;
        evidence.failure = Failure { printed: failure.printed.clone(), ..*again };
    }
    Ok(evidence)
}

/// Ends a run with `failure` before the clock cycle in which it happens.
fn stop_before(failure: &Failure) -> Tracker {
    let (cycle, cause) = (failure.cycle, failure.cause.clone());
    Box::new(move |at| if at.cycle < cycle { Ok(()) } else { Err(cause.clone()) })
}

/// The model as it is when a case starts.
pub fn start(target: &Target, case: &Case) -> Machine {
    let mut machine = case.setup.machine(&target.golden);
    if case.host {
        // It has fewer words than program memory.
        let _ = machine.load(&case.loaded());
    }
    machine
}

/// The model before the instruction that failed. Stores of a run that was reset do not show: nothing reads L0M.
pub fn before(target: &Target, case: &Case, failure: &Failure) -> Machine {
    let mut machine = start(target, case);
    let done = failure.at.map_or(MOST_INSTRUCTIONS, |(_, _, index)| index.min(MOST_INSTRUCTIONS));
    for index in 0..done as usize {
        if case.step(&mut machine, index).is_none() {
            break;
        }
    }
    machine
}
