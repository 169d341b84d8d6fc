// SPDX-License-Identifier: Apache-2.0
//! Decoding and encoding of instruction words (docs/isa.md, "Encodings"). A pure function of the word.

mod csr;
mod host;
mod matrix;
mod tensor;

use crate::config::Config;
use crate::csr::Csr;

pub(crate) use csr::csr_word;
pub use csr::{CsrInstruction, CsrOperation, CsrSource};
pub use host::Host;
pub use matrix::{Form, Matrix, TileSource, Transfer};
pub use tensor::Tensor;

/// What decides which words are instructions of a unit. Wherever one is asked for, a [`Config`] will do, and so will an
/// EngineID, for a unit without the matrix instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Isa {
    /// EngineID of the TensorLoad instructions, of which the low two bits count.
    pub engine_id: u8,
    /// Whether the unit has the matrix instruction set.
    pub matrix: bool,
}

impl Isa {
    /// Whether the unit has this CSR.
    pub fn has(self, csr: Csr) -> bool {
        self.matrix || !matches!(csr, Csr::Matrix(_))
    }
}

impl From<&Config> for Isa {
    fn from(config: &Config) -> Self {
        Self { engine_id: config.engine_id, matrix: config.matrix.is_some() }
    }
}

impl From<u8> for Isa {
    fn from(engine_id: u8) -> Self {
        Self { engine_id, matrix: false }
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
        tensor::OPCODE => tensor::decode(word, isa.engine_id),
        matrix::OPCODE if isa.matrix => matrix::decode(word),
        csr::OPCODE => csr::decode(word, isa),
        _ => host::decode(word).map_or(Decoded::NotOurs, Decoded::Host),
    }
}

impl Decoded {
    /// The word of the instruction, the inverse of [`decode`]; `None` for [`Decoded::Illegal`] and
    /// [`Decoded::NotOurs`]. Only the bits of a value that its field has count.
    pub fn encode(self, engine_id: u8) -> Option<u32> {
        match self {
            Self::Tensor(instruction) => Some(instruction.encode(engine_id)),
            Self::Matrix(instruction) => Some(instruction.encode()),
            Self::Csr(instruction) => Some(instruction.encode()),
            Self::Host(instruction) => Some(instruction.encode()),
            Self::Illegal | Self::NotOurs => None,
        }
    }
}

/// Bits `[low + width - 1 : low]` of the word; `width` at most 8.
const fn bits(word: u32, low: u32, width: u32) -> u8 {
    (word >> low & ((1 << width) - 1)) as u8
}

/// A value placed at bits `[low + width - 1 : low]`.
const fn place(value: u32, low: u32, width: u32) -> u32 {
    (value & ((1 << width) - 1)) << low
}
