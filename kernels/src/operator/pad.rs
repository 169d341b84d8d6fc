// SPDX-License-Identifier: Apache-2.0
//! Pad: a tensor with an edge around it, of a constant or of its own elements.

use super::{Lowered, MOST, OperatorError, axis_of, dims, numbered, refuse};
use crate::mapping::{Dim, Move, Source};
use crate::tensor::{Tensor, strides};

/// The attribute `mode`, with the value of `constant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// The constant with these bits.
    Constant(u64),
    /// Reflects the tensor without repeating the edge: `d c b | a b c d | c b a`.
    Reflect,
    /// Repeats the edge element: `a a a | a b c d | d d d`.
    Edge,
    /// Repeats the tensor: `b c d | a b c d | a b c`.
    Wrap,
}

/// Elements along one axis that move alike: `number` times, `apart` from each other in the output, `count` elements of
/// the input from `start` on in steps of `step`, to `place` and what follows.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: isize,
    step: isize,
    count: usize,
    place: usize,
    number: usize,
    apart: usize,
}

pub(super) fn pad(x: &Tensor, pads: &[i64], axes: Option<&[i64]>, padding: Padding) -> Lowered {
    let rank = x.shape.len();
    let all: Vec<i64> = (0..rank as i64).collect();
    let axes = axes.unwrap_or(&all);
    if pads.len() != 2 * axes.len() {
        refuse!("{} pads for {} axes; allowed are two for each", pads.len(), axes.len());
    }
    let (mut before, mut behind) = (vec![0; rank], vec![0; rank]);
    let mut seen = vec![false; rank];
    for (i, &axis) in axes.iter().enumerate() {
        let axis = axis_of(axis, rank)?;
        if std::mem::replace(&mut seen[axis], true) {
            refuse!("axes {axes:?} name axis {axis} twice; allowed is once");
        }
        (before[axis], behind[axis]) = (pads[i], pads[i + axes.len()]);
    }
    let mut shape = Vec::new();
    for axis in 0..rank {
        let size = i128::from(before[axis]) + i128::from(behind[axis]) + x.shape[axis] as i128;
        if size < 0 {
            refuse!(
                "pads {} and {} of axis {axis}, which has size {}; they may not cut off more",
                before[axis],
                behind[axis],
                x.shape[axis]
            );
        }
        shape.push(usize::try_from(size).unwrap_or(usize::MAX));
    }
    if numbered(&shape).is_none() {
        refuse!("pads {pads:?} of shape {:?}; allowed are {MOST} elements in all", x.shape);
    }
    let moves = match padding {
        Padding::Constant(value) => constant(x, &before, &shape, value)?,
        Padding::Reflect | Padding::Edge | Padding::Wrap => {
            let runs: Result<Vec<_>, _> =
                (0..rank).map(|a| runs(a, x.shape[a], before[a], behind[a], padding)).collect();
            copies(x, &runs?, &shape)
        }
    };
    Ok((vec![Tensor::new(&shape, x.bits)], moves))
}

fn constant(x: &Tensor, before: &[i64], shape: &[usize], value: u64) -> Result<Vec<Move>, OperatorError> {
    let rank = shape.len();
    if x.bits < 64 && value >> x.bits != 0 {
        refuse!("value {value:#x} in elements of {} bits; allowed is what fits", x.bits);
    }
    // What is left of the input, in the output: from `low` to `high` along each axis.
    let low: Vec<usize> = before.iter().zip(shape).map(|(&pad, &size)| (pad.max(0) as usize).min(size)).collect();
    let high: Vec<usize> =
        (0..rank).map(|a| (x.shape[a] as i64 + before[a]).clamp(low[a] as i64, shape[a] as i64) as usize).collect();
    let kept: Vec<usize> = low.iter().zip(&high).map(|(low, high)| high - low).collect();
    let (from, to) = (x.strides(), strides(shape));
    let place = |index: &[usize]| index.iter().zip(&to).map(|(&i, &stride)| i as isize * stride).sum::<isize>();
    let start = (0..rank).map(|a| (low[a] as i64 - before[a]) as isize * from[a]).sum();
    let mut moves = vec![Move::copy(0, start, 0, place(&low), dims(&kept, &from, &to))];
    // Along each axis the edges, of what the axes before it have left.
    for axis in 0..rank {
        for (first, last) in [(0, low[axis]), (high[axis], shape[axis])] {
            let (mut at, mut sizes) = (low.clone(), kept.clone());
            at[axis + 1..].fill(0);
            sizes[axis + 1..].copy_from_slice(&shape[axis + 1..]);
            (at[axis], sizes[axis]) = (first, last - first);
            moves.push(fill(place(&at), &sizes, &to, value));
        }
    }
    Ok(moves)
}

fn fill(offset: isize, sizes: &[usize], to: &[isize], value: u64) -> Move {
    Move { source: Source::Value(value), output: 0, offset, dims: dims(sizes, &vec![0; sizes.len()], to), add: 0 }
}

/// Where the elements of the output along an axis of this size come from. What is cut off is cut off first: the edge is
/// made of what is left.
fn runs(axis: usize, size: usize, before: i64, behind: i64, padding: Padding) -> Result<Vec<Run>, OperatorError> {
    let cut = [before, behind].map(|pad| pad.min(0).unsigned_abs() as usize);
    let [low, high] = [before, behind].map(|pad| pad.max(0) as usize);
    if cut[0] + cut[1] > size {
        refuse!("pads {before} and {behind} of axis {axis}, which has size {size}; they may not cut off more");
    }
    let (first, left) = (cut[0] as isize, size - cut[0] - cut[1]);
    let total = low + left + high;
    if left == 0 && total > 0 {
        refuse!(
            "pads {before} and {behind} of axis {axis}, of which nothing is left; only a constant can be put there"
        );
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut push = |start: isize, step: isize, count: usize, place: usize| {
        // The same elements once more, as far behind the last time as that is behind the one before.
        let again = runs.iter_mut().find(|run| {
            let next = run.place + run.number * run.apart;
            (run.start, run.step, run.count) == (start, step, count) && (run.number == 1 || next == place)
        });
        match again {
            Some(run) => {
                run.apart = if run.number == 1 { place - run.place } else { run.apart };
                run.number += 1;
            }
            None if count > 0 => runs.push(Run { start, step, count, place, number: 1, apart: 0 }),
            None => {}
        }
    };
    let last = first + left as isize - 1;
    match padding {
        // One element has no mirror image but itself, as in NumPy.
        Padding::Reflect if left > 1 => {
            // Up from the first element, down from the last one, each without its end.
            let half = left - 1;
            let mut place = 0;
            while place < total {
                let at = (place as isize - low as isize).rem_euclid(2 * half as isize) as usize;
                let phase = at % half;
                let count = (half - phase).min(total - place);
                let (start, step) = if at < half { (first + phase as isize, 1) } else { (last - phase as isize, -1) };
                push(start, step, count, place);
                place += count;
            }
        }
        Padding::Wrap => {
            let mut place = 0;
            while place < total {
                let at = (place as isize - low as isize).rem_euclid(left as isize);
                let count = (left - at as usize).min(total - place);
                push(first + at, 1, count, place);
                place += count;
            }
        }
        Padding::Constant(_) | Padding::Edge | Padding::Reflect => {
            push(first, 0, low, 0);
            push(first, 1, left, low);
            push(last, 0, high, low + left);
        }
    }
    Ok(runs)
}

/// A move for each choice of a run along each axis.
fn copies(x: &Tensor, runs: &[Vec<Run>], shape: &[usize]) -> Vec<Move> {
    let (from, to) = (x.strides(), strides(shape));
    let mut moves = vec![Move::copy(0, 0, 0, 0, Vec::new())];
    let (mut read, mut write) = (vec![0], vec![0]);
    for (axis, runs) in runs.iter().enumerate() {
        let (mut next, mut reads, mut writes) = (Vec::new(), Vec::new(), Vec::new());
        for ((step, &read), &write) in moves.iter().zip(&read).zip(&write) {
            for run in runs {
                let mut dims = step.dims.clone();
                if run.number > 1 {
                    dims.push(Dim { size: run.number, from: 0, to: run.apart as isize * to[axis] });
                }
                dims.push(Dim { size: run.count, from: run.step * from[axis], to: to[axis] });
                let (read, write) = (read + run.start * from[axis], write + run.place as isize * to[axis]);
                next.push(Move::copy(0, read, 0, write, dims));
                reads.push(read);
                writes.push(write);
            }
        }
        (moves, read, write) = (next, reads, writes);
    }
    moves
}
