// SPDX-License-Identifier: Apache-2.0
//! Runs the cases of a plan, or any case, in workers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::{Request, SelfTest, Worker};
use crate::failure::{Cause, Failure};
use crate::random::Case;
use crate::regression::{Done, Executor, Plan, without_state};
use crate::replay::{self, Identity};
use crate::target::Target;
use crate::triage::Origin;

/// How workers are started.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// This program.
    pub program: PathBuf,
    /// Time after which a case that gives no answer has crashed.
    pub watchdog: Duration,
    /// Crash on purpose.
    pub self_test: Option<SelfTest>,
}

impl Isolation {
    /// Workers of this very program.
    ///
    /// # Errors
    /// When its file is not to be found.
    pub fn new(watchdog: u64, self_test: Option<SelfTest>) -> Result<Isolation> {
        let program = std::env::current_exe().context("cannot find the file of this program")?;
        Ok(Isolation { program, watchdog: Duration::from_secs(watchdog), self_test })
    }

    /// A worker for replay files of this target, with faults planted or without.
    pub fn worker(&self, target: &Target, planted: bool) -> Worker {
        self.worker_with(target, planted, Vec::new())
    }

    /// A worker for the random cases of a plan; `out` is the folder for what they leave behind.
    pub fn random<'a>(&self, target: &'a Target, plan: &'a Plan, out: &Path) -> Isolated<'a> {
        let Plan { seed, fault, .. } = plan;
        let arguments = vec![format!("--seed={seed}"), format!("--fault={fault}"), format!("--out={}", out.display())];
        Isolated { target, plan, worker: self.worker_with(target, *fault != 0, arguments) }
    }

    /// A worker for cases of which the coverage is collected; `out` is the folder for what they leave behind.
    pub fn covered(&self, target: &Target, seed: u64, out: &Path) -> Worker {
        let arguments = vec![format!("--seed={seed}"), format!("--out={}", out.display())];
        self.worker_with(target, false, arguments)
    }

    fn worker_with(&self, target: &Target, planted: bool, mut arguments: Vec<String>) -> Worker {
        arguments.push(format!("--toml={}", target.rtl.to_toml()));
        arguments.push(format!("--rtl-digest={}", target.models.digest()));
        arguments.extend(target.models.port_only().then(|| "--port-only".to_owned()));
        arguments.extend(self.self_test.iter().map(|test| format!("--self-test={test}")));
        Worker::new(self.program.clone(), arguments, self.watchdog, target, planted)
    }
}

/// Runs random cases in a worker.
pub struct Isolated<'a> {
    target: &'a Target,
    plan: &'a Plan,
    worker: Worker,
}

impl Executor for Isolated<'_> {
    fn execute(&mut self, number: u64) -> Result<Done> {
        let crash = match self.worker.ask(&Request::Random(number))? {
            Ok(done) => return Ok(done),
            Err(crash) => crash,
        };
        let case = Case::new(self.target, self.plan.seed, number);
        let result = Err(without_state(Cause::Crash(crash)));
        Ok(Done { instructions: case.program.len() as u64, hash: case.hash(), result, hits: None })
    }
}

impl Worker {
    /// Runs a case; gives its failure, if it fails. Of a crash nothing but the cause is known.
    ///
    /// # Errors
    /// When no worker can be started.
    pub fn case(&mut self, identity: &Identity, origin: Origin, case: &Case) -> Result<Option<Box<Failure>>> {
        let text = replay::text(identity, origin, case)?;
        Ok(self.once(text, None)?.result.err())
    }

    /// Runs the case of a replay file; a crash is a failure like others, with the instruction where it happens.
    ///
    /// # Errors
    /// When no worker can be started, or the file cannot be replayed.
    pub fn replay(&mut self, text: String, wave: Option<PathBuf>) -> Result<Done> {
        let mut done = self.once(text.clone(), wave)?;
        if let Err(failure) = done.result {
            done.result = Err(self.track(text, failure)?);
        }
        Ok(done)
    }

    fn once(&mut self, text: String, wave: Option<PathBuf>) -> Result<Done> {
        Ok(match self.ask(&Request::Replay { text, wave })? {
            Ok(done) => done,
            Err(crash) => {
                Done { instructions: 0, hash: 0, result: Err(without_state(Cause::Crash(crash))), hits: None }
            }
        })
    }
}
