// SPDX-License-Identifier: Apache-2.0
//! The columns of the TensorLoad decoder.

use golden::decode::{Access, Decoded, Isa, OperandKind, Tensor};

use super::Columns;
use crate::unit::ModelKind;

/// All columns of a decode. Registers that an instruction does not have are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TensorRow {
    /// Opcode and EngineID are the unit's.
    pub ours: bool,
    /// Ours, and no instruction.
    pub illegal: bool,
    /// 0 for none; the place in the table of docs/isa.md, from 1.
    pub op: u8,
    /// TLReg written; 0 for xpose, which writes its sources.
    pub rd: u8,
    /// First TLReg read.
    pub rs1: u8,
    /// Second TLReg read.
    pub rs2: u8,
    /// Host register.
    pub gpr: u8,
    /// Immediate: bits 27:20 of any instruction.
    pub imm: u8,
    /// Dimension of concat and merge: bits 26:25 of any instruction.
    pub dim: u8,
    /// Field dim0 of xpose: bits 26:25 of any instruction.
    pub p: u8,
    /// Field dim1 of xpose: bits 28:27 of any instruction.
    pub q: u8,
}

impl TensorRow {
    fn of_tensor(tensor: Tensor, base: TensorRow) -> TensorRow {
        let mut row = TensorRow { op: tensor.number() as u8 + 1, ..base };
        for operand in tensor.operands().iter() {
            let value = operand.value as u8;
            match operand.kind {
                OperandKind::Tl(Access::Write) => row.rd = value,
                OperandKind::Tl(_) if operand.low == 20 => row.rs2 = value,
                OperandKind::Tl(_) => row.rs1 = value,
                OperandKind::X(_) => row.gpr = value,
                // Bits of any instruction.
                OperandKind::Immediate | OperandKind::Dimension => {}
                OperandKind::Tr(_) | OperandKind::Acc(_) => {}
            }
        }
        row
    }
}

impl Columns for TensorRow {
    const OPCODE: u32 = 0x5b;
    const FAMILY: &'static str = "TensorLoad (custom-2)";
    const KINDS: &'static [&'static str] = &["legal", "illegal", "not of this unit"];
    const MODEL: ModelKind = ModelKind::Decoder;

    fn kind(&self) -> usize {
        match (self.ours, self.illegal) {
            (true, false) => 0,
            (true, true) => 1,
            _ => 2,
        }
    }

    fn of_model(word: u32, isa: Isa) -> Self {
        let bits = |lsb: u32, mask: u32| (word >> lsb & mask) as u8;
        let foreign = Self { imm: bits(20, 0xff), dim: bits(25, 3), p: bits(25, 3), q: bits(27, 3), ..Self::default() };
        let base = Self { ours: true, ..foreign };
        match golden::decode::decode(word, isa) {
            Decoded::Tensor(tensor) => Self::of_tensor(tensor, base),
            // Another decoder has its columns.
            Decoded::Csr(_) => base,
            Decoded::Illegal => Self { illegal: true, ..base },
            Decoded::NotOurs | Decoded::Matrix(_) | Decoded::Host(_) => foreign,
        }
    }

    fn pack(&self) -> u64 {
        let Self { ours, illegal, op, rd, rs1, rs2, gpr, imm, dim, p, q } = *self;
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

    fn unpack(word: u64) -> Self {
        let field = |shift: u32, bits: u32| (word >> shift & ((1 << bits) - 1)) as u8;
        Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_survive_the_bridge() {
        let row = TensorRow {
            ours: true,
            illegal: false,
            op: 8,
            rd: 31,
            rs1: 1,
            rs2: 30,
            gpr: 17,
            imm: 0xa5,
            dim: 2,
            p: 3,
            q: 1,
        };
        assert_eq!(TensorRow::unpack(row.pack()), row);
    }
}
