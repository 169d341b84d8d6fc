// SPDX-License-Identifier: Apache-2.0
//! Proofs that a mutant cannot be told from the unit, by the SAT solver of Yosys.
//!
//! Module and mutated module side by side: every flip-flop, memory word and instance is cut out of both, what they
//! give is the same free input on both sides, what they take is an output that is compared. No difference in any
//! state and for any input means no difference ever. A state or an input that does not occur can spoil the proof, so
//! a failed proof says nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::netlist::{BASE, Mutant};
use super::tools::Tools;
use crate::parallel;

/// Seconds for one proof.
const LIMIT: u32 = 60;

/// What the solver writes when nothing tells the two apart, and when something does.
const PROVEN: &str = "SAT proof finished - no model found: SUCCESS!";

/// Makes `gold` and `gate`, with all state and all instances cut out.
fn both_sides(mutant: &Mutant) -> String {
    let Mutant { variant, command, .. } = mutant;
    format!(
        "read_rtlil {BASE}\nsetattr -unset keep */w:*\ncopy {variant} gold\n{command}\nrename {variant} gate\n\
         select gold gate\nmemory -nordff -nomap\nmemory_map\nopt_clean -purge\n\
         expose -evert gold/t:*tl_* gate/t:*tl_*\nexpose -evert-dff -dff gold gate\nselect -clear\n"
    )
}

/// Asks whether they ever differ, when `given` holds.
fn compare(given: &str) -> String {
    format!(
        "miter -equiv -flatten gold gate miter\nopt -full miter\nsat -timeout {LIMIT} {given} -prove trigger 0 miter\n"
    )
}

/// The mutants that are proven to be equivalent, by number.
///
/// # Errors
/// When Yosys does not run.
pub fn equivalent(
    tools: &Tools,
    folder: &Path,
    mutants: &[&Mutant],
    jobs: usize,
    progress: impl Fn() + Sync,
) -> Result<BTreeSet<u32>> {
    let found = parallel::map(mutants, jobs, progress, |mutant| prove(tools, folder, mutant))?;
    Ok(mutants.iter().zip(found).filter(|&(_, proven)| proven).map(|(mutant, _)| mutant.id).collect())
}

fn prove(tools: &Tools, folder: &Path, mutant: &Mutant) -> Result<bool> {
    let script = both_sides(mutant) + &compare("");
    Ok(proofs(tools, folder, &format!("prove{}", mutant.id), &script)? == 1)
}

/// Whether all that this mutant of a memory changes is what the memory gives after a cycle in which it was not read: with
/// a read nothing differs, and without one nothing but the register of the data.
///
/// # Errors
/// When Yosys does not run.
pub fn reads_in_vain(tools: &Tools, folder: &Path, mutant: &Mutant) -> Result<bool> {
    let read = compare("-set in_re_i 1");
    let rest = format!("delete miter\ndelete gold/w:rdata_o.d gate/w:rdata_o.d\n{}", compare(""));
    let script = both_sides(mutant) + &read + &rest;
    Ok(proofs(tools, folder, &format!("reads{}", mutant.id), &script)? == 2)
}

/// Runs a script, and counts the proofs.
fn proofs(tools: &Tools, folder: &Path, name: &str, script: &str) -> Result<usize> {
    let (file, log) = (format!("{name}.ys"), format!("{name}.log"));
    fs::write(folder.join(&file), script)?;
    let mut command = Command::new(&tools.yosys);
    command.args(["-q", "-l", &log, "-s", &file]).current_dir(folder);
    // A script that fails, for a cell without a model say, proves nothing.
    let done = command.output().context("cannot run Yosys")?;
    let text = fs::read_to_string(folder.join(&log)).unwrap_or_default();
    Ok(if done.status.success() { text.matches(PROVEN).count() } else { 0 })
}
