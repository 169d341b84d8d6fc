// SPDX-License-Identifier: Apache-2.0
//! `cosim check soak`: hours of everything, and what is new since the last time.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use rtl_config::Config;

use super::ci::{Outcome, ending, row};
use super::options::{CaseOptions, CoverageOptions, ReportOptions};
use super::pairs::pairs_row;
use super::session::Session;
use super::table::summary;
use crate::base::draw::Draw;
use crate::base::ending::{Ending, outlive};
use crate::base::output::{self, say};
use crate::base::{parallel, table};
use crate::report::{index, name};
use crate::run::Stimulus;
use crate::run::interrupt::Interrupt;
use crate::run::regression::Plan;
use crate::run::schedule::Shard;
use crate::triage::explain::Explainer;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, Workshop};

/// Options of `cosim check soak`.
#[derive(Debug, clap::Args)]
pub struct SoakOptions {
    /// How long, such as 90s, 10m or 8h; models are made first
    #[arg(long = "for", value_name = "TIME", default_value = "1h", value_parser = humantime::parse_duration)]
    pub time: Duration,
    /// Seed of cases and of random units; take another one each time
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Random legal units, beside those that have a name
    #[arg(long, default_value_t = 20)]
    pub units: u64,
    /// Threads
    #[arg(long, default_value_t = table::processors(), value_parser = parallel::jobs)]
    pub jobs: usize,
    /// Folder for the random units, failing cases, and the list of what has failed so far
    #[arg(long, default_value = "soak")]
    pub out: PathBuf,
    #[command(flatten)]
    pub cases: CaseOptions,
    #[command(flatten)]
    pub reports: ReportOptions,
}

/// Failing cases of a unit, at most.
const MOST_FAILURES: usize = 20;

/// Parts of the pairs, of which the seed chooses one: all of them take longer than a short soak has for a unit.
const PAIR_SHARDS: u64 = 8;

/// Largest memory of a random unit, in bytes.
const MEMORY: u32 = 1 << 18;

/// The list of the ways in which cases have failed, in the folder of `--out`.
const KNOWN: &str = "known.txt";

/// `cosim check soak`.
///
/// # Errors
/// For files that cannot be written, and when models cannot be made.
pub fn soak(workshop: &Workshop, options: &SoakOptions) -> Result<Ending> {
    ensure!(!options.time.is_zero(), "--for is 0; allowed: more than 0 s");
    let mut targets = workshop.targets("all")?;
    targets.extend(sampled(workshop, options)?);
    let isolation = options.cases.process.isolation();
    make_all(&targets, ModelKind::Fast)?;
    let interrupt = Interrupt::watch()?;
    let explainer =
        Explainer { out: &options.out, isolation: &isolation, shrink: !options.cases.no_shrink, interrupt: &interrupt };
    let session = Session {
        stimulus: Stimulus::Random,
        plan: Plan { seed: options.seed, instructions: u64::MAX, jobs: options.jobs, fault: 0 },
        faults: &[],
        shard: Shard::WHOLE,
        max_failures: MOST_FAILURES,
        coverage: &CoverageOptions::default(),
        explainer: &explainer,
        interrupt: &interrupt,
    };
    let mut shards = Vec::new();
    let done = all(&session, &targets, options, &mut shards);
    outlive(shards.iter().any(|shard| !shard.failures.is_empty()), done)
}

/// Random units, as files beside what they do wrong.
fn sampled(workshop: &Workshop, options: &SoakOptions) -> Result<Vec<Target>> {
    let folder = options.out.join("units");
    files::create_inside(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let one = |number: u64| {
        let mut draw = Draw::new(options.seed, "unit", number);
        let unit = Config::sample(&format!("soak{number}"), MEMORY, |n| draw.below(n))?;
        let path = folder.join(format!("{}.toml", unit.name));
        output::save_text(&path, &unit.to_toml())?;
        workshop.target(&path.display().to_string())
    };
    (0..options.units).map(one).collect()
}

/// Random cases and some of the pairs of each unit, which share the time.
fn all(session: &Session, targets: &[Target], options: &SoakOptions, shards: &mut Vec<Outcome>) -> Result<Ending> {
    let part = format!("{}/{PAIR_SHARDS}", options.seed % PAIR_SHARDS + 1);
    let part = Shard::from_str(&part).map_err(|error| anyhow!("shard {part}: {error}"))?;
    let pairs = Session { stimulus: Stimulus::Pairs, shard: part, ..*session };
    let (start, parts, mut rows) = (Instant::now(), 2 * targets.len(), Vec::new());
    let share = |done: usize| start.checked_add(options.time.mul_f64((done + 1) as f64 / parts as f64));
    for (i, target) in targets.iter().enumerate() {
        let target = std::slice::from_ref(target);
        pairs.run(target, share(2 * i), shards, |_, _, _| Ok(()))?;
        rows.extend(shards.last().map(pairs_row));
        session.run(target, share(2 * i + 1), shards, |_, _, _| Ok(()))?;
        rows.extend(shards.last().map(row));
        let missing: Vec<String> = targets[i + 1..].iter().map(|target| name(target.name(), Shard::WHOLE)).collect();
        options.reports.write_so_far(shards, &missing)?;
    }
    say!("{}", summary(&rows))?;
    index::report(shards, Shard::WHOLE, &options.out)?;
    compare(shards, &options.out)?;
    options.reports.write(shards, &[], &[])?;
    ending(shards, &rows, session.interrupt, None)
}

/// Says which ways to fail were not there the last time, and adds them to the list.
fn compare(shards: &[Outcome], out: &Path) -> Result<()> {
    let path = out.join(KNOWN);
    let text = if path.exists() { files::read_text(&path, 1 << 24)? } else { String::new() };
    let known: BTreeSet<&str> = text.lines().collect();
    let failures = shards.iter().flat_map(|shard| &shard.failures);
    let found: BTreeSet<&str> = failures.map(|failed| failed.signature.as_str()).collect();
    for signature in &found {
        say!("{}: {signature}", if known.contains(signature) { "known" } else { "NEW" })?;
    }
    say!("{} ways to fail, {} of them new", found.len(), found.difference(&known).count())?;
    output::save_text(&path, &known.union(&found).map(|line| format!("{line}\n")).collect::<String>())
}
