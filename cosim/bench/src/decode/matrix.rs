// SPDX-License-Identifier: Apache-2.0
//! The columns of the matrix decoder.

use golden::TileSize;
use golden::decode::{Decoded, Form, Isa, Matrix, TileSource, Transfer};

use super::{Columns, columns};
use crate::unit::ModelKind;
use crate::unit::tiles;

columns! {
    /// All columns of a decode. Numbers are the bits at their place, of any instruction; other fields that an
    /// instruction does not have are 0.
    MatrixRow {
        /// The opcode is that of the matrix instructions.
        ours: bool = 1,
        /// Ours, and no instruction.
        illegal: bool = 1,
        /// 0 none, 1 load, 2 store, 3 msettilem, 4 msettilen, 5 msettilek, 6 mrelease.
        op: u8 = 3,
        /// 0 A, 1 B, 2 C.
        form: u8 = 2,
        /// Transposed.
        transposed: bool = 1,
        /// log2 of the bytes in an element: bits 11:10 of any instruction.
        d_size: u8 = 2,
        /// Matrix register, bits 9:7 of any instruction: 0 to 3 are tr0 to tr3, 4 to 7 acc0 to acc3.
        md: u8 = 3,
        /// The tile size is the immediate, and not in a register.
        use_imm: bool = 1,
        /// The immediate: bits 24:15 of any instruction.
        imm: u16 = 10,
    }
}

impl MatrixRow {
    fn of_transfer(op: u8, transfer: Transfer, base: MatrixRow) -> MatrixRow {
        let form = match transfer.form {
            Form::A => 0,
            Form::B => 1,
            Form::C => 2,
        };
        let Transfer { transposed, d_size, .. } = transfer;
        MatrixRow { op, form, transposed, d_size, md: tiles::number(transfer.tile()), ..base }
    }
}

impl Columns for MatrixRow {
    const OPCODE: u32 = 0x2b;
    const FAMILY: &'static str = "matrix (custom-1)";
    const KINDS: &'static [&'static str] =
        &["legal loads and stores", "legal configuration instructions", "illegal", "not of this unit"];
    const MODEL: ModelKind = ModelKind::MatrixDecoder;

    fn kind(&self) -> usize {
        match (self.ours, self.illegal, self.op) {
            (true, false, 1 | 2) => 0,
            (true, false, _) => 1,
            (true, true, _) => 2,
            _ => 3,
        }
    }

    fn of_model(word: u32, isa: Isa) -> Self {
        let bits = |lsb: u32, mask: u32| (word >> lsb & mask) as u16;
        let foreign = Self { d_size: bits(10, 3) as u8, md: bits(7, 7) as u8, imm: bits(15, 0x3ff), ..Self::default() };
        let base = Self { ours: true, ..foreign };
        match golden::decode::decode(word, isa) {
            Decoded::Matrix(Matrix::Load(transfer)) => Self::of_transfer(1, transfer, base),
            Decoded::Matrix(Matrix::Store(transfer)) => Self::of_transfer(2, transfer, base),
            Decoded::Matrix(Matrix::SetTile { size, source }) => {
                let op = match size {
                    TileSize::M => 3,
                    TileSize::N => 4,
                    TileSize::K => 5,
                };
                match source {
                    TileSource::Immediate(imm) => Self { op, use_imm: true, imm, ..base },
                    TileSource::Register(_) => Self { op, ..base },
                }
            }
            Decoded::Matrix(Matrix::Release) => Self { op: 6, ..base },
            Decoded::Illegal => Self { illegal: true, ..base },
            Decoded::NotOurs | Decoded::Tensor(_) | Decoded::Csr(_) | Decoded::Host(_) => foreign,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Packed;

    #[test]
    fn columns_survive_the_bridge() {
        let row = MatrixRow { ours: true, op: 5, form: 2, d_size: 2, md: 7, imm: 0x2a5, ..MatrixRow::default() };
        let other = MatrixRow { illegal: true, transposed: true, use_imm: true, ..MatrixRow::default() };
        for row in [row, other] {
            assert_eq!(MatrixRow::unpack(row.pack()), row);
        }
    }

    #[test]
    fn numbers_are_the_bits_at_their_place_and_other_operands_that_an_instruction_does_not_have_are_0() {
        let isa = Isa { matrix: true, ..Isa::DRAFT };
        let row = |word| MatrixRow::of_model(word, isa);
        let base = MatrixRow { ours: true, ..MatrixRow::default() };
        // mscte8 acc1, (x5), x6; msettilek x31; msettileni 1023; mrelease; msettilem x5 with a bit of [11:7] set
        assert_eq!(row(0x6662_82ab), MatrixRow { op: 2, form: 2, transposed: true, md: 5, imm: 0x0c5, ..base });
        assert_eq!(row(0x120f_802b), MatrixRow { op: 5, imm: 0x01f, ..base });
        assert_eq!(row(0x31ff_802b), MatrixRow { op: 4, use_imm: true, imm: 1023, ..base });
        assert_eq!(row(0x0000_002b), MatrixRow { op: 6, ..base });
        assert_eq!(row(0x2202_80ab), MatrixRow { illegal: true, md: 1, imm: 5, ..base });
        assert_eq!(row(0x0000_005b), MatrixRow::default());
    }
}
