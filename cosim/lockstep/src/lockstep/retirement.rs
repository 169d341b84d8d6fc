// SPDX-License-Identifier: Apache-2.0
//! An instruction that retired, and the last ones of a run.

use std::collections::VecDeque;

use golden::Trap;
use serde::{Deserialize, Serialize};

/// Retirements that a report shows.
const HISTORY: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retirement {
    /// Number of the instruction in the program, from 0.
    pub index: u64,
    /// Byte address.
    pub pc: u32,
    pub word: u32,
    /// The trap that the RTL reports.
    pub trap: Option<Trap>,
    /// Clock cycle, from 0 after reset; that of the last result for a host instruction.
    pub cycle: u64,
    pub host: bool,
    /// It was killed, and changed nothing.
    pub killed: bool,
}

/// The last retirements, oldest first.
#[derive(Clone, Debug, Default)]
pub struct History(VecDeque<Retirement>);

impl History {
    pub fn push(&mut self, retirement: Retirement) {
        if self.0.len() == HISTORY {
            self.0.pop_front();
        }
        self.0.push_back(retirement);
    }

    pub fn list(&self) -> Vec<Retirement> {
        self.0.iter().copied().collect()
    }
}
