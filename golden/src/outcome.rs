// SPDX-License-Identifier: Apache-2.0
//! What one instruction did: its trap or its writes.

use serde::{Deserialize, Serialize};

use crate::tiles::Tile;

/// A trap (docs/isa.md, "Traps"). It is a result like any other: the next instruction is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trap {
    /// One of the constants here. [`Trap::ILLEGAL`] and those of loads and stores are the unit's as well as the host's.
    pub cause: u32,
    /// The instruction word for an illegal instruction, 0 for [`Trap::ECALL`] and [`Trap::BREAKPOINT`], otherwise the
    /// byte address of the instruction, of the slice or of the matrix element that failed.
    pub tval: u64,
}

impl Trap {
    /// Instruction address misaligned.
    pub const FETCH_MISALIGNED: u32 = 0;
    /// Instruction access fault.
    pub const FETCH_FAULT: u32 = 1;
    /// Breakpoint: `ebreak`.
    pub const BREAKPOINT: u32 = 3;
    /// Environment call: `ecall`.
    pub const ECALL: u32 = 11;
    /// Illegal instruction.
    pub const ILLEGAL: u32 = 2;
    /// Load address misaligned.
    pub const LOAD_MISALIGNED: u32 = 4;
    /// Load access fault.
    pub const LOAD_FAULT: u32 = 5;
    /// Store address misaligned.
    pub const STORE_MISALIGNED: u32 = 6;
    /// Store access fault.
    pub const STORE_FAULT: u32 = 7;

    /// The illegal-instruction trap of `word`.
    pub const fn illegal(word: u32) -> Self {
        Self { cause: Self::ILLEGAL, tval: word as u64 }
    }

    /// The name of the cause, for messages.
    pub const fn cause_name(&self) -> &'static str {
        match self.cause {
            Self::FETCH_MISALIGNED => "instruction address misaligned",
            Self::FETCH_FAULT => "instruction access fault",
            Self::BREAKPOINT => "breakpoint",
            Self::ECALL => "environment call",
            Self::ILLEGAL => "illegal instruction",
            Self::LOAD_MISALIGNED => "load address misaligned",
            Self::LOAD_FAULT => "load access fault",
            Self::STORE_MISALIGNED => "store address misaligned",
            Self::STORE_FAULT => "store access fault",
            _ => "unknown cause",
        }
    }
}

/// Everything that one executed instruction did. With a trap all lists of writes are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Byte address of the instruction.
    pub pc: u32,
    /// The instruction word.
    pub word: u32,
    /// The trap, if the instruction trapped.
    pub trap: Option<Trap>,
    /// The host register written and its new value; never x0.
    pub gpr_write: Option<(u8, u32)>,
    /// The address of the CSR written and the value that it keeps (reserved bits cleared).
    pub csr_write: Option<(u16, u32)>,
    /// The `tl` registers written, whether or not a byte changed; never tl0.
    pub tl_writes: Vec<u8>,
    /// The matrix register that a load of at least one element wrote, whether or not a byte changed.
    pub tile_write: Option<Tile>,
    /// L0M ranges written, (byte address, length in bytes), in the order of the writes: where two overlap the later
    /// one wins.
    pub mem_writes: Vec<(u32, u32)>,
    /// L0M ranges, (byte address, length in bytes), whose bytes may be old or new: all selected slices, or
    /// all memory lines, of a store that the memory port answered with an error. The model leaves them old.
    pub mem_unknown: Vec<(u32, u32)>,
}
