// SPDX-License-Identifier: Apache-2.0
//! Fields of an instruction word.

/// Bits `[low + width - 1 : low]` of the word; `width` at most 8.
pub(super) const fn bits(word: u32, low: u32, width: u32) -> u8 {
    (word >> low & ((1 << width) - 1)) as u8
}

/// A value placed at bits `[low + width - 1 : low]`.
pub(super) const fn place(value: u32, low: u32, width: u32) -> u32 {
    (value & ((1 << width) - 1)) << low
}
