// SPDX-License-Identifier: Apache-2.0
//! Saturating addition of all elements of a register: one loop for each width, which the compiler can vectorise.

/// As `add` of `isa/addi.rs`.
pub(super) fn add(register: &[u8], e: u32, imm8: i8) -> Vec<u8> {
    let mut bytes = register.to_vec();
    match e {
        4 => {
            for pair in &mut bytes {
                *pair = add4(*pair & 15, imm8) | add4(*pair >> 4, imm8) << 4;
            }
        }
        8 => {
            for element in &mut bytes {
                *element = element.saturating_add_signed(imm8);
            }
        }
        16 => {
            for element in bytes.chunks_exact_mut(2) {
                let sum = u16::from_le_bytes([element[0], element[1]]).saturating_add_signed(imm8.into());
                element.copy_from_slice(&sum.to_le_bytes());
            }
        }
        _ => {
            for element in bytes.chunks_exact_mut(4) {
                let value = u32::from_le_bytes([element[0], element[1], element[2], element[3]]);
                element.copy_from_slice(&value.saturating_add_signed(imm8.into()).to_le_bytes());
            }
        }
    }
    bytes
}

/// One 4-bit element.
fn add4(element: u8, imm8: i8) -> u8 {
    element.saturating_add_signed(imm8).min(15)
}
