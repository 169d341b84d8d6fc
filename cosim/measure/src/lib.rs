// SPDX-License-Identifier: Apache-2.0
//! What the unit and its bench are worth: clock cycles, mutants, area, operators on whole tensors; and cases for systems
//! without a bench.
//!
//! It stands on `cosim-triage`, and has the rooms of that under their names. A room uses those above it in this list,
//! and none below, which a test checks (`tests/tests/independence.rs`):
//!
//! 1. `record`: figures of long runs, kept for tables
//! 2. `performance`: clock cycles against the roofline and against pinned ones, speed of the bench
//! 3. `mutate`: what the bench finds of mutants of the unit
//! 4. `ppa`: area, clock and depth of the RTL
//! 5. `operators`: operators on whole tensors
//! 6. `export`: cases as programs that check themselves, for systems without a bench

// Only the crates of this checkout call it: a comment says what a name, a type or `Result` does not.
#![allow(missing_docs)]
// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub use cosim_triage::{
    base, bisect, case, cases, coverage, decode, lockstep, model, pairs, random, report, run, search, shrink, triage,
    unit, waveform,
};

pub mod export;
pub mod mutate;
pub mod operators;
pub mod performance;
pub mod ppa;
pub mod record;
