// SPDX-License-Identifier: Apache-2.0
//! Area in cells of a library, by instance, and the macros beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::liberty::{BUFFER, Library, NAND2};
use super::netlist::{Module, Netlist};
use super::synthesis::{Job, PHASE};
use crate::base::table::table;
use crate::model::yosys::plain;

/// A copy of the library in the folder of a job.
pub const LIBRARY: &str = "library.lib";

/// What switches a clock off: a latch that is open while the clock is low, and an AND gate. Where a library has a cell
/// for it, Yosys takes that.
const CLOCK_GATE: &str = "clock_gate";

/// Words of a memory that is a macro, at least: what compilers for register files have, and where those of few words
/// are made of cells.
const MACRO_WORDS: [u32; 2] = [16, 33];

/// Words of a memory that is made of latches, at least: with fewer the latches save less than its data register costs.
const LATCH_WORDS: u32 = 4;

/// Bits and square micrometres of two macros of OpenRAM for SKY130, `sky130_sram_{1,2}kbyte_1rw1r_32x{256,512}_8`, and
/// of the smallest NAND gate there.
const OPENRAM: [(f64, f64); 2] = [(8192.0, 479.78 * 397.5), (16384.0, 683.1 * 416.54)];
const OPENRAM_NAND2: f64 = 3.7536;

/// A memory of the RTL is one of two modules, each a copy of it.
const MEMORY: &str = "tl_ram_1r1w";
const MACRO: &str = "tl_ram_macro";
const FLIP_FLOPS: &str = "tl_ram_flip_flops";
const LATCHES: &str = "tl_ram_latches";

/// Flip-flops with the same enable whose clock is switched off for it, at least.
const GATED: u32 = 4;

/// Maps for delay with the technology mapper of ABC's newer netlists, on structural choices; then buffers, and the
/// sizes of cells, for the clock. The script that Yosys has for a library maps for area: `w16` without matrix has 1 %
/// fewer cells with it, and paths of 7.8 ns in place of 5.8.
const MAP: &str = "+strash;&get,-n;&st;&if,-g,-K,6;&dch;&nf;&put;buffer,-c;topo;upsize,{D};dnsize,{D}";

/// Femtofarads behind an output of the unit.
const OUTPUT_LOAD: u32 = 50;

/// Flip-flops of the instances that are listed, at least.
const LISTED: u64 = 256;

/// The row of what is in no instance.
const TOP: &str = "top";

/// What memories of up to 32 words are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SmallMemories {
    /// Of 16 words and more macros, else flip-flops
    #[default]
    Macros,
    /// Flip-flops
    FlipFlops,
    /// Of 4 words and more latches, else flip-flops
    Latches,
}

/// A memory that a macro has to replace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Memory {
    /// Words.
    pub depth: u64,
    /// Bits of a word.
    pub width: u64,
    pub count: u64,
}

impl Memory {
    /// Area of all of them in that of the smallest NAND gate, on a line through what two macros of OpenRAM take: their
    /// ports both read, one of them writes, too, with byte enables.
    fn nand2(&self) -> u64 {
        let [(bits, area), (more_bits, more_area)] = OPENRAM;
        let per_bit = (more_area - area) / (more_bits - bits);
        let each = area + per_bit * ((self.depth * self.width) as f64 - bits);
        self.count * (each / OPENRAM_NAND2).round() as u64
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Part {
    /// Area in that of the smallest NAND gate with two inputs.
    pub nand2: u64,
    pub flip_flops: u64,
}

/// A unit in cells of a library.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Area {
    #[serde(skip)]
    pub kinds: BTreeMap<String, u64>,
    /// All of it, without the memories.
    pub all: Part,
    /// What the top has itself, as `top`, and the instances in it.
    pub instances: BTreeMap<String, Part>,
    pub latches: u64,
    /// Flip-flops of every instance that has some itself, with its full name.
    pub flip_flops: BTreeMap<String, u64>,
    pub memories: Vec<Memory>,
    /// Estimated area of the memories, in that of the NAND gate.
    pub memories_nand2: u64,
    /// Flip-flops with an asynchronous reset.
    pub reset: u64,
}

impl Job<'_> {
    /// `top` in cells of `library` for a clock of `period` ns, as `cells.json`, and for [`super::sta`] as `cells.v`.
    /// The instances in it stay, and are flat; what a constant or an open port of one makes superfluous goes all the
    /// same. `None` when the time is over.
    pub fn cells(
        &self,
        top: &str,
        library: &Library,
        period: f64,
        small: SmallMemories,
    ) -> Result<Option<(Netlist, Area)>> {
        let (driver, _) = library.smallest(BUFFER)?;
        let constraints = format!("set_driving_cell {driver}\nset_load {OUTPUT_LOAD}\n");
        fs::write(self.folder.join("constraints"), constraints).context("cannot write constraints")?;
        // YoWASP's Yosys opens files of its folder.
        fs::copy(&library.path, self.folder.join(LIBRARY)).context("cannot copy the library")?;
        let picoseconds = (1000.0 * period).round();
        let gate = self.clock_gate(library)?;
        self.split_memories(small, library)?;
        let latches = if small == SmallMemories::Latches { clock_gate_cells() } else { String::new() };
        let script = latches
            + &self.read(top)
            + &format!(
                "proc\nblackbox *{MACRO}\nsetattr -mod -set keep_hierarchy 1 {top}/* %M\n\
                 log {0}optimize\nsynth -top {top} -flatten -hieropt -noabc -run begin:check\nrename -wire t:$_*FF*\n\
                 log {0}map\n{gate}dfflibmap -liberty {LIBRARY}\n\
                 abc -liberty {LIBRARY} -constr constraints -D {picoseconds} -script {MAP}\n\
                 opt_clean -purge\nsplitnets\ndelete t:$scopeinfo\nwrite_json cells.json\n\
                 write_verilog -noattr -noexpr -simple-lhs cells.v\n",
                PHASE
            );
        let Some(netlist) = self.run("cells", &script)? else { return Ok(None) };
        let area = Area::sum(&netlist, top, library)?;
        Ok(Some((netlist, area)))
    }
}

impl Job<'_> {
    /// Lets [`MEMORY`] be what `small` says where it has few words.
    fn split_memories(&self, small: SmallMemories, library: &Library) -> Result<()> {
        let path = self.folder.join(format!("{MEMORY}.sv"));
        let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
        let module = format!("module {MEMORY} ");
        let (Some(start), Some(body)) = (text.find(&module), text.find("\n);\n")) else { return Ok(()) };
        let copy = |name: &str| text[start..].replacen(MEMORY, name, 1);
        let mut modules = copy(MACRO) + &copy(FLIP_FLOPS);
        let instance = |name: &str| format!("    {name} #(.Width (Width), .Depth (Depth)) u_ram (.*);\n");
        let [few, many] = MACRO_WORDS;
        let macro_words = if small == SmallMemories::Macros { few } else { many };
        let mut split = format!("  if (Depth >= {macro_words}) begin : gen_macro\n{}", instance(MACRO));
        if small == SmallMemories::Latches {
            let latch = library.latch().with_context(|| format!("{} has no latch", library.path.display()))?;
            modules += &latch_memory(&text[start + module.len()..body], latch);
            self.write_clock_gate(latch)?;
            split += &format!("  end else if (Depth >= {LATCH_WORDS}) begin : gen_latches\n{}", instance(LATCHES));
        }
        split += &format!("  end else begin : gen_flip_flops\n{}  end\nendmodule\n", instance(FLIP_FLOPS));
        modules += &format!("{}\n);\n{split}", &text[start..body]);
        fs::write(&path, modules).with_context(|| format!("cannot write {MEMORY}.sv"))
    }

    /// Steps that switch off the clock of flip-flops with an enable, none where the library has nothing for it.
    fn clock_gate(&self, library: &Library) -> Result<String> {
        if library.clock_gates {
            return Ok(format!("clockgate -liberty {LIBRARY} -min_net_size {GATED}\n"));
        }
        let Some(latch) = library.latch() else { return Ok(String::new()) };
        self.write_clock_gate(latch)?;
        let cells = clock_gate_cells();
        Ok(format!("clockgate -pos {CLOCK_GATE} enable_i:clk_i:clk_o -min_net_size {GATED}\n{cells}"))
    }

    fn write_clock_gate(&self, [latch, data, enable, output]: [&str; 4]) -> Result<()> {
        let text = format!(
            "(* keep_hierarchy *)\nmodule {CLOCK_GATE} (input clk_i, input enable_i, output clk_o);\n  wire open, enable;\n  \
             \\$_NOT_ u_not (.A(clk_i), .Y(open));\n  {latch} u_latch (.{enable}(open), .{data}(enable_i), \
             .{output}(enable));\n  \\$_AND_ u_and (.A(enable), .B(clk_i), .Y(clk_o));\nendmodule\n"
        );
        fs::write(self.folder.join("clock_gate.v"), text).context("cannot write clock_gate.v")
    }
}

/// Steps that read [`CLOCK_GATE`] and the cells in it.
fn clock_gate_cells() -> String {
    format!("read_liberty -overwrite -lib {LIBRARY}\nread_verilog -overwrite -icells clock_gate.v\n")
}

/// A copy of [`MEMORY`], whose `ports` begin behind its name, of latches: what is written is in flip-flops for a cycle,
/// in whose first half the latches of its word are open.
fn latch_memory(ports: &str, [latch, data, enable, output]: [&str; 4]) -> String {
    format!(
        "module {LATCHES} {ports}\n);\n  logic [Width-1:0] wdata_q;\n  logic [Depth-1:0][Width-1:0] mem;\n  \
         logic [Depth-1:0] open;\n  always_ff @(posedge clk_i) if (we_i) wdata_q <= wdata_i;\n  \
         for (genvar w = 0; w < Depth; w++) begin : gen_word\n    \
         {CLOCK_GATE} u_gate (.clk_i, .enable_i (we_i && 32'(waddr_i) == w), .clk_o (open[w]));\n    \
         for (genvar b = 0; b < Width; b++) begin : gen_bit\n      \
         {latch} u_latch (.{enable} (open[w]), .{data} (wdata_q[b]), .{output} (mem[w][b]));\n    end\n  end\n  \
         always_ff @(posedge clk_i) if (re_i) rdata_o <= mem[raddr_i];\nendmodule\n"
    )
}

impl Area {
    fn sum(netlist: &Netlist, top: &str, library: &Library) -> Result<Area> {
        let (_, unit) = library.smallest(NAND2)?;
        let mut sum = Sum { netlist, library, area: Area::default(), unknown: BTreeSet::new() };
        let mut areas = BTreeMap::new();
        sum.module(top, &[], &mut areas)?;
        let Sum { mut area, unknown, .. } = sum;
        let shown = library.path.display();
        ensure!(unknown.is_empty(), "cells that {shown} does not have, or without an area: {unknown:?}");
        for (instance, (size, flip_flops)) in areas {
            area.all.flip_flops += flip_flops;
            area.instances.insert(instance, Part { nand2: (size / unit).round() as u64, flip_flops });
        }
        area.all.nand2 = area.instances.values().map(|part| part.nand2).sum();
        area.memories_nand2 = area.memories.iter().map(Memory::nand2).sum();
        Ok(area)
    }

    pub fn text(&self) -> String {
        let mut rows = table(&["instance", "NAND2", "%", "flip-flops"], 1);
        let all = ("all", &self.all);
        let mut parts: Vec<(&str, &Part)> = self.instances.iter().map(|(name, part)| (name.as_str(), part)).collect();
        parts.sort_by_key(|(_, part)| std::cmp::Reverse(part.nand2));
        for (name, part) in [all].into_iter().chain(parts) {
            let percent = 100.0 * part.nand2 as f64 / self.all.nand2.max(1) as f64;
            rows.add_row([name, &part.nand2.to_string(), &format!("{percent:.1}"), &part.flip_flops.to_string()]);
        }
        let mut deep: Vec<_> = self.flip_flops.iter().filter(|(_, count)| **count >= LISTED).collect();
        deep.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let mut listed = table(&["instance", "flip-flops of its own"], 1);
        for (name, count) in deep {
            listed.add_row([name.as_str(), &count.to_string()]);
        }
        let memory = |it: &Memory| format!("{} of {} x {} bits", it.count, it.depth, it.width);
        let memories: Vec<String> = self.memories.iter().map(memory).collect();
        let memories = if memories.is_empty() { "none".to_owned() } else { memories.join(", ") };
        format!(
            "Memories with one read and one write port: {memories}\n\
             As large as those of OpenRAM they take {} NAND2.\n\
             {} of {} flip-flops have a reset.\n\n{rows}\n\n{listed}\n",
            self.memories_nand2, self.reset, self.all.flip_flops
        )
    }
}

/// What a sum is made of.
struct Sum<'a> {
    netlist: &'a Netlist,
    library: &'a Library,
    area: Area,
    unknown: BTreeSet<String>,
}

impl Sum<'_> {
    /// Adds the cells of an instance of module `name`. `path` has the instances around it; the first one is that of the
    /// row.
    fn module(&mut self, name: &str, path: &[&str], areas: &mut BTreeMap<String, (f64, u64)>) -> Result<()> {
        let netlist = self.netlist;
        let module = netlist.modules.get(name).with_context(|| format!("Yosys gives no {name}"))?;
        let row = path.first().unwrap_or(&TOP);
        for (cell, it) in &module.cells {
            if let Some(known) = self.library.cells.get(&it.kind).filter(|known| known.area > 0.0) {
                let state = known.state.as_ref().filter(|state| state.flip_flop);
                let flip_flop = state.is_some();
                let reset = state.is_some_and(|state| state.clear.is_some() || state.preset.is_some());
                self.area.reset += u64::from(reset);
                self.area.latches += u64::from(known.state.is_some() && state.is_none());
                let sum = areas.entry((*row).to_owned()).or_default();
                sum.0 += known.area;
                sum.1 += u64::from(flip_flop);
                *self.area.kinds.entry(it.kind.clone()).or_default() += 1;
                if flip_flop {
                    // `u_fifo.words[3][5]$_DFFE_PP_`
                    let signal = cell.split('$').next().unwrap_or(cell);
                    let inner = signal.rsplit_once('.').map(|(instance, _)| instance);
                    let full: Vec<&str> = path.iter().copied().chain(inner).collect();
                    let full = if full.is_empty() { TOP.to_owned() } else { full.join(".") };
                    *self.area.flip_flops.entry(full).or_default() += 1;
                }
            } else if let Some(memory) = netlist.modules.get(&it.kind).and_then(|module| memory(&it.kind, module)) {
                match self.area.memories.iter_mut().find(|other| Memory { count: 0, ..(*other).clone() } == memory) {
                    Some(known) => known.count += 1,
                    None => self.area.memories.push(Memory { count: 1, ..memory }),
                }
            } else if netlist.modules.contains_key(&it.kind) {
                let path: Vec<&str> = path.iter().copied().chain([cell.as_str()]).collect();
                self.module(&it.kind, &path, areas)?;
            } else {
                self.unknown.insert(it.kind.clone());
            }
        }
        Ok(())
    }
}

/// The size of a memory, by its parameters; `None` for other modules.
pub fn memory(name: &str, module: &Module) -> Option<Memory> {
    if plain(name) != MACRO {
        return None;
    }
    let width = module.ports.get("rdata_o")?.bits.len() as u64;
    Some(Memory { depth: module.parameter("Depth")?, width, count: 0 })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const LIBERTY: &str = "library (small) { cell (NAND2X1) { area : 24; } cell (BUFX2) { area : 24; }
        cell (LATCH) { area : 72; latch (IQ, IQN) { } }
        cell (DFF) { area : 96; ff (IQ, IQN) { } } }";

    #[test]
    fn cells_count_for_the_instance_in_the_top_and_flip_flops_for_their_own() {
        let text = r#"{"modules": {
            "top": {"cells": {"_1_": {"type": "NAND2X1"}, "u_a": {"type": "$paramod\\tl_a\\N=1"}}},
            "$paramod\\tl_a\\N=1": {"cells": {"u_f.q[3]$_DFF_P_": {"type": "DFF"}, "m": {"type": "$paramod$1f\\tl_ram_macro"},
                "n": {"type": "$paramod$1f\\tl_ram_macro"}, "l": {"type": "LATCH"}}},
            "$paramod$1f\\tl_ram_macro": {"parameter_default_values": {"Depth": "1010"},
                "ports": {"rdata_o": {"direction": "output", "bits": [2, 3]}}}}}"#;
        let netlist: Netlist = serde_json::from_str(text).expect("JSON");
        let library = Library::parse(Path::new("small.lib"), LIBERTY).expect("a library");
        let area = Area::sum(&netlist, "top", &library).expect("areas");
        assert_eq!((area.all, area.latches), (Part { nand2: 8, flip_flops: 1 }, 1));
        let parts = [("top", Part { nand2: 1, flip_flops: 0 }), ("u_a", Part { nand2: 7, flip_flops: 1 })];
        assert_eq!(area.instances, parts.map(|(name, part)| (name.to_owned(), part)).into());
        assert_eq!(area.flip_flops, [("u_a.u_f".to_owned(), 1)].into());
        assert_eq!(area.memories, [Memory { depth: 10, width: 2, count: 2 }]);
        // 25,812 and 61 for its bits each.
        assert_eq!((area.memories_nand2, area.reset), (51_746, 0));
        let other: Netlist =
            serde_json::from_str(r#"{"modules": {"top": {"cells": {"a": {"type": "XOR"}}}}}"#).expect("JSON");
        let error = Area::sum(&other, "top", &library).expect_err("no XOR").to_string();
        assert_eq!(error, "cells that small.lib does not have, or without an area: {\"XOR\"}");
        let text = LIBERTY.replace("area : 96; ff", "ff");
        let library = Library::parse(Path::new("small.lib"), &text).expect("a library");
        let error = Area::sum(&netlist, "top", &library).expect_err("no area").to_string();
        assert_eq!(error, "cells that small.lib does not have, or without an area: {\"DFF\"}");
    }
}
