// SPDX-License-Identifier: Apache-2.0
//! Steers towards bins that were not hit, in rounds.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;

use crate::cases::closing::{self, Goals};
use crate::coverage::bins::Bins;
use crate::coverage::steer::Goal;
use crate::coverage::steer::case::{Needs, TARGETS};
use crate::run::interrupt::Interrupt;
use crate::run::{Done, Job, Passed, Summary};

/// Rounds in which a bin is aimed at before it is given up.
pub const ROUNDS: u32 = 240;

/// Programs for the host in a round.
const HOST_CASES: usize = 4;

/// Cases of a round at least: bins that are rare are aimed at several times at once, not in one round after the other.
const LEAST: usize = 8;

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
pub fn run<E: FnMut(&Job) -> Result<Done>>(
    bins: &Bins,
    limits: &Limits,
    executor: impl Fn() -> Result<E> + Sync,
    progress: impl Fn(u32, usize, usize) -> Result<()>,
) -> Result<Summary> {
    let Limits { jobs, instructions, deadline, ref interrupt, most_failures } = *limits;
    let goals = Missing { bins, instructions, possible: bins.possible().count(), progress };
    let interrupt = interrupt.clone();
    let limits = closing::Limits { jobs, rounds: ROUNDS, deadline, interrupt, most_failures };
    let mut sum = Summary::default();
    let job = |number, bins| Job { bins, ..Job::random(number) };
    closing::run(&goals, &limits, (0, vec![Vec::new(); RANDOM_CASES]), &mut sum, job, executor)?;
    Ok(sum)
}

struct Missing<'a, P> {
    bins: &'a Bins,
    instructions: u64,
    possible: usize,
    progress: P,
}

impl<P: Fn(u32, usize, usize) -> Result<()>> Goals<Passed> for Missing<'_, P> {
    fn missing(&self, sums: &Passed) -> Vec<usize> {
        sums.hits.missing(self.bins)
    }

    fn round(&self, missing: &[usize]) -> Vec<Vec<usize>> {
        lists(self.bins, missing)
    }

    fn enough(&self, sums: &Passed) -> bool {
        sums.counts.retired >= self.instructions
    }

    fn progress(&self, number: u32, missing: usize) -> Result<()> {
        (self.progress)(number, self.possible - missing, self.possible)
    }
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
    let lists: Vec<Vec<usize>> = by_needs.iter().flat_map(cases).collect();
    let length = lists.len().max(LEAST);
    lists.into_iter().cycle().take(length).collect()
}
