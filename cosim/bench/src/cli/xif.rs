// SPDX-License-Identifier: Apache-2.0
//! `cosim xif`: the unit behind the extension interface of a core.

use anyhow::Result;
use clap::Args;

use super::ending::Ending;
use crate::base::output::{self, say};
use crate::base::{parallel, table};
use crate::lockstep::Counts;
use crate::performance::xif;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::Workshop;

/// Cases at a time, before the next ones are begun.
const ROUND: u64 = 64;

/// Options of `cosim xif`.
#[derive(Debug, Args)]
pub struct XifOptions {
    /// Configuration: a name or a file NAME.toml
    #[arg(long, default_value = "w16")]
    config: String,
    /// Seed of the random cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Instructions to retire at least, in whole rounds of cases
    #[arg(long, default_value_t = 20_000)]
    count: u64,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    jobs: usize,
}

/// `cosim xif`.
///
/// # Errors
/// For configurations that cannot be used.
pub fn run(workshop: &Workshop, options: &XifOptions) -> Result<Ending> {
    let target = workshop.target(&options.config)?;
    target.models.get(ModelKind::Xif)?;
    let one = |number: &u64| Ok(xif::random(&target, [options.seed, *number], 0).map_err(|failure| (*number, failure)));
    let (mut cases, mut sum) = (0, Counts::default());
    while sum.retired < options.count {
        let numbers: Vec<u64> = (cases..cases + ROUND).collect();
        for done in parallel::map(&numbers, options.jobs, || (), one)? {
            match done {
                Ok(counts) => {
                    sum.retired += counts.retired;
                    sum.traps += counts.traps;
                    sum.killed += counts.killed;
                    sum.cycles += counts.cycles;
                }
                Err((number, failure)) => {
                    say!("{}, CV-X-IF, seed {}, case {number}:", target.name(), options.seed)?;
                    output::text(&report::text(&target, &failure))?;
                    return Ok(Ending::Different);
                }
            }
        }
        cases += ROUND;
    }
    let Counts { retired, traps, killed, cycles, .. } = sum;
    say!(
        "{}, CV-X-IF: {cases} cases, {retired} instructions, {traps} traps, {killed} killed behind them, {cycles} cycles; no \
         mismatch",
        target.name()
    )?;
    Ok(Ending::Clean)
}
