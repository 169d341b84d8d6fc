// SPDX-License-Identifier: Apache-2.0
//! Slices of the loads or of the stores of a block.

use super::block::gcd;

/// Slices of one register, or of two that have the same slices. Slice i begins at byte `i * room` of its register and
/// at byte `slots[i] * pitch` of the block in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Bytes of a slice that are moved.
    pub width: usize,
    /// Bytes from a slice to the next in the register.
    pub room: usize,
    /// Bytes from a slot to the next.
    pub pitch: usize,
    /// One for each slice, 32 at most.
    pub slots: Vec<i64>,
    /// Bit i: slice i of the first, of the second register is moved.
    pub masks: [u32; 2],
    /// Bytes of memory from the first register to the second.
    pub half: i64,
}

/// A loop of a block, which has room for more iterations in the register than it uses.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Iterations in the register.
    pub room: usize,
    /// The first ones, which are moved.
    pub used: usize,
    /// Units of memory from one to the next.
    pub stride: isize,
}

impl Axis {
    /// All iterations are moved.
    pub fn full(room: usize, stride: isize) -> Self {
        Self { room, used: room, stride }
    }
}

/// The most that fits into a CSR for pitches.
const PITCH: usize = 0xffff;

/// Two sizes of a block, 255 at most, that give a slice of this many elements.
pub fn factors(elements: usize) -> Option<[usize; 2]> {
    (1..=elements.min(255)).find(|n| elements.is_multiple_of(*n) && elements / n <= 255).map(|n| [n, elements / n])
}

/// A divisor of `distance` that fits into a CSR.
fn pitch(distance: usize) -> usize {
    (1..64).filter(|n| distance.is_multiple_of(*n)).map(|n| distance / n).find(|&n| n <= PITCH).unwrap_or(1)
}

impl Table {
    /// The slices of a register with these loops, the innermost last; `None` when no slices of whole bytes can do that,
    /// or more than 32 would be needed. Without `pitched` slices are dense in the register and slots as far apart as
    /// they are wide.
    pub fn new(axes: &[Axis], unit: u32, pitched: bool) -> Option<Self> {
        let mut table = Self::positions(axes, unit, pitched, true)?;
        let used = 32 - table.masks[0].leading_zeros() as usize;
        table.slots.truncate(used);
        Some(table)
    }

    /// The same with a slice for each iteration of the first loop, where that is possible.
    pub fn apart(axes: &[Axis], unit: u32, pitched: bool) -> Option<Self> {
        Self::positions(axes, unit, pitched, false)
    }

    /// The same for two registers, which have a half each of the outermost loop.
    pub fn pair(axes: &[Axis], unit: u32, pitched: bool) -> Option<Self> {
        let outer = axes.iter().position(|axis| axis.room > 1)?;
        let room = axes[outer].room / 2;
        let first = axes[outer].used.min(room);
        let of = |used: usize, joined: bool| {
            let mut axes = axes[outer..].to_vec();
            (axes[0].room, axes[0].used) = (room, used);
            Self::positions(&axes, unit, pitched, joined)
        };
        let second = axes[outer].used - first;
        let mut table = of(first, second == first || second == 0)?;
        if second == first {
            table.masks[1] = table.masks[0];
        } else if second > 0 {
            let more = of(second, false)?;
            table.masks[1] = more.masks[0];
            if (more.width, more.slots.len()) != (table.width, table.slots.len()) {
                return None;
            }
        } else {
            table.slots.truncate(32 - table.masks[0].leading_zeros() as usize);
        }
        let per_byte = (8 / unit) as isize;
        let half = room as isize * axes[outer].stride;
        table.half = (half / per_byte) as i64;
        // There is one CSR for masks, and unmasked accesses.
        let one = table.mask().is_some_and(|mask| table.masks.iter().all(|&m| [0, mask, table.all()].contains(&m)));
        (half % per_byte == 0 && (one || table.mask().is_none())).then_some(table)
    }

    fn positions(axes: &[Axis], unit: u32, pitched: bool, joined: bool) -> Option<Self> {
        let (mut room, mut used) = (1, 1);
        let mut outer: Vec<Axis> = Vec::new();
        for (i, axis) in axes.iter().enumerate().rev().filter(|(_, axis)| axis.room > 1) {
            let goes_on = axis.used == 1 || axis.stride == room as isize && used == room;
            if outer.is_empty() && goes_on && (joined || i > 0) {
                (room, used) = (room * axis.room, used * axis.used);
            } else {
                outer.push(*axis);
            }
        }
        let strides = || outer.iter().map(|axis| axis.stride.unsigned_abs());
        let common = |first: usize| strides().fold(first, |all, stride| gcd(all as isize, stride as isize) as usize);
        let slices: usize = outer.iter().map(|axis| axis.room).product();
        let per_byte = (8 / unit) as usize;
        let dense = common(gcd(room as isize, used as isize) as usize);
        // With a pitch slots can be numbered from 0 on, as reset leaves them.
        let far = outer.len() == 1 && outer[0].stride != room as isize;
        let wide = pitched && (dense < room || far) && slices <= 32 && common(room).is_multiple_of(per_byte);
        let (width, step, pieces) = match wide {
            true if used % per_byte != 0 || factors(room / per_byte).is_none() => return None,
            true => (used, pitch(common(0).max(per_byte) / per_byte) * per_byte, 1),
            false => (dense, dense, room / dense),
        };
        if dense % per_byte != 0 && !wide || slices * pieces > 32 {
            return None;
        }
        let mut slots: Vec<(i64, bool)> = (0..pieces).map(|i| (i as i64, i * width < used)).collect();
        for axis in &outer {
            let stride = axis.stride as i64 / step as i64;
            let turn =
                |i: usize| slots.iter().map(move |&(slot, moved)| (slot + i as i64 * stride, moved && i < axis.used));
            slots = (0..axis.room).flat_map(turn).collect();
        }
        let mask = slots.iter().enumerate().fold(0, |mask, (i, (_, moved))| mask | u32::from(*moved) << i);
        Some(Self {
            width: width / per_byte,
            room: if wide { room } else { width } / per_byte,
            pitch: step / per_byte,
            slots: slots.into_iter().map(|(slot, _)| slot).collect(),
            masks: [mask, 0],
            half: 0,
        })
    }

    /// Whether its accesses have the same block as those of the other.
    pub fn same_shape(&self, other: &Table) -> bool {
        let pitched = self.pitched() || other.pitched();
        self.slots.len() == other.slots.len() && (!pitched || self.room == other.room)
    }

    /// Whether it needs a pitch.
    pub fn pitched(&self) -> bool {
        (self.room, self.pitch) != (self.width, self.width)
    }

    /// The mask of all slices.
    pub fn all(&self) -> u32 {
        u32::MAX >> (32 - self.slots.len())
    }

    /// The mask of accesses that move some slices alone, if there are any.
    pub fn mask(&self) -> Option<u32> {
        self.masks.into_iter().find(|&mask| mask != 0 && mask != self.all())
    }

    /// Slices that are moved.
    pub fn slices(&self) -> usize {
        self.masks.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// Bytes that are moved.
    pub fn bytes(&self) -> usize {
        self.width * self.slices()
    }

    /// From the first byte of the block to the lowest that is moved, and to the one behind the highest.
    pub fn reach(&self) -> [i64; 2] {
        let mut reach = [0, 0];
        for (mask, half) in self.masks.into_iter().zip([0, self.half]) {
            for (i, slot) in self.slots.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1) {
                debug_assert!(i < 32);
                let at = half + slot * self.pitch as i64;
                reach = [reach[0].min(at), reach[1].max(at + self.width as i64)];
            }
        }
        reach
    }

    /// The same bytes in as many slices as `other` has, if its slices are a part of these.
    fn like(&self, other: &Table) -> Option<Table> {
        let parts = other.slots.len().checked_div(self.slots.len())?;
        let whole = |table: &Table| table.masks.iter().all(|&mask| mask == 0 || mask == table.all());
        if parts < 2 || self.width != self.room || self.room != other.room * parts || !whole(self) {
            return None;
        }
        let pitch = if self.pitched() { gcd(self.pitch as isize, other.room as isize) as usize } else { other.room };
        let (slot, part) = ((self.pitch / pitch) as i64, (other.room / pitch) as i64);
        let slots = self.slots.iter().flat_map(|at| (0..parts as i64).map(move |i| at * slot + i * part)).collect();
        let mut table = Table { width: other.room, room: other.room, pitch, slots, masks: self.masks, half: self.half };
        table.masks = self.masks.map(|mask| if mask == 0 { 0 } else { table.all() });
        (table.slots.len() == other.slots.len()).then_some(table)
    }

    /// Gives both the same number of slices, where that is possible: `tshape` need not change between load and store.
    pub fn alike(a: &mut Table, b: &mut Table) {
        if let Some(more) = a.like(b) {
            *a = more;
        } else if let Some(more) = b.like(a) {
            *b = more;
        }
    }

    /// Memory words that the accesses touch, on the average, for block addresses of which the share `starts[i]` is i
    /// bytes behind a word.
    pub fn beats(&self, starts: &[f64]) -> f64 {
        let port = starts.len();
        let mut beats = 0.0;
        for (mask, half) in self.masks.into_iter().zip([0, self.half]) {
            let mut slices = self.slots.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).peekable();
            while let Some((mut i, slot)) = slices.next() {
                let first = half + slot * self.pitch as i64;
                let mut end = first + self.width as i64;
                while let Some((next, _)) = slices.next_if(|&(next, slot)| {
                    next == i + 1 && self.width == self.room && half + slot * self.pitch as i64 == end
                }) {
                    (i, end) = (next, end + self.width as i64);
                }
                let words = |start: usize| {
                    let start = (start as i64 + first).rem_euclid(port as i64);
                    (start + end - first + port as i64 - 1) / port as i64
                };
                let shares = starts.iter().enumerate().filter(|(_, share)| **share > 0.0);
                beats += shares.map(|(start, share)| share * words(start) as f64).sum::<f64>();
            }
        }
        beats
    }
}
