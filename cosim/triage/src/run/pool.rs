// SPDX-License-Identifier: Apache-2.0
//! The cases of a schedule, by several threads, and the sums of what they did.

use anyhow::Result;

use super::{Executor, Job, Summary};
use crate::cases;
use crate::cases::schedule::Schedule;

/// Runs the cases of `schedule` as [`cases::pool::run`] does.
pub fn run<E: Executor>(
    threads: usize,
    schedule: &Schedule,
    job: impl Fn(u64) -> Job + Sync,
    executor: impl Fn() -> Result<E> + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Summary> {
    let execute = || executor().map(|mut executor| move |job: &Job| executor.execute(job));
    cases::pool::run(threads, schedule, job, execute, progress)
}
