// SPDX-License-Identifier: Apache-2.0
//! The memory lines of a matrix load or store, worked out from docs/isa.md for rooflines and stimulus.

use golden::Machine;
use golden::decode::Transfer;

/// The memory lines of a load or store whose tile fits its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Bytes in an element.
    pub element: u32,
    /// Address of the first line.
    pub base: u32,
    /// From the address of one line to that of the next, modulo 2^32.
    pub stride: u32,
    /// How many.
    pub count: u32,
    /// Bytes in a line.
    pub bytes: u32,
}

impl Lines {
    /// The lines of `transfer` in the state of `machine`; `None` when the tile does not fit.
    pub fn of(machine: &Machine, transfer: Transfer) -> Option<Lines> {
        Lines::new(machine, transfer, machine.x(transfer.rs1), machine.x(transfer.rs2))
    }

    /// The lines of `transfer` with the tile sizes of `machine`; `None` when the tile does not fit.
    pub fn new(machine: &Machine, transfer: Transfer, base: u32, stride: u32) -> Option<Lines> {
        let (most_rows, most_columns) = limits(machine, transfer)?;
        let (rows, columns) = transfer.form.shape();
        let (rows, columns) = (machine.csr.tile_size(rows), machine.csr.tile_size(columns));
        if rows > most_rows || columns > most_columns {
            return None;
        }
        let (count, elements) = if transfer.transposed { (columns, rows) } else { (rows, columns) };
        let element = transfer.esz();
        // With no rows or no columns there is no line.
        let count = if elements == 0 { 0 } else { count };
        Some(Lines { element, base, stride, count, bytes: elements * element })
    }

    /// The address of line `i`.
    pub fn address(&self, i: u32) -> u32 {
        self.base.wrapping_add(self.stride.wrapping_mul(i))
    }

    /// Whether all elements are aligned and in a memory of `size` bytes.
    pub fn legal(&self, size: u32) -> bool {
        let aligned =
            self.base.is_multiple_of(self.element) && (self.count < 2 || self.stride.is_multiple_of(self.element));
        let inside = |i| u64::from(self.address(i)) + u64::from(self.bytes) <= u64::from(size);
        self.count == 0 || aligned && (0..self.count).all(inside)
    }

    /// Beats of `port` bytes that it takes to move the lines one by one.
    pub fn beats(&self, port: u32) -> u64 {
        let line = |i| u64::from((self.address(i) % port + self.bytes).div_ceil(port));
        (0..self.count).map(line).sum()
    }
}

/// Most rows and columns of a tile that fits the register of `transfer`; `None` without the matrix instruction set.
pub fn limits(machine: &Machine, transfer: Transfer) -> Option<(u32, u32)> {
    let tiles = machine.tiles.as_ref()?;
    Some((tiles.rows(), tiles.row_bytes(transfer.tile()) / transfer.esz()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden::TileSize;
    use golden::decode::Form;

    fn lines(form: Form, transposed: bool, sizes: [u32; 3], base: u32, stride: u32) -> Option<Lines> {
        let mut machine = Machine::new(&golden::Config::named("w16").expect("w16"));
        for (size, value) in [TileSize::M, TileSize::N, TileSize::K].into_iter().zip(sizes) {
            machine.csr.set_tile_size(size, value);
        }
        let transfer = Transfer { form, transposed, d_size: 1, register: 0, rs1: 1, rs2: 2 };
        Lines::new(&machine, transfer, base, stride)
    }

    #[test]
    fn beats_are_those_of_the_lines_touched() {
        let beats = |transposed, base, stride| {
            lines(Form::A, transposed, [3, 0, 8], base, stride).map(|lines| (lines.count, lines.beats(16)))
        };
        assert_eq!(beats(false, 32, 64), Some((3, 3)));
        assert_eq!(beats(false, 34, 64), Some((3, 6)));
        assert_eq!(beats(true, 32, 64), Some((8, 8)));
        assert_eq!(beats(true, 44, 64), Some((8, 16)));
        assert_eq!(beats(true, 0, 6), Some((8, 10)));
        assert_eq!(beats(true, 64, 0u32.wrapping_sub(6)), Some((8, 10)));
    }

    #[test]
    fn tiles_that_do_not_fit_have_no_lines_and_empty_ones_none() {
        assert_eq!(lines(Form::B, false, [99, 5, 8], 0, 0), None);
        assert_eq!(lines(Form::B, false, [99, 4, 9], 0, 0), None);
        assert_eq!(lines(Form::C, true, [4, 8, 99], 0, 0).map(|lines| lines.count), Some(8));
        for sizes in [[0, 8, 0], [4, 0, 0]] {
            assert_eq!(lines(Form::C, false, sizes, 1, 1).map(|l| (l.count, l.legal(8))), Some((0, true)));
        }
    }

    #[test]
    fn every_line_has_to_be_aligned_and_inside() {
        let legal = |base, stride| lines(Form::A, false, [2, 0, 8], base, stride).is_some_and(|l| l.legal(256));
        assert!(legal(0, 240) && legal(240, 0) && legal(240, 0u32.wrapping_sub(240)) && legal(2, 18));
        assert!(!legal(1, 16) && !legal(0, 15) && !legal(242, 0) && !legal(0, 242) && !legal(0, 0u32.wrapping_sub(2)));
        assert!(!legal(0xffff_fff8, 0), "a line that wraps around");
        let one = lines(Form::A, false, [1, 0, 8], 0, 15);
        assert!(one.is_some_and(|l| l.legal(16)), "the stride of a single line");
    }
}
