// SPDX-License-Identifier: Apache-2.0
//! What the cases of a unit, or of a shard of them, came to.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::Reported;
use crate::base::ending::Ending;
use crate::cases::schedule::{Shard, Stopped};
use crate::cases::{self, FailedCase, Summary, first_of_each};

/// Failing cases of a signature that are explained.
pub(super) const EXPLAINED: usize = 8;

/// What the cases of a unit came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome<S> {
    /// Name of the unit.
    pub unit: String,
    /// Seed of its cases.
    pub seed: u64,
    /// Which of how many: `1/1` for all cases.
    pub shard: Shard,
    /// Cases that were run.
    pub cases: u64,
    /// Hash over the stimulus of them all.
    pub hash: u64,
    /// Over cases that passed.
    pub sums: S,
    /// From the first case to the last.
    pub elapsed: Duration,
    /// Why it stopped before all cases were run.
    pub stopped: Option<Stopped>,
    /// The cases that failed, in the order of their numbers.
    pub failures: Vec<Failed>,
}

/// A case that failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Its number.
    pub case: u64,
    /// In which way it failed, without values.
    pub signature: String,
    /// What was found; `None` when enough earlier ones failed in this way.
    pub explained: Option<Explained>,
}

/// What was found when a failing case was looked into.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// What kind of failure, in one line: that of the smaller case, as in the text, where there is one.
    pub headline: String,
    /// The command that runs the case again.
    pub again: String,
    /// The one that does so in the folder around its folder; empty when there is none.
    pub here: String,
    /// The whole report.
    pub text: String,
    /// Which of its neighbours fail, too; empty when that is not known.
    pub nearby: String,
    /// What it has in common with others.
    pub bucket: Bucket,
    /// Steps of the case, and of those that make its state; and the same as text.
    pub size: (usize, usize),
    /// The sizes in words.
    pub size_text: String,
    /// Name of its folder.
    pub folder: String,
}

/// What the failures of a bucket have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bucket {
    /// In which way it failed, without values.
    pub signature: String,
    /// Which parts of a result are wrong; empty when that is not known.
    pub places: String,
    /// The part of the unit that has failed; empty when that is not known.
    pub block: String,
    /// The small case without values; empty when the case was not made smaller.
    pub steps: Vec<String>,
}

impl Bucket {
    /// The signature, and which parts of a result are wrong.
    pub fn way(&self) -> String {
        let places = if self.places.is_empty() { String::new() } else { format!(", wrong in {}", self.places) };
        format!("{}{places}", self.signature)
    }

    /// The small case on one line.
    pub fn steps_text(&self) -> String {
        if self.steps.is_empty() { "not made smaller".into() } else { self.steps.join("; ") }
    }
}

/// `w16`, or `w16 shard 2/4`.
pub fn name(unit: &str, shard: Shard) -> String {
    if shard == Shard::WHOLE { unit.to_owned() } else { format!("{unit} shard {shard}") }
}

impl<S: Reported> Outcome<S> {
    /// Of cases that were run; nothing is explained yet.
    pub fn new<T, J, F>(
        (unit, seed, shard): (&str, u64, Shard),
        summary: &Summary<T, J, F>,
        sums: S,
        signature: impl Fn(&F) -> String,
    ) -> Outcome<S> {
        let failed = |FailedCase { number, failure, .. }: &FailedCase<J, F>| Failed {
            case: *number,
            signature: signature(failure),
            explained: None,
        };
        Outcome {
            unit: unit.to_owned(),
            seed,
            shard,
            cases: summary.cases,
            hash: summary.hash,
            sums,
            elapsed: summary.elapsed,
            stopped: summary.stopped,
            failures: summary.failures().map(failed).collect(),
        }
    }

    /// Whether it can be shown, when somebody else may have written it.
    ///
    /// # Errors
    /// For a name of a folder that is none: it becomes a link.
    pub fn check(&self) -> Result<()> {
        for explained in self.failures.iter().filter_map(|failed| failed.explained.as_ref()) {
            let folder = &explained.folder;
            let plain = folder.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
            ensure!(plain, "the field `folder` is {folder:?}; allowed: letters, digits, `-` and `_`");
        }
        Ok(())
    }

    /// How the run ended.
    pub fn ending(&self) -> Ending {
        cases::ending(self.cases, self.failures.len(), self.stopped)
    }

    /// How many cases have failed.
    pub fn failed_cases(&self) -> u64 {
        self.failures.len() as u64
    }

    /// The line before what failed: seed, number of cases, hash of the stimulus.
    pub fn headline(&self) -> String {
        format!("{}: seed {}, {} cases, stimulus {:016x}", self.name(), self.seed, self.cases, self.hash)
    }

    /// [`name`] of it.
    pub fn name(&self) -> String {
        name(&self.unit, self.shard)
    }

    /// The shards of a run as one, which reports `most` failing cases at most; nothing when there is none.
    pub fn merge(shards: impl IntoIterator<Item = Outcome<S>>, most: usize) -> Option<Outcome<S>> {
        let mut merged = shards.into_iter().reduce(|mut sum, one| {
            sum.cases = sum.cases.saturating_add(one.cases);
            sum.hash = sum.hash.wrapping_add(one.hash);
            sum.sums.add(one.sums);
            sum.elapsed = sum.elapsed.saturating_add(one.elapsed);
            sum.stopped = sum.stopped.max(one.stopped);
            sum.failures.extend(one.failures);
            sum
        })?;
        merged.shard = Shard::WHOLE;
        merged.failures = first_failures(merged.failures, most);
        Some(merged)
    }
}

/// The failing cases in the order of their numbers, as many as one run would report, and of each way to fail as many
/// explained: those with the lowest numbers, which are the first ones in their shards, too.
fn first_failures(failures: Vec<Failed>, most: usize) -> Vec<Failed> {
    let all: BTreeMap<u64, Failed> = failures.into_iter().map(|failed| (failed.case, failed)).collect();
    let mut first: Vec<Failed> = all.into_values().take(most).collect();
    let chosen = first_of_each(first.iter().map(|failed| &*failed.signature), EXPLAINED);
    for (failed, _) in first.iter_mut().zip(chosen).filter(|(_, chosen)| !chosen) {
        failed.explained = None;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(case: u64, signature: &str, explained: bool) -> Failed {
        let text = || format!("text of {case}");
        let (places, block) = (String::new(), String::new());
        let bucket = Bucket { signature: signature.into(), places, block, steps: Vec::new() };
        let explained = explained.then(|| Explained {
            headline: text(),
            again: text(),
            here: text(),
            text: text(),
            nearby: String::new(),
            bucket,
            size: (1, 0),
            size_text: text(),
            folder: text(),
        });
        Failed { case, signature: signature.into(), explained }
    }

    #[test]
    fn the_first_cases_of_each_way_are_looked_into_as_in_one_run() {
        // Each shard has looked into its first eight of a way.
        let of_shard = |start: u64| -> Vec<Failed> {
            let cases = (0..12).map(|n| failed(2 * n + start, if n == 5 { "b" } else { "a" }, n == 5 || n < 9));
            cases.collect()
        };
        let short = |most| {
            let merged = first_failures([of_shard(0), of_shard(1)].concat(), most);
            merged.into_iter().map(|f| (f.case, f.signature, f.explained.is_some())).collect::<Vec<_>>()
        };
        let cases: Vec<_> = short(1000);
        assert_eq!(cases.iter().map(|case| case.0).collect::<Vec<_>>(), (0..24).collect::<Vec<_>>());
        let looked = |way: &str| -> Vec<u64> {
            cases.iter().filter(|case| case.2 && case.1 == way).map(|case| case.0).collect()
        };
        assert_eq!((looked("a"), looked("b")), ((0..8).collect(), vec![10, 11]));
        assert_eq!(short(3), cases[..3]);
    }
}
