// SPDX-License-Identifier: Apache-2.0
//! Steers towards bins that were not hit, in rounds.
//!
//! The targets of a round follow from what all rounds before it hit, so they are the same whatever the number of
//! threads. A round ends with the failure that ends the run, and what it hit is that of the cases up to there. A bin is
//! aimed at in a bounded number of rounds: the run ends.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;

use crate::coverage::bins::Bins;
use crate::coverage::steer::Goal;
use crate::coverage::steer::case::{Needs, TARGETS};
use crate::run::interrupt::Interrupt;
use crate::run::schedule::{Schedule, Shard};
use crate::run::{Executor, Job, Summary, pool};

/// Rounds in which a bin is aimed at before it is given up.
pub const ROUNDS: u32 = 240;

/// Programs for the host in a round.
const HOST_CASES: usize = 4;

/// Random cases that come first.
const RANDOM_CASES: usize = 32;

#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub jobs: usize,
    /// No round begins when so many instructions have retired.
    pub instructions: u64,
    /// No case begins after this.
    pub deadline: Option<Instant>,
    pub interrupt: Interrupt,
    /// Failing cases that end the run; 0 is 1.
    pub most_failures: usize,
}

/// Runs until every bin is hit or given up, enough cases fail, or `limits` are reached; `progress` is told of each
/// round: its number, bins hit, and how many there are.
///
/// # Errors
/// The first error of an executor or of `progress`.
pub fn run<E: Executor>(
    bins: &Bins,
    limits: &Limits,
    executor: impl Fn() -> Result<E> + Sync,
    progress: impl Fn(u32, usize, usize) -> Result<()>,
) -> Result<Summary> {
    let possible = bins.possible().count();
    let most_failures = limits.most_failures.max(1);
    let mut tried: BTreeMap<usize, u32> = BTreeMap::new();
    let mut sum = Summary::default();
    let (mut first, mut round) = (0, vec![Vec::new(); RANDOM_CASES]);
    for number in 1.. {
        let end = first + round.len() as u64;
        let schedule = Schedule::new(Shard::WHOLE, end, limits.deadline, limits.interrupt.clone())
            .starting_at(first)
            .with_failures(most_failures - sum.failures().count());
        let bins_of = |number: u64| round.get((number - first) as usize).cloned().unwrap_or_default();
        let job = |number| Job { bins: bins_of(number), ..Job::random(number) };
        sum.merge(pool::run(limits.jobs, &schedule, job, &executor, |_| ())?);
        let mut missing = sum.sums.hits.missing(bins);
        progress(number, possible - missing.len(), possible)?;
        missing.retain(|id| tried.get(id).is_none_or(|&rounds| rounds < ROUNDS));
        let over = sum.stopped.is_some() || sum.error.is_some() || sum.sums.counts.retired >= limits.instructions;
        if missing.is_empty() || sum.failures().count() >= most_failures || over {
            break;
        }
        missing.iter().for_each(|&id| *tried.entry(id).or_default() += 1);
        (first, round) = (end, lists(bins, &missing));
    }
    Ok(sum)
}

/// Bins in lists for one case each: those with the same needs together. Programs for the host are not searched for:
/// they are drawn, several in a round.
pub fn lists(bins: &Bins, missing: &[usize]) -> Vec<Vec<usize>> {
    let mut by_needs: BTreeMap<Needs, Vec<usize>> = BTreeMap::new();
    for &id in missing {
        let needs = Goal::of(bins, id).map(|goal| Needs::of(&goal)).unwrap_or_default();
        by_needs.entry(needs).or_default().push(id);
    }
    let cases = |(needs, ids): (&Needs, &Vec<usize>)| {
        let lists: Vec<Vec<usize>> = ids.chunks(TARGETS).map(<[usize]>::to_vec).collect();
        vec![lists; if needs.host { HOST_CASES } else { 1 }].concat()
    };
    by_needs.iter().flat_map(cases).collect()
}
