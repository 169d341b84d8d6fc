// SPDX-License-Identifier: Apache-2.0
//! Elements of registers, as docs/isa.md has them ("Element type").

/// The elements of registers, where they have `e` bits, 4, 8, 16 or 32: element n is bits n*e to n*e + e - 1, where bit
/// b of a register is bit b mod 8 of byte b / 8.
pub fn elements(registers: &[u8], e: u32) -> Vec<u32> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
    match e {
        4 => registers.iter().flat_map(|&byte| [byte & 15, byte >> 4]).map(u32::from).collect(),
        8 => registers.iter().map(|&byte| byte.into()).collect(),
        16 => registers.chunks_exact(2).map(number).collect(),
        _ => registers.chunks_exact(4).map(number).collect(),
    }
}

/// Registers with these elements of `e` bits: the inverse of [`elements`].
pub(super) fn registers(elements: &[u32], e: u32) -> Vec<u8> {
    match e {
        4 => elements.chunks_exact(2).map(|pair| (pair[0] | pair[1] << 4) as u8).collect(),
        8 => elements.iter().map(|&value| value as u8).collect(),
        16 => elements.iter().flat_map(|&value| (value as u16).to_le_bytes()).collect(),
        _ => elements.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}
