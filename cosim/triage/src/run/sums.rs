// SPDX-License-Identifier: Apache-2.0
//! What the cases of a schedule did, added up.

use serde::{Deserialize, Serialize};

use super::Job;
use crate::cases::{self, Sum};
use crate::coverage::hits::Hits;
use crate::coverage::rtl::Points;
use crate::lockstep::Counts;
use crate::lockstep::failure::Failure;

/// What cases that passed did.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Passed {
    pub counts: Counts,
    /// What they hit, when that was asked for.
    pub hits: Hits,
    /// Lines and toggles of the RTL, when they were counted; never by another process.
    #[serde(skip)]
    pub points: Points,
}

impl Sum for Passed {
    fn add(&mut self, other: Passed) {
        self.counts.add(&other.counts);
        self.hits.merge(&other.hits);
        self.points.merge(other.points);
    }
}

pub type FailedCase = cases::FailedCase<Job, Failure>;
/// Sums over cases, and those that failed.
pub type Summary = cases::Summary<Passed, Job, Failure>;
