// SPDX-License-Identifier: Apache-2.0
//! `cosim facts`: the unit with the properties that are proven of it as assertions.

use anyhow::Result;
use clap::Args;

use super::ending::Ending;
use crate::base::output::{self, say};
use crate::base::{parallel, table};
use crate::lockstep::Counts;
use crate::performance::facts;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::{Target, Workshop, make_all};

/// Cases at a time, before the next ones are begun.
const ROUND: u64 = 64;

/// Options of `cosim facts`.
#[derive(Debug, Args)]
pub struct FactsOptions {
    /// Configurations: names or files NAME.toml with commas between them, or all
    #[arg(long, default_value = "w16")]
    config: String,
    /// Seed of the random cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Instructions of each configuration to retire at least, in whole rounds of cases
    #[arg(long, default_value_t = 20_000)]
    count: u64,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    jobs: usize,
}

/// `cosim facts`.
///
/// # Errors
/// For configurations that cannot be used.
pub fn run(workshop: &Workshop, options: &FactsOptions) -> Result<Ending> {
    let targets = workshop.targets(&options.config)?;
    make_all(&targets, ModelKind::Facts)?;
    let mut ending = Ending::Clean;
    for target in &targets {
        if !clean(target, options)? {
            ending = Ending::Different;
        }
    }
    Ok(ending)
}

/// Whether all properties hold in the cases of one configuration, and says so.
fn clean(target: &Target, options: &FactsOptions) -> Result<bool> {
    let one =
        |number: &u64| Ok(facts::random(target, [options.seed, *number], 0).map_err(|failure| (*number, failure)));
    let (mut cases, mut sum) = (0, Counts::default());
    while sum.retired < options.count {
        let numbers: Vec<u64> = (cases..cases + ROUND).collect();
        for done in parallel::map(&numbers, options.jobs, || (), one)? {
            match done {
                Ok(counts) => {
                    sum.retired += counts.retired;
                    sum.cycles += counts.cycles;
                }
                Err((number, failure)) => {
                    say!("{}, with properties, seed {}, case {number}:", target.name(), options.seed)?;
                    output::text(&report::text(target, &failure))?;
                    return Ok(false);
                }
            }
        }
        cases += ROUND;
    }
    let Counts { retired, cycles, .. } = sum;
    say!("{}: {cases} cases, {retired} instructions, {cycles} cycles; all properties hold", target.name())?;
    Ok(true)
}
