// SPDX-License-Identifier: Apache-2.0
//! Programs for a host with the unit. Operators on whole tensors become programs in assembly language:
//! [`operator::Operator`] -> [`mapping::Mapping`], the moves of elements -> [`plan::Plan`], blocks, slices and loops ->
//! [`emit::program`]. For programs in C `include/tensorload.h` has intrinsics, `runtime/` what is needed around them,
//! `examples/` three of them.
//!
//! Nothing here knows the model or the hardware: programs are assembly language or ELF files, which both sides run.

mod c;
pub mod emit;
pub mod mapping;
pub mod operator;
pub mod plan;
pub mod tensor;
pub mod unit;

pub use c::{COMPILER, CompileError, compile, folder};
