// SPDX-License-Identifier: Apache-2.0
//! The loop around every step: a smaller case is taken when it fails in the same way.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::cost::Cost;
use super::draft::Draft;
use super::signature::Signature;
use crate::case::Case;
use crate::lockstep::failure::Failure;
use crate::unit::target::Target;

/// How much shrinking may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Runs. They alone decide as a rule, so that the result is the same on every machine.
    pub runs: u64,
    /// Time.
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { runs: 2000, time: Duration::from_secs(60) }
    }
}

/// Runs a case; gives its failure, if it fails.
pub type Run<'a> = dyn FnMut(&Case) -> anyhow::Result<Option<Box<Failure>>> + 'a;

/// The smallest case so far, and what it takes to find a smaller one.
pub struct Search<'a> {
    /// Configuration.
    pub target: &'a Target,
    /// The smallest draft that fails in the same way.
    pub best: Draft,
    /// Its failure.
    pub failure: Box<Failure>,
    /// Runs so far.
    pub runs: u64,
    /// Cost after each step that was taken, the first is that of the start.
    pub costs: Vec<Cost>,
    signature: Signature,
    cost: Cost,
    seen: HashSet<u64>,
    budget: Budget,
    start: Instant,
    run: &'a mut Run<'a>,
    error: Option<anyhow::Error>,
}

impl<'a> Search<'a> {
    /// A search from `draft`, which has failed with `failure`.
    pub fn new(target: &'a Target, draft: Draft, failure: Box<Failure>, budget: Budget, run: &'a mut Run<'a>) -> Self {
        let (signature, cost) = (Signature::of(target, &failure), Cost::of(target, &draft));
        let seen = HashSet::from([draft.fingerprint()]);
        Search {
            target,
            best: draft,
            failure,
            runs: 0,
            costs: vec![cost],
            signature,
            cost,
            seen,
            budget,
            start: Instant::now(),
            run,
            error: None,
        }
    }

    /// Whether nothing more may be tried.
    pub fn over(&self) -> bool {
        self.error.is_some() || self.runs >= self.budget.runs || self.out_of_time()
    }

    /// Whether the time is up.
    pub fn out_of_time(&self) -> bool {
        self.start.elapsed() >= self.budget.time
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The error that ended the search, if one did.
    pub fn take_error(&mut self) -> Option<anyhow::Error> {
        self.error.take()
    }

    /// Takes `candidate` if it is smaller and fails in the same way, with an instruction of its program.
    pub fn take(&mut self, candidate: Draft) -> bool {
        let cost = Cost::of(self.target, &candidate);
        if self.over() || cost >= self.cost || !self.seen.insert(candidate.fingerprint()) {
            return false;
        }
        let Some(case) = candidate.case(self.target) else { return false };
        self.runs += 1;
        let failure = match (self.run)(&case) {
            Ok(Some(failure)) => failure,
            Ok(None) => return false,
            Err(error) => {
                self.error = Some(error);
                return false;
            }
        };
        let inside = failure.at.is_none_or(|(_, _, index)| index >= case.preload.len() as u64);
        if !inside || Signature::of(self.target, &failure) != self.signature {
            return false;
        }
        (self.best, self.failure, self.cost) = (candidate, failure, cost);
        self.costs.push(cost);
        true
    }

    /// Takes the current draft changed by `change`, if that is smaller and fails in the same way.
    pub fn change(&mut self, change: impl FnOnce(&mut Draft)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        self.take(candidate)
    }

    /// Where in the program the failing instruction is; the end when there is none.
    pub fn failing(&self) -> usize {
        let preload = self.best.case(self.target).map_or(0, |case| case.preload.len() as u64);
        let last = self.best.program.len().saturating_sub(1);
        self.failure.at.map_or(last, |(_, _, index)| index.saturating_sub(preload) as usize).min(last)
    }
}
