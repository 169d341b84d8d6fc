// SPDX-License-Identifier: Apache-2.0
//! What the probe of profiles shows: what dispatch waits for, and what is complete.

use super::Outputs;

/// What the instruction in front of dispatch waits for: bits of [`Outputs::stage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stage {
    /// There is one.
    Valid,
    /// After a trap: nothing is executed.
    Closed,
    /// As many are in flight as can be.
    Full,
    /// It has just come.
    First,
    /// An operand, or a result that it replaces, is not complete.
    Operands,
    /// What the CSRs mean is not settled yet, or they are set up after reset.
    Settling,
    /// It writes or reads a stride that a load or store uses.
    Strides,
    /// There is no free register for its result.
    Registers,
    /// Its engine takes nothing.
    Engine,
    /// The memory port belongs to the other engine.
    Port,
    /// It is complete as soon as it is dispatched.
    AtOnce,
}

impl Outputs {
    /// Whether a bit is set.
    pub fn waits(&self, stage: Stage) -> bool {
        self.stage >> stage as u8 & 1 == 1
    }

    /// The tags of the instructions that are complete in this cycle.
    pub fn completed(&self) -> impl Iterator<Item = u8> {
        self.done_tag.into_iter().zip(0..).filter(|(_, i)| self.done_valid >> i & 1 == 1).map(|(tag, _)| tag)
    }
}
