// SPDX-License-Identifier: Apache-2.0
//! Area in cells of a library, by instance, and the macros beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::netlist::{Module, Netlist};
use super::synthesis::{Job, PHASE};
use crate::base::table::table;
use crate::model::yosys::plain;

/// Where Debian's package `qflow-tech-osu018` has its library: 32 cells, 0.18 um, 1.8 V.
const OSU018: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// Cells by what their names have.
const NAND2: &str = "nand2";
const BUFFER: &str = "buf";

/// A copy of the library in the folder of a job.
pub const LIBRARY: &str = "library.lib";

/// Femtofarads behind an output of the unit.
const OUTPUT_LOAD: u32 = 50;

/// Flip-flops of the instances that are listed, at least.
const LISTED: u64 = 256;

/// The row of what is in no instance.
const TOP: &str = "top";

/// What is left of the Liberty file of a library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    pub path: PathBuf,
    pub name: String,
    /// Area of each cell, and whether it is a flip-flop.
    cells: BTreeMap<String, (f64, bool)>,
}

/// A memory that a macro has to replace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Memory {
    /// Words.
    pub depth: u64,
    /// Bits of a word.
    pub width: u64,
    /// Whether bytes are written alone.
    pub byte_enables: bool,
    pub count: u64,
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
    /// Flip-flops of every instance that has some itself, with its full name.
    pub flip_flops: BTreeMap<String, u64>,
    pub memories: Vec<Memory>,
}

impl Library {
    /// The one that `LIBERTY` names, or the one that `make setup-asic` has installed.
    ///
    /// # Errors
    /// When there is none, or it has no NAND gate or no buffer.
    pub fn find() -> Result<Library> {
        let named = std::env::var_os("LIBERTY").filter(|path| !path.is_empty());
        let path = named.map_or_else(|| PathBuf::from(OSU018), PathBuf::from);
        let text = fs::read_to_string(&path).with_context(|| {
            let shown = path.display();
            format!("cannot read {shown}: run `make setup-asic`, or name a library with LIBERTY=/path/NAME.lib")
        })?;
        Library::parse(path, &text)
    }

    /// Reads a Liberty file; a group begins on a line of its own.
    fn parse(path: PathBuf, text: &str) -> Result<Library> {
        let mut library = Library { path, ..Library::default() };
        let mut cell = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(name) = group(line, "library") {
                library.name = name;
            } else if let Some(name) = group(line, "cell") {
                library.cells.insert(name.clone(), (0.0, false));
                cell = name;
            } else if let Some(known) = library.cells.get_mut(&cell) {
                known.1 |= group(line, "ff").is_some();
                let area = line.strip_prefix("area").and_then(|rest| rest.trim_start().strip_prefix(':'));
                let area = area.and_then(|value| value.trim_matches([' ', ';', '"']).parse().ok());
                known.0 = area.unwrap_or(known.0);
            }
        }
        // Area is told in that of the one; the other drives the inputs of a unit.
        [NAND2, BUFFER].into_iter().try_for_each(|word| library.smallest(word).map(|_| ()))?;
        Ok(library)
    }

    /// The smallest of the cells whose names have `word`, and its area.
    fn smallest(&self, word: &str) -> Result<(&str, f64)> {
        let cells = self.cells.iter().filter(|(name, (area, _))| name.to_lowercase().contains(word) && *area > 0.0);
        let sizes = cells.map(|(name, (area, _))| (name.as_str(), *area));
        sizes.min_by(|a, b| a.1.total_cmp(&b.1)).with_context(|| format!("{} has no cell {word}", self.path.display()))
    }
}

/// The name of a group that begins on `line`: `cell (NAND2X1) {`.
fn group(line: &str, kind: &str) -> Option<String> {
    let inside = line.strip_prefix(kind)?.trim_start().strip_prefix('(')?;
    Some(inside.split(')').next()?.trim_matches([' ', '"']).to_owned())
}

impl Job<'_> {
    /// `top` in cells of `library` for a clock of `period` ns, as `cells.json`, and for [`super::sta`] as `cells.v`.
    /// The instances in it stay, and are flat; what a constant or an open port of one makes superfluous goes all the
    /// same. `None` when the time is over.
    pub fn cells(&self, top: &str, library: &Library, period: f64) -> Result<Option<(Netlist, Area)>> {
        let (driver, _) = library.smallest(BUFFER)?;
        let constraints = format!("set_driving_cell {driver}\nset_load {OUTPUT_LOAD}\n");
        fs::write(self.folder.join("constraints"), constraints).context("cannot write constraints")?;
        // YoWASP's Yosys opens files of its folder.
        fs::copy(&library.path, self.folder.join(LIBRARY)).context("cannot copy the library")?;
        let picoseconds = (1000.0 * period).round();
        let script = self.read(top)
            + &format!(
                "proc\nblackbox *tl_ram_1r1w *tl_ram_1r1w_be\nsetattr -mod -set keep_hierarchy 1 {top}/* %M\n\
                 log {0}optimize\nsynth -top {top} -flatten -hieropt -noabc -run begin:check\nrename -wire t:$_*FF*\n\
                 log {0}map\ndfflibmap -liberty {LIBRARY}\n\
                 abc -liberty {LIBRARY} -constr constraints -D {picoseconds}\n\
                 opt_clean -purge\nsplitnets\ndelete t:$scopeinfo\nwrite_json cells.json\n\
                 write_verilog -noattr -noexpr -simple-lhs cells.v\n",
                PHASE
            );
        let Some(netlist) = self.run("cells", &script)? else { return Ok(None) };
        let area = Area::sum(&netlist, top, library)?;
        Ok(Some((netlist, area)))
    }
}

impl Area {
    fn sum(netlist: &Netlist, top: &str, library: &Library) -> Result<Area> {
        let (_, unit) = library.smallest(NAND2)?;
        let mut sum = Sum { netlist, library, area: Area::default(), unknown: BTreeSet::new() };
        let mut areas = BTreeMap::new();
        sum.module(top, &[], &mut areas)?;
        let Sum { mut area, unknown, .. } = sum;
        ensure!(unknown.is_empty(), "cells that {} does not have: {unknown:?}", library.path.display());
        for (instance, (size, flip_flops)) in areas {
            area.all.flip_flops += flip_flops;
            area.instances.insert(instance, Part { nand2: (size / unit).round() as u64, flip_flops });
        }
        area.all.nand2 = area.instances.values().map(|part| part.nand2).sum();
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
        let memory = |it: &Memory| {
            let enables = if it.byte_enables { " with byte enables" } else { "" };
            format!("{} of {} x {} bits{enables}", it.count, it.depth, it.width)
        };
        let memories: Vec<String> = self.memories.iter().map(memory).collect();
        let memories = if memories.is_empty() { "none".to_owned() } else { memories.join(", ") };
        format!("Memories with one read and one write port: {memories}\n\n{rows}\n\n{listed}\n")
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
            if let Some(&(area, flip_flop)) = self.library.cells.get(&it.kind) {
                let sum = areas.entry((*row).to_owned()).or_default();
                sum.0 += area;
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
    let byte_enables = match plain(name) {
        "tl_ram_1r1w" => false,
        "tl_ram_1r1w_be" => true,
        _ => return None,
    };
    let width = module.ports.get("rdata_o")?.bits.len() as u64;
    Some(Memory { depth: module.parameter("Depth")?, width, byte_enables, count: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBERTY: &str = "library (small) {\n  cell (NAND2X1) {\n    area : 24;\n    pin (A) { }\n  }\n  \
                           cell (BUFX2) {\n    area : 24;\n  }\n  \
                           cell(\"DFF\") {\n    area : 96.0;\n    ff (IQ, IQN) {\n    }\n  }\n}\n";

    #[test]
    fn areas_and_flip_flops_of_a_library_are_read() {
        let library = Library::parse(PathBuf::from("small.lib"), LIBERTY).expect("a library");
        let cells = [("BUFX2", (24.0, false)), ("DFF", (96.0, true)), ("NAND2X1", (24.0, false))];
        assert_eq!((library.name.as_str(), library.smallest(NAND2).ok()), ("small", Some(("NAND2X1", 24.0))));
        assert_eq!(library.cells, cells.map(|(name, cell)| (name.to_owned(), cell)).into());
        let error = Library::parse(PathBuf::from("small.lib"), "library (none) {\n}\n").expect_err("no NAND2");
        assert_eq!(error.to_string(), "small.lib has no cell nand2");
    }

    #[test]
    fn cells_count_for_the_instance_in_the_top_and_flip_flops_for_their_own() {
        let text = r#"{"modules": {
            "top": {"cells": {"_1_": {"type": "NAND2X1"}, "u_a": {"type": "$paramod\\tl_a\\N=1"}}},
            "$paramod\\tl_a\\N=1": {"cells": {"u_f.q[3]$_DFF_P_": {"type": "DFF"}, "m": {"type": "$paramod$1f\\tl_ram_1r1w"},
                "n": {"type": "$paramod$1f\\tl_ram_1r1w"}}},
            "$paramod$1f\\tl_ram_1r1w": {"parameter_default_values": {"Depth": "1010"},
                "ports": {"rdata_o": {"direction": "output", "bits": [2, 3]}}}}}"#;
        let netlist: Netlist = serde_json::from_str(text).expect("JSON");
        let library = Library::parse(PathBuf::from("small.lib"), LIBERTY).expect("a library");
        let area = Area::sum(&netlist, "top", &library).expect("areas");
        assert_eq!(area.all, Part { nand2: 5, flip_flops: 1 });
        let parts = [("top", Part { nand2: 1, flip_flops: 0 }), ("u_a", Part { nand2: 4, flip_flops: 1 })];
        assert_eq!(area.instances, parts.map(|(name, part)| (name.to_owned(), part)).into());
        assert_eq!(area.flip_flops, [("u_a.u_f".to_owned(), 1)].into());
        assert_eq!(area.memories, [Memory { depth: 10, width: 2, byte_enables: false, count: 2 }]);
        let other: Netlist =
            serde_json::from_str(r#"{"modules": {"top": {"cells": {"a": {"type": "XOR"}}}}}"#).expect("JSON");
        let error = Area::sum(&other, "top", &library).expect_err("no XOR").to_string();
        assert_eq!(error, "cells that small.lib does not have: {\"XOR\"}");
    }
}
