// SPDX-License-Identifier: Apache-2.0
//! What an instruction has to be to hit a bin.

use golden::Csr;
use golden::decode::{Decoded, Tensor, instructions};

use crate::coverage::bins::Bins;
use crate::coverage::facts::{self, Facts};
use crate::coverage::instructions::KINDS;
use crate::coverage::names::OLDER;
use crate::coverage::operation::{self, loads};
use crate::coverage::rules;
use crate::coverage::values::*;
use crate::unit::target::Target;

/// Axes that only the RTL shows: what is in flight together, what is killed.
const TIMING: [Axis; 9] = [
    Axis::Before,
    Axis::Older,
    Axis::Killer,
    Axis::Killed,
    Axis::KilledNumber,
    Axis::Continues,
    Axis::Crowd,
    Axis::Press,
    Axis::Between,
];

/// The values that an instruction is to have: one of each list.
#[derive(Clone, Debug)]
pub struct Goal(Vec<Vec<Value>>);

impl Goal {
    pub fn of_bin(bins: &Bins, id: usize) -> Option<Goal> {
        let (group, cell) = bins.bin(id)?;
        let mut wanted: Vec<Vec<Value>> = cell.0.iter().map(|&value| vec![value]).collect();
        // Where the condition allows several values, the bin has one of them.
        for &value in group.given.iter().filter(|value| cell.get(value.axis).is_none()) {
            match wanted[cell.0.len()..].iter_mut().find(|values| values[0].axis == value.axis) {
                Some(values) => values.push(value),
                None => wanted.push(vec![value]),
            }
        }
        Some(Goal(wanted))
    }

    /// The value wanted on `axis`, when it is one alone.
    pub fn get(&self, axis: Axis) -> Option<Value> {
        self.0.iter().find_map(|values| match values[..] {
            [value] if value.axis == axis => Some(value),
            _ => None,
        })
    }

    /// The engines that are to work on older instructions, one list for each; `None` where that does not matter.
    pub fn older(&self) -> Option<Vec<&'static [Value]>> {
        let index = self.get(Axis::Older)?.index;
        Some(
            OLDER
                .iter()
                .enumerate()
                .filter(|(bit, _)| index >> bit & 1 == 1)
                .map(|(_, (_, engines))| *engines)
                .collect(),
        )
    }

    /// Whether it takes the RTL to tell.
    pub fn timing(&self) -> bool {
        self.has(&TIMING)
    }

    pub fn sequence(&self) -> bool {
        self.timing() || self.has(&[Axis::Trapped, Axis::Ago, Axis::StridesRead])
    }

    fn has(&self, axes: &[Axis]) -> bool {
        self.0.iter().any(|values| axes.contains(&values[0].axis))
    }

    /// The instructions of the unit that can hit the bin, as far as they tell that by themselves, with operands that
    /// are all 0. None when they tell nothing of it.
    pub fn instructions(&self, target: &Target) -> Vec<Decoded> {
        let told = |values: &&Vec<Value>| KINDS.contains(&values[0].axis) || values[0].axis == Axis::Engine;
        let told: Vec<&Vec<Value>> = self.0.iter().filter(told).collect();
        let mut all: Vec<Decoded> = instructions(&target.golden).filter(|_| !told.is_empty()).collect();
        all.retain(|&one| {
            let known = facts::kind(target, one);
            told.iter().all(|values| values.iter().any(|&value| known.has(value)))
        });
        all
    }

    /// The operation that is wanted, with operands that are all 0.
    fn operation(&self) -> Option<Tensor> {
        self.get(Axis::Op).and_then(operation::tensor)
    }

    /// Whether its instruction, if any, loads: then the stalls that it wants are those of L1M.
    pub fn loads(&self) -> bool {
        self.operation().is_some_and(loads) || self.get(Axis::MxDirection) == Some(MX_LOAD)
    }

    pub fn csr(&self) -> Option<Csr> {
        self.get(Axis::CsrName).and_then(rules::csr)
    }

    /// How many lists have a value among these facts, and whether all do. When something was killed is not looked at:
    /// the model does not know.
    pub fn score(&self, facts: &Facts) -> (usize, bool) {
        let met = |values: &&Vec<Value>| {
            values[0].axis == Axis::Killed && facts.index(Axis::Killed).is_some()
                || values.iter().any(|&value| facts.has(value))
        };
        let score = self.0.iter().filter(met).count();
        (score, score == self.0.len())
    }
}
