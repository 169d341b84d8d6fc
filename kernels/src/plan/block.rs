// SPDX-License-Identifier: Apache-2.0
//! A move in units of bytes, and the blocks of it that one pass of a loop moves.

use crate::mapping::{Dim, Move, Source};

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

/// What is added to each element on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sum {
    /// Bits of an element: 4, 8, 16 or 32.
    pub bits: u32,
    /// The number, not 0 and no larger than an element.
    pub add: i8,
}

impl Sum {
    /// The lowest and the highest element whose sum is an element. The sum of others is that of the nearer of the two.
    pub fn range(self) -> [u32; 2] {
        let (by, highest) = (u32::from(self.add.unsigned_abs()), u32::MAX >> (u32::BITS - self.bits));
        if self.add < 0 { [by, highest] } else { [0, highest - by] }
    }
}

/// A move, ready to be planned. Offsets, strides and sizes count units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    /// Bits of a unit: 8, or 4 where elements of 4 bits do not move in pairs.
    pub unit: u32,
    /// Bytes of an element that are moved together: 1, 2, 4 or 8; 1 for elements of 4 bits.
    pub element: usize,
    /// What is filled in, and no copy.
    pub value: Option<u64>,
    /// What is added to what is copied.
    pub sum: Option<Sum>,
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
        // More than an element of 4 bits can hold is as good as all of it.
        let add = if bits == 4 { step.add.clamp(-15, 15) } else { step.add };
        let sum = (add != 0).then_some(Sum { bits, add });
        let mut job = Self { unit, element: (size as usize).max(1), value, sum, from, to, dims: merged(dims) };
        if unit == 4 {
            job.pairs();
        }
        job
    }

    /// Bytes instead of nibbles, where all move in pairs.
    fn pairs(&mut self) {
        if self.sum.is_some() {
            return;
        }
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

    /// The loop over units that are neighbours on both sides.
    pub fn run_index(&self) -> Option<usize> {
        self.dims.iter().position(|dim| (dim.from, dim.to) == (1, 1))
    }

    /// Units that are neighbours on both sides.
    pub fn run(&self) -> usize {
        self.run_index().map_or(1, |at| self.dims[at].size)
    }

    /// The other loops, with their numbers.
    pub fn others(&self) -> Vec<(usize, Dim)> {
        let run = self.run_index();
        self.dims.iter().copied().enumerate().filter(|(at, _)| Some(*at) != run).collect()
    }

    /// Units that move.
    pub fn units(&self) -> usize {
        self.dims.iter().map(|dim| dim.size).product()
    }

    /// Bytes to move.
    pub fn bytes(&self) -> f64 {
        self.units() as f64 * f64::from(self.unit) / 8.0
    }

    /// The job of a part of it: of `size` iterations of loop `dim` from number `first` on.
    pub fn part(&self, dim: usize, first: usize, size: usize) -> Job {
        let Dim { from, to, .. } = self.dims[dim];
        let mut dims = self.dims.clone();
        dims[dim].size = size;
        let at = |place: i64, stride: isize| place + first as i64 * stride as i64;
        let mut job = Job { from: at(self.from, from), to: at(self.to, to), dims: merged(dims), ..*self };
        if job.unit == 4 {
            job.pairs();
        }
        job
    }

    /// The grids of blocks with `chunk[i]` iterations of loop i. Where these do not come out even, the last block
    /// overlaps the one before it: what is moved twice is the same.
    ///
    /// `None` when an address is not that of a byte.
    pub fn grids(&self, chunk: &[usize]) -> Option<Vec<Grid>> {
        let per_byte = 8 / i64::from(self.unit);
        let bytes = |units: i64| (units % per_byte == 0).then_some(units / per_byte);
        let mut grids = vec![Grid { from: bytes(self.from)?, to: bytes(self.to)?, loops: Vec::new() }];
        for (dim, &chunk) in self.dims.iter().zip(chunk) {
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

    /// The job of whole chunks alone, and the jobs of the rest: for each loop with one the iterations behind the last
    /// chunk, and a chunk that overlaps it.
    pub fn split(&self, chunk: &[usize]) -> (Job, Vec<[Job; 2]>) {
        let mut whole = self.clone();
        let mut rests = Vec::new();
        for (i, &chunk) in chunk.iter().enumerate() {
            let (size, rest) = (self.dims[i].size, self.dims[i].size % chunk);
            if rest > 0 {
                rests
                    .push([(size - rest, rest), (size - chunk, chunk)].map(|(first, size)| whole.part(i, first, size)));
                whole.dims[i].size -= rest;
            }
        }
        (whole, rests)
    }
}

impl Grid {
    /// Blocks.
    pub fn blocks(&self) -> usize {
        self.loops.iter().map(|l| l.count).product()
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

/// Greatest common divisor; that of 0 and a number is the number.
pub fn gcd(a: isize, b: isize) -> isize {
    if b == 0 { a } else { gcd(b, a % b) }
}
