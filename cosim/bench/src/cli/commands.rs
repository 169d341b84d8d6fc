// SPDX-License-Identifier: Apache-2.0
//! What the subcommands of the program do. Each gives whether all was well; an error is bad usage or input.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::corpus;
use super::table::{Row, summary};
use crate::base::output::{self, say};
use crate::base::table;
use crate::case::replay::Replay;
use crate::cli::cases::{CaseOptions, Session};
use crate::cli::ci::Shard;
use crate::cli::coverage;
use crate::cli::program::{self, Program};
use crate::cli::verdict::{Verdict, row, verdict};
use crate::decode;
use crate::decode::{Columns, MatrixRow, TensorRow};
use crate::lockstep::Counts;
use crate::run::interrupt::Interrupt;
use crate::run::regression::Plan;
use crate::run::schedule;
use crate::run::worker::{Isolation, Worker};
use crate::triage::aftermath::Aftermath;
use crate::triage::report;
use crate::unit::ModelKind;
use crate::unit::target::{RtlOptions, Target, Workshop, make_all};

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
        output::save(path, &outcome.l0m)?;
    }
    match &options.json {
        Some(path) => output::save_json(path, &outcome.report)?,
        None => {
            output::text(&golden::run::summary(&outcome.report, &target.golden))?;
            let Counts { cycles, compared, .. } = outcome.counts;
            say!("{cycles} cycles, {compared} instructions compared, no mismatch")?;
        }
    }
    Ok(true)
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
    say!("{}", summary(&rows))?;
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
    let paths = corpus::list(folder)?;
    let mut workers: BTreeMap<&str, Worker> = BTreeMap::new();
    let mut rows: Vec<(Row, u64)> = Vec::new();
    for path in &paths {
        let start = Instant::now();
        let replay = Replay::load(workshop, path)?;
        let Some(target) = targets.iter().find(|target| target.rtl == replay.target.rtl) else { continue };
        let name = target.name();
        let worker = workers.entry(name).or_insert_with(|| isolation.worker(target, false));
        let result = corpus::run(worker, path)?;
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
    let interrupt = Interrupt::watch()?;
    let mut rows = run_programs(&options.programs, &targets)?;
    rows.extend(run_replays(&workshop, &options.replays, &targets, &isolation)?);
    let session = Session {
        plan: Plan { seed: options.seed, instructions: options.count, jobs: options.jobs, fault: 0 },
        shard: schedule::Shard::WHOLE,
        max_failures: 1,
        coverage: &coverage::Options::default(),
        aftermath: &aftermath,
        interrupt: &interrupt,
    };
    let run = |target| Ok(session.run(target, None)?.0);
    let shards: Vec<Shard> = targets.iter().map(run).collect::<Result<_>>()?;
    rows.extend(shards.iter().map(row));
    say!("\n{}", summary(&rows))?;
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
    for fault in crate::unit::fault_table::FAULTS {
        table.add_row([fault.id.to_string(), fault.file.to_owned(), fault.description.to_owned()]);
    }
    say!("{table}")?;
    for misfit in workshop.with_faults()?.models.faults_not_planted()? {
        say!("NOT PLANTED: {misfit}")?;
    }
    Ok(true)
}
