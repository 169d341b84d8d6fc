// SPDX-License-Identifier: Apache-2.0
//! Where a clock cycle goes: to one reason, always (docs/profile.md).

use serde::Serialize;

pub use crate::lockstep::host::Line;

/// The enum, and for each reason its name in tables and what the program does in such a cycle.
macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident: $name:literal, $about:literal;)*) => {
        /// Why no more has happened in a clock cycle, as seen from the next instruction that is to be dispatched.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Reason { $($(#[$doc])* $variant),* }

        impl Reason {
            /// All of them, in the order in which they are listed.
            pub const ALL: [Reason; [$(Reason::$variant),*].len()] = [$(Reason::$variant),*];

            pub fn name(self) -> &'static str {
                match self { $(Reason::$variant => $name),* }
            }

            /// What the program does in such a cycle, as part of a sentence.
            pub fn about(self) -> &'static str {
                match self { $(Reason::$variant => $about),* }
            }
        }
    };
}

reasons! {
    /// It is dispatched.
    Dispatch: "dispatched", "the next instruction is dispatched";
    /// It is on its way from the issue port, or is looked at.
    FrontEnd: "front end", "the next instruction is on its way to dispatch";
    /// An operand, or a result that it replaces, is not complete.
    Operands: "operands", "the next instruction waits for operands";
    /// Its engine is at work on older instructions.
    Engine: "engine", "the next instruction waits for its engine";
    /// The memory port belongs to the tensor engine, and it is a matrix instruction, or the other way round.
    Port: "port", "the next instruction waits for a memory port that another engine has";
    /// No register is free for its result.
    Registers: "free register", "the next instruction waits for a free register";
    /// As many instructions are in flight as can be.
    Window: "room in flight", "the next instruction waits for room: too many are in flight";
    /// What the CSRs mean is worked out after a write, or a stride is in use, or the unit starts.
    Csrs: "CSRs", "the next instruction waits for CSRs";
    /// An older instruction trapped, and the unit recovers.
    Trap: "trap", "the unit recovers from a trap";
    /// There is none yet: the host executes instructions of its own.
    Host: "host works", "the host works, and the unit has nothing to dispatch";
    /// There is none yet: the host waits for the unit, for a register or a memory.
    HostWaits: "host waits", "the host waits for the unit, which has nothing to dispatch";
    /// There is none yet: the issue port is made to wait (`--stall-seed`).
    IssueHeld: "issue held", "the issue port is held back";
    /// There is none any more: the last ones are executed.
    Executing: "executing", "the last instructions are executed";
    /// All have retired, and the bench waits until the unit says that it is not busy.
    End: "end", "all instructions have retired";
}
