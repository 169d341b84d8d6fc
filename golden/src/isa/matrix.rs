// SPDX-License-Identifier: Apache-2.0
//! The matrix family: opcode custom-1 (docs/isa.md, "Matrix encodings").

use super::matrix_config::{self, TileSource};
use super::matrix_load_store::{self, Transfer};
use super::operands::{Direction, Engine, Operand, Visit};
use super::word::bits;
use crate::decode::Decoded;
use crate::machine::Machine;
use crate::matrix_csr::TileSize;
use crate::outcome::{Outcome, Trap};

/// Custom-1.
pub(crate) const OPCODE: u32 = 0b010_1011;

/// A matrix instruction with all its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matrix {
    /// `mlae8` and the other 17 loads.
    Load(Transfer),
    /// `msae8` and the other 17 stores.
    Store(Transfer),
    /// `msettile*`
    SetTile {
        /// The tile size that is set.
        size: TileSize,
        /// Its new value.
        source: TileSource,
    },
    /// `mrelease`
    Release,
}

/// Decodes a word that has the opcode of the family.
pub(crate) fn decode(word: u32) -> Decoded {
    let instruction = match (bits(word, 12, 3), bits(word, 26, 2)) {
        (0b000, matrix_config::UOP) => matrix_config::decode(word),
        (0b000, matrix_load_store::UOP) => matrix_load_store::decode(word),
        _ => None,
    };
    instruction.map_or(Decoded::Illegal, Decoded::Matrix)
}

impl Matrix {
    /// One of each instruction, with operands that are all 0.
    pub fn all() -> impl Iterator<Item = Self> {
        let transfers = |direction| Transfer::all().map(move |transfer| Self::transferring(direction, transfer));
        let set_tile = matrix_config::all().map(|(size, source)| Self::SetTile { size, source });
        transfers(Direction::Load).chain(transfers(Direction::Store)).chain(set_tile).chain([Self::Release])
    }

    /// The load or the store with these operands.
    pub fn transferring(direction: Direction, transfer: Transfer) -> Self {
        match direction {
            Direction::Load => Self::Load(transfer),
            Direction::Store => Self::Store(transfer),
        }
    }

    /// The operands of a load or store; `None` for the other instructions.
    pub fn transfer(self) -> Option<(Direction, Transfer)> {
        match self {
            Self::Load(transfer) => Some((Direction::Load, transfer)),
            Self::Store(transfer) => Some((Direction::Store, transfer)),
            Self::SetTile { .. } | Self::Release => None,
        }
    }

    /// The mnemonic: `mlbte16`.
    pub fn mnemonic(self) -> &'static str {
        match self {
            Self::Load(transfer) => transfer.mnemonic(Direction::Load),
            Self::Store(transfer) => transfer.mnemonic(Direction::Store),
            Self::SetTile { size, source } => matrix_config::mnemonic(size, source),
            Self::Release => matrix_config::RELEASE,
        }
    }

    /// What carries it out.
    pub fn engine(self) -> Engine {
        match self {
            Self::Load(_) => Engine::MatrixLoad,
            Self::Store(_) => Engine::MatrixStore,
            Self::SetTile { .. } | Self::Release => Engine::MatrixConfig,
        }
    }

    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self) -> u32 {
        let fields = match self {
            Self::Load(transfer) => transfer.encode(Direction::Load),
            Self::Store(transfer) => transfer.encode(Direction::Store),
            Self::SetTile { size, source } => matrix_config::encode(size, source),
            Self::Release => 0,
        };
        fields | OPCODE
    }

    pub(super) fn execute(self, m: &mut Machine, out: &mut Outcome) -> Result<(), Trap> {
        match self {
            Self::Load(transfer) => matrix_load_store::load(m, out, transfer),
            Self::Store(transfer) => matrix_load_store::store(m, out, transfer),
            Self::SetTile { size, source } => {
                matrix_config::set_tile(m, out, size, source);
                Ok(())
            }
            Self::Release => Ok(()),
        }
    }
}

impl Visit for Matrix {
    fn visit(&mut self, f: &mut impl FnMut(Operand) -> i32) {
        match self {
            Self::Load(transfer) => transfer.visit(Direction::Load, f),
            Self::Store(transfer) => transfer.visit(Direction::Store, f),
            Self::SetTile { source, .. } => source.visit(f),
            Self::Release => {}
        }
    }
}
