// SPDX-License-Identifier: Apache-2.0
//! Random regressions: many cases on several threads, and the first one that fails.

use crate::random::CASE_INSTRUCTIONS;
use crate::run::interrupt::Interrupt;
use crate::run::schedule::{Schedule, Shard};
use crate::run::{Cases, InProcess, Job, Summary, pool};
use crate::unit::target::Target;

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub seed: u64,
    /// Instructions, rounded up to whole cases.
    pub instructions: u64,
    pub jobs: usize,
    /// Planted fault; 0 is none.
    pub fault: u32,
}

impl Plan {
    pub fn cases(&self) -> u64 {
        self.instructions.div_ceil(CASE_INSTRUCTIONS)
    }
}

/// Runs all cases of `plan` in this process, or those up to the first that fails; `progress` is told of the
/// instructions done. Nothing is written.
pub fn run(target: &Target, plan: &Plan, progress: impl Fn(u64) + Sync) -> Summary {
    let Plan { seed, jobs, fault, .. } = *plan;
    let schedule = Schedule::new(Shard::WHOLE, plan.cases(), None, Interrupt::default());
    let executor = || {
        let cases = InProcess::new(Cases::new(target, seed, fault));
        Ok(move |job: &Job| cases.execute(job))
    };
    // Without files there is nothing that could fail.
    pool::run(jobs, &schedule, Job::random, executor, progress).unwrap_or_default()
}
