// SPDX-License-Identifier: Apache-2.0
//! Decodes an instruction word and answers questions about an instruction (docs/isa.md, "Encodings"). Pure functions of
//! the word.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use crate::config::Config;
use crate::csr::{CSR_BASE, Csr};
use crate::isa::{Visit, csr, host, matrix, tensor};

pub use crate::isa::{
    Access, Choice, CsrEncoding, CsrInstruction, CsrOperation, CsrSource, Decider, Direction, Elements, Engine, Form,
    Host, Lines, Matrix, Need, Operand, OperandKind, Operands, Register, SliceTransfer, Slices, Tensor, TileSource,
    Transfer, elements, exchanged, stored, xpose_sizes,
};

/// The parameters that decide which words are instructions of a unit. A [`Config`] converts into it, and so does an
/// EngineID, for a unit of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Isa {
    /// EngineID of the TensorLoad instructions; only the low two bits are used.
    pub engine_id: u8,
    /// Bits of a register of the host: 32 or 64.
    pub xlen: u32,
    /// Whether the unit has the matrix instruction set.
    pub matrix: bool,
    /// Address of the first CSR.
    pub csr_base: u16,
    /// Whether it has the CSRs of pitch.
    pub pitch: bool,
    /// Whether it has CSR instructions under its own opcode.
    pub csr_op: bool,
    /// Whether it has the second encodings, with the host register in [19:15].
    pub gpr_rs1: bool,
    /// Whether it has the CSR `tmask_init`.
    pub mask_init: bool,
}

/// How far the addresses of CSRs with `csr_base` 0x880 are from those with [`CSR_BASE`]: writable ones, and those from
/// 0xC00 on.
const MOVED: [u16; 2] = [0x80, 0x20];

impl Isa {
    /// The instruction set of the draft: EngineID 0, no options, no matrix instructions.
    pub const DRAFT: Self = Self {
        engine_id: 0,
        xlen: 32,
        matrix: false,
        csr_base: CSR_BASE,
        pitch: false,
        csr_op: false,
        gpr_rs1: false,
        mask_init: false,
    };

    /// The draft with all options of its revision, at the default `csr_base`, and the matrix instruction set.
    pub const ALL: Self =
        Self { matrix: true, pitch: true, csr_op: true, gpr_rs1: true, mask_init: true, ..Self::DRAFT };

    /// Whether the unit has this CSR.
    pub fn has(self, csr: Csr) -> bool {
        match csr {
            Csr::TloadPitch | Csr::TstorePitch => self.pitch,
            Csr::TmaskInit => self.mask_init,
            Csr::Matrix(_) => self.matrix,
            Csr::Ttype
            | Csr::Tshape
            | Csr::TmaskLoad
            | Csr::TmaskStore
            | Csr::TmaskConcat1
            | Csr::TmaskConcat2
            | Csr::TloadWidth
            | Csr::TstoreWidth
            | Csr::TloadStride(_)
            | Csr::TstoreStride(_)
            | Csr::Tlenb => true,
        }
    }

    /// The CSR that the unit has at `address`.
    pub fn csr(self, address: u16) -> Option<Csr> {
        let csr = Csr::from_address(address.wrapping_sub(self.moved(address)))?;
        (self.has(csr) && self.address(csr.address()) == address).then_some(csr)
    }

    /// Where the unit has what is at `address` with [`CSR_BASE`].
    pub fn address(self, address: u16) -> u16 {
        address + self.moved(address)
    }

    fn moved(self, address: u16) -> u16 {
        if self.csr_base == CSR_BASE { 0 } else { MOVED[usize::from(address >= 0xC00)] }
    }
}

impl From<&Config> for Isa {
    fn from(config: &Config) -> Self {
        let &Config { engine_id, xlen, csr_base, pitch, csr_op, gpr_rs1, mask_init, .. } = config;
        Self { engine_id, xlen, matrix: config.matrix.is_some(), csr_base, pitch, csr_op, gpr_rs1, mask_init }
    }
}

impl From<u8> for Isa {
    fn from(engine_id: u8) -> Self {
        Self { engine_id, ..Self::DRAFT }
    }
}

/// What an instruction word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decoded {
    /// An instruction of the TensorLoad family.
    Tensor(Tensor),
    /// An instruction of the matrix family.
    Matrix(Matrix),
    /// A CSR instruction on one of the unit's CSRs.
    Csr(CsrInstruction),
    /// One of the host's own instructions.
    Host(Host),
    /// Ours, but not an instruction: one of the unit's opcodes (and EngineID) without a legal encoding, or a write to
    /// a read-only CSR of the unit.
    Illegal,
    /// Neither the unit's nor one of the host instructions that the model knows: another opcode, another EngineID, a
    /// CSR that is not the unit's. Executed on the model's host it is an illegal instruction too.
    NotOurs,
}

/// Decodes any 32-bit word.
pub fn decode(word: u32, isa: impl Into<Isa>) -> Decoded {
    let isa = isa.into();
    match word & 0x7F {
        tensor::OPCODE => tensor::decode(word, isa),
        matrix::OPCODE if isa.matrix => matrix::decode(word),
        csr::OPCODE => csr::decode(word, isa),
        _ => host::decode(word, isa).map_or(Decoded::NotOurs, Decoded::Host),
    }
}

/// One of each instruction that a unit and the model's host know, with operands that are all 0: as many as there are
/// mnemonics. CSR instructions are on `ttype`.
pub fn instructions(isa: impl Into<Isa>) -> impl Iterator<Item = Decoded> {
    let isa = isa.into();
    let matrix = Matrix::all().filter(move |_| isa.matrix);
    let second = Tensor::all().filter_map(Tensor::second_form).filter(move |_| isa.gpr_rs1);
    let unit = Tensor::all().chain(second).map(Decoded::Tensor).chain(matrix.map(Decoded::Matrix));
    unit.chain(CsrInstruction::all(isa).map(Decoded::Csr)).chain(Host::all(isa).map(Decoded::Host))
}

impl Decoded {
    /// The word of the instruction, the inverse of [`decode`]; `None` for [`Decoded::Illegal`] and
    /// [`Decoded::NotOurs`]. Only the bits of a value that its field has count.
    pub fn encode(self, isa: impl Into<Isa>) -> Option<u32> {
        match self {
            Self::Tensor(instruction) => Some(instruction.encode(isa.into().engine_id)),
            Self::Matrix(instruction) => Some(instruction.encode()),
            Self::Csr(instruction) => Some(instruction.encode(isa)),
            Self::Host(instruction) => Some(instruction.encode()),
            Self::Illegal | Self::NotOurs => None,
        }
    }

    /// The mnemonic as the tables of encodings have it, where d, p and q stand for dimensions: `tl.concat.d`. `None`
    /// for what is not an instruction.
    pub fn mnemonic(self) -> Option<&'static str> {
        match self {
            Self::Tensor(instruction) => Some(instruction.mnemonic()),
            Self::Matrix(instruction) => Some(instruction.mnemonic()),
            Self::Csr(instruction) => Some(instruction.mnemonic()),
            Self::Host(instruction) => Some(instruction.mnemonic()),
            Self::Illegal | Self::NotOurs => None,
        }
    }

    /// The engine that executes the instruction. `None` for a word that is no instruction.
    pub fn engine(self) -> Option<Engine> {
        match self {
            Self::Tensor(instruction) => Some(instruction.engine()),
            Self::Matrix(instruction) => Some(instruction.engine()),
            Self::Csr(_) => Some(Engine::Csr),
            Self::Host(_) => Some(Engine::Host),
            Self::Illegal | Self::NotOurs => None,
        }
    }

    /// The operands: registers that it reads and writes, immediates, dimensions. None for what is not an instruction.
    pub fn operands(self) -> Operands {
        Operands::of(self)
    }

    /// The operands of a load or store of slices; `None` for everything else.
    pub fn slice_transfer(self) -> Option<SliceTransfer> {
        match self {
            Self::Tensor(instruction) => instruction.transfer(),
            Self::Matrix(_) | Self::Csr(_) | Self::Host(_) | Self::Illegal | Self::NotOurs => None,
        }
    }

    /// Direction and operands of a load or store of tiles; `None` for everything else.
    pub fn tile_transfer(self) -> Option<(Direction, Transfer)> {
        match self {
            Self::Matrix(instruction) => instruction.transfer(),
            Self::Tensor(_) | Self::Csr(_) | Self::Host(_) | Self::Illegal | Self::NotOurs => None,
        }
    }

    /// The same instruction with other operands. `value` is asked for each of them, in the order of
    /// [`Decoded::operands`]. Only the bits of a value that its field has count.
    #[must_use]
    pub fn with_operands(mut self, mut value: impl FnMut(Operand) -> i32) -> Self {
        self.visit(&mut value);
        self
    }
}

impl Visit for Decoded {
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32) {
        match self {
            Self::Tensor(instruction) => instruction.visit(f),
            Self::Matrix(instruction) => instruction.visit(f),
            Self::Csr(instruction) => instruction.visit(f),
            Self::Host(instruction) => instruction.visit(f),
            Self::Illegal | Self::NotOurs => {}
        }
    }
}
