// SPDX-License-Identifier: Apache-2.0
//! A failing case as what the search makes smaller: a smaller case is taken when it fails in the same way, with an
//! instruction of its program.

use anyhow::Result;

use super::cost::Cost;
use super::draft::Draft;
use super::signature::Signature;
use crate::case::Case;
use crate::lockstep::failure::Failure;
use crate::search::Problem;
use crate::unit::target::Target;

/// Runs a case; gives its failure, if it fails.
pub type Run<'a> = dyn FnMut(&Case) -> Result<Option<Box<Failure>>> + 'a;

/// The search that makes a case smaller.
pub type Search<'a> = crate::search::Search<Failing<'a>>;

pub struct Failing<'a> {
    pub target: &'a Target,
    pub signature: Signature,
    pub run: &'a mut Run<'a>,
}

impl Problem for Failing<'_> {
    type Draft = Draft;
    type Case = Case;
    type Cost = Cost;
    type Failure = Box<Failure>;

    fn cost(&self, draft: &Draft) -> Cost {
        Cost::of_draft(self.target, draft)
    }

    fn case(&self, draft: &Draft) -> Option<Case> {
        draft.case(self.target)
    }

    fn run(&mut self, case: &Case) -> Result<Option<Box<Failure>>> {
        let inside = |failure: &Failure| failure.at.is_none_or(|(_, _, index)| index >= case.preload.len() as u64);
        let same = |failure: &Failure| Signature::of_failure(self.target, failure) == self.signature;
        Ok((self.run)(case)?.filter(|failure| inside(failure) && same(failure)))
    }
}

/// Where in the program the failing instruction is; the end when there is none.
pub fn failing(search: &Search) -> usize {
    let preload = search.best.case(search.problem.target).map_or(0, |case| case.preload.len() as u64);
    let last = search.best.program.len().saturating_sub(1);
    search.failure.at.map_or(last, |(_, _, index)| index.saturating_sub(preload) as usize).min(last)
}
