// SPDX-License-Identifier: Apache-2.0
//! What a failing case leaves behind: a folder with its replay file, a page, a waveform and settings for viewers.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use maud::html;

use super::case::{Case, Failure};
use super::models::Target;
use super::replay;
use super::shrink::{Shrunk, shrink};
use super::unit::Unit;
use super::worker::Worker;
use crate::base::output::{program, save_inside};
use crate::base::shell;
use crate::replay::Origin;
use crate::report::{Bucket, Explained, page as page_of};
use crate::waveform::{self, viewer};

/// Makes the case smaller, runs it once more with a waveform, and writes its folder below `out`.
///
/// # Errors
/// When cases cannot be run, or files not be written.
pub fn explain<U: Unit>(
    target: &Target<U>,
    worker: &mut Worker<U>,
    origin: Origin,
    (case, failure): (Case<U::Step>, Failure),
    out: &Path,
) -> Result<Explained> {
    let (name, fault) = (origin.name(target.unit.name()), origin.fault);
    let folder = &out.join(&name);
    let (before, found) = (case.steps.len(), failure.clone());
    let Shrunk { case, failure, runs } = shrink(target.unit, worker, case, failure, fault)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let file = folder.join("replay.json");
    replay::write(&file, target, origin, &failure.signature, &case)?;
    let wave = folder.join("wave.fst");
    waveform::reserve(&wave)?;
    let again = worker.run(&case, fault, Some(&wave))?.failure;
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
    let Origin { seed, case: number, .. } = origin;
    let headline = format!("{}: {}", target.unit.name(), failure.signature);
    let given = target.given.iter().flat_map(|given| ["--rtl".into(), given.display().to_string()]);
    let again = shell::command([program(), "replay".into(), file.display().to_string()].into_iter().chain(given));
    // From there the folder of the RTL may have another name.
    let here = if target.given.is_some() {
        String::new()
    } else {
        shell::command([program(), "replay".into(), format!("{name}/replay.json")])
    };
    let steps = listing(&case.steps, failure.step);
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
                table.list { thead { tr { th scope="col" { "#" } th scope="col" { "step" } } } tbody {
                    @for (failing, number, step) in &steps {
                        tr.bad[*failing] { td { (number) } td { code { (step) } @if *failing { " fails here" } } }
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
    let page = page_of(&headline, &page, None);
    let path = folder.join("report.html");
    save_inside(&path, &page)?;
    let kinds: Vec<String> = case.steps.iter().map(|step| target.unit.kind(step)).collect();
    let bucket = Bucket { signature: failure.signature.clone(), steps: kinds, ..Bucket::default() };
    let count = steps.len();
    Ok(Explained {
        headline: failure.signature,
        again,
        here,
        text: format!("{text}page: {}\n", path.display()),
        nearby: String::new(),
        bucket,
        size: (count, 0),
        size_text: format!("{count} step{}", if count == 1 { "" } else { "s" }),
        folder: name,
    })
}

/// Whether each step is the failing one, its number, and its text.
fn listing<S: std::fmt::Display>(steps: &[S], failing: Option<usize>) -> Vec<(bool, usize, String)> {
    steps.iter().enumerate().map(|(at, step)| (failing == Some(at), at, step.to_string())).collect()
}
