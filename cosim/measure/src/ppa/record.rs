// SPDX-License-Identifier: Apache-2.0
//! Area and clock of units on FPGAs, each kept from the run that measured it: place and route take too long to measure
//! all of them for a table.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::Report;
use super::family::Family;
use crate::base::{output, table};

/// The rows of each family, by the names of the units.
type Record = BTreeMap<String, BTreeMap<String, Row>>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    /// What was checked out.
    commit: String,
    /// The columns of the family.
    cells: BTreeMap<String, u64>,
    /// Placements that were routed.
    placements: usize,
    /// The lowest and the highest of their megahertz.
    mhz: [f64; 2],
}

/// Puts what was routed into a file, in place of its rows of the same units.
///
/// # Errors
/// When the file is no record, or is outside of a checkout of git: a row names the commit.
pub fn keep(path: &Path, family: &Family, reports: &[Report]) -> Result<()> {
    let mut record = if path.exists() { read(path)? } else { Record::new() };
    let commit = commit(path)?;
    let rows = record.entry(family.name.to_owned()).or_default();
    for report in reports {
        let placements = report.clock.as_ref().map_or(&[][..], |clock| &clock.placements);
        let [low, high] = [f64::min, f64::max].map(|end| placements.iter().copied().reduce(end));
        let Some(mhz) = low.zip(high).map(|(low, high)| [low, high].map(|mhz| (10.0 * mhz).round() / 10.0)) else {
            continue;
        };
        let of = |kind: &str| report.cells.iter().filter(|(name, _)| name.starts_with(kind)).map(|(_, n)| n).sum();
        let cells = family.columns.iter().map(|(column, kind)| ((*column).to_owned(), of(kind))).collect();
        rows.insert(report.config.clone(), Row { commit: commit.clone(), cells, placements: placements.len(), mhz });
    }
    output::save(path, (serde_json::to_string_pretty(&record)? + "\n").as_bytes())
}

/// The rows of a family as a table in Markdown.
///
/// # Errors
/// When the file is no record, or has nothing of the family.
pub fn markdown(path: &Path, family: &Family) -> Result<String> {
    let record = read(path)?;
    let rows =
        record.get(family.name).with_context(|| format!("{} has no units of {}", path.display(), family.name))?;
    let columns = family.columns.iter().map(|(column, _)| *column);
    let header: Vec<&str> = ["unit"].into_iter().chain(columns.clone()).chain(["clock", "commit"]).collect();
    let line = |(unit, row): (&String, &Row)| -> Vec<String> {
        let (config, rest) = unit.split_once(' ').unwrap_or((unit, ""));
        let cells = columns.clone().map(|column| row.cells.get(column).map_or_else(String::new, u64::to_string));
        let clock = match row.mhz {
            [low, _] if row.placements == 1 => format!("{low:.1} MHz"),
            [low, high] => format!("{low:.1} to {high:.1} MHz of {}", row.placements),
        };
        [format!("`{config}` {rest}")].into_iter().chain(cells).chain([clock, row.commit.clone()]).collect()
    };
    Ok(table::markdown(&header, 1, &rows.iter().map(line).collect::<Vec<_>>()))
}

fn read(path: &Path) -> Result<Record> {
    let name = path.display();
    let text = files::read_text(path, files::TABLE).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text).with_context(|| format!("{name} is no record of units"))
}

/// The commit that is checked out around a file.
fn commit(path: &Path) -> Result<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let arguments = ["log", "-1", "--format=%h", "--abbrev=8"];
    let done = Command::new("git").args(arguments).current_dir(folder).output().context("cannot run git")?;
    ensure!(done.status.success(), "{} is not in a checkout of git: a row names its commit", path.display());
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::family::{ECP5, NEXUS};
    use super::super::route::Clock;
    use super::*;

    fn report(config: &str, luts: u64, placements: &[f64]) -> Report {
        let cells = [("LUT4", luts), ("CCU2C", 3), ("TRELLIS_FF", 4), ("TRELLIS_DPR16X4", 5)];
        let cells = cells.map(|(kind, count)| (kind.to_owned(), count)).into();
        let clock = Clock { placements: placements.to_vec(), ..Clock::default() };
        Report { config: config.into(), cells, clock: Some(clock), ..Report::default() }
    }

    #[test]
    fn a_row_takes_the_place_of_the_old_one_and_others_stay() {
        // The folder of the crate: a temporary one is in no checkout.
        let file = tempfile::NamedTempFile::new_in(env!("CARGO_MANIFEST_DIR")).expect("file");
        std::fs::write(file.path(), "{}").expect("written");
        let [old, other] = [report("w16 with matrix", 1, &[80.0]), report("tiny without matrix", 2, &[91.04, 90.0])];
        keep(file.path(), &ECP5, &[old, other]).expect("kept");
        keep(file.path(), &ECP5, &[report("w16 with matrix", 7, &[82.0]), report("w32", 8, &[])]).expect("kept");
        let commit = commit(file.path()).expect("commit");
        assert_eq!(
            markdown(file.path(), &ECP5).expect("table"),
            format!(
                "| unit | LUT4 | CCU2C | flip-flops | DP16KD | DPR16X4 | MULT18 | clock | commit |\n\
                 |---|---:|---:|---:|---:|---:|---:|---:|---:|\n\
                 | `tiny` without matrix | 2 | 3 | 4 | 0 | 5 | 0 | 90.0 to 91.0 MHz of 2 | {commit} |\n\
                 | `w16` with matrix | 7 | 3 | 4 | 0 | 5 | 0 | 82.0 MHz | {commit} |\n"
            )
        );
        assert!(markdown(file.path(), &NEXUS).expect_err("none").to_string().contains("no units of nexus"));
        let outside = keep(&std::env::temp_dir().join("record.json"), &ECP5, &[]).expect_err("no commit").to_string();
        assert!(outside.contains("not in a checkout of git"), "{outside}");
    }
}
