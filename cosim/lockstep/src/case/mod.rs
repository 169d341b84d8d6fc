// SPDX-License-Identifier: Apache-2.0
//! A case: program, memories, stalls; where it comes from, and its form as a file.

pub mod image;
mod origin;
pub mod replay;
pub mod stream;

use golden::{Machine, Outcome, Program};

use crate::base::draw::{FNV_START, fnv};
use crate::lockstep::Setup;
use crate::unit::RESET_CYCLES;
pub use cosim_harness::replay::Origin;
use image::Image;
pub use origin::{pairs_command, random_command};

#[derive(Clone, Debug)]
pub struct Case {
    /// Instructions that make the state that the program starts from; all of them retire before it starts. A random
    /// case has none, a case that has been made smaller may.
    pub preload: Vec<u32>,
    pub program: Vec<u32>,
    /// The program is one for the host (docs/isa.md, "Host"): its words are in program memory from address 0 on, the
    /// host fetches, and it ends behind the last one. There is no `preload` then, and no `reset_after`. Else it is a
    /// stream.
    pub host: bool,
    /// Memories, stalls, seeds.
    pub setup: Setup,
    /// Before the program: run the beginning of it for so many cycles, then reset.
    pub reset_after: Option<u64>,
}

impl Case {
    /// All instructions, in the order in which they are numbered: those that make the state, then the program.
    pub fn words(&self) -> Vec<u32> {
        [&self.preload[..], &self.program[..]].concat()
    }

    /// The program as the host loads it.
    pub fn loaded(&self) -> Program {
        Program::from_words(&self.program)
    }

    /// Executes instruction `index` on a model that has executed those before; nothing at the end. `index` counts what
    /// is executed: in a program for the host a word may come several times.
    pub fn step(&self, model: &mut Machine, index: usize) -> Option<Outcome> {
        if self.host {
            return model.step_program().ok();
        }
        let word = self.preload.iter().chain(&self.program).nth(index)?;
        Some(model.step(*word))
    }

    /// Where in [`Case::words`] the instruction of a failure is, of which pc and number are known.
    pub fn line(&self, at: Option<(u32, u32, u64)>) -> Option<usize> {
        at.map(|(pc, _, index)| if self.host { pc as usize / 4 } else { index as usize })
    }

    /// Short forms of L1M and L0M.
    pub fn images(&self) -> [Image; 2] {
        [&self.setup.l1m, &self.setup.l0m].map(|bytes| Image::compress(bytes, BLOCK))
    }

    /// A hash of everything that the unit is given.
    pub fn hash(&self) -> u64 {
        self.hash_with(&self.images())
    }

    /// [`Case::hash`], when the images of the case are known already.
    pub fn hash_with(&self, images: &[Image; 2]) -> u64 {
        let mut hash = FNV_START;
        let mut add = |bytes: &[u8]| hash = fnv(hash, bytes);
        add(&(self.preload.len() as u64).to_le_bytes());
        self.words().iter().for_each(|word| add(&word.to_le_bytes()));
        // Streams have the hash that they had when there was nothing else.
        if self.host {
            add(b"host");
        }
        add(&self.setup.seed.to_le_bytes());
        self.setup.stall_seeds.iter().for_each(|seed| add(&seed.to_le_bytes()));
        add(&self.reset_after.unwrap_or(u64::MAX).to_le_bytes());
        // Files of version 1 have no such field, and a hash without it.
        if self.setup.reset_cycles != RESET_CYCLES {
            add(&self.setup.reset_cycles.to_le_bytes());
        }
        self.setup.stalls.classes().iter().for_each(|&class| add(&[class as u8]));
        for faults in [&self.setup.l1m_faults, &self.setup.l0m_faults] {
            add(&(faults.len() as u64).to_le_bytes());
            faults.iter().flat_map(|fault| [fault.start, fault.end]).for_each(|end| add(&end.to_le_bytes()));
        }
        for image in images {
            add(&image.fill);
            for (at, bytes) in &image.patches {
                add(&at.to_le_bytes());
                add(bytes);
            }
        }
        hash
    }
}

/// Bytes of random data that a memory is made of; a prime, so that no two registers' worth are alike.
pub const BLOCK: usize = 4093;
