// SPDX-License-Identifier: Apache-2.0
//! Operators that change the order or the shape of all elements.

use super::{Lowered, OperatorError, axis_below, axis_of, dense, dims, numbered, product, refuse};
use crate::mapping::Move;
use crate::tensor::{Tensor, strides};

pub(super) fn transpose(x: &Tensor, perm: Option<&[usize]>) -> Lowered {
    let rank = x.shape.len();
    let perm: Vec<usize> = perm.map_or_else(|| (0..rank).rev().collect(), <[usize]>::to_vec);
    check_perm(&perm, rank)?;
    let shape: Vec<usize> = perm.iter().map(|&p| x.shape[p]).collect();
    rearrange(x, &x.shape, &perm, &shape)
}

fn check_perm(perm: &[usize], rank: usize) -> Result<(), OperatorError> {
    let mut sorted = perm.to_vec();
    sorted.sort_unstable();
    if sorted != (0..rank).collect::<Vec<_>>() {
        refuse!("perm {perm:?} of a tensor of rank {rank}; allowed is each of 0 to {} once", rank.saturating_sub(1));
    }
    Ok(())
}

/// All elements, each with `value` added.
pub(super) fn add_constant(x: &Tensor, value: i64) -> Lowered {
    let Ok(add) = i8::try_from(value) else { refuse!("value {value}; allowed is -128 to 127") };
    if x.bits > 32 {
        refuse!("elements of {} bits; allowed are 4, 8, 16 and 32", x.bits);
    }
    let (outputs, mut moves) = dense(x, &x.shape);
    moves.iter_mut().for_each(|step| step.add = add);
    Ok((outputs, moves))
}

/// Reshape to `view`, transpose, reshape to `shape`.
pub(super) fn rearrange(x: &Tensor, view: &[usize], perm: &[usize], shape: &[usize]) -> Lowered {
    if product(view) != Some(x.elements()) || product(shape) != Some(x.elements()) {
        refuse!(
            "view {view:?} and shape {shape:?} of a tensor of {} elements; allowed are the same number",
            x.elements()
        );
    }
    check_perm(perm, view.len())?;
    let from = strides(view);
    let moved: Vec<usize> = perm.iter().map(|&p| view[p]).collect();
    let from: Vec<isize> = perm.iter().map(|&p| from[p]).collect();
    let loops = dims(&moved, &from, &strides(&moved));
    Ok((vec![Tensor::new(shape, x.bits)], vec![Move::copy(0, 0, 0, 0, loops)]))
}

pub(super) fn reshape(x: &Tensor, shape: &[i64]) -> Lowered {
    let elements = x.elements();
    if shape.iter().filter(|&&size| size == -1).count() > 1 || shape.iter().any(|&size| size < -1) {
        refuse!("shape {shape:?}; allowed are sizes, 0 for one that stays, and -1 once");
    }
    let mut sizes = Vec::new();
    for (i, &size) in shape.iter().enumerate() {
        match (size, x.shape.get(i)) {
            (0, Some(&same)) => sizes.push(same),
            (0, None) => {
                refuse!("shape {shape:?}: 0 at {i} stands for a size of the input, which has rank {}", x.shape.len())
            }
            (-1, _) => sizes.push(1),
            (size, _) => sizes.push(size as usize),
        }
    }
    if let Some(rest) = shape.iter().position(|&size| size == -1) {
        match product(&sizes) {
            None => {}
            Some(0) => refuse!("shape {shape:?}: any size in place of -1 gives 0 elements; allowed is that size"),
            Some(known) => sizes[rest] = elements / known,
        }
    }
    if product(&sizes) != Some(elements) || numbered(&sizes).is_none() {
        refuse!("shape {shape:?} of {elements} elements; allowed is a shape with as many");
    }
    Ok(dense(x, &sizes))
}

pub(super) fn flatten(x: &Tensor, axis: i64) -> Lowered {
    let rank = x.shape.len();
    let axis = axis_below(axis, rank, rank + 1)?;
    let (outer, inner) = x.shape.split_at(axis);
    Ok(dense(x, &[outer.iter().product(), inner.iter().product()]))
}

pub(super) fn squeeze(x: &Tensor, axes: Option<&[i64]>) -> Lowered {
    let rank = x.shape.len();
    let gone: Vec<usize> = match axes {
        None => (0..rank).filter(|&i| x.shape[i] == 1).collect(),
        Some(axes) => axes.iter().map(|&axis| axis_of(axis, rank)).collect::<Result<_, _>>()?,
    };
    if let Some(&axis) = gone.iter().find(|&&axis| x.shape[axis] != 1) {
        refuse!("axis {axis} has size {}; allowed are axes of size 1", x.shape[axis]);
    }
    let shape: Vec<usize> = (0..rank).filter(|i| !gone.contains(i)).map(|i| x.shape[i]).collect();
    Ok(dense(x, &shape))
}

/// The four sizes of an image.
pub(super) fn image(x: &Tensor) -> Result<[usize; 4], OperatorError> {
    let Ok(sizes) = x.shape.clone().try_into() else {
        refuse!("shape {:?}; allowed is an image of rank 4", x.shape);
    };
    Ok(sizes)
}

pub(super) fn space_to_depth(x: &Tensor, b: usize, crd: bool) -> Lowered {
    let [n, c, h, w] = image(x)?;
    if b == 0 || h % b != 0 || w % b != 0 || product(&[c.max(1), b, b]).is_none() {
        refuse!("blocksize {b} of an image of {h} x {w}; allowed is a divisor of both");
    }
    let perm = if crd { [0, 1, 3, 5, 2, 4] } else { [0, 3, 5, 1, 2, 4] };
    rearrange(x, &[n, c, h / b, b, w / b, b], &perm, &[n, c * b * b, h / b, w / b])
}

pub(super) fn depth_to_space(x: &Tensor, b: usize, crd: bool) -> Lowered {
    let [n, c, h, w] = image(x)?;
    if b == 0 || b.checked_mul(b).is_none_or(|pixels| c % pixels != 0) || product(&[h.max(w), b]).is_none() {
        refuse!("blocksize {b} of {c} channels; allowed is one whose square divides them");
    }
    let shape = [n, c / (b * b), h * b, w * b];
    if crd {
        rearrange(x, &[n, c / (b * b), b, b, h, w], &[0, 1, 4, 2, 5, 3], &shape)
    } else {
        rearrange(x, &[n, b, b, c / (b * b), h, w], &[0, 3, 4, 1, 5, 2], &shape)
    }
}
