// SPDX-License-Identifier: Apache-2.0
//! RTL and model in lockstep.
//!
//! * `environment` drives the unit: host, memories, stalls, the clock cycle, the rules of the ports;
//! * `scoreboard` has the model and compares each instruction that retires;
//! * `observers` watch: counts, recorder, profiler, hooks;
//! * `run` connects the three; `system` has a real core in the place of the environment.

pub mod bound;
mod environment;
pub mod failure;
mod mismatch;
mod observers;
mod retirement;
mod run;
pub mod scoreboard;
mod setup;
pub mod system;

pub use environment::{host, in_flight, memory, stall};
pub use observers::{Counts, Observer, ProgramStep, Timing, mnemonics, profile, record};
pub use run::{Lockstep, Tracker};
pub use scoreboard::ports;
pub use setup::Setup;
