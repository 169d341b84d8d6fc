// SPDX-License-Identifier: Apache-2.0
//! What a CI job needs of a regression: a share of the cases, a time budget, an orderly end, reports for its pages.

pub mod job_summary;
pub mod junit;

use std::time::{Duration, Instant};

use anyhow::Result;

use super::options::CiOptions;
use crate::base::output::save;
use crate::lockstep::Counts;
use crate::run::schedule;

impl CiOptions {
    /// Finds out now, and not after the run, whether the reports can be written.
    ///
    /// # Errors
    /// When one of them cannot.
    pub fn reserve(&self) -> Result<()> {
        self.junit.iter().chain(&self.summary).try_for_each(|path| save(path, b""))
    }

    /// When the next of `left` configurations has to stop.
    pub fn deadline(&self, start: Instant, left: usize) -> Option<Instant> {
        let rest = self.time?.saturating_sub(start.elapsed());
        Instant::now().checked_add(rest / u32::try_from(left.max(1)).unwrap_or(u32::MAX))
    }

    /// Writes the reports.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn report(&self, shards: &[ShardReport]) -> Result<()> {
        if let Some(path) = &self.junit {
            save(path, junit::xml(shards)?.as_bytes())?;
        }
        if let Some(path) = &self.summary {
            save(path, job_summary::markdown(shards).as_bytes())?;
        }
        Ok(())
    }
}

/// A shard of a configuration, as the reports show it.
#[derive(Debug)]
pub struct ShardReport {
    /// Configuration.
    pub config: String,
    /// Which of how many: `1/1` for all cases.
    pub shard: schedule::Shard,
    /// Seed.
    pub seed: u64,
    /// Cases that were run.
    pub cases: u64,
    /// What they did.
    pub counts: Counts,
    /// Time that it took.
    pub elapsed: Duration,
    /// Why it stopped before all cases were run.
    pub stopped: Option<schedule::Stopped>,
    /// What the comparison did not see, if anything.
    pub unseen: Option<&'static str>,
    /// The cases that failed: one entry for those that failed in the same way.
    pub failures: Vec<Failed>,
}

/// A failed case.
#[derive(Debug)]
pub struct Failed {
    /// What kind of failure, in one line.
    pub headline: String,
    /// The command that runs the case again.
    pub again: String,
    /// The whole report.
    pub text: String,
    /// Later cases that failed in the same way, by number.
    pub also: Vec<u64>,
}

impl Failed {
    /// `; also cases 5, 9`, or nothing.
    pub fn also(&self) -> String {
        let cases = if self.also.len() == 1 { "case" } else { "cases" };
        let numbers: Vec<String> = self.also.iter().map(u64::to_string).collect();
        if numbers.is_empty() { String::new() } else { format!("; in the same way {cases} {}", numbers.join(", ")) }
    }
}

impl ShardReport {
    /// How many cases failed.
    pub fn failed_cases(&self) -> u64 {
        self.failures.iter().map(|failed| 1 + failed.also.len() as u64).sum()
    }

    /// `w16`, or `w16 shard 2/4`.
    pub fn name(&self) -> String {
        if self.shard == schedule::Shard::WHOLE {
            self.config.clone()
        } else {
            format!("{} shard {}", self.config, self.shard)
        }
    }
}
