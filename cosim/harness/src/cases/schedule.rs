// SPDX-License-Identifier: Apache-2.0
//! Which cases a run executes, and when it stops.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::base::interrupt::Interrupt;

/// Part `index` (from 1) of the cases, dealt out in turn to `of` shards. A case is a function of its number, and no
/// number is in two shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u64,
    of: u64,
}

const MOST: u64 = 10_000;

impl Shard {
    /// All cases.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// Its index, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// How many shards there are.
    pub fn count(self) -> u64 {
        self.of
    }

    /// The number of the shard's case `n`, from 0.
    pub fn case(self, n: u64) -> u64 {
        n.saturating_mul(self.of).saturating_add(self.index - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=MOST).contains(&of) && (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err(format!("allowed: I/N with 1 <= I <= N <= {MOST}, such as 2/4")),
        }
    }
}

/// Why a run ended before all its cases were run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// The time was over.
    Time,
    /// A signal came.
    Signal(i32),
}

/// Hands out the cases of a shard until there are no more, the time is up or a signal has come.
#[derive(Debug)]
pub struct Schedule {
    shard: Shard,
    first: u64,
    next: AtomicU64,
    end: AtomicU64,
    deadline: Option<Instant>,
    interrupt: Interrupt,
    most_failures: usize,
    failed: Mutex<BTreeSet<u64>>,
}

impl Schedule {
    /// The cases below `cases` that are in the shard.
    pub fn new(shard: Shard, cases: u64, deadline: Option<Instant>, interrupt: Interrupt) -> Schedule {
        Schedule {
            shard,
            first: 0,
            next: AtomicU64::new(0),
            end: AtomicU64::new(cases),
            deadline,
            interrupt,
            most_failures: 1,
            failed: Mutex::default(),
        }
    }

    /// Without the first cases of the shard.
    pub fn starting_at(self, first: u64) -> Schedule {
        Schedule { first, next: AtomicU64::new(first), ..self }
    }

    /// Goes on until so many cases have failed; without it the first one ends the run.
    pub fn with_failures(self, most_failures: usize) -> Schedule {
        Schedule { most_failures: most_failures.max(1), ..self }
    }

    /// Case `number` has failed. Cases above the last failure that counts need not be run.
    pub fn failed(&self, number: u64) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.insert(number);
        if failed.len() > self.most_failures {
            failed.pop_last();
        }
        if let (Some(&last), true) = (failed.last(), failed.len() == self.most_failures) {
            self.end_at(last);
        }
    }

    /// How many failures there may be.
    pub fn most_failures(&self) -> usize {
        self.most_failures
    }

    /// The number of the next case to run.
    pub fn take(&self) -> Option<u64> {
        if self.stopped().is_some() {
            return None;
        }
        let number = self.shard.case(self.next.fetch_add(1, Ordering::Relaxed));
        (number < self.end.load(Ordering::Relaxed)).then_some(number)
    }

    /// How many of the shard's cases it leaves out.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The shard whose cases it hands out.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// How many cases it hands out, roughly.
    pub fn cases(&self) -> u64 {
        self.end.load(Ordering::Relaxed) / self.shard.of
    }

    /// No case from `number` on needs to be run.
    pub fn end_at(&self, number: u64) {
        self.end.fetch_min(number, Ordering::Relaxed);
    }

    /// Why no case is handed out any more although there are some.
    pub fn stopped(&self) -> Option<Stopped> {
        let left = self.shard.case(self.next.load(Ordering::Relaxed)) < self.end.load(Ordering::Relaxed);
        if !left {
            return None;
        }
        if let Some(signal) = self.interrupt.signal() {
            return Some(Stopped::Signal(signal));
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stopped::Time)
    }
}
