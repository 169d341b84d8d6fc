// SPDX-License-Identifier: Apache-2.0
//! Saturating addition of all elements of a register: one loop for each width, which the compiler can vectorise.

/// As `add` of `isa/addi.rs`.
pub(super) fn add(register: &[u8], e: u32, added: i32) -> Vec<u8> {
    let mut bytes = register.to_vec();
    // Numbers of 9 bits, so 16 bits hold every sum of narrow elements.
    let short = added as i16;
    match e {
        4 => {
            let sum = |element: u8| (i16::from(element) + short).clamp(0, 15) as u8;
            for pair in &mut bytes {
                *pair = sum(*pair & 15) | sum(*pair >> 4) << 4;
            }
        }
        8 => {
            for element in &mut bytes {
                *element = (i16::from(*element) + short).clamp(0, 255) as u8;
            }
        }
        16 => {
            for element in bytes.chunks_exact_mut(2) {
                let sum = u16::from_le_bytes([element[0], element[1]]).saturating_add_signed(short);
                element.copy_from_slice(&sum.to_le_bytes());
            }
        }
        _ => {
            for element in bytes.chunks_exact_mut(4) {
                let value = u32::from_le_bytes([element[0], element[1], element[2], element[3]]);
                element.copy_from_slice(&value.saturating_add_signed(added).to_le_bytes());
            }
        }
    }
    bytes
}
