// SPDX-License-Identifier: Apache-2.0
//! What a shard of a regression did, as the reports and the last lines of a run show it.

use std::ops::Deref;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::buckets::{self, Group};
use crate::base::ending::Ending;
use crate::base::output::say;
use crate::cases;
use crate::cli::table::Row;
use crate::lockstep::Counts;
use crate::lockstep::ports::UNSEEN;
use crate::run::interrupt::Interrupt;
use crate::run::schedule;
use crate::triage::aftermath::Looked;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    pub config: String,
    /// Cases that were run.
    pub cases: u64,
    /// Hash over the stimulus of them all.
    pub hash: u64,
    pub counts: Counts,
    pub elapsed: Duration,
    /// Why it stopped before all cases were run.
    pub stopped: Option<schedule::Stopped>,
    /// The comparison saw the ports alone.
    pub ports_only: bool,
    /// The cases that failed, in the order of their numbers.
    pub failures: Vec<Failed>,
}

/// A shard of a configuration, as the reports show it.
#[derive(Debug)]
pub struct ShardReport {
    /// Which of how many: `1/1` for all cases.
    pub shard: schedule::Shard,
    pub seed: u64,
    pub outcome: Outcome,
}

impl Deref for ShardReport {
    type Target = Outcome;

    fn deref(&self) -> &Outcome {
        &self.outcome
    }
}

/// Failing cases of a signature that are looked into: made smaller, and with a folder of their own.
pub const LOOKED_INTO: usize = 8;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    pub case: u64,
    /// In which way it failed: check, operation and field.
    pub signature: String,
    /// What was found; `None` when [`LOOKED_INTO`] earlier ones failed in this way.
    pub looked: Option<Looked>,
}

impl ShardReport {
    /// What the comparison did not see, if anything.
    pub fn unseen(&self) -> Option<&'static str> {
        self.ports_only.then_some(UNSEEN)
    }

    pub fn ending(&self) -> Ending {
        cases::ending(self.cases, self.failures.len(), self.stopped)
    }

    pub fn failed_cases(&self) -> u64 {
        self.failures.len() as u64
    }

    /// The line before what failed: seed, number of cases, hash of the stimulus.
    pub fn headline(&self) -> String {
        format!("{}: seed {}, {} cases, stimulus {:016x}", self.name(), self.seed, self.cases, self.hash)
    }

    /// The failing cases by their causes.
    pub fn buckets(&self) -> Vec<Group<'_>> {
        buckets::of(std::slice::from_ref(self))
    }

    /// A line for each bucket with several cases.
    pub fn several(&self) -> Vec<String> {
        let several = |group: &Group| {
            let also = group.also();
            (!also.is_empty()).then(|| format!("{}: {}{also}", self.name(), group.bucket.signature))
        };
        self.buckets().iter().filter_map(several).collect()
    }

    /// `w16`, or `w16 shard 2/4`.
    pub fn name(&self) -> String {
        name(&self.config, self.shard)
    }
}

/// As [`ShardReport::name`], of one that there is not.
pub fn name(config: &str, shard: schedule::Shard) -> String {
    if shard == schedule::Shard::WHOLE { config.to_owned() } else { format!("{config} shard {shard}") }
}

/// What a run lacks that was to cover everything.
pub const MISSED: &str = "bins or instructions were missed";

/// How a run ended: says it as its last line, with the sums of the `rows` of its table. One that is `incomplete` in some
/// way is no pass.
pub fn ending(shards: &[ShardReport], rows: &[Row], interrupt: &Interrupt, incomplete: Option<&str>) -> Result<Ending> {
    let signal = interrupt.signal().map(Ending::Interrupted);
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).fold(0, u64::saturating_add);
    let (runs, failed, retired) = (sum(|row| row.runs), sum(|row| row.failures), sum(|row| row.counts.retired));
    let of_rows = if failed > 0 { Some(Ending::Different) } else { (runs > 0).then_some(Ending::Clean) };
    let endings = shards.iter().map(ShardReport::ending).chain(signal).chain(of_rows);
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
pub fn row(shard: &ShardReport) -> Row {
    let Outcome { counts, elapsed, .. } = &shard.outcome;
    let failures = shard.failed_cases();
    let what = if shard.ports_only { "random, ports only" } else { "random" };
    Row {
        config: shard.name(),
        what: what.into(),
        runs: shard.cases,
        counts: counts.clone(),
        failures,
        elapsed: *elapsed,
        parts: Vec::new(),
    }
}
