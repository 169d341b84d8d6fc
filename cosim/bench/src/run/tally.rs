// SPDX-License-Identifier: Apache-2.0
//! The sums of a regression, the same whatever the number of threads: cases above the failure that ends the run do not
//! count, although other threads may have run some.

use std::collections::BTreeMap;

use crate::coverage::hits::Hits;
use crate::coverage::rtl::Points;
use crate::lockstep::Counts;
use crate::run::schedule::{Schedule, Shard};
use crate::run::{Done, FailedCase, Job, Summary};

/// Cases as they come in, in any order.
pub struct Tally {
    shard: Shard,
    most_failures: usize,
    /// Place in the shard of the next case to add up.
    next: u64,
    /// Cases that came before their turn: few, because the threads take them in order.
    waiting: BTreeMap<u64, Case>,
    /// The failures with the lowest numbers.
    failed: BTreeMap<u64, FailedCase>,
    summary: Summary,
}

struct Case {
    hash: u64,
    /// What a case that passed did.
    counts: Counts,
    /// What it hit.
    hits: Option<Hits>,
    /// Lines and toggles of the RTL.
    points: Option<Points>,
}

impl Tally {
    /// Of the cases of a schedule that has not handed out any.
    pub fn new(schedule: &Schedule) -> Tally {
        Tally {
            shard: schedule.shard(),
            most_failures: schedule.most_failures(),
            next: schedule.first(),
            waiting: BTreeMap::new(),
            failed: BTreeMap::new(),
            summary: Summary::default(),
        }
    }

    /// A case was run.
    pub fn add(&mut self, job: Job, done: Done) {
        let number = job.number;
        let Done { hash, result, hits, points, .. } = done;
        let counts = match result {
            Ok(counts) => counts,
            Err(failure) => {
                self.summary.all_failed.push(number);
                self.failed.insert(number, FailedCase { job, failure });
                if self.failed.len() > self.most_failures {
                    self.failed.pop_last();
                }
                Counts::default()
            }
        };
        self.waiting.insert(number, Case { hash, counts, hits, points });
        // All failures below the next case are known.
        while let Some(case) = self.waiting.remove(&self.shard.case(self.next)) {
            self.sum(self.shard.case(self.next), case);
            self.next += 1;
        }
    }

    fn sum(&mut self, number: u64, case: Case) {
        let last = self.failed.keys().next_back().filter(|_| self.failed.len() == self.most_failures);
        if last.is_some_and(|&last| number > last) {
            return;
        }
        self.summary.cases += 1;
        let factor = number.wrapping_mul(2).wrapping_add(1);
        self.summary.hash = self.summary.hash.wrapping_add(case.hash.wrapping_mul(factor));
        self.summary.counts.add(&case.counts);
        case.hits.iter().for_each(|hits| self.summary.hits.merge(hits));
        case.points.into_iter().for_each(|points| self.summary.points.merge(points));
    }

    /// The sums.
    pub fn finish(mut self) -> Summary {
        for (number, case) in std::mem::take(&mut self.waiting) {
            self.sum(number, case);
        }
        let mut failed = self.failed.into_values();
        let first = failed.next();
        Summary { failed: first, more_failed: failed.collect(), ..self.summary }
    }
}
