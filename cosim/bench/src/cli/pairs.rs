// SPDX-License-Identifier: Apache-2.0
//! `cosim check pairs`.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::ci::{Outcome, ending, row};
use super::options::{CaseOptions, CoverageOptions};
use super::random::run_one;
use super::session::Session;
use super::table::{Row, mnemonics, summary};
use crate::base::ending::{Ending, outlive};
use crate::base::output::say;
use crate::base::{parallel, table};
use crate::report::index;
use crate::run::interrupt::Interrupt;
use crate::run::regression::Plan;
use crate::run::schedule::Shard;
use crate::run::{Cases, Job, Stimulus};
use crate::triage::explain::Explainer;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, UnitOptions, Workshop, with_default};

/// Options of `cosim check pairs`.
#[derive(Debug, clap::Args)]
#[command(mut_arg("config", |arg| with_default(arg, "tiny")))]
pub struct PairsOptions {
    #[command(flatten)]
    pub unit: UnitOptions,
    /// Seed of addresses, values of CSRs, contents of memories, and of what reset leaves alone
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Run only part I of N of the cases: I/N, such as 2/4
    #[arg(long, allow_hyphen_values = true, default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// Run only this case, and say what it is about
    #[arg(long)]
    pub case: Option<u64>,
    /// Activate this planted fault (see `cosim check faults`)
    #[arg(long, default_value_t = 0)]
    pub fault: u32,
    /// Go on until this many cases of a configuration have failed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_failures: u16,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// Folder for what a failing case leaves behind
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
    #[command(flatten)]
    pub cases: CaseOptions,
}

/// `cosim check pairs`.
///
/// # Errors
/// For an unknown configuration, fault or case, and files that cannot be written.
pub fn pairs(workshop: &Workshop, options: &PairsOptions) -> Result<Ending> {
    let PairsOptions { seed, shard, fault, jobs, .. } = *options;
    let workshop = workshop.with(&options.unit.rtl)?;
    let config = options.unit.config();
    let mut targets = workshop.targets(&config)?;
    if fault != 0 {
        ensure!(targets.len() == 1, "--fault needs one configuration");
        targets = vec![workshop.with_fault(&config, fault)?];
    }
    let isolation = options.cases.process.isolation();
    let interrupt = Interrupt::watch()?;
    let explainer =
        Explainer { out: &options.out, isolation: &isolation, shrink: !options.cases.no_shrink, interrupt: &interrupt };
    if let Some(number) = options.case {
        ensure!(targets.len() == 1, "--case needs one configuration");
        let cases = Cases::new(&targets[0], seed, fault);
        let count = cases.pairs().count();
        ensure!(number < count, "--case is {number}; allowed: 0 to {}", count - 1);
        say!("{}: case {number} of {count}: {}", targets[0].name(), cases.pairs().name(number))?;
        return run_one(&cases, &Job::new(Stimulus::Pairs, number), &explainer);
    }
    make_all(&targets, ModelKind::for_run(fault, false))?;
    let session = Session {
        stimulus: Stimulus::Pairs,
        plan: Plan { seed, instructions: u64::MAX, jobs, fault },
        faults: if fault == 0 { &[] } else { &[fault] },
        shard,
        max_failures: options.max_failures.into(),
        coverage: &CoverageOptions::default(),
        explainer: &explainer,
        interrupt: &interrupt,
    };
    let mut shards = Vec::new();
    let done = all(&session, &targets, &options.out, &mut shards);
    outlive(shards.iter().any(|shard| !shard.failures.is_empty()), done)
}

/// What this part of a regression is called.
pub const PAIRS: &str = "pairs";

/// The row of a table for the pairs of a configuration.
pub fn pairs_row(shard: &Outcome) -> Row {
    Row { what: PAIRS.into(), ..row(shard) }
}

fn all(session: &Session, targets: &[Target], out: &Path, shards: &mut Vec<Outcome>) -> Result<Ending> {
    session.run(targets, None, shards, |_, _, _| Ok(()))?;
    let rows: Vec<Row> = shards.iter().map(pairs_row).collect();
    say!("{}", summary(&rows))?;
    say!("\n{}", mnemonics(shards.iter().map(|shard| &shard.sums.counts)))?;
    index::report(shards, session.shard, out)?;
    ending(shards, &rows, session.interrupt, None)
}
