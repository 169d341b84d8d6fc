// SPDX-License-Identifier: Apache-2.0
//! Random stimulus: legal instructions that matter, a minority of illegal ones, and random words.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod bit_ops;
pub mod case;
mod concat_tiles;
mod copy;
pub mod core_program;
mod corner_ops;
mod crowd_ops;
mod csr_then;
mod error_ops;
mod far_ops;
mod first_ops;
pub mod generator;
pub mod host_program;
mod im2col;
mod immediates;
mod look;
mod matrix_ops;
mod memory_ops;
mod move_ops;
mod near_ops;
mod noise;
mod operator_ops;
mod overlap_ops;
mod pressure_ops;
mod program;
pub mod shape;
mod transpose_tiles;
mod trap_ops;

pub use case::CASE_INSTRUCTIONS;
