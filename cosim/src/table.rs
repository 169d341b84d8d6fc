// SPDX-License-Identifier: Apache-2.0
//! Tables and progress on the terminal.

use std::io::IsTerminal;
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::lockstep::Counts;

/// A table whose first `left` columns are text and the others numbers.
pub fn table(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for (i, column) in table.column_iter_mut().enumerate() {
        let alignment = if i < left { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
    }
    table
}

/// A progress bar on a terminal, nothing in a log.
pub fn progress(label: &str, length: u64) -> ProgressBar {
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template("{msg:18} [{bar:40}] {human_pos}/{human_len} {per_sec} {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(label.to_owned());
    bar
}

/// One line of the table of a regression.
pub struct Row {
    /// Configuration.
    pub config: String,
    /// What was run.
    pub what: String,
    /// What it did.
    pub counts: Counts,
    /// Failures.
    pub failures: u64,
    /// Time that it took.
    pub elapsed: Duration,
}

/// The table of a regression.
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
    for Row { config, what, counts, failures, elapsed } in rows {
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
