// SPDX-License-Identifier: Apache-2.0
//! The instructions, in the groups of docs/isa.md. For TensorLoad `tensor.rs` has the table: encoding, operands, what is
//! legal; the files of the groups have the execution. Text of instructions is in `asm/`, of which nothing here knows.
//!
//! Execution makes all its checks before its first write, so that a trapping instruction changes nothing. What moves or
//! computes elements is written for each element by itself, as docs/isa.md says it.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod addi;
mod concat_merge;
pub(crate) mod csr;
mod elements;
pub(crate) mod host;
mod lines;
mod load_store;
pub(crate) mod matrix;
mod matrix_config;
mod matrix_load_store;
mod needs;
mod operands;
pub(crate) mod row;
pub(crate) mod tensor;
mod word;
mod xpose;

pub use concat_merge::Choice;
pub use csr::{CsrEncoding, CsrInstruction, CsrOperation, CsrSource};
pub use elements::elements;
pub use host::Host;
pub use lines::Lines;
pub use load_store::Slices;
pub use matrix::Matrix;
pub use matrix_config::TileSource;
pub use matrix_load_store::{Form, Transfer};
pub use needs::{Decider, Need};
pub use operands::{Access, Direction, Engine, Operand, OperandKind, Operands, Register};
pub use row::Elements;
pub use tensor::{SliceTransfer, Tensor};
pub use xpose::{exchanged, xpose_sizes};

pub(crate) use operands::Visit;

use crate::decode::{Decoded, decode};
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// What each slice or memory line of the store `word` writes, address and bytes, in the order of the writes: if it is
/// legal, aligned and inside the memory, and no error comes. Nothing for everything else.
pub fn stored(m: &Machine, word: u32) -> Vec<(u32, Vec<u8>)> {
    let instruction = decode(word, m.config());
    if let Some(transfer) = instruction.slice_transfer().filter(|transfer| transfer.direction == Direction::Store) {
        load_store::stored(m, transfer).unwrap_or_default()
    } else if let (Some((Direction::Store, transfer)), Some(tiles)) = (instruction.tile_transfer(), &m.tiles) {
        Lines::of(m, transfer).map_or_else(Vec::new, |lines| lines.contents(tiles.get(transfer.tile())))
    } else {
        Vec::new()
    }
}

/// Executes one word; does not move `pc`.
pub(crate) fn execute(m: &mut Machine, word: u32) -> Outcome {
    let mut out = Outcome { pc: m.hart.pc, word, ..Outcome::default() };
    let result = match decode(word, m.config()) {
        Decoded::Tensor(instruction) => instruction.execute(m, &mut out),
        Decoded::Matrix(instruction) => instruction.execute(m, &mut out),
        Decoded::Csr(instruction) => {
            instruction.execute(m, &mut out);
            Ok(())
        }
        Decoded::Host(instruction) => {
            instruction.execute(m, &mut out);
            Ok(())
        }
        Decoded::Illegal | Decoded::NotOurs => Err(Trap::illegal(word)),
    };
    out.trap = result.err();
    out
}

/// Writes a host register and records it. A write to x0 is neither done nor recorded.
fn write_gpr(m: &mut Machine, out: &mut Outcome, rd: u8, value: u64) {
    if rd != 0 {
        m.hart.set_wide(rd, value, m.config().xlen);
        out.gpr_write = Some((rd, value as u32));
    }
}

/// Writes all of a `tl` register and records it. A write to tl0 is neither done nor recorded.
fn write_tl(m: &mut Machine, out: &mut Outcome, tl: u8, bytes: &[u8]) {
    if let Some(register) = m.tl.get_mut(tl) {
        register.copy_from_slice(bytes);
        out.tl_writes.push(tl);
    }
}
