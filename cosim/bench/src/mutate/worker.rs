// SPDX-License-Identifier: Apache-2.0
//! A process of its own that runs mutants: what crashes or never ends takes only this process with it.
//!
//! It reads one task per line (JSON) and answers each with one line.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rtl_config::Config;
use serde::{Deserialize, Serialize};

use crate::base::{output, parallel};
use crate::case::Case;
use crate::coverage::bins::Bins;
use crate::lockstep::Counts;
use crate::lockstep::failure::{Cause, Failure, Mismatch};
use crate::run::Cases;
use crate::run::executor::run_case;
use crate::run::worker::requests;
use crate::unit::ModelKind;
use crate::unit::library::Library;
use crate::unit::target::{Target, Workshop};

/// Random cases that a worker keeps for the next mutant, beside those before them.
const KEPT_CASES: u64 = 64;

/// Options of the worker process.
#[derive(Debug, clap::Args)]
pub struct MutantWorkerOptions {
    /// Library with the mutants
    library: PathBuf,
    /// Configuration, as the text of a file
    #[arg(long)]
    toml: String,
    /// Seed of the stimulus
    #[arg(long)]
    seed: u64,
    /// The first cases: a list of jobs (JSON). Random ones follow
    #[arg(long)]
    jobs: PathBuf,
}

/// What a worker is asked to do.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Task {
    /// Number of the mutant.
    pub mutant: u32,
    /// Cases to run, unless one fails before.
    pub first: u64,
    /// End of the cases.
    pub end: u64,
}

/// How a mutant was told from the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kill {
    /// RTL and model disagree about the trap of an instruction.
    Trap,
    /// About a CSR or a host register.
    Csr,
    /// About a tensor register.
    Register,
    /// About L0M.
    Store,
    /// About the order of results, their number or the instruction.
    Order,
    /// Nothing retires any more.
    Hang,
    /// A rule of a memory port is broken.
    Port,
    /// A rule of the issue or the result port is broken.
    Protocol,
    /// The RTL failed: an assertion, or logic that does not settle.
    Rtl,
    /// The process ended.
    Crash,
    /// The process had to be ended.
    Endless,
}

impl Kill {
    fn of(failure: &Failure) -> Kill {
        match &failure.cause {
            Cause::Mismatch(mismatch) => match mismatch {
                Mismatch::Trap { .. } | Mismatch::Killed { .. } => Kill::Trap,
                Mismatch::Csr { .. } | Mismatch::Meaning { .. } | Mismatch::Gpr { .. } | Mismatch::X { .. } => {
                    Kill::Csr
                }
                Mismatch::Destinations { .. } | Mismatch::Register { .. } => Kill::Register,
                Mismatch::StoreSet { .. }
                | Mismatch::StoreValue { .. }
                | Mismatch::StrayWrite { .. }
                | Mismatch::L0m { .. } => Kill::Store,
                _ => Kill::Order,
            },
            Cause::Hang { .. } => Kill::Hang,
            Cause::Port(_) => Kill::Port,
            Cause::Protocol(_) => Kill::Protocol,
            Cause::Rtl(_) => Kill::Rtl,
            Cause::Crash(_) => Kill::Crash,
        }
    }

    /// It stopped retiring, or ending.
    pub fn hangs(self) -> bool {
        matches!(self, Kill::Hang | Kill::Endless)
    }
}

/// What running a mutant gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// How it was told from the unit; `None` when it was not.
    pub killed: Option<Kill>,
    /// The case that told, or the number of cases that did not.
    pub case: u64,
    /// Instructions of the programs up to the failure.
    pub instructions: u64,
    /// The first case that took another number of clock cycles than without the mutant.
    pub timing: Option<u64>,
}

/// The worker process.
///
/// # Errors
/// When the library cannot be used.
pub fn work(options: &MutantWorkerOptions) -> Result<bool> {
    let config = Config::from_toml(&options.toml)?;
    // Nothing here depends on the text of the RTL.
    let target = Workshop::elsewhere(&config, 0, false).of(config)?;
    target.models.made_elsewhere(ModelKind::Mutants, &options.library);
    let jobs = super::plan::read(&options.jobs)?;
    let maker = Cases::new(&target, options.seed, 0).covering(&Arc::new(Bins::new(&target)));
    let mut cases: BTreeMap<u64, Case> = BTreeMap::new();
    let mut known_cycles: BTreeMap<u64, u64> = BTreeMap::new();
    for line in requests()? {
        let task: Task = serde_json::from_str(&line).context("a task that is not understood")?;
        let mut answer = Answer { killed: None, case: task.first, instructions: 0, timing: None };
        let mut unit_cycles = |number, case: &Case| match known_cycles.entry(number) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(unknown) => {
                let counts = run(&target, case, 0).ok()?;
                Some(*unknown.insert(counts.cycles))
            }
        };
        while answer.killed.is_none() && answer.case < task.end {
            let number = answer.case;
            let case = cases.entry(number).or_insert_with(|| maker.case(&super::plan::job(&jobs, number)));
            match run(&target, case, task.mutant) {
                Ok(counts) => {
                    answer.instructions += counts.retired;
                    answer.case = number + 1;
                    if answer.timing.is_none() && unit_cycles(number, case) != Some(counts.cycles) {
                        answer.timing = Some(number);
                    }
                }
                Err(failure) => {
                    answer.killed = Some(Kill::of(&failure));
                    answer.instructions += failure.at.map_or(case.program.len() as u64, |(_, _, index)| index + 1);
                }
            }
            cases.retain(|&number, _| number < jobs.len() as u64 + KEPT_CASES);
        }
        output::text(&(serde_json::to_string(&answer)? + "\n"))?;
    }
    Ok(true)
}

fn run(target: &Target, case: &Case, mutant: u32) -> Result<Counts, Box<Failure>> {
    run_case(target, case, ModelKind::Mutants, mutant, |_| Ok(()))
}

/// A worker process, as its owner sees it.
pub struct Worker {
    child: Child,
    tasks: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    /// Starts one.
    ///
    /// # Errors
    /// When the library cannot be loaded or the process cannot be started.
    pub fn start(target: &Target, library: &Path, jobs: &Path, seed: u64) -> Result<Worker> {
        // One that cannot be loaded would look like a mutant that ends its process.
        Library::load(library)?;
        let program = std::env::current_exe().context("this program has no file")?;
        let mut command = Command::new(program);
        command
            .arg("mutate-worker")
            .arg(library)
            .arg(format!("--toml={}", target.rtl.to_toml()))
            .args(["--seed", &seed.to_string(), "--jobs"])
            .arg(jobs);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("cannot start a worker")?;
        let (tasks, output) = (child.stdin.take(), child.stdout.take());
        let (tasks, output) = tasks.zip(output).context("a worker has no pipes")?;
        let (sender, answers) = channel();
        parallel::alone(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Worker { child, tasks, answers })
    }

    /// Runs a task; a worker that crashed or was ended gives [`Kill::Crash`] or [`Kill::Endless`] and is of no more
    /// use.
    ///
    /// # Errors
    /// When the answer is not understood.
    pub fn run(&mut self, task: Task, limit: Duration) -> Result<(Answer, Duration)> {
        let start = Instant::now();
        let lost = |killed| Answer { killed: Some(killed), case: task.first, instructions: 0, timing: None };
        if writeln!(self.tasks, "{}", serde_json::to_string(&task)?).is_err() {
            return Ok((lost(Kill::Crash), start.elapsed()));
        }
        let answer = match self.answers.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line).context("a worker's answer is not understood")?,
            Err(RecvTimeoutError::Timeout) => lost(Kill::Endless),
            Err(RecvTimeoutError::Disconnected) => lost(Kill::Crash),
        };
        Ok((answer, start.elapsed()))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
