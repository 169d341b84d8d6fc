// SPDX-License-Identifier: Apache-2.0
//! The format of replay files, and how large what they hold can be.

use cosim_harness::replay::Format;

/// The version changes when a field does, or what a seed stands for. Version 1 has no `reset_cycles`: reset was always
/// held for three cycles. Up to version 2 every program is a stream.
pub const FORMAT: Format = Format { name: "cosim replay", versions: 1..=3 };

/// Most instructions of a case, those that make the state included.
pub const MAX_INSTRUCTIONS: usize = 1 << 16;
/// Most clock cycles before a reset in the middle.
pub const MAX_RESET_AFTER: u64 = 1 << 20;
/// Most ranges that answer with an error, for each memory.
pub const MAX_ERROR_RANGES: usize = 1 << 10;
