// SPDX-License-Identifier: Apache-2.0
//! Blocks in matrix registers: no alignment, no condition on strides, but few bytes at a time.

use super::block::Job;
use super::{Body, Tile};
use crate::mapping::Dim;
use crate::unit::Unit;

/// Tiles of runs, and of two loops that are transposed.
pub(super) fn propose(job: &Job, unit: &Unit, offer: &mut impl FnMut(Body, Vec<usize>)) {
    let Some(tiles) = unit.tiles.filter(|_| job.unit == 8) else { return };
    let (run, element) = (job.run(), job.element);
    let others = job.others();
    let mut tile = |tile: Tile, chunks: [(Option<usize>, usize); 3]| {
        let mut chunk = vec![1; job.dims.len()];
        for (at, size) in chunks {
            at.into_iter().for_each(|at| chunk[at] = size);
        }
        offer(Body::Tile(tile), chunk);
    };
    let none = (None, Dim { size: 1, from: 0, to: 0 });
    for (at, x) in others.iter().map(|&(at, x)| (Some(at), x)).chain([none]) {
        let (rows, columns) = (x.size.min(tiles.rows), run.min(tiles.row_bytes));
        let (from, to) = (x.from as i64, x.to as i64);
        let plain = Tile { element: 1, rows, columns, from, to, load_transposed: false, store_transposed: false };
        tile(plain, [(job.run_index(), columns), (at, rows), (None, 1)]);
    }
    if run != element || element > 4 {
        return;
    }
    for &(x_at, x) in &others {
        for &(y_at, y) in others.iter().filter(|y| y.0 != x_at) {
            let (rows, columns) = (x.size.min(tiles.rows), y.size.min(tiles.row_bytes / element));
            let near = element as isize;
            let (from, to, load_transposed) = match () {
                () if y.from == near && x.to == near => (x.from, y.to, false),
                () if x.from == near && y.to == near => (y.from, x.to, true),
                () => continue,
            };
            let (from, to, store_transposed) = (from as i64, to as i64, !load_transposed);
            let transposed = Tile { element, rows, columns, from, to, load_transposed, store_transposed };
            tile(transposed, [(job.run_index(), run), (Some(x_at), rows), (Some(y_at), columns)]);
        }
    }
}
