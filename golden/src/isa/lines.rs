// SPDX-License-Identifier: Apache-2.0
//! The elements that a matrix load or store moves, by memory lines (docs/isa.md, "Matrix operations").

use super::matrix_load_store::Transfer;
use super::operands::Direction;
use crate::config::wrapped;
use crate::machine::Machine;
use crate::outcome::Trap;

/// The memory lines of a matrix load or store whose tile fits its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Bytes in an element.
    pub element: u32,
    /// Address of the first line.
    pub base: u64,
    /// From the address of one line to that of the next, modulo 2^xlen.
    pub stride: u64,
    /// How many; 0 for a tile without elements.
    pub count: u32,
    /// Bytes in a line.
    pub bytes: u32,
    transposed: bool,
    xlen: u32,
    /// Bytes in a row of the register.
    row_bytes: usize,
}

impl Lines {
    /// The lines of `transfer`; `None` when it is illegal by clause 1: more rows than the register has, or longer ones.
    pub fn of(m: &Machine, transfer: Transfer) -> Option<Self> {
        Self::new(m, transfer, m.operand(transfer.rs1), m.operand(transfer.rs2))
    }

    /// As [`Lines::of`], with another base and stride.
    pub fn new(m: &Machine, transfer: Transfer, base: u64, stride: u64) -> Option<Self> {
        if !transfer.rows_fit(m) || !transfer.columns_fit(m) {
            return None;
        }
        let (rows, columns) = transfer.form.shape();
        let (rows, columns) = (m.csr.tile_size(rows), m.csr.tile_size(columns));
        let (lines, elements) = if transfer.transposed { (columns, rows) } else { (rows, columns) };
        let count = if elements == 0 { 0 } else { lines };
        let (element, row_bytes) = (transfer.esz(), m.tiles.as_ref()?.row_bytes(transfer.tile()) as usize);
        let (bytes, transposed) = (elements * element, transfer.transposed);
        Some(Self { element, base, stride, count, bytes, transposed, xlen: m.config().xlen, row_bytes })
    }

    /// The address of line `i`.
    pub fn address(&self, i: u32) -> u64 {
        wrapped(self.base.wrapping_add(self.stride.wrapping_mul(i.into())), self.xlen)
    }

    /// The address of element `n` of line `i`.
    pub fn element_address(&self, i: u32, n: u32) -> u64 {
        wrapped(self.address(i).wrapping_add((n * self.element).into()), self.xlen)
    }

    /// Address and length in bytes of each memory line, in order. Only meaningful once all elements are known to be
    /// inside the memory: a line that wraps around has an element outside.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.count).map(|line| (self.address(line) as u32, self.bytes))
    }

    /// The elements in the order of clause 6, memory lines ascending and elements ascending within a line: byte offset
    /// in the register, and address as in clause 3.
    pub(super) fn elements(&self) -> impl Iterator<Item = (usize, u64)> {
        (0..self.count).flat_map(move |line| {
            (0..self.bytes / self.element).map(move |n| {
                let (i, j) = if self.transposed { (n, line) } else { (line, n) };
                let offset = i as usize * self.row_bytes + (j * self.element) as usize;
                (offset, self.element_address(line, n))
            })
        })
    }

    /// Address and bytes of each line, out of the bytes of a register.
    pub(super) fn contents(&self, register: &[u8]) -> Vec<(u32, Vec<u8>)> {
        let mut lines: Vec<(u32, Vec<u8>)> = self.ranges().map(|(address, _)| (address, Vec::new())).collect();
        for (n, (offset, _)) in self.elements().enumerate() {
            let element = &register[offset..offset + self.element as usize];
            lines[n / (self.bytes / self.element) as usize].1.extend_from_slice(element);
        }
        lines
    }

    /// Whether all elements are aligned and in a memory of `size` bytes.
    pub fn legal(&self, size: u32) -> bool {
        let inside = |i| self.address(i).saturating_add(self.bytes.into()) <= size.into();
        self.count == 0 || self.misaligned().is_none() && (0..self.count).all(inside)
    }

    /// The address of clause 5: that of the first line, or of the second one, that is misaligned.
    fn misaligned(&self) -> Option<u64> {
        let stride_counts = self.count > 1 && !self.stride.is_multiple_of(self.element.into());
        if !self.base.is_multiple_of(self.element.into()) {
            Some(self.base)
        } else {
            stride_counts.then(|| self.address(1))
        }
    }

    /// The traps that come before any access to a memory of `size` bytes: clause 5, and an element outside.
    pub(super) fn check(&self, direction: Direction, size: u32) -> Result<(), Trap> {
        if self.legal(size) {
            return Ok(());
        }
        if let Some(tval) = self.misaligned() {
            return Err(Trap { cause: direction.misaligned(), tval });
        }
        self.fault(direction, |address| address.saturating_add(self.element.into()) > size.into())
    }

    /// The access fault of the first element for which the address is `wrong`.
    pub(super) fn fault(&self, direction: Direction, wrong: impl Fn(u64) -> bool) -> Result<(), Trap> {
        let first = self.elements().find(|&(_, address)| wrong(address));
        first.map_or(Ok(()), |(_, tval)| Err(Trap { cause: direction.fault(), tval }))
    }
}
