// SPDX-License-Identifier: Apache-2.0
//! The columns of the TensorLoad decoder.

use bitfield_struct::bitfield;
use golden::Csr;
use golden::decode::{Access, CsrInstruction, CsrOperation, Decoded, Isa, OperandKind, Tensor};

use super::Columns;
use crate::unit::ModelKind;

/// All columns of a decode. Registers that an instruction does not have are 0.
#[bitfield(u64)]
#[derive(PartialEq, Eq)]
pub struct TensorRow {
    /// Opcode and EngineID are the unit's.
    pub ours: bool,
    /// Ours, and no instruction.
    pub illegal: bool,
    /// 0 for none; the place in the table of docs/isa.md, from 1.
    #[bits(4)]
    pub op: u8,
    /// TLReg written; 0 for xpose, which writes its sources.
    #[bits(5)]
    pub rd: u8,
    /// First TLReg read.
    #[bits(5)]
    pub rs1: u8,
    /// Second TLReg read.
    #[bits(5)]
    pub rs2: u8,
    /// Host register.
    #[bits(5)]
    pub gpr: u8,
    /// Immediate: bits 27:20 of any instruction.
    pub imm: u8,
    /// Dimension of concat and merge: bits 26:25 of any instruction.
    #[bits(2)]
    pub dim: u8,
    /// Field dim0 of xpose: bits 26:25 of any instruction.
    #[bits(2)]
    pub p: u8,
    /// Field dim1 of xpose: bits 28:27 of any instruction.
    #[bits(2)]
    pub q: u8,
    /// A CSR instruction, with the unit's opcode; without it none of what follows.
    #[bits(8)]
    pub csr: CsrFlags,
    /// Of a stride its number, of another CSR its place in docs/isa.md, constants behind those that can be written.
    #[bits(6)]
    pub csr_number: u8,
    #[bits(10)]
    __: u64,
}

/// What a legal CSR instruction does.
#[bitfield(u8)]
#[derive(PartialEq, Eq)]
pub struct CsrFlags {
    /// On a `tstore_stride`.
    pub store_stride: bool,
    /// On a `tload_stride`.
    pub load_stride: bool,
    pub clears: bool,
    pub sets: bool,
    pub writes: bool,
    /// The new value depends on the old one.
    pub modifies: bool,
    pub legal: bool,
    pub is_csr: bool,
}

impl From<CsrInstruction> for CsrFlags {
    fn from(instruction: CsrInstruction) -> CsrFlags {
        let CsrInstruction { operation, csr, .. } = instruction;
        CsrFlags::new()
            .with_is_csr(true)
            .with_legal(true)
            .with_modifies(operation != CsrOperation::Write)
            .with_writes(instruction.writes())
            .with_sets(operation == CsrOperation::Set)
            .with_clears(operation == CsrOperation::Clear)
            .with_load_stride(matches!(csr, Csr::TloadStride(_)))
            .with_store_stride(matches!(csr, Csr::TstoreStride(_)))
    }
}

/// The number of a CSR in a decode.
fn csr_number(csr: Csr, isa: Isa) -> u8 {
    let pitch = if isa.matrix { 15 } else { 9 };
    match csr {
        Csr::TloadStride(slice) | Csr::TstoreStride(slice) => slice,
        Csr::Ttype => 0,
        Csr::Tshape => 1,
        Csr::TmaskLoad => 2,
        Csr::TmaskStore => 3,
        Csr::TmaskConcat1 => 4,
        Csr::TmaskConcat2 => 5,
        Csr::TloadWidth => 6,
        Csr::TstoreWidth => 7,
        Csr::Tlenb => 8,
        Csr::Matrix(csr) => 9 + csr as u8,
        Csr::TloadPitch => pitch,
        Csr::TstorePitch => pitch + 1,
        Csr::TmaskInit => pitch + 2 * u8::from(isa.pitch),
    }
}

impl TensorRow {
    fn of_tensor(tensor: Tensor, base: TensorRow) -> TensorRow {
        let mut row = base.with_op(tensor.number() as u8 + 1);
        for operand in tensor.operands().iter() {
            let value = operand.value as u8;
            match operand.kind {
                OperandKind::Tl(Access::Write) => row.set_rd(value),
                OperandKind::Tl(_) if operand.low == 20 => row.set_rs2(value),
                OperandKind::Tl(_) => row.set_rs1(value),
                OperandKind::X(_) => row.set_gpr(value),
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
        match (self.ours(), self.illegal()) {
            (true, false) => 0,
            (true, true) => 1,
            _ => 2,
        }
    }

    fn of_model(word: u32, isa: Isa) -> Self {
        let bits = |lsb: u32, mask: u32| (word >> lsb & mask) as u8;
        let foreign =
            Self::new().with_imm(bits(20, 0xff)).with_dim(bits(25, 3)).with_p(bits(25, 3)).with_q(bits(27, 3));
        let base = foreign.with_ours(true);
        match golden::decode::decode(word, isa) {
            Decoded::Tensor(tensor) => Self::of_tensor(tensor, base),
            Decoded::Csr(instruction) => {
                base.with_csr(instruction.into()).with_csr_number(csr_number(instruction.csr, isa))
            }
            Decoded::Illegal => base.with_illegal(true),
            Decoded::NotOurs | Decoded::Matrix(_) | Decoded::Host(_) => foreign,
        }
    }
}
