// SPDX-License-Identifier: Apache-2.0
//! Random stimulus: legal instructions that matter, a minority of illegal ones, and random words.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

pub mod case;
mod concat_tiles;
mod copy;
pub mod core_program;
mod error_ops;
pub mod establish;
pub mod flip;
pub mod generator;
pub mod host_program;
mod im2col;
pub mod immediates;
pub mod loops;
pub mod matrix_ops;
pub mod memory_ops;
pub mod move_ops;
pub mod noise;
pub mod operands;
pub mod operator_ops;
pub mod program;
pub mod row;
pub mod shape;
mod store_registers;
mod transpose_tiles;

pub use case::{CASE_INSTRUCTIONS, random_case};
