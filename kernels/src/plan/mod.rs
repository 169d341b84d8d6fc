// SPDX-License-Identifier: Apache-2.0
//! From moves to blocks: which instructions move them, in which slices, around which loops.
//!
//! For each move, [`slices`], [`exchange`], [`tiles`] and loops of the host propose blocks, [`edits`] for moves with
//! zeros or gaps. The solution with the fewest cycles by the cost model is taken.

pub mod block;
mod cost;
mod edits;
mod exchange;
pub mod pieces;
mod slices;
mod solve;
pub mod table;
mod tiles;

pub(crate) use cost::access;

use std::collections::HashMap;

use crate::mapping::{Mapping, Move, Source};
use crate::tensor::Tensor;
use crate::unit::Unit;
use block::{Grid, Job, Sum};
use pieces::Pieces;
use solve::{Solution, Solver};
use table::Table;

/// How the blocks of a part are moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// `tl.load` and `tl.store` of one register, without a load for a value.
    Slices {
        /// `None` if a register already has the value.
        load: Option<Table>,
        /// What happens to the register in between.
        edit: Option<Edit>,
        /// Slices of the store.
        store: Table,
    },
    /// Two registers are loaded, transposed by `tl.xpose`, and stored.
    Exchange(Exchange),
    /// A matrix register is loaded and stored, one of the two transposed or neither.
    Tile(Tile),
    /// Loops of the host alone.
    Host,
}

/// What is done to a register between its load and its store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// `tl.merge` or `tl.concat`.
    Combine(Combine),
    /// `tl.addi`.
    Add(Sum),
}

/// `tl.merge` with zeros, or `tl.concat` of the registers that are loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combine {
    /// Whether it is `tl.concat`.
    pub concat: bool,
    /// Bits of an element.
    pub bits: u32,
    /// The block.
    pub shape: [usize; 3],
    /// The dimension of its slices.
    pub dim: usize,
    /// The slices of the first register that are kept, and of the second.
    pub masks: [u32; 2],
}

/// A transposition of a pair of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Bits of an element.
    pub bits: u32,
    /// D0 to D3 of `tl.xpose`.
    pub sizes: [usize; 4],
    /// The dimensions to exchange.
    pub pair: [usize; 2],
    /// Slices of the loads.
    pub load: Table,
    /// Slices of the stores.
    pub store: Table,
}

/// A tile of a matrix register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Bytes of an element: 1, 2 or 4.
    pub element: usize,
    /// Rows of the register.
    pub rows: usize,
    /// Elements in a row.
    pub columns: usize,
    /// Stride of the memory lines of the load, in bytes.
    pub from: i64,
    /// Stride of the memory lines of the store, in bytes.
    pub to: i64,
    /// Whether memory lines of the load are columns.
    pub load_transposed: bool,
    /// Whether memory lines of the store are columns.
    pub store_transposed: bool,
}

/// Blocks of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What they move.
    pub job: Job,
    /// What is done for each of them.
    pub body: Body,
    /// Where they are; not for the host.
    pub grid: Grid,
    /// Clock cycles by the cost model.
    pub cycles: u64,
}

/// A move and how it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The blocks, those that take the longest first.
    pub parts: Vec<Part>,
    /// Where the tensors are.
    pub place: Place,
    /// Clock cycles by the cost model, without the host's copies.
    pub cycles: u64,
}

/// Where the tensors of a step are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In L1M and L0M.
    Memories,
    /// In program memory: the host does the step there.
    Program,
    /// In program memory: the step is done for each piece, which the host copies to L1M, and from L0M.
    Pieces(Pieces),
}

impl Step {
    fn new(mut solution: Solution, place: Place) -> Self {
        solution.parts.sort_by_key(|part| std::cmp::Reverse(part.cycles));
        Self { parts: solution.parts, place, cycles: solution.cycles }
    }

    /// A short description of most of it.
    pub fn describe(&self) -> String {
        let more = match self.parts.len() {
            0 | 1 => String::new(),
            parts => format!(", and {} more", parts - 1),
        };
        let block = self.parts.first().map_or("nothing".into(), Part::describe) + &more;
        match &self.place {
            Place::Memories => block,
            Place::Program => format!("{block} in program memory"),
            Place::Pieces(pieces) => {
                let [from, to] = [&pieces.copy_in, &pieces.copy_out].map(pieces::Copy::bytes);
                format!("{} pieces of {from} bytes in, {to} out: {block}", pieces.number())
            }
        }
    }
}

impl Part {
    /// A short description.
    pub fn describe(&self) -> String {
        let slices =
            |t: &Table| format!("{} x {} bytes", t.masks[0].count_ones().max(t.masks[1].count_ones()), t.width);
        match &self.body {
            Body::Slices { load: Some(load), edit, store } => {
                let edit = match edit {
                    None => String::new(),
                    Some(Edit::Combine(combine)) => {
                        let [a, b, c] = combine.shape;
                        format!("tl.{} of {a} x {b} x {c}, ", combine.mnemonic())
                    }
                    Some(Edit::Add(Sum { bits, add })) => format!("tl.addi {add} of {bits} bits, "),
                };
                format!("load {}, {edit}store {}", slices(load), slices(store))
            }
            Body::Slices { load: None, store, .. } => format!("fill {}", slices(store)),
            Body::Exchange(Exchange { bits, sizes, pair: [p, q], load, store }) => {
                let xpose = format!("tl.xpose.{p}{q} {sizes:?} of {bits} bits");
                format!("2 x load {}, {xpose}, 2 x store {}", slices(load), slices(store))
            }
            Body::Tile(Tile { element, rows, columns, load_transposed, store_transposed, .. }) => {
                let how = |transposed| if transposed { "transposed" } else { "plain" };
                let (load, store) = (how(*load_transposed), how(*store_transposed));
                format!("matrix load {load}, store {store}, {rows} x {columns} of {element} bytes")
            }
            Body::Host => "host".to_string(),
        }
    }
}

impl Combine {
    /// The instruction, without `tl.`.
    pub fn mnemonic(&self) -> String {
        format!("{}.{}", if self.concat { "concat" } else { "merge" }, self.dim)
    }
}

/// The plan of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Addresses of the inputs in L1M, or in program memory.
    pub inputs: Vec<u64>,
    /// Addresses of the outputs in L0M, or in program memory.
    pub outputs: Vec<u64>,
    /// Whether the tensors are in program memory because L1M or L0M is too small.
    pub tiled: bool,
    /// Address in L1M of a few bytes for fill values.
    pub scratch: u64,
    /// The moves in their order.
    pub steps: Vec<Step>,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Tensors that are too large.
    #[error(
        "inputs and outputs have {bytes} bytes, too many for L1M or L0M; the program memory of the host has room for {PROGRAM_ROOM}"
    )]
    Memory {
        /// Bytes needed, with alignment.
        bytes: u64,
    },
    /// The unit has no elements of 8 bits.
    #[error("the unit has no elements of 8 bits (element_widths = {0:?}); plans move bytes")]
    Width(Vec<u32>),
}

/// Alignment of tensors in bytes.
const ALIGNMENT: u64 = 64;
/// Where they begin in program memory: before it is room for the program.
pub const PROGRAM_TENSORS: u64 = 16 << 20;
/// Bytes for them there; behind it the stack of a program in C.
pub const PROGRAM_ROOM: u64 = 47 << 20;

impl Plan {
    /// The fastest known plan for `mapping`.
    ///
    /// # Errors
    /// When the tensors do not fit into the memories, or the unit does not know bytes.
    pub fn new(mapping: &Mapping, unit: &Unit) -> Result<Plan, PlanError> {
        let plan = Plan::solved(mapping, unit)?;
        if !unit.pitch {
            return Ok(plan);
        }
        let draft = Plan::solved(mapping, &Unit { pitch: false, ..unit.clone() })?;
        Ok(if draft.cycles() < plan.cycles() { draft } else { plan })
    }

    fn solved(mapping: &Mapping, unit: &Unit) -> Result<Plan, PlanError> {
        let mut plan = Plan::placed(mapping, unit)?;
        let mut solver = Solver::new(unit);
        let jobs = plan.jobs(mapping);
        if !plan.tiled {
            let kind = |job: &Job| (job.unit, job.value, job.dims.clone());
            let mut alike = HashMap::new();
            jobs.iter().for_each(|job| *alike.entry(kind(job)).or_default() += 1);
            let step = |job: &Job| Step::new(solver.best(job, alike[&kind(job)]), Place::Memories);
            plan.steps = jobs.iter().map(step).collect();
            let fused = edits::steps(mapping, &plan, unit, &mut solver).unwrap_or_default();
            let cycles = |steps: &[Step]| steps.iter().map(|step| step.cycles).sum::<u64>();
            if !fused.is_empty() && cycles(&fused) < plan.cycles() {
                plan.steps = fused;
            }
            return Ok(plan);
        }
        plan.steps = jobs
            .into_iter()
            .map(|job| match job.value {
                // What is filled in comes from nowhere: the host need not copy it.
                Some(_) => Step::new(Solution::host(&job), Place::Program),
                None => match pieces::cut(&job, unit) {
                    Some((job, pieces)) => {
                        let mut solution = solver.best(&job, 1);
                        solution.cycles *= pieces.number() as u64;
                        Step::new(solution, Place::Pieces(pieces))
                    }
                    None => Step::new(Solution::host(&job), Place::Program),
                },
            })
            .collect();
        Ok(plan)
    }

    /// The same by the host alone: what a unit is measured against.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn by_host(mapping: &Mapping, unit: &Unit) -> Result<Plan, PlanError> {
        let mut plan = Plan::placed(mapping, unit)?;
        let place = if plan.tiled { Place::Program } else { Place::Memories };
        plan.steps = plan.jobs(mapping).iter().map(|job| Step::new(Solution::host(job), place.clone())).collect();
        Ok(plan)
    }

    fn placed(mapping: &Mapping, unit: &Unit) -> Result<Plan, PlanError> {
        if !unit.widths.contains(&8) {
            return Err(PlanError::Width(unit.widths.clone()));
        }
        // What is read before and behind an input has to be memory.
        let around = |input: usize, tensor: &Tensor| {
            let reads = mapping.moves.iter().filter_map(|step| step.reads(input));
            let [low, high] = reads.fold([0, 0], |[low, high], [from, to]| [from.min(low), to.max(high)]);
            let behind = high - tensor.elements() as isize;
            [-low, behind.max(0)].map(|elements| (elements as usize * tensor.bits as usize).div_ceil(8) as u64)
        };
        let (inputs, in_bytes) = placed(0, &mapping.inputs, around);
        let (outputs, out_bytes) = placed(0, &mapping.outputs, |_, _| [0, 0]);
        let filled = mapping.moves.iter().any(|step| matches!(step.source, Source::Value(1..)));
        let in_bytes = in_bytes + if filled { ALIGNMENT } else { 0 };
        let scratch = in_bytes.saturating_sub(ALIGNMENT);
        if in_bytes <= unit.l1m_bytes as u64 && out_bytes <= unit.l0m_bytes as u64 {
            return Ok(Plan { inputs, outputs, tiled: false, scratch, steps: Vec::new() });
        }
        let (inputs, end) = placed(PROGRAM_TENSORS, &mapping.inputs, around);
        let (outputs, end) = placed(end, &mapping.outputs, |_, _| [0, 0]);
        let bytes = end - PROGRAM_TENSORS;
        if bytes > PROGRAM_ROOM {
            return Err(PlanError::Memory { bytes });
        }
        Ok(Plan { inputs, outputs, tiled: true, scratch, steps: Vec::new() })
    }

    fn job(&self, mapping: &Mapping, step: &Move) -> Job {
        Job::new(step, mapping.outputs[step.output].bits, &self.inputs, &self.outputs)
    }

    fn jobs(&self, mapping: &Mapping) -> Vec<Job> {
        mapping.moves.iter().map(|step| self.job(mapping, step)).collect()
    }

    /// Clock cycles by the cost model, without the host's copies of pieces.
    pub fn cycles(&self) -> u64 {
        self.steps.iter().map(|step| step.cycles).sum()
    }
}

/// Addresses of consecutive tensors from `end` on, with the margins of `around`, and the end of the last one.
fn placed(mut end: u64, tensors: &[Tensor], around: impl Fn(usize, &Tensor) -> [u64; 2]) -> (Vec<u64>, u64) {
    let mut places = Vec::new();
    for (i, tensor) in tensors.iter().enumerate() {
        let [before, behind] = around(i, tensor);
        let start = (end + before).next_multiple_of(ALIGNMENT);
        places.push(start);
        end = (start + tensor.bytes() as u64 + behind).next_multiple_of(ALIGNMENT);
    }
    (places, end)
}
