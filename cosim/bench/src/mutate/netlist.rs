// SPDX-License-Identifier: Apache-2.0
//! Mutants of the netlist, made by Yosys: all of them in one netlist, chosen by a number at run time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::mutant::{Change as AnyChange, Mutant};
use super::netlist_sites::Sites;
use super::select;
use super::tools::Tools;
use crate::unit::source::{Probe, SourceFile, Sources, Style};
use crate::unit::target::Target;

/// The netlist that all mutants are made of, in Yosys' own format.
pub const BASE: &str = "base.il";

/// The commands that make mutants of it.
pub const EDITS: &str = "edits.ys";

/// What `mutate` of Yosys does to one bit of one port of one cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
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
    /// The port, by a name that does not depend on numbers of lines and cells.
    pub site: String,
    /// The command of Yosys that makes it, without the selection.
    #[serde(skip)]
    pub command: String,
}

impl Change {
    /// Its names: that of this mutant alone, the port, what is done to it, and which bit; and those of all mutants that do it, of the
    /// bit, and of the port. They do not depend on which other mutants there are, and less on the RTL than names of cells.
    pub fn names(&self) -> [String; 4] {
        let Change { site, bit, mode, .. } = self;
        let words: Vec<&str> = self.command.split_whitespace().collect();
        let control = words.windows(2).find(|words| words[0] == "-ctrlbit").map(|words| format!(" by [{}]", words[1]));
        let each_bit = format!("{site}, {mode}");
        let all_modes = format!("{site} [{bit}]");
        [format!("{each_bit} [{bit}]{}", control.unwrap_or_default()), each_bit, all_modes, site.clone()]
    }
}

/// Reads a line of the list that Yosys writes.
pub fn parse(id: u32, line: &str) -> Option<Mutant> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let values = |name: &str| words.windows(2).filter(|w| w[0] == name).map(|w| w[1]).collect::<Vec<_>>();
    let one = |name: &str| values(name).first().map(|&value| value.to_owned());
    let variant = one("-module")?;
    let module = plain_name(&variant).to_owned();
    let change = Change {
        variant,
        mode: one("-mode")?,
        cell: one("-cell")?,
        port: one("-port")?,
        bit: one("-portbit")?.parse().ok()?,
        // The innermost last.
        source: values("-src").last().map_or_else(|| "-".to_owned(), |&source| source.to_owned()),
        site: String::new(),
        command: line.trim().to_owned(),
    };
    Some(Mutant { id, module, change: AnyChange::Netlist(change) })
}

/// The changes of the mutants that are of the netlist, with their numbers.
pub fn changes<'a>(mutants: &[&'a Mutant]) -> impl Iterator<Item = (u32, &'a Change)> {
    mutants.iter().filter_map(|mutant| match &mutant.change {
        AnyChange::Netlist(change) => Some((mutant.id, change)),
        AnyChange::Source(_) => None,
    })
}

/// Whether a mutant changes the clock or the enable of a memory that is read without either; Yosys fails on it.
pub fn is_of_nothing(mutant: &Mutant) -> bool {
    let AnyChange::Netlist(change) = &mutant.change else { return false };
    change.cell.starts_with("$memrd$") && ["CLK", "EN"].contains(&change.port.as_str())
}

/// `$paramod$3f4f\tl_fifo` and `$paramod\tl_butterfly\Expand=1` are `tl_fifo` and `tl_butterfly`.
pub fn plain_name(variant: &str) -> &str {
    match variant.strip_prefix("$paramod") {
        Some(rest) => rest.split('\\').nth(1).unwrap_or(variant),
        None => variant,
    }
}

/// Writes RTL and netlist into `folder`, and lists `count` mutants, of module `only` or of all; with the names of all places that there
/// are.
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
) -> Result<(Vec<Mutant>, BTreeSet<String>)> {
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
    let mutants: Option<Vec<Mutant>> =
        text.lines().filter(|line| !line.trim().is_empty()).zip(1..).map(|(line, id)| parse(id, line)).collect();
    let mut mutants = mutants.context("the list of mutants that Yosys wrote is not understood")?;
    ensure!(!mutants.is_empty(), "Yosys found nothing to mutate");
    let sites = Sites::read(folder, BASE)?;
    for mutant in &mut mutants {
        if let AnyChange::Netlist(change) = &mut mutant.change {
            let site = sites.name(&change.variant, &change.cell, &change.port);
            change.site = site.with_context(|| format!("the netlist has no cell {}", change.cell))?;
        }
    }
    Ok((mutants, sites.names()))
}

/// Writes the commands that make these mutants.
///
/// # Errors
/// When they cannot be written.
pub fn edits(folder: &Path, mutants: &[&Mutant]) -> Result<()> {
    let line =
        |(id, change): (u32, &Change)| format!("{} -ctrl {} {} {id}\n", change.command, select::WIRE, select::BITS);
    let edits: String = changes(mutants).map(line).collect();
    fs::write(folder.join(EDITS), edits).context("cannot write the mutants")
}

/// What the model of the netlist with these mutants is made of.
///
/// # Errors
/// When Yosys fails.
pub fn model(tools: &Tools, folder: &Path, mutants: &[&Mutant]) -> Result<Sources> {
    edits(folder, mutants)?;
    // Nothing is cleaned up here: what only the bench looks at would be lost. It reads the nets of tl_top by their
    // names; elsewhere nets that have several drivers, one for some bits
    // each, are split: Verilator takes them for loops.
    let script =
        format!("read_rtlil {BASE}\nscript {EDITS}\nsplitnets -driver =* tl_top %d\nwrite_verilog -noattr raw.v\n");
    tools.yosys.run(folder, &script)?;
    let text = fs::read_to_string(folder.join("raw.v")).context("Yosys wrote no netlist")?;
    let read = |name: &str| -> Result<SourceFile> {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(SourceFile { name: name.to_owned(), text })
    };
    let probe = read("tl_probe.sv")?;
    let netlist = SourceFile { name: "mutants.v".into(), text: rejoined(&readable_memories(&text), &probe.text) };
    Ok(Sources {
        files: vec![read("tl_pkg.sv")?, select::number(), netlist],
        headers: Vec::new(),
        probe: Some(Probe { control: vec![read("tl_bench.vlt")?], files: vec![probe] }),
        style: Style::Netlist,
    })
}

/// Gives the nets of modules in tl_top that the probe reads their names again, when they were split: a mutant that changes
/// one bit of a register gives it several drivers.
fn rejoined(netlist: &str, probe: &str) -> String {
    let mut text = netlist.to_owned();
    let paths = probe.split("tl_top.u_").skip(1);
    let paths: BTreeSet<&str> = paths
        .map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).next().unwrap_or(rest))
        .collect();
    for (instance, net) in paths.iter().filter_map(|path| path.split_once('.')).filter(|(_, net)| !net.contains('.')) {
        let Some(start) = text.find(&format!("\nmodule tl_{instance}(")) else { continue };
        let Some(end) = text[start..].find("\nendmodule").map(|length| start + length + 1) else { continue };
        // Declared as `wire [26:0] \net[31:5] ;`.
        let declared =
            text[start..end].lines().filter(|line| line.starts_with("  wire ") || line.starts_with("  reg "));
        let part = |line: &str| {
            let (_, range) = line.split_once(&format!(" \\{net}["))?;
            let range = range.split_once(']')?.0;
            let high: u32 = range.split(':').next()?.parse().ok()?;
            Some((high, format!("\\{net}[{range}] ")))
        };
        let parts: BTreeMap<u32, String> = declared.filter_map(part).collect();
        if let Some((high, _)) = parts.last_key_value() {
            let bits = parts.values().rev().cloned().collect::<Vec<_>>().join(", ");
            text.insert_str(end, &format!("  wire [{high}:0] {net} = {{ {bits} }};\n"));
        }
    }
    text
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

/// Writes the RTL, with the number of the mutant as a wire of tl_top. The synthesizable files in reading order.
fn write_rtl(target: &Target, folder: &Path) -> Result<Vec<String>> {
    let files = target.models.files()?;
    for file in &files {
        let mut text = file.text.clone();
        if file.name == "tl_top.sv" {
            let end = text.rfind("endmodule").context("tl_top.sv has no end")?;
            text.insert_str(end, &select::items());
        }
        if file.name == "tl_bench.vlt" {
            text = text.lines().filter(|line| !line.contains("tl_ram_1r1w")).map(|line| format!("{line}\n")).collect();
        }
        fs::write(folder.join(&file.name), text)?;
    }
    let black_box = select::black_box();
    fs::write(folder.join(&black_box.name), black_box.text)?;
    let list = files.iter().find(|file| file.name == "tl.f").context("the generator gives no tl.f")?;
    Ok([black_box.name].into_iter().chain(list.text.lines().map(str::to_owned)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list_is_read() {
        let line = "mutate -mode cnot1 -module $paramod$7c5c\\tl_fifo -cell $procmux$77 -port Y -portbit 4 -ctrlbit 1 \
                    -src tl_fifo.sv:1.2-1.3 -src tl_fifo.sv:40.7-40.67";
        let mutant = parse(7, line).expect("line");
        let AnyChange::Netlist(change) = &mutant.change else { panic!("{mutant:?}") };
        assert_eq!((mutant.id, &*mutant.module, &*change.mode, change.bit), (7, "tl_fifo", "cnot1", 4));
        assert_eq!((&*change.cell, &*change.source), ("$procmux$77", "tl_fifo.sv:40.7-40.67"));
        let named = Change { site: "tl_fifo.sv, $mux Y: a".into(), ..change.clone() };
        let names = ["Y: a, cnot1 [4] by [1]", "Y: a, cnot1", "Y: a [4]", "Y: a"];
        assert_eq!(named.names(), names.map(|name| format!("tl_fifo.sv, $mux {name}")));
        assert_eq!(plain_name("$paramod\\tl_butterfly\\Expand=s32'0001"), "tl_butterfly");
        assert_eq!(parse(1, "mutate -mode inv"), None);
    }

    #[test]
    fn memories_of_the_netlist_are_made_readable() {
        let text = readable_memories("  reg [63:0] mem [139:0];\n  reg [63:0] other;\n");
        assert_eq!(text, "  reg [63:0] mem [139:0] /*verilator public_flat_rd*/;\n  reg [63:0] other;\n");
    }
}
