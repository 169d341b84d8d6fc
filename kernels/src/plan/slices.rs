// SPDX-License-Identifier: Apache-2.0
//! Blocks that keep their order: a register is gathered from slices and scattered to slices.

use super::block::{Grid, Job, Table};
use super::{Body, chunks};
use crate::mapping::Dim;
use crate::unit::Unit;

/// All blocks [y, x, run] of up to a register, with a part of two loops around a part of the run.
pub(super) fn propose(job: &Job, unit: &Unit, offer: &mut impl FnMut(Body, Vec<Grid>)) {
    let room = unit.reg_bytes * (8 / job.unit as usize);
    let none = Dim { size: 1, from: 0, to: 0 };
    let mut others = job.others();
    others.push(none);
    // Whole elements: what is filled in has its phase.
    for run in chunks(job.run() / job.element, room / job.element).into_iter().map(|n| n * job.element) {
        for (i, x) in others.iter().enumerate() {
            for x_chunk in chunks(x.size, room / run) {
                for (j, y) in others.iter().enumerate() {
                    // Without x there is no y.
                    if i == j && *x != none || *x == none && *y != none {
                        continue;
                    }
                    for y_chunk in chunks(y.size, room / run / x_chunk) {
                        if *y != none && y_chunk == 1 || *x != none && x_chunk == 1 {
                            continue;
                        }
                        let from = [(y_chunk, y.from), (x_chunk, x.from), (run, 1)];
                        let to = [(y_chunk, y.to), (x_chunk, x.to), (run, 1)];
                        let Some(mut store) = Table::new(&to, job.unit) else { continue };
                        let load = match job.value {
                            Some(_) => None,
                            None => {
                                let Some(mut load) = Table::new(&from, job.unit) else { continue };
                                Table::alike(&mut load, &mut store);
                                Some(load)
                            }
                        };
                        let chunk = |dim: &Dim| match dim {
                            dim if (dim.from, dim.to) == (1, 1) => run,
                            dim if dim == x => x_chunk,
                            dim if dim == y => y_chunk,
                            _ => 1,
                        };
                        if let Some(grids) = job.grids(chunk) {
                            offer(Body::Slices { load, store }, grids);
                        }
                    }
                }
            }
        }
    }
}
