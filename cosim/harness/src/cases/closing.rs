// SPDX-License-Identifier: Apache-2.0
//! Rounds of cases that aim at goals which no case has reached: coverage bins.
//!
//! The goals of a round follow from what all rounds before it reached, so they are the same whatever the number of
//! threads. A round ends with the failure that ends the run. A goal is aimed at in a bounded number of rounds: the run
//! ends.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::Result;

use super::schedule::{Schedule, Shard};
use super::{Done, Sum, Summary, pool};
use crate::base::interrupt::Interrupt;

/// What is aimed at.
pub trait Goals<S> {
    /// Goals that nothing has reached yet, by number.
    fn missing(&self, sums: &S) -> Vec<usize>;

    /// The cases of a round: the goals of each.
    fn round(&self, missing: &[usize]) -> Vec<Vec<usize>>;

    /// Whether enough was done, whatever is missing.
    fn enough(&self, _: &S) -> bool {
        false
    }
}

/// Where a run ends, goals apart.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Workers at a time.
    pub jobs: usize,
    /// Rounds in which a goal is aimed at before it is given up.
    pub rounds: u32,
    /// No case begins after this.
    pub deadline: Option<Instant>,
    /// No case begins after a signal.
    pub interrupt: Interrupt,
    /// Failing cases that end the run; 0 is 1.
    pub most_failures: usize,
}

/// Who says what each round has reached.
pub struct Speaker<'a> {
    /// Of the run.
    pub name: &'a str,
    /// The number of all goals.
    pub goals: usize,
    /// Says a line.
    pub say: &'a dyn Fn(&str) -> Result<()>,
}

/// Runs the cases of `round`, which are numbered from `first`, then rounds for what is missing, and adds all to `sum`:
/// until nothing is missing that was not given up, enough cases fail, or `limits` are reached. `job` makes the case of a
/// number and its goals. Executors stay from one round to the next.
///
/// # Errors
/// The first error of an executor, and when standard output cannot be written.
pub fn run<S: Sum + Send, J: Send, F: Send, E: FnMut(&J) -> Result<Done<S, F>> + Send>(
    goals: &impl Goals<S>,
    limits: &Limits,
    speaker: Option<Speaker>,
    (mut first, mut round): (u64, Vec<Vec<usize>>),
    sum: &mut Summary<S, J, F>,
    job: impl Fn(u64, Vec<usize>) -> J + Sync,
    executor: impl Fn() -> Result<E> + Sync,
) -> Result<()> {
    let most_failures = limits.most_failures.max(1);
    let idle = Mutex::new(Vec::new());
    let executor = || {
        Ok(|job: &J| {
            let kept = lock(&idle).pop();
            let mut execute = kept.map_or_else(&executor, Ok)?;
            let done = execute(job);
            lock(&idle).push(execute);
            done
        })
    };
    let mut tried: BTreeMap<usize, u32> = BTreeMap::new();
    for number in 1.. {
        let over = sum.stopped.is_some() || sum.error.is_some() || goals.enough(&sum.sums);
        if round.is_empty() || sum.failures().count() >= most_failures || over {
            break;
        }
        let end = first + round.len() as u64;
        let schedule = Schedule::new(Shard::WHOLE, end, limits.deadline, limits.interrupt.clone())
            .starting_at(first)
            .with_failures(most_failures - sum.failures().count());
        let goals_of = |number: u64| round.get((number - first) as usize).cloned().unwrap_or_default();
        sum.merge(pool::run(limits.jobs, &schedule, |number| job(number, goals_of(number)), executor, |_| ())?);
        let mut missing = goals.missing(&sum.sums);
        if let Some(Speaker { name, goals, say }) = &speaker {
            say(&format!("{name}: round {number}: {} of {goals} bins hit", goals - missing.len()))?;
        }
        missing.retain(|goal| tried.get(goal).is_none_or(|&rounds| rounds < limits.rounds));
        missing.iter().for_each(|&goal| *tried.entry(goal).or_default() += 1);
        (first, round) = (end, goals.round(&missing));
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
