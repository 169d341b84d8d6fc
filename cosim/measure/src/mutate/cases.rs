// SPDX-License-Identifier: Apache-2.0
//! The cases that mutants are run on: a few random ones, one for every coverage bin, then random ones again. Each
//! mutant runs in worker processes of its own, as a planted fault does: one that crashes or hangs takes no other with
//! it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use cosim_harness::mutate::{CASE_LIMIT, Outcome, Runner, Stage};

use crate::cases::closing::Limits;
use crate::coverage::bins::Bins;
use crate::lockstep::failure::{Cause, Failure, Mismatch};
use crate::run::until;
use crate::run::worker::Isolation;
use crate::run::{Cases, InProcess, Job, Passed};
use crate::unit::ModelKind;
use crate::unit::target::Target;

/// The cases of a configuration and a seed, and the model that they run on.
pub struct CasesOfBench {
    target: Target,
    isolation: Isolation,
    seed: u64,
    random: u64,
    bins: Arc<Bins>,
    /// One case for every bin, with numbers that follow each other.
    steered: Vec<Job>,
}

impl CasesOfBench {
    /// Makes the cases for every bin, on the unit without a mutant, as `cosim random --until-covered` does. `target` is
    /// for this alone: `library` becomes its model with planted faults.
    pub fn new(target: Target, library: &Path, [seed, random]: [u64; 2], jobs: usize) -> Result<CasesOfBench> {
        target.models.get(ModelKind::Fast)?;
        let bins = Arc::new(Bins::new(&target));
        let steered = Mutex::new(Vec::new());
        let limits = Limits { jobs, ..Limits::default() };
        let executor = || {
            let cases = InProcess::new(Cases::new(&target, seed, 0).covering(&bins));
            let steered = &steered;
            Ok(move |job: &Job| {
                if !job.bins.is_empty() {
                    steered.lock().unwrap_or_else(PoisonError::into_inner).push(job.clone());
                }
                cases.execute(job)
            })
        };
        let sum = until::run(&bins, u64::MAX, limits, executor, None)?;
        if let Some(failed) = sum.failures().next() {
            bail!("the unit without a mutant fails in case {} of seed {seed}", failed.job.number);
        }
        let mut steered = steered.into_inner().unwrap_or_else(PoisonError::into_inner);
        steered.sort_by_key(|job: &Job| job.number);
        target.models.made_elsewhere(ModelKind::Faults, library);
        Ok(CasesOfBench { target, isolation: Isolation::new(CASE_LIMIT, None), seed, random, bins, steered })
    }

    fn part(
        &self,
        cases: &Cases,
        range: [u64; 2],
        job: impl Fn(u64) -> Job + Sync,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let executor = || Ok(self.isolation.executor(cases));
        let by = |failure: &Failure| by(failure).to_owned();
        outcome.run(range, job, executor, |passed: &Passed| passed.counts.cycles, by)
    }
}

impl Runner for CasesOfBench {
    fn run(&self, mutant: u32, stage: Stage) -> Result<Outcome> {
        let cases = Cases::new(&self.target, self.seed, mutant);
        let mut outcome = Outcome::default();
        let random = stage.random_cases(self.random);
        let steered = self.steered.first().filter(|_| stage == Stage::Rest && random[0] < random[1]);
        if let Some(start) = steered.map(|job| job.number) {
            let job = |number: u64| self.steered[(number - start) as usize].clone();
            let end = start + self.steered.len() as u64;
            self.part(&cases.clone().covering(&self.bins), [start, end], job, &mut outcome)?;
        }
        self.part(&cases, random, Job::random, &mut outcome)?;
        Ok(outcome)
    }
}

/// What a failure is about, in a word.
fn by(failure: &Failure) -> &'static str {
    match &failure.cause {
        Cause::Mismatch(mismatch) => match mismatch {
            Mismatch::Trap { .. } | Mismatch::Killed { .. } => "trap",
            Mismatch::Csr { .. } | Mismatch::Meaning { .. } | Mismatch::Gpr { .. } | Mismatch::X { .. } => "csr",
            Mismatch::Destinations { .. } | Mismatch::Register { .. } => "register",
            Mismatch::TileWrite { .. } | Mismatch::StrayTile { .. } | Mismatch::Tile { .. } => "tile",
            Mismatch::StoreSet { .. }
            | Mismatch::StoreValue { .. }
            | Mismatch::StrayWrite { .. }
            | Mismatch::L0m { .. } => "store",
            _ => "order",
        },
        Cause::Hang { .. } => "hang",
        Cause::Port(_) => "port",
        Cause::Protocol(_) => "protocol",
        Cause::Rtl(_) => "rtl",
        Cause::Crash(_) => "crash",
    }
}
