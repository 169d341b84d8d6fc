// SPDX-License-Identifier: Apache-2.0
//! Matrix loads, stores and configuration (docs/isa.md, "Matrix operations").

use crate::csr::Csr;
use crate::decode::{TileSource, Transfer};
use crate::machine::Machine;
use crate::matrix_csr::TileSize;
use crate::memory::Memory;
use crate::outcome::{Outcome, Trap};

/// The causes of a load's traps and of a store's.
struct Direction {
    misaligned: u32,
    fault: u32,
}

const LOAD: Direction = Direction { misaligned: Trap::LOAD_MISALIGNED, fault: Trap::LOAD_FAULT };
const STORE: Direction = Direction { misaligned: Trap::STORE_MISALIGNED, fault: Trap::STORE_FAULT };

/// The active elements of a load or store, by memory lines.
struct Access {
    /// Bytes in an element.
    esz: u32,
    base: u32,
    stride: u32,
    lines: u32,
    /// Elements in a memory line.
    elements: u32,
    transposed: bool,
    /// Bytes in a row of the register.
    row_bytes: usize,
}

/// The access of a load or store. `None` is an illegal instruction: more rows than the register has, or longer ones.
fn access(m: &Machine, transfer: Transfer) -> Option<Access> {
    let tiles = m.tiles.as_ref()?;
    let (rows, columns) = transfer.form.shape();
    let (rows, columns) = (m.csr.tile_size(rows), m.csr.tile_size(columns));
    let (esz, row_bytes) = (transfer.esz(), tiles.row_bytes(transfer.tile()));
    if rows > tiles.rows() || u64::from(columns) * u64::from(esz) > u64::from(row_bytes) {
        return None;
    }
    let (lines, elements) = if transfer.transposed { (columns, rows) } else { (rows, columns) };
    let (base, stride) = (m.x(transfer.rs1), m.x(transfer.rs2));
    Some(Access { esz, base, stride, lines, elements, transposed: transfer.transposed, row_bytes: row_bytes as usize })
}

impl Access {
    fn is_empty(&self) -> bool {
        self.lines == 0 || self.elements == 0
    }

    /// Address and length in bytes of each memory line, in order. Only meaningful once all elements are known to be
    /// inside the memory: a line that wraps around has an element outside.
    fn ranges(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.lines).map(|line| (self.base.wrapping_add(line.wrapping_mul(self.stride)), self.elements * self.esz))
    }

    /// The elements in order, memory lines ascending and elements ascending within a line: byte offset in the
    /// register, byte address in memory.
    fn elements(&self) -> impl Iterator<Item = (usize, u32)> {
        (0..self.lines).flat_map(move |line| (0..self.elements).map(move |n| self.element(line, n)))
    }

    fn element(&self, line: u32, n: u32) -> (usize, u32) {
        let (row, column) = if self.transposed { (n, line) } else { (line, n) };
        let start = self.base.wrapping_add(line.wrapping_mul(self.stride));
        let offset = row as usize * self.row_bytes + (column * self.esz) as usize;
        (offset, start.wrapping_add(n * self.esz))
    }

    /// The traps that come before any access: the base or the second line is misaligned, an element is outside.
    fn check(&self, direction: &Direction, memory: &Memory) -> Result<(), Trap> {
        let misaligned = |tval| Err(Trap { cause: direction.misaligned, tval });
        if !self.base.is_multiple_of(self.esz) {
            return misaligned(self.base);
        }
        if self.lines > 1 && !self.stride.is_multiple_of(self.esz) {
            return misaligned(self.base.wrapping_add(self.stride));
        }
        match self.elements().find(|&(_, address)| memory.get(address, self.esz).is_none()) {
            Some((_, tval)) => Err(Trap { cause: direction.fault, tval }),
            None => Ok(()),
        }
    }

    /// The trap of the first element that the memory port answers with an error.
    fn port_error(&self, direction: &Direction, memory: &Memory) -> Option<Trap> {
        let (_, tval) = self.elements().find(|&(_, address)| memory.faulty(address, self.esz))?;
        Some(Trap { cause: direction.fault, tval })
    }
}

/// `mlae8` and the other loads: the active elements from L1M; the rest of the register stays as it is.
pub(super) fn load(m: &mut Machine, out: &mut Outcome, transfer: Transfer) -> Result<(), Trap> {
    let access = access(m, transfer).ok_or(Trap::illegal(out.word))?;
    if access.is_empty() {
        return Ok(());
    }
    access.check(&LOAD, &m.l1m)?;
    if let Some(trap) = access.port_error(&LOAD, &m.l1m) {
        return Err(trap);
    }
    let Some(tiles) = &mut m.tiles else { return Ok(()) };
    let register = tiles.get_mut(transfer.tile());
    let esz = access.esz as usize;
    for (offset, address) in access.elements() {
        if let Some(bytes) = m.l1m.get(address, access.esz) {
            register[offset..offset + esz].copy_from_slice(bytes);
        }
    }
    out.tile_write = Some(transfer.tile());
    Ok(())
}

/// `msae8` and the other stores: the active elements to L0M, the last one winning where they overlap.
pub(super) fn store(m: &mut Machine, out: &mut Outcome, transfer: Transfer) -> Result<(), Trap> {
    let access = access(m, transfer).ok_or(Trap::illegal(out.word))?;
    if access.is_empty() {
        return Ok(());
    }
    access.check(&STORE, &m.l0m)?;
    // The port reports an error only when it writes, after all elements have passed the checks above.
    if let Some(trap) = access.port_error(&STORE, &m.l0m) {
        out.mem_unknown = access.ranges().collect();
        return Err(trap);
    }
    let Some(tiles) = &m.tiles else { return Ok(()) };
    let register = tiles.get(transfer.tile());
    let esz = access.esz as usize;
    for (offset, address) in access.elements() {
        if let Some(bytes) = m.l0m.get_mut(address, access.esz) {
            bytes.copy_from_slice(&register[offset..offset + esz]);
        }
    }
    out.mem_writes = access.ranges().collect();
    Ok(())
}

/// `msettile*`: any value is taken; the loads and stores that use it check it.
pub(super) fn set_tile(m: &mut Machine, out: &mut Outcome, size: TileSize, source: TileSource) {
    let value = match source {
        TileSource::Immediate(imm10) => imm10.into(),
        TileSource::Register(rs1) => m.x(rs1),
    };
    m.csr.set_tile_size(size, value);
    out.csr_write = Some((Csr::Matrix(size.csr()).address(), value));
}
