// SPDX-License-Identifier: Apache-2.0
//! What the subcommands of the program do. Each gives whether all was well; an error is bad usage or input.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::aftermath::Aftermath;
use crate::ci::interrupt::Interrupt;
use crate::ci::schedule::Schedule;
use crate::ci::{self, Failed, Shard};
use crate::coverage::commands as coverage;
use crate::decode::{Columns, MatrixRow, TensorRow};
use crate::lockstep::Counts;
use crate::output::{self, say};
use crate::program::{self, Program};
use crate::random::Case;
use crate::regression::{self, Executor, FailedCase, Plan, fast_kind};
use crate::replay::{self, Replay, Running};
use crate::shrink::{Budget, Signature};
use crate::table::{self, Row};
use crate::target::{RtlOptions, Target, Workshop, make_all};
use crate::triage::{self, Origin};
use crate::unit::ModelKind;
use crate::worker::{Isolation, SelfTest, Worker};
use crate::{decode, report};

/// Options of `cosim run`.
#[derive(Debug, clap::Args)]
pub struct RunOptions {
    /// Program in assembly language
    pub program: PathBuf,
    /// Configuration: a name, or a file NAME.toml
    #[arg(long, default_value = "w16")]
    pub config: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
    /// Raw bytes for L1M, from address 0
    #[arg(long)]
    pub l1m: Option<PathBuf>,
    /// Raw bytes for L0M, from address 0
    #[arg(long)]
    pub l0m: Option<PathBuf>,
    /// Write all of L0M to this file after the run
    #[arg(long)]
    pub dump_l0m: Option<PathBuf>,
    /// Write the state, read out of the RTL, as JSON to this file (- for standard output)
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Write a waveform to this file (FST)
    #[arg(long)]
    pub wave: Option<PathBuf>,
    /// Stall every port at random; without it nothing stalls
    #[arg(long)]
    pub stall_seed: Option<u64>,
}

/// `cosim run`.
///
/// # Errors
/// For files that cannot be read, assembled or written.
pub fn run(workshop: &Workshop, options: &RunOptions) -> Result<bool> {
    let target = workshop.with(&options.rtl)?.target(&options.config)?;
    let mut program = Program::read(&target, &options.program, options.l1m.as_deref(), options.l0m.as_deref())?;
    target.models.make(if options.wave.is_some() { ModelKind::Traced } else { ModelKind::Fast })?;
    if let Some(seed) = options.stall_seed {
        program.stall(seed);
    }
    let outcome = match program.run(&target, options.wave.as_deref()) {
        Ok(outcome) => outcome,
        Err(failure) => {
            output::text(&report::text(&target, &failure))?;
            say!("  again    {}", std::env::args().collect::<Vec<_>>().join(" "))?;
            return Ok(false);
        }
    };
    if let Some(path) = &options.dump_l0m {
        save(path, &outcome.l0m)?;
    }
    match &options.json {
        Some(path) => save_json(path, &outcome.report)?,
        None => {
            output::text(&golden::run::summary(&outcome.report, &target.golden))?;
            let Counts { cycles, compared, .. } = outcome.counts;
            say!("{cycles} cycles, {compared} instructions compared, no mismatch")?;
        }
    }
    Ok(true)
}

/// Options of `cosim random`.
#[derive(Debug, clap::Args)]
pub struct RandomOptions {
    /// Configuration: a name or a file NAME.toml, several with commas between them, or all that have a name
    #[arg(long, default_value = "w16")]
    pub config: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
    /// Seed: the same one gives the same stimulus everywhere
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Instructions for each configuration, rounded up to whole cases of 256 [default: 20000; with --for or
    /// --until-covered, no limit]
    #[arg(long)]
    pub count: Option<u64>,
    /// Run only this case of the seed
    #[arg(long)]
    pub case: Option<u64>,
    /// Threads
    #[arg(long, default_value_t = table::processors())]
    pub jobs: usize,
    /// Activate this planted fault (see `cosim faults`); in tiny all instruction sets are on then
    #[arg(long, default_value_t = 0)]
    pub fault: u32,
    /// Folder for what a failing case leaves behind
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub job: ci::Options,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub cases: CaseOptions,
    /// Functional coverage
    #[command(flatten)]
    pub coverage: coverage::Options,
}

/// How cases run, and what is done about those that fail.
#[derive(Debug, clap::Args)]
pub struct CaseOptions {
    /// Seconds without an answer after which a case has crashed
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub watchdog: u64,
    /// Leave failing cases as large as they are
    #[arg(long)]
    pub no_shrink: bool,
    /// End the process of a case on purpose, to prove that this is reported: HOW:MNEMONIC
    #[arg(long, hide = true)]
    pub self_test: Option<SelfTest>,
}

impl CaseOptions {
    fn isolation(&self) -> Result<Isolation> {
        Isolation::new(self.watchdog, self.self_test.clone())
    }

    fn budget(&self) -> Option<Budget> {
        (!self.no_shrink).then(Budget::default)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No difference.
    Clean,
    /// A difference, a hang, a crash or a broken rule.
    Different,
    /// No difference up to this signal.
    Interrupted(i32),
}

impl From<bool> for Verdict {
    fn from(clean: bool) -> Verdict {
        if clean { Verdict::Clean } else { Verdict::Different }
    }
}

/// Instructions for each configuration when neither a number nor a time is given.
const COUNT: u64 = 20_000;

/// `cosim random`.
///
/// # Errors
/// For an unknown configuration or fault, and files that cannot be written.
pub fn random(workshop: &Workshop, options: &RandomOptions) -> Result<Verdict> {
    let workshop = workshop.with(&options.rtl)?;
    let RandomOptions { seed, jobs, fault, job, .. } = options;
    let (seed, jobs, fault) = (*seed, *jobs, *fault);
    let mut targets = workshop.targets(&options.config)?;
    if fault != 0 {
        ensure!(targets.len() == 1, "--fault needs one configuration");
        targets = vec![workshop.with_fault(&options.config, fault)?];
    }
    let isolation = options.cases.isolation()?;
    let aftermath = Aftermath { out: &options.out, isolation: &isolation, budget: options.cases.budget() };
    if let Some(number) = options.case {
        ensure!(targets.len() == 1, "--case needs one configuration");
        if let Some(bins) = &options.coverage.bins {
            ensure!(fault == 0, "--fault does not go with --bins");
            return coverage::one_case(&targets[0], seed, number, bins, &aftermath).map(Verdict::from);
        }
        return one_case(&targets[0], Origin { seed, case: number, fault }, &aftermath).map(Verdict::from);
    }
    let limited = job.time.is_none() && !options.coverage.until_covered;
    let instructions = options.count.unwrap_or(if limited { COUNT } else { u64::MAX });
    ensure!(instructions > 0, "--count is 0; allowed: 1 and more");
    let plan = Plan { seed, instructions, jobs, fault };
    make_all(&targets, if options.coverage.rtl_coverage.is_some() { ModelKind::Covered } else { fast_kind(fault) })?;
    if options.coverage.asked() {
        ensure!(
            job.max_failures == 1,
            "--max-failures does not go with coverage: there the first failure ends the run"
        );
        return coverage::random(
            &targets,
            &coverage::Wanted { plan, job, options: &options.coverage, aftermath: &aftermath },
        );
    }
    job.reserve()?;
    let interrupt = Interrupt::watch()?;
    let start = Instant::now();
    let mut shards = Vec::new();
    for (i, target) in targets.iter().enumerate() {
        let deadline = job.deadline(start, targets.len() - i);
        let schedule = Schedule::new(job.shard, plan.cases(), deadline, interrupt.clone())
            .with_failures(usize::from(job.max_failures));
        shards.push(regress_one(target, &plan, &schedule, &aftermath)?);
    }
    say!("{}", table::summary(&shards.iter().map(row).collect::<Vec<_>>()))?;
    job.report(&shards)?;
    verdict(&shards, &interrupt)
}

/// How all shards together ended.
///
/// # Errors
/// When standard output cannot be written.
pub fn verdict(shards: &[Shard], interrupt: &Interrupt) -> Result<Verdict> {
    Ok(match interrupt.signal() {
        _ if shards.iter().any(|shard| !shard.failures.is_empty()) => Verdict::Different,
        Some(signal) => {
            say!("interrupted: the table has what was run until then")?;
            Verdict::Interrupted(signal)
        }
        None => Verdict::Clean,
    })
}

/// The line of a shard in the table.
pub fn row(shard: &Shard) -> Row {
    let Shard { counts, elapsed, .. } = shard;
    let failures = shard.failed_cases();
    Row { config: shard.name(), what: "random".into(), counts: *counts, failures, elapsed: *elapsed }
}

fn one_case(target: &Target, origin: Origin, aftermath: &Aftermath) -> Result<bool> {
    let case = Case::new(target, origin.seed, origin.case);
    let Origin { seed, case: number, fault } = origin;
    let plan = Plan { seed, instructions: 0, jobs: 1, fault };
    let done = aftermath.isolation.random(target, &plan, aftermath.out).execute(number)?;
    let running = Running::new(target, aftermath.out)?;
    let passed = match done.result {
        Ok(counts) => {
            let Counts { retired, cycles, .. } = counts;
            let (config, hash) = (target.name(), case.hash());
            say!(
                "{config}: seed {seed}, case {number}, stimulus {hash:016x}: {retired} instructions, {cycles} cycles, no mismatch"
            )?;
            true
        }
        Err(failure) => {
            output::text(&aftermath.of(target, origin, &case, &failure)?)?;
            false
        }
    };
    running.done(origin)?;
    running.close();
    Ok(passed)
}

/// A regression of one configuration, with its progress and, when a case fails, its report.
fn regress_one(target: &Target, plan: &Plan, schedule: &Schedule, aftermath: &Aftermath) -> Result<Shard> {
    let bar = table::progress(target.name(), schedule.instructions());
    let executor = || Ok(aftermath.isolation.random(target, plan, aftermath.out));
    let running = Running::new(target, aftermath.out)?;
    let summary = regression::run_with(plan.jobs, schedule, executor, |done| bar.inc(done))?;
    bar.finish_and_clear();
    let (seed, cases) = (plan.seed, summary.cases);
    let mut shard = Shard {
        config: target.name().to_owned(),
        shard: schedule.shard(),
        seed,
        cases,
        counts: summary.counts,
        elapsed: summary.elapsed,
        stopped: summary.stopped,
        failures: Vec::new(),
    };
    say!("{}: seed {seed}, {cases} cases, stimulus {:016x}", shard.name(), summary.hash)?;
    let origin = |case| Origin { seed, case, fault: plan.fault };
    let mut seen: Vec<Signature> = Vec::new();
    for FailedCase { case: number, failure } in summary.failed.iter().chain(&summary.more_failed) {
        let signature = Signature::of(target, failure);
        if let Some(known) = seen.iter().position(|known| *known == signature) {
            shard.failures[known].also.push(*number);
            continue;
        }
        let case = Case::new(target, seed, *number);
        let text = aftermath.of(target, origin(*number), &case, failure)?;
        say!("\n{text}")?;
        let (headline, again) = (report::headline(&failure.cause), triage::command(target, origin(*number)));
        shard.failures.push(Failed { headline, again, text, also: Vec::new() });
        seen.push(signature);
    }
    for (signature, failed) in seen.iter().zip(&shard.failures).filter(|(_, failed)| !failed.also.is_empty()) {
        say!("{}: {signature}{}", shard.name(), failed.also())?;
    }
    summary.all_failed.iter().try_for_each(|&case| running.done(origin(case)))?;
    running.close();
    Ok(shard)
}

/// Options of `cosim programs`. A program with the line `# needs matrix` is run where there is the matrix instruction
/// set.
#[derive(Debug, clap::Args)]
pub struct ProgramsOptions {
    /// Folder with programs (*.s), searched with all its subfolders
    pub folder: PathBuf,
    /// Configuration: a name or a file NAME.toml, several with commas between them, or all that have a name
    #[arg(long, default_value = "all")]
    pub config: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
}

/// `cosim programs`.
///
/// # Errors
/// For files that cannot be read or assembled.
pub fn programs(workshop: &Workshop, options: &ProgramsOptions) -> Result<bool> {
    let targets = workshop.with(&options.rtl)?.targets(&options.config)?;
    make_all(&targets, ModelKind::Fast)?;
    let rows = run_programs(&options.folder, &targets)?;
    say!("{}", table::summary(&rows))?;
    Ok(rows.iter().all(|row| row.failures == 0))
}

fn run_programs(folder: &Path, targets: &[Target]) -> Result<Vec<Row>> {
    let paths = program::list(folder)?;
    let bar = table::progress("programs", (paths.len() * targets.len()) as u64);
    let rows = targets.iter().map(|target| programs_of(target, &paths, &bar)).collect();
    bar.finish_and_clear();
    rows
}

fn programs_of(target: &Target, paths: &[PathBuf], bar: &table::Progress) -> Result<Row> {
    let start = Instant::now();
    let (mut counts, mut failures, mut ran) = (Counts::default(), 0, 0);
    for path in paths {
        bar.inc(1);
        if !program::runs_on(target, path)? {
            continue;
        }
        ran += 1;
        match program::run_with_files(target, path)? {
            Ok(outcome) => counts.add(&outcome.counts),
            Err(text) => {
                failures += 1;
                say!("{}\n{text}  again    cosim programs {0} {}\n", path.display(), target.selection)?;
            }
        }
    }
    let what = format!("{ran} programs");
    Ok(Row { config: target.name().into(), what, counts, failures, elapsed: start.elapsed() })
}

/// Runs the replay files of a folder, each on its own configuration; one row for each configuration that has some.
fn run_replays(workshop: &Workshop, folder: &Path, targets: &[Target], isolation: &Isolation) -> Result<Vec<Row>> {
    let paths = replay::corpus::list(folder)?;
    let mut workers: BTreeMap<&str, Worker> = BTreeMap::new();
    let mut rows: Vec<(Row, u64)> = Vec::new();
    for path in &paths {
        let start = Instant::now();
        let replay = Replay::load(workshop, path)?;
        let Some(target) = targets.iter().find(|target| target.rtl == replay.target.rtl) else { continue };
        let name = target.name();
        let worker = workers.entry(name).or_insert_with(|| isolation.worker(target, false));
        let result = replay::corpus::run(worker, path)?;
        let (mut counts, mut failures) = (Counts::default(), 0);
        match result {
            Ok(run) => counts.add(&run),
            Err(failure) => {
                failures = 1;
                let (path, text) = (path.display(), report::text(&replay.target, &failure));
                say!("{path}\n{text}  again    cosim replay {path}\n")?;
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

/// Options of `cosim regress`.
#[derive(Debug, clap::Args)]
pub struct RegressOptions {
    /// Folder with programs (*.s)
    #[arg(long, default_value = "tests/programs")]
    pub programs: PathBuf,
    /// Folder with replay files (*.json) that must pass
    #[arg(long, default_value = "tests/regressions")]
    pub replays: PathBuf,
    /// Configuration: a name or a file NAME.toml, several with commas between them, or all that have a name
    #[arg(long, default_value = "all")]
    pub config: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
    /// Seed of the random part
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Random instructions for each configuration, rounded up to whole cases of 256
    #[arg(long, default_value_t = 20_000)]
    pub count: u64,
    /// Threads
    #[arg(long, default_value_t = table::processors())]
    pub jobs: usize,
    /// Folder for what a failing case leaves behind
    #[arg(long, default_value = "failures")]
    pub out: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub cases: CaseOptions,
}

/// `cosim regress`.
///
/// # Errors
/// For files that cannot be read, assembled or written.
pub fn regress(workshop: &Workshop, options: &RegressOptions) -> Result<Verdict> {
    let workshop = workshop.with(&options.rtl)?;
    let targets = workshop.targets(&options.config)?;
    make_all(&targets, ModelKind::Fast)?;
    let isolation = options.cases.isolation()?;
    let aftermath = Aftermath { out: &options.out, isolation: &isolation, budget: options.cases.budget() };
    let plan = Plan { seed: options.seed, instructions: options.count, jobs: options.jobs, fault: 0 };
    let interrupt = Interrupt::watch()?;
    let mut rows = run_programs(&options.programs, &targets)?;
    rows.extend(run_replays(&workshop, &options.replays, &targets, &isolation)?);
    let mut shards = Vec::new();
    for target in &targets {
        let schedule = Schedule::new(ci::schedule::Shard::WHOLE, plan.cases(), None, interrupt.clone());
        shards.push(regress_one(target, &plan, &schedule, &aftermath)?);
    }
    rows.extend(shards.iter().map(row));
    say!("\n{}", table::summary(&rows))?;
    let failures: u64 = rows.iter().map(|row| row.failures).sum();
    say!("\n{}", if failures == 0 { "no mismatch".to_owned() } else { format!("{failures} FAILED") })?;
    if failures == 0 { verdict(&shards, &interrupt) } else { Ok(Verdict::Different) }
}

/// Options of `cosim decode`.
#[derive(Debug, clap::Args)]
pub struct DecodeOptions {
    /// Configuration: a name, or a file NAME.toml
    #[arg(long, default_value = "w16")]
    pub config: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rtl: RtlOptions,
}

/// `cosim decode`.
///
/// # Errors
/// For an unknown configuration.
pub fn decode_sweep(workshop: &Workshop, options: &DecodeOptions) -> Result<bool> {
    let target = workshop.with(&options.rtl)?.target(&options.config)?;
    let mut clean = decode_family::<TensorRow>(&target)?;
    if target.golden.matrix.is_some() {
        clean &= decode_family::<MatrixRow>(&target)?;
    }
    Ok(clean)
}

fn decode_family<R: Columns>(target: &Target) -> Result<bool> {
    let bar = table::progress("decode", decode::WORDS.into());
    let sweep = decode::compare::<R>(target, |done| bar.inc(done))?;
    bar.finish_and_clear();
    for difference in &sweep.first {
        say!("MISMATCH: decode of {:#010x}", difference.word)?;
        say!("  RTL      {:?}\n  model    {:?}", difference.rtl, difference.model)?;
    }
    let decode::Sweep { compared, different, counts, .. } = sweep;
    say!("{}, {}: {compared} words, every column compared, {different} decoded differently", target.name(), R::FAMILY)?;
    for (kind, count) in counts {
        say!("  {count:>8} {kind}")?;
    }
    Ok(different == 0)
}

/// `cosim faults`.
///
/// # Errors
/// When the list cannot be written.
pub fn faults(workshop: &Workshop) -> Result<bool> {
    let mut table = table::table(&["fault", "file", "what is wrong"], 3);
    for fault in crate::fault_table::FAULTS {
        table.add_row([fault.id.to_string(), fault.file.to_owned(), fault.description.to_owned()]);
    }
    say!("{table}")?;
    for misfit in workshop.with_faults()?.models.faults_not_planted()? {
        say!("NOT PLANTED: {misfit}")?;
    }
    Ok(true)
}

/// Writes `value` to a file, or to standard output when its name is `-`.
pub fn save_json<T: serde::Serialize>(path: &Path, value: &T) -> Result<()> {
    let text = serde_json::to_string(value)? + "\n";
    if path == Path::new("-") {
        return output::text(&text);
    }
    save(path, text.as_bytes())
}

fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
