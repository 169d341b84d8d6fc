// SPDX-License-Identifier: Apache-2.0
//! The decoder of the RTL against that of the model, on every word of the opcode.

use golden::decode::{Decoded, Tensor};

use crate::bridge::ffi;
use crate::target::Target;

/// The opcode of the unit, custom-2.
const OPCODE: u32 = 0x5b;

/// Words of the opcode: all values of bits 31 to 7.
pub const WORDS: u32 = 1 << 25;

/// All columns of a decode. Fields that an instruction does not have are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Opcode and EngineID are the unit's.
    pub ours: bool,
    /// Ours, and no instruction.
    pub illegal: bool,
    /// 0 none, 1 load, 2 mload, 3 store, 4 mstore, 5 addi, 6 concat, 7 merge, 8 xpose.
    pub op: u8,
    /// TLReg written; 0 for xpose, which writes its sources.
    pub rd: u8,
    /// First TLReg read.
    pub rs1: u8,
    /// Second TLReg read.
    pub rs2: u8,
    /// Host register.
    pub gpr: u8,
    /// Immediate, the eight bits.
    pub imm: u8,
    /// Dimension of concat and merge.
    pub dim: u8,
    /// Field dim0 of xpose.
    pub p: u8,
    /// Field dim1 of xpose.
    pub q: u8,
}

impl Row {
    /// The model's decode of `word`.
    pub fn of_model(word: u32, engine_id: u8) -> Row {
        let base = Row { ours: true, ..Row::default() };
        match golden::decode::decode(word, engine_id) {
            Decoded::Tensor(tensor) => match tensor {
                Tensor::Load { tlrd, rs, imm8 } => Row { op: 1, rd: tlrd, gpr: rs, imm: imm8 as u8, ..base },
                Tensor::Mload { tlrd, rs, imm8 } => Row { op: 2, rd: tlrd, gpr: rs, imm: imm8 as u8, ..base },
                Tensor::Store { tlrs, rs, imm8 } => Row { op: 3, rs1: tlrs, gpr: rs, imm: imm8 as u8, ..base },
                Tensor::Mstore { tlrs, rs, imm8 } => Row { op: 4, rs1: tlrs, gpr: rs, imm: imm8 as u8, ..base },
                Tensor::Addi { tlrd, tlrs, imm8 } => Row { op: 5, rd: tlrd, rs1: tlrs, imm: imm8 as u8, ..base },
                Tensor::Concat { d, tlrd, tlrs1, tlrs2 } => {
                    Row { op: 6, rd: tlrd, rs1: tlrs1, rs2: tlrs2, dim: d, ..base }
                }
                Tensor::Merge { d, tlrd, tlrs1, tlrs2 } => {
                    Row { op: 7, rd: tlrd, rs1: tlrs1, rs2: tlrs2, dim: d, ..base }
                }
                Tensor::Xpose { p, q, tlrs1, tlrs2, rs } => {
                    Row { op: 8, rs1: tlrs1, rs2: tlrs2, gpr: rs, p, q, ..base }
                }
            },
            Decoded::Illegal => Row { illegal: true, ..base },
            Decoded::NotOurs | Decoded::Matrix(_) | Decoded::Csr(_) | Decoded::Host(_) => Row::default(),
        }
    }

    /// The columns in one word, as the bridge packs them.
    pub fn pack(&self) -> u64 {
        let Row { ours, illegal, op, rd, rs1, rs2, gpr, imm, dim, p, q } = *self;
        let fields = [
            (u64::from(ours), 0),
            (illegal.into(), 1),
            (op.into(), 2),
            (rd.into(), 6),
            (rs1.into(), 11),
            (rs2.into(), 16),
            (gpr.into(), 21),
            (imm.into(), 26),
            (dim.into(), 34),
            (p.into(), 36),
            (q.into(), 38),
        ];
        fields.iter().fold(0, |word, (value, shift)| word | value << shift)
    }

    /// The inverse of [`Row::pack`].
    pub fn unpack(word: u64) -> Row {
        let field = |shift: u32, bits: u32| (word >> shift & ((1 << bits) - 1)) as u8;
        Row {
            ours: field(0, 1) == 1,
            illegal: field(1, 1) == 1,
            op: field(2, 4),
            rd: field(6, 5),
            rs1: field(11, 5),
            rs2: field(16, 5),
            gpr: field(21, 5),
            imm: field(26, 8),
            dim: field(34, 2),
            p: field(36, 2),
            q: field(38, 2),
        }
    }
}

/// A word that the two sides decode differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The word.
    pub word: u32,
    /// Decode of the RTL.
    pub rtl: Row,
    /// Decode of the model.
    pub model: Row,
}

/// Compares all words of the opcode; gives how many differ and the first few of them.
pub fn compare(target: &Target, progress: impl Fn(u64)) -> (u64, Vec<Difference>) {
    const CHUNK: u32 = 1 << 16;
    const SHOWN: usize = 8;
    let mut decoder = ffi::new_decoder();
    let mut rows = vec![0; CHUNK as usize];
    let (mut count, mut first) = (0, Vec::new());
    for start in (0..WORDS).step_by(CHUNK as usize) {
        decoder.pin_mut().decode(start << 7 | OPCODE, 1 << 7, &mut rows);
        for (i, &row) in (start..).zip(&rows) {
            let word = i << 7 | OPCODE;
            let model = Row::of_model(word, target.golden.engine_id);
            if row != model.pack() {
                count += 1;
                if first.len() < SHOWN {
                    first.push(Difference { word, rtl: Row::unpack(row), model });
                }
            }
        }
        progress(CHUNK.into());
    }
    (count, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_survive_the_bridge() {
        let row =
            Row { ours: true, illegal: false, op: 8, rd: 31, rs1: 1, rs2: 30, gpr: 17, imm: 0xa5, dim: 2, p: 3, q: 1 };
        assert_eq!(Row::unpack(row.pack()), row);
    }
}
