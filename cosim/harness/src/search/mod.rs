// SPDX-License-Identifier: Apache-2.0
//! The search for something small that still fails in the same way.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::cases::process::WATCHDOG;

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Runs. They alone decide as a rule, so that the result is the same on every machine.
    pub runs: u64,
    /// The time after which it ends in any case.
    pub time: Duration,
}

/// Cases that never end among those that a search may run.
const ENDLESS: u32 = 20;

impl Budget {
    /// For cases that have crashed when they take longer than `watchdog`.
    pub fn with_watchdog(watchdog: Duration) -> Budget {
        Budget { runs: 2000, time: ENDLESS * watchdog }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::with_watchdog(Duration::from_secs(WATCHDOG))
    }
}

/// What becomes smaller, and how it is run.
pub trait Problem {
    /// It is changed piece by piece.
    type Draft: Clone + Hash;
    /// What a draft is run as.
    type Case;
    /// How large a draft is. Each step makes it strictly smaller, so a search ends.
    type Cost: Copy + Ord;
    /// How a case fails.
    type Failure;

    /// How large this draft is.
    fn cost(&self, draft: &Self::Draft) -> Self::Cost;

    /// The case of a draft, if it is one.
    fn case(&self, draft: &Self::Draft) -> Option<Self::Case>;

    /// Runs a case; gives its failure, if it fails in the same way.
    ///
    /// # Errors
    /// When it cannot be run: the search is over then.
    fn run(&mut self, case: &Self::Case) -> Result<Option<Self::Failure>>;
}

/// The smallest draft so far, and what it takes to find a smaller one.
pub struct Search<P: Problem> {
    /// What becomes smaller.
    pub problem: P,
    /// The smallest draft that fails in the same way.
    pub best: P::Draft,
    /// How the smallest one fails.
    pub failure: P::Failure,
    /// Cases that were run.
    pub runs: u64,
    /// Cost after each step that was taken, the first is that of the start.
    pub costs: Vec<P::Cost>,
    cost: P::Cost,
    seen: HashSet<u64>,
    budget: Budget,
    start: Instant,
    error: Option<anyhow::Error>,
}

impl<P: Problem> Search<P> {
    /// A search from `draft`, which has failed with `failure`.
    pub fn new(problem: P, draft: P::Draft, failure: P::Failure, budget: Budget) -> Self {
        let cost = problem.cost(&draft);
        let seen = HashSet::from([fingerprint(&draft)]);
        let (runs, costs, start) = (0, vec![cost], Instant::now());
        Search { problem, best: draft, failure, runs, costs, cost, seen, budget, start, error: None }
    }

    /// Whether the budget is used up, or an error has come.
    pub fn over(&self) -> bool {
        self.error.is_some() || self.runs >= self.budget.runs || self.elapsed() >= self.budget.time
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The error that ended the search, if one did.
    pub fn take_error(&mut self) -> Option<anyhow::Error> {
        self.error.take()
    }

    /// Takes `candidate` if it is smaller and fails in the same way.
    pub fn take(&mut self, candidate: P::Draft) -> bool {
        let cost = self.problem.cost(&candidate);
        if self.over() || cost >= self.cost || !self.seen.insert(fingerprint(&candidate)) {
            return false;
        }
        let Some(case) = self.problem.case(&candidate) else { return false };
        self.runs += 1;
        let failure = self.problem.run(&case).unwrap_or_else(|error| {
            self.error = Some(error);
            None
        });
        let Some(failure) = failure else { return false };
        (self.best, self.failure, self.cost) = (candidate, failure, cost);
        self.costs.push(cost);
        true
    }

    /// Takes the current draft changed by `change`, if that is smaller and fails in the same way.
    pub fn change(&mut self, change: impl FnOnce(&mut P::Draft)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        self.take(candidate)
    }

    /// Deletes parts of a draft, in chunks that get smaller, from the end; `len` tells how many there are.
    pub fn delete(&mut self, len: impl Fn(&P::Draft) -> usize, delete: impl Fn(&mut P::Draft, Range<usize>)) {
        let mut chunk = len(&self.best) / 2;
        while chunk > 0 {
            let mut end = len(&self.best);
            while end > 0 {
                let start = end.saturating_sub(chunk);
                let range = start..end.min(len(&self.best));
                self.change(|draft| delete(draft, range));
                end = start;
            }
            chunk /= 2;
        }
    }
}

fn fingerprint(draft: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    draft.hash(&mut hasher);
    hasher.finish()
}
