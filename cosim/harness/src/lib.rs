// SPDX-License-Identifier: Apache-2.0
//! A harness for verilated units. It knows no instruction set: a bench for a unit is put on top of it.
//!
//! A room uses those above it in this list, and none below, which a test checks (`tests/tests/independence.rs`):
//!
//! 1. `base`: text for the terminal, tables, threads, signals, random draws
//! 2. `replay`: the form of replay files, and the checks of what they say
//! 3. `model`: RTL, and the models that are made of it on demand
//! 4. `waveform`: waveform files, and settings for their viewers
//! 5. `cases`: many cases by threads and processes, schedule, shards, sums
//! 6. `report`: what many cases came to, for people and CI systems
//! 7. `search`: something small that fails in the same way
//! 8. `mutate`: blind errors in the RTL, and how many a bench finds
//! 9. `bisect`: the RTL of earlier commits, and the first bad one
//! 10. `bench`: all of it as a program, for a unit that implements one trait

#![deny(missing_docs)]
// What a command says goes through `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod base;
pub mod bench;
pub mod bisect;
pub mod cases;
pub mod model;
pub mod mutate;
pub mod replay;
pub mod report;
pub mod search;
pub mod waveform;
