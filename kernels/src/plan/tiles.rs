// SPDX-License-Identifier: Apache-2.0
//! Blocks in matrix registers: no alignment, no condition on strides, but few bytes at a time.

use super::block::{Grid, Job};
use super::{Body, Tile};
use crate::mapping::Dim;
use crate::unit::Unit;

/// Tiles of runs, and of two loops that are transposed.
pub(super) fn propose(job: &Job, unit: &Unit, offer: &mut impl FnMut(Body, Vec<Grid>)) {
    let Some(tiles) = unit.tiles.filter(|_| job.unit == 8) else { return };
    let run = job.run();
    let others = job.others();
    let none = Dim { size: 1, from: 0, to: 0 };
    for x in others.iter().chain([&none]) {
        let rows = x.size.min(tiles.rows);
        let columns = run.min(tiles.row_bytes);
        let tile = Tile {
            element: 1,
            rows,
            columns,
            from: x.from as i64,
            to: x.to as i64,
            load_transposed: false,
            store_transposed: false,
        };
        let chunk = |dim: &Dim| match dim {
            dim if (dim.from, dim.to) == (1, 1) => columns,
            dim if dim == x => rows,
            _ => 1,
        };
        if let Some(grids) = job.grids(chunk) {
            offer(Body::Tile(tile), grids);
        }
    }
    let element = job.element;
    if run != element || element > 4 {
        return;
    }
    for x in &others {
        for y in others.iter().filter(|y| *y != x) {
            let (rows, columns) = (x.size.min(tiles.rows), y.size.min(tiles.row_bytes / element));
            let near = element as isize;
            let tile = |from: isize, to: isize, load_transposed: bool| {
                let (from, to, store_transposed) = (from as i64, to as i64, !load_transposed);
                Tile { element, rows, columns, from, to, load_transposed, store_transposed }
            };
            let chunk = |dim: &Dim| match dim {
                dim if (dim.from, dim.to) == (1, 1) => run,
                dim if dim == x => rows,
                dim if dim == y => columns,
                _ => 1,
            };
            let tile = match () {
                () if y.from == near && x.to == near => tile(x.from, y.to, false),
                () if x.from == near && y.to == near => tile(y.from, x.to, true),
                () => continue,
            };
            if let Some(grids) = job.grids(chunk) {
                offer(Body::Tile(tile), grids);
            }
        }
    }
}
