// SPDX-License-Identifier: Apache-2.0
//! The format of replay files, and how large they and what they hold can be.

pub const FORMAT: &str = "cosim replay";
/// The version of the format. It changes when a field does, or what a seed stands for.
pub const VERSION: u64 = 3;
/// The oldest version that is read. Version 1 has no `reset_cycles`: reset was always held for three cycles. Up
/// to version 2 every program is a stream.
pub const OLDEST: u64 = 1;

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 16 << 20;
/// Most instructions of a case, those that make the state included.
pub const MAX_INSTRUCTIONS: usize = 1 << 16;
/// Most clock cycles before a reset in the middle.
pub const MAX_RESET_AFTER: u64 = 1 << 20;
/// Most ranges that answer with an error, for each memory.
pub const MAX_ERROR_RANGES: usize = 1 << 10;
