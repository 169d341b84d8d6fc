// SPDX-License-Identifier: Apache-2.0
//! Patches of an image.

use super::layout::image;
use super::{Gapped, LoweredWithGaps, MOST, OperatorError, numbered, refuse};
use crate::mapping::{Dim, Gaps, Move, Source};
use crate::tensor::Tensor;

/// Order of the dimensions of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Batch, channel, row, column.
    Nchw,
    /// Batch, row, column, channel.
    Nhwc,
}

pub(super) fn im2col(
    x: &Tensor,
    layout: Layout,
    kernel: [usize; 2],
    steps: [usize; 2],
    dilations: [usize; 2],
    padding: [usize; 2],
) -> LoweredWithGaps {
    let sizes = image(x)?;
    let ([n, c, h, w], order) = match layout {
        Layout::Nchw => (sizes, [0, 1, 2, 3]),
        Layout::Nhwc => ([sizes[0], sizes[3], sizes[1], sizes[2]], [0, 3, 1, 2]),
    };
    if kernel.contains(&0) || steps.contains(&0) || dilations.contains(&0) {
        refuse!("kernel {kernel:?}, strides {steps:?}, dilations {dilations:?}; allowed are numbers from 1 on");
    }
    let mut out = [0; 2];
    for (i, size) in [h, w].into_iter().enumerate() {
        let room = padding[i].saturating_mul(2).saturating_add(size);
        let patch = dilations[i].saturating_mul(kernel[i] - 1).saturating_add(1);
        if room > MOST {
            refuse!("padding {} of dimension {}; allowed are {MOST} pixels", padding[i], ["H", "W"][i]);
        }
        if patch > room {
            refuse!("a patch of {patch} in {room} pixels of dimension {}; allowed is at most as many", ["H", "W"][i]);
        }
        out[i] = (room - patch) / steps[i] + 1;
    }
    let [oh, ow] = out;
    let [kh, kw] = kernel;
    if numbered(&[n, c, kh, kw, oh, ow]).is_none() {
        refuse!("{oh} x {ow} patches of {kh} x {kw} pixels; allowed are {MOST} elements in all");
    }
    let places = oh * ow;
    let shape = match layout {
        Layout::Nchw => [n, c * kh * kw, places],
        Layout::Nhwc => [n, places, kh * kw * c],
    };
    let stride = x.strides();
    let [fn_, fc, fh, fw] = order.map(|axis| stride[axis]);
    // Output strides of batch, channel, row and column of the patch, row and column of the place.
    let i = |value: usize| value as isize;
    let (tn, tc, tkh, tkw, toh, tow) = match layout {
        Layout::Nchw => (i(c * kh * kw * places), i(kh * kw * places), i(kw * places), i(places), i(ow), 1),
        Layout::Nhwc => (i(places * kh * kw * c), 1, i(kw * c), i(c), i(ow * kh * kw * c), i(kh * kw * c)),
    };
    let (sh, sw) = (i(steps[0]) * fh, i(steps[1]) * fw);
    let (dh, dw) = (i(dilations[0]) * fh, i(dilations[1]) * fw);
    // The patch pixels that see the same part of the image share a move.
    let groups = |axis: usize, size: usize| {
        let mut groups: Vec<(usize, usize, usize, usize)> = Vec::new(); // first, number, low, high
        for k in 0..kernel[axis] {
            let shift = k * dilations[axis];
            let low = padding[axis].saturating_sub(shift).div_ceil(steps[axis]).min(out[axis]);
            let high = (size + padding[axis]).saturating_sub(shift).div_ceil(steps[axis]).clamp(low, out[axis]);
            match groups.last_mut().filter(|group| (group.2, group.3) == (low, high)) {
                Some(group) => group.1 += 1,
                None => groups.push((k, 1, low, high)),
            }
        }
        groups
    };
    let batch = [Dim { size: n, from: fn_, to: tn }, Dim { size: c, from: fc, to: tc }];
    // The pixels [k, n] of the patch, at the places from low to high, of rows and columns.
    let part = |[(ky, ny), (kx, nx)]: [(usize, usize); 2], y: [usize; 2], x: [usize; 2]| {
        let patch = [Dim { size: ny, from: dh, to: tkh }, Dim { size: nx, from: dw, to: tkw }];
        let place = [Dim { size: y[1] - y[0], from: sh, to: toh }, Dim { size: x[1] - x[0], from: sw, to: tow }];
        let row = i(ky * dilations[0] + y[0] * steps[0]) - i(padding[0]);
        let column = i(kx * dilations[1] + x[0] * steps[1]) - i(padding[1]);
        let at = i(ky) * tkh + i(kx) * tkw + i(y[0]) * toh + i(x[0]) * tow;
        Move::copy(0, row * fh + column * fw, 0, at, [&batch[..], &patch, &place].concat())
    };
    let (rows, columns) = (groups(0, h), groups(1, w));
    let same = |axis: usize, size: usize| steps[axis] == 1 && out[axis] == size;
    // Where rows of the output are as long as those of the image, whole rows are copied, and whole images: with pixels
    // that are not of the patch, which are overwritten then.
    let whole_rows = vec![(0, kh, 0, oh)];
    let whole_columns = vec![(0, kw, 0, ow)];
    let copy_columns = if same(1, w) { &whole_columns } else { &columns };
    let copy_rows = if same(0, h) && same(1, w) { &whole_rows } else { &rows };
    let mut moves = Vec::new();
    for &(ky, ny, y0, y1) in copy_rows {
        for &(kx, nx, x0, x1) in copy_columns {
            moves.push(part([(ky, ny), (kx, nx)], [y0, y1], [x0, x1]));
        }
    }
    let mut gapped: Vec<Gapped> = Vec::new();
    for &(ky, ny, y0, y1) in &rows {
        for &(kx, nx, x0, x1) in &columns {
            let zeros = |y, x| Move { source: Source::Value(0), ..part([(ky, ny), (kx, nx)], y, x) };
            let above_and_below = [zeros([0, y0], [0, ow]), zeros([y1, oh], [0, ow])];
            moves.extend(above_and_below.clone());
            moves.extend([zeros([y0, y1], [0, x0]), zeros([y0, y1], [x1, ow])]);
            if copy_rows != &whole_rows || padding == [0; 2] {
                continue;
            }
            // Rows and columns are the last loops. One of the two has zeros on the way.
            let whole = part([(ky, ny), (kx, nx)], [0, oh], [0, ow]);
            match ([y0, y1] != [0, oh], [x0, x1] != [0, ow]) {
                (false, false) => gapped.push((whole, None)),
                (true, false) => gapped.push((whole, Some(Gaps::Zeros { dim: 4, inside: [y0, y1], stay: None }))),
                (rows, true) => {
                    let stay = rows.then_some((4, [y0, y1]));
                    gapped.push((whole, Some(Gaps::Zeros { dim: 5, inside: [x0, x1], stay })));
                    gapped.extend(above_and_below.into_iter().filter(|_| rows).map(|zeros| (zeros, None)));
                }
            }
        }
    }
    Ok((vec![Tensor::new(&shape, x.bits)], moves, gapped))
}
