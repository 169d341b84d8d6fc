// SPDX-License-Identifier: Apache-2.0
//! Operators that join tensors, or pick parts of them along an axis.

use super::{Gapped, Lowered, MOST, OperatorError, Parts, along, axis_of, dims, numbered, product, refuse, resized};
use crate::mapping::{Dim, Gaps, Move};
use crate::tensor::{Tensor, strides};

pub(super) fn concat(inputs: &[Tensor], axis: i64) -> Lowered {
    let first = &inputs[0];
    let axis = axis_of(axis, first.shape.len())?;
    for (i, x) in inputs.iter().enumerate() {
        let fits = x.shape.len() == first.shape.len() && x.bits == first.bits;
        if !fits || resized(&x.shape, axis, 0) != resized(&first.shape, axis, 0) {
            refuse!("input {i} is {x}, the first one {first}; they may differ in the size of axis {axis} alone");
        }
    }
    let out = resized(&first.shape, axis, inputs.iter().map(|x| x.shape[axis]).sum());
    let mut at = 0;
    let mut moves = Vec::new();
    for (i, x) in inputs.iter().enumerate() {
        moves.push(along(i, x, axis, [0, 1, x.shape[axis] as isize], 0, &out, at));
        at += x.shape[axis];
    }
    Ok((vec![Tensor::new(&out, first.bits)], moves))
}

pub(super) fn split(x: &Tensor, axis: i64, parts: &Parts) -> Lowered {
    let axis = axis_of(axis, x.shape.len())?;
    let size = x.shape[axis];
    let sizes = match parts {
        Parts::Sizes(sizes) => sizes.clone(),
        Parts::Number(number @ (0 | 65_536..)) => refuse!("{number} outputs; allowed are 1 to 65535"),
        Parts::Number(number) => {
            let part = size.div_ceil(*number);
            (0..*number).map(|i| part.min(size.saturating_sub(i * part))).collect()
        }
    };
    if sizes.iter().try_fold(0, |sum: usize, &part| sum.checked_add(part)) != Some(size) {
        refuse!("parts {sizes:?} of axis {axis}, which has size {size}; allowed are parts with that sum");
    }
    let (mut outputs, mut moves, mut at) = (Vec::new(), Vec::new(), 0);
    for (i, &part) in sizes.iter().enumerate() {
        let out = resized(&x.shape, axis, part);
        moves.push(along(0, x, axis, [at, 1, part as isize], i, &out, 0));
        outputs.push(Tensor::new(&out, x.bits));
        at += part as isize;
    }
    Ok((outputs, moves))
}

pub(super) fn slice(x: &Tensor, starts: &[i64], ends: &[i64], axes: Option<&[i64]>, steps: Option<&[i64]>) -> Lowered {
    let rank = x.shape.len();
    let first: Vec<i64> = (0..starts.len() as i64).collect();
    let axes = axes.unwrap_or(&first);
    let ones = vec![1; starts.len()];
    let steps = steps.unwrap_or(&ones);
    if ends.len() != starts.len() || axes.len() != starts.len() || steps.len() != starts.len() {
        let numbers = [ends.len(), axes.len(), steps.len()];
        refuse!("{} starts, but {numbers:?} ends, axes and steps; allowed are as many", starts.len());
    }
    let (mut shape, mut from, mut offset) = (x.shape.clone(), x.strides(), 0);
    let mut seen = vec![false; rank];
    for (i, &axis) in axes.iter().enumerate() {
        let axis = axis_of(axis, rank)?;
        if std::mem::replace(&mut seen[axis], true) {
            refuse!("axes {axes:?} name axis {axis} twice; allowed is once");
        }
        let (size, step) = (x.shape[axis] as i64, steps[i]);
        if step == 0 {
            refuse!("step 0 along axis {axis}; allowed is every other number");
        }
        let index = |value: i64| if value < 0 { value.saturating_add(size) } else { value };
        // What ONNX says: forward within 0 to size, backward within -1 to size - 1.
        let (low, high) = if step > 0 { (0, size) } else { (-1, size - 1) };
        let start = index(starts[i]).clamp(low.max(0), high.max(0));
        let end = index(ends[i]).clamp(low, high);
        let span = if step > 0 { end - start } else { start - end };
        let count = if span <= 0 || size == 0 { 0 } else { (span as u64).div_ceil(step.unsigned_abs()) };
        shape[axis] = count as usize;
        offset += start as isize * from[axis];
        from[axis] = from[axis].saturating_mul(step as isize);
    }
    let loops = dims(&shape, &from, &strides(&shape));
    Ok((vec![Tensor::new(&shape, x.bits)], vec![Move::copy(0, offset, 0, 0, loops)]))
}

pub(super) fn gather(x: &Tensor, axis: i64, indices: &[i64], shape: &[usize]) -> Lowered {
    let axis = axis_of(axis, x.shape.len())?;
    let size = x.shape[axis] as i64;
    if product(shape) != Some(indices.len()) {
        refuse!("{} indices of shape {shape:?}; allowed are as many as the shape says", indices.len());
    }
    let mut out = x.shape.clone();
    out.splice(axis..=axis, shape.iter().copied());
    if numbered(&out).is_none() {
        refuse!("indices of shape {shape:?} make an output of {out:?}; allowed are {MOST} elements in all");
    }
    let mut positive = Vec::new();
    for &index in indices {
        if index < -size || index >= size {
            refuse!("index {index} along axis {axis}; allowed is {} to {}", -size, size - 1);
        }
        positive.push(if index < 0 { index + size } else { index } as isize);
    }
    let flat = resized(&x.shape, axis, indices.len());
    Ok((vec![Tensor::new(&out, x.bits)], picks(x, axis, &positive, &flat)))
}

pub(super) fn compress(x: &Tensor, axis: Option<i64>, condition: &[bool]) -> Lowered {
    let flat = Tensor::new(&[x.elements()], x.bits);
    let (x, axis) = match axis {
        None => (&flat, 0),
        Some(axis) => (x, axis_of(axis, x.shape.len())?),
    };
    let size = x.shape[axis];
    if condition.len() > size {
        refuse!("a condition of {} along {size} elements; allowed is at most as many", condition.len());
    }
    let held: Vec<isize> = (0..condition.len()).filter(|&i| condition[i]).map(|i| i as isize).collect();
    let out = resized(&x.shape, axis, held.len());
    let moves = picks(x, axis, &held, &out);
    Ok((vec![Tensor::new(&out, x.bits)], moves))
}

/// The slices of `x` along `axis` with these indices, as one move.
pub(super) fn with_picks(x: &Tensor, axis: usize, picks: Vec<usize>) -> Vec<Gapped> {
    let (from, to) = (x.strides(), strides(&resized(&x.shape, axis, picks.len())));
    let mut loops = dims(&x.shape, &from, &to);
    loops[axis].size = picks.len();
    vec![(Move::copy(0, 0, 0, 0, loops), Some(Gaps::Picks { dim: axis, picks }))]
}

/// Slices of `x` by their indices, one behind the other along `axis` of `out`. Indices in arithmetic progression are
/// one move, and so are progressions of the same form that follow each other at equal distances.
fn picks(x: &Tensor, axis: usize, indices: &[isize], out: &[usize]) -> Vec<Move> {
    let (from, to) = (x.strides(), strides(out));
    let mut runs: Vec<[isize; 4]> = Vec::new(); // start, step, count, place
    let mut at = 0;
    while at < indices.len() {
        let rest = &indices[at..];
        let step = if rest.len() > 1 { rest[1] - rest[0] } else { 0 };
        let mut count = rest.windows(2).take_while(|pair| pair[1] - pair[0] == step).count() + 1;
        // Two indices far from each other are better off with those around them.
        if count == 2 && step != 1 && rest.len() > 2 {
            count = 1;
        }
        let step = if count == 1 { 0 } else { step };
        runs.push([rest[0], step, count as isize, at as isize]);
        at += count;
    }
    let mut moves = Vec::new();
    let mut first = 0;
    while first < runs.len() {
        let [start, step, count, place] = runs[first];
        let like = |run: &[isize; 4]| run[1] == step && run[2] == count;
        let apart = runs.get(first + 1).filter(|next| like(next)).map(|next| next[0] - start);
        let mut number = 1;
        while runs
            .get(first + number)
            .is_some_and(|run| like(run) && Some(run[0] - runs[first + number - 1][0]) == apart)
        {
            number += 1;
        }
        let mut loops = dims(&x.shape, &from, &to);
        loops[axis] = Dim { size: count as usize, from: from[axis] * step, to: to[axis] };
        let group = Dim { size: number, from: from[axis] * apart.unwrap_or(0), to: to[axis] * count };
        loops.insert(axis, group);
        moves.push(Move::copy(0, start * from[axis], 0, place * to[axis], loops));
        first += number;
    }
    moves
}
