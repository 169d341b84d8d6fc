// SPDX-License-Identifier: Apache-2.0
//! A failing case made smaller: fewer steps, and simpler ones.

use anyhow::Result;

use super::case::{Case, Failure};
use super::unit::Unit;
use super::worker::Worker;
use crate::search::{Problem, Search};

/// Numbers that may stand in the place of `value`, the simplest first. For [`Unit::simpler`].
pub fn simpler_numbers(value: u64) -> Vec<u64> {
    let halves = (1..64).rev().map(|shift| value >> shift).filter(|&half| half > 1);
    let without_a_bit = (0..64).map(|bit| value & !(1 << bit));
    let mut all: Vec<u64> = [0, 1].into_iter().chain(halves).chain(without_a_bit).collect();
    all.retain(|&other| size_of(other) < size_of(value));
    all.dedup();
    all
}

/// How large a number is: by its bits, and then by how many are set. For [`Unit::size`].
pub fn size_of(value: u64) -> u64 {
    u64::from(64 - value.leading_zeros()) * 65 + u64::from(value.count_ones())
}

struct Smaller<'a, 'b, U: Unit> {
    unit: &'a U,
    worker: &'a mut Worker<'b, U>,
    selection: u32,
    signature: String,
}

impl<U: Unit> Problem for Smaller<'_, '_, U> {
    type Draft = Case<U::Step>;
    type Case = Case<U::Step>;
    type Cost = (usize, u64);
    type Failure = Failure;

    fn cost(&self, draft: &Case<U::Step>) -> (usize, u64) {
        let power_up = u64::from(draft.power_up != 0);
        (draft.steps.len(), draft.steps.iter().map(|step| self.unit.size(step)).sum::<u64>() + power_up)
    }

    fn case(&self, draft: &Case<U::Step>) -> Option<Case<U::Step>> {
        Some(draft.clone())
    }

    fn run(&mut self, case: &Case<U::Step>) -> Result<Option<Failure>> {
        let ran = self.worker.run(case, self.selection, None)?;
        Ok(ran.failure.filter(|failure| failure.signature == self.signature))
    }
}

/// A case that has been made smaller.
pub struct Shrunk<S> {
    pub case: Case<S>,
    pub failure: Failure,
    /// How often a case was run for it.
    pub runs: u64,
}

/// Makes a case smaller that fails with `failure`.
///
/// # Errors
/// When cases cannot be run.
pub fn shrink<U: Unit>(
    unit: &U,
    worker: &mut Worker<U>,
    case: Case<U::Step>,
    failure: Failure,
    selection: u32,
) -> Result<Shrunk<U::Step>> {
    let budget = worker.budget();
    let problem = Smaller { unit, worker, selection, signature: failure.signature.clone() };
    let mut search = Search::new(problem, case, failure, budget);
    loop {
        let cost = search.costs.len();
        search.delete(|case| case.steps.len(), |case, range| drop(case.steps.drain(range)));
        search.change(|case| case.power_up = 0);
        for at in 0..search.best.steps.len() {
            // Each one that is taken has simpler ones of its own.
            while unit
                .simpler(&search.best.steps[at])
                .into_iter()
                .any(|step| search.change(|case| case.steps[at] = step))
            {}
        }
        for at in 0..search.best.steps.len() {
            // Steps that have to be the same become simpler together.
            let text = search.best.steps[at].to_string();
            let same = |step: &U::Step| step.to_string() == text;
            if search.best.steps.iter().filter(|step| same(step)).count() < 2 {
                continue;
            }
            unit.simpler(&search.best.steps[at]).into_iter().any(|simpler| {
                search.change(|case| {
                    case.steps.iter_mut().filter(|step| same(step)).for_each(|step| *step = simpler.clone());
                })
            });
        }
        if search.costs.len() == cost || search.over() {
            break;
        }
    }
    if let Some(error) = search.take_error() {
        return Err(error);
    }
    Ok(Shrunk { case: search.best, failure: search.failure, runs: search.runs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_smaller_ones_until_it_is_zero() {
        assert!(simpler_numbers(0).is_empty());
        assert_eq!(simpler_numbers(1), [0]);
        for value in [2, 5, 0x8000_0000, u64::MAX] {
            let simpler = simpler_numbers(value);
            assert!(simpler.iter().all(|&other| size_of(other) < size_of(value)), "{value}: {simpler:?}");
            assert_eq!(simpler[..2], [0, 1]);
        }
    }
}
