// SPDX-License-Identifier: Apache-2.0
//! Random stimulus: legal instructions that matter, a minority of illegal ones, and random words.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

pub mod case;
mod far_ops;
pub mod generator;
mod look;
mod matrix_ops;
mod memory_ops;
mod move_ops;
mod noise;
mod overlap_ops;
mod program;
mod shape;

pub use case::CASE_INSTRUCTIONS;
