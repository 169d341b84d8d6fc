// SPDX-License-Identifier: Apache-2.0
//! Cases for bins: what random programs draw, searched on the model.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod after_reset;
pub mod case;
mod goal;
mod in_flight;
mod redraw;
mod search;

pub use goal::Goal;
