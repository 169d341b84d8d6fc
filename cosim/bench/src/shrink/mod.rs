// SPDX-License-Identifier: Apache-2.0
//! Makes a failing case smaller, as long as it fails in the same way.
//!
//! A case is a state and a program. Instructions leave the program when they can be deleted, or when what they do can be
//! part of the state from the start; the state is made by instructions of its own, which run before the program and do
//! not count as part of it.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod cost;
mod draft;
mod jumps;
pub mod neighbours;
mod operands;
mod passes;
mod registers;
mod search;
mod signature;
mod state;

use std::time::Duration;

use anyhow::Result;

pub use cost::Cost;
pub use search::{Budget, Run};
pub use signature::Signature;

use crate::case::Case;
use crate::lockstep::failure::Failure;
use crate::run::executor::{fast_kind, run_case};
use crate::unit::target::Target;

/// A case that has been made smaller, and how.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The case.
    pub case: Case,
    /// Its failure.
    pub failure: Box<Failure>,
    /// Instructions of the program that it was made from.
    pub before: usize,
    /// Runs that it took.
    pub runs: u64,
    /// Cost after each step; the first is that of the start.
    pub costs: Vec<Cost>,
    /// Time that it took.
    pub elapsed: Duration,
    /// Why it ended before nothing smaller was found, if it did.
    pub cut_short: Option<&'static str>,
}

impl Shrunk {
    /// One line about what was done.
    pub fn summary(&self) -> String {
        let Shrunk { case, before, runs, cut_short, .. } = self;
        let (after, preload) = (case.program.len(), case.preload.len());
        let end = cut_short.map_or(String::new(), |why| format!(", {why}"));
        format!("from {before} instructions to {after}, and {preload} for the state; {runs} runs{end}")
    }
}

/// What a run of a case gives that is not to count, nor any after it: the smallest case so far is what is wanted.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The failure of a case that runs in this process.
pub fn in_process(target: &Target, fault: u32, case: &Case) -> Option<Box<Failure>> {
    run_case(target, case, fast_kind(fault), fault, |_| Ok(())).err()
}

/// Makes `case` smaller, which fails with `failure` under `run`.
///
/// # Errors
/// Those of `run`, but [`Interrupted`].
pub fn shrink<'a>(
    target: &'a Target,
    case: &Case,
    failure: Box<Failure>,
    budget: Budget,
    run: &'a mut Run<'a>,
) -> Result<Shrunk> {
    let before = case.program.len();
    let draft = draft::Draft::of(target, case);
    let mut search = search::Search::new(target, draft, failure, budget, run);
    passes::all(&mut search);
    let (over, elapsed) = (search.over(), search.elapsed());
    let cut_short = match search.take_error() {
        Some(error) if error.is::<Interrupted>() => Some("interrupted"),
        Some(error) => return Err(error),
        None => over.then_some("the budget is used up"),
    };
    let smaller = if search.costs.len() > 1 { search.best.case(target) } else { None };
    Ok(Shrunk {
        case: smaller.unwrap_or_else(|| case.clone()),
        failure: search.failure,
        before,
        runs: search.runs,
        costs: search.costs,
        elapsed,
        cut_short,
    })
}
