// SPDX-License-Identifier: Apache-2.0
//! The table at the end of a regression.

use std::time::Duration;

use comfy_table::Table;

use crate::base::table::table;
use crate::lockstep::Counts;

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
