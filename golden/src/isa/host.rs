// SPDX-License-Identifier: Apache-2.0
//! The host's own instructions, the two that load constants (docs/isa.md, "Host instructions").

use super::operands::{Access, Operand, OperandKind, Visit};
use super::word::{bits, place};
use super::write_gpr;
use crate::asm::{Cursor, Fault};
use crate::machine::Machine;
use crate::outcome::Outcome;

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
pub(crate) fn decode(word: u32) -> Option<Host> {
    let (rd, rs1) = (bits(word, 7, 5), bits(word, 15, 5));
    match (word & 0x7F, bits(word, 12, 3)) {
        (LUI, _) => Some(Host::Lui { rd, imm20: word >> 12 }),
        (OP_IMM, 0b000) => Some(Host::Addi { rd, rs1, imm12: (word as i32 >> 20) as i16 }),
        _ => None,
    }
}

/// Reads the operands of `mnemonic`; `None` when it is not one of these instructions.
pub(crate) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<Host>, Fault> {
    match mnemonic {
        "lui" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let imm20 = cursor.integer("imm20", 0, 0xF_FFFF)? as u32;
            Ok(Some(Host::Lui { rd, imm20 }))
        }
        "addi" => {
            let rd = cursor.gpr()?;
            cursor.comma()?;
            let rs1 = cursor.gpr()?;
            cursor.comma()?;
            let imm12 = cursor.integer("imm12", -2048, 2047)? as i16;
            Ok(Some(Host::Addi { rd, rs1, imm12 }))
        }
        _ => Ok(None),
    }
}

impl Host {
    /// One of each instruction, with operands that are all 0.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Lui { rd: 0, imm20: 0 }, Self::Addi { rd: 0, rs1: 0, imm12: 0 }].into_iter()
    }

    /// The mnemonic.
    pub fn mnemonic(self) -> &'static str {
        match self {
            Self::Lui { .. } => "lui",
            Self::Addi { .. } => "addi",
        }
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self) -> u32 {
        match self {
            Self::Lui { rd, imm20 } => place(imm20, 12, 20) | place(rd.into(), 7, 5) | LUI,
            Self::Addi { rd, rs1, imm12 } => {
                place(imm12 as u32, 20, 12) | place(rs1.into(), 15, 5) | place(rd.into(), 7, 5) | OP_IMM
            }
        }
    }

    /// The canonical text.
    pub(crate) fn print(self) -> String {
        match self {
            Self::Lui { rd, imm20 } => format!("lui x{rd}, {imm20:#x}"),
            Self::Addi { rd, rs1, imm12 } => format!("addi x{rd}, x{rs1}, {imm12}"),
        }
    }

    pub(super) fn execute(self, m: &mut Machine, out: &mut Outcome) {
        match self {
            Self::Lui { rd, imm20 } => write_gpr(m, out, rd, imm20 << 12),
            Self::Addi { rd, rs1, imm12 } => {
                let sum = m.x(rs1).wrapping_add_signed(imm12.into());
                write_gpr(m, out, rd, sum);
            }
        }
    }
}

impl Visit for Host {
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32) {
        let rd = match self {
            Self::Lui { rd, imm20 } => {
                *imm20 = f(Operand::new("imm20", OperandKind::Immediate, *imm20 as i32, (12, 20))) as u32;
                rd
            }
            Self::Addi { rd, rs1, imm12 } => {
                *rs1 = f(Operand::new("rs1", OperandKind::X(Access::Read), *rs1, (15, 5))) as u8;
                *imm12 = f(Operand::signed("imm12", *imm12, (20, 12))) as i16;
                rd
            }
        };
        *rd = f(Operand::new("rd", OperandKind::X(Access::Write), *rd, (7, 5))) as u8;
    }
}
