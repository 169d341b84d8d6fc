// SPDX-License-Identifier: Apache-2.0
//! What a run starts from.

use std::ops::Range;

use golden::{Config, Machine, Memory};

use super::environment::stall::Plan;
use crate::unit::RESET_CYCLES;

#[derive(Clone, Debug)]
pub struct Setup {
    /// L1M from address 0; the rest is zero.
    pub l1m: Vec<u8>,
    /// L0M from address 0; the rest is zero.
    pub l0m: Vec<u8>,
    /// Byte ranges of L1M that answer with an error, in whole words of the port.
    pub l1m_faults: Vec<Range<u32>>,
    /// As `l1m_faults`, for L0M.
    pub l0m_faults: Vec<Range<u32>>,
    /// Clock cycles for which reset is held, each time, at least one.
    pub reset_cycles: u32,
    pub stalls: Plan,
    /// Seed of all state that reset leaves alone, and of the stalls of instructions beyond `stall_seeds`.
    pub seed: u64,
    /// The stalls of each instruction, by its number ([`Stall::follow`]).
    pub stall_seeds: Vec<u32>,
    /// Planted fault or mutant; 0 is none.
    pub fault: u32,
    /// Leave the model and all comparing out, to measure the RTL alone.
    pub bare: bool,
}

impl Setup {
    /// L1M and L0M.
    pub fn memories(&self, config: &Config) -> [Memory; 2] {
        let memory = |contents: &[u8], size: u32, faults: &[_]| {
            let mut bytes = contents.to_vec();
            bytes.resize(size as usize, 0);
            Memory { bytes, faults: faults.to_vec() }
        };
        [memory(&self.l1m, config.l1m_bytes, &self.l1m_faults), memory(&self.l0m, config.l0m_bytes, &self.l0m_faults)]
    }

    /// The model after reset, with these memories.
    pub fn machine(&self, config: &Config) -> Machine {
        let mut machine = Machine::new(config);
        [machine.l1m, machine.l0m] = self.memories(config);
        machine
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            l1m: Vec::new(),
            l0m: Vec::new(),
            l1m_faults: Vec::new(),
            l0m_faults: Vec::new(),
            reset_cycles: RESET_CYCLES,
            stalls: Plan::default(),
            seed: 0,
            stall_seeds: Vec::new(),
            fault: 0,
            bare: false,
        }
    }
}
