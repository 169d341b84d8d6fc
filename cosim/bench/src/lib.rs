// SPDX-License-Identifier: Apache-2.0
//! The co-verification bench: the verilated RTL and the golden model in lockstep.
//!
//! It does not know the generator: a [`target::Workshop`] is given one. So a change of the generator compiles the
//! generator, and not this.

// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod aftermath;
pub mod bench;
pub mod bound;
pub mod byte_set;
pub mod check;
pub mod ci;
pub mod cli;
pub mod commands;
pub mod coverage;
pub mod cycles;
pub mod decode;
pub mod demo;
pub mod failure;
pub mod fault_table;
pub mod host;
pub mod image;
pub mod lines;
pub mod lockstep;
pub mod memory;
pub mod mutate;
pub mod observer;
pub mod output;
pub mod parallel;
pub mod ports;
pub mod program;
pub mod random;
pub mod record;
pub mod regression;
pub mod replay;
pub mod report;
pub mod run;
pub mod shrink;
pub mod slices;
pub mod stall;
pub mod stored;
pub mod table;
mod tally;
pub mod target;
#[cfg(test)]
mod testing;
mod tile_report;
pub mod tiles;
pub mod triage;
pub mod unit;
pub mod worker;
