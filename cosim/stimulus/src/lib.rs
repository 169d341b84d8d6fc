// SPDX-License-Identifier: Apache-2.0
//! Cases for the unit, and the coverage that they reach.
//!
//! It stands on `cosim-lockstep`, and has the rooms of that under their names. A room uses those above it in this list,
//! and none below, which a test checks (`tests/tests/independence.rs`):
//!
//! 1. `random`: random cases
//! 2. `pairs`: every instruction after reset, every pair, every edge
//! 3. `coverage`: what a case hits, and cases for what is missing

// Only the crates of this checkout call it: a comment says what a name, a type or `Result` does not.
#![allow(missing_docs)]
// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub use cosim_lockstep::{base, bisect, case, cases, decode, lockstep, model, report, search, unit, waveform};

pub mod coverage;
pub mod pairs;
pub mod random;
