// SPDX-License-Identifier: Apache-2.0
//! The commands of the co-verification bench.
//!
//! It stands on `cosim-measure`, and has the rooms of that under their names. A room uses those above it in this list,
//! and none below, which a test checks (`tests/tests/independence.rs`):
//!
//! 1. `cli`: the commands

// Only the crates of this checkout call it: a comment says what a name, a type or `Result` does not.
#![allow(missing_docs)]
// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub use cosim_measure::{
    base, bisect, case, cases, coverage, decode, export, lockstep, model, mutate, operators, pairs, performance, ppa,
    random, report, run, search, shrink, triage, unit, waveform,
};

pub mod cli;
