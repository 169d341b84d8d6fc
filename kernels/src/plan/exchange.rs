// SPDX-License-Identifier: Apache-2.0
//! Blocks that are transposed by `tl.xpose`: the input is loaded as [m, b, a, r] and stored as [m, a, b, r], all powers of
//! two that fill two registers, or the fronts of two.

use super::block::{Grid, Job, Table};
use super::{Body, Exchange};
use crate::mapping::Dim;
use crate::unit::Unit;

/// Sizes of `tl.xpose` have 8 bits.
const MOST: usize = 128;

fn powers(size: usize, most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1), |n| Some(2 * n)).take_while(move |&n| n <= size.min(most))
}

/// All such blocks, with m of any loop.
pub(super) fn propose(job: &Job, unit: &Unit, offer: &mut impl FnMut(Body, Vec<Grid>)) {
    let run = job.run();
    let widest = if job.unit == 4 { 4 } else { (job.element as u32 * 8).min(32) };
    let Some(&bits) = unit.widths.iter().filter(|&&bits| bits >= job.unit && bits <= widest).max() else { return };
    let r = run * job.unit as usize / bits as usize;
    let room = 2 * unit.reg_bytes * 8 / bits as usize;
    if !r.is_power_of_two() || r > MOST {
        return;
    }
    let others = job.others();
    for a in &others {
        // What is transposed is nearer in the input along a, and in the output along b.
        for b in others.iter().filter(|b| a.from.abs() < b.from.abs() && b.to.abs() < a.to.abs()) {
            for an in powers(a.size, MOST).skip(1) {
                for bn in powers(b.size, MOST).skip(1) {
                    let full = room / (an * bn * r);
                    if an * bn * r > room || full > if r == 1 { MOST * MOST } else { MOST } {
                        continue;
                    }
                    if full == 1 {
                        block(job, [a, b, b], [an, bn, 1, r], 1, bits, offer);
                    }
                    for more in &others {
                        for m in powers(full, full).skip(1) {
                            block(job, [a, b, more], [an, bn, m, r], full, bits, offer);
                        }
                    }
                }
            }
        }
    }
}

/// Offers the block in which the loops a, b and m, a part of `more`, have these numbers of iterations, in registers that have
/// room for `full` of m: each has a half of m in front, and behind it what a load leaves there.
fn block(
    job: &Job,
    [a, b, more]: [&Dim; 3],
    [an, bn, m, r]: [usize; 4],
    full: usize,
    bits: u32,
    offer: &mut impl FnMut(Body, Vec<Grid>),
) {
    let run = job.run();
    let inner = match more {
        more if more == a => an,
        more if more == b => bn,
        _ => 1,
    };
    if m > 1 && inner * m > more.size {
        return;
    }
    let middle = Dim { size: m, from: more.from * inner as isize, to: more.to * inner as isize };
    let mut from = [(m, middle.from), (bn, b.from), (an, a.from), (run, 1)];
    let mut to = [(m, middle.to), (an, a.to), (bn, b.to), (run, 1)];
    let (sizes, pair) = match full {
        1 => ([bn, an, r, 1], [0, 1]),
        2..=MOST => ([full, bn, an, r], [1, 2]),
        // There is no r, so its place is free.
        _ => ([MOST, full / MOST, bn, an], [2, 3]),
    };
    // Each register has a half of the outermost loop.
    let per_byte = 8 / job.unit as isize;
    let halve = |loops: &mut [(usize, isize)]| {
        let outer = loops.iter_mut().find(|(count, _)| *count > 1)?;
        outer.0 /= 2;
        let half = outer.0 as isize * outer.1;
        (half % per_byte == 0).then_some((half / per_byte) as i64)
    };
    let (Some(half_from), Some(half_to)) = (halve(&mut from), halve(&mut to)) else { return };
    let (Some(mut load), Some(mut store)) = (Table::new(&from, job.unit), Table::new(&to, job.unit)) else { return };
    // Widths count elements.
    if load.width * 8 % bits as usize != 0 || store.width * 8 % bits as usize != 0 {
        return;
    }
    Table::alike(&mut load, &mut store);
    let chunk = |dim: &Dim| match dim {
        dim if (dim.from, dim.to) == (1, 1) => run,
        dim => {
            let own = if dim == a {
                an
            } else if dim == b {
                bn
            } else {
                1
            };
            own * if m > 1 && dim == more { m } else { 1 }
        }
    };
    if let Some(grids) = job.grids(chunk) {
        offer(Body::Exchange(Exchange { bits, sizes, pair, load, store, half_from, half_to }), grids);
    }
}
