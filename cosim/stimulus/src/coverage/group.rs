// SPDX-License-Identifier: Apache-2.0
//! What a row of the coverage table is made of.

use golden::decode::Tensor;

use super::values::{Axis, Value};
use crate::unit::target::Target;

/// A group of bins: a cross of axes, looked at under a condition.
pub struct Group {
    /// Its name, the first part of the name of its bins.
    pub name: &'static str,
    pub about: &'static str,
    /// Only instructions with one of these values on each axis that is named here.
    pub given: &'static [Value],
    /// The bins: every combination of these.
    pub cross: &'static [Factor],
    pub never: &'static [Never],
}

pub enum Factor {
    All(Axis),
    Of(&'static [Value]),
    /// The operations that are so.
    Ops(fn(Tensor) -> bool),
}

/// Bins that cannot occur, and why.
pub struct Never {
    /// The bins with one of these values on each axis that is named here.
    pub bins: &'static [Value],
    /// Of those, the ones for which this holds.
    pub when: Option<Rule>,
    pub reason: &'static str,
}

/// Decides, from the parameters of a configuration, that a bin cannot occur.
pub type Rule = fn(&Target, &Cell) -> bool;

/// The values of a bin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell(pub Vec<Value>);

impl Cell {
    /// The value on `axis`, if the bin has one.
    pub fn get(&self, axis: Axis) -> Option<Value> {
        self.0.iter().copied().find(|value| value.axis == axis)
    }

    pub fn has(&self, value: Value) -> bool {
        self.0.contains(&value)
    }
}

impl Group {
    pub const fn new(name: &'static str, about: &'static str) -> Group {
        Group { name, about, given: &[], cross: &[], never: &[] }
    }

    pub const fn given(self, given: &'static [Value]) -> Group {
        Group { given, ..self }
    }

    pub const fn cross(self, cross: &'static [Factor]) -> Group {
        Group { cross, ..self }
    }

    pub const fn never(self, never: &'static [Never]) -> Group {
        Group { never, ..self }
    }
}

/// Bins that cannot occur in any configuration.
pub const fn never(bins: &'static [Value], reason: &'static str) -> Never {
    Never { bins, when: None, reason }
}

/// Bins that cannot occur in configurations for which `when` holds.
pub const fn never_if(bins: &'static [Value], when: Rule, reason: &'static str) -> Never {
    Never { bins, when: Some(when), reason }
}
