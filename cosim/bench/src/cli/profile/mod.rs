// SPDX-License-Identifier: Apache-2.0
//! `cosim run --profile`: where the clock cycles of a program went, as a table, as JSON and as a page
//! (docs/profile.md).

mod html;
mod summary;
mod terminal;
mod verdict;

use std::path::PathBuf;

use anyhow::Result;

use super::program::Program;
use crate::base::output;
use crate::lockstep::memory::LONGEST_LATENCY;
use crate::lockstep::profile::Profile;
use crate::unit::target::Target;
pub use summary::Summary;

/// Options of `cosim run` that are about clock cycles.
#[derive(Clone, Debug, clap::Args)]
pub struct ProfileOptions {
    /// Print where the clock cycles went: by reason, by engine, by instruction
    #[arg(long, conflicts_with = "wave")]
    pub profile: bool,
    /// Write that as JSON to this file (- for standard output)
    #[arg(long, value_name = "FILE", conflicts_with = "wave")]
    pub profile_json: Option<PathBuf>,
    /// Write that as a page with a timeline of the engines to this file
    #[arg(long, value_name = "FILE", conflicts_with = "wave")]
    pub profile_html: Option<PathBuf>,
    /// Clock cycles from a request that a memory takes to its answer
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(LONGEST_LATENCY)))]
    pub latency: u32,
}

impl ProfileOptions {
    /// Whether the cycles are to be looked at.
    pub fn wanted(&self) -> bool {
        self.profile || self.profile_json.is_some() || self.profile_html.is_some()
    }

    /// Prints and writes what is asked for.
    pub fn report(&self, target: &Target, program: &Program, profile: &Profile) -> Result<()> {
        let summary = Summary::new(target, &program.path.display().to_string(), &program.symbols, profile);
        if self.profile {
            output::text(&terminal::text(&summary))?;
        }
        if let Some(path) = &self.profile_json {
            output::save_json(path, &summary)?;
        }
        if let Some(path) = &self.profile_html {
            output::save(path, html::page(&summary, target, &program.symbols, profile).as_bytes())?;
        }
        Ok(())
    }
}
