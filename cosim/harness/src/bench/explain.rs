// SPDX-License-Identifier: Apache-2.0
//! What a failing case leaves behind: a folder with its replay file, a page, a waveform and settings for viewers.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use maud::html;

use super::models::Target;
use super::replay::Replay;
use super::shrink::{Shrunk, shrink};
use super::unit::{Case, Failure, Unit};
use super::worker::Worker;
use crate::base::html::document;
use crate::base::output::{program, save_inside};
use crate::base::shell;
use crate::waveform::{self, viewer};

const STYLE: &str = "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: auto; padding: 1rem; \
    color-scheme: light dark } table { border-collapse: collapse } td, th { padding: .1rem .6rem; text-align: left; \
    border-bottom: 1px solid #8885 } .failing { background: #f443; font-weight: bold } pre { overflow-x: auto }";

/// A failing case, made smaller and explained.
#[derive(Clone, Debug)]
pub struct Explained {
    pub headline: String,
    /// What a terminal, a CI job and JUnit show.
    pub text: String,
}

/// Makes the case smaller, runs it once more with a waveform, and writes `folder`.
///
/// # Errors
/// When cases cannot be run, or files not be written.
pub fn explain<U: Unit>(
    target: &Target<U>,
    worker: &mut Worker<U>,
    origin: [u64; 2],
    fault: u32,
    (case, failure): (Case<U::Step>, Failure),
    folder: &Path,
) -> Result<Explained> {
    let (before, found) = (case.steps.len(), failure.clone());
    let Shrunk { case, failure, runs } = shrink(target.unit, worker, case, failure, fault)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let file = folder.join("replay.json");
    let replay = Replay::new(target.unit, origin, fault, &failure.signature, case);
    replay.write(&file)?;
    let wave = folder.join("wave.fst");
    waveform::reserve(&wave)?;
    let again = worker.run(&replay.case, fault, Some(&wave))?.failure;
    // Of a case that ends its process this run knows where.
    let failure = again.filter(|again| again.signature == failure.signature).unwrap_or(failure);
    let mut shown = Vec::new();
    // A process that dies leaves half of one.
    if wave.exists() && waveform::check(&wave).is_err() {
        fs::remove_file(&wave).with_context(|| format!("cannot remove {}", wave.display()))?;
    }
    if wave.exists() {
        waveform::forget_date(&wave)?;
        let groups = viewer::groups(&wave, target.rtl.top, &[("ports and state", &["*"])])?;
        // Two units of time in each clock cycle; reset comes first.
        let time = 2 * (failure.cycle + super::dut::RESET_CYCLES);
        for (name, text) in [("wave.gtkw", viewer::gtkw(&groups, 0, time)), ("wave.sucl", viewer::sucl(&groups, time))]
        {
            save_inside(&folder.join(name), &text)?;
        }
        shown = vec![wave.display().to_string()];
    }
    let [seed, number] = origin;
    let headline = format!("{}: {}", target.unit.name(), failure.signature);
    let mut command = vec![program(), "replay".into(), file.display().to_string()];
    if let Some(given) = &target.given {
        command.extend(["--rtl".into(), given.display().to_string()]);
    }
    let again = shell::command(command);
    let steps = listing(&replay.case.steps, failure.step);
    let lines: String = steps
        .iter()
        .map(|(failing, number, step)| format!("  {} {number:>3}  {step}\n", if *failing { ">" } else { " " }))
        .collect();
    let found_as = if (&found.text, &found.signature) == (&failure.text, &failure.signature) {
        String::new()
    } else {
        format!("\nas it was found: {} ({})", found.text, found.signature)
    };
    let about = format!(
        "seed {seed}, case {number}, cycle {}; {} of {before} steps are left after {runs} runs",
        failure.cycle,
        steps.len()
    );
    let text = format!(
        "{headline}\n{}\n{about}{found_as}\n\n{lines}\nagain: {again}\n{}",
        failure.text,
        shown.iter().map(|wave| format!("waveform: {wave}\n")).collect::<String>()
    );
    let page = html! {
        main {
                h1 { (headline) }
                p { (failure.text) }
                p { (about) (found_as) }
                h2 { "Steps" }
                table { thead { tr { th scope="col" { "#" } th scope="col" { "step" } } } tbody {
                    @for (failing, number, step) in &steps {
                        tr.failing[*failing] { td { (number) } td { code { (step) } @if *failing { " fails here" } } }
                    }
                } }
                h2 { "Again" }
                pre { (again) }
                @if !shown.is_empty() {
                    h2 { "Waveform" }
                    p { "The marker is at the failure: " a href="wave.fst" { "wave.fst" } ", "
                        code { "gtkwave wave.fst wave.gtkw" } ", " code { "surfer wave.fst -c wave.sucl" } }
                }
        }
    };
    let page = document(STYLE, &headline, &page, None);
    let path = folder.join("report.html");
    save_inside(&path, &page)?;
    Ok(Explained { headline, text: format!("{text}page: {}\n", path.display()) })
}

/// Whether each step is the failing one, its number, and its text.
fn listing<S: std::fmt::Display>(steps: &[S], failing: Option<usize>) -> Vec<(bool, usize, String)> {
    steps.iter().enumerate().map(|(at, step)| (failing == Some(at), at, step.to_string())).collect()
}
