// SPDX-License-Identifier: Apache-2.0
//! Runs mutants in several worker processes.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::worker::{Answer, Kill, Task, Worker};
use crate::base::parallel;
use crate::unit::target::Target;

/// Longest time for one case, beside the usual time of all. Only a model that never settles takes that long.
const CASE_LIMIT: Duration = Duration::from_secs(20);

/// Far more than the usual time of a case, on a machine that has much else to do: too little of it kills what only waits.
const USUAL: Duration = Duration::from_secs(2);

/// What a hunt found about a mutant, and the time that it took.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// How it ended.
    pub answer: Answer,
    /// Wall clock.
    pub time: Duration,
}

impl Found {
    /// Takes over what the cases after those so far gave.
    pub fn go_on(&mut self, later: &Found) {
        let Answer { killed, case, instructions, timing } = later.answer;
        self.answer.killed = killed;
        self.answer.case = case;
        self.answer.instructions += instructions;
        self.answer.timing = self.answer.timing.or(timing);
        self.time += later.time;
    }
}

/// Runs cases `first` to `end` of `plan` and `seed` on each of the mutants of `library`, in `jobs` processes; `progress` is
/// told of each mutant.
///
/// # Errors
/// When a process cannot be started or gives nonsense.
pub fn hunt(
    target: &Target,
    [library, plan]: [&Path; 2],
    mutants: &[u32],
    [seed, first, end]: [u64; 3],
    jobs: usize,
    progress: impl Fn(&Found) + Sync,
) -> Result<BTreeMap<u32, Found>> {
    let queue = Mutex::new(mutants.iter().copied().collect::<VecDeque<u32>>());
    let found = Mutex::new(BTreeMap::new());
    let next = || queue.lock().ok()?.pop_front();
    let limit = CASE_LIMIT + USUAL * u32::try_from(end - first).unwrap_or(u32::MAX);
    let work = || -> Result<()> {
        let mut worker = None;
        while let Some(mutant) = next() {
            let mut process = match worker.take() {
                Some(process) => process,
                None => Worker::start(target, library, plan, seed)?,
            };
            let (answer, time) = process.run(Task { mutant, first, end }, limit)?;
            if !matches!(answer.killed, Some(Kill::Crash | Kill::Endless)) {
                worker = Some(process);
            }
            let one = Found { answer, time };
            progress(&one);
            found.lock().map_err(|_| anyhow!("a thread died"))?.insert(mutant, one);
        }
        Ok(())
    };
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let give_up = |_: &anyhow::Error| queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| parallel::in_scope(scope, work).inspect_err(give_up)).collect();
        threads.into_iter().map(|thread| thread?.join().unwrap_or_else(|_| Err(anyhow!("a thread died")))).collect()
    });
    results.into_iter().collect::<Result<Vec<()>>>()?;
    found.into_inner().map_err(|_| anyhow!("a thread died"))
}
