// SPDX-License-Identifier: Apache-2.0
//! The TensorLoad family: opcode custom-2 (docs/isa.md, "TensorLoad instructions").

use super::operands::{Direction, Engine, Operand, Visit};
use super::row::{Places, Row, Values};
use super::word::{bits, place};
use super::{ElementOps, addi, concat_merge, load_store, xpose};
use crate::asm::{Cursor, Fault};
use crate::decode::Decoded;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// Custom-2.
pub(crate) const OPCODE: u32 = 0b101_1011;

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

/// The table of encodings.
const ROWS: [Row; 8] = [
    load_store::LOAD,
    load_store::MLOAD,
    load_store::STORE,
    load_store::MSTORE,
    addi::ADDI,
    concat_merge::CONCAT,
    concat_merge::MERGE,
    xpose::XPOSE,
];

/// For each row of the table, where its values are.
const PLACES: [Places; ROWS.len()] = {
    let mut places = [ROWS[0].places(); ROWS.len()];
    let mut n = 0;
    while n < ROWS.len() {
        places[n] = ROWS[n].places();
        n += 1;
    }
    places
};

/// The operands of `tl.load`, `tl.mload`, `tl.store` and `tl.mstore`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SliceTransfer {
    /// Load or store.
    pub direction: Direction,
    /// Whether a mask selects slices.
    pub masked: bool,
    /// The TLReg: tlrd of a load, tlrs of a store.
    pub tl: u8,
    /// Host register with the base address in bytes.
    pub rs: u8,
    /// Signed number of slots.
    pub imm8: i8,
}

impl From<SliceTransfer> for Tensor {
    fn from(SliceTransfer { direction, masked, tl, rs, imm8 }: SliceTransfer) -> Self {
        match (direction, masked) {
            (Direction::Load, false) => Self::Load { tlrd: tl, rs, imm8 },
            (Direction::Load, true) => Self::Mload { tlrd: tl, rs, imm8 },
            (Direction::Store, false) => Self::Store { tlrs: tl, rs, imm8 },
            (Direction::Store, true) => Self::Mstore { tlrs: tl, rs, imm8 },
        }
    }
}

/// Decodes a word that has the opcode of the family.
pub(crate) fn decode(word: u32, engine_id: u8) -> Decoded {
    if bits(word, 30, 2) != engine_id & 3 {
        return Decoded::NotOurs;
    }
    let row = ROWS.iter().zip(&PLACES).find(|(row, _)| row.matches(word));
    row.and_then(|(row, places)| row.decode(word, places)).map_or(Decoded::Illegal, Decoded::Tensor)
}

/// Reads the operands of `mnemonic`; `None` when it is not one of the family.
pub(crate) fn parse(mnemonic: &str, cursor: &mut Cursor) -> Result<Option<Tensor>, Fault> {
    let row = ROWS.iter().find_map(|row| Some((row, row.suffix(mnemonic)?)));
    row.map(|(row, suffix)| row.parse(mnemonic, suffix, cursor)).transpose()
}

/// The mnemonics as the table has them.
pub(crate) fn mnemonics() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.mnemonic)
}

impl Tensor {
    /// One of each instruction, with operands that are all 0, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| (row.build)(Values::default()))
    }

    /// The row of the instruction, and the values of its dimensions and operands in the order of the row.
    fn row(self) -> (&'static Row, Values) {
        match self {
            Self::Load { tlrd, rs, imm8 } => (&load_store::LOAD, [tlrd, imm8 as u8, rs, 0, 0]),
            Self::Mload { tlrd, rs, imm8 } => (&load_store::MLOAD, [tlrd, imm8 as u8, rs, 0, 0]),
            Self::Store { tlrs, rs, imm8 } => (&load_store::STORE, [tlrs, imm8 as u8, rs, 0, 0]),
            Self::Mstore { tlrs, rs, imm8 } => (&load_store::MSTORE, [tlrs, imm8 as u8, rs, 0, 0]),
            Self::Addi { tlrd, tlrs, imm8 } => (&addi::ADDI, [tlrd, tlrs, imm8 as u8, 0, 0]),
            Self::Concat { d, tlrd, tlrs1, tlrs2 } => (&concat_merge::CONCAT, [d, tlrd, tlrs1, tlrs2, 0]),
            Self::Merge { d, tlrd, tlrs1, tlrs2 } => (&concat_merge::MERGE, [d, tlrd, tlrs1, tlrs2, 0]),
            Self::Xpose { p, q, tlrs1, tlrs2, rs } => (&xpose::XPOSE, [p, q, tlrs1, tlrs2, rs]),
        }
    }

    pub(super) fn execute<Ops: ElementOps>(self, m: &mut Machine, out: &mut Outcome) -> Result<(), Trap> {
        match self {
            Self::Load { tlrd, rs, imm8 } => load_store::load(m, out, tlrd, (rs, imm8), false),
            Self::Mload { tlrd, rs, imm8 } => load_store::load(m, out, tlrd, (rs, imm8), true),
            Self::Store { tlrs, rs, imm8 } => load_store::store(m, out, tlrs, (rs, imm8), false),
            Self::Mstore { tlrs, rs, imm8 } => load_store::store(m, out, tlrs, (rs, imm8), true),
            Self::Addi { tlrd, tlrs, imm8 } => addi::addi::<Ops>(m, out, tlrd, tlrs, imm8),
            Self::Concat { d, tlrd, tlrs1, tlrs2 } => concat_merge::concat::<Ops>(m, out, d, tlrd, [tlrs1, tlrs2]),
            Self::Merge { d, tlrd, tlrs1, tlrs2 } => concat_merge::merge::<Ops>(m, out, d, tlrd, [tlrs1, tlrs2]),
            Self::Xpose { p, q, tlrs1, tlrs2, rs } => xpose::xpose::<Ops>(m, out, [p, q], [tlrs1, tlrs2], rs),
        }
    }

    /// The operands of a load or store; `None` for the other instructions.
    pub fn transfer(self) -> Option<SliceTransfer> {
        let transfer = |direction, masked, tl, rs, imm8| Some(SliceTransfer { direction, masked, tl, rs, imm8 });
        match self {
            Self::Load { tlrd, rs, imm8 } => transfer(Direction::Load, false, tlrd, rs, imm8),
            Self::Mload { tlrd, rs, imm8 } => transfer(Direction::Load, true, tlrd, rs, imm8),
            Self::Store { tlrs, rs, imm8 } => transfer(Direction::Store, false, tlrs, rs, imm8),
            Self::Mstore { tlrs, rs, imm8 } => transfer(Direction::Store, true, tlrs, rs, imm8),
            Self::Addi { .. } | Self::Concat { .. } | Self::Merge { .. } | Self::Xpose { .. } => None,
        }
    }

    /// The mnemonic as in the table of encodings, where d, p and q stand for dimensions: `tl.concat.d`.
    pub fn mnemonic(self) -> &'static str {
        self.row().0.mnemonic
    }

    /// What carries it out.
    pub fn engine(self) -> Engine {
        self.row().0.engine
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self, engine_id: u8) -> u32 {
        let (row, values) = self.row();
        place(engine_id.into(), 30, 2) | row.encode(values) | OPCODE
    }

    /// The canonical text.
    pub(crate) fn print(self) -> String {
        let (row, values) = self.row();
        row.print(values)
    }
}

impl Visit for Tensor {
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32) {
        let (row, mut values) = self.row();
        row.visit(&mut values, f);
        *self = (row.build)(values);
    }
}
