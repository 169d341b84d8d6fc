// SPDX-License-Identifier: Apache-2.0
//! Many cases: a schedule hands them out, threads run them, and the sums do not depend on the number of threads. What
//! may crash runs in a process of its own.

pub mod closing;
pub mod pool;
pub mod process;
pub mod schedule;
pub mod shards;
pub mod side_by_side;
mod tally;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::base::ending::Ending;
use schedule::Stopped;

/// What becomes a sum over many cases.
pub trait Sum: Default {
    /// Adds that of other cases.
    fn add(&mut self, other: Self);
}

/// A case that was run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Done<S, F> {
    /// Instructions or steps.
    pub instructions: u64,
    /// Hash of its stimulus.
    pub hash: u64,
    /// What it did, or how it failed.
    pub result: Result<S, Box<F>>,
}

/// A case that failed.
#[derive(Debug)]
pub struct FailedCase<J, F> {
    /// The number of the case.
    pub number: u64,
    /// What makes the case.
    pub job: J,
    /// How it failed.
    pub failure: Box<F>,
}

/// How a run of so many cases ended.
pub fn ending(cases: u64, failures: usize, stopped: Option<Stopped>) -> Ending {
    match stopped {
        _ if failures > 0 => Ending::Different,
        Some(Stopped::Signal(signal)) => Ending::Interrupted(signal),
        _ if cases == 0 => Ending::Nothing,
        _ => Ending::Clean,
    }
}

/// Whether each of the signatures, in the order of the cases, is among the first `most` that are the same.
pub fn first_of_each<'a>(signatures: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<bool> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let is_first = |signature| {
        let earlier = seen.entry(signature).or_default();
        *earlier += 1;
        *earlier <= most
    };
    signatures.into_iter().map(is_first).collect()
}

/// Sums over cases, and those that failed.
#[derive(Debug)]
pub struct Summary<S, J, F> {
    /// Sums over all cases that passed.
    pub sums: S,
    /// Cases that were run.
    pub cases: u64,
    /// Why others were not, beside a failure.
    pub stopped: Option<Stopped>,
    /// What ended the run, beside a failure.
    pub error: Option<anyhow::Error>,
    /// Hash over the stimulus of all cases that were run, whatever the order.
    pub hash: u64,
    /// From the first case to the last.
    pub elapsed: Duration,
    /// The failing case with the lowest number.
    pub failed: Option<FailedCase<J, F>>,
    /// Those after it, in the order of their numbers, as many as were asked for.
    pub more_failed: Vec<FailedCase<J, F>>,
    /// The numbers of all cases that failed, in no order; threads may have gone beyond the last that was asked for.
    pub all_failed: Vec<u64>,
}

impl<S: Default, J, F> Default for Summary<S, J, F> {
    fn default() -> Self {
        Summary {
            sums: S::default(),
            cases: 0,
            stopped: None,
            error: None,
            hash: 0,
            elapsed: Duration::ZERO,
            failed: None,
            more_failed: Vec::new(),
            all_failed: Vec::new(),
        }
    }
}

impl<S, J, F> Summary<S, J, F> {
    /// The failing cases, in the order of their numbers.
    pub fn failures(&self) -> impl Iterator<Item = &FailedCase<J, F>> {
        self.failed.iter().chain(&self.more_failed)
    }
}

impl<S: Sum, J, F> Summary<S, J, F> {
    /// Adds that of cases with higher numbers.
    pub fn merge(&mut self, later: Summary<S, J, F>) {
        self.sums.add(later.sums);
        self.cases += later.cases;
        self.stopped = later.stopped;
        self.error = later.error;
        self.hash = self.hash.wrapping_add(later.hash);
        self.elapsed += later.elapsed;
        let mut failed = later.failed.into_iter().chain(later.more_failed);
        if self.failed.is_none() {
            self.failed = failed.next();
        }
        self.more_failed.extend(failed);
        self.all_failed.extend(later.all_failed);
    }
}
