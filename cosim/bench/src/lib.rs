// SPDX-License-Identifier: Apache-2.0
//! The co-verification bench: the verilated RTL and the golden model in lockstep.
//!
//! It does not know the generator: a [`unit::target::Workshop`] is given one. So a change of the generator compiles the
//! generator, and not this.
//!
//! It stands on `cosim-harness`, whose rooms it has under their names. A room uses those above it in this list, and
//! none below, which a test checks (`tests/tests/independence.rs`):
//!
//! 1. `unit`: configurations, and the models of the unit
//! 2. `decode`: the two decoders, compared on every word
//! 3. `lockstep`: one clock cycle of everything, what is compared, and what can go wrong
//! 4. `case`: what the unit is given in one run, and its form as a file
//! 5. `random`: random cases
//! 6. `pairs`: every instruction after reset, every pair, every edge
//! 7. `coverage`: what a case hits, and cases for what is missing
//! 8. `run`: many cases: schedule, threads, workers, sums
//! 9. `shrink`: a failing case made smaller
//! 10. `triage`: a failure as text and as a folder
//! 11. `performance`: clock cycles against the roofline and against pinned ones, speed of the bench
//! 12. `mutate`: what the bench finds of mutants of the unit
//! 13. `ppa`: area, clock and depth of the RTL
//! 14. `operators`: operators on whole tensors
//! 15. `cli`: the commands

// Only the crates of this checkout call it: a comment says what a name, a type or `Result` does not.
#![allow(missing_docs)]
// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub use cosim_harness::{base, bisect, cases, model, search, waveform};

pub mod case;
pub mod cli;
pub mod coverage;
pub mod decode;
pub mod lockstep;
pub mod mutate;
pub mod operators;
pub mod pairs;
pub mod performance;
pub mod ppa;
pub mod random;
pub mod run;
pub mod shrink;
pub mod triage;
pub mod unit;
