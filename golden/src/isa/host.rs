// SPDX-License-Identifier: Apache-2.0
//! The host's own instructions, those that load constants (docs/isa.md, "Host instructions").

use super::operands::{Access, Operand, OperandKind, Visit};
use super::word::{bits, place};
use super::write_gpr;
use crate::decode::Isa;
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
    /// `slli rd, rs1, shamt`, on a host with 64 bits; shamt is 0..=63
    Slli { rd: u8, rs1: u8, shamt: u8 },
}

/// The host instruction in `word`, if it is one.
pub(crate) fn decode(word: u32, isa: Isa) -> Option<Host> {
    let (rd, rs1) = (bits(word, 7, 5), bits(word, 15, 5));
    match (word & 0x7F, bits(word, 12, 3)) {
        (LUI, _) => Some(Host::Lui { rd, imm20: word >> 12 }),
        (OP_IMM, 0b000) => Some(Host::Addi { rd, rs1, imm12: (word as i32 >> 20) as i16 }),
        (OP_IMM, 0b001) if isa.xlen == 64 && word >> 26 == 0 => Some(Host::Slli { rd, rs1, shamt: bits(word, 20, 6) }),
        _ => None,
    }
}

impl Host {
    /// One of each instruction, with operands that are all 0.
    pub fn all(isa: impl Into<Isa>) -> impl Iterator<Item = Self> {
        let wide = isa.into().xlen == 64;
        let slli = wide.then_some(Self::Slli { rd: 0, rs1: 0, shamt: 0 });
        [Self::Lui { rd: 0, imm20: 0 }, Self::Addi { rd: 0, rs1: 0, imm12: 0 }].into_iter().chain(slli)
    }

    /// The mnemonic.
    pub fn mnemonic(self) -> &'static str {
        match self {
            Self::Lui { .. } => "lui",
            Self::Addi { .. } => "addi",
            Self::Slli { .. } => "slli",
        }
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self) -> u32 {
        match self {
            Self::Lui { rd, imm20 } => place(imm20, 12, 20) | place(rd.into(), 7, 5) | LUI,
            Self::Addi { rd, rs1, imm12 } => {
                place(imm12 as u32, 20, 12) | place(rs1.into(), 15, 5) | place(rd.into(), 7, 5) | OP_IMM
            }
            Self::Slli { rd, rs1, shamt } => {
                place(shamt.into(), 20, 6) | place(rs1.into(), 15, 5) | 1 << 12 | place(rd.into(), 7, 5) | OP_IMM
            }
        }
    }

    pub(super) fn execute(self, m: &mut Machine, out: &mut Outcome) {
        let (rd, value) = match self {
            Self::Lui { rd, imm20 } => (rd, i64::from((imm20 << 12) as i32) as u64),
            Self::Addi { rd, rs1, imm12 } => (rd, m.operand(rs1).wrapping_add_signed(imm12.into())),
            Self::Slli { rd, rs1, shamt } => (rd, m.operand(rs1) << shamt),
        };
        write_gpr(m, out, rd, value);
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
            Self::Slli { rd, rs1, shamt } => {
                *rs1 = f(Operand::new("rs1", OperandKind::X(Access::Read), *rs1, (15, 5))) as u8;
                *shamt = f(Operand::new("shamt", OperandKind::Immediate, *shamt, (20, 6))) as u8;
                rd
            }
        };
        *rd = f(Operand::new("rd", OperandKind::X(Access::Write), *rd, (7, 5))) as u8;
    }
}
