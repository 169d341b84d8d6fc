// SPDX-License-Identifier: Apache-2.0
//! Runs cases in workers.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use super::parent::Worker;
use super::request::Request;
use crate::case::Case;
use crate::case::Origin;
use crate::case::replay::{self, Identity};
use crate::lockstep::failure::Failure;
use crate::run::SelfTest;
use crate::run::executor::done;
use crate::run::{Cases, Done, Job};
use crate::search::Budget;
use crate::unit::target::Target;

#[derive(Clone, Debug)]
pub struct Isolation {
    /// Time after which a case that gives no answer has crashed.
    pub watchdog: Duration,
    pub self_test: Option<SelfTest>,
}

impl Isolation {
    /// Workers of this very program.
    pub fn new(watchdog: u64, self_test: Option<SelfTest>) -> Isolation {
        Isolation { watchdog: Duration::from_secs(watchdog), self_test }
    }

    /// How much a failing case is made smaller.
    pub fn budget(&self) -> Budget {
        Budget::with_watchdog(self.watchdog)
    }

    /// A worker for replay files of this target, with faults planted or without.
    pub fn worker(&self, target: &Target, planted: bool) -> Worker {
        self.worker_with(target, planted, Vec::new())
    }

    /// Runs these cases in a worker: a crash is a failure of the case.
    pub fn executor<'a>(&self, cases: &Cases<'a>) -> impl FnMut(&Job) -> Result<Done> + use<'a> {
        let Cases { target, seed, .. } = *cases;
        let mut arguments = vec![format!("--seed={seed}")];
        arguments.extend(cases.faults().iter().map(|fault| format!("--fault={fault}")));
        arguments.extend(cases.bins.is_some().then(|| "--coverage".to_owned()));
        let mut worker = self.worker_with(target, !cases.faults().is_empty(), arguments);
        let cases = cases.clone();
        move |job| {
            let answer = worker.ask(&Request::Job(job.clone()))?;
            Ok(answer.unwrap_or_else(|crash| done(&cases.case(job), Err(worker.crashed(crash)))))
        }
    }

    fn worker_with(&self, target: &Target, planted: bool, mut arguments: Vec<String>) -> Worker {
        arguments.push(format!("--toml={}", target.rtl.to_toml()));
        arguments.push(format!("--rtl-digest={}", target.models.digest()));
        arguments.extend(target.models.port_only().then(|| "--port-only".to_owned()));
        arguments.extend(self.self_test.iter().map(|test| format!("--self-test={test}")));
        Worker::new(arguments, self.watchdog, target, planted)
    }
}

impl Worker {
    /// Runs a case; gives its failure, if it fails. Of a crash nothing but the cause is known.
    pub fn case(&mut self, identity: &Identity, origin: Origin, case: &Case) -> Result<Option<Box<Failure>>> {
        let text = replay::text(identity, origin, case)?;
        Ok(self.once(text, None)?.result.err())
    }

    /// Runs the case of a replay file; a crash is a failure like others, with the instruction where it happens.
    pub fn replay(&mut self, text: String, wave: Option<PathBuf>) -> Result<Done> {
        let mut done = self.once(text.clone(), wave)?;
        if let Err(failure) = done.result {
            done.result = Err(self.track(text, failure)?);
        }
        Ok(done)
    }

    fn once(&mut self, text: String, wave: Option<PathBuf>) -> Result<Done> {
        let answer = self.ask(&Request::Replay { text, wave })?;
        Ok(answer.unwrap_or_else(|crash| Done { instructions: 0, hash: 0, result: Err(self.crashed(crash)) }))
    }
}
