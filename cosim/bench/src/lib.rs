// SPDX-License-Identifier: Apache-2.0
//! The co-verification bench: the verilated RTL and the golden model in lockstep.
//!
//! It does not know the generator: a [`unit::target::Workshop`] is given one. So a change of the generator compiles the
//! generator, and not this.

// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod base;
pub mod bench;
pub mod case;
pub mod cli;
pub mod coverage;
pub mod decode;
pub mod lockstep;
pub mod mutate;
pub mod random;
pub mod run;
pub mod shrink;
pub mod triage;
pub mod unit;
