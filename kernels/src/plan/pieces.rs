// SPDX-License-Identifier: Apache-2.0
//! Tensors larger than a memory of the unit. They are in the program memory of the host, which copies a piece of the
//! input to L1M and a piece of the output back. A piece is a part of each loop of a move, and dense in L1M and L0M.

use super::block::{Grid, Job, merged};
use super::cost::access;
use crate::mapping::Dim;
use crate::unit::Unit;

/// The pieces of a move, all of the same shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Where they are in program memory: the first byte of each that is copied.
    pub grids: Vec<Grid>,
    /// Copies from program memory to the start of L1M.
    pub copy_in: Copy,
    /// Copies from the start of L0M to program memory.
    pub copy_out: Copy,
}

/// What the host copies for a piece; places in program memory count from the first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The bytes.
    pub job: Job,
    /// Width of a copy access in bytes, aligned for every piece: 1, 2 or 4.
    pub access: usize,
}

impl Pieces {
    /// How many there are.
    pub fn number(&self) -> usize {
        self.grids.iter().map(Grid::blocks).sum()
    }
}

impl Copy {
    /// Bytes.
    pub fn bytes(&self) -> usize {
        self.job.units()
    }
}

/// What loops reach: nested digits, and the stride of each loop when their places are dense.
struct Reach {
    /// Stride and number of each digit, the nearest first.
    digits: Vec<(usize, usize)>,
    /// Stride of each loop.
    strides: Vec<isize>,
    /// From the lowest place to the one where the loops begin.
    low: isize,
    /// The same where places are dense.
    dense_low: isize,
}

impl Reach {
    /// Of loops as (iterations, stride). Only what is exactly dense is a digit in an output, whose gaps belong to
    /// others; in an input gaps are copied, too, as long as there are not more of them than of the rest.
    fn of(loops: &[(usize, isize)], output: bool) -> Reach {
        let mut order: Vec<usize> = (0..loops.len()).collect();
        order.sort_by_key(|&i| loops[i].1.abs());
        let mut digits = vec![(1, 1)];
        let mut places = vec![(0, 0); loops.len()];
        let mut low = 0;
        for i in order {
            let (count, stride) = loops[i];
            let far = stride.unsigned_abs();
            if stride < 0 {
                low += (count - 1) * far;
            }
            if count == 1 || far == 0 {
                continue;
            }
            let near = |&(step, number): &(usize, usize)| {
                let steps = far / step;
                far.is_multiple_of(step) && if output { steps == number } else { steps <= 2 * number }
            };
            match digits.iter().rposition(near) {
                Some(digit) => {
                    let steps = far / digits[digit].0;
                    digits[digit].1 += (count - 1) * steps;
                    places[i] = (digit, steps);
                }
                None => {
                    digits.push((far, count));
                    places[i] = (digits.len() - 1, 1);
                }
            }
        }
        let mut reach = Reach { digits, strides: Vec::new(), low: low as isize, dense_low: 0 };
        for (&(count, stride), &(digit, steps)) in loops.iter().zip(&places) {
            let dense = (reach.dense(digit) * steps) as isize * stride.signum();
            reach.dense_low += if dense < 0 { (count as isize - 1) * -dense } else { 0 };
            reach.strides.push(dense);
        }
        reach
    }

    /// Stride of a digit where places are dense.
    fn dense(&self, digit: usize) -> usize {
        self.digits[..digit].iter().map(|(_, number)| number).product()
    }

    /// Places.
    fn units(&self) -> usize {
        self.dense(self.digits.len())
    }

    /// The digits as loops over bytes, from places as they are to dense ones, or back; `None` when there are parts of
    /// bytes.
    fn copy(&self, per_byte: usize, back: bool) -> Option<Vec<Dim>> {
        let mut dims = Vec::new();
        for (i, &(far, number)) in self.digits.iter().enumerate() {
            let dense = self.dense(i);
            let (number, far, dense) = match i {
                0 if number.is_multiple_of(per_byte) => (number / per_byte, 1, 1),
                _ if i > 0 && far.is_multiple_of(per_byte) => (number, far / per_byte, dense / per_byte),
                _ => return None,
            };
            let (far, dense) = (far as isize, dense as isize);
            let (from, to) = if back { (dense, far) } else { (far, dense) };
            dims.push(Dim { size: number, from, to });
        }
        Some(dims)
    }
}

/// The job of one piece in L1M and L0M, and the pieces in program memory. `None` if they cannot be cut at bytes.
pub(super) fn cut(job: &Job, unit: &Unit) -> Option<(Job, Pieces)> {
    let per_byte = (8 / job.unit) as usize;
    let mut sizes: Vec<usize> = job.dims.iter().map(|dim| dim.size).collect();
    let reach = |sizes: &[usize]| {
        let loops = |stride: fn(&Dim) -> isize| {
            job.dims.iter().zip(sizes).map(|(dim, &size)| (size, stride(dim))).collect::<Vec<_>>()
        };
        [Reach::of(&loops(|dim| dim.from), false), Reach::of(&loops(|dim| dim.to), true)]
    };
    let room = [unit.l1m_bytes, unit.l0m_bytes].map(|bytes| bytes * per_byte);
    // What is too much, in both memories.
    let excess = |reach: &[Reach; 2]| {
        let more = |i: usize| reach[i].units().saturating_sub(room[i]);
        more(0) + more(1)
    };
    let [input, output] = loop {
        let now = reach(&sizes);
        let too_much = excess(&now);
        if too_much == 0 {
            break now;
        }
        // Far places first, then the longest loop; powers of two, since these make good slices.
        let least = |dim: &Dim| if (dim.from, dim.to) == (1, 1) { job.element.max(per_byte) } else { 1 };
        let shorter = |i: usize| (sizes[i].next_power_of_two() / 2).max(least(&job.dims[i]));
        let helps = |&i: &usize| {
            let mut sizes = sizes.clone();
            sizes[i] = shorter(i);
            excess(&reach(&sizes)) < too_much
        };
        let far = |&i: &usize| (job.dims[i].from.abs().min(job.dims[i].to.abs()), sizes[i]);
        let best = (0..sizes.len()).filter(|&i| shorter(i) < sizes[i]).filter(helps).max_by_key(far)?;
        sizes[best] = shorter(best);
    };
    let mut grids = job.grids(&sizes)?;
    let bytes = |units: isize| (units % per_byte as isize == 0).then_some(units as i64 / per_byte as i64);
    let (low_in, low_out) = (bytes(input.low)?, bytes(output.low)?);
    for grid in &mut grids {
        (grid.from, grid.to) = (grid.from - low_in, grid.to - low_out);
    }
    let dims = sizes.iter().zip(input.strides.iter().zip(&output.strides));
    let dims = merged(dims.map(|(&size, (&from, &to))| Dim { size, from, to }).collect());
    let (from, to) = (input.dense_low as i64, output.dense_low as i64);
    let near = Job { from, to, dims, ..job.clone() };
    let copy = |dims: Vec<Dim>, place: fn(&Grid) -> (i64, i64), step: fn(&super::block::Loop) -> (i64, i64)| {
        let job = Job { unit: 8, element: 1, value: None, sum: None, from: 0, to: 0, dims: merged(dims) };
        let at = |grid: &Grid| {
            let (from, to) = place(grid);
            let steps =
                grid.loops.iter().map(step).map(|(from, to)| Dim { size: 2, from: from as isize, to: to as isize });
            let dims = job.dims.iter().copied().chain(steps).collect();
            access(&Job { from, to, dims, ..job.clone() })
        };
        let access = grids.iter().map(at).min().unwrap_or(1);
        Copy { job, access }
    };
    let copy_in = copy(input.copy(per_byte, false)?, |grid| (grid.from, 0), |l| (l.from, 0));
    let copy_out = copy(output.copy(per_byte, true)?, |grid| (0, grid.to), |l| (0, l.to));
    Some((near, Pieces { grids, copy_in, copy_out }))
}
