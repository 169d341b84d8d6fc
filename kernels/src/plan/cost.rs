// SPDX-License-Identifier: Apache-2.0
//! Clock cycles of a plan, for memories without wait states and a host that executes an instruction in each cycle.

use super::block::{Grid, Job, Loop, Table, gcd, words};
use super::{Body, Exchange};
use crate::unit::Unit;

/// Instructions of the host for a block: two pointers and a counter of the innermost loop.
const LOOP: f64 = 4.0;
/// Cycles of a stream beyond those of its blocks.
const LATENCY: f64 = 60.0;
/// Minimum of a store.
const STORE: f64 = 4.0;
/// A change of `tshape` between load and store.
const RESHAPE: f64 = 10.0;
/// Cycles per row of `tl.xpose` beside loads and stores, when elements stay in their rows.
const XPOSE_IN_ROWS: f64 = 1.0;
/// The same when they do not: `tl.xpose` stays in one bank of the register file for many rows, and the queues of loads
/// and stores for that bank are sometimes full.
const XPOSE: f64 = 1.03;
/// A matrix load and a store, beyond their memory words.
const TILE: f64 = 2.0;

/// Common alignment of all block addresses, up to a memory word, in the input and in the output.
fn grains(grids: &[Grid], port: usize) -> [usize; 2] {
    let with = |grain: usize, value: i64| gcd(grain as isize, value.unsigned_abs() as isize) as usize;
    let from = |grain, grid: &Grid| grid.loops.iter().fold(with(grain, grid.from), |grain, l| with(grain, l.from));
    let to = |grain, grid: &Grid| grid.loops.iter().fold(with(grain, grid.to), |grain, l| with(grain, l.to));
    [grids.iter().fold(port, from), grids.iter().fold(port, to)]
}

fn blocks(grid: &Grid) -> usize {
    grid.loops.iter().map(|Loop { count, .. }| count).product()
}

/// A load writes every row of its register, two in a cycle, of which one at most has data.
fn load(table: &Table, unit: &Unit, grain: usize) -> f64 {
    let (rows, data) = ((unit.reg_bytes / unit.lanes) as f64, table.bytes() as f64 / unit.lanes as f64);
    table.beats(unit.port_bytes, grain).max(data).max(rows / 2.0 + 2.0)
}

fn store(table: &Table, unit: &Unit, grain: usize) -> f64 {
    table.beats(unit.port_bytes, grain).max(STORE)
}

/// Bytes that the blocks of a step write; overlapping bytes count twice.
pub(super) fn moved(body: &Body, grids: &[Grid]) -> usize {
    let block = match body {
        Body::Slices { store, .. } => store.bytes(),
        Body::Exchange(Exchange { store, .. }) => 2 * store.bytes(),
        Body::Tile(_) | Body::Host => 0,
    };
    grids.iter().map(|grid| blocks(grid) * block).sum()
}

/// Memory words of a block for each one that its bytes would fill, where it reads or where it writes: the larger one.
pub(super) fn scatter(body: &Body, grids: &[Grid], unit: &Unit) -> f64 {
    let [from, to] = grains(grids, unit.port_bytes);
    let of = |table: &Table, grain| table.beats(unit.port_bytes, grain) * unit.port_bytes as f64 / table.bytes() as f64;
    match body {
        Body::Slices { load, store } => load.as_ref().map_or(0.0, |load| of(load, from)).max(of(store, to)),
        Body::Exchange(Exchange { load, store, .. }) => of(load, from).max(of(store, to)),
        Body::Tile(_) | Body::Host => 1.0,
    }
}

/// Cycles of all blocks of a step.
pub(super) fn unit(body: &Body, grids: &[Grid], unit: &Unit) -> u64 {
    let [from, to] = grains(grids, unit.port_bytes);
    let settings =
        |tables: [Option<&Table>; 2]| tables.iter().flatten().map(|t| 2.0 * t.slots.len() as f64).sum::<f64>();
    let (block, setup) = match body {
        Body::Slices { load: None, store: table } => {
            (store(table, unit, to).max(LOOP + 1.0), settings([Some(table), None]) + 40.0)
        }
        Body::Slices { load: Some(l), store: s } => {
            let reshape = if l.slots.len() == s.slots.len() { 0.0 } else { RESHAPE };
            let engines = load(l, unit, from).max(store(s, unit, to));
            (engines.max(LOOP + 2.0 + reshape), settings([Some(l), Some(s)]))
        }
        Body::Exchange(Exchange { load: l, store: s, sizes, pair, bits, .. }) => {
            let reshape = if l.slots.len() == s.slots.len() { 0.0 } else { 2.0 * RESHAPE };
            let xpose = 2.0 * (unit.reg_bytes / unit.lanes) as f64;
            let inner = sizes[pair[0].min(pair[1])..].iter().product::<usize>();
            let in_rows = inner * *bits as usize <= 8 * unit.lanes;
            let xpose = xpose * if in_rows { XPOSE_IN_ROWS } else { XPOSE };
            let engines = (2.0 * load(l, unit, from)).max(2.0 * store(s, unit, to)).max(xpose);
            (engines.max(LOOP + 7.0 + reshape), settings([Some(l), Some(s)]))
        }
        Body::Tile(tile) => {
            let lines = |transposed: bool| match transposed {
                false => (tile.rows, tile.columns * tile.element),
                true => (tile.columns, tile.rows * tile.element),
            };
            let beats = |(lines, bytes): (usize, usize), grain: usize, pitch: i64| {
                let grain = gcd(grain as isize, pitch.unsigned_abs() as isize) as usize;
                lines as f64 * words(bytes, unit.port_bytes, grain)
            };
            let load = beats(lines(tile.load_transposed), from, tile.from);
            let engine = load + beats(lines(tile.store_transposed), to, tile.to) + TILE;
            (engine.max(LOOP + 2.0), 8.0)
        }
        Body::Host => (0.0, 0.0),
    };
    grids.iter().map(|grid| (blocks(grid) as f64 * block + LATENCY) as u64).sum::<u64>() + setup as u64
}

/// Cycles of the host's loops.
pub(super) fn host(job: &Job) -> u64 {
    let units = job.units() as f64;
    let each = if job.unit == 4 { 14.0 } else { 2.5 / access(job) as f64 };
    (units * each) as u64 + 20
}

/// Width of the host's accesses in bytes: 1, 2 or 4.
pub(crate) fn access(job: &Job) -> usize {
    let fits = |bytes: usize| {
        let even = |value: i64| value % bytes as i64 == 0;
        let others = job.others();
        job.run().is_multiple_of(bytes)
            && (job.value.is_some() || even(job.from))
            && even(job.to)
            && others.iter().all(|dim| (job.value.is_some() || even(dim.from as i64)) && even(dim.to as i64))
    };
    [4, 2].into_iter().find(|&bytes| fits(bytes)).unwrap_or(1)
}
