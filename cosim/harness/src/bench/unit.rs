// SPDX-License-Identifier: Apache-2.0
//! What a unit brings to its bench.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::case::{Cover, Failure, Rtl};
use super::dut::Dut;
use crate::base::draw::Draw;
use crate::model::fault::Fault;

/// A unit, its model, and its stimulus.
pub trait Unit: Sync {
    /// One operation: what the unit is given at a time. `Display` is what reports show, one line.
    type Step: Clone + Debug + Display + Hash + Serialize + DeserializeOwned + Send + Sync;

    /// The name of this configuration, a word: it is on the command line and in names of files.
    fn name(&self) -> &str;

    /// The RTL, and the ports that the bench drives by itself.
    fn rtl(&self) -> Rtl;

    /// The steps of a random case. They follow from `draw` alone.
    fn random(&self, draw: &mut Draw) -> Vec<Self::Step>;

    /// Drives the steps of a case into a unit that has just left reset, and compares what it answers with the model.
    /// Call [`Dut::begin`] at the start of each step: a report names it.
    ///
    /// # Errors
    /// The first difference ([`Failure::new`]), and whatever a method of [`Dut`] gives.
    fn run(&self, dut: &mut Dut, steps: &[Self::Step], cover: &mut Cover) -> Result<(), Failure>;

    /// The names of all coverage bins.
    fn bins(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Steps that are likely to hit a bin; with `None` random cases have to.
    fn aim(&self, _bin: &str, _draw: &mut Draw) -> Option<Vec<Self::Step>> {
        None
    }

    /// How large a step is: shrinking takes a step for another one only if that is smaller.
    fn size(&self, _step: &Self::Step) -> u64 {
        0
    }

    /// Steps that may stand in the place of this one, the simplest first.
    fn simpler(&self, _step: &Self::Step) -> Vec<Self::Step> {
        Vec::new()
    }

    /// What a step does, without its values: failing cases that have become smaller are in one bucket when they have the
    /// same signature and the same kinds of steps. By default the first word of its text.
    fn kind(&self, step: &Self::Step) -> String {
        let text = step.to_string();
        text.split(|c: char| !c.is_alphanumeric() && !"_.".contains(c)).next().unwrap_or_default().to_owned()
    }

    /// Planted faults, by [`fault::read`](crate::model::fault::read).
    fn faults(&self) -> Vec<Fault> {
        Vec::new()
    }
}
