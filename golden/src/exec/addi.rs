// SPDX-License-Identifier: Apache-2.0
//! `tl.addi` (docs/isa.md, "tl.addi").

use super::write_tl;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// `tl.addi tlrd, tlrs, imm8`: every element of the register, not only of the block, plus imm8, clamped to the range
/// of an unsigned element. Illegal unless the type is an integer type.
pub(super) fn addi(m: &mut Machine, out: &mut Outcome, tlrd: u8, tlrs: u8, imm8: i8) -> Result<(), Trap> {
    let element = m.element_type().filter(|t| t.integer).ok_or(Trap::illegal(out.word))?;
    let mut bytes = m.tl.get(tlrs).to_vec();
    match element.bits {
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
    if let Some(register) = write_tl(m, out, tlrd) {
        register.copy_from_slice(&bytes);
    }
    Ok(())
}

/// One 4-bit element.
fn add4(element: u8, imm8: i8) -> u8 {
    element.saturating_add_signed(imm8).min(15)
}
