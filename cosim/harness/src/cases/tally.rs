// SPDX-License-Identifier: Apache-2.0
//! The sums of a run, the same whatever the number of threads: cases above the failure that ends the run do not count,
//! although other threads may have run some.

use std::collections::BTreeMap;

use super::schedule::{Schedule, Shard};
use super::{Done, FailedCase, Sum, Summary};

/// Cases as they come in, in any order.
pub struct Tally<S, J, F> {
    shard: Shard,
    most_failures: usize,
    /// Place in the shard of the next case to add up.
    next: u64,
    /// Hash and sums of cases that came before their turn: few, because the threads take them in order.
    waiting: BTreeMap<u64, (u64, S)>,
    /// The failures with the lowest numbers.
    failed: BTreeMap<u64, FailedCase<J, F>>,
    summary: Summary<S, J, F>,
}

impl<S: Sum, J, F> Tally<S, J, F> {
    /// Of the cases of a schedule that has not handed out any.
    pub fn new(schedule: &Schedule) -> Self {
        Tally {
            shard: schedule.shard(),
            most_failures: schedule.most_failures(),
            next: schedule.first(),
            waiting: BTreeMap::new(),
            failed: BTreeMap::new(),
            summary: Summary::default(),
        }
    }

    pub fn add(&mut self, number: u64, job: J, Done { hash, result, .. }: Done<S, F>) {
        let sums = result.unwrap_or_else(|failure| {
            self.summary.all_failed.push(number);
            self.failed.insert(number, FailedCase { number, job, failure });
            if self.failed.len() > self.most_failures {
                self.failed.pop_last();
            }
            S::default()
        });
        self.waiting.insert(number, (hash, sums));
        // All failures below the next case are known.
        while let Some(case) = self.waiting.remove(&self.shard.case(self.next)) {
            self.sum(self.shard.case(self.next), case);
            self.next += 1;
        }
    }

    fn sum(&mut self, number: u64, (hash, sums): (u64, S)) {
        let last = self.failed.keys().next_back().filter(|_| self.failed.len() == self.most_failures);
        if last.is_some_and(|&last| number > last) {
            return;
        }
        self.summary.cases += 1;
        let factor = number.wrapping_mul(2).wrapping_add(1);
        self.summary.hash = self.summary.hash.wrapping_add(hash.wrapping_mul(factor));
        self.summary.sums.add(sums);
    }

    pub fn finish(mut self) -> Summary<S, J, F> {
        for (number, case) in std::mem::take(&mut self.waiting) {
            self.sum(number, case);
        }
        let mut failed = self.failed.into_values();
        let first = failed.next();
        Summary { failed: first, more_failed: failed.collect(), ..self.summary }
    }
}
