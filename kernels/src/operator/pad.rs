// SPDX-License-Identifier: Apache-2.0
//! Pad: something around a tensor.

use std::collections::BTreeMap;

use super::{Lowered, OperatorError, axis_of, dims, refuse};
use crate::mapping::{Dim, Move, Source};
use crate::tensor::{Tensor, strides};

/// What is around a padded tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// These bits.
    Value(u64),
    /// The element at the edge.
    Edge,
    /// The tensor, mirrored at the element at the edge, and mirrored again behind that.
    Reflect,
    /// The tensor again and again.
    Wrap,
}

pub(super) fn pad(x: &Tensor, pads: &[i64], axes: Option<&[i64]>, with: Padding) -> Lowered {
    let rank = x.shape.len();
    let all: Vec<i64> = (0..rank as i64).collect();
    let axes = axes.unwrap_or(&all);
    if pads.len() != 2 * axes.len() {
        refuse!("{} pads for {} axes; allowed are two for each", pads.len(), axes.len());
    }
    let (mut before, mut behind) = (vec![0; rank], vec![0; rank]);
    for (i, &axis) in axes.iter().enumerate() {
        let axis = axis_of(axis, rank)?;
        (before[axis], behind[axis]) = (pads[i], pads[i + axes.len()]);
    }
    let mut shape = Vec::new();
    for axis in 0..rank {
        let size = x.shape[axis] as i64 + before[axis] + behind[axis];
        if size < 0 {
            refuse!(
                "pads {} and {} of axis {axis}, which has size {}; they may not cut off more",
                before[axis],
                behind[axis],
                x.shape[axis]
            );
        }
        shape.push(size as usize);
    }
    let sides = [before, behind];
    let moves = match with {
        Padding::Value(value) => constant(x, &shape, &sides[0], value)?,
        Padding::Edge | Padding::Reflect | Padding::Wrap => repeated(x, &shape, &sides, with)?,
    };
    Ok((vec![Tensor::new(&shape, x.bits)], moves))
}

/// The input, then its edges.
fn constant(x: &Tensor, shape: &[usize], before: &[i64], value: u64) -> Result<Vec<Move>, OperatorError> {
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

/// Elements of an axis in equal distances: the first one, the distance, how many.
type Run = (isize, isize, usize);

/// The product of the runs of all axes.
fn repeated(x: &Tensor, shape: &[usize], sides: &[Vec<i64>; 2], with: Padding) -> Result<Vec<Move>, OperatorError> {
    let (from, to) = (x.strides(), strides(shape));
    let mut moves = vec![Move::copy(0, 0, 0, 0, Vec::new())];
    for (axis, &size) in x.shape.iter().enumerate() {
        let [before, behind] = [sides[0][axis], sides[1][axis]];
        if before < 0 || behind < 0 {
            refuse!("pads {before} and {behind} of axis {axis}; negative ones are allowed with a constant only");
        }
        if size == 0 && before + behind > 0 {
            refuse!("pads {before} and {behind} of axis {axis}, which has no element to repeat; allowed is a constant");
        }
        // The same run at several places of the output, which are equally far apart.
        let mut places: BTreeMap<Run, Vec<usize>> = BTreeMap::new();
        let mut at = 0;
        for run in runs(size, before as usize, behind as usize, with) {
            places.entry(run).or_default().push(at);
            at += run.2;
        }
        let mut longer = Vec::new();
        for step in &moves {
            for (&(first, distance, count), places) in &places {
                let apart = places.get(1).map_or(0, |second| second - places[0]);
                let mut next = step.clone();
                let Source::Input { offset, .. } = &mut next.source else { continue };
                *offset += first * from[axis];
                next.offset += places[0] as isize * to[axis];
                next.dims.push(Dim { size: places.len(), from: 0, to: apart as isize * to[axis] });
                next.dims.push(Dim { size: count, from: distance * from[axis], to: to[axis] });
                longer.push(next);
            }
        }
        moves = longer;
    }
    Ok(moves)
}

/// The runs of an axis of `size` elements, in the order of the output.
fn runs(size: usize, before: usize, behind: usize, with: Padding) -> Vec<Run> {
    let last = size.saturating_sub(1);
    let mut runs = Vec::new();
    if with == Padding::Edge || size < 2 {
        runs.extend([(0, 0, before), (0, 1, size), (last as isize, 0, behind)]);
    } else if with == Padding::Wrap {
        let total = before + size + behind;
        let first = (size - before % size) % size;
        runs.push((first as isize, 1, (size - first).min(total)));
        let mut at = size - first;
        while at < total {
            runs.push((0, 1, size.min(total - at)));
            at += size;
        }
    } else {
        // Up from the first element and down from the last one, in turns; the tensor itself is one run.
        let mut parts = Vec::new();
        let mut rest = before;
        while rest > 0 {
            let count = rest.min(last);
            let down = parts.len() % 2 == 0;
            let end = if down { 1 } else { last - 1 };
            let first = if down { end + count - 1 } else { end + 1 - count };
            parts.push((first as isize, if down { -1 } else { 1 }, count));
            rest -= count;
        }
        runs.extend(parts.into_iter().rev());
        runs.push((0, 1, size));
        let (mut rest, mut down) = (behind, true);
        while rest > 0 {
            let count = rest.min(last);
            runs.push(if down { (last as isize - 1, -1, count) } else { (1, 1, count) });
            (rest, down) = (rest - count, !down);
        }
    }
    runs.retain(|run| run.2 > 0);
    runs
}

fn fill(offset: isize, sizes: &[usize], to: &[isize], value: u64) -> Move {
    Move { source: Source::Value(value), output: 0, offset, dims: dims(sizes, &vec![0; sizes.len()], to) }
}
