// SPDX-License-Identifier: Apache-2.0
//! Cases in worker processes, failing cases made smaller, and failures explained.
//!
//! It stands on `cosim-stimulus`, and has the rooms of that under their names. A room uses those above it in this list,
//! and none below, which a test checks (`tests/tests/independence.rs`):
//!
//! 1. `run`: many cases: schedule, threads, workers, sums
//! 2. `shrink`: a failing case made smaller
//! 3. `triage`: a failure as text and as a folder

// Only the crates of this checkout call it: a comment says what a name, a type or `Result` does not.
#![allow(missing_docs)]
// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub use cosim_stimulus::{
    base, bisect, case, cases, coverage, decode, lockstep, model, pairs, random, report, search, unit, waveform,
};

pub mod run;
pub mod shrink;
pub mod triage;
