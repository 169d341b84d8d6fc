// SPDX-License-Identifier: Apache-2.0
//! Clock cycles of a plan, for memories without wait states and a host that executes an instruction in each cycle.

use super::block::{Grid, Job, Loop, gcd};
use super::table::Table;
use super::{Body, Combine, Edit, Exchange};
use crate::unit::Unit;

/// Instructions of the host for a block: two pointers and a counter of the innermost loop.
const LOOP: f64 = 4.0;
/// Cycles of a stream beyond those of its blocks.
const LATENCY: f64 = 60.0;
/// Minimum of a store.
const STORE: f64 = 4.0;
/// A change of `tshape` between load and store.
const RESHAPE: f64 = 10.0;
/// Cycles of `tl.xpose` beside loads and stores, beyond its rows, when elements leave their rows: it stays in one bank
/// of the register file for many rows, and the queues of loads and stores for that bank are sometimes full.
const XPOSE: f64 = 2.0;
/// Cycles of `tl.xpose` for each slice but these of the stores beside it, when slices are moved in part.
const PARTIAL: (f64, f64) = (0.1, 16.0);
/// Cycles per row of `tl.addi` or `tl.merge` beside a load and a store: each writes or reads every row.
const MERGE: f64 = 1.04;
/// Cycles per row of `tl.concat`, whose slices are narrower than a row: two passes.
const CONCAT: f64 = 2.0;
/// Instructions of the host that add to an element.
const ADD: f64 = 2.5;
/// A matrix load and a store, beyond their memory words.
const TILE: f64 = 2.0;

/// The shares of the blocks of a grid that begin 0, 1 and so on bytes behind a memory word of `port` bytes.
fn starts(first: i64, loops: &[Loop], step: fn(&Loop) -> i64, port: usize) -> Vec<f64> {
    let at = |place: i64| place.rem_euclid(port as i64) as usize;
    let mut starts = vec![0.0; port];
    starts[at(first)] = 1.0;
    for l in loops {
        let period = port / gcd(port as isize, at(step(l)) as isize).unsigned_abs();
        let mut next = vec![0.0; port];
        for turn in 0..period.min(l.count) {
            let share = (l.count - turn).div_ceil(period) as f64 / l.count as f64;
            let by = step(l) * turn as i64;
            starts.iter().enumerate().for_each(|(start, of)| next[at(start as i64 + by)] += of * share);
        }
        starts = next;
    }
    starts
}

/// Cycles of all blocks of a grid. As many moves as `alike` differ only in their places and share the setup: the second
/// begins while the first one still stores.
pub(super) fn unit(body: &Body, grid: &Grid, unit: &Unit, alike: usize) -> u64 {
    let from = starts(grid.from, &grid.loops, |l| l.from, unit.port_bytes);
    let to = starts(grid.to, &grid.loops, |l| l.to, unit.port_bytes);
    let rows = (unit.reg_bytes / unit.lanes) as f64;
    // A load writes every row of its register, two in a cycle, of which one at most has data.
    let load = |table: &Table| {
        let registers = table.masks.iter().filter(|&&mask| mask != 0).count() as f64;
        table.beats(&from).max(table.bytes() as f64 / unit.lanes as f64).max(registers * (rows / 2.0 + 2.0))
    };
    let store = |table: &Table| table.beats(&to).max(STORE);
    let settings = |tables: [Option<&Table>; 2]| {
        // What fits into the instruction needs no other.
        let counted = |slot: &i64| if (0..32).contains(slot) { 1.0 } else { 2.0 };
        let table = |t: &&Table| 8.0 + t.slots.iter().map(counted).sum::<f64>();
        tables.iter().flatten().map(table).sum::<f64>()
    };
    let (block, setup) = match body {
        Body::Slices { load: None, store: table, .. } => {
            (store(table).max(LOOP + 1.0), settings([Some(table), None]) + 40.0)
        }
        Body::Slices { load: Some(l), edit, store: s } => {
            let own_shape = matches!(edit, Some(Edit::Combine(_)));
            let reshape = if l.same_shape(s) || own_shape { 0.0 } else { RESHAPE };
            let passes = match edit {
                None => 0.0,
                Some(Edit::Combine(Combine { concat: true, .. })) => CONCAT,
                Some(Edit::Combine(_) | Edit::Add(_)) => MERGE,
            };
            let engines = load(l).max(store(s)).max(passes * rows);
            (engines.max(LOOP + 4.0 + reshape), settings([Some(l), Some(s)]))
        }
        Body::Exchange(Exchange { load: l, store: s, sizes, pair, bits, .. }) => {
            let reshape = if l.same_shape(s) { 0.0 } else { 2.0 * RESHAPE };
            let inner = sizes[pair[0].min(pair[1])..].iter().product::<usize>();
            let in_rows = inner * *bits as usize <= 8 * unit.lanes;
            let conflicts = if in_rows { 0.0 } else { XPOSE };
            // Where slices leave rows free, zeros and data are written beside the results of `tl.xpose`.
            let writes = |&mask: &u32| {
                let data = l.width as f64 * f64::from(mask.count_ones()) / unit.lanes as f64;
                if mask == l.all() && l.room < l.width + unit.lanes { rows } else { rows + data }
            };
            let writes = rows + l.masks.iter().map(writes).sum::<f64>() / 2.0;
            let parts = if s.width < s.room { PARTIAL.0 * (s.slices() as f64 - PARTIAL.1).max(0.0) } else { 0.0 };
            let engines = load(l).max(store(s)).max(2.0 * rows + conflicts + parts).max(writes + conflicts);
            (engines.max(LOOP + 7.0 + reshape), settings([Some(l), Some(s)]))
        }
        Body::Tile(tile) => {
            let beats = |transposed: bool, pitch: i64, starts: &[f64]| {
                let (lines, bytes) = match transposed {
                    false => (tile.rows, tile.columns * tile.element),
                    true => (tile.columns, tile.rows * tile.element),
                };
                let words = |line: usize| {
                    let at =
                        |start: usize| (start as i64 + line as i64 * pitch).rem_euclid(starts.len() as i64) as usize;
                    let share =
                        |(start, share): (usize, &f64)| share * (at(start) + bytes).div_ceil(starts.len()) as f64;
                    starts.iter().enumerate().map(share).sum::<f64>()
                };
                (0..lines).map(words).sum::<f64>()
            };
            let load = beats(tile.load_transposed, tile.from, &from);
            let engine = load + beats(tile.store_transposed, tile.to, &to) + TILE;
            (engine.max(LOOP + 2.0), 8.0)
        }
        Body::Host => (0.0, 0.0),
    };
    (grid.blocks() as f64 * block + (LATENCY + setup) / alike as f64) as u64
}

/// Cycles of the host's loops.
pub(super) fn host(job: &Job) -> u64 {
    let units = job.units() as f64;
    let each = if job.unit == 4 { 14.0 } else { 2.5 / access(job) as f64 };
    let add = if job.sum.is_some() { ADD / job.element as f64 } else { 0.0 };
    (units * (each + add)) as u64 + 20
}

/// Width of the host's accesses in bytes: 1, 2 or 4; an element if something is added to it.
pub(crate) fn access(job: &Job) -> usize {
    if job.sum.is_some() {
        return job.element;
    }
    let fits = |bytes: usize| {
        let even = |value: i64| value % bytes as i64 == 0;
        let others = job.others();
        job.run().is_multiple_of(bytes)
            && (job.value.is_some() || even(job.from))
            && even(job.to)
            && others.iter().all(|(_, dim)| (job.value.is_some() || even(dim.from as i64)) && even(dim.to as i64))
    };
    [4, 2].into_iter().find(|&bytes| fits(bytes)).unwrap_or(1)
}
