// SPDX-License-Identifier: Apache-2.0
//! What a failing case leaves behind: a folder with its report, its program, a waveform with settings for viewers, and
//! the command that runs it again.
//!
//! `evidence` runs the case a second time and records it; `assemble` makes a `page` of it, with the help of `compare`,
//! `block`, `provenance`, `fields`, `timeline` and `listing`; `html` and `markdown` print the page; `wave` writes the
//! settings of the viewers. `folder` puts it all into files, `isolated` does so in a process of its own.

mod arithmetic;
mod assemble;
pub mod block;
pub mod bucket;
mod bytes;
mod compare;
mod contents;
mod datapath;
mod element;
pub mod evidence;
pub mod explain;
pub mod fields;
pub mod folder;
pub mod html;
mod isolated;
mod listing;
pub mod markdown;
mod operands;
pub mod page;
pub mod provenance;
pub mod report;
mod steps;
mod tile_report;
pub mod timeline;
pub mod wave;

use std::path::Path;

use anyhow::Result;

pub use evidence::Subject;
pub use folder::{FILES, Means, Written};
pub use isolated::{FolderWriter, carry_out};

use crate::case::{Case, Origin};
use crate::lockstep::failure::{Cause, Failure};
use crate::unit::target::Target;

#[derive(Clone, Copy, Debug)]
pub struct Commands<'a> {
    /// From where the case comes from: it is made again.
    pub again: &'a str,
    /// In its folder, for the page there: the case as it is in the folder.
    pub here: &'a str,
}

/// Writes the folder of `case`, which came from `origin` and may have been made smaller, below `out`, and gives the
/// report as text. `nearby` says which of its neighbours fail, too; it may be empty. `folder` writes the files
/// ([`folder::write`], or [`FolderWriter::write`], which survives what the case does to its process).
pub fn write(
    target: &Target,
    origin: Origin,
    case: &Case,
    (failure, nearby): (&Failure, &str),
    commands: Commands,
    out: &Path,
    folder: impl FnOnce(&Subject, &Failure, &Path) -> Result<Written>,
) -> Result<String> {
    let Origin { seed, case: number, fault } = origin;
    let path = out.join(origin.name(target.name()));
    let fault_text = if fault == 0 { String::new() } else { format!(", planted fault {fault}") };
    let name = format!("{}, seed {seed}, case {number}{fault_text}", target.name());
    let (again, nearby) = (commands.here.to_owned(), nearby.to_owned());
    let subject = Subject { target, case, fault, name, again, nearby, folder: &path };
    let written = folder(&subject, failure, &path)?;

    let mut text = report::text(target, failure);
    let mut line = |label: &str, value: String| text.push_str(&format!("  {label:<9}{value}\n"));
    line("seed", format!("{seed}, case {number}, stimulus {:016x}", case.hash()));
    line("again", commands.again.to_owned());
    match &written.wave {
        Ok(time) => {
            let what = if matches!(failure.cause, Cause::Hang { .. }) { "last retirement" } else { "failure" };
            line("wave", format!("{} (the {what} is at time {time})", path.join("wave.fst").display()));
        }
        Err(why) => line("wave", format!("none: {why}")),
    }
    line("program", path.join("program.s").display().to_string());
    line("report", path.join("report.html").display().to_string());
    if !written.reproduced && written.wave.is_ok() {
        line("note", "the run with the waveform did not fail in the same way".into());
    }
    Ok(text)
}
