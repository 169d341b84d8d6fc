// SPDX-License-Identifier: Apache-2.0
//! `cosim replay`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::Replay;
use crate::lockstep::Counts;
use crate::model::ModelKind;
use crate::regression::{fast_kind, run_case};
use crate::report;

/// Options of `cosim replay`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Replay file; a failing case leaves it in its folder
    pub file: PathBuf,
    /// Write a waveform to this file (FST)
    #[arg(long)]
    pub wave: Option<PathBuf>,
}

/// Runs the case of a replay file; what it prints depends on nothing but the file and this program.
///
/// # Errors
/// When the file cannot be replayed.
pub fn run(options: &Options) -> Result<bool> {
    let Replay { target, origin, case, notes } = Replay::load(&options.file)?;
    for note in notes {
        eprintln!("cosim: note: {note}");
    }
    if let Some(path) = &options.wave {
        fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let kind = match &options.wave {
        Some(_) if origin.fault == 0 => ModelKind::Traced,
        _ => fast_kind(origin.fault),
    };
    let result = run_case(&target, &case, kind, origin.fault, |bench| match &options.wave {
        Some(path) => bench.rtl().open_wave(path),
        None => Ok(()),
    });
    let stimulus = case.hash();
    match result {
        Ok(Counts { retired, cycles, .. }) => {
            let name = target.name();
            println!("{name}: stimulus {stimulus:016x}: {retired} instructions, {cycles} cycles, no mismatch");
            Ok(true)
        }
        Err(failure) => {
            print!("{}", report::text(&target, &failure));
            println!("  seed     {}, case {}, stimulus {stimulus:016x}", origin.seed, origin.case);
            Ok(false)
        }
    }
}
