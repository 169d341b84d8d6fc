// SPDX-License-Identifier: Apache-2.0
//! Moves with zeros or gaps: a register is loaded, edited by `tl.merge` or `tl.concat`, and stored.

use super::block::{Job, merged};
use super::solve::{Solution, Solver, inside};
use super::table::{Axis, Table};
use super::{Body, Combine, Edit, Part, Place, Plan, Step, cost};
use crate::mapping::{Dim, Gaps, Mapping, Move};
use crate::unit::Unit;

/// The most slices of an access, and along the dimension of an edit.
const SLICES: usize = 32;
/// The largest size of a block.
const SIZE: usize = 255;

/// Steps for the moves with gaps of a mapping; `None` when there are none, or no block for one of them.
pub(super) fn steps(mapping: &Mapping, plan: &Plan, unit: &Unit, solver: &mut Solver) -> Option<Vec<Step>> {
    let step = |(step, gaps): &(Move, Option<Gaps>)| {
        let job = plan.job(mapping, step);
        let parts = match gaps {
            None => return Some(Step::new(solver.best(&job, 1), Place::Memories)),
            Some(_) if mapping.outputs[step.output].bits < 8 || !unit.widths.contains(&(8 * job.element as u32)) => {
                return None;
            }
            Some(gaps) => {
                let of = |step: &Move| Slice::new(step, gaps, plan.job(mapping, step))?.parts(gaps, unit);
                let part = match gaps {
                    Gaps::Zeros { stay: Some((dim, inside)), .. } => of(&step.part(*dim, *inside)),
                    _ => None,
                };
                // Of equal ones the part: it has fewer memory words.
                [part, of(step)].into_iter().flatten().min_by_key(|parts| total(parts))?
            }
        };
        let cycles = total(&parts);
        Some(Step::new(Solution { parts, cycles }, Place::Memories))
    };
    let steps: Option<Vec<Step>> = mapping.gapped.iter().map(step).collect();
    steps.filter(|steps| !steps.is_empty())
}

fn total(parts: &[Part]) -> u64 {
    parts.iter().map(|part| part.cycles).sum()
}

/// The loops of a move around its loop with gaps.
struct Slice {
    /// The others, in bytes.
    job: Job,
    /// Loops around it that go on where it ends, on both sides: iterations.
    outer: usize,
    /// Its iterations, those of the input for picks.
    size: usize,
    /// Elements in each.
    inner: usize,
}

impl Slice {
    fn new(step: &Move, gaps: &Gaps, mut job: Job) -> Option<Self> {
        let (Gaps::Zeros { dim, .. } | Gaps::Picks { dim, .. }) = gaps;
        let own = step.dims[*dim];
        let mut dims: Vec<Dim> =
            step.dims.iter().enumerate().filter(|(i, dim2)| i != dim && dim2.size > 1).map(|(_, dim)| *dim).collect();
        // Takes the loops that go on after this number of elements.
        let mut chain = |mut elements: usize| {
            let first = elements;
            while let Some(at) = dims.iter().position(|dim| [dim.from, dim.to] == [elements as isize; 2]) {
                if elements / first * dims[at].size > SIZE {
                    break;
                }
                elements *= dims.remove(at).size;
            }
            elements / first
        };
        let inner = chain(1);
        if [own.from, own.to] != [inner as isize; 2] {
            return None;
        }
        let outer = match gaps {
            Gaps::Zeros { .. } if inner == 1 => chain(own.size),
            _ => 1,
        };
        let bytes = |stride: isize| stride * job.element as isize;
        job.dims =
            merged(dims.iter().map(|dim| Dim { size: dim.size, from: bytes(dim.from), to: bytes(dim.to) }).collect());
        Some(Self { job, outer, size: own.size, inner })
    }

    fn parts(&self, gaps: &Gaps, unit: &Unit) -> Option<Vec<Part>> {
        match gaps {
            Gaps::Zeros { inside: [low, high], .. } if self.size <= SLICES => {
                let masks = [(u32::MAX >> (SLICES - self.size)) >> low << low & !(!0_u64 << high) as u32, 0];
                let block = Block { sources: 1, first: 0, length: self.size, kept: self.size, masks };
                self.best(&block, 0, unit)
            }
            Gaps::Zeros { .. } => None,
            Gaps::Picks { picks, .. } => {
                let mut parts = Vec::new();
                let mut at = 0;
                while at < picks.len() {
                    let block = Block::window(&picks[at..]);
                    parts.extend(self.best(&block, at, unit)?);
                    at += block.kept;
                }
                Some(parts)
            }
        }
    }

    /// The fastest blocks, for the part of the loop from iteration `to` of the output on.
    fn best(&self, block: &Block, to: usize, unit: &Unit) -> Option<Vec<Part>> {
        let element = self.job.element;
        let run = self.outer * block.length * self.inner * element;
        let used = self.outer * block.kept * self.inner * element;
        let at = |place: i64, iterations: usize| place + (iterations * self.inner * element) as i64;
        let job = Job { from: at(self.job.from, block.first), to: at(self.job.to, to), ..self.job.clone() };
        let most = (unit.reg_bytes / run).min(SLICES);
        let mut candidates = vec![(None, 1)];
        for (i, dim) in job.dims.iter().enumerate() {
            candidates.extend((2..=dim.size.min(most)).map(|slices| (Some(i), slices)));
        }
        let blocks = |(at, slices): (Option<usize>, usize)| {
            let none = Dim { size: 1, from: 0, to: 0 };
            let dim = at.map_or(none, |at| job.dims[at]);
            let slice = |used: usize| Axis { room: run, used, stride: 1 };
            let axes = |stride: isize, used: usize| [Axis::full(slices, stride), slice(used)];
            let mut load = Table::apart(&axes(dim.from, run), job.unit, unit.pitch)?;
            let store = Table::apart(&axes(dim.to, used), job.unit, unit.pitch)?;
            let fits = |table: &Table| table.slots.len() == slices && (slices == 1 || table.room == run);
            if !fits(&load) || !fits(&store) || run > unit.reg_bytes || slices == 1 && used != run && !unit.pitch {
                return None;
            }
            if block.sources == 2 {
                load = Table { masks: [load.all(); 2], half: run as i64, ..load };
            }
            let shape = match self.inner {
                1 => [slices, self.outer, block.length],
                inner => [slices, block.length, inner],
            };
            let concat = block.sources == 2 || block.kept < block.length;
            let dim = if self.inner == 1 { 2 } else { 1 };
            let edit = Combine { concat, bits: 8 * element as u32, shape, dim, masks: block.masks };
            let edit = Some(Edit::Combine(edit));
            let body = Body::Slices { load: Some(load), edit, store };
            let mut chunk = vec![1; job.dims.len()];
            at.into_iter().for_each(|at| chunk[at] = slices);
            let grids = job.grids(&chunk)?;
            let part = |grid| {
                let cycles = cost::unit(&body, &grid, unit, 1);
                inside(&body, &grid, unit).then(|| Part { job: job.clone(), body: body.clone(), grid, cycles })
            };
            grids.into_iter().map(part).collect::<Option<Vec<Part>>>()
        };
        candidates.into_iter().filter_map(blocks).min_by_key(|parts| total(parts))
    }
}

/// What an edit keeps of its registers.
struct Block {
    /// Registers that are loaded, one behind the other in memory.
    sources: usize,
    /// The first slice of the first one.
    first: usize,
    /// Slices of each.
    length: usize,
    /// Slices of the result.
    kept: usize,
    masks: [u32; 2],
}

impl Block {
    /// As many of these picks as `tl.concat` can bring together.
    fn window(picks: &[usize]) -> Self {
        // What begins at a multiple touches fewer memory words.
        let windows = [1, 2].into_iter().flat_map(|sources| {
            [picks[0] / SLICES * SLICES, picks[0]].map(|first| {
                let reach = |i: usize| (picks[i] - first + 1).div_ceil(sources);
                let fits = |i: &usize| i < &reach(*i);
                let last = (0..picks.len()).take_while(|&i| reach(i) <= SLICES).filter(fits).last();
                last.map(|last| (last, sources, first, if sources == 2 { SLICES } else { reach(last) }))
            })
        });
        let most = windows.flatten().max_by_key(|(last, sources, first, _)| (*last, 2 - sources, first % SLICES == 0));
        let (last, sources, first, length) = most.unwrap_or((0, 1, picks[0], 1));
        let mut masks = [0; 2];
        for pick in &picks[..=last] {
            let at = pick - first;
            masks[at / length] |= 1 << (at % length);
        }
        Self { sources, first, length, kept: last + 1, masks }
    }
}
