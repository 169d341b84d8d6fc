// SPDX-License-Identifier: Apache-2.0
//! Steers towards bins that were not hit, in rounds.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::cases::closing::{self, Goals, Limits, Speaker};
use crate::coverage::bins::Bins;
use crate::coverage::steer::Goal;
use crate::coverage::steer::case::{Needs, TARGETS};
use crate::run::{Done, Job, Passed, Summary};

/// Rounds in which a bin is aimed at before it is given up.
pub const ROUNDS: u32 = 240;

/// Programs for the host in a round.
const HOST_CASES: usize = 4;

/// Cases of a round at least: bins that are rare are aimed at several times at once, not in one round after the other.
const LEAST: usize = 8;

/// Random cases that come first.
const RANDOM_CASES: usize = 32;

/// Runs until every bin is hit or given up, `instructions` have retired, enough cases fail, or `limits` are reached,
/// whose number of rounds does not count. `speaker` says each round.
///
/// # Errors
/// As [`closing::run`].
pub fn run<E: FnMut(&Job) -> Result<Done> + Send>(
    bins: &Bins,
    instructions: u64,
    limits: Limits,
    executor: impl Fn() -> Result<E> + Sync,
    speaker: Option<Speaker>,
) -> Result<Summary> {
    let (goals, limits) = (Missing { bins, instructions }, Limits { rounds: ROUNDS, ..limits });
    let mut sum = Summary::default();
    let job = |number, bins| Job { bins, ..Job::random(number) };
    closing::run(&goals, &limits, speaker, (0, vec![Vec::new(); RANDOM_CASES]), &mut sum, job, executor)?;
    Ok(sum)
}

struct Missing<'a> {
    bins: &'a Bins,
    instructions: u64,
}

impl Goals<Passed> for Missing<'_> {
    fn missing(&self, sums: &Passed) -> Vec<usize> {
        sums.hits.missing(self.bins)
    }

    fn round(&self, missing: &[usize]) -> Vec<Vec<usize>> {
        lists(self.bins, missing)
    }

    fn enough(&self, sums: &Passed) -> bool {
        sums.counts.retired >= self.instructions
    }
}

/// Bins in lists for one case each: those with the same needs together. Programs for the host are not searched for:
/// they are drawn, several in a round.
pub fn lists(bins: &Bins, missing: &[usize]) -> Vec<Vec<usize>> {
    let mut by_needs: BTreeMap<Needs, Vec<usize>> = BTreeMap::new();
    for &id in missing {
        let needs = Goal::of_bin(bins, id).map(|goal| Needs::for_goal(&goal)).unwrap_or_default();
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
