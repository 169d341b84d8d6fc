// SPDX-License-Identifier: Apache-2.0
//! Makes a failing case smaller, as long as it fails in the same way.
//!
//! A case is a state and a program. Instructions leave the program when they can be deleted, or when what they do can
//! be part of the state from the start; the state is made by instructions of its own, which run before the program and
//! do not count as part of it.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod cost;
mod draft;
mod failing;
mod jumps;
pub mod neighbours;
mod operands;
mod passes;
mod registers;
mod signature;
mod state;

use std::time::Duration;

use anyhow::Result;

pub use crate::search::Budget;
pub use cost::Cost;
pub use failing::Run;
pub use signature::Signature;

use crate::case::{Case, stream};
use crate::lockstep::failure::Failure;
use crate::random::host_program::MOST_INSTRUCTIONS;
use crate::run::executor::run_case;
use crate::unit::ModelKind;
use crate::unit::target::Target;
use failing::{Failing, Search};

/// A case that has been made smaller, and how.
#[derive(Clone, Debug)]
pub struct Shrunk {
    pub case: Case,
    pub failure: Box<Failure>,
    /// Instructions of the program that it was made from.
    pub before: usize,
    pub runs: u64,
    /// Cost after each step; the first is that of the start.
    pub costs: Vec<Cost>,
    pub elapsed: Duration,
    /// Why it ended before nothing smaller was found, if it did.
    pub cut_short: Option<&'static str>,
}

impl Shrunk {
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
    run_case(target, case, ModelKind::for_run(fault, false), fault, |_| Ok(())).err()
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
    let as_stream = stream_of(target, case, &failure, run);
    let (case, failure) = match &as_stream {
        Some((stream, failure)) => (stream, failure.clone()),
        None => (case, failure),
    };
    let draft = draft::Draft::from_case(target, case);
    let problem = Failing { target, signature: Signature::of_failure(target, &failure), run };
    let mut search = Search::new(problem, draft, failure, budget);
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

/// Of a program for the host, what the unit executes of it as a stream, when that fails in the same way: a stream has a
/// state apart from its program, so it gets smaller.
fn stream_of(target: &Target, case: &Case, failure: &Failure, run: &mut Run) -> Option<(Case, Box<Failure>)> {
    if !case.host {
        return None;
    }
    let stream = stream::of_program(target, &case.loaded(), &case.setup, failure, MOST_INSTRUCTIONS).ok()?;
    // An error comes again in the search, which reports it.
    let again = run(&stream).ok()??;
    (Signature::of_failure(target, &again) == Signature::of_failure(target, failure)).then_some((stream, again))
}
