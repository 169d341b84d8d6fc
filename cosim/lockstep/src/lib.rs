// SPDX-License-Identifier: Apache-2.0
//! The verilated RTL and the golden model in lockstep.
//!
//! It does not know the generator: a [`unit::target::Workshop`] is given one. So a change of the generator compiles the
//! generator, and not this.
//!
//! It stands on `cosim-harness`, and has the rooms of that under their names. A room uses those above it in this list,
//! and none below, which a test checks (`tests/tests/independence.rs`):
//!
//! 1. `unit`: configurations, and the models of the unit
//! 2. `decode`: the two decoders, compared on every word
//! 3. `lockstep`: one clock cycle of everything, what is compared, and what can go wrong
//! 4. `case`: what the unit is given in one run, and its form as a file

// Only the crates of this checkout call it: a comment says what a name, a type or `Result` does not.
#![allow(missing_docs)]
// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub use cosim_harness::{base, bisect, cases, model, report, search, waveform};

pub mod case;
pub mod decode;
pub mod lockstep;
pub mod unit;
