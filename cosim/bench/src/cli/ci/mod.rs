// SPDX-License-Identifier: Apache-2.0
//! What a CI job needs of a regression: a share of the cases, a time budget, an orderly end, reports for its pages.

pub mod job_summary;
pub mod junit;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::base::output::save;
use crate::lockstep::Counts;
use crate::run::schedule;

/// What a CI job asks for.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Run only part I of N of the cases: I/N, such as 2/4
    #[arg(long, default_value_t = schedule::Shard::WHOLE)]
    pub shard: schedule::Shard,
    /// Stop after this time, such as 90s, 10m or 2h, shared by all configurations
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,
    /// Go on until this many cases of a configuration have failed; those that fail like an earlier one, at the same check,
    /// operation and field, are counted and not looked into
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_failures: u16,
    /// Write a JUnit file, with a test case for each configuration
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a summary in Markdown, for the page of a job
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
}

impl Options {
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
    pub fn report(&self, shards: &[Shard]) -> Result<()> {
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
pub struct Shard {
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

impl Shard {
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
