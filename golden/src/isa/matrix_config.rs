// SPDX-License-Identifier: Apache-2.0
//! `msettile*` and `mrelease` (docs/isa.md, "Matrix encodings" and "Matrix operations").

use super::matrix::{Matrix, OPCODE};
use super::operands::{Access, Operand, OperandKind, Visit};
use super::word::{bits, place};
use crate::csr::Csr;
use crate::machine::Machine;
use crate::matrix_csr::TileSize;
use crate::outcome::Outcome;

/// The field [27:26] of these instructions.
pub(super) const UOP: u8 = 0b00;

/// Where the new value of a tile size is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileSource {
    /// An immediate, 0..=1023: `msettilemi`.
    Immediate(u16),
    /// The host register of that number: `msettilem`.
    Register(u8),
}

/// The rows of the table of tile sizes: func4, size, mnemonics with an immediate and with a register.
const ROWS: [(u8, TileSize, [&str; 2]); 3] = [
    (0b0001, TileSize::K, ["msettileki", "msettilek"]),
    (0b0010, TileSize::M, ["msettilemi", "msettilem"]),
    (0b0011, TileSize::N, ["msettileni", "msettilen"]),
];

/// All of its fields but the opcode are 0.
pub(super) const RELEASE: &str = "mrelease";

fn row(size: TileSize) -> (u8, [&'static str; 2]) {
    let (func4, _, mnemonics) = match size {
        TileSize::K => ROWS[0],
        TileSize::M => ROWS[1],
        TileSize::N => ROWS[2],
    };
    (func4, mnemonics)
}

/// Every tile size with every source, of value 0.
pub(super) fn all() -> impl Iterator<Item = (TileSize, TileSource)> {
    let sources = [TileSource::Immediate(0), TileSource::Register(0)];
    ROWS.iter().flat_map(move |&(_, size, _)| sources.map(|source| (size, source)))
}

/// The instruction in a word with the uop of configuration.
pub(super) fn decode(word: u32) -> Option<Matrix> {
    if word == OPCODE {
        return Some(Matrix::Release);
    }
    let &(_, size, _) = ROWS.iter().find(|row| row.0 == bits(word, 28, 4))?;
    let source = match (bits(word, 25, 1), bits(word, 20, 5)) {
        (0, _) => TileSource::Immediate((word >> 15 & 0x3FF) as u16),
        (_, 0) => TileSource::Register(bits(word, 15, 5)),
        _ => return None,
    };
    (bits(word, 7, 5) == 0).then_some(Matrix::SetTile { size, source })
}

/// All fields of an `msettile*` but the opcode.
pub(super) fn encode(size: TileSize, source: TileSource) -> u32 {
    let source = match source {
        TileSource::Immediate(imm10) => place(imm10.into(), 15, 10),
        TileSource::Register(rs1) => 1 << 25 | place(rs1.into(), 15, 5),
    };
    place(row(size).0.into(), 28, 4) | place(UOP.into(), 26, 2) | source
}

/// The mnemonic of an `msettile*`.
pub(super) fn mnemonic(size: TileSize, source: TileSource) -> &'static str {
    let (_, [immediate, register]) = row(size);
    match source {
        TileSource::Immediate(_) => immediate,
        TileSource::Register(_) => register,
    }
}

/// Any value is taken; the loads and stores that use it check it.
pub(super) fn set_tile(m: &mut Machine, out: &mut Outcome, size: TileSize, source: TileSource) {
    let value = match source {
        TileSource::Immediate(imm10) => imm10.into(),
        TileSource::Register(rs1) => m.x(rs1),
    };
    m.csr.set_tile_size(size, value);
    out.csr_write = Some((Csr::Matrix(size.csr()).address(), value));
}

impl Visit for TileSource {
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32) {
        match self {
            Self::Immediate(imm10) => {
                *imm10 = f(Operand::new("imm10", OperandKind::Immediate, *imm10, (15, 10))) as u16
            }
            Self::Register(rs1) => *rs1 = f(Operand::new("rs1", OperandKind::X(Access::Read), *rs1, (15, 5))) as u8,
        }
    }
}
