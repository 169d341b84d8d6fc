// SPDX-License-Identifier: Apache-2.0
//! RTL and model in lockstep: one clock cycle of everything, and what is compared.
//!
//! `bench` drives host, ports, stalls, unit and model; `check`, `stored` and `tiles` compare when an instruction retires.

mod bench;
pub mod bound;
pub mod byte_set;
pub mod check;
pub mod failure;
pub mod host;
pub mod lines;
mod meaning;
pub mod memory;
pub mod mnemonics;
pub mod observer;
pub mod ports;
pub mod profile;
pub mod record;
pub mod slices;
pub mod stall;
pub mod stored;
pub mod system;
pub mod tiles;

pub use bench::{Counts, Lockstep, Setup, Timing, Tracker};
