// SPDX-License-Identifier: Apache-2.0
//! How a run ended, and the lines of its table.

use anyhow::Result;

use super::Outcome;
use crate::base::ending::Ending;
use crate::base::output::say;
use crate::cli::table::Row;
use crate::run::interrupt::Interrupt;

/// What a run lacks that was to cover everything.
pub const MISSED: &str = "bins or instructions were missed";

/// How a run ended: says it as its last line, with the sums of the `rows` of its table. One that is `incomplete` in some
/// way is no pass.
pub fn ending(shards: &[Outcome], rows: &[Row], interrupt: &Interrupt, incomplete: Option<&str>) -> Result<Ending> {
    let signal = interrupt.signal().map(Ending::Interrupted);
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).fold(0, u64::saturating_add);
    let (runs, failed, retired) = (sum(|row| row.runs), sum(|row| row.failures), sum(|row| row.counts.retired));
    let of_rows = if failed > 0 { Some(Ending::Different) } else { (runs > 0).then_some(Ending::Clean) };
    let endings = shards.iter().map(Outcome::ending).chain(signal).chain(of_rows);
    let ending = endings.max().unwrap_or(Ending::Nothing);
    let cases = format!("{runs} case{}", if runs == 1 { "" } else { "s" });
    let ran = format!("{cases}, {retired} instructions");
    match (ending, incomplete) {
        (Ending::Clean | Ending::Failed, None) => say!("\nno mismatch: {ran}")?,
        (Ending::Clean | Ending::Failed, Some(what)) => say!("\nincomplete, {what}; no mismatch in {ran}")?,
        (Ending::Nothing, _) => say!("\nno case was run: nothing is known")?,
        (Ending::Interrupted(signal), _) => say!("\ninterrupted by signal {signal}, no mismatch until then: {ran}")?,
        // A case that fails does not count.
        (Ending::Different, _) => say!("\n{failed} FAILED: {cases}, {retired} instructions in those that passed")?,
    }
    Ok(if ending == Ending::Clean { Ending::from(incomplete.is_none()) } else { ending })
}

/// The line of a shard in the table.
pub fn row(shard: &Outcome) -> Row {
    let what = if shard.sums.ports_only { "random, ports only" } else { "random" };
    Row {
        config: shard.name(),
        what: what.into(),
        runs: shard.cases,
        counts: shard.sums.counts.clone(),
        failures: shard.failed_cases(),
        elapsed: shard.elapsed,
        parts: Vec::new(),
    }
}
