// SPDX-License-Identifier: Apache-2.0
//! What a failing case leaves behind: a folder with its report, its program, a waveform with settings for viewers, and
//! the command that runs it again.
//!
//! `evidence` runs the case a second time and records it; `assemble` makes a `page` of it, with the help of `compare`,
//! `block`, `provenance`, `fields`, `timeline` and `listing`; `html` and `markdown` print the page; `wave` writes the
//! settings of the viewers.

mod assemble;
pub mod block;
mod compare;
pub mod evidence;
pub mod fields;
pub mod html;
mod listing;
pub mod markdown;
pub mod page;
pub mod provenance;
pub mod timeline;
pub mod wave;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub use evidence::Subject;

use crate::failure::{Cause, Failure};
use crate::random::Case;
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

/// Writes the folder of `case`, which came from `origin` and may have been made smaller, below `out`, and gives the
/// report as text. `again` is the command that runs the case again.
///
/// # Errors
/// When a file cannot be written.
pub fn write(
    target: &Target,
    origin: Origin,
    case: &Case,
    failure: &Failure,
    again: &str,
    out: &Path,
) -> Result<String> {
    let Origin { seed, case: number, fault } = origin;
    let folder = out.join(origin.name(target.name()));
    let fault_text = if fault == 0 { String::new() } else { format!(", planted fault {fault}") };
    let name = format!("{}, seed {seed}, case {number}{fault_text}", target.name());
    let subject = Subject { target, case, fault, name, again: again.to_owned() };
    let written = write_folder(&subject, failure, &folder)?;

    let mut text = report::text(target, failure);
    let mut line = |label: &str, value: String| text.push_str(&format!("  {label:<9}{value}\n"));
    line("seed", format!("{seed}, case {number}, stimulus {:016x}", case.hash()));
    line("again", command(target, origin));
    if let Some(time) = written.time {
        line("wave", format!("{} (the failure is at time {time})", folder.join("wave.fst").display()));
    }
    line("program", folder.join("program.s").display().to_string());
    line("report", folder.join("report.html").display().to_string());
    if !written.reproduced && !crashes(failure) {
        line("note", "the run with the waveform did not fail in the same way".into());
    }
    Ok(text)
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Time of the failure in the waveform, if there is one.
    pub time: Option<u64>,
    /// The second run failed like the first.
    pub reproduced: bool,
}

/// The files of a folder, beside the replay file.
pub const FILES: [&str; 6] = ["report.md", "report.html", "program.s", "wave.fst", "wave.gtkw", "wave.sucl"];

/// Whether the case takes the process down that runs it.
fn crashes(failure: &Failure) -> bool {
    matches!(failure.cause, Cause::Crash(_))
}

/// Runs the case again and writes its folder: [`FILES`]. A run in the folder's place before is written over. A case that
/// crashes is not run in this process; it has no waveform.
///
/// # Errors
/// When a file cannot be written.
pub fn write_folder(subject: &Subject, failure: &Failure, folder: &Path) -> Result<Written> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    // Before the second run, which takes a while: is there room, may it be written?
    save(folder, "report.md", "")?;
    let wave = folder.join("wave.fst");
    let evidence = if crashes(failure) {
        evidence::without_a_run(subject, failure)
    } else {
        evidence::collect(subject, failure, &wave)?
    };
    let time = evidence.recording.time(evidence.failure.cycle);
    let page = assemble::page(subject, &evidence);
    save(folder, "report.md", &markdown::print(&page))?;
    save(folder, "report.html", &html::print(&page))?;
    save(folder, "program.s", &listing::text(subject, &evidence))?;
    let traced = !crashes(failure) && wave.exists();
    if traced {
        wave::forget_date(&wave)?;
        let groups = wave::groups(&wave, &evidence)?;
        let start = evidence.recording.time(evidence::window(&evidence.failure));
        save(folder, "wave.gtkw", &wave::gtkw(&groups, start, time))?;
        save(folder, "wave.sucl", &wave::sucl(&groups, time))?;
    }
    Ok(Written { time: traced.then_some(time), reproduced: evidence.reproduced })
}

/// The command that runs a case again.
pub fn command(target: &Target, origin: Origin) -> String {
    let fault = if origin.fault == 0 { String::new() } else { format!(" --fault {}", origin.fault) };
    format!("cosim random --config {} --seed {} --case {}{fault}", target.name(), origin.seed, origin.case)
}

fn save(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
