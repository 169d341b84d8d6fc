// SPDX-License-Identifier: Apache-2.0
//! The matrix family: opcode custom-1 (docs/isa.md, "Matrix encodings").

use super::{Decoded, bits, place};
use crate::matrix_csr::TileSize;
use crate::tiles::Tile;

/// Custom-1.
pub(super) const OPCODE: u32 = 0b010_1011;

/// The field uop, [27:26]: configuration or memory access.
const CONFIGURATION: u8 = 0b00;
const MEMORY: u8 = 0b01;

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

/// The operands of a matrix load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// Which operand of a matrix product the tile is.
    pub form: Form,
    /// Whether the columns of the tile, and not its rows, are the lines in memory.
    pub transposed: bool,
    /// log2 of the bytes in an element, 0..=2.
    pub d_size: u8,
    /// Number of the matrix register, 0..=3; its kind follows from the form.
    pub register: u8,
    /// Host register with the base address in bytes.
    pub rs1: u8,
    /// Host register with the stride between memory lines in bytes.
    pub rs2: u8,
}

/// Operands of the product C = A * B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A tile register of M rows and K columns.
    A,
    /// A tile register of N rows and K columns, that is, the second factor by columns.
    B,
    /// An accumulation register of M rows and N columns.
    C,
}

/// Where the new value of a tile size is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileSource {
    /// An immediate, 0..=1023: `msettilemi`.
    Immediate(u16),
    /// The host register of that number: `msettilem`.
    Register(u8),
}

/// The rows of the table of loads and stores: func4, form, transposed.
const FORMS: [(u8, Form, bool); 6] = [
    (0b0000, Form::A, false),
    (0b0001, Form::B, false),
    (0b0010, Form::C, false),
    (0b0100, Form::A, true),
    (0b0101, Form::B, true),
    (0b0110, Form::C, true),
];

/// The rows of the table of tile sizes: func4, size.
const SIZES: [(u8, TileSize); 3] = [(0b0001, TileSize::K), (0b0010, TileSize::M), (0b0011, TileSize::N)];

impl Form {
    /// The tile sizes that are the rows and the columns of the tile.
    pub fn shape(self) -> (TileSize, TileSize) {
        match self {
            Self::A => (TileSize::M, TileSize::K),
            Self::B => (TileSize::N, TileSize::K),
            Self::C => (TileSize::M, TileSize::N),
        }
    }
}

impl Transfer {
    /// The matrix register.
    pub fn tile(self) -> Tile {
        if self.form == Form::C { Tile::Acc(self.register) } else { Tile::Tr(self.register) }
    }

    /// Bytes in an element: 1, 2 or 4.
    pub fn esz(self) -> u32 {
        1 << (self.d_size & 3)
    }
}

/// Decodes a word that has the opcode of the family.
pub(super) fn decode(word: u32) -> Decoded {
    let instruction = match (bits(word, 12, 3), bits(word, 26, 2)) {
        (0b000, CONFIGURATION) => configuration(word),
        (0b000, MEMORY) => memory(word),
        _ => None,
    };
    instruction.map_or(Decoded::Illegal, Decoded::Matrix)
}

fn configuration(word: u32) -> Option<Matrix> {
    if word == OPCODE {
        return Some(Matrix::Release);
    }
    let &(_, size) = SIZES.iter().find(|row| row.0 == bits(word, 28, 4))?;
    let source = match (bits(word, 25, 1), bits(word, 20, 5)) {
        (0, _) => TileSource::Immediate((word >> 15 & 0x3FF) as u16),
        (_, 0) => TileSource::Register(bits(word, 15, 5)),
        _ => return None,
    };
    (bits(word, 7, 5) == 0).then_some(Matrix::SetTile { size, source })
}

fn memory(word: u32) -> Option<Matrix> {
    let &(_, form, transposed) = FORMS.iter().find(|row| row.0 == bits(word, 28, 4))?;
    let (d_size, md) = (bits(word, 10, 2), bits(word, 7, 3));
    let accumulator = md >= Tile::OF_A_KIND;
    if d_size > 2 || accumulator != (form == Form::C) {
        return None;
    }
    let (register, rs1, rs2) = (md % Tile::OF_A_KIND, bits(word, 15, 5), bits(word, 20, 5));
    let transfer = Transfer { form, transposed, d_size, register, rs1, rs2 };
    Some(if bits(word, 25, 1) == 0 { Matrix::Load(transfer) } else { Matrix::Store(transfer) })
}

impl Matrix {
    /// The instruction word. Only the bits of a value that its field has count.
    pub fn encode(self) -> u32 {
        let fields = match self {
            Self::Load(transfer) => transfer.encode(0),
            Self::Store(transfer) => transfer.encode(1),
            Self::SetTile { size, source } => {
                let func4 = SIZES.iter().find(|row| row.1 == size).map_or(0, |row| row.0);
                let source = match source {
                    TileSource::Immediate(imm10) => place(imm10.into(), 15, 10),
                    TileSource::Register(rs1) => 1 << 25 | place(rs1.into(), 15, 5),
                };
                place(func4.into(), 28, 4) | place(CONFIGURATION.into(), 26, 2) | source
            }
            Self::Release => 0,
        };
        fields | OPCODE
    }
}

impl Transfer {
    /// All fields but the opcode.
    fn encode(self, ls: u32) -> u32 {
        let row = FORMS.iter().find(|row| (row.1, row.2) == (self.form, self.transposed));
        let md = (self.register & 3) | u8::from(self.form == Form::C) << 2;
        place(row.map_or(0, |row| row.0).into(), 28, 4)
            | place(MEMORY.into(), 26, 2)
            | ls << 25
            | place(self.rs2.into(), 20, 5)
            | place(self.rs1.into(), 15, 5)
            | place(self.d_size.into(), 10, 2)
            | place(md.into(), 7, 3)
    }
}
