// SPDX-License-Identifier: Apache-2.0
//! Matrix loads and stores (docs/isa.md, "Matrix encodings" and "Matrix operations").

use super::lines::Lines;
use super::matrix::Matrix;
use super::operands::{Access, Direction, Operand, OperandKind};
use super::word::{bits, place};
use crate::machine::Machine;
use crate::matrix_csr::TileSize;
use crate::outcome::{Outcome, Trap};
use crate::tiles::Tile;

/// The field [27:26] of these instructions.
pub(super) const UOP: u8 = 0b01;

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

/// A row of the table: func4, loads, stores, form, transposed.
type Row = (u8, [&'static str; 3], [&'static str; 3], Form, bool);

const ROWS: [Row; 6] = [
    (0b0000, ["mlae8", "mlae16", "mlae32"], ["msae8", "msae16", "msae32"], Form::A, false),
    (0b0001, ["mlbe8", "mlbe16", "mlbe32"], ["msbe8", "msbe16", "msbe32"], Form::B, false),
    (0b0010, ["mlce8", "mlce16", "mlce32"], ["msce8", "msce16", "msce32"], Form::C, false),
    (0b0100, ["mlate8", "mlate16", "mlate32"], ["msate8", "msate16", "msate32"], Form::A, true),
    (0b0101, ["mlbte8", "mlbte16", "mlbte32"], ["msbte8", "msbte16", "msbte32"], Form::B, true),
    (0b0110, ["mlcte8", "mlcte16", "mlcte32"], ["mscte8", "mscte16", "mscte32"], Form::C, true),
];

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

/// The instruction in a word with the uop of loads and stores.
pub(super) fn decode(word: u32) -> Option<Matrix> {
    let &(_, _, _, form, transposed) = ROWS.iter().find(|row| row.0 == bits(word, 28, 4))?;
    let (d_size, md) = (bits(word, 10, 2), bits(word, 7, 3));
    let (register, rs1, rs2) = (md % Tile::OF_A_KIND, bits(word, 15, 5), bits(word, 20, 5));
    let transfer = Transfer { form, transposed, d_size, register, rs1, rs2 };
    let direction = if bits(word, 25, 1) == 0 { Direction::Load } else { Direction::Store };
    (d_size <= 2 && md == transfer.md()).then_some(Matrix::transferring(direction, transfer))
}

impl Transfer {
    /// One for each row of the table and each element size, with operands that are all 0.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let transfer = |form, transposed, d_size| Self { form, transposed, d_size, register: 0, rs1: 0, rs2: 0 };
        let of_row = move |&(.., form, transposed): &Row| (0..3).map(move |d_size| transfer(form, transposed, d_size));
        ROWS.iter().flat_map(of_row)
    }

    fn row(self) -> &'static Row {
        match (self.form, self.transposed) {
            (Form::A, false) => &ROWS[0],
            (Form::B, false) => &ROWS[1],
            (Form::C, false) => &ROWS[2],
            (Form::A, true) => &ROWS[3],
            (Form::B, true) => &ROWS[4],
            (Form::C, true) => &ROWS[5],
        }
    }

    /// The matrix register.
    pub fn tile(self) -> Tile {
        match self.form {
            Form::A | Form::B => Tile::Tr(self.register),
            Form::C => Tile::Acc(self.register),
        }
    }

    /// The field md: the matrix registers in one sequence, tile registers first.
    fn md(self) -> u8 {
        match self.tile() {
            Tile::Tr(i) => i % Tile::OF_A_KIND,
            Tile::Acc(i) => i % Tile::OF_A_KIND + Tile::OF_A_KIND,
        }
    }

    /// Most rows and columns of a tile that fits its register; `None` without the matrix instruction set.
    pub fn limits(self, m: &Machine) -> Option<(u32, u32)> {
        let tiles = m.tiles.as_ref()?;
        Some((tiles.rows(), tiles.row_bytes(self.tile()) / self.esz()))
    }

    /// Whether the rows of the tile are no more than those of the register.
    pub fn rows_fit(self, m: &Machine) -> bool {
        self.limits(m).is_some_and(|(rows, _)| m.csr.tile_size(self.form.shape().0) <= rows)
    }

    /// Whether the rows of the tile are no longer than those of the register.
    pub fn columns_fit(self, m: &Machine) -> bool {
        self.limits(m).is_some_and(|(_, columns)| m.csr.tile_size(self.form.shape().1) <= columns)
    }

    /// Bytes in an element: 1, 2 or 4.
    pub fn esz(self) -> u32 {
        1 << (self.d_size & 3)
    }

    /// The mnemonic. A d_size of 3, which no instruction has, gets that of 2.
    pub(super) fn mnemonic(self, direction: Direction) -> &'static str {
        let (_, loads, stores, ..) = self.row();
        let mnemonics = match direction {
            Direction::Load => loads,
            Direction::Store => stores,
        };
        mnemonics[usize::from(self.d_size).min(2)]
    }

    /// All fields but the opcode.
    pub(super) fn encode(self, direction: Direction) -> u32 {
        let ls = match direction {
            Direction::Load => 0,
            Direction::Store => 1,
        };
        place(self.row().0.into(), 28, 4)
            | place(UOP.into(), 26, 2)
            | place(ls, 25, 1)
            | place(self.rs2.into(), 20, 5)
            | place(self.rs1.into(), 15, 5)
            | place(self.d_size.into(), 10, 2)
            | place(self.md().into(), 7, 3)
    }

    /// As the method of `Visit`.
    pub(super) fn visit(&mut self, direction: Direction, f: &mut impl FnMut(Operand) -> i32) {
        let kind = match self.form {
            Form::A | Form::B => OperandKind::Tr,
            Form::C => OperandKind::Acc,
        };
        if direction == Direction::Store {
            self.register = f(Operand::new("md", kind(Access::Read), self.register, (7, 2))) as u8;
        }
        self.rs1 = f(Operand::new("rs1", OperandKind::X(Access::Read), self.rs1, (15, 5))) as u8;
        self.rs2 = f(Operand::new("rs2", OperandKind::X(Access::Read), self.rs2, (20, 5))) as u8;
        if direction == Direction::Load {
            self.register = f(Operand::new("md", kind(Access::Write), self.register, (7, 2))) as u8;
        }
    }
}

/// The active elements from L1M; the rest of the register stays as it is.
pub(super) fn load(m: &mut Machine, out: &mut Outcome, transfer: Transfer) -> Result<(), Trap> {
    let lines = Lines::of(m, transfer).ok_or(Trap::illegal(out.word))?;
    if lines.count == 0 {
        return Ok(());
    }
    lines.check(Direction::Load, m.l1m.bytes.len() as u32)?;
    lines.fault(Direction::Load, |address| m.l1m.faulty(address, lines.element))?;
    let Some(tiles) = &mut m.tiles else { return Ok(()) };
    let register = tiles.get_mut(transfer.tile());
    lines.elements().for_each(|(offset, address)| {
        if let Some(bytes) = m.l1m.get(address, lines.element) {
            register[offset..offset + lines.element as usize].copy_from_slice(bytes);
        }
    });
    out.tile_write = Some(transfer.tile());
    Ok(())
}

/// The active elements to L0M, the last one winning where they overlap.
pub(super) fn store(m: &mut Machine, out: &mut Outcome, transfer: Transfer) -> Result<(), Trap> {
    let lines = Lines::of(m, transfer).ok_or(Trap::illegal(out.word))?;
    if lines.count == 0 {
        return Ok(());
    }
    lines.check(Direction::Store, m.l0m.bytes.len() as u32)?;
    // The port reports an error only when it writes, after all elements have passed the checks above.
    if let Err(trap) = lines.fault(Direction::Store, |address| m.l0m.faulty(address, lines.element)) {
        out.mem_unknown = lines.ranges().collect();
        return Err(trap);
    }
    let Some(tiles) = &m.tiles else { return Ok(()) };
    let register = tiles.get(transfer.tile());
    lines.elements().for_each(|(offset, address)| {
        if let Some(bytes) = m.l0m.get_mut(address, lines.element) {
            bytes.copy_from_slice(&register[offset..offset + lines.element as usize]);
        }
    });
    out.mem_writes = lines.ranges().collect();
    Ok(())
}
