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
    /// How the steering makes instructions for its bins.
    pub recipe: Recipe,
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

/// How instructions for a bin are made; a module of `steer` each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// One operation with all that it needs.
    Operation,
    /// A CSR write that an operation looks at, some instructions, the operation.
    CsrThenOperation,
    /// A CSR instruction.
    Csr,
    /// A word that is no instruction.
    Word,
    /// A matrix load or store, with all that it needs.
    Matrix,
    /// A tile size that a matrix operation looks at, some instructions, the operation.
    TileThenMatrix,
    /// A matrix instruction that is no load or store.
    TileSize,
    /// Two instructions in flight.
    Pair,
    /// An instruction behind several others in flight.
    Behind,
    /// An instruction after one that traps.
    AfterTrap,
    /// Instructions behind one that traps, killed by a unit with precise traps.
    Killed,
    /// A load or store that goes on where the one before it ended.
    GoesOn,
    /// The first instruction after a reset.
    First,
    /// What has to wait for long, or comes just too late.
    Pressure,
    /// A program for the host.
    Host,
}

/// Bins that cannot occur in any configuration.
pub const fn never(bins: &'static [Value], reason: &'static str) -> Never {
    Never { bins, when: None, reason }
}

/// Bins that cannot occur in configurations for which `when` holds.
pub const fn never_if(bins: &'static [Value], when: Rule, reason: &'static str) -> Never {
    Never { bins, when: Some(when), reason }
}
