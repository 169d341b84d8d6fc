// SPDX-License-Identifier: Apache-2.0
//! The table at the end of a regression.

use std::time::Duration;

use anyhow::Result;
use comfy_table::{CellAlignment, Table};

use crate::base::output::say;
use crate::base::table::table;
use crate::lockstep::Counts;
use crate::lockstep::mnemonics::{Mnemonics, Uses};

pub struct Row {
    pub config: String,
    pub what: String,
    /// Cases, programs, replay files or operators that were run.
    pub runs: u64,
    pub counts: Counts,
    pub failures: u64,
    pub elapsed: Duration,
    /// What it sums up, where that has names.
    pub parts: Vec<NamedRun>,
}

impl Row {
    /// The sum of runs that have names; says those that fail.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn of_parts(config: &str, what: String, parts: Vec<(Counts, NamedRun)>) -> Result<Row> {
        let (all, parts): (Vec<Counts>, Vec<NamedRun>) = parts.into_iter().unzip();
        for NamedRun { name, failure, .. } in &parts {
            failure.iter().try_for_each(|text| say!("{name}\n{text}"))?;
        }
        let mut counts = Counts::default();
        all.iter().for_each(|part| counts.add(part));
        let failures = parts.iter().filter(|part| part.failure.is_some()).count() as u64;
        let elapsed = parts.iter().map(|part| part.elapsed).sum();
        Ok(Row { config: config.to_owned(), what, runs: parts.len() as u64, counts, failures, elapsed, parts })
    }
}

/// A program, a replay file or an operator that was run on a configuration.
pub struct NamedRun {
    pub config: String,
    /// `program`, `replay` or `operator`.
    pub kind: &'static str,
    pub name: String,
    pub elapsed: Duration,
    /// What is said of it when it fails.
    pub failure: Option<String>,
}

/// Lines of [`slowest`].
const SLOWEST: usize = 5;

/// What took the longest of all, one line each.
pub fn slowest(rows: &[Row]) -> Table {
    let whole = rows.iter().filter(|row| row.parts.is_empty());
    let whole = whole.map(|row| (row.elapsed, &row.config, row.what.clone()));
    let parts = rows.iter().flat_map(|row| &row.parts);
    let parts = parts.map(|part| (part.elapsed, &part.config, format!("{} {}", part.kind, part.name)));
    let mut all: Vec<_> = whole.chain(parts).collect();
    all.sort_by_key(|(elapsed, ..)| std::cmp::Reverse(*elapsed));
    let mut table = table(&["configuration", "slowest", "seconds"], 2);
    for (elapsed, config, what) in all.into_iter().take(SLOWEST) {
        table.add_row([config.clone(), what, format!("{:.1}", elapsed.as_secs_f64())]);
    }
    table
}

/// Mnemonics beside each other in a line of their table.
const ACROSS: usize = 3;

/// How often each instruction was issued, retired and trapped, in all lines together.
pub fn mnemonics<'a>(counts: impl IntoIterator<Item = &'a Counts>) -> Table {
    let mut sum = Mnemonics::default();
    counts.into_iter().for_each(|counts| sum.add(&counts.mnemonics));
    let cells: Vec<[String; 4]> = sum
        .iter()
        .map(|(mnemonic, Uses { issued, retired, trapped })| {
            [mnemonic.to_owned(), issued.to_string(), retired.to_string(), trapped.to_string()]
        })
        .collect();
    let header = ["instruction", "issued", "retired", "trapped"].repeat(ACROSS);
    let mut table = table(&header, 1);
    let names = table.column_iter_mut().step_by(4);
    names.for_each(|column| {
        column.set_cell_alignment(CellAlignment::Left);
    });
    let rows = cells.len().div_ceil(ACROSS);
    for row in 0..rows {
        let at = |block: usize| cells.get(row + block * rows).cloned().unwrap_or_default();
        table.add_row((0..ACROSS).flat_map(at));
    }
    table
}

pub fn summary(rows: &[Row]) -> Table {
    let header = [
        "configuration",
        "what",
        "instructions",
        "traps",
        "cycles",
        "roofline",
        "x roofline",
        "mismatches",
        "instr/s",
        "cycles/s",
    ];
    let mut table = table(&header, 2);
    for Row { config, what, counts, failures, elapsed, .. } in rows {
        let per_second = |n: u64| format!("{:.0}", n as f64 / elapsed.as_secs_f64().max(1e-9));
        table.add_row([
            config.clone(),
            what.clone(),
            counts.retired.to_string(),
            counts.traps.to_string(),
            counts.cycles.to_string(),
            counts.roofline.to_string(),
            format!("{:.2}", counts.cycles as f64 / counts.roofline.max(1) as f64),
            failures.to_string(),
            per_second(counts.retired),
            per_second(counts.cycles),
        ]);
    }
    table
}
