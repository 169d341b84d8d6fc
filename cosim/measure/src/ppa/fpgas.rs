// SPDX-License-Identifier: Apache-2.0
//! The tables of units on an FPGA: of what each was routed with, and of those that were only synthesized.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::family::Family;
use super::route::Clock;
use crate::base::table;
use crate::record::{self, Kept};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Unit {
    /// The columns of the family.
    cells: BTreeMap<String, u64>,
    #[serde(flatten)]
    clock: Option<Range>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Range {
    /// Placements that were routed.
    placements: usize,
    /// The lowest and the highest of their megahertz.
    mhz: [f64; 2],
}

impl Range {
    fn of(clock: &Clock) -> Option<Range> {
        let placements = &clock.placements;
        let [low, high] = [f64::min, f64::max].map(|end| placements.iter().copied().reduce(end));
        let mhz = [low?, high?].map(|mhz| (10.0 * mhz).round() / 10.0);
        Some(Range { placements: placements.len(), mhz })
    }

    fn text(&self) -> String {
        let Range { placements, mhz: [low, high] } = self;
        match placements {
            1 => format!("{low:.1} MHz"),
            _ => format!("{low:.1} to {high:.1} MHz of {placements}"),
        }
    }
}

/// The name of a table in the file.
fn table_of(family: &Family, routed: bool) -> String {
    format!("{}{}", family.name, if routed { "" } else { " without route" })
}

/// A unit with its cells of each kind, and its clock.
pub type Measured<'a> = (&'a str, &'a BTreeMap<String, u64>, Option<&'a Clock>);

/// Keeps what was measured: of units that were to be `routed` those that were.
///
/// # Errors
/// As [`record::keep`].
pub fn keep<'a>(
    path: &Path,
    family: &Family,
    routed: bool,
    measured: impl IntoIterator<Item = Measured<'a>>,
) -> Result<()> {
    let row = |(name, all, clock): Measured| {
        let of = |kind: &str| all.iter().filter(|(name, _)| name.starts_with(kind)).map(|(_, n)| n).sum();
        let cells = family.columns.iter().map(|(column, kind)| ((*column).to_owned(), of(kind))).collect();
        let clock = clock.and_then(Range::of);
        (clock.is_some() == routed).then(|| (name.to_owned(), Unit { cells, clock }))
    };
    record::keep(path, &table_of(family, routed), measured.into_iter().filter_map(row))
}

/// What is kept of a family as a table in Markdown.
///
/// # Errors
/// As [`record::rows`].
pub fn markdown(path: &Path, family: &Family, routed: bool) -> Result<String> {
    let columns = family.columns.iter().map(|(column, _)| *column);
    let clock = routed.then_some("clock");
    let header: Vec<&str> = ["unit"].into_iter().chain(columns.clone()).chain(clock).chain(["commit"]).collect();
    let line = |(name, row): (String, Kept<Unit>)| -> Vec<String> {
        let Unit { cells, clock } = row.figures;
        let count = |column: &str| cells.get(column).map_or_else(String::new, u64::to_string);
        let cells = [record::shown(&name)].into_iter().chain(columns.clone().map(count));
        cells.chain(clock.as_ref().map(Range::text)).chain([row.commit]).collect()
    };
    let rows: Vec<Vec<String>> = record::rows(path, &table_of(family, routed))?.into_iter().map(line).collect();
    Ok(table::markdown(&header, 1, &rows))
}

#[cfg(test)]
mod tests {
    use super::super::family::ECP5;
    use super::*;

    /// A unit that was not routed has no row, or one in a table without clocks.
    #[test]
    fn a_table_has_the_cells_of_the_family_and_the_range_of_the_clocks() {
        let folder = record::checkout();
        let file = folder.path().join("record.json");
        let cells = [("LUT4", 2), ("CCU2C", 3), ("TRELLIS_FF", 4), ("TRELLIS_DPR16X4", 5), ("PFUMX", 6)];
        let cells = cells.map(|(kind, count)| (kind.to_owned(), count)).into();
        let clock = |placements: &[f64]| Clock { placements: placements.to_vec(), ..Clock::default() };
        let [one, two, none] = [clock(&[82.0]), clock(&[91.04, 90.0]), clock(&[])];
        let routed =
            [("w16 with matrix", &cells, Some(&one)), ("tiny alone", &cells, Some(&two)), ("w32", &cells, Some(&none))];
        keep(&file, &ECP5, true, routed).expect("kept");
        let table = markdown(&file, &ECP5, true).expect("table");
        let lines: Vec<&str> =
            table.lines().map(|line| line.rsplit_once(" | ").map_or(line, |(line, _)| line)).collect();
        assert_eq!(lines[0], "| unit | LUT4 | CCU2C | flip-flops | DP16KD | DPR16X4 | MULT18 | clock");
        assert_eq!(lines[2], "| `tiny` alone | 2 | 3 | 4 | 0 | 5 | 0 | 90.0 to 91.0 MHz of 2");
        assert_eq!(lines[3], "| `w16` with matrix | 2 | 3 | 4 | 0 | 5 | 0 | 82.0 MHz");
        assert_eq!(lines.len(), 4);
        keep(&file, &ECP5, false, [("w8", &cells, None)]).expect("kept");
        let table = markdown(&file, &ECP5, false).expect("table");
        assert!(
            table.starts_with("| unit | LUT4 | CCU2C | flip-flops | DP16KD | DPR16X4 | MULT18 | commit |"),
            "{table}"
        );
        assert!(table.contains("\n| `w8` | 2 | 3 | 4 | 0 | 5 | 0 | "), "{table}");
    }
}
