// SPDX-License-Identifier: Apache-2.0
//! Pseudo-instructions and directives: they assemble to other instructions or to a plain word.

use super::cursor::Cursor;
use super::error::Fault;
use crate::decode::Host;

/// The mnemonics, for messages.
pub(super) const MNEMONICS: [&str; 4] = ["li", "mv", "nop", ".word"];

/// Reads the operands of `mnemonic` and gives the words; `None` when it is not one of these.
pub(super) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<Vec<u32>>, Fault> {
    let words = match mnemonic {
        "li" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            li(rd, cursor.integer("imm32", MIN32, MAX32)? as u32)
        }
        "mv" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            vec![Host::Addi { rd, rs1: cursor.gpr()?, imm12: 0 }.encode()]
        }
        "nop" => vec![Host::Addi { rd: 0, rs1: 0, imm12: 0 }.encode()],
        ".word" => vec![cursor.integer("a word", MIN32, MAX32)? as u32],
        _ => return Ok(None),
    };
    Ok(Some(words))
}

/// A 32-bit value may be written signed or unsigned.
const MIN32: i64 = i32::MIN as i64;
const MAX32: i64 = u32::MAX as i64;

/// `addi` when the value fits 12 signed bits, otherwise `lui`, and `addi` when the low 12 bits are not zero.
fn li(rd: u8, value: u32) -> Vec<u32> {
    let low = ((value << 20) as i32 >> 20) as i16;
    if i32::from(low) as u32 == value {
        return vec![Host::Addi { rd, rs1: 0, imm12: low }.encode()];
    }
    // `addi` sign-extends, so the upper part is rounded.
    let upper = Host::Lui { rd, imm20: value.wrapping_add(0x800) >> 12 }.encode();
    if low == 0 { vec![upper] } else { vec![upper, Host::Addi { rd, rs1: rd, imm12: low }.encode()] }
}
