// SPDX-License-Identifier: Apache-2.0
//! `cosim replay`.

use std::path::Path;

use anyhow::Result;

use super::options::ReplayOptions;
use crate::base::ending::{Ending, outlive};
use crate::base::interrupt::Interrupt;
use crate::base::output::{self, say};
use crate::case::replay::Replay;
use crate::lockstep::Counts;
use crate::triage::explain::Explainer;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::Workshop;
use crate::waveform;

/// Runs the case of a replay file; what it prints depends on nothing but the file and this program.
pub fn run(workshop: &Workshop, options: &ReplayOptions) -> Result<Ending> {
    let workshop = workshop.with(&options.rtl)?;
    let (Replay { target, origin, case, notes }, text) = Replay::load(&workshop, &options.file)?;
    make_all(std::slice::from_ref(&target), ModelKind::for_run(origin.fault, false))?;
    for note in notes {
        output::log(&format!("cosim: note: {note}"));
    }
    if let Some(path) = &options.wave {
        waveform::reserve(path)?;
    }
    let isolation = options.process.isolation();
    let result = isolation
        .worker(&target, origin.fault != 0)
        .replay(text, options.wave.clone())?
        .result
        .map(|passed| passed.counts);
    let stimulus = case.hash();
    match result {
        Ok(Counts { retired, cycles, .. }) => {
            let name = target.name();
            say!("{name}: stimulus {stimulus:016x}: {retired} instructions, {cycles} cycles, no mismatch")?;
            Ok(Ending::Clean)
        }
        Err(failure) if options.out.is_some() => {
            let (out, interrupt) = (options.out.as_deref().unwrap_or(Path::new(".")), &Interrupt::default());
            let again = target.replay(Path::new(""), &options.file);
            let explainer = Explainer { out, isolation: &isolation, shrink: false, interrupt };
            output::text(&explainer.explain(&target, origin, &case, &failure, &again).text)?;
            Ok(Ending::Different)
        }
        Err(failure) => {
            let text = report::text(&target, &failure);
            let text = format!("{text}  seed     {}, case {}, stimulus {stimulus:016x}\n", origin.seed, origin.case);
            let written = output::text(&text).and_then(|()| options.wave.as_deref().map_or(Ok(()), waveform::check));
            outlive(true, written.map(|()| Ending::Different))
        }
    }
}
