// SPDX-License-Identifier: Apache-2.0
//! What a row of the coverage table is made of.

use golden::decode::Tensor;

use super::values::{Axis, Value};
use crate::unit::target::Target;

/// A group of bins: a cross of axes, looked at under a condition.
pub struct Group {
    /// Its name, the first part of the name of its bins.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// Only instructions with one of these values on each axis that is named here.
    pub given: &'static [Value],
    /// The bins: every combination of these.
    pub cross: &'static [Factor],
    /// Combinations that cannot occur.
    pub never: &'static [Never],
}

/// One factor of a cross.
pub enum Factor {
    /// All values of an axis.
    All(Axis),
    /// Some values of an axis.
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
    /// The reason.
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

    /// Whether the bin has this value.
    pub fn has(&self, value: Value) -> bool {
        self.0.contains(&value)
    }
}

impl Group {
    /// A group without bins.
    pub const fn new(name: &'static str, about: &'static str) -> Group {
        Group { name, about, given: &[], cross: &[], never: &[] }
    }

    /// With this condition.
    pub const fn given(self, given: &'static [Value]) -> Group {
        Group { given, ..self }
    }

    /// With these axes.
    pub const fn cross(self, cross: &'static [Factor]) -> Group {
        Group { cross, ..self }
    }

    /// But for these combinations.
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
