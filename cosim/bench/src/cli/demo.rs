// SPDX-License-Identifier: Apache-2.0
//! `cosim demo-fault`: the whole path from a planted fault to its cause, for somebody who sees the bench for the first
//! time.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use rtl_config::BESIDE_RTL;

use super::options::DemoOptions;
use crate::base::output::{self, say};
use crate::base::{shell, table};
use crate::case::{Origin, random_command};
use crate::cases::process::WATCHDOG;
use crate::model::fault::Fault;
use crate::random::random_case;
use crate::run::FailedCase;
use crate::run::interrupt::Interrupt;
use crate::run::regression::{self, Plan};
use crate::run::worker::Isolation;
use crate::triage::explain::Explainer;
use crate::unit::ModelKind;
use crate::unit::faults::FAULTS;
use crate::unit::target::{RtlOptions, Target, Workshop};

/// The configuration with the fault.
const CONFIG: &str = "tiny";

/// `cosim demo-fault`. True when the fault was found.
///
/// # Errors
/// For an unknown fault, and files that cannot be written.
pub fn run(workshop: &Workshop, options: &DemoOptions) -> Result<bool> {
    let DemoOptions { fault, seed, count, jobs, .. } = *options;
    let planted = FAULTS.iter().find(|known| known.id == fault);
    let planted =
        planted.with_context(|| format!("there is no planted fault {fault}; `cosim check faults` lists them"))?;
    let folder = options.out.join("rtl");
    write_rtl(&workshop.target(CONFIG)?, planted, &folder)?;

    say!("1. Plant fault {fault} in {}: {}.", folder.join(&planted.file).display(), planted.description)?;
    let [right, wrong] = planted.texts();
    say!("     as generated  {right}")?;
    say!("     with fault    {wrong}")?;

    let target = workshop.with(&RtlOptions { rtl: Some(folder), ..RtlOptions::default() })?.target(CONFIG)?;
    target.models.get(ModelKind::Fast)?;
    let words = ["cosim".into(), "random".into()].into_iter().chain(target.selection());
    let command = shell::command(words.chain(["--seed".into(), seed.to_string()]));
    say!("\n2. Look for it with random programs, as `{command}` does.")?;
    let plan = Plan { seed, instructions: count, jobs, fault: 0 };
    let bar = table::progress(&format!("{CONFIG} cases"), plan.cases());
    let summary = regression::run(&target, &plan, |_| bar.inc(1));
    bar.finish_and_clear();
    let Some(failed) = summary.failed else {
        say!(
            "     not found in {} instructions; try another --seed, or a larger --count.",
            summary.sums.counts.retired
        )?;
        say!(
            "     `cosim random --config tiny --fault {fault}` turns on instructions and traps that tiny does not have."
        )?;
        return Ok(false);
    };
    say!("     Case {} of the seed fails, a program of some 256 instructions.", failed.job.number)?;
    report(&target, Origin { seed, case: failed.job.number, fault: 0 }, &failed, &options.out)?;
    Ok(true)
}

/// Writes the RTL of `target` with the fault, as `rtl-gen` and an editor would.
///
/// # Errors
/// For a file that is there and was edited.
fn write_rtl(target: &Target, fault: &Fault, folder: &Path) -> Result<()> {
    let mut files = target.models.files()?;
    for file in &files {
        let path = folder.join(&file.name);
        let Ok(old) = files::read_text(&path, files::TABLE) else { continue };
        let planted = FAULTS.iter().filter(|fault| fault.file == file.name).map(|fault| {
            let [right, wrong] = fault.texts();
            file.text.replacen(&right, &wrong, 1)
        });
        ensure!(
            old == file.text || planted.into_iter().any(|text| text == old),
            "{} was edited, and would be written over: move it, or name another folder with --out",
            path.display()
        );
    }
    let [right, wrong] = fault.texts();
    let file = files.iter_mut().find(|file| file.name == fault.file && file.text.contains(&right));
    let file = file.with_context(|| format!("{} of {CONFIG} has no `{right}`", fault.file))?;
    file.text = file.text.replacen(&right, &wrong, 1);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let save = |name: &str, text: &str| output::save(&folder.join(name), text.as_bytes());
    files.iter().try_for_each(|file| save(&file.name, &file.text))?;
    save(BESIDE_RTL, &target.rtl.to_toml())
}

fn report(target: &Target, origin: Origin, failed: &FailedCase, out: &Path) -> Result<()> {
    say!("\n3. Make the case smaller, run it again, recorded and with a waveform, and write its folder.\n")?;
    let isolation = Isolation::new(WATCHDOG, None);
    let explainer = Explainer { out, isolation: &isolation, shrink: true, interrupt: &Interrupt::default() };
    let case = random_case(target, origin.seed, origin.case);
    output::text(&explainer.explain(target, origin, &case, &failed.failure, &random_command(origin, target)).text)?;

    let folder = out.join(origin.name(target.name()));
    let open = |name: &str| folder.join(name).display().to_string();
    say!("\n4. Look into it:")?;
    say!("     {:<48} the page: expected and actual, instruction, timeline", open("report.html"))?;
    say!("     {:<48} the same as Markdown", open("report.md"))?;
    say!("     {:<48} the small case, for `cosim replay` and the regression corpus", open("replay.json"))?;
    say!("     {:<48} the program, with the memory that it loads", open("program.s"))?;
    say!("     {}", shell::command(["gtkwave", &open("wave.fst"), &open("wave.gtkw")]))?;
    say!("     {}", shell::command(["surfer", &open("wave.fst"), "--command-file", &open("wave.sucl")]))?;
    Ok(())
}
