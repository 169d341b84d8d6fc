// SPDX-License-Identifier: Apache-2.0
//! The columns of the matrix decoder.

use bitfield_struct::bitfield;
use golden::TileSize;
use golden::decode::{Decoded, Form, Isa, Matrix, TileSource, Transfer};

use super::Columns;
use crate::unit::ModelKind;
use crate::unit::tiles;

/// All columns of a decode. Numbers are the bits at their place, of any instruction; other fields that an
/// instruction does not have are 0.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct MatrixRow {
    /// The opcode is that of the matrix instructions.
    pub ours: bool,
    /// Ours, and no instruction.
    pub illegal: bool,
    /// 0 none, 1 load, 2 store, 3 msettilem, 4 msettilen, 5 msettilek, 6 mrelease.
    #[bits(3)]
    pub op: u8,
    /// 0 A, 1 B, 2 C.
    #[bits(2)]
    pub form: u8,
    /// Transposed.
    pub transposed: bool,
    /// log2 of the bytes in an element: bits 11:10 of any instruction.
    #[bits(2)]
    pub d_size: u8,
    /// Matrix register, bits 9:7 of any instruction: 0 to 3 are tr0 to tr3, 4 to 7 acc0 to acc3.
    #[bits(3)]
    pub md: u8,
    /// The tile size is the immediate, and not in a register.
    pub use_imm: bool,
    /// The immediate: bits 24:15 of any instruction.
    #[bits(10)]
    pub imm: u16,
    #[bits(40)]
    __: u64,
}

impl MatrixRow {
    fn of_transfer(op: u8, transfer: Transfer, base: MatrixRow) -> MatrixRow {
        let form = match transfer.form {
            Form::A => 0,
            Form::B => 1,
            Form::C => 2,
        };
        let Transfer { transposed, d_size, .. } = transfer;
        base.with_op(op)
            .with_form(form)
            .with_transposed(transposed)
            .with_d_size(d_size)
            .with_md(tiles::number(transfer.tile()))
    }
}

impl Columns for MatrixRow {
    const OPCODE: u32 = 0x2b;
    const FAMILY: &'static str = "matrix (custom-1)";
    const KINDS: &'static [&'static str] =
        &["legal loads and stores", "legal configuration instructions", "illegal", "not of this unit"];
    const MODEL: ModelKind = ModelKind::MatrixDecoder;

    fn kind(&self) -> usize {
        match (self.ours(), self.illegal(), self.op()) {
            (true, false, 1 | 2) => 0,
            (true, false, _) => 1,
            (true, true, _) => 2,
            _ => 3,
        }
    }

    fn of_model(word: u32, isa: Isa) -> Self {
        let bits = |lsb: u32, mask: u32| (word >> lsb & mask) as u16;
        let foreign = Self::new().with_d_size(bits(10, 3) as u8).with_md(bits(7, 7) as u8).with_imm(bits(15, 0x3ff));
        let base = foreign.with_ours(true);
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
                    TileSource::Immediate(imm) => base.with_op(op).with_use_imm(true).with_imm(imm),
                    TileSource::Register(_) => base.with_op(op),
                }
            }
            Decoded::Matrix(Matrix::Release) => base.with_op(6),
            Decoded::Illegal => base.with_illegal(true),
            Decoded::NotOurs | Decoded::Tensor(_) | Decoded::Csr(_) | Decoded::Host(_) => foreign,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_bits_at_their_place_and_other_operands_that_an_instruction_does_not_have_are_0() {
        let isa = Isa { matrix: true, ..Isa::DRAFT };
        let row = |word| MatrixRow::of_model(word, isa);
        let base = MatrixRow::new().with_ours(true);
        // mscte8 acc1, (x5), x6; msettilek x31; msettileni 1023; mrelease; msettilem x5 with a bit of [11:7] set
        assert_eq!(row(0x6662_82ab), base.with_op(2).with_form(2).with_transposed(true).with_md(5).with_imm(0x0c5));
        assert_eq!(row(0x120f_802b), base.with_op(5).with_imm(0x01f));
        assert_eq!(row(0x31ff_802b), base.with_op(4).with_use_imm(true).with_imm(1023));
        assert_eq!(row(0x0000_002b), base.with_op(6));
        assert_eq!(row(0x2202_80ab), base.with_illegal(true).with_md(1).with_imm(5));
        assert_eq!(row(0x0000_005b), MatrixRow::new());
    }
}
