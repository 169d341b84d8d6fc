// SPDX-License-Identifier: Apache-2.0
//! A whole bench for a unit: implement [`Unit`], call [`run`] from `main`, and the program has the commands `random`,
//! `replay`, `shrink`, `faults`, `mutate`, `collect`, `bisect` and `doctor`.
//!
//! ```text
//!   Unit::random, Unit::aim --> Case --> worker process: Dut (verilated) and Unit::run --> passed: bins, cycles
//!                                                                                    |
//!                                   replay.json, report.html, wave.fst <-- shrunk <--+--> failed: Failure
//! ```

mod case;
mod collect;
mod command;
mod dut;
mod explain;
mod faults;
mod glue;
mod kind;
mod models;
mod mutants;
mod random;
mod replay;
mod report;
mod shrink;
mod unit;
mod worker;

pub use case::{Case, Cover, Failure, Reset, Rtl};
pub use command::run;
pub use dut::Dut;
pub use shrink::{simpler_numbers, size_of};
pub use unit::Unit;
