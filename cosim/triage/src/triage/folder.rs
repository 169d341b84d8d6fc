// SPDX-License-Identifier: Apache-2.0
//! The files of a folder, and what they are made from.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::evidence::{self, Evidence, Subject};
use super::{assemble, html, listing, markdown, wave};
use crate::base::output::save_inside;
use crate::lockstep::failure::{Cause, Failure};
use crate::waveform::{self, viewer};

/// The files of a folder, beside the replay file.
pub const FILES: [&str; 6] = ["report.md", "report.html", "program.s", "wave.fst", "wave.gtkw", "wave.sucl"];
/// Those of them that come with a waveform.
const WAVE_FILES: [&str; 3] = ["wave.fst", "wave.gtkw", "wave.sucl"];

/// What a folder is made from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Means {
    /// The case is run again, recorded and with a waveform.
    SecondRun,
    /// The failure, and the model alone: for this reason the RTL is not run again.
    Model(String),
    /// The failure alone: for this reason neither side is run again.
    Failure(String),
}

impl Means {
    /// What to begin with: a case that ends its process is run up to there, if it is known where that is.
    pub fn for_failure(failure: &Failure) -> Means {
        match failure.cause {
            Cause::Crash(_) if failure.cycle == 0 => {
                Means::Model("it is not known in which clock cycle the case ends its process".into())
            }
            _ => Means::SecondRun,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Time of the failure in the waveform, or why there is none.
    pub wave: Result<u64, String>,
    pub reproduced: bool,
}

/// Writes the folder of a failing case in this process: [`FILES`], those of the waveform only when there is one. What
/// an earlier run has left in its place is written over or removed.
pub fn write(subject: &Subject, failure: &Failure, means: Means, folder: &Path) -> Result<Written> {
    files::create_inside(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    // Before the second run, which takes a while: is there room, may it be written?
    save(folder, "report.md", "")?;
    WAVE_FILES.iter().try_for_each(|name| remove(folder, name))?;
    let wave = folder.join("wave.fst");
    let evidence = match means {
        Means::SecondRun => evidence::collect(subject, failure, &wave)?,
        Means::Model(why) => evidence::without_a_run(subject, failure, why),
        Means::Failure(why) => return bare(subject, &evidence::without_the_model(subject, failure, why), folder),
    };
    let page = assemble::page(subject, &evidence);
    save(folder, "report.md", &markdown::print(&page))?;
    save(folder, "report.html", &html::print(&page))?;
    save(folder, "program.s", &listing::text(subject, &evidence))?;
    let time = evidence.recording.time(evidence::moment(&evidence.failure));
    if wave.exists() {
        waveform::forget_date(&wave)?;
        let groups = wave::groups(&wave, &evidence)?;
        let start = evidence.recording.time(evidence::window(&evidence.failure));
        save(folder, "wave.gtkw", &viewer::gtkw(&groups, start, time))?;
        save(folder, "wave.sucl", &viewer::sucl(&groups, time))?;
    }
    Ok(written(&evidence, wave.exists().then_some(time)))
}

/// Writes what can be said without running anything.
fn bare(subject: &Subject, evidence: &Evidence, folder: &Path) -> Result<Written> {
    let page = assemble::bare_page(subject, evidence);
    save(folder, "report.md", &markdown::print(&page))?;
    save(folder, "report.html", &html::print(&page))?;
    let failed = subject.case.line(evidence.failure.at);
    save(folder, "program.s", &listing::plain_text(subject, failed))?;
    Ok(written(evidence, None))
}

fn written(evidence: &Evidence, time: Option<u64>) -> Written {
    let why = || evidence.no_wave.clone().unwrap_or_else(|| "the second run did not get to its window".into());
    Written { wave: time.ok_or_else(why), reproduced: evidence.reproduced }
}

fn save(folder: &Path, name: &str, text: &str) -> Result<()> {
    save_inside(&folder.join(name), text)
}

fn remove(folder: &Path, name: &str) -> Result<()> {
    let path = folder.join(name);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}
