// SPDX-License-Identifier: Apache-2.0
//! How a run ended: for the exit code, and for the table.

use anyhow::Result;

use super::ci::ShardReport;
use super::table::Row;
use crate::base::output::say;
use crate::run::interrupt::Interrupt;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No difference.
    Clean,
    /// A difference, a hang, a crash or a broken rule.
    Different,
    /// No difference, and the program ended with another code than 0.
    Failed,
    /// No difference up to this signal.
    Interrupted(i32),
}

impl From<bool> for Ending {
    fn from(clean: bool) -> Ending {
        if clean { Ending::Clean } else { Ending::Different }
    }
}

/// How all shards together ended.
///
/// # Errors
/// When standard output cannot be written.
pub fn ending(shards: &[ShardReport], interrupt: &Interrupt) -> Result<Ending> {
    Ok(match interrupt.signal() {
        _ if shards.iter().any(|shard| !shard.failures.is_empty()) => Ending::Different,
        Some(signal) => {
            say!("interrupted: the table has what was run until then")?;
            Ending::Interrupted(signal)
        }
        None => Ending::Clean,
    })
}

/// The line of a shard in the table.
pub fn row(shard: &ShardReport) -> Row {
    let ShardReport { counts, elapsed, .. } = shard;
    let failures = shard.failed_cases();
    let what = if shard.unseen.is_some() { "random, ports only" } else { "random" };
    Row { config: shard.name(), what: what.into(), counts: counts.clone(), failures, elapsed: *elapsed }
}
