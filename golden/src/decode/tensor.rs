// SPDX-License-Identifier: Apache-2.0
//! The TensorLoad family: opcode custom-2 (docs/isa.md, "TensorLoad instructions").

use super::{Decoded, bits, place};

/// Custom-2.
pub(super) const OPCODE: u32 = 0b101_1011;

/// A TensorLoad instruction with all its fields. `tlr*` are TLReg numbers, `rs` a host register number, all 0..=31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The fields are those of the table of encodings.
pub enum Tensor {
    /// `tl.load tlrd, imm8(rs)`
    Load { tlrd: u8, rs: u8, imm8: i8 },
    /// `tl.mload tlrd, imm8(rs)`
    Mload { tlrd: u8, rs: u8, imm8: i8 },
    /// `tl.store tlrs, imm8(rs)`
    Store { tlrs: u8, rs: u8, imm8: i8 },
    /// `tl.mstore tlrs, imm8(rs)`
    Mstore { tlrs: u8, rs: u8, imm8: i8 },
    /// `tl.addi tlrd, tlrs, imm8`
    Addi { tlrd: u8, tlrs: u8, imm8: i8 },
    /// `tl.concat.d tlrd, tlrs1, tlrs2`; d is 0..=2
    Concat { d: u8, tlrd: u8, tlrs1: u8, tlrs2: u8 },
    /// `tl.merge.d tlrd, tlrs1, tlrs2`; d is 0..=2
    Merge { d: u8, tlrd: u8, tlrs1: u8, tlrs2: u8 },
    /// `tl.xpose.pq tlrs1, tlrs2, rs`; p is the field dim0, q the field dim1, both 0..=3
    Xpose { p: u8, q: u8, tlrs1: u8, tlrs2: u8, rs: u8 },
}

/// One line of the table of encodings: the bits that tell the instruction from the others of the family.
struct Row {
    mask: u32,
    value: u32,
    fields: fn(u32) -> Option<Tensor>,
}

const fn row(funct3: u32, high_mask: u32, high_value: u32, fields: fn(u32) -> Option<Tensor>) -> Row {
    // `high_*` are bits 29:27, the ones above d, p and imm8 that select an instruction.
    Row { mask: 0x7000 | high_mask << 27, value: funct3 << 12 | high_value << 27, fields }
}

const LOAD: Row = row(0b000, 0b110, 0b000, |w| Some(Tensor::Load { tlrd: at19_15(w), rs: at11_7(w), imm8: imm8(w) }));
const MLOAD: Row = row(0b000, 0b110, 0b010, |w| Some(Tensor::Mload { tlrd: at19_15(w), rs: at11_7(w), imm8: imm8(w) }));
const STORE: Row = row(0b010, 0b110, 0b100, |w| Some(Tensor::Store { tlrs: at19_15(w), rs: at11_7(w), imm8: imm8(w) }));
const MSTORE: Row =
    row(0b010, 0b110, 0b110, |w| Some(Tensor::Mstore { tlrs: at19_15(w), rs: at11_7(w), imm8: imm8(w) }));
const ADDI: Row = row(0b010, 0b110, 0b000, |w| Some(Tensor::Addi { tlrd: at11_7(w), tlrs: at19_15(w), imm8: imm8(w) }));
const CONCAT: Row = row(0b001, 0b111, 0b000, |w| {
    dimension(w).map(|d| Tensor::Concat { d, tlrd: at11_7(w), tlrs1: at19_15(w), tlrs2: at24_20(w) })
});
const MERGE: Row = row(0b001, 0b111, 0b001, |w| {
    dimension(w).map(|d| Tensor::Merge { d, tlrd: at11_7(w), tlrs1: at19_15(w), tlrs2: at24_20(w) })
});
const XPOSE: Row = row(0b011, 0b100, 0b000, |w| {
    Some(Tensor::Xpose { p: bits(w, 25, 2), q: bits(w, 27, 2), tlrs1: at19_15(w), tlrs2: at24_20(w), rs: at11_7(w) })
});

const ROWS: [Row; 8] = [LOAD, MLOAD, STORE, MSTORE, ADDI, CONCAT, MERGE, XPOSE];

fn at24_20(word: u32) -> u8 {
    bits(word, 20, 5)
}

fn at19_15(word: u32) -> u8 {
    bits(word, 15, 5)
}

fn at11_7(word: u32) -> u8 {
    bits(word, 7, 5)
}

fn imm8(word: u32) -> i8 {
    bits(word, 20, 8) as i8
}

/// The dimension d of CONCAT and MERGE; 3 is reserved.
fn dimension(word: u32) -> Option<u8> {
    Some(bits(word, 25, 2)).filter(|&d| d < 3)
}

/// Decodes a word that has the opcode of the family.
pub(super) fn decode(word: u32, engine_id: u8) -> Decoded {
    if bits(word, 30, 2) != engine_id & 3 {
        return Decoded::NotOurs;
    }
    match ROWS.iter().find(|row| word & row.mask == row.value).and_then(|row| (row.fields)(word)) {
        Some(instruction) => Decoded::Tensor(instruction),
        None => Decoded::Illegal,
    }
}

impl Tensor {
    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self, engine_id: u8) -> u32 {
        let memory = |row: Row, tl: u8, rs: u8, imm8: i8| {
            row.value | place(imm8 as u32, 20, 8) | place(tl.into(), 15, 5) | place(rs.into(), 7, 5)
        };
        let registers = |row: Row, tlrs2: u8, tlrs1: u8, low: u8| {
            row.value | place(tlrs2.into(), 20, 5) | place(tlrs1.into(), 15, 5) | place(low.into(), 7, 5)
        };
        let operation = match self {
            Self::Load { tlrd, rs, imm8 } => memory(LOAD, tlrd, rs, imm8),
            Self::Mload { tlrd, rs, imm8 } => memory(MLOAD, tlrd, rs, imm8),
            Self::Store { tlrs, rs, imm8 } => memory(STORE, tlrs, rs, imm8),
            Self::Mstore { tlrs, rs, imm8 } => memory(MSTORE, tlrs, rs, imm8),
            Self::Addi { tlrd, tlrs, imm8 } => memory(ADDI, tlrs, tlrd, imm8),
            Self::Concat { d, tlrd, tlrs1, tlrs2 } => place(d.into(), 25, 2) | registers(CONCAT, tlrs2, tlrs1, tlrd),
            Self::Merge { d, tlrd, tlrs1, tlrs2 } => place(d.into(), 25, 2) | registers(MERGE, tlrs2, tlrs1, tlrd),
            Self::Xpose { p, q, tlrs1, tlrs2, rs } => {
                place(q.into(), 27, 2) | place(p.into(), 25, 2) | registers(XPOSE, tlrs2, tlrs1, rs)
            }
        };
        place(engine_id.into(), 30, 2) | operation | OPCODE
    }
}
