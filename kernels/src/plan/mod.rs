// SPDX-License-Identifier: Apache-2.0
//! From moves to blocks: which instructions move them, in which slices, around which loops.
//!
//! For each move, [`slices`], [`exchange`], [`tiles`] and loops of the host propose blocks. The proposal with the
//! fewest cycles by the cost model is taken.

pub mod block;
mod cost;
mod exchange;
pub mod pieces;
mod slices;
mod tiles;

pub(crate) use cost::access;

use crate::mapping::{Mapping, Move, Source};
use crate::tensor::Tensor;
use crate::unit::Unit;
use block::{Grid, Job, Table};
use pieces::Pieces;

/// How the blocks of a move are moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// `tl.load` and `tl.store` of one register, without a load for a value.
    Slices {
        /// `None` if a register already has the value.
        load: Option<Table>,
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

/// A transposition of a pair of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Bits of an element.
    pub bits: u32,
    /// D0 to D3 of `tl.xpose`.
    pub sizes: [usize; 4],
    /// The dimensions to exchange.
    pub pair: [usize; 2],
    /// Slices of each of the two loads.
    pub load: Table,
    /// Slices of each of the two stores.
    pub store: Table,
    /// Bytes from the first load to the second.
    pub half_from: i64,
    /// Bytes from the first store to the second.
    pub half_to: i64,
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

/// A move and how it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub job: Job,
    /// What is done for each block.
    pub body: Body,
    /// Where the blocks are; none for the host.
    pub grids: Vec<Grid>,
    /// Where the tensors are.
    pub place: Place,
    /// Clock cycles by the cost model, without the host's copies.
    pub cycles: u64,
}

/// Allowed ratio of memory words or registers moved to those needed, for a friendly step.
const NEAR: f64 = 1.1;

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
    /// A short description.
    pub fn describe(&self) -> String {
        match &self.place {
            Place::Memories => self.block(),
            Place::Program => format!("{} in program memory", self.block()),
            Place::Pieces(pieces) => {
                let [from, to] = [&pieces.copy_in, &pieces.copy_out].map(pieces::Copy::bytes);
                format!("{} pieces of {from} bytes in, {to} out: {}", pieces.number(), self.block())
            }
        }
    }

    /// Why such a step does not reach W bytes per cycle on `unit`, from its shape alone. `None` if it is friendly:
    /// slices have at least a row of the datapath and touch few extra memory words, and transpositions fill their
    /// registers.
    pub fn limit(&self, unit: &Unit) -> Option<&'static str> {
        let narrow = |t: &Table| t.width < unit.lanes;
        match &self.body {
            Body::Host => Some("the host alone"),
            Body::Tile(_) => Some("a memory line of a tile in each cycle"),
            Body::Slices { load: Some(load), .. } if narrow(load) => Some("slices narrower than a row"),
            Body::Slices { store, .. } if narrow(store) => Some("slices narrower than a row"),
            Body::Exchange(Exchange { load, store, .. }) if narrow(load) || narrow(store) => {
                Some("slices narrower than a row")
            }
            _ if cost::moved(&self.body, &self.grids) as f64 > NEAR * self.job.bytes() => Some("blocks that overlap"),
            body if cost::scatter(body, &self.grids, unit) > NEAR => Some("slices that begin inside of memory words"),
            Body::Exchange(Exchange { load, .. }) if (load.bytes() as f64) * NEAR < unit.reg_bytes as f64 => {
                Some("blocks that do not fill their registers")
            }
            Body::Slices { .. } | Body::Exchange(_) => None,
        }
    }

    fn block(&self) -> String {
        let slices = |t: &Table| format!("{} x {} bytes", t.slots.len(), t.width);
        match &self.body {
            Body::Slices { load: Some(load), store } => format!("load {}, store {}", slices(load), slices(store)),
            Body::Slices { load: None, store } => format!("fill {}", slices(store)),
            Body::Exchange(Exchange { bits, sizes, pair: [p, q], load, store, .. }) => {
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
        Plan::with(mapping, unit, best, |job, unit| match job.value {
            // What is filled in comes from nowhere: the host need not copy it.
            Some(_) => None,
            None => pieces::cut(&job, unit).map(|(job, pieces)| {
                let step = best(job, unit);
                Step { cycles: step.cycles * pieces.number() as u64, place: Place::Pieces(pieces), ..step }
            }),
        })
    }

    /// The same by the host alone: what a unit is measured against.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn by_host(mapping: &Mapping, unit: &Unit) -> Result<Plan, PlanError> {
        Plan::with(mapping, unit, |job, _| host(job), |_, _| None)
    }

    /// Steps as `near` makes them, for tensors that fit into L1M and L0M, or else `far`, or else by the host.
    fn with(
        mapping: &Mapping,
        unit: &Unit,
        near: impl Fn(Job, &Unit) -> Step,
        far: impl Fn(Job, &Unit) -> Option<Step>,
    ) -> Result<Plan, PlanError> {
        let mut plan = Plan::placed(mapping, unit)?;
        let jobs = plan.jobs(mapping).into_iter();
        plan.steps = match plan.tiled {
            false => jobs.map(|job| near(job, unit)).collect(),
            true => {
                let alone = |job| Step { place: Place::Program, ..host(job) };
                jobs.map(|job| far(job.clone(), unit).unwrap_or_else(|| alone(job))).collect()
            }
        };
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

    fn jobs(&self, mapping: &Mapping) -> Vec<Job> {
        let job = |step: &Move| Job::new(step, mapping.outputs[step.output].bits, &self.inputs, &self.outputs);
        mapping.moves.iter().map(job).collect()
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

fn host(job: Job) -> Step {
    let cycles = cost::host(&job);
    Step { job, body: Body::Host, grids: Vec::new(), place: Place::Memories, cycles }
}

fn best(job: Job, unit: &Unit) -> Step {
    let mut best = host(job);
    let job = best.job.clone();
    let mut offer = |body: Body, grids: Vec<Grid>| {
        let cycles = cost::unit(&body, &grids, unit);
        if cycles < best.cycles {
            best = Step { job: best.job.clone(), body, grids, place: Place::Memories, cycles };
        }
    };
    slices::propose(&job, unit, &mut offer);
    if job.value.is_none() {
        exchange::propose(&job, unit, &mut offer);
        tiles::propose(&job, unit, &mut offer);
    }
    best
}

/// Iteration counts to try, up to `most`: powers of two, the maximum, and the largest divisor of `size`.
fn chunks(size: usize, most: usize) -> Vec<usize> {
    let most = size.min(most).max(1);
    let mut chunks: Vec<usize> = std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|&n| n <= most).collect();
    chunks.extend((1..=most).rev().find(|n| size.is_multiple_of(*n)));
    chunks.push(most);
    chunks.sort_unstable();
    chunks.dedup();
    chunks
}
