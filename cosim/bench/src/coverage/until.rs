// SPDX-License-Identifier: Apache-2.0
//! Steers towards bins that were not hit, in rounds.
//!
//! The targets of a round follow from what all rounds before it hit, so they are the same whatever the number of
//! threads. A bin is aimed at in a bounded number of rounds: the run ends.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Result;

use super::bins::Bins;
use super::run::{self, Covered, Job, Runner, Source};
use super::steer::Goal;
use super::steer::case::{Needs, TARGETS};
use crate::ci::interrupt::Interrupt;
use crate::ci::schedule::Stopped;

/// Rounds in which a bin is aimed at before it is given up.
pub const ROUNDS: u32 = 16;

/// Random cases that come first.
const RANDOM_CASES: u64 = 32;

/// How far to go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Threads.
    pub jobs: usize,
    /// No round begins when so many instructions have retired.
    pub instructions: u64,
    /// No case begins after this.
    pub deadline: Option<Instant>,
    /// No case begins after a signal.
    pub interrupt: Interrupt,
}

/// The cases of a round: all of them, even when one fails, so that what they hit does not depend on the threads.
struct Round<'a> {
    jobs: Vec<Job>,
    next: AtomicUsize,
    limits: &'a Limits,
}

impl Source for Round<'_> {
    fn next(&self) -> Option<Job> {
        if self.stopped().is_some() {
            return None;
        }
        self.jobs.get(self.next.fetch_add(1, Ordering::Relaxed)).cloned()
    }

    fn failed(&self, _: u64) {}

    fn stopped(&self) -> Option<Stopped> {
        if self.next.load(Ordering::Relaxed) >= self.jobs.len() {
            return None;
        }
        let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.limits.interrupt.signal().map(Stopped::Signal).or(late.then_some(Stopped::Time))
    }
}

/// Runs until every bin is hit or given up, a case fails, or `limits` are reached; `progress` is told of each round:
/// its number, bins hit, and how many there are.
///
/// # Errors
/// The first error of a runner or of `progress`.
pub fn run<R: Runner>(
    bins: &Bins,
    limits: &Limits,
    runner: impl Fn() -> R + Sync,
    progress: impl Fn(u32, usize, usize) -> Result<()>,
) -> Result<Covered> {
    let possible = bins.possible().count();
    let mut tried: BTreeMap<usize, u32> = BTreeMap::new();
    let mut sum = Covered::default();
    let mut jobs: Vec<Job> = (0..RANDOM_CASES).map(Job::random).collect();
    for number in 1.. {
        let next = jobs.last().map_or(0, |job| job.number + 1);
        let round = Round { jobs, next: AtomicUsize::new(0), limits };
        sum.merge(run::all(&round, limits.jobs, &runner, |_| ())?);
        let mut missing = sum.hits.missing(bins);
        progress(number, possible - missing.len(), possible)?;
        missing.retain(|id| tried.get(id).is_none_or(|&rounds| rounds < ROUNDS));
        let over = sum.stopped.is_some() || sum.counts.retired >= limits.instructions;
        if missing.is_empty() || sum.failed.is_some() || over {
            break;
        }
        missing.iter().for_each(|&id| *tried.entry(id).or_default() += 1);
        jobs = (next..).zip(lists(bins, &missing)).map(|(number, bins)| Job { number, bins }).collect();
    }
    Ok(sum)
}

impl Covered {
    /// Adds a round that came later.
    fn merge(&mut self, round: Covered) {
        self.counts.add(&round.counts);
        self.hash = self.hash.wrapping_add(round.hash);
        self.cases += round.cases;
        self.hits.merge(&round.hits);
        self.all_failed.extend(round.all_failed);
        self.failed = self.failed.take().or(round.failed);
        self.stopped = round.stopped;
    }
}

/// Bins in lists for one case each: those with the same needs together.
pub fn lists(bins: &Bins, missing: &[usize]) -> Vec<Vec<usize>> {
    let mut by_needs: BTreeMap<Needs, Vec<usize>> = BTreeMap::new();
    for &id in missing {
        let needs = Goal::of(bins, id).map(|goal| Needs::of(&goal)).unwrap_or_default();
        by_needs.entry(needs).or_default().push(id);
    }
    by_needs.values().flat_map(|ids| ids.chunks(TARGETS)).map(<[usize]>::to_vec).collect()
}
