// SPDX-License-Identifier: Apache-2.0
//! Cases that are made for bins: for each bin the CSRs, operands and instructions that hit it, put together from its
//! values. Nothing is searched for; what is left open is drawn, and tried again a few times where it did not fit.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

mod address;
pub mod case;
mod front;
mod goal;
mod kit;
mod matrix;
mod memory;
mod moves;
mod pairs;
mod pressure;
mod sequence;
mod state;
mod sum;
mod xpose;

use std::ops::Range;

use golden::decode::{Access, Elements, OperandKind, Tensor};

pub use goal::Goal;

use super::group::Recipe;
use super::operation;
use super::values::*;
use crate::lockstep::memory::FAULT_BLOCK;
use crate::random::generator::Generator;

/// The addresses of a memory of `size` bytes that answer with an error: one block in the middle.
pub fn fault(size: u32) -> Range<u32> {
    let start = size / 2 / FAULT_BLOCK * FAULT_BLOCK;
    start..(start + FAULT_BLOCK).min(size)
}

/// Emits instructions for a goal; nothing when what was drawn does not fit together.
pub fn build(g: &mut Generator, goal: &Goal) -> Option<()> {
    match goal.recipe {
        Recipe::Operation => prepare(g, goal).map(|tensor| g.tensor(tensor)),
        Recipe::CsrThenOperation => pairs::csr_then(g, goal),
        Recipe::Csr => front::csr(g, goal),
        Recipe::Word => front::word(g, goal),
        Recipe::Pair => pairs::pair(g, goal),
        Recipe::Behind => pairs::behind(g, goal),
        Recipe::AfterTrap => pairs::after_trap(g, goal),
        Recipe::Killed => pairs::killed(g, goal),
        Recipe::GoesOn => sequence::goes_on(g, goal),
        Recipe::First => sequence::first(g, goal),
        Recipe::Pressure => pressure::pressure(g, goal),
        Recipe::Matrix => matrix::transfer(g, goal),
        Recipe::TileThenMatrix => matrix::tile_then(g, goal),
        Recipe::TileSize => matrix::tile_size(g, goal),
        // A case of its own, which no goal shares.
        Recipe::Host => None,
    }
}

/// Emits everything that an operation needs, and gives the operation.
fn prepare(g: &mut Generator, goal: &Goal) -> Option<Tensor> {
    let op =
        goal.get(Axis::Op).unwrap_or_else(|| state::one_of(g, &operation::values(|tensor| !operation::adds(tensor))));
    let tensor = operation::tensor(op)?;
    match tensor.elements() {
        Elements::Sum(added) => sum::prepare(g, goal, tensor, added),
        Elements::Chosen(_) => moves::prepare(g, goal, tensor),
        Elements::Exchanged => xpose::prepare(g, goal, tensor),
        Elements::Slices(direction) => memory::prepare(g, goal, tensor, direction),
    }
}

/// The operands of an operation, as far as it has them.
#[derive(Clone, Copy, Debug, Default)]
struct Fields {
    dimensions: [u8; 2],
    result: u8,
    sources: [u8; 2],
    imm8: i8,
    x: u8,
}

impl Fields {
    /// The operation with these operands.
    fn put_into(self, tensor: Tensor) -> Tensor {
        let (mut dimensions, mut sources) = (self.dimensions.into_iter(), self.sources.into_iter());
        tensor.with_operands(|operand| match operand.kind {
            OperandKind::Dimension => dimensions.next().map_or(0, i32::from),
            OperandKind::Tl(Access::Write) => self.result.into(),
            OperandKind::Tl(Access::Read | Access::ReadWrite) => sources.next().map_or(0, i32::from),
            OperandKind::Immediate => self.imm8.into(),
            OperandKind::X(_) => self.x.into(),
            OperandKind::Tr(_) | OperandKind::Acc(_) => operand.value,
        })
    }
}
