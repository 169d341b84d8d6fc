// SPDX-License-Identifier: Apache-2.0
//! `cosim replay`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::base::output::{self, say};
use crate::case::replay::Replay;
use crate::lockstep::Counts;
use crate::run::worker::{Isolation, SelfTest};
use crate::triage::report;
use crate::unit::target::{RtlOptions, Workshop};

/// Options of `cosim replay`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Replay file; a failing case leaves it in its folder
    pub file: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
    /// Write a waveform to this file (FST)
    #[arg(long)]
    pub wave: Option<PathBuf>,
    /// Seconds without an answer after which the case has crashed
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub watchdog: u64,
    /// End the process of the case on purpose, to prove that this is reported: HOW:MNEMONIC
    #[arg(long, hide = true)]
    pub self_test: Option<SelfTest>,
}

/// Runs the case of a replay file; what it prints depends on nothing but the file and this program.
///
/// # Errors
/// When the file cannot be replayed.
pub fn run(workshop: &Workshop, options: &Options) -> Result<bool> {
    let workshop = workshop.with(&options.rtl)?;
    let Replay { target, origin, case, notes } = Replay::load(&workshop, &options.file)?;
    for note in notes {
        output::log(&format!("cosim: note: {note}"));
    }
    if let Some(path) = &options.wave {
        fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let text = fs::read_to_string(&options.file)?;
    let isolation = Isolation::new(options.watchdog, options.self_test.clone())?;
    let result = isolation.worker(&target, origin.fault != 0).replay(text, options.wave.clone())?.result;
    let stimulus = case.hash();
    match result {
        Ok(Counts { retired, cycles, .. }) => {
            let name = target.name();
            say!("{name}: stimulus {stimulus:016x}: {retired} instructions, {cycles} cycles, no mismatch")?;
            Ok(true)
        }
        Err(failure) => {
            output::text(&report::text(&target, &failure))?;
            say!("  seed     {}, case {}, stimulus {stimulus:016x}", origin.seed, origin.case)?;
            Ok(false)
        }
    }
}
