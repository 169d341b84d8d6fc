// SPDX-License-Identifier: Apache-2.0
//! What a failing case leaves behind: its report, its program, a waveform, and the command that runs it again.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::failure::Failure;
use crate::model::{ModelKind, RESET_CYCLES};
use crate::random::Case;
use crate::regression::run_case;
use crate::report;
use crate::target::Target;

/// Where a failing case comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Seed of the regression.
    pub seed: u64,
    /// Number of the case.
    pub case: u64,
    /// Planted fault; 0 is none.
    pub fault: u32,
}

impl Origin {
    /// Its name as a file or folder.
    pub fn name(&self, config: &str) -> String {
        let Origin { seed, case, fault } = self;
        let planted = if *fault == 0 { String::new() } else { format!("-fault{fault}") };
        format!("{config}-seed{seed}-case{case}{planted}")
    }
}

/// Runs `case` again with a waveform, writes everything into a folder of its own below `out`, and gives the report.
///
/// # Errors
/// When a file cannot be written.
pub fn write(target: &Target, origin: Origin, case: &Case, failure: &Failure, out: &Path) -> Result<String> {
    let Origin { seed, case: number, fault } = origin;
    let folder = out.join(origin.name(target.name()));
    fs::create_dir_all(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let wave = folder.join("wave.fst");
    let kind = if fault == 0 { ModelKind::Traced } else { ModelKind::Faults };
    let again = run_case(target, case, kind, fault, |bench| bench.rtl().open_wave(&wave)).err();

    let mut text = report::text(target, failure);
    let mut line = |label: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {label:<9}{value}");
    };
    line("seed", format!("{seed}, case {number}, stimulus {:016x}", case.hash()));
    line("again", command(target, origin));
    let time = again.as_ref().map_or(String::new(), |f| format!(" (the failure is at time {})", wave_time(f, case)));
    line("wave", format!("{}{time}", wave.display()));
    line("program", folder.join("program.s").display().to_string());
    if again.is_none_or(|again| again.cause != failure.cause) {
        line("note", "the run with the waveform did not fail in the same way".into());
    }
    save(&folder.join("report.txt"), &text)?;
    save(&folder.join("program.s"), &listing(target, case))?;
    Ok(text)
}

/// The command that runs a case again.
pub fn command(target: &Target, origin: Origin) -> String {
    let fault = if origin.fault == 0 { String::new() } else { format!(" --fault {}", origin.fault) };
    format!("cosim random --config {} --seed {} --case {}{fault}", target.name(), origin.seed, origin.case)
}

/// Waveform time of a failure: two units for a clock cycle, those of the resets included.
fn wave_time(failure: &Failure, case: &Case) -> u64 {
    let resets = 1 + u64::from(case.reset_after.is_some());
    2 * (failure.cycle + resets * u64::from(RESET_CYCLES))
}

/// The program as assembly, with the stalls and errors that belong to it.
pub fn listing(target: &Target, case: &Case) -> String {
    let mut text = format!("# configuration {}, stalls {:?}\n", target.name(), case.setup.stalls);
    if let Some(cycles) = case.reset_after {
        let _ = writeln!(text, "# the program is started, reset after {cycles} cycles, and started again");
    }
    for (memory, faults) in [("L1M", &case.setup.l1m_faults), ("L0M", &case.setup.l0m_faults)] {
        for fault in faults {
            let _ = writeln!(text, "# {memory} answers with an error from {:#x} to {:#x}", fault.start, fault.end - 1);
        }
    }
    for (i, &word) in case.words().iter().enumerate() {
        if i == 0 && !case.preload.is_empty() {
            text.push_str("# the state that the program starts from\n");
        }
        if i == case.preload.len() {
            text.push_str("# the program\n");
        }
        let _ = writeln!(text, "{:<40} # {i:>4}  pc {:#06x}  {word:08x}", target.disassemble(word), 4 * i);
    }
    text
}

fn save(path: &PathBuf, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
