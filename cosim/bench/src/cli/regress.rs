// SPDX-License-Identifier: Apache-2.0
//! `cosim regress`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use super::ci::{ShardReport, buckets_page};
use super::corpus;
use super::ending::{Ending, ending, outlive, row};
use super::options::{CoverageOptions, RegressOptions};
use super::program;
use super::programs::run_programs;
use super::random::lacks;
use super::session::Session;
use super::table::{Row, mnemonics, summary};
use super::workloads;
use crate::base::output::say;
use crate::case::replay::Replay;
use crate::coverage::file::Coverage;
use crate::coverage::report;
use crate::lockstep::Counts;
use crate::run::interrupt::Interrupt;
use crate::run::regression::Plan;
use crate::run::schedule::Shard;
use crate::run::worker::{Isolation, Worker};
use crate::triage;
use crate::triage::aftermath::Aftermath;
use crate::unit::ModelKind;
use crate::unit::target::{Target, Workshop, make_all};

/// `cosim regress`.
///
/// # Errors
/// For files that cannot be read, assembled or written.
pub fn regress(workshop: &Workshop, options: &RegressOptions) -> Result<Ending> {
    let workshop = workshop.with(&options.rtl)?;
    let targets = workshop.targets(&options.config)?;
    let paths = program::checked(&options.programs, &targets)?;
    make_all(&targets, ModelKind::Fast)?;
    let isolation = options.cases.isolation()?;
    let interrupt = Interrupt::watch()?;
    let aftermath =
        Aftermath { out: &options.out, isolation: &isolation, budget: options.cases.budget(), interrupt: &interrupt };
    let (mut rows, mut shards) = (run_programs(&paths, &targets, None)?, Vec::new());
    let done = others(&workshop, options, &targets, &aftermath, &mut rows, &mut shards);
    let failed = rows.iter().any(|row| row.failures > 0) || shards.iter().any(|shard| !shard.failures.is_empty());
    outlive(failed, done)
}

/// All but the programs, which have been run; and the reports. What was run is in `rows` and `shards` also when there is an
/// error after it.
fn others(
    workshop: &Workshop,
    options: &RegressOptions,
    targets: &[Target],
    aftermath: &Aftermath,
    rows: &mut Vec<Row>,
    shards: &mut Vec<ShardReport>,
) -> Result<Ending> {
    rows.extend(workloads::reduced(targets, "")?);
    rows.extend(run_replays(workshop, &options.replays, targets, aftermath.isolation)?);
    let session = Session {
        plan: Plan { seed: options.seed, instructions: options.count, jobs: options.jobs, fault: 0 },
        faults: &[],
        shard: Shard::WHOLE,
        max_failures: 1,
        coverage: &CoverageOptions::default(),
        aftermath,
        interrupt: aftermath.interrupt,
    };
    for target in targets {
        session.run(target, None, shards)?;
    }
    rows.extend(shards.iter().map(row));
    let mut complete = true;
    if options.until_covered {
        let all = CoverageOptions { until_covered: true, ..CoverageOptions::default() };
        let plan = Plan { instructions: u64::MAX, ..session.plan };
        let session = Session { plan, coverage: &all, ..session };
        let mut covered = Coverage::default();
        for target in targets.iter().filter(|target| !target.models.port_only()) {
            let hit = session.run(target, None, shards)?;
            let Some(shard) = shards.last() else { continue };
            lacks(target, &shard.counts.mnemonics).iter().try_for_each(|line| {
                complete = false;
                say!("{line}")
            })?;
            hit.into_iter().for_each(|hit| covered.add(hit));
            rows.push(Row { what: "for every bin".into(), ..row(shard) });
        }
        for report in report::all(&covered) {
            complete &= report.complete() && report.refuted.is_empty();
            say!("{}", if report.complete() { report.headline() } else { report.text(false) })?;
        }
    }
    say!("\n{}", summary(rows))?;
    say!("\n{}", mnemonics(rows.iter().map(|row| &row.counts)))?;
    buckets_page::report(shards, Shard::WHOLE, &options.out)?;
    match rows.iter().map(|row| row.failures).sum::<u64>() {
        0 => ending(shards, aftermath.interrupt, complete),
        failures => {
            say!("\n{failures} FAILED")?;
            Ok(Ending::Different)
        }
    }
}

/// Runs the replay files of a folder, each on its own configuration; one row for each configuration that has some.
fn run_replays(workshop: &Workshop, folder: &Path, targets: &[Target], isolation: &Isolation) -> Result<Vec<Row>> {
    let paths = corpus::list(folder)?;
    let mut workers: BTreeMap<&str, Worker> = BTreeMap::new();
    let mut rows: Vec<(Row, u64)> = Vec::new();
    for path in &paths {
        let start = Instant::now();
        let (replay, text) = Replay::load(workshop, path)?;
        let Some(target) = targets.iter().find(|target| target.rtl == replay.target.rtl) else { continue };
        let name = target.name();
        let worker = workers.entry(name).or_insert_with(|| isolation.worker(target, false));
        let result = corpus::run(worker, path, text)?;
        let (mut counts, mut failures) = (Counts::default(), 0);
        match result {
            Ok(run) => counts.add(&run),
            Err(failure) => {
                failures = 1;
                let text = triage::report::text(&replay.target, &failure);
                say!("{}\n{text}  again    {}\n", path.display(), replay.target.replay(Path::new(""), path))?;
            }
        }
        match rows.iter_mut().find(|(row, _)| row.config == name) {
            Some((row, count)) => {
                row.counts.add(&counts);
                row.failures += failures;
                row.elapsed += start.elapsed();
                *count += 1;
            }
            None => {
                let (config, what) = (name.to_owned(), String::new());
                rows.push((Row { config, what, counts, failures, elapsed: start.elapsed() }, 1));
            }
        }
    }
    Ok(rows.into_iter().map(|(row, count)| Row { what: format!("{count} replay files"), ..row }).collect())
}
