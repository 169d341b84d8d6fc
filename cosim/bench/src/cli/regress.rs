// SPDX-License-Identifier: Apache-2.0
//! `cosim regress`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::ci::{MISSED, Outcome, ending, row};
use super::corpus;
use super::options::{CoverageOptions, RegressOptions};
use super::pairs::{PAIRS, pairs_row};
use super::programs;

use super::random::lacks;
use super::session::Session;
use super::table::{NamedRun, Row, mnemonics, slowest, summary};
use super::timing::{Stage, stages};
use super::workloads;
use crate::base::ending::{Ending, outlive};
use crate::base::output::say;
use crate::case::replay::Replay;
use crate::coverage::file::Coverage;
use crate::coverage::report;
use crate::lockstep::Counts;
use crate::report::index;
use crate::run::Stimulus;
use crate::run::interrupt::Interrupt;
use crate::run::regression::Plan;
use crate::run::schedule::Shard;
use crate::run::worker::Isolation;
use crate::triage;
use crate::triage::explain::Explainer;
use crate::unit::ModelKind;
use crate::unit::make_all;
use crate::unit::target::{Target, Workshop};

/// The parts of the table that have no names of their own.
const RANDOM: &str = "random";
const COVERING: &str = "for every bin";

/// `cosim regress`.
pub fn regress(workshop: &Workshop, options: &RegressOptions) -> Result<Ending> {
    let workshop = workshop.with(&options.unit.rtl)?;
    let targets = workshop.targets(&options.unit.config())?;
    let filter = options.filter.as_str();
    let mut paths = programs::checked(&options.programs, &targets)?;
    paths.retain(|path| path.to_string_lossy().contains(filter));
    let replays = Corpus::read(&workshop, &options.replays, &targets, filter)?;
    let own = if options.unit.rtl.given() { &[] } else { &replays.others[..] };
    let pairs = options.pairs.as_deref().map_or(Ok(Vec::new()), |list| workshop.targets(list))?;
    make_all(&[&targets, own, &pairs].concat(), ModelKind::Fast)?;
    let isolation = options.cases.process.isolation();
    let interrupt = Interrupt::watch()?;
    let explainer =
        Explainer { out: &options.out, isolation: &isolation, shrink: !options.cases.no_shrink, interrupt: &interrupt };
    let (mut rows, mut shards) = (programs::run_programs(&paths, &targets, None, options.jobs)?, Vec::new());
    let done = others(&replays, options, [&targets, &pairs], &explainer, &mut rows, &mut shards);
    let failed = rows.iter().any(|row| row.failures > 0) || shards.iter().any(|shard| !shard.failures.is_empty());
    outlive(failed, done)
}

/// All but the programs, which have been run, on `targets`, and the pairs of some; and the reports. What was run is in
/// `rows` and `shards` also when there is an error after it.
fn others(
    replays: &Corpus,
    options: &RegressOptions,
    [targets, pairs]: [&[Target]; 2],
    explainer: &Explainer,
    rows: &mut Vec<Row>,
    shards: &mut Vec<Outcome>,
) -> Result<Ending> {
    let mut timing = vec![Stage::side_by_side("programs", rows)];
    let operators = workloads::reduced(targets, &options.filter, options.jobs)?;
    timing.push(Stage::side_by_side("operators", &operators));
    rows.extend(operators);
    let replayed = replays.run(targets, explainer.isolation)?;
    timing.push(Stage::in_turn("replay files", &replayed));
    rows.extend(replayed);
    let session = Session {
        stimulus: Stimulus::Random,
        plan: Plan { seed: options.seed, instructions: options.count, jobs: options.jobs, fault: 0 },
        faults: &[],
        shard: Shard::WHOLE,
        max_failures: 1,
        coverage: &CoverageOptions::default(),
        explainer,
        interrupt: explainer.interrupt,
    };
    if RANDOM.contains(&options.filter) {
        let [work, chain] = session.run(targets, None, shards, |_, _, _| Ok(()))?;
        timing.push(Stage::new(RANDOM, work, chain));
    }
    rows.extend(shards.iter().map(row));
    let random = session;
    let session = Session { stimulus: Stimulus::Pairs, plan: Plan { instructions: u64::MAX, ..random.plan }, ..random };
    if PAIRS.contains(&options.filter) {
        let [work, chain] = session.run(pairs, None, shards, |_, _, shards| {
            rows.extend(shards.last().map(pairs_row));
            Ok(())
        })?;
        timing.push(Stage::new(PAIRS, work, chain));
    }
    let mut complete = true;
    if options.until_covered && COVERING.contains(&options.filter) {
        let coverage = CoverageOptions { until_covered: true, ..CoverageOptions::default() };
        let session = Session { stimulus: Stimulus::Random, coverage: &coverage, ..session };
        let mut covered = Coverage::default();
        let probed: Vec<Target> = targets.iter().filter(|target| !target.models.port_only()).cloned().collect();
        let [work, chain] = session.run(&probed, None, shards, |target, hit, shards| {
            let Some(shard) = shards.last() else { return Ok(()) };
            hit.into_iter().for_each(|hit| covered.add(hit));
            rows.push(Row { what: COVERING.into(), ..row(shard) });
            lacks(target, &shard.sums.counts.mnemonics).iter().try_for_each(|line| {
                complete = false;
                say!("{line}")
            })
        })?;
        timing.push(Stage::new(COVERING, work, chain));
        for report in report::all(&covered) {
            complete &= report.complete() && report.refuted.is_empty();
            say!("{}", if report.complete() { report.headline() } else { report.text(false) })?;
        }
    }
    rows.retain(|row| row.runs > 0);
    say!("\n{}", summary(rows))?;
    say!("\n{}", mnemonics(rows.iter().map(|row| &row.counts)))?;
    say!("\n{}", slowest(rows))?;
    if options.timing {
        say!("\n{}", stages(&timing))?;
    }
    index::report(shards, Shard::WHOLE, &options.out)?;
    let parts: Vec<&NamedRun> = rows.iter().flat_map(|row| &row.parts).collect();
    options.reports.write(shards, &parts, &[])?;
    ending(shards, rows, explainer.interrupt, (!complete).then_some(MISSED))
}

/// The replay files of a folder, and those of their configurations that are not among `targets`.
struct Corpus {
    files: Vec<(PathBuf, Replay, String)>,
    others: Vec<Target>,
}

impl Corpus {
    /// The files of `folder` whose names contain `filter`.
    fn read(workshop: &Workshop, folder: &Path, targets: &[Target], filter: &str) -> Result<Corpus> {
        let load = |path: PathBuf| {
            let (replay, text) = Replay::load(workshop, &path)?;
            Ok((path, replay, text))
        };
        let paths = corpus::list(folder)?.into_iter().filter(|path| path.to_string_lossy().contains(filter));
        let files: Vec<_> = paths.map(load).collect::<Result<_>>()?;
        let mut others: Vec<Target> = Vec::new();
        for (_, replay, _) in &files {
            if !targets.iter().chain(&others).any(|target| target.rtl == replay.target.rtl) {
                others.push(replay.target.clone());
            }
        }
        Ok(Corpus { files, others })
    }

    /// Runs the files, each on its own configuration; one row for each configuration that has some. With RTL that is of
    /// one configuration those of others are named and left out.
    fn run(&self, targets: &[Target], isolation: &Isolation) -> Result<Vec<Row>> {
        let mut skipped = Vec::new();
        let mut rows = Vec::new();
        for (target, own) in targets.iter().map(|target| (target, false)).chain(self.others.iter().map(|t| (t, true))) {
            let files: Vec<_> = self.files.iter().filter(|(_, replay, _)| replay.target.rtl == target.rtl).collect();
            if own && target.models.given() {
                skipped.extend(files.iter().map(|(path, ..)| path.display().to_string()));
            } else if !files.is_empty() {
                rows.push(run_replays(target, own, &files, isolation)?);
            }
        }
        if !skipped.is_empty() {
            let (count, names) = (skipped.len(), skipped.join(", "));
            say!("{count} replay files are not of the configuration of this RTL and were not run: {names}")?;
        }
        Ok(rows)
    }
}

/// Runs replay files of one configuration; `own` when its fields are those of the files alone.
fn run_replays(target: &Target, own: bool, files: &[&(PathBuf, Replay, String)], isolation: &Isolation) -> Result<Row> {
    let mut worker = isolation.worker(target, false);
    let mut parts = Vec::new();
    for (path, replay, text) in files {
        let (start, name) = (Instant::now(), path.display().to_string());
        let (counts, failure) = match corpus::run(&mut worker, path, text.clone())? {
            Ok(counts) => (counts, None),
            Err(failure) => {
                let text = triage::report::text(&replay.target, &failure);
                let text = format!("{text}  again    {}\n", replay.target.replay(Path::new(""), path));
                (Counts::default(), Some(text))
            }
        };
        let config = target.name().to_owned();
        parts.push((counts, NamedRun { config, kind: "replay", name, elapsed: start.elapsed(), failure }));
    }
    let what = format!("{} replay files{}", files.len(), if own { ", own fields" } else { "" });
    Row::of_parts(target.name(), what, parts)
}
