// SPDX-License-Identifier: Apache-2.0
//! RTL to netlists, by Yosys.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::family::Family;
use super::netlist::{Module, Netlist};
use super::watch;
use crate::model::yosys::{Yosys, plain};
use crate::unit::models::VerilatedModels;

/// The whole unit.
pub const UNIT: &str = "tl_top";

/// The netlist for place and route.
pub const WRAPPED: &str = "wrapped.json";

/// In place of the label `map_luts`: ABC with several rounds, of which the best counts, and with a wire of 1 ns, which
/// is what one takes here on average; that of 0.3 ns would hide how much shorter paths with fewer LUTs are.
const MAP_LUTS: &str = "techmap -map +/lattice/latches_map.v\nscratchpad -copy abc9.script.flow2 abc9.script\n\
                        abc9 -maxlut 4 -W 1000\nclean\n";

/// Takes out what `ltp` would take for gates: instances and memories.
const CUT: &str = "delete t:tl_* t:$paramod* t:$mem_v2\n";

/// Begins a line of the log that names what comes next.
pub const PHASE: &str = "phase: ";

/// What the synthesis of a unit needs.
pub struct Job<'a> {
    pub yosys: &'a Yosys,
    pub name: String,
    pub folder: &'a Path,
    /// The RTL in reading order, in the folder.
    pub files: Vec<String>,
    /// When it began, and how long it may take.
    pub start: Instant,
    /// See `start`.
    pub limit: Duration,
}

/// Writes the RTL of `models` into `folder`; the names of its files in reading order.
pub fn write_rtl(models: &VerilatedModels, folder: &Path) -> Result<Vec<String>> {
    let sources = models.sources()?;
    sources.files.iter().chain(&sources.headers).try_for_each(|file| file.write_into(folder))?;
    Ok(sources.files.into_iter().map(|file| file.name).collect())
}

impl Job<'_> {
    /// `top` flat in cells of the FPGA; `None` when the time is over.
    pub fn fpga(&self, family: &Family, top: &str) -> Result<Option<Module>> {
        let Family { name, synth, options, registers, mapped, .. } = family;
        for (file, text) in family.files {
            fs::write(self.folder.join(file), text).with_context(|| format!("cannot write {file}"))?;
        }
        let labels = ["begin", "map_ram", "map_ffram", "map_gates", "map_ffs", "map_luts", "map_cells", "check"];
        let steps = labels.windows(2).map(|pair| {
            let step = match pair[0] {
                // Later the names of registers are lost.
                "map_luts" => format!("rename -wire {registers}\n{MAP_LUTS}{mapped}"),
                label => format!("{synth} -top {top} {options} -run {label}:{}\n", pair[1]),
            };
            format!("log {PHASE}{}\n{step}", pair[0])
        });
        // The models of cells are no part of the netlist.
        let steps = steps.collect::<String>() + "autoname\ndelete t:$scopeinfo\nblackbox =A:whitebox\n";
        let netlist = self.run(name, &(self.read(top) + &steps))?;
        netlist.map(|mut it| it.modules.remove(top).with_context(|| format!("Yosys gives no {top}"))).transpose()
    }

    /// Puts every port of `top`, whose netlist [`Job::fpga`] has left, behind a flip-flop, and leaves [`WRAPPED`]:
    /// three pins, and all paths are between flip-flops.
    pub fn wrap(&self, family: &Family, top: &str, module: &Module) -> Result<()> {
        let Family { name, models, pads, .. } = family;
        fs::write(self.folder.join("wrapped.v"), wrapper(family, top, module)).context("cannot write wrapped.v")?;
        self.yosys.run(
            self.folder,
            &format!(
                "read_json {name}.json\nread_verilog -lib {models}\n\
                 blackbox =A:whitebox\nread_verilog wrapped.v\nhierarchy -check -top wrapped\nproc\nflatten\n\
                 delete t:$scopeinfo\nopt_clean\n{pads}write_json {WRAPPED}\n"
            ),
        )
    }

    /// `top` and the modules below it in gates of two inputs, multiplexers and flip-flops; memories stay memories.
    /// And the gates in the deepest path of each module, that of `top` through all of them.
    pub fn gates(&self, top: &str) -> Result<Option<(Netlist, BTreeMap<String, u32>)>> {
        let script = self.read(top)
            + &format!(
                "log {PHASE}simplify\nproc\nopt_expr\nopt_clean\nopt -nodffe -nosdff\nwreduce\npeepopt\nopt_clean\n\
                 alumacc\nshare\nopt\nmemory -nomap\nopt_clean\nopt -fast -full\nlog {PHASE}gates\ntechmap\nopt -fast\n\
                 abc -g AND,NAND,OR,NOR,XOR,XNOR,MUX\nopt -fast\nclean\n\
                 write_json gates.json\ndesign -save gates\n{CUT}ltp -noff\n\
                 design -load gates\nflatten\n{CUT}ltp -noff\n"
            );
        let Some(netlist) = self.run("gates", &script)? else { return Ok(None) };
        let log = fs::read(self.folder.join("gates.log")).context("Yosys left no log")?;
        Ok(Some((netlist, depths(&String::from_utf8_lossy(&log)))))
    }

    pub fn read(&self, top: &str) -> String {
        let files = self.files.join(" ");
        format!("log {PHASE}read\nread_verilog -sv {files}\nhierarchy -check -top {top}\n")
    }

    /// Runs a script, which leaves NAME.json where it does not say so itself; `None` when the time is over.
    pub fn run(&self, name: &str, script: &str) -> Result<Option<Netlist>> {
        let file = format!("{name}.json");
        let write = if script.contains(&file) { String::new() } else { format!("write_json {file}\n") };
        let command = self.yosys.command(self.folder, name, &(script.to_owned() + &write))?;
        let log = self.folder.join(format!("{name}.log"));
        let _ = fs::remove_file(&log);
        let what = format!("{}: synthesis", self.name);
        let phase = |line: &str| line.strip_prefix(PHASE).map(str::to_owned);
        let done = watch::run(command, &what, &log, self.start, self.limit, phase)?;
        done.then(|| Netlist::read(&self.folder.join(file))).transpose()
    }
}

/// What `ltp` says: `Longest topological path in tl_a (length=7):`; the most of all variants of a module.
fn depths(log: &str) -> BTreeMap<String, u32> {
    let mut depths = BTreeMap::new();
    for line in log.lines() {
        let found = line.strip_prefix("Longest topological path in ").and_then(|line| line.split_once(" (length="));
        let length: Option<u32> = found.and_then(|(_, rest)| rest.split(')').next()?.parse().ok());
        if let Some(((module, _), length)) = found.zip(length) {
            let deepest = depths.entry(plain(module).to_owned()).or_default();
            *deepest = length.max(*deepest);
        }
    }
    depths
}

/// A module around `top`: inputs come from a shift register; outputs go through a flip-flop each into a second one
/// that adds them up with exclusive or, so that none can be left out.
fn wrapper(family: &Family, top: &str, module: &Module) -> String {
    let (mut inputs, mut outputs, mut pins) = (0, 0, String::new());
    for (name, port) in module.ports.iter().filter(|(name, _)| *name != "clk_i") {
        let (side, count) = if port.direction == "input" { ("in", &mut inputs) } else { ("out", &mut outputs) };
        pins.push_str(&format!(", .{name}({side}[{count}+:{}])", port.bits.len()));
        *count += port.bits.len();
    }
    let Family { flip_flop: [flip_flop, data], xor, .. } = family;
    format!(
        "module wrapped (input clk_i, input serial_i, output serial_o);\n  wire [{inputs}:0] in;\n  \
         wire [{outputs}:0] out, kept, sum, kept_sum;\n  assign in[{inputs}] = serial_i;\n  \
         assign kept_sum[{outputs}] = 1'b0;\n  assign serial_o = kept_sum[0];\n  genvar i;\n  \
         generate\n    for (i = 0; i < {inputs}; i = i + 1) begin : gen_in\n      \
         {flip_flop} u_in ({data}(in[i+1]), .Q(in[i]));\n    end\n    \
         for (i = 0; i < {outputs}; i = i + 1) begin : gen_out\n      \
         {flip_flop} u_out ({data}(out[i]), .Q(kept[i]));\n      \
         {xor} u_sum (.A(kept[i]), .B(kept_sum[i+1]), .C(1'b0), .D(1'b0), .Z(sum[i]));\n      \
         {flip_flop} u_kept ({data}(sum[i]), .Q(kept_sum[i]));\n    end\n  endgenerate\n  \
         {top} u_unit (.clk_i(clk_i){pins});\nendmodule\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_variant_of_a_module_counts() {
        let log = "Longest topological path in $paramod$7c\\tl_fifo (length=7):\n    0: x\n\
                   Longest topological path in $paramod$8d\\tl_fifo (length=9):\n\
                   Longest topological path in tl_a (length=2):\n";
        assert_eq!(depths(log), [("tl_fifo".to_owned(), 9), ("tl_a".to_owned(), 2)].into());
    }
}
