// SPDX-License-Identifier: Apache-2.0
//! What an instruction was, in the words of the coverage table, worked out from docs/isa.md and the state of the model.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod block;
pub(super) mod front;
mod illegal;
pub mod matrix;
pub mod memory;
mod moves;
mod sum;
mod values_of;
pub mod xpose;

use golden::decode::{Decoded, Elements, Register, Tensor, decode};
use golden::{Machine, Outcome, Trap};

pub use block::{end_class, line_class, mask_class, run_class, shape_class};
pub use front::{csr_class, looks_at};
pub use illegal::can_be_illegal;
pub use sum::clamped;
pub use values_of::Facts;

use super::operation;
use super::values::*;
use crate::unit::target::Target;
use crate::unit::tiles;

/// The slices that a memory operation selects, one bit each; 0 for other operations.
pub fn selected(model: &Machine, tensor: Tensor) -> u32 {
    let Some(transfer) = tensor.transfer() else { return 0 };
    let mask = if transfer.masked { model.csr.read(transfer.direction.csrs().1) } else { u32::MAX };
    let d0 = model.csr.read(golden::Csr::Tshape) >> 16;
    mask & 1u32.checked_shl(d0).map_or(u32::MAX, |bit| bit - 1)
}

/// Registers that are read, and those that are written, one bit each: TLRegs, of which tl0 is left out, then tile
/// registers, then accumulation registers.
pub fn registers(decoded: Decoded) -> [u64; 2] {
    let bit = |register| match register {
        Register::X(_) | Register::Tl(0) => 0,
        Register::Tl(tl) => 1 << tl,
        Register::Tile(tile) => 1 << (32 + tiles::number(tile)),
    };
    let operands = decoded.operands();
    [operands.reads().fold(0, |set, read| set | bit(read)), operands.writes().fold(0, |set, write| set | bit(write))]
}

/// What an instruction is, whatever the state.
pub fn kind(target: &Target, instruction: Decoded) -> Facts {
    let mut facts = Facts::default();
    instruction.engine().and_then(operation::engine_value).into_iter().for_each(|engine| facts.set(engine));
    match instruction {
        Decoded::Tensor(tensor) => {
            facts.set(operation::value(tensor));
            form(&mut facts, target, tensor);
        }
        Decoded::Csr(instruction) => front::csr(&mut facts, target, instruction),
        Decoded::Matrix(matrix) => matrix::kind(&mut facts, matrix),
        Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => {}
    }
    facts
}

/// The encoding, where there are two.
fn form(facts: &mut Facts, target: &Target, tensor: Tensor) {
    if target.golden.gpr_rs1 {
        facts.set(if tensor.is_second_form() { FORM_SECOND } else { FORM_FIRST });
    }
}

/// What has to be known before the model executes `word`, because that may change it.
pub fn before(target: &Target, model: &Machine, word: u32) -> Facts {
    let mut facts = Facts::default();
    if let Decoded::Tensor(tensor) = decode(word, &target.golden) {
        sum::before(&mut facts, model, tensor);
    }
    facts
}

/// Adds what is known after the model has executed `word` with `outcome`.
pub fn after(facts: &mut Facts, target: &Target, model: &Machine, word: u32, outcome: &Outcome) {
    let decoded = decode(word, &target.golden);
    facts.set(cause(target, model, decoded, outcome.trap));
    match decoded {
        Decoded::Tensor(tensor) => {
            facts.set(operation::value(tensor));
            form(facts, target, tensor);
            if let Some(element) = model.element_type() {
                let width = element.bits.ilog2() as u8 - 2;
                facts.set(Value { axis: Axis::Width, index: width });
                facts.set(Value { axis: Axis::Type, index: width + if element.integer { 0 } else { 4 } });
                let field = model.csr.read(golden::Csr::Ttype) >> (4 + 2 * width) & 3;
                if let Some(index) = (field as u8).checked_sub(1) {
                    facts.set(Value { axis: Axis::Format, index });
                }
            }
            if outcome.trap.is_some_and(|trap| trap.cause == Trap::ILLEGAL) {
                illegal::facts(facts, target, model, tensor);
                return;
            }
            moves::registers(facts, tensor);
            match tensor.elements() {
                Elements::Chosen(_) => moves::facts(facts, target, model, tensor),
                Elements::Sum(_) => {}
                Elements::Exchanged => xpose::facts(facts, target, model, tensor),
                Elements::Slices(_) => memory::facts(facts, target, model, tensor, outcome.trap),
            }
        }
        Decoded::Csr(instruction) => front::csr(facts, target, instruction),
        Decoded::Illegal | Decoded::NotOurs => front::word(facts, target, word),
        Decoded::Matrix(instruction) => matrix::facts(facts, target, model, instruction, outcome.trap),
        Decoded::Host(_) => {}
    }
}

fn cause(target: &Target, model: &Machine, decoded: Decoded, trap: Option<Trap>) -> Value {
    let Some(trap) = trap else { return DONE };
    match trap.cause {
        Trap::ILLEGAL => ILLEGAL,
        Trap::LOAD_MISALIGNED | Trap::STORE_MISALIGNED => MISALIGNED,
        _ => {
            let outside = if let Some(transfer) = decoded.slice_transfer() {
                memory::outside(target, model, transfer, trap.tval)
            } else {
                let direction = decoded.tile_transfer().map(|(direction, _)| direction);
                direction.is_some_and(|direction| trap.tval >= memory::size(target, direction).into())
            };
            if outside { OUTSIDE } else { PORT }
        }
    }
}
