// SPDX-License-Identifier: Apache-2.0
//! What a CI job needs of a regression: a share of the cases, a time budget, an orderly end, reports for its pages.

pub mod buckets;
pub mod buckets_page;
pub mod job_summary;
pub mod junit;
pub mod part;

use std::ops::Deref;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::options::{CiOptions, ReportOptions};
use crate::base::output::save;
use crate::lockstep::Counts;
use crate::lockstep::ports::UNSEEN;
use crate::run::schedule;
use crate::triage::aftermath::Looked;
use buckets::Group;

impl CiOptions {
    /// When the next of `left` configurations has to stop.
    pub fn deadline(&self, start: Instant, left: usize) -> Option<Instant> {
        let rest = self.time?.saturating_sub(start.elapsed());
        Instant::now().checked_add(rest / u32::try_from(left.max(1)).unwrap_or(u32::MAX))
    }
}

impl ReportOptions {
    /// Writes the reports as they are in the middle of a run, for what reads them when there is no end: these shards have
    /// been run, those with the names `missing` have not. Into ordinary files alone: others cannot be written twice.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn write_so_far(&self, shards: &[ShardReport], missing: &[String]) -> Result<()> {
        let ordinary = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_file() || !path.exists());
        ReportOptions { junit: ordinary(&self.junit), summary: ordinary(&self.summary) }.write(shards, missing)
    }

    /// Writes the reports; what has the names `missing` has not been run.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn write(&self, shards: &[ShardReport], missing: &[String]) -> Result<()> {
        if let Some(path) = &self.junit {
            save(path, junit::xml(shards, missing)?.as_bytes())?;
        }
        if let Some(path) = &self.summary {
            save(path, job_summary::markdown(shards, missing).as_bytes())?;
        }
        Ok(())
    }
}

/// What a shard of a configuration did.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Name of the configuration.
    pub config: String,
    /// Cases that were run.
    pub cases: u64,
    /// Hash over the stimulus of them all.
    pub hash: u64,
    /// What they did.
    pub counts: Counts,
    /// Time that it took.
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
    /// Seed.
    pub seed: u64,
    /// What it did.
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

/// A failed case.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Its number.
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

    /// How it ended.
    pub fn ending(&self) -> Ending {
        match self.stopped {
            _ if !self.failures.is_empty() => Ending::Different,
            Some(schedule::Stopped::Signal(signal)) => Ending::Interrupted(signal),
            _ if self.cases == 0 => Ending::Nothing,
            _ => Ending::Clean,
        }
    }

    /// How many cases failed.
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
