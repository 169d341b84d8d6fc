// SPDX-License-Identifier: Apache-2.0
//! How often each bin was hit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bins::Bins;

/// A count for each bin, and how much was run for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits {
    pub cases: u64,
    /// Instructions that retired and were looked at.
    pub instructions: u64,
    /// Bins that were hit, and how often.
    counts: BTreeMap<usize, u64>,
}

impl Hits {
    #[inline]
    pub fn add(&mut self, id: usize, count: u64) {
        let bin = self.counts.entry(id).or_default();
        *bin = bin.saturating_add(count);
    }

    pub fn count(&self, id: usize) -> u64 {
        self.counts.get(&id).copied().unwrap_or(0)
    }

    /// Adds the hits of another run of the same bins: the order of several does not matter.
    pub fn merge(&mut self, other: &Hits) {
        self.cases = self.cases.saturating_add(other.cases);
        self.instructions = self.instructions.saturating_add(other.instructions);
        other.counts.iter().for_each(|(&id, &count)| self.add(id, count));
    }

    /// The bins that can occur and were not hit.
    pub fn missing(&self, bins: &Bins) -> Vec<usize> {
        bins.possible().filter(|&id| self.count(id) == 0).collect()
    }

    /// The bins that cannot occur and were hit all the same: their reason is wrong.
    pub fn refuted(&self, bins: &Bins) -> Vec<usize> {
        (0..bins.len()).filter(|&id| bins.is_excluded(id) && self.count(id) > 0).collect()
    }
}
