// SPDX-License-Identifier: Apache-2.0
//! The sums of a regression, the same whatever the number of threads: cases above the failure that ends the run do not
//! count, although other threads may have run some.

use std::collections::BTreeMap;

use crate::ci::schedule::Shard;
use crate::failure::Failure;
use crate::lockstep::Counts;
use crate::regression::{Done, FailedCase, Summary};

/// Cases as they come in, in any order.
pub struct Tally {
    shard: Shard,
    most_failures: usize,
    /// Place in the shard of the next case to add up.
    next: u64,
    /// Cases that came before their turn: few, because the threads take them in order.
    waiting: BTreeMap<u64, Case>,
    /// The failures with the lowest numbers.
    failed: BTreeMap<u64, Box<Failure>>,
    summary: Summary,
}

struct Case {
    hash: u64,
    /// What a case that passed did.
    counts: Counts,
}

impl Tally {
    /// Of the cases of `shard`, in a run that ends with this many failures.
    pub fn new(shard: Shard, most_failures: usize) -> Tally {
        let (waiting, failed) = (BTreeMap::new(), BTreeMap::new());
        Tally { shard, most_failures, next: 0, waiting, failed, summary: Summary::default() }
    }

    /// Case `number` was run.
    pub fn add(&mut self, number: u64, done: Done) {
        let counts = match done.result {
            Ok(counts) => counts,
            Err(failure) => {
                self.summary.all_failed.push(number);
                self.failed.insert(number, failure);
                if self.failed.len() > self.most_failures {
                    self.failed.pop_last();
                }
                Counts::default()
            }
        };
        self.waiting.insert(number, Case { hash: done.hash, counts });
        // All failures below the next case are known.
        while let Some(case) = self.waiting.remove(&self.shard.case(self.next)) {
            self.sum(self.shard.case(self.next), &case);
            self.next += 1;
        }
    }

    fn sum(&mut self, number: u64, case: &Case) {
        let last = self.failed.keys().next_back().filter(|_| self.failed.len() == self.most_failures);
        if last.is_some_and(|&last| number > last) {
            return;
        }
        self.summary.cases += 1;
        let factor = number.wrapping_mul(2).wrapping_add(1);
        self.summary.hash = self.summary.hash.wrapping_add(case.hash.wrapping_mul(factor));
        self.summary.counts.add(&case.counts);
    }

    /// The sums.
    pub fn finish(mut self) -> Summary {
        for (number, case) in std::mem::take(&mut self.waiting) {
            self.sum(number, &case);
        }
        let mut failed = self.failed.into_iter().map(|(case, failure)| FailedCase { case, failure });
        let first = failed.next();
        Summary { failed: first, more_failed: failed.collect(), ..self.summary }
    }
}
