// SPDX-License-Identifier: Apache-2.0
//! The columns of the TensorLoad decoder.

use golden::decode::{Access, Decoded, Isa, OperandKind, Tensor};

use super::{Columns, columns};
use crate::unit::ModelKind;

columns! {
    /// All columns of a decode. Registers that an instruction does not have are 0.
    TensorRow {
        /// Opcode and EngineID are the unit's.
        ours: bool = 1,
        /// Ours, and no instruction.
        illegal: bool = 1,
        /// 0 for none; the place in the table of docs/isa.md, from 1.
        op: u8 = 4,
        /// TLReg written; 0 for xpose, which writes its sources.
        rd: u8 = 5,
        /// First TLReg read.
        rs1: u8 = 5,
        /// Second TLReg read.
        rs2: u8 = 5,
        /// Host register.
        gpr: u8 = 5,
        /// Immediate: bits 27:20 of any instruction.
        imm: u8 = 8,
        /// Dimension of concat and merge: bits 26:25 of any instruction.
        dim: u8 = 2,
        /// Field dim0 of xpose: bits 26:25 of any instruction.
        p: u8 = 2,
        /// Field dim1 of xpose: bits 28:27 of any instruction.
        q: u8 = 2,
    }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Packed;

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
