// SPDX-License-Identifier: Apache-2.0
//! The cases of a schedule, by several threads.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::Result;

use super::schedule::Schedule;
use super::tally::Tally;
use super::{Done, Sum, Summary};
use crate::base::parallel;

/// Runs the cases of `schedule`, or those up to the failure that ends it, on an executor for each of `threads` threads;
/// `job` gives the case of a number, `progress` is told of the instructions done.
///
/// # Errors
/// The first error of an executor, when no case has failed; else it is in the summary.
pub fn run<S: Sum + Send, J: Send, F: Send, E: FnMut(&J) -> Result<Done<S, F>>>(
    threads: usize,
    schedule: &Schedule,
    job: impl Fn(u64) -> J + Sync,
    executor: impl Fn() -> Result<E> + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Summary<S, J, F>> {
    let start = Instant::now();
    let tally = Mutex::new(Tally::new(schedule));
    let work = || -> Result<()> {
        let mut execute = executor()?;
        while let Some(number) = schedule.take() {
            let job = job(number);
            let done = execute(&job)?;
            progress(done.instructions);
            if done.result.is_err() {
                schedule.failed(number);
            }
            tally.lock().unwrap_or_else(PoisonError::into_inner).add(number, job, done);
        }
        Ok(())
    };
    let error = Mutex::new(None);
    let fail = |reason| {
        schedule.end_at(0);
        error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    };
    let worker = || {
        if let Err(reason) = work() {
            fail(reason);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            if let Err(reason) = parallel::in_scope(scope, worker) {
                fail(reason);
            }
        }
        worker();
    });
    let summary = tally.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) if summary.failed.is_none() => Err(error),
        error => Ok(Summary { elapsed: start.elapsed(), stopped: schedule.stopped(), error, ..summary }),
    }
}
