// SPDX-License-Identifier: Apache-2.0
//! The fastest known way to do a job: blocks of one kind, and jobs of their own for what these leave over.

use std::collections::HashMap;

use super::block::{Grid, Job, merged};
use super::{Body, Part, cost, exchange, slices, tiles};
use crate::mapping::Dim;
use crate::unit::Unit;

/// Proposals that are looked at closely, those of most promise.
const TRIED: usize = 40;

/// Levels of jobs inside jobs.
const LEVELS: usize = 2;
/// A job is cut when its solution takes more than the datapath by this part.
const WORTH: u64 = 32;
/// The shortest half of a tile that a cut leaves.
const HALF: usize = 8;

/// Parts that do a job together.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub parts: Vec<Part>,
    pub cycles: u64,
}

/// Blocks of one kind.
struct Proposal {
    chunk: Vec<usize>,
    part: Part,
    /// Cycles, those of what is left over at the rate of the datapath.
    least: u64,
}

/// Finds solutions, and knows those that it has found.
pub(super) struct Solver<'a> {
    unit: &'a Unit,
    /// Jobs that differ from the one that is solved only in their places, with it.
    alike: usize,
    known: HashMap<(Job, usize), (usize, Solution)>,
}

impl Solution {
    /// The host alone.
    pub fn host(job: &Job) -> Self {
        let cycles = cost::host(job);
        let grid = Grid { from: job.from, to: job.to, loops: Vec::new() };
        Self { parts: vec![Part { job: job.clone(), body: Body::Host, grid, cycles }], cycles }
    }

    fn join(&mut self, more: Solution) {
        self.cycles += more.cycles;
        self.parts.extend(more.parts);
    }
}

impl<'a> Solver<'a> {
    pub fn new(unit: &'a Unit) -> Self {
        Self { unit, alike: 1, known: HashMap::new() }
    }

    /// The fastest known solution for one of `alike` jobs that differ only in their places.
    pub fn best(&mut self, job: &Job, alike: usize) -> Solution {
        self.alike = alike;
        self.within(job, LEVELS)
    }

    /// The fastest known solution with this many levels of jobs inside jobs.
    fn within(&mut self, job: &Job, levels: usize) -> Solution {
        if let Some((known, found)) = self.known.get(&(job.clone(), self.alike))
            && *known >= levels
        {
            return found.clone();
        }
        let mut best = Solution::host(job);
        let mut proposals = self.proposals(job);
        proposals.sort_by_key(|proposal| proposal.least);
        for Proposal { chunk, part, least } in proposals.into_iter().take(TRIED) {
            if least >= best.cycles {
                break;
            }
            let rests = job.split(&chunk).1;
            if levels == 0 && !rests.is_empty() {
                continue;
            }
            let mut found = Solution { cycles: part.cycles, parts: vec![part] };
            for rest in rests {
                let [behind, overlapping] = rest.map(|rest| self.within(&rest, levels - 1));
                found.join(if behind.cycles < overlapping.cycles { behind } else { overlapping });
                if found.cycles >= best.cycles {
                    break;
                }
            }
            if found.cycles < best.cycles {
                best = found;
            }
        }
        let lanes = self.unit.lanes as f64;
        let least = |job: &Job| (job.bytes() / lanes) as u64;
        if levels > 0 && best.cycles > least(job) + least(job) / WORTH {
            for cut in self.aligned(job).into_iter().chain(seams(job)) {
                let mut found = self.within(&cut[0], levels - 1);
                if found.cycles + least(&cut[1]) < best.cycles {
                    found.join(self.within(&cut[1], levels - 1));
                    if found.cycles < best.cycles {
                        best = found;
                    }
                }
            }
        }
        self.known.insert((job.clone(), self.alike), (levels, best.clone()));
        best
    }

    fn proposals(&self, job: &Job) -> Vec<Proposal> {
        let mut proposals = Vec::new();
        let unit = self.unit;
        let mut offer = |body: Body, chunk: Vec<usize>| {
            let whole = job.split(&chunk).0;
            let Some(grid) = whole.grids(&chunk).and_then(|mut grids| grids.pop()) else { return };
            if !inside(&body, &grid, unit) {
                return;
            }
            let cycles = cost::unit(&body, &grid, unit, self.alike);
            let rest = job.bytes() - whole.bytes();
            let least = cycles + (rest / unit.lanes as f64) as u64;
            proposals.push(Proposal { chunk, part: Part { job: whole, body, grid, cycles }, least });
        };
        slices::propose(job, unit, &mut offer);
        if job.value.is_none() && job.sum.is_none() {
            exchange::propose(job, unit, &mut offer);
            tiles::propose(job, unit, &mut offer);
        }
        proposals
    }

    /// Cuts of the job behind the first iterations of a loop, so that what follows begins at a memory word.
    fn aligned(&self, job: &Job) -> Vec<[Job; 2]> {
        let port = self.unit.port_bytes as i64;
        let mut cuts = Vec::new();
        if job.unit != 8 {
            return cuts;
        }
        for side in 0..if job.value.is_some() { 1 } else { 2 } {
            let strides = |i: usize| [job.dims[i].to, job.dims[i].from].map(|stride| stride as i64);
            let stride = |i: usize| strides(i)[side];
            let (place, other) = ([job.to, job.from][side], [job.to, job.from][1 - side]);
            for i in 0..job.dims.len() {
                let others = (0..job.dims.len()).filter(|&other| other != i);
                if place % port == 0 || others.map(stride).any(|stride| stride % port != 0) {
                    continue;
                }
                let size = job.dims[i].size as i64;
                let step = if stride(i) == 1 { job.element as i64 } else { 1 };
                let cut = (1..size.min(port)).filter(|n| n % step == 0).find(|n| (place + n * stride(i)) % port == 0);
                // Or the next cut gives up what this one has gained, and so on along the loop.
                let keeps = |n: &i64| other % port != 0 || (other + n * strides(i)[1 - side]) % port == 0;
                // What is short does not gain by it.
                if let Some(first) = cut.filter(|first| size > 4 * first.max(&port) && keeps(first)) {
                    let first = first as usize;
                    cuts.push([job.part(i, 0, first), job.part(i, first, size as usize - first)]);
                }
            }
        }
        cuts
    }
}

/// Cuts of rows that follow each other on one side and are an odd multiple of a power of two long. What is left of a
/// row and the first of the next one are a tile, with two places on the other side.
fn seams(job: &Job) -> Vec<[Job; 2]> {
    let mut cuts = Vec::new();
    for (x, outer) in job.others() {
        for (y, inner) in job.others() {
            let half = 1 << inner.size.trailing_zeros();
            let rows = inner.size as isize;
            let follow = outer.from == inner.from * rows || outer.to == inner.to * rows;
            if !follow || inner.size < 3 * half || half < HALF || !outer.size.is_multiple_of(2) {
                continue;
            }
            let step = |n: isize, turn: isize| Dim {
                size: 2,
                from: turn * outer.from + n * inner.from,
                to: turn * outer.to + n * inner.to,
            };
            let part = |first: isize, size: usize, pair: Dim| {
                let mut dims = job.dims.clone();
                dims[x] = Dim { size: outer.size / 2, from: 2 * outer.from, to: 2 * outer.to };
                dims[y].size = size;
                dims.push(pair);
                let at = |place: i64, stride: isize| place + (first * stride) as i64;
                Job { from: at(job.from, inner.from), to: at(job.to, inner.to), dims: merged(dims), ..*job }
            };
            let half = half as isize;
            // Even rows to before their last half tile, odd rows from behind their first one; and those two.
            cuts.push([
                part(0, inner.size - half as usize, step(half, 1)),
                part(rows - half, half as usize, step(half - rows, 1)),
            ]);
        }
    }
    cuts
}

/// Whether all loads of a grid are inside L1M; some load gaps, too.
pub(super) fn inside(body: &Body, grid: &Grid, unit: &Unit) -> bool {
    let (Body::Exchange(super::Exchange { load, .. }) | Body::Slices { load: Some(load), .. }) = body else {
        return true;
    };
    let [mut low, mut high] = load.reach().map(|at| grid.from + at);
    for l in &grid.loops {
        let last = (l.count as i64 - 1) * l.from;
        (low, high) = (low + last.min(0), high + last.max(0));
    }
    low >= 0 && high <= unit.l1m_bytes as i64
}
