// SPDX-License-Identifier: Apache-2.0
//! Blocks that are transposed by `tl.xpose`: the input is loaded as [m, b, a, r] and stored as [m, a, b, r]. The sizes
//! in the registers are powers of two, of which a part may be in use.

use super::block::Job;
use super::table::{Axis, Table};
use super::{Body, Exchange};
use crate::mapping::Dim;
use crate::unit::Unit;

/// Sizes of `tl.xpose` have 8 bits.
const MOST: usize = 128;
/// The longest stride of single elements whose gaps are loaded with them.
const GAPS: isize = 16;

/// A loop of the block: its number in the job, iterations in the registers, and how many of these are loaded and
/// stored.
#[derive(Clone, Copy)]
struct Side {
    at: Option<usize>,
    dim: Dim,
    room: usize,
    read: usize,
    written: usize,
    /// A loop inside it that is done as a whole.
    inner: Option<(usize, Dim)>,
}

impl Side {
    /// Elements in the registers.
    fn elements(&self) -> usize {
        self.room * self.inner.map_or(1, |(_, dim)| dim.size)
    }

    /// The loop with the shortest strides.
    fn near(&self) -> Dim {
        self.inner.map_or(self.dim, |(_, dim)| dim)
    }

    fn has(&self, at: usize) -> bool {
        self.at == Some(at) || self.inner.is_some_and(|inner| inner.0 == at)
    }

    /// The loops with these iterations and strides.
    fn axes(self, used: usize, stride: fn(&Dim) -> isize) -> impl Iterator<Item = Axis> {
        let outer = Axis { room: self.room, used, stride: stride(&self.dim) };
        std::iter::once(outer).chain(self.inner.map(|(_, dim)| Axis::full(dim.size, stride(&dim))))
    }
}

/// All rooms for a loop up to `most`, full or with a part in use that cuts the loop evenly.
fn sides((at, dim): (usize, Dim), most: usize) -> Vec<Side> {
    let mut sides = Vec::new();
    for room in std::iter::successors(Some(2), |n| Some(2 * n)).take_while(|&n| n <= most && n < 2 * dim.size) {
        let even = dim.size.div_ceil(dim.size.div_ceil(room));
        let mut uses = vec![room.min(dim.size), even];
        uses.dedup();
        let side = |used| Side { at: Some(at), dim, room, read: used, written: used, inner: None };
        sides.extend(uses.into_iter().filter(|&used| 2 * used > room).map(side));
    }
    sides
}

/// All sides of one loop, and of two loops of which one goes on where the other ends, by their strides.
fn chains(others: &[(usize, Dim)], stride: fn(&Dim) -> isize) -> Vec<Side> {
    let mut all: Vec<Side> = others.iter().flat_map(|&one| sides(one, MOST)).collect();
    for &inner in others.iter().filter(|(_, dim)| dim.size.is_power_of_two() && dim.size < MOST) {
        let goes_on = |outer: &&(usize, Dim)| stride(&outer.1) == stride(&inner.1) * inner.1.size as isize;
        let outer = others.iter().filter(goes_on).flat_map(|&outer| sides(outer, MOST / inner.1.size));
        all.extend(outer.map(|side| Side { inner: Some(inner), ..side }));
    }
    all
}

/// All such blocks, with m of any loop.
pub(super) fn propose(job: &Job, unit: &Unit, offer: &mut impl FnMut(Body, Vec<usize>)) {
    let run = job.run();
    let widest = if job.unit == 4 { 4 } else { (job.element as u32 * 8).min(32) };
    let Some(&bits) = unit.widths.iter().filter(|&&bits| bits >= job.unit && bits <= widest).max() else { return };
    let r = run * job.unit as usize / bits as usize;
    let room = 2 * unit.reg_bytes * 8 / bits as usize;
    if !r.is_power_of_two() || r > MOST {
        return;
    }
    let others = job.others();
    let [firsts, seconds] = [|dim: &Dim| dim.from, |dim: &Dim| dim.to].map(|stride| chains(&others, stride));
    // What is transposed is nearer in the input along a, and in the output along b.
    let nearer = |a: &Side, b: &Side| {
        let (near, far) = (a.near(), b.near());
        let apart = !a.at.is_some_and(|at| b.has(at)) && !a.inner.is_some_and(|inner| b.has(inner.0));
        near.from.abs() < far.from.abs() && far.to.abs() < near.to.abs() && apart
    };
    // Elements with gaps between them: the gaps are loaded with them, and are not stored.
    let gap = |b: &Side| {
        let step = b.dim.from / run as isize;
        let even = step.cast_unsigned().is_power_of_two() && b.dim.from % run as isize == 0 && b.inner.is_none();
        let (room, dim) = (step as usize, Dim { size: 1, from: run as isize, to: 0 });
        ((2..=GAPS).contains(&step) && even).then_some(Side {
            at: None,
            dim,
            room,
            read: room,
            written: 1,
            inner: None,
        })
    };
    let pairs = firsts.iter().flat_map(|a| seconds.iter().filter(|b| nearer(a, b)).map(|b| (*a, *b)));
    let gaps = seconds.iter().filter_map(|b| Some((gap(b)?, *b)));
    for (a, b) in pairs.chain(gaps) {
        let used = a.elements() * b.elements() * r;
        let full = room / used;
        if used > room || full > if r == 1 { MOST * MOST } else { MOST } {
            continue;
        }
        let block = Block { job, unit, bits, r, full };
        block.offer([a, b], None, offer);
        for &more in others.iter().filter(|_| full > 1) {
            let inner = [a, b].into_iter().find(|side| side.has(more.0));
            if inner.is_some_and(|side| side.written < side.room || side.at != Some(more.0)) {
                continue;
            }
            let inner = inner.map_or(1, |side| side.room);
            let Dim { size, from, to } = more.1;
            let dim = Dim { size: size / inner, from: from * inner as isize, to: to * inner as isize };
            sides((more.0, dim), full).into_iter().for_each(|m| block.offer([a, b], Some(m), offer));
        }
    }
}

struct Block<'a> {
    job: &'a Job,
    unit: &'a Unit,
    bits: u32,
    r: usize,
    /// Iterations of m for which the registers have room.
    full: usize,
}

impl Block<'_> {
    fn offer(&self, [a, b]: [Side; 2], m: Option<Side>, offer: &mut impl FnMut(Body, Vec<usize>)) {
        let (job, full) = (self.job, self.full);
        let run = job.run();
        let (sizes, pair) = match full {
            1 => ([b.elements(), a.elements(), self.r, 1], [0, 1]),
            2..=MOST => ([full, b.elements(), a.elements(), self.r], [1, 2]),
            // There is no r, so its place is free.
            _ => ([MOST, full / MOST, b.elements(), a.elements()], [2, 3]),
        };
        let table = |sides: [Option<Side>; 3], used: fn(&Side) -> usize, stride: fn(&Dim) -> isize| {
            let axes = |side: Side| side.axes(used(&side), stride);
            let mut axes: Vec<Axis> = sides.into_iter().flatten().flat_map(axes).collect();
            axes.push(Axis::full(run, 1));
            // Without m the first of two registers has room for all.
            let new = if m.is_none() && full > 1 { Table::new } else { Table::pair };
            new(&axes, job.unit, self.unit.pitch)
        };
        let load = table([m, Some(b), Some(a)], |side| side.read, |dim| dim.from);
        let store = table([m, Some(a), Some(b)], |side| side.written, |dim| dim.to);
        let (Some(mut load), Some(mut store)) = (load, store) else { return };
        // Widths count elements.
        let whole = |table: &Table| [table.width, table.room].iter().all(|n| n * 8 % self.bits as usize == 0);
        if !whole(&load) || !whole(&store) {
            return;
        }
        Table::alike(&mut load, &mut store);
        let mut chunk = vec![1; job.dims.len()];
        job.run_index().into_iter().for_each(|at| chunk[at] = run);
        for side in [Some(a), Some(b), m].into_iter().flatten() {
            side.at.into_iter().for_each(|at| chunk[at] *= side.written);
            side.inner.into_iter().for_each(|(at, dim)| chunk[at] = dim.size);
        }
        offer(Body::Exchange(Exchange { bits: self.bits, sizes, pair, load, store }), chunk);
    }
}
