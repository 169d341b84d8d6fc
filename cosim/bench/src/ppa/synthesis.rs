// SPDX-License-Identifier: Apache-2.0
//! RTL to netlists, by Yosys.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::graph::Graph;
use super::netlist::{Design, Module};
use super::watch::{self, End, Sign};
use crate::unit::models::Models;
use crate::unit::yosys::Yosys;

/// The whole unit.
pub const UNIT: &str = "tl_top";

/// Options of `synth_ecp5`: with multiplexers between LUTs there are more LUTs.
pub const OPTIONS: &str = "-nowidelut";

/// In place of the label `map_luts`: ABC with several rounds, of which the best counts, and with a wire of 1 ns, which
/// is what one takes here on average; that of 0.3 ns would hide how much shorter paths with fewer LUTs are.
const MAP_LUTS: &str = "techmap -map +/lattice/latches_map.v\nscratchpad -copy abc9.script.flow2 abc9.script\n\
                        abc9 -maxlut 4 -W 1000\nclean\n";

/// Begins a line of the log that names what comes next.
const PHASE: &str = "phase: ";

/// Labels of `synth_ecp5`, with what happens there.
const LABELS: [(&str, &str); 7] = [
    ("begin", "flatten and simplify"),
    ("map_ram", "memories"),
    ("map_ffram", "small memories"),
    ("map_gates", "gates"),
    ("map_ffs", "flip-flops"),
    ("map_luts", "LUTs"),
    ("map_cells", "cells"),
];

/// What the synthesis of a unit needs.
pub struct Job<'a> {
    /// Yosys.
    pub yosys: &'a Yosys,
    /// Name for what is said on the way.
    pub name: String,
    /// A folder of its own.
    pub folder: &'a Path,
    /// The RTL in reading order, in the folder.
    pub files: Vec<String>,
    /// When it began, and how long it may take.
    pub start: Instant,
    /// See `start`.
    pub limit: Duration,
}

/// Writes the RTL of `models` into `folder`; the names of its files in reading order.
///
/// # Errors
/// When there is none, or it cannot be written.
pub fn write_rtl(models: &Models, folder: &Path) -> Result<Vec<String>> {
    let sources = models.sources()?;
    for file in sources.files.iter().chain(&sources.headers) {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(sources.files.into_iter().map(|file| file.name).collect())
}

impl Job<'_> {
    /// `top` flat in cells of the ECP5; `None` when the time is over.
    ///
    /// # Errors
    /// When Yosys fails.
    pub fn ecp5(&self, top: &str) -> Result<Option<Module>> {
        // Later the names of registers are lost.
        let kept = "rename -wire t:TRELLIS_FF\n";
        let next = LABELS.iter().skip(1).map(|(label, _)| *label).chain(["check"]);
        let steps = LABELS.iter().zip(next).map(|((label, what), next)| {
            let step = match *label {
                "map_luts" => format!("{kept}{MAP_LUTS}"),
                _ => format!("synth_ecp5 -top {top} {OPTIONS} -run {label}:{next}\n"),
            };
            format!("log {PHASE}{what}\n{step}")
        });
        let steps: String = steps.collect();
        // The models of cells are no part of the netlist.
        self.run("ecp5", top, &(steps + "blackbox =A:whitebox\n"))
    }

    /// `top` in gates of two inputs, multiplexers and flip-flops. Modules are mapped one by one, so that every gate
    /// belongs to one, and then put together. Memories stay memories.
    ///
    /// # Errors
    /// When Yosys fails, or finds a combinational loop.
    pub fn gates(&self, top: &str) -> Result<Option<Graph>> {
        let script = format!(
            "log {PHASE}simplify\nproc\nopt_expr\nopt_clean\nopt -nodffe -nosdff\nwreduce\npeepopt\nopt_clean\nalumacc\nshare\nopt\n\
             memory -nomap\nopt_clean\nopt -fast -full\nlog {PHASE}gates\ntechmap\nopt -fast\n\
             abc -g AND,NAND,OR,NOR,XOR,XNOR,MUX\nopt -fast\nclean\nflatten\n"
        );
        self.run("gates", top, &script)?.map(|module| Graph::new(&module, top)).transpose()
    }

    fn run(&self, name: &str, top: &str, steps: &str) -> Result<Option<Module>> {
        let files = self.files.join(" ");
        let script = format!(
            "log {PHASE}read\nread_verilog -sv {files}\nhierarchy -check -top {top}\n{steps}log {PHASE}write\nwrite_json {name}.json\n"
        );
        let command = self.yosys.command(self.folder, name, &script)?;
        let log = self.folder.join(format!("{name}.log"));
        let _ = fs::remove_file(&log);
        let what = format!("{}: synthesis", self.name);
        let phase = |line: &str| line.strip_prefix(PHASE).map(|phase| Sign::Phase(phase.to_owned()));
        match watch::run(command, &what, &log, self.start, self.limit, phase)? {
            End::Done => Design::read(&self.folder.join(format!("{name}.json")), top).map(Some),
            End::Late | End::Stuck => Ok(None),
        }
    }
}
