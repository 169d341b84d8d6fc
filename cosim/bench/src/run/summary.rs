// SPDX-License-Identifier: Apache-2.0
//! What many cases did.

use std::time::Duration;

use super::Job;
use super::schedule::Stopped;
use crate::coverage::hits::Hits;
use crate::coverage::rtl::Points;
use crate::lockstep::Counts;
use crate::lockstep::failure::Failure;

/// A case that failed.
#[derive(Debug)]
pub struct FailedCase {
    /// Which one.
    pub job: Job,
    /// What happened.
    pub failure: Box<Failure>,
}

/// Sums over cases, and those that failed.
#[derive(Debug, Default)]
pub struct Summary {
    /// Sums over all cases that passed.
    pub counts: Counts,
    /// Cases that were run.
    pub cases: u64,
    /// Why others were not, beside a failure.
    pub stopped: Option<Stopped>,
    /// What ended the run, beside a failure.
    pub error: Option<anyhow::Error>,
    /// Hash over the stimulus of all cases that were run, whatever the order.
    pub hash: u64,
    /// What the cases that passed hit, when that was asked for.
    pub hits: Hits,
    /// Lines and toggles of the RTL in all cases, when they were counted.
    pub points: Points,
    /// Time that it took.
    pub elapsed: Duration,
    /// The failing case with the lowest number.
    pub failed: Option<FailedCase>,
    /// Those after it, in the order of their numbers, as many as were asked for.
    pub more_failed: Vec<FailedCase>,
    /// The numbers of all cases that failed, in no order; threads may have gone beyond the last that was asked for.
    pub all_failed: Vec<u64>,
}

impl Summary {
    /// Adds that of cases with higher numbers.
    pub fn merge(&mut self, later: Summary) {
        self.counts.add(&later.counts);
        self.cases += later.cases;
        self.stopped = later.stopped;
        self.error = later.error;
        self.hash = self.hash.wrapping_add(later.hash);
        self.hits.merge(&later.hits);
        self.points.merge(later.points);
        self.elapsed += later.elapsed;
        let mut failed = later.failed.into_iter().chain(later.more_failed);
        if self.failed.is_none() {
            self.failed = failed.next();
        }
        self.more_failed.extend(failed);
        self.all_failed.extend(later.all_failed);
    }

    /// The failing cases, in the order of their numbers.
    pub fn failures(&self) -> impl Iterator<Item = &FailedCase> {
        self.failed.iter().chain(&self.more_failed)
    }
}

impl Counts {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Counts) {
        let Counts { retired, compared, traps, killed, cycles, roofline, mnemonics } = other;
        // They may come out of a file.
        let sum = |to: &mut u64, more: &u64| *to = to.saturating_add(*more);
        sum(&mut self.retired, retired);
        sum(&mut self.compared, compared);
        sum(&mut self.traps, traps);
        sum(&mut self.killed, killed);
        sum(&mut self.cycles, cycles);
        sum(&mut self.roofline, roofline);
        self.mnemonics.add(mnemonics);
    }
}
