// SPDX-License-Identifier: Apache-2.0
//! A move in units of bytes, and the blocks of it that one pass of a loop moves.

use crate::mapping::{Dim, Move, Source};

/// Slices of a load or a store: slice i is in slot `slots[i]` of `width` bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Bytes in a slice.
    pub width: usize,
    /// One for each slice, 32 at most.
    pub slots: Vec<i64>,
}

/// A loop around a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Iterations, 2 or more.
    pub count: usize,
    /// Bytes from one iteration to the next in L1M.
    pub from: i64,
    /// In L0M.
    pub to: i64,
}

/// Blocks that are equal but for their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Address of the first block in L1M.
    pub from: i64,
    /// In L0M.
    pub to: i64,
    /// The innermost last.
    pub loops: Vec<Loop>,
}

/// A move, ready to be planned. Offsets, strides and sizes count units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Bits of a unit: 8, or 4 where elements of 4 bits do not move in pairs.
    pub unit: u32,
    /// Bytes of an element that are moved together: 1, 2, 4 or 8; 1 for elements of 4 bits.
    pub element: usize,
    /// What is filled in, and no copy.
    pub value: Option<u64>,
    /// First unit in L1M.
    pub from: i64,
    /// First unit in L0M.
    pub to: i64,
    /// Loops, none of size 1 and none that could be one with another. Outputs with large strides first.
    pub dims: Vec<Dim>,
}

impl Job {
    /// The job of a move between tensors at these addresses, in bytes.
    pub fn new(step: &Move, bits: u32, inputs: &[u64], outputs: &[u64]) -> Self {
        let (unit, size) = if bits == 4 { (4, 1) } else { (8, bits as isize / 8) };
        let per_byte = 8 / i64::from(unit);
        let scaled = |value: isize| value * size;
        let mut dims: Vec<Dim> =
            step.dims.iter().map(|d| Dim { size: d.size, from: scaled(d.from), to: scaled(d.to) }).collect();
        dims.push(Dim { size: size as usize, from: 1, to: 1 });
        let (value, from) = match step.source {
            Source::Input { input, offset } => (None, inputs[input] as i64 * per_byte + scaled(offset) as i64),
            Source::Value(value) => (Some(value), 0),
        };
        if value.is_some() {
            // Only the output decides which loops are one.
            dims.iter_mut().for_each(|dim| dim.from = dim.to);
        }
        let to = outputs[step.output] as i64 * per_byte + scaled(step.offset) as i64;
        let mut job = Self { unit, element: (size as usize).max(1), value, from, to, dims: merged(dims) };
        if unit == 4 {
            job.pairs();
        }
        job
    }

    /// Bytes instead of nibbles, where all move in pairs.
    fn pairs(&mut self) {
        let Some(run) = self.dims.iter().position(|dim| (dim.from, dim.to) == (1, 1)) else { return };
        let even = |i: usize, dim: &Dim| {
            if i == run { dim.size.is_multiple_of(2) } else { dim.from % 2 == 0 && dim.to % 2 == 0 }
        };
        if self.from % 2 != 0 || self.to % 2 != 0 || !self.dims.iter().enumerate().all(|(i, dim)| even(i, dim)) {
            return;
        }
        for (i, dim) in self.dims.iter_mut().enumerate() {
            if i == run {
                dim.size /= 2;
            } else {
                (dim.from, dim.to) = (dim.from / 2, dim.to / 2);
            }
        }
        (self.unit, self.from, self.to) = (8, self.from / 2, self.to / 2);
        self.value = self.value.map(|value| value | value << 4);
        self.dims = merged(std::mem::take(&mut self.dims));
    }

    /// Units that are neighbours on both sides.
    pub fn run(&self) -> usize {
        self.dims.iter().find(|dim| (dim.from, dim.to) == (1, 1)).map_or(1, |dim| dim.size)
    }

    /// The other loops.
    pub fn others(&self) -> Vec<Dim> {
        self.dims.iter().copied().filter(|dim| (dim.from, dim.to) != (1, 1)).collect()
    }

    /// Units that move.
    pub fn units(&self) -> usize {
        self.dims.iter().map(|dim| dim.size).product()
    }

    /// Bytes to move.
    pub fn bytes(&self) -> f64 {
        self.units() as f64 * f64::from(self.unit) / 8.0
    }

    /// The grids of blocks with `chunk(dim)` units of each loop. Where these do not come out even, the last block
    /// overlaps the one before it: what is moved twice is the same.
    ///
    /// `None` when an address is not that of a byte.
    pub fn grids(&self, chunk: impl Fn(&Dim) -> usize) -> Option<Vec<Grid>> {
        let per_byte = 8 / i64::from(self.unit);
        let bytes = |units: i64| (units % per_byte == 0).then_some(units / per_byte);
        let mut grids = vec![Grid { from: bytes(self.from)?, to: bytes(self.to)?, loops: Vec::new() }];
        for dim in &self.dims {
            let chunk = chunk(dim);
            let (count, rest) = (dim.size / chunk, dim.size % chunk);
            let place = |index: usize, stride: isize| bytes(index as i64 * stride as i64);
            let mut tails = Vec::new();
            if rest != 0 {
                for grid in &grids {
                    let last = dim.size - chunk;
                    let (from, to) = (grid.from + place(last, dim.from)?, grid.to + place(last, dim.to)?);
                    tails.push(Grid { from, to, loops: grid.loops.clone() });
                }
            }
            if count > 1 {
                let (from, to) = (place(chunk, dim.from)?, place(chunk, dim.to)?);
                grids.iter_mut().for_each(|grid| grid.loops.push(Loop { count, from, to }));
            }
            grids.append(&mut tails);
        }
        Some(grids)
    }
}

/// The loops without those of size 1, and as few as possible.
pub(super) fn merged(mut dims: Vec<Dim>) -> Vec<Dim> {
    dims.retain(|dim| dim.size != 1);
    dims.sort_by_key(|dim| std::cmp::Reverse(dim.to.abs()));
    'again: loop {
        for inner in 0..dims.len() {
            let Dim { size, from, to } = dims[inner];
            let goes_on = |dim: &Dim| (dim.from, dim.to) == (from * size as isize, to * size as isize);
            if let Some(outer) = dims.iter().position(goes_on) {
                dims[inner].size *= dims[outer].size;
                dims.remove(outer);
                continue 'again;
            }
        }
        return dims;
    }
}

impl Table {
    /// The slices in which the units lie that `loops` visit, as (iterations, stride) with the innermost last; `None`
    /// when no slices of whole bytes can do that, or more than 32 would be needed.
    pub fn new(loops: &[(usize, isize)], unit: u32) -> Option<Self> {
        let mut run = 1_isize;
        let mut outer: Vec<(usize, isize)> = Vec::new();
        for &(count, stride) in loops.iter().rev().filter(|(count, _)| *count > 1) {
            if outer.is_empty() && stride == run {
                run *= count as isize;
            } else {
                outer.push((count, stride));
            }
        }
        let width = outer.iter().fold(run, |width, &(_, stride)| gcd(width, stride.abs()));
        let per_byte = (8 / unit) as isize;
        let slices = outer.iter().map(|&(count, _)| count).product::<usize>() * (run / width) as usize;
        if width % per_byte != 0 || slices > 32 {
            return None;
        }
        let mut slots: Vec<i64> = (0..(run / width) as i64).collect();
        for &(count, stride) in &outer {
            let step = stride as i64 / width as i64;
            slots = (0..count as i64).flat_map(|i| slots.iter().map(move |slot| slot + i * step)).collect();
        }
        Some(Self { width: (width / per_byte) as usize, slots })
    }

    /// Bytes in all slices.
    pub fn bytes(&self) -> usize {
        self.width * self.slots.len()
    }

    /// The same bytes in as many slices as `other` has, if its slices are a part of these.
    fn like(&self, other: &Table) -> Option<Table> {
        let parts = other.slots.len().checked_div(self.slots.len())? as i64;
        let fits = parts > 0 && self.width == other.width * parts as usize;
        let slots = || self.slots.iter().flat_map(|slot| (0..parts).map(move |i| slot * parts + i)).collect();
        fits.then(|| Table { width: other.width, slots: slots() })
    }

    /// Gives both the same number of slices, where that is possible: `tshape` need not change between load and store.
    pub fn alike(a: &mut Table, b: &mut Table) {
        if let Some(more) = a.like(b) {
            *a = more;
        } else if let Some(more) = b.like(a) {
            *b = more;
        }
    }

    /// Memory words that are touched, on the average. The base always is a multiple of `grain`, a divisor of `port`.
    pub fn beats(&self, port: usize, grain: usize) -> f64 {
        let mut beats = 0.0;
        let mut i = 0;
        while i < self.slots.len() {
            let first = self.slots[i];
            let mut last = first;
            while i + 1 < self.slots.len() && self.slots[i + 1] == last + 1 {
                last += 1;
                i += 1;
            }
            i += 1;
            let bytes = (last - first + 1) as usize * self.width;
            let start = first.rem_euclid(port as i64) as usize * self.width % port;
            beats += match grain == port {
                true => (start + bytes).div_ceil(port) as f64,
                false => words(bytes, port, gcd(grain as isize, self.width as isize) as usize),
            };
        }
        beats
    }
}

/// Memory words that `bytes` at a multiple of `grain` touch, on the average.
pub fn words(bytes: usize, port: usize, grain: usize) -> f64 {
    (1.0 + (bytes as f64 - grain as f64) / port as f64).max(bytes.div_ceil(port) as f64)
}

/// Greatest common divisor; that of 0 and a number is the number.
pub fn gcd(a: isize, b: isize) -> isize {
    if b == 0 { a } else { gcd(b, a % b) }
}
