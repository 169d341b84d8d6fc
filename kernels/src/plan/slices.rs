// SPDX-License-Identifier: Apache-2.0
//! Blocks that keep their order: a register is gathered from slices and scattered to slices.

use super::block::Job;
use super::table::{Axis, Table};
use super::{Body, Edit};
use crate::mapping::Dim;
use crate::unit::Unit;

/// All blocks [y, x, run] of up to a register, with a part of two loops around a part of the run.
pub(super) fn propose(job: &Job, unit: &Unit, offer: &mut impl FnMut(Body, Vec<usize>)) {
    if job.sum.is_some_and(|sum| !unit.widths.contains(&sum.bits)) {
        return;
    }
    let room = unit.reg_bytes * (8 / job.unit as usize);
    let none = (usize::MAX, Dim { size: 1, from: 0, to: 0 });
    let run_at = job.run_index();
    let mut others: Vec<(usize, Dim)> = job.others();
    others.push(none);
    // Whole elements: what is filled in has its phase.
    for run in chunks(job.run() / job.element, room / job.element).into_iter().map(|n| n * job.element) {
        for (i, &x) in others.iter().enumerate() {
            for x_chunk in chunks(x.1.size, room / run) {
                for (j, &y) in others.iter().enumerate() {
                    // Without x there is no y.
                    if i == j && x != none || x == none && y != none {
                        continue;
                    }
                    for y_chunk in chunks(y.1.size, room / run / x_chunk) {
                        if y != none && y_chunk == 1 || x != none && x_chunk == 1 {
                            continue;
                        }
                        let table = |stride: fn(&Dim) -> isize| {
                            let axes = [(y_chunk, stride(&y.1)), (x_chunk, stride(&x.1)), (run, 1)];
                            Table::new(&axes.map(|(room, stride)| Axis::full(room, stride)), job.unit, unit.pitch)
                        };
                        let Some(mut store) = table(|dim| dim.to) else { continue };
                        let mut load = None;
                        if job.value.is_none() {
                            let Some(mut table) = table(|dim| dim.from) else { continue };
                            Table::alike(&mut table, &mut store);
                            load = Some(table);
                        }
                        let mut chunk = vec![1; job.dims.len()];
                        for (at, size) in [(run_at, run), (Some(x.0), x_chunk), (Some(y.0), y_chunk)] {
                            at.and_then(|at| chunk.get_mut(at)).into_iter().for_each(|chunk| *chunk = size);
                        }
                        offer(Body::Slices { load, edit: job.sum.map(Edit::Add), store }, chunk);
                    }
                }
            }
        }
    }
}

/// Iteration counts to try, up to `most`: powers of two, the maximum, the largest divisor of `size`, and what cuts it
/// evenly.
fn chunks(size: usize, most: usize) -> Vec<usize> {
    let most = size.min(most).max(1);
    let mut chunks: Vec<usize> = std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|&n| n <= most).collect();
    chunks.extend((1..=most).rev().find(|n| size.is_multiple_of(*n)));
    chunks.extend([most, size.div_ceil(size.div_ceil(most))]);
    chunks.sort_unstable();
    chunks.dedup();
    chunks
}
