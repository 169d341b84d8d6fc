// SPDX-License-Identifier: Apache-2.0
//! `cosim demo-fault`: the whole path from a planted fault to its cause, for somebody who sees the bench for the first
//! time.

use std::path::Path;

use anyhow::{Result, anyhow};

use super::options::DemoOptions;
use super::program_page::WATCHDOG;
use crate::base::output::{self, say};
use crate::base::{shell, table};
use crate::case::Case;
use crate::case::Origin;
use crate::run::FailedCase;
use crate::run::interrupt::Interrupt;
use crate::run::regression::{self, Plan};
use crate::run::worker::Isolation;
use crate::shrink::Budget;
use crate::triage::aftermath::Aftermath;
use crate::unit::ModelKind;
use crate::unit::faults::FAULTS;
use crate::unit::target::{Target, Workshop};

/// `cosim demo-fault`. True when the fault was found.
///
/// # Errors
/// For an unknown fault, and files that cannot be written.
pub fn run(workshop: &Workshop, options: &DemoOptions) -> Result<bool> {
    let DemoOptions { fault, seed, count, jobs, .. } = *options;
    let planted = FAULTS.iter().find(|known| known.id == fault);
    let planted =
        planted.ok_or_else(|| anyhow!("there is no planted fault {fault}; `cosim check faults` lists them"))?;
    let target = workshop.with_faults()?;
    target.models.get(ModelKind::Faults)?;

    say!("1. Plant fault {fault} in {}: {}.", planted.file, planted.description)?;
    say!("     as generated  {}{}{}", planted.before, planted.original, planted.after)?;
    say!("     with fault    {}{}{}", planted.before, planted.replacement, planted.after)?;

    say!("\n2. Look for it with random programs, as `cosim random --config tiny --fault {fault} --seed {seed}` does.")?;
    let plan = Plan { seed, instructions: count, jobs, fault };
    let bar = table::progress("tiny", plan.instructions);
    let summary = regression::run(&target, &plan, |done| bar.inc(done));
    bar.finish_and_clear();
    let Some(failed) = summary.failed else {
        say!(
            "     not found in {} instructions; try another --seed, or a larger --count",
            summary.sums.counts.retired
        )?;
        return Ok(false);
    };
    say!("     Case {} of the seed fails, a program of some 256 instructions.", failed.job.number)?;
    report(&target, Origin { seed, case: failed.job.number, fault }, &failed, &options.out)?;
    Ok(true)
}

fn report(target: &Target, origin: Origin, failed: &FailedCase, out: &Path) -> Result<()> {
    say!("\n3. Make the case smaller, run it again, recorded and with a waveform, and write its folder.\n")?;
    let isolation = Isolation::new(WATCHDOG, None)?;
    let (budget, interrupt) = (Some(Budget::default()), &Interrupt::default());
    let aftermath = Aftermath { out, isolation: &isolation, budget, interrupt };
    let case = Case::new(target, origin.seed, origin.case);
    output::text(&aftermath.of(target, origin, &case, &failed.failure, &origin.command(target)).text)?;

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
