// SPDX-License-Identifier: Apache-2.0
//! `cosim random`.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::ci::part::{self, Part};
use super::ci::{MISSED, Outcome, ending, row};
use super::options::{CoverageOptions, RandomOptions};
use super::session::Session;
use super::table::{mnemonics, summary};
use crate::base::ending::{Ending, outlive};
use crate::base::output::{self, say};
use crate::case::replay::Running;
use crate::cli::coverage;
use crate::coverage::bins::Bins;
use crate::coverage::file::Coverage;
use crate::coverage::instructions;
use crate::lockstep::Counts;
use crate::lockstep::mnemonics::Mnemonics;
use crate::random::CASE_INSTRUCTIONS;
use crate::report::{index, name};
use crate::run::Passed;
use crate::run::interrupt::Interrupt;
use crate::run::regression::Plan;
use crate::run::schedule::Shard;
use crate::run::{Cases, Job, Stimulus};
use crate::triage::explain::Explainer;
use crate::unit::ModelKind;
use crate::unit::faults::FAULTS;
use crate::unit::make_all;
use crate::unit::target::{Target, Workshop};

/// Instructions for each configuration when neither a number nor a time is given.
const COUNT: u64 = 20_000;

/// `cosim random`.
///
/// # Errors
/// For an unknown configuration or fault, options that do not go together, and files that cannot be written.
pub fn random(workshop: &Workshop, options: &RandomOptions) -> Result<Ending> {
    let workshop = workshop.with(&options.unit.rtl)?;
    let config = options.unit.config();
    let RandomOptions { seed, jobs, job, coverage, .. } = options;
    let (seed, jobs) = (*seed, *jobs);
    let faults: Vec<u32> = options.fault.iter().copied().filter(|&fault| fault != 0).collect();
    let planted = !faults.is_empty();
    let mut targets = workshop.targets(&config)?;
    for &fault in &faults {
        ensure!(targets.len() == 1, "--fault needs one configuration");
        targets = vec![workshop.with_fault(&config, fault)?];
    }
    let isolation = options.cases.process.isolation();
    let shrink = !options.cases.no_shrink;
    let explainer = Explainer { out: &options.out, isolation: &isolation, shrink, interrupt: &Interrupt::default() };
    if let Some(number) = options.case {
        ensure!(targets.len() == 1, "--case needs one configuration");
        ensure!(!planted || coverage.bins.is_none(), "--fault does not go with --bins");
        let cases = Cases::new(&targets[0], seed, 0).with_faults(&faults);
        return one_case(cases, number, coverage.bins.as_deref(), &explainer);
    }
    ensure!(job.time.is_none_or(|time| !time.is_zero()), "--for is 0; allowed: more than 0 s");
    let limited = job.time.is_none() && !coverage.until_covered;
    let instructions = options.count.unwrap_or(if limited { COUNT } else { u64::MAX });
    ensure!(instructions > 0, "--count is 0; allowed: 1 and more");
    let (plan, shard) = (Plan { seed, instructions, jobs, fault: 0 }, job.shard);
    ensure!(
        shard.case(0) < plan.cases(),
        "shard {shard} has no case: --count {instructions} makes {} of {CASE_INSTRUCTIONS} instructions; allowed: at most as \
         many shards",
        plan.cases()
    );
    ensure!(!planted || !coverage.until_covered, "--fault does not go with --until-covered");
    let counted = coverage.rtl_coverage.is_some();
    ensure!(!planted || !counted, "--fault does not go with --rtl-coverage: planted faults are in models of their own");
    let blind = coverage.asked() && targets.iter().any(|target| target.models.port_only());
    ensure!(!blind, "coverage needs a probe, and this RTL has none: the bench sees its ports alone");
    let whole = job.shard == Shard::WHOLE || !coverage.until_covered;
    ensure!(whole, "--shard does not go with --until-covered: give each job a seed of its own");
    coverage.make_folders(&targets)?;
    make_all(&targets, if counted { ModelKind::Covered } else { ModelKind::for_run(u32::from(planted), false) })?;
    coverage.reserve()?;
    job.results.iter().try_for_each(|folder| part::reserve(folder))?;
    let interrupt = Interrupt::watch()?;
    let explainer = Explainer { interrupt: &interrupt, ..explainer };
    let start = Instant::now();
    let session = Session {
        stimulus: Stimulus::Random,
        plan,
        faults: &faults,
        shard: job.shard,
        max_failures: job.max_failures.into(),
        coverage,
        explainer: &explainer,
        interrupt: &interrupt,
    };
    let mut shards = Vec::new();
    let done = all_cases(&session, &targets, options, start, &mut shards);
    outlive(shards.iter().any(|shard| !shard.failures.is_empty()), done)
}

/// The cases of all configurations, and the reports; what was run is in `shards` also when there is an error after it.
fn all_cases(
    session: &Session,
    targets: &[Target],
    RandomOptions { job, coverage, out, .. }: &RandomOptions,
    start: Instant,
    shards: &mut Vec<Outcome>,
) -> Result<Ending> {
    let (mut covered, mut lacking) = (Coverage::default(), Vec::new());
    let names: Vec<String> = targets.iter().map(|target| name(target.name(), job.shard)).collect();
    job.reports.write_so_far(shards, &names)?;
    // A time is shared in parts of equal length.
    let together = if job.time.is_some() { 1 } else { targets.len() };
    for targets in targets.chunks(together.max(1)) {
        let deadline = job.deadline(start, names.len() - shards.len());
        session.run(targets, deadline, shards, |target, hit, shards| {
            if let (true, Some(shard)) = (coverage.until_covered, shards.last()) {
                lacking.extend(lacks(target, &shard.sums.counts.mnemonics));
            }
            hit.into_iter().for_each(|hit| covered.add(hit));
            job.reports.write_so_far(shards, &names[shards.len()..])
        })?;
    }
    let complete = conclude(shards, &covered, coverage)? && lacking.is_empty();
    let rows: Vec<_> = shards.iter().map(row).collect();
    index::report(shards, job.shard, out)?;
    lacking.iter().try_for_each(|line| say!("{line}"))?;
    job.reports.write(shards, &[], &[])?;
    if let Some(folder) = &job.results {
        let covered = coverage.asked().then_some(&covered);
        Part::new(targets, session, job, shards, covered)?.save(folder)?;
    }
    ending(shards, &rows, session.interrupt, (!complete).then_some(MISSED))
}

/// Says what shards did, in tables, and what they hit; writes the files of coverage. Gives what they say.
pub fn conclude(shards: &[Outcome], covered: &Coverage, coverage: &CoverageOptions) -> Result<bool> {
    // Zeros say nothing.
    if shards.iter().any(|shard| shard.sums.counts.retired > 0) {
        say!("{}", summary(&shards.iter().map(row).collect::<Vec<_>>()))?;
        say!("\n{}", mnemonics(shards.iter().map(|shard| &shard.sums.counts)))?;
    }
    coverage.report(covered)
}

/// What instructions of a configuration lack after a run that was to cover everything.
pub fn lacks(target: &Target, issued: &Mnemonics) -> Vec<String> {
    let mut lacking = instructions::without_bin_or_fault(target, &Bins::new(target), &FAULTS);
    lacking.extend(instructions::without_stimulus(target, issued));
    lacking.into_iter().map(|line| format!("{}: {line}", target.name())).collect()
}

/// One case: a random one, or the one that `--until-covered` made for the bins of a list; then it also says what that
/// hits.
fn one_case(mut cases: Cases, number: u64, list: Option<&str>, explainer: &Explainer) -> Result<Ending> {
    let mut job = Job::random(number);
    if let Some(list) = list {
        let bins = Arc::new(Bins::new(cases.target));
        job.bins = coverage::numbers(list, &bins)?;
        cases = cases.covering(&bins);
    }
    run_one(&cases, &job, explainer)
}

/// Runs one case, and says what it did.
pub fn run_one(cases: &Cases, job: &Job, explainer: &Explainer) -> Result<Ending> {
    let running = Running::new(cases.target, explainer.out)?;
    let passed = one_case_with(&running, cases, job, explainer);
    running.close();
    passed
}

fn one_case_with(running: &Running, cases: &Cases, job: &Job, explainer: &Explainer) -> Result<Ending> {
    let (target, seed, number, origin) = (cases.target, cases.seed, job.number, cases.origin(job.number));
    let mut command = running.thread()?;
    command.begins(&cases.again(job))?;
    let done = explainer.isolation.executor(cases)(job)?;
    match (done.result, &cases.bins) {
        (Ok(Passed { counts: Counts { retired, cycles, .. }, hits, .. }), bins) => {
            let did = if bins.is_some() { String::new() } else { format!("{retired} instructions, {cycles} cycles, ") };
            say!("{}: seed {seed}, case {number}, stimulus {:016x}: {did}no mismatch", target.name(), done.hash)?;
            for (bins, &id) in bins.iter().flat_map(|bins| job.bins.iter().map(move |id| (bins, id))) {
                say!("  {:>6} hits of bin {id}, {}", hits.count(id), bins.name(id))?;
            }
            Ok(Ending::Clean)
        }
        (Err(failure), _) => {
            let (case, again) = (cases.case(job), cases.again(job));
            running.failed(origin, &case);
            let explained = explainer.explain(target, origin, &case, &failure, &again);
            outlive(true, output::text(&explained.text).and_then(|()| running.done(origin)).map(|()| Ending::Different))
        }
    }
}
