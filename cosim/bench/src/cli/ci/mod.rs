// SPDX-License-Identifier: Apache-2.0
//! What a CI job needs of a regression: a share of the cases, a time budget, an orderly end, reports for its pages.

mod compared;
mod named_runs;
pub mod part;
mod shard;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use super::options::{CiOptions, ReportOptions};
use super::table::NamedRun;
use crate::base::output::save;
use crate::report::{junit, summary};
pub use compared::{Compared, Outcome};
pub use shard::{MISSED, ending, row};

impl CiOptions {
    /// When the next of `left` configurations has to stop.
    pub fn deadline(&self, start: Instant, left: usize) -> Option<Instant> {
        let rest = self.time?.saturating_sub(start.elapsed());
        Instant::now().checked_add(rest / u32::try_from(left.max(1)).unwrap_or(u32::MAX))
    }
}

impl ReportOptions {
    /// Writes the reports as they are in the middle of a run, for what reads them when there is no end: these shards
    /// have been run, those with the names `missing` have not. Into ordinary files alone: others cannot be written
    /// twice.
    pub fn write_so_far(&self, shards: &[Outcome], missing: &[String]) -> Result<()> {
        let ordinary = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_file() || !path.exists());
        ReportOptions { junit: ordinary(&self.junit), summary: ordinary(&self.summary) }.write(shards, &[], missing)
    }

    /// Writes the reports; what has the names `missing` has not been run.
    pub fn write(&self, shards: &[Outcome], parts: &[&NamedRun], missing: &[String]) -> Result<()> {
        if let Some(path) = &self.junit {
            save(path, junit::xml(shards, named_runs::suite(parts), missing)?.as_bytes())?;
        }
        if let Some(path) = &self.summary {
            save(path, summary::markdown(shards, &named_runs::others(parts), missing).as_bytes())?;
        }
        Ok(())
    }
}
