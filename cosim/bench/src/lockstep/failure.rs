// SPDX-License-Identifier: Apache-2.0
//! What can go wrong in a run, as data; `report` makes text of it.

use std::borrow::Cow;

use golden::{Csr, Machine, Tile, Trap};
use serde::{Deserialize, Serialize};

use super::environment::host::Operands;
use super::environment::memory::PortError;
use super::observers::History;
use super::scoreboard::state;
pub use crate::cases::process::Crash;
use crate::unit::RtlError;

/// An instruction that retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retirement {
    /// Number of the instruction in the program, from 0.
    pub index: u64,
    /// Byte address.
    pub pc: u32,
    /// Its word.
    pub word: u32,
    /// The trap that the RTL reports.
    pub trap: Option<Trap>,
    /// Clock cycle, from 0 after reset; that of the last result for a host instruction.
    pub cycle: u64,
    /// The host executed it.
    pub host: bool,
    /// It was killed, and changed nothing.
    pub killed: bool,
}

/// What the two sides disagree about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // `rtl` and `model` are the values of the two sides.
pub enum Mismatch {
    // The result is that of another instruction, or of none: ids.
    Order { rtl: u8, expected: Option<u8> },
    // The probe shows another instruction word.
    Word { rtl: u32, expected: u32 },
    // An instruction retires that the front end has not executed.
    NotExecuted,
    // Whether a result says that its instruction was killed.
    Killed { rtl: bool, expected: bool },
    Trap { rtl: Option<Trap>, model: Option<Trap> },
    // A host register written by the instruction: number and value.
    Gpr { rtl: Option<(u8, u32)>, model: Option<(u8, u32)> },
    // A CSR, or the hidden "initialised" bit of one.
    Csr { name: String, rtl: u32, model: u32 },
    // What the CSRs mean, as the port `meaning_o` says it: a field of it.
    Meaning { field: String, rtl: u32, model: u32 },
    // The set of TLRegs that are written.
    Destinations { rtl: Vec<u8>, model: Vec<u8> },
    // Contents of a TLReg.
    Register { tl: u8, phys: Option<u8>, rtl: Vec<u8>, model: Vec<u8> },
    // The matrix register that a load writes.
    TileWrite { rtl: Option<Tile>, model: Option<Tile> },
    // A matrix register written a second time, or by no instruction in flight.
    StrayTile { tile: Tile, tag: u8 },
    // Contents of a matrix register.
    Tile { tile: Tile, rtl: Vec<u8>, model: Vec<u8> },
    // A byte of L0M that only one side writes.
    StoreSet { address: u32, by_rtl: bool },
    // A byte of L0M after the store.
    StoreValue { address: u32, rtl: u8, model: u8 },
    // A beat on the L0M port that belongs to no store in flight.
    StrayWrite { address: u32, tag: u8 },
    // A host register at the end.
    X { number: u8, rtl: u32, model: u32 },
    // A byte of L0M at the end.
    L0m { address: u32, rtl: u8, model: u8 },
    // The host executing a program: what of it, and its values.
    Host { what: String, rtl: u32, model: u32 },
    // Instructions retired, and instructions compared.
    Uncompared { retired: u64, compared: u64 },
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// RTL and model disagree.
    Mismatch(Mismatch),
    /// Nothing retired for this many cycles, which is more than any stall explains.
    Hang {
        /// Cycles without a retirement.
        cycles: u64,
        /// The bound, in cycles.
        bound: u64,
    },
    /// The unit broke a rule of a memory port.
    Port(PortError),
    /// The unit broke a rule of the issue or the result port.
    Protocol(Cow<'static, str>),
    /// The verilated RTL failed.
    Rtl(RtlError),
    /// The process that ran the case is gone, or did not come back.
    Crash(Crash),
}

impl From<PortError> for Cause {
    fn from(error: PortError) -> Cause {
        Cause::Port(error)
    }
}

impl From<RtlError> for Cause {
    fn from(error: RtlError) -> Cause {
        Cause::Rtl(error)
    }
}

impl From<Mismatch> for Cause {
    fn from(mismatch: Mismatch) -> Cause {
        Cause::Mismatch(mismatch)
    }
}

/// A failed run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What happened.
    pub cause: Cause,
    /// The instruction that it happened to: pc, word and number; `None` when all had retired.
    pub at: Option<(u32, u32, u64)>,
    /// Clock cycle, from 0 after reset.
    pub cycle: u64,
    /// The last retirements, oldest first.
    pub history: Vec<Retirement>,
    /// ttype and tshape of the model.
    pub shape: (u32, u32),
    /// Values of the host registers that the instruction names.
    pub operands: Operands,
    /// mtilem, mtilen and mtilek of the model, when there are such.
    pub tile_sizes: Option<[u32; 3]>,
    /// Element width in bits, when ttype is legal.
    pub element_bits: Option<u32>,
    /// The last of what the process of the case printed, the RTL above all; nothing when it ran in this process.
    pub printed: String,
}

impl Failure {
    /// With the state of `model` that a report shows. The model may have executed the instruction that failed: no instruction
    /// that can fail in its data changes that state.
    pub fn new(
        cause: Cause,
        at: Option<(u32, u32, u64)>,
        cycle: u64,
        history: &History,
        operands: Operands,
        model: Option<&Machine>,
    ) -> Box<Failure> {
        Box::new(Failure {
            cause,
            at,
            cycle,
            history: history.list(),
            shape: model.map_or((0, 0), |model| (model.csr.read(Csr::Ttype), model.csr.read(Csr::Tshape))),
            operands,
            tile_sizes: model.filter(|model| model.csr.has_matrix()).map(|model| state::tile_sizes(&model.csr)),
            element_bits: model.and_then(Machine::element_type).map(|element| element.bits),
            printed: String::new(),
        })
    }

    /// One of which nothing but the cause is known.
    pub fn without_state(cause: Cause) -> Box<Failure> {
        Failure::new(cause, None, 0, &History::default(), Operands::default(), None)
    }
}
