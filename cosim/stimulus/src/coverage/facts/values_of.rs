// SPDX-License-Identifier: Apache-2.0
//! The values that an instruction has on the axes.

use crate::coverage::values::{Axis, Value};

const AXES: usize = Axis::ALL.len();

/// No value on an axis.
const NONE: u8 = u8::MAX;

/// At most one value on each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts([u8; AXES]);

impl Default for Facts {
    fn default() -> Self {
        Facts([NONE; AXES])
    }
}

impl Facts {
    /// Adds a value; it replaces the one that was on its axis.
    pub fn set(&mut self, value: Value) {
        self.0[value.axis as usize] = value.index;
    }

    /// Number of the value on `axis`.
    #[inline]
    pub fn index(&self, axis: Axis) -> Option<u8> {
        Some(self.0[axis as usize]).filter(|&index| index != NONE)
    }

    #[inline]
    pub fn has(&self, value: Value) -> bool {
        self.0[value.axis as usize] == value.index
    }
}
