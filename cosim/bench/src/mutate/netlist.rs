// SPDX-License-Identifier: Apache-2.0
//! Mutants of the netlist, made by Yosys: all of them in one netlist, chosen by a number at run time.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::tools::Tools;
use crate::unit::target::{Target, Workshop};

/// Bits of the number that selects a mutant.
pub const SELECT_BITS: u32 = 16;

/// The most mutants of a run.
pub const MOST: u64 = (1 << SELECT_BITS) - 1;

/// Wire of tl_top and port of every module that carries the number.
const SELECT: &str = "tl_mutant";

/// What drives it, when that is cut out and becomes an input of the flattened unit.
pub const SELECT_OUTPUT: &str = "u_mutant_select.sel_o";

/// The netlist that all mutants are made of, in Yosys' own format.
pub const BASE: &str = "base.il";

/// The modules that are memories.
pub const MEMORIES: [&str; 2] = ["tl_ram_1r1w", "tl_ram_1r1w_be"];

/// The commands that make mutants of it.
const EDITS: &str = "edits.ys";

/// What chooses a mutant.
pub const SELECT_FILE: &str = "tl_mutant_select.sv";

/// The netlist with all mutants, for Verilator.
pub const MUTANTS: &str = "mutants.v";

/// One mutant: what `mutate` of Yosys does to one bit of one port of one cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// Its number, from 1; 0 is the netlist as it was.
    pub id: u32,
    /// Module as the RTL names it.
    pub module: String,
    /// Module as Yosys names it, with the values of its parameters.
    pub variant: String,
    /// inv, const0, const1, cnot0 or cnot1: the last two invert the bit when another bit is 0 or 1.
    pub mode: String,
    /// Cell.
    pub cell: String,
    /// Port of the cell.
    pub port: String,
    /// Bit of the port.
    pub bit: u32,
    /// Lines of the RTL that the cell comes from.
    pub source: String,
    /// The command of Yosys that makes it, without the selection.
    #[serde(skip)]
    pub command: String,
}

impl Mutant {
    /// A name that does not depend on which other mutants there are, only on the RTL and on Yosys.
    pub fn name(&self) -> String {
        let Mutant { variant, cell, port, bit, mode, .. } = self;
        let words: Vec<&str> = self.command.split_whitespace().collect();
        let control = words.windows(2).find(|words| words[0] == "-ctrlbit").map(|words| format!(" by [{}]", words[1]));
        format!("{variant} {cell} {port}[{bit}] {mode}{}", control.unwrap_or_default())
    }

    /// Reads a line of the list that Yosys writes.
    pub fn parse(id: u32, line: &str) -> Option<Mutant> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let values = |name: &str| words.windows(2).filter(|w| w[0] == name).map(|w| w[1]).collect::<Vec<_>>();
        let one = |name: &str| values(name).first().map(|&value| value.to_owned());
        let variant = one("-module")?;
        Some(Mutant {
            id,
            module: plain_name(&variant).to_owned(),
            variant,
            mode: one("-mode")?,
            cell: one("-cell")?,
            port: one("-port")?,
            bit: one("-portbit")?.parse().ok()?,
            // The innermost last.
            source: values("-src").last().map_or_else(|| "-".to_owned(), |&source| source.to_owned()),
            command: line.trim().to_owned(),
        })
    }
}

/// `$paramod$3f4f\tl_fifo` and `$paramod\tl_butterfly\Expand=1` are `tl_fifo` and `tl_butterfly`.
fn plain_name(variant: &str) -> &str {
    match variant.strip_prefix("$paramod") {
        Some(rest) => rest.split('\\').nth(1).unwrap_or(variant),
        None => variant,
    }
}

/// The configuration `argument`; `tiny` is taken with all instruction sets, as for the planted faults, so that it has
/// every module.
///
/// # Errors
/// As [`Workshop::target`].
pub fn target(workshop: &Workshop, argument: &str) -> Result<Target> {
    if argument == "tiny" { workshop.with_faults() } else { workshop.target(argument) }
}

/// Writes RTL and netlist into `folder`, and lists `count` mutants, of module `only` or of all.
///
/// # Errors
/// When Yosys fails, or finds no mutants.
pub fn list(
    tools: &Tools,
    target: &Target,
    folder: &Path,
    count: u64,
    seed: u64,
    only: Option<&str>,
) -> Result<Vec<Mutant>> {
    let sources = write_rtl(target, folder)?;
    // Yosys takes 31 bits; all bits of the seed have an influence.
    let seed = (seed ^ seed >> 31 ^ seed >> 62) & 0x7fff_ffff;
    let selection = match only {
        Some(module) => {
            let known = sources.iter().any(|file| file.strip_suffix(".sv") == Some(module));
            ensure!(known, "there is no module {module:?} in configuration {}", target.name());
            format!("{module} $paramod*\\{module} $paramod\\{module}\\* %u %u")
        }
        None => String::new(),
    };
    let script = format!(
        "read_verilog -sv {}\nhierarchy -check -top tl_top\nproc\nsetattr -set keep 1 tl_top/w:*\nopt_clean\nopt -noff\nwreduce\nopt_clean\n\
         check -assert\nwrite_rtlil {BASE}\nmutate -list {count} -seed {seed} -o list.txt {selection}\n",
        sources.join(" ")
    );
    tools.yosys.run(folder, &script)?;
    let text = fs::read_to_string(folder.join("list.txt")).context("Yosys wrote no list of mutants")?;
    let mutants: Option<Vec<Mutant>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .zip(1..)
        .map(|(line, id)| Mutant::parse(id, line))
        .collect();
    let mutants = mutants.context("the list of mutants that Yosys wrote is not understood")?;
    ensure!(!mutants.is_empty(), "Yosys found nothing to mutate");
    Ok(mutants)
}

/// The flattened unit with these mutants as an and-inverter graph, in the ASCII form of AIGER. Memories and what chooses
/// a mutant are cut out; registers are outputs, too, which gives them their names.
///
/// # Errors
/// When Yosys fails.
pub fn graph(tools: &Tools, folder: &Path, mutants: &[&Mutant]) -> Result<String> {
    edits(folder, mutants)?;
    // A backslash would be taken for an escape.
    let list =
        |m: &&Mutant| format!("tee -q -o {} select -list tl_top/t:{}\n", memory_list(m), m.variant.replace('\\', "?"));
    let lists: String = mutants.iter().filter(|m| MEMORIES.contains(&m.module.as_str())).map(list).collect();
    let script = format!(
        "read_rtlil {BASE}\nsetattr -unset keep */w:*\nscript {EDITS}\nblackbox tl_ram_1r1w* $paramod*tl_ram_1r1w*\n\
         hierarchy -top tl_top\nflatten\n{lists}opt_clean -purge\nmemory -nordff -nomap\nmemory_map\nopt_clean\n\
         expose -evert tl_top/t:*tl_ram* tl_top/t:tl_mutant_select\nopt_clean -purge\nopt_expr\nopt_merge\nopt_clean\n\
         expose -dff tl_top\nopt_clean\nasync2sync\ntechmap\ndfflegalize -cell $_DFF_P_ 01\nopt_expr\nopt_clean\naigmap\nopt_clean\n\
         setundef -undriven -zero\nwrite_aiger -ascii -symbols graph.aag\n"
    );
    tools.yosys.run(folder, &script)?;
    fs::read_to_string(folder.join("graph.aag")).context("Yosys wrote no graph")
}

/// A folder of its own for a mutant, with the netlist, so that another [`graph`] can be made in it at the same time.
///
/// # Errors
/// When it cannot be written.
pub fn folder_for(folder: &Path, mutant: &Mutant) -> Result<PathBuf> {
    let own = folder.join(format!("mutant{}", mutant.id));
    fs::create_dir_all(&own).with_context(|| format!("cannot create {}", own.display()))?;
    fs::copy(folder.join(BASE), own.join(BASE)).with_context(|| format!("cannot write to {}", own.display()))?;
    Ok(own)
}

/// The memories of the flattened unit that a mutant is in, after [`graph`] for it, by their names.
///
/// # Errors
/// When Yosys did not list them.
pub fn memories(folder: &Path, mutant: &Mutant) -> Result<Vec<String>> {
    let text = fs::read_to_string(folder.join(memory_list(mutant))).context("Yosys listed no memories")?;
    Ok(text.lines().filter_map(|line| line.trim().strip_prefix("tl_top/")).map(str::to_owned).collect())
}

fn memory_list(mutant: &Mutant) -> String {
    format!("memories{}.txt", mutant.id)
}

/// Writes the commands that make these mutants.
fn edits(folder: &Path, mutants: &[&Mutant]) -> Result<()> {
    let line = |m: &&Mutant| format!("{} -ctrl {SELECT} {SELECT_BITS} {}\n", m.command, m.id);
    let edits: String = mutants.iter().map(line).collect();
    fs::write(folder.join(EDITS), edits).context("cannot write the mutants")
}

/// Makes the netlist with these mutants.
///
/// # Errors
/// When Yosys fails.
pub fn apply(tools: &Tools, folder: &Path, mutants: &[&Mutant]) -> Result<()> {
    edits(folder, mutants)?;
    // Nothing is cleaned up here: what only the bench looks at would be lost. It reads the nets of tl_top by their
    // names; elsewhere nets that have several drivers, one for some bits
    // each, are split: Verilator takes them for loops.
    let script =
        format!("read_rtlil {BASE}\nscript {EDITS}\nsplitnets -driver =* tl_top %d\nwrite_verilog -noattr raw.v\n");
    tools.yosys.run(folder, &script)?;
    let text = fs::read_to_string(folder.join("raw.v")).context("Yosys wrote no netlist")?;
    fs::write(folder.join(MUTANTS), readable_memories(&text))?;
    Ok(())
}

/// Lets the bench read the memories, which `tl_bench.vlt` does by a name that the netlist no longer has.
fn readable_memories(netlist: &str) -> String {
    let mut text = String::with_capacity(netlist.len());
    for line in netlist.lines() {
        match line.strip_suffix("];").filter(|line| line.starts_with("  reg [") && line.contains("] mem [")) {
            Some(memory) => text.push_str(&format!("{memory}] /*verilator public_flat_rd*/;\n")),
            None => text.extend([line, "\n"]),
        }
    }
    text
}

/// Writes the RTL, with the number of the mutant as a wire of tl_top, and what Verilator needs beside the netlist.
/// The synthesizable files in reading order.
fn write_rtl(target: &Target, folder: &Path) -> Result<Vec<String>> {
    let files = target.models.files()?;
    for file in &files {
        let mut text = file.text.clone();
        if file.name == "tl_top.sv" {
            let end = text.rfind("endmodule").context("tl_top.sv has no end")?;
            let high = SELECT_BITS - 1;
            text.insert_str(
                end,
                &format!(
                    "  logic [{high}:0] {SELECT};\n  tl_mutant_select u_mutant_select \
                     (.sel_o({SELECT}));\n"
                ),
            );
        }
        if file.name == "tl_bench.vlt" {
            text = text.lines().filter(|line| !line.contains("tl_ram_1r1w")).map(|line| format!("{line}\n")).collect();
        }
        fs::write(folder.join(&file.name), text)?;
    }
    let high = SELECT_BITS - 1;
    let port = format!("(output logic [{high}:0] sel_o);");
    fs::write(folder.join("tl_mutant_box.sv"), format!("(* blackbox *)\nmodule tl_mutant_select {port}\nendmodule\n"))?;
    // Set once, before the first clock edge: a mutant lives from power-up on.
    fs::write(
        folder.join(SELECT_FILE),
        format!(
            "// The mutant that is active; 0 is none.\nmodule tl_mutant_select {port}\n  \
             import \"DPI-C\" function int tl_mutant_number();\n  \
             initial sel_o = {SELECT_BITS}'(tl_mutant_number());\nendmodule\n"
        ),
    )?;
    let list = files.iter().find(|file| file.name == "tl.f").context("the generator gives no tl.f")?;
    Ok(["tl_mutant_box.sv".to_owned()].into_iter().chain(list.text.lines().map(str::to_owned)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list_is_read() {
        let line = "mutate -mode cnot1 -module $paramod$7c5c\\tl_fifo -cell $procmux$77 -port Y -portbit 4 -ctrlbit 1 \
                    -src tl_fifo.sv:1.2-1.3 -src tl_fifo.sv:40.7-40.67";
        let mutant = Mutant::parse(7, line).expect("line");
        assert_eq!((mutant.id, &*mutant.module, &*mutant.mode, mutant.bit), (7, "tl_fifo", "cnot1", 4));
        assert_eq!((&*mutant.cell, &*mutant.source), ("$procmux$77", "tl_fifo.sv:40.7-40.67"));
        assert_eq!(mutant.name(), "$paramod$7c5c\\tl_fifo $procmux$77 Y[4] cnot1 by [1]");
        assert_eq!(plain_name("$paramod\\tl_butterfly\\Expand=s32'0001"), "tl_butterfly");
        assert_eq!(Mutant::parse(1, "mutate -mode inv"), None);
    }

    #[test]
    fn memories_of_the_netlist_are_made_readable() {
        let text = readable_memories("  reg [63:0] mem [139:0];\n  reg [63:0] other;\n");
        assert_eq!(text, "  reg [63:0] mem [139:0] /*verilator public_flat_rd*/;\n  reg [63:0] other;\n");
    }
}
