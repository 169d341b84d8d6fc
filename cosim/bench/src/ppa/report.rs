// SPDX-License-Identifier: Apache-2.0
//! What was measured of a unit, as text and as JSON.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::cells::Counts;
use super::route::Clock;
use crate::base::median::median;
use crate::base::table::table;

/// Area of a unit or of one of its modules in cells of the ECP5.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Module.
    pub module: String,
    /// How many of it there are.
    pub instances: u64,
    /// Cells, all instances together.
    #[serde(flatten)]
    pub counts: Counts,
    /// LUTs in the deepest path that ends there.
    pub depth: u32,
}

/// A unit in gates, whatever the technology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gates {
    /// Area in that of a NAND gate with two inputs, flip-flops included, memories not.
    pub equivalents: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Bits of memories.
    pub memory_bits: u64,
    /// Gates of two inputs or multiplexers in the deepest path between flip-flops, memories and ports.
    pub depth: u32,
}

/// What was measured of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Configuration; behind a slash the module, when it was not the whole unit.
    pub config: String,
    /// Tools and options.
    pub tools: String,
    /// Cells of the unit, and its deepest path.
    pub unit: Area,
    /// Its modules, the largest first.
    pub modules: Vec<Area>,
    /// In gates.
    pub gates: Option<Gates>,
    /// Its clock.
    pub clock: Option<Clock>,
}

impl Report {
    /// All of it, for a terminal.
    pub fn text(&self) -> String {
        let header = ["module", "instances", "LUT4", "CCU2C", "FF", "DP16KD", "DPR16X4", "MULT18", "deepest path"];
        let mut rows = table(&header, 1);
        for area in self.modules.iter().chain([&self.unit]) {
            let Counts { lut4, ccu2c, ff, dp16kd, dpr16x4, mult18, .. } = area.counts;
            let numbers = [area.instances, lut4, ccu2c, ff, dp16kd, dpr16x4, mult18, u64::from(area.depth)];
            let name = if area.instances == 0 { "all".to_owned() } else { area.module.clone() };
            let mut numbers = numbers.map(|n| n.to_string());
            if area.instances == 0 {
                numbers[0] = String::new();
            }
            rows.add_row([name].into_iter().chain(numbers));
        }
        let mut text = format!("{}: {}\n\n{rows}\n", self.config, self.tools);
        if let Some(Gates { equivalents, ff, memory_bits, depth }) = self.gates {
            let _ = writeln!(
                text,
                "\nIn gates of two inputs: {equivalents} gate equivalents with {ff} flip-flops, {memory_bits} bits of \
                 memories, depth {depth}."
            );
        }
        text + &self.clock.as_ref().map_or_else(|| "\nNot routed.\n".to_owned(), told)
    }
}

/// The clock, and its critical path.
fn told(clock: &Clock) -> String {
    if !clock.routed {
        return format!("\n{:.1} MHz after placement; routing did not end.\n", clock.mhz);
    }
    let period = clock.logic + clock.routing;
    let mut text = format!(
        "\n{:.1} MHz: {period:.1} ns, of which {:.1} logic and {:.1} routing. The critical path:\n\n",
        clock.mhz, clock.logic, clock.routing
    );
    if clock.placements.len() > 1 {
        let all: Vec<String> = clock.placements.iter().map(|mhz| format!("{mhz:.1}")).collect();
        let all = all.join(", ");
        text = format!(
            "\nPlacements with seeds from 1 on: {all} MHz, median {:.1}.{text}",
            median(clock.placements.clone())
        );
    }
    let mut rows = table(&["instance", "module", "signals", "cells", "logic ns", "routing ns"], 3);
    for hop in &clock.path {
        let signals = match hop.signals.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [first, .., last] => format!("{first} .. {last}"),
        };
        let [logic, routing] = [hop.logic, hop.routing].map(|ns| format!("{ns:.2}"));
        rows.add_row([&hop.instance, &hop.module, &signals, &hop.cells.to_string(), &logic, &routing]);
    }
    let _ = writeln!(text, "{rows}");
    match clock.late.as_deref() {
        None => {}
        Some([]) => text += "No input comes later than the goal allows.\n",
        Some(late) => {
            let mut rows = table(&["register or memory", "input", "cells", "ns"], 2);
            for late in late {
                rows.add_row([&late.register, &late.input, &late.cells.to_string(), &format!("{:.2}", late.ns)]);
            }
            let _ = writeln!(text, "Inputs that come later than the goal allows, the latest first:\n\n{rows}");
        }
    }
    text
}

/// The figures of several units as a table of Markdown.
pub fn markdown(reports: &[Report]) -> String {
    let mut text = "| unit | LUT4 | CCU2C | flip-flops | DP16KD | DPR16X4 | MULT18 | LUTs in the deepest path | gate equivalents | \
                    gates in the deepest path | clock |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for Report { config, unit, gates, clock, .. } in reports {
        let Counts { lut4, ccu2c, ff, dp16kd, dpr16x4, mult18, .. } = unit.counts;
        let clock = match clock {
            None => "not routed".to_owned(),
            Some(Clock { mhz, routed: false, .. }) => format!("{mhz:.1} MHz (placed)"),
            Some(Clock { mhz, placements, .. }) if placements.len() > 1 => {
                format!("{mhz:.1} MHz; median of {} placements {:.1}", placements.len(), median(placements.clone()))
            }
            Some(Clock { mhz, .. }) => format!("{mhz:.1} MHz"),
        };
        let gates = gates.map_or(["-".to_owned(), "-".to_owned()], |g| [grouped(g.equivalents), g.depth.to_string()]);
        let numbers = [lut4, ccu2c, ff, dp16kd, dpr16x4, mult18, u64::from(unit.depth)].map(grouped);
        let cells: Vec<String> = [config.clone()].into_iter().chain(numbers).chain(gates).chain([clock]).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// `1234567` is `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_a_row_and_says_what_did_not_end() {
        let counts = Counts { lut4: 24928, ff: 7306, ..Counts::default() };
        let unit = Area { module: "tl_top".into(), instances: 0, counts, depth: 31 };
        let clock = Some(Clock::placed(26.87));
        let report = Report {
            config: "w16 without matrix".into(),
            tools: String::new(),
            unit,
            modules: Vec::new(),
            gates: None,
            clock,
        };
        assert!(report.text().contains("routing did not end"));
        let row = markdown(&[report]);
        let row = row.lines().last();
        assert_eq!(
            row,
            Some("| w16 without matrix | 24,928 | 0 | 7,306 | 0 | 0 | 0 | 31 | - | - | 26.9 MHz (placed) |")
        );
    }
}
