// SPDX-License-Identifier: Apache-2.0
//! How a run ended: for the exit code, and for the table.

use anyhow::Result;

use super::table::Row;
use crate::base::output::say;
use crate::cli::ci::Shard;
use crate::run::interrupt::Interrupt;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No difference.
    Clean,
    /// A difference, a hang, a crash or a broken rule.
    Different,
    /// No difference up to this signal.
    Interrupted(i32),
}

impl From<bool> for Verdict {
    fn from(clean: bool) -> Verdict {
        if clean { Verdict::Clean } else { Verdict::Different }
    }
}

/// How all shards together ended.
///
/// # Errors
/// When standard output cannot be written.
pub fn verdict(shards: &[Shard], interrupt: &Interrupt) -> Result<Verdict> {
    Ok(match interrupt.signal() {
        _ if shards.iter().any(|shard| !shard.failures.is_empty()) => Verdict::Different,
        Some(signal) => {
            say!("interrupted: the table has what was run until then")?;
            Verdict::Interrupted(signal)
        }
        None => Verdict::Clean,
    })
}

/// The line of a shard in the table.
pub fn row(shard: &Shard) -> Row {
    let Shard { counts, elapsed, .. } = shard;
    let failures = shard.failed_cases();
    Row { config: shard.name(), what: "random".into(), counts: *counts, failures, elapsed: *elapsed }
}
