// SPDX-License-Identifier: Apache-2.0
//! Where a clock cycle goes: to one reason, always (docs/profile.md).

use serde::Serialize;

pub use crate::lockstep::host::Line;

/// Why no more has happened in a clock cycle, as seen from the next instruction that is to be dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is dispatched.
    Dispatch,
    /// It is on its way from the issue port, or is looked at.
    FrontEnd,
    /// An operand, or a result that it replaces, is not complete.
    Operands,
    /// Its engine is at work on older instructions.
    Engine,
    /// The memory port belongs to the tensor engine, and it is a matrix instruction, or the other way round.
    Port,
    /// No register is free for its result.
    Registers,
    /// As many instructions are in flight as can be.
    Window,
    /// What the CSRs mean is worked out after a write, or a stride is in use, or the unit starts.
    Csrs,
    /// An older instruction trapped, and the unit recovers.
    Trap,
    /// There is none yet: the host executes instructions of its own.
    Host,
    /// There is none yet: the host waits for the unit, for a register or a memory.
    HostWaits,
    /// There is none yet: the issue port is made to wait (`--stall-seed`).
    IssueHeld,
    /// There is none any more: the last ones are executed.
    Executing,
    /// All have retired, and the bench waits until the unit says that it is not busy.
    End,
}

impl Reason {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Reason; 14] = [
        Reason::Dispatch,
        Reason::FrontEnd,
        Reason::Operands,
        Reason::Engine,
        Reason::Port,
        Reason::Registers,
        Reason::Window,
        Reason::Csrs,
        Reason::Trap,
        Reason::Host,
        Reason::HostWaits,
        Reason::IssueHeld,
        Reason::Executing,
        Reason::End,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Dispatch => "dispatched",
            Reason::FrontEnd => "front end",
            Reason::Operands => "operands",
            Reason::Engine => "engine",
            Reason::Port => "port",
            Reason::Registers => "free register",
            Reason::Window => "room in flight",
            Reason::Csrs => "CSRs",
            Reason::Trap => "trap",
            Reason::Host => "host works",
            Reason::HostWaits => "host waits",
            Reason::IssueHeld => "issue held",
            Reason::Executing => "executing",
            Reason::End => "end",
        }
    }

    /// What the program does in such a cycle, as part of a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Reason::Dispatch => "the next instruction is dispatched",
            Reason::FrontEnd => "the next instruction is on its way to dispatch",
            Reason::Operands => "the next instruction waits for operands",
            Reason::Engine => "the next instruction waits for its engine",
            Reason::Port => "the next instruction waits for a memory port that another engine has",
            Reason::Registers => "the next instruction waits for a free register",
            Reason::Window => "the next instruction waits for room: too many are in flight",
            Reason::Csrs => "the next instruction waits for CSRs",
            Reason::Trap => "the unit recovers from a trap",
            Reason::Host => "the host works, and the unit has nothing to dispatch",
            Reason::HostWaits => "the host waits for the unit, which has nothing to dispatch",
            Reason::IssueHeld => "the issue port is held back",
            Reason::Executing => "the last instructions are executed",
            Reason::End => "all instructions have retired",
        }
    }
}
