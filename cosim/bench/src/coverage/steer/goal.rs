// SPDX-License-Identifier: Apache-2.0
//! What an instruction sequence has to bring about.

use golden::decode::Tensor;

use crate::coverage::bins::Bins;
use crate::coverage::group::{Group, Recipe};
use crate::coverage::operation;
use crate::coverage::values::*;

/// The values that an instruction is to have; whatever is left open is drawn.
#[derive(Clone, Debug)]
pub struct Goal {
    values: Vec<Value>,
    /// How it is made.
    pub recipe: Recipe,
}

impl Goal {
    /// The goal of bin `id`.
    pub fn of(bins: &Bins, id: usize) -> Option<Goal> {
        let (group, cell) = bins.bin(id)?;
        let Group { given, recipe, .. } = group;
        // Where the condition allows several values, the bin has one of them.
        let open = |value: &&Value| cell.get(value.axis).is_none();
        let values = cell.0.iter().chain(given.iter().filter(open)).copied().collect();
        Some(Goal { values, recipe: *recipe })
    }

    /// A goal with these values alone.
    pub fn new(values: &[Value]) -> Goal {
        Goal { values: values.to_vec(), recipe: Recipe::Operation }
    }

    /// The value wanted on `axis`.
    pub fn get(&self, axis: Axis) -> Option<Value> {
        self.values.iter().copied().find(|value| value.axis == axis)
    }

    /// The operation that is wanted, with operands that are all 0.
    pub fn operation(&self) -> Option<Tensor> {
        operation::tensor(self.get(Axis::Op)?)
    }

    /// Whether this value is wanted.
    pub fn wants(&self, value: Value) -> bool {
        self.values.contains(&value)
    }

    /// Whether `value` is wanted, or any would do.
    pub fn allows(&self, value: Value) -> bool {
        self.get(value.axis).is_none_or(|wanted| wanted == value)
    }
}
