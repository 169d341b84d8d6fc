// SPDX-License-Identifier: Apache-2.0
//! What can go wrong in a run, as data; `report` makes text of it.

use std::borrow::Cow;

use golden::{Csr, Machine};
use serde::{Deserialize, Serialize};

use super::environment::in_flight::Operands;
use super::environment::memory::PortError;
pub use super::mismatch::Mismatch;
use super::retirement::History;
pub use super::retirement::Retirement;
use super::scoreboard::state;
pub use crate::cases::process::Crash;
use crate::unit::RtlError;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    Mismatch(Mismatch),
    /// Nothing retired for this many cycles, which is more than any stall explains.
    Hang {
        cycles: u64,
        bound: u64,
    },
    /// The unit broke a rule of a memory port.
    Port(PortError),
    /// The unit broke a rule of the issue or the result port.
    Protocol(Cow<'static, str>),
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

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
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
    /// With the state of `model` that a report shows. The model may have executed the instruction that failed: no
    /// instruction that can fail in its data changes that state.
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
