// SPDX-License-Identifier: Apache-2.0
//! What the program does with coverage: collects it, steers by it, merges and reports it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::bins::Bins;
use super::file::{Coverage, Covered};
use super::hits::Hits;
use super::rtl::Counter;
use super::run::{self, InProcess, Job, Runner};
use super::steer::case;
use super::until::{self, Limits};
use super::{html, report};
use crate::aftermath::Aftermath;
use crate::ci::interrupt::Interrupt;
use crate::ci::schedule::Schedule;
use crate::ci::{self, Failed, Shard};
use crate::commands::{Verdict, row, save_json, verdict};
use crate::failure::Failure;
use crate::output::{self, say};
use crate::regression::Plan;
use crate::replay::Running;
use crate::table;
use crate::target::{Target, Workshop};
use crate::triage::{self, Origin};

/// Options of `cosim random` that are about coverage.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// After some random cases make cases for the coverage bins that are not hit, until every bin is; --count limits the
    /// instructions. Exit code 1 when a bin is missing in the end
    #[arg(long, conflicts_with = "case")]
    pub until_covered: bool,
    /// Write the functional coverage of the run to this file (JSON)
    #[arg(long, value_name = "FILE")]
    pub coverage: Option<PathBuf>,
    /// Write a page with the functional coverage of the run to this file
    #[arg(long, value_name = "FILE")]
    pub coverage_html: Option<PathBuf>,
    /// Count the lines and toggles of the RTL, too, and write them to this folder, with the lines that were not reached
    ///
    /// Cases run in this process then: a crash ends the run.
    #[arg(long, value_name = "DIR", conflicts_with = "case")]
    pub rtl_coverage: Option<PathBuf>,
    /// With --case: the coverage bins that the case was made for, by number (12,40-43), as the report of a failure of
    /// --until-covered gives them
    #[arg(long, value_name = "LIST", requires = "case")]
    pub bins: Option<String>,
}

/// A run of which the coverage is wanted.
pub struct Wanted<'a> {
    /// Seed, instructions, threads.
    pub plan: Plan,
    /// What a CI job asks for.
    pub job: &'a ci::Options,
    /// The options.
    pub options: &'a Options,
    /// What to do with cases that fail, and how cases run.
    pub aftermath: &'a Aftermath<'a>,
}

impl Options {
    /// Whether any of them is given.
    pub fn asked(&self) -> bool {
        let files = [&self.coverage, &self.coverage_html, &self.rtl_coverage];
        self.until_covered || files.iter().any(|file| file.is_some())
    }
}

/// `cosim random --coverage`, `--until-covered`.
///
/// # Errors
/// For files that cannot be written, and options that do not go together.
pub fn random(targets: &[Target], wanted: &Wanted) -> Result<Verdict> {
    let Wanted { plan, job, options, .. } = wanted;
    let Options { until_covered, coverage: json, coverage_html: page, .. } = options;
    ensure!(plan.fault == 0, "--fault does not go with coverage: planted faults are in models of their own");
    let whole = job.shard == ci::schedule::Shard::WHOLE;
    ensure!(whole || !until_covered, "--shard does not go with --until-covered: give each job a seed of its own");
    job.reserve()?;
    json.iter().chain(page).try_for_each(|path| write(path, ""))?;
    let interrupt = Interrupt::watch()?;
    let start = Instant::now();
    let mut coverage = Coverage::default();
    let mut shards = Vec::new();
    for (i, target) in targets.iter().enumerate() {
        let bins = Arc::new(Bins::new(target));
        let deadline = job.deadline(start, targets.len() - i);
        let (shard, hits) = one(target, &bins, wanted, deadline, &interrupt)?;
        shards.push(shard);
        coverage.add(Covered { target: target.clone(), bins, hits });
    }
    say!("{}", table::summary(&shards.iter().map(row).collect::<Vec<_>>()))?;
    let reports = report::all(&coverage);
    for report in &reports {
        say!("\n{}", if *until_covered { report.text(false) } else { report.headline() })?;
    }
    json.iter().try_for_each(|path| coverage.write(path))?;
    page.iter().try_for_each(|path| write(path, &html::page(&coverage)))?;
    job.report(&shards)?;
    let refuted = reports.iter().any(|report| !report.refuted.is_empty());
    let missing = *until_covered && reports.iter().any(|report| !report.complete());
    Ok(match verdict(&shards, &interrupt)? {
        Verdict::Clean => Verdict::from(!refuted && !missing),
        other => other,
    })
}

/// One configuration, with the report of its first failing case.
fn one(
    target: &Target,
    bins: &Arc<Bins>,
    wanted: &Wanted,
    deadline: Option<Instant>,
    interrupt: &Interrupt,
) -> Result<(Shard, Hits)> {
    let Wanted { plan, job, options, aftermath } = wanted;
    let Plan { seed, instructions, jobs, .. } = *plan;
    let running = Running::new(target, aftermath.out)?;
    let start = Instant::now();
    let counter = options.rtl_coverage.is_some().then(|| Counter::new(target)).transpose()?;
    let runner = || -> Box<dyn Runner + '_> {
        if let Some(counter) = &counter {
            return Box::new(InProcess::new(target, bins, seed).recorded(&running).counting(counter));
        }
        let worker = aftermath.isolation.covered(target, seed, aftermath.out);
        Box::new(run::Isolated { target, bins: bins.clone(), seed, worker })
    };
    let covered = if options.until_covered {
        let limits = Limits { jobs, instructions, deadline, interrupt: interrupt.clone() };
        until::run(bins, &limits, runner, |round, hit, possible| {
            say!("{}: round {round}: {hit} of {possible} bins hit", target.name())
        })?
    } else {
        let schedule = Schedule::new(job.shard, plan.cases(), deadline, interrupt.clone());
        let bar = table::progress(target.name(), schedule.instructions());
        let covered = run::all(&schedule, jobs, runner, |done| bar.inc(done))?;
        bar.finish_and_clear();
        covered
    };
    let mut shard = Shard {
        config: target.name().to_owned(),
        shard: job.shard,
        seed,
        cases: covered.cases,
        counts: covered.counts,
        elapsed: start.elapsed(),
        stopped: covered.stopped,
        failures: Vec::new(),
    };
    say!("{}: seed {seed}, {} cases, stimulus {:016x}", shard.name(), shard.cases, covered.hash)?;
    if let Some((job, failure)) = &covered.failed {
        let text = failed(target, bins, seed, job, failure, aftermath)?;
        say!("\n{text}")?;
        let headline = crate::report::headline(&failure.cause);
        shard.failures.push(Failed { headline, again: again(target, seed, job), text, also: Vec::new() });
    }
    if let Some((counter, folder)) = counter.iter().zip(&options.rtl_coverage).next() {
        say!("{}", counter.write(target, folder)?)?;
    }
    let origin = |case| Origin { seed, case, fault: 0 };
    covered.all_failed.iter().try_for_each(|&case| running.done(origin(case)))?;
    running.close();
    Ok((shard, covered.hits))
}

/// The command that runs a case again.
fn again(target: &Target, seed: u64, job: &Job) -> String {
    let command = triage::command(target, Origin { seed, case: job.number, fault: 0 });
    if job.bins.is_empty() { command } else { format!("{command} --bins {}", ranges(&job.bins)) }
}

/// The report of a case that failed, with the command that runs it again.
fn failed(
    target: &Target,
    bins: &Arc<Bins>,
    seed: u64,
    job: &Job,
    failure: &Failure,
    aftermath: &Aftermath,
) -> Result<String> {
    let origin = Origin { seed, case: job.number, fault: 0 };
    let text = aftermath.of(target, origin, &job.case(target, bins, seed), failure)?;
    Ok(text.replace(&triage::command(target, origin), &again(target, seed, job)))
}

/// `cosim random --case N --bins LIST`: the case that `--until-covered` made for these bins, and what it hits.
///
/// # Errors
/// For a list that is not one, or names bins that there are not.
pub fn one_case(target: &Target, seed: u64, number: u64, list: &str, aftermath: &Aftermath) -> Result<bool> {
    let bins = Arc::new(Bins::new(target));
    let job = Job { number, bins: numbers(list, bins.len())? };
    let worker = aftermath.isolation.covered(target, seed, aftermath.out);
    let running = Running::new(target, aftermath.out)?;
    let done = run::Isolated { target, bins: bins.clone(), seed, worker }.run(&job)?;
    let hits = done.hits.unwrap_or_default();
    match &done.result {
        Ok(_) => {
            say!("{}: seed {seed}, case {number}, stimulus {:016x}: no mismatch", target.name(), done.hash)?;
            for &id in &job.bins {
                say!("  {:>6} hits of bin {id}, {}", hits.count(id), bins.name(id))?;
            }
        }
        Err(failure) => output::text(&failed(target, &bins, seed, &job, failure, aftermath)?)?,
    }
    running.done(Origin { seed, case: number, fault: 0 })?;
    running.close();
    Ok(done.result.is_ok())
}

/// Numbers as a list: `12,40-43`.
pub fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let text = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    parts.into_iter().map(text).collect::<Vec<_>>().join(",")
}

/// The numbers of a list as [`ranges`] writes it, all below `end`.
///
/// # Errors
/// For anything else.
pub fn numbers(list: &str, end: usize) -> Result<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number < end);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => numbers.extend(first..=last),
            _ => bail!("--bins: {part:?} is not allowed; allowed: bins 0 to {} as in 12,40-43", end - 1),
        }
    }
    ensure!(numbers.len() <= case::TARGETS, "--bins: a case is made for {} bins at most", case::TARGETS);
    Ok(numbers)
}

/// Options of `cosim coverage`.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Add up coverage files
    Merge {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the sum to this file
        #[arg(short, long)]
        out: PathBuf,
    },
    /// Report what a coverage file has hit, what is missing, and what cannot occur
    Report {
        /// The file
        file: PathBuf,
        /// Write the report as a page to this file
        #[arg(long)]
        html: Option<PathBuf>,
        /// Write the report as JSON to this file (- for standard output)
        #[arg(long)]
        json: Option<PathBuf>,
    },
}

/// `cosim coverage`.
///
/// # Errors
/// For files that cannot be read or written.
pub fn coverage(workshop: &Workshop, command: &Command) -> Result<bool> {
    match command {
        Command::Merge { files, out } => {
            let mut sum = Coverage::default();
            for file in files {
                sum.merge(Coverage::read(workshop, file)?);
            }
            sum.write(out)?;
            report::all(&sum).iter().try_for_each(|report| say!("{}", report.headline()))?;
            Ok(true)
        }
        Command::Report { file, html: page, json } => {
            let coverage = Coverage::read(workshop, file)?;
            let reports = report::all(&coverage);
            page.iter().try_for_each(|path| write(path, &html::page(&coverage)))?;
            match json {
                Some(path) => save_json(path, &reports)?,
                None => reports.iter().try_for_each(|report| say!("{}", report.text(true)))?,
            }
            Ok(reports.iter().all(|report| report.refuted.is_empty()))
        }
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
