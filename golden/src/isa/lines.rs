// SPDX-License-Identifier: Apache-2.0
//! The elements that a matrix load or store moves, by memory lines (docs/isa.md, "Matrix operations").

use super::matrix_load_store::Transfer;
use super::operands::Direction;
use crate::machine::Machine;
use crate::memory::Memory;
use crate::outcome::{Outcome, Trap};

/// The active elements of a load or store, by memory lines.
pub(super) struct Lines {
    direction: Direction,
    /// Bytes in an element.
    pub esz: u32,
    base: u32,
    stride: u32,
    lines: u32,
    /// Elements in a memory line.
    elements: u32,
    transposed: bool,
    /// Bytes in a row of the register.
    row_bytes: usize,
}

impl Lines {
    /// The elements of an access; illegal by clause 1, that is, more rows than the register has, or longer ones.
    pub(super) fn new(m: &Machine, out: &Outcome, direction: Direction, transfer: Transfer) -> Result<Self, Trap> {
        let illegal = Trap::illegal(out.word);
        let tiles = m.tiles.as_ref().ok_or(illegal)?;
        let (rows, columns) = transfer.form.shape();
        let (rows, columns) = (m.csr.tile_size(rows), m.csr.tile_size(columns));
        let (esz, row_bytes) = (transfer.esz(), tiles.row_bytes(transfer.tile()));
        if rows > tiles.rows() || u64::from(columns) * u64::from(esz) > u64::from(row_bytes) {
            return Err(illegal);
        }
        let transposed = transfer.transposed;
        let (lines, elements) = if transposed { (columns, rows) } else { (rows, columns) };
        let (base, stride, row_bytes) = (m.x(transfer.rs1), m.x(transfer.rs2), row_bytes as usize);
        Ok(Self { direction, esz, base, stride, lines, elements, transposed, row_bytes })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines == 0 || self.elements == 0
    }

    /// Address and length in bytes of each memory line, in order. Only meaningful once all elements are known to be
    /// inside the memory: a line that wraps around has an element outside.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.lines).map(|line| (self.base.wrapping_add(line.wrapping_mul(self.stride)), self.elements * self.esz))
    }

    /// The elements in the order of clause 6, memory lines ascending and elements ascending within a line: byte offset
    /// in the register, and address as in clause 3.
    pub(super) fn elements(&self) -> impl Iterator<Item = (usize, u32)> {
        (0..self.lines).flat_map(move |line| {
            let start = self.base.wrapping_add(line.wrapping_mul(self.stride));
            (0..self.elements).map(move |n| {
                let (i, j) = if self.transposed { (n, line) } else { (line, n) };
                (i as usize * self.row_bytes + (j * self.esz) as usize, start.wrapping_add(n * self.esz))
            })
        })
    }

    /// The traps that come before any access: clause 5, and an element outside.
    pub(super) fn check(&self, memory: &Memory) -> Result<(), Trap> {
        let misaligned = |tval| Err(Trap { cause: self.direction.misaligned(), tval });
        if !self.base.is_multiple_of(self.esz) {
            return misaligned(self.base);
        }
        if self.lines > 1 && !self.stride.is_multiple_of(self.esz) {
            return misaligned(self.base.wrapping_add(self.stride));
        }
        self.fault(|address| memory.get(address, self.esz).is_none())
    }

    /// The access fault of the first element for which the address is `wrong`.
    pub(super) fn fault(&self, wrong: impl Fn(u32) -> bool) -> Result<(), Trap> {
        let first = self.elements().find(|&(_, address)| wrong(address));
        first.map_or(Ok(()), |(_, tval)| Err(Trap { cause: self.direction.fault(), tval }))
    }
}
