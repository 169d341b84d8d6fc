// SPDX-License-Identifier: Apache-2.0
//! The host's own instructions, the two that load constants (docs/isa.md, "Host instructions").

use super::{bits, place};

const LUI: u32 = 0b011_0111;
const OP_IMM: u32 = 0b001_0011;

/// A host instruction with all its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The fields are those of the base instruction set.
pub enum Host {
    /// `lui rd, imm20`; imm20 is the value of bits 31:12, 0..=0xFFFFF
    Lui { rd: u8, imm20: u32 },
    /// `addi rd, rs1, imm12`; imm12 is -2048..=2047
    Addi { rd: u8, rs1: u8, imm12: i16 },
}

/// The host instruction in `word`, if it is one.
pub(super) fn decode(word: u32) -> Option<Host> {
    let (rd, rs1) = (bits(word, 7, 5), bits(word, 15, 5));
    match (word & 0x7F, bits(word, 12, 3)) {
        (LUI, _) => Some(Host::Lui { rd, imm20: word >> 12 }),
        (OP_IMM, 0b000) => Some(Host::Addi { rd, rs1, imm12: (word as i32 >> 20) as i16 }),
        _ => None,
    }
}

impl Host {
    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self) -> u32 {
        match self {
            Self::Lui { rd, imm20 } => place(imm20, 12, 20) | place(rd.into(), 7, 5) | LUI,
            Self::Addi { rd, rs1, imm12 } => {
                place(imm12 as u32, 20, 12) | place(rs1.into(), 15, 5) | place(rd.into(), 7, 5) | OP_IMM
            }
        }
    }
}
