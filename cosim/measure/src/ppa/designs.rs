// SPDX-License-Identifier: Apache-2.0
//! The tables of designs in cells of a library: their area, and the power of their operations.

use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::cells::Area;
use super::power::Power;
use super::route::Clock;
use crate::base::table;
use crate::record::{self, Kept};

/// The names of the tables in the file.
const AREAS: &str = "cells";
const POWERS: &str = "power";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Design {
    nand2: u64,
    flip_flops: u64,
    latches: u64,
    macros: u64,
    macro_bits: u64,
    macros_nand2: u64,
    /// Of the longest path.
    ns: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Unit {
    operations: Vec<Operation>,
}

/// All of it rounded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Operation {
    name: String,
    milliwatts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nanojoules: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accesses: Option<u64>,
}

/// A design with its area, its clock, and the power of its operations.
pub type Measured<'a> = (String, &'a Area, &'a Clock, &'a [Power]);

/// Keeps what was measured.
///
/// # Errors
/// As [`record::keep`].
pub fn keep(path: &Path, measured: &[Measured]) -> Result<()> {
    let design = |(name, area, clock, _): &Measured| {
        let figures = Design {
            nand2: area.all.nand2,
            flip_flops: area.all.flip_flops,
            latches: area.latches,
            macros: area.memories.iter().map(|it| it.count).sum(),
            macro_bits: area.memories.iter().map(|it| it.count * it.depth * it.width).sum(),
            macros_nand2: area.memories_nand2,
            ns: (1e4 / clock.mhz).round() / 10.0,
        };
        (name.clone(), figures)
    };
    record::keep(path, AREAS, measured.iter().map(design))?;
    let rounded = |value: f64| value.round() as u64;
    let operation = |it: &Power| Operation {
        name: it.operation.clone(),
        milliwatts: rounded(it.milliwatts),
        nanojoules: it.nanojoules.map(rounded),
        accesses: it.accesses.map(rounded),
    };
    let powers = measured.iter().filter(|(.., power)| !power.is_empty());
    let unit =
        |(name, .., power): &Measured| (name.clone(), Unit { operations: power.iter().map(operation).collect() });
    record::keep(path, POWERS, powers.map(unit))
}

/// The areas that are kept, as a table in Markdown.
///
/// # Errors
/// As [`record::rows`].
pub fn areas(path: &Path) -> Result<String> {
    let header =
        ["design", "NAND2", "flip-flops", "latches", "macros", "their bits", "their NAND2", "longest path", "commit"];
    let line = |(name, Kept { commit, figures }): (String, Kept<Design>)| {
        let Design { nand2, flip_flops, latches, macros, macro_bits, macros_nand2, ns } = figures;
        let numbers = [nand2, flip_flops, latches, macros, macro_bits, macros_nand2].map(|number| number.to_string());
        [record::shown(&name)].into_iter().chain(numbers).chain([format!("{ns:.1} ns"), commit]).collect()
    };
    let rows: Vec<Vec<String>> = record::rows(path, AREAS)?.into_iter().map(line).collect();
    Ok(table::markdown(&header, 1, &rows))
}

/// The powers that are kept, as a table in Markdown.
///
/// # Errors
/// As [`record::rows`].
pub fn powers(path: &Path) -> Result<String> {
    let mut rows: Vec<[String; 6]> = Vec::new();
    for (unit, Kept { commit, figures: Unit { operations } }) in record::rows(path, POWERS)? {
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        rows.extend(operations.into_iter().map(|Operation { name, milliwatts, nanojoules, accesses }| {
            let numbers = [Some(milliwatts), nanojoules, accesses].map(number);
            let [milliwatts, nanojoules, accesses] = numbers;
            [record::shown(&unit), record::shown(&name), milliwatts, nanojoules, accesses, commit.clone()]
        }));
    }
    Ok(table::markdown(&["unit", "operation", "mW", "nJ per KiB", "macro words accessed", "commit"], 2, &rows))
}

#[cfg(test)]
mod tests {
    use super::super::cells::{Memory, Part};
    use super::*;

    /// A design without operations has no power.
    #[test]
    fn tables_have_the_sums_of_the_macros_and_a_line_for_each_operation() {
        let folder = record::checkout();
        let file = folder.path().join("record.json");
        let memories = [(1024, 128, 2), (16, 3, 1)].map(|(depth, width, count)| Memory { depth, width, count });
        let all = Part { nand2: 7, flip_flops: 5 };
        let area = Area { all, latches: 4, memories: memories.into(), memories_nand2: 9, ..Area::default() };
        let clock = Clock { mhz: 183.2, ..Clock::default() };
        let power = |operation: &str, nanojoules| Power {
            operation: operation.to_owned(),
            milliwatts: 249.6,
            nanojoules,
            ..Power::default()
        };
        let powers_of = [power("tl.addi", Some(161.5)), power("idle", None)];
        let bare = Area::default();
        let designs = [("w16 without matrix", &area, &powers_of[..]), ("ibex_top", &bare, &[])];
        keep(&file, &designs.map(|(name, area, power)| (name.to_owned(), area, &clock, power))).expect("kept");
        let lines = |table: String| -> Vec<String> {
            table.lines().skip(2).map(|line| line.rsplit_once(" | ").expect("commit").0.to_owned()).collect()
        };
        let found = lines(areas(&file).expect("areas"));
        assert_eq!(
            found,
            [
                "| `ibex_top` | 0 | 0 | 0 | 0 | 0 | 0 | 5.5 ns",
                "| `w16` without matrix | 7 | 5 | 4 | 3 | 262192 | 9 | 5.5 ns"
            ]
        );
        let found = lines(powers(&file).expect("powers"));
        let unit = "| `w16` without matrix";
        assert_eq!(found, [format!("{unit} | `tl.addi` | 250 | 162 | "), format!("{unit} | `idle` | 250 |  | ")]);
    }
}
