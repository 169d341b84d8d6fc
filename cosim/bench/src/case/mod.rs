// SPDX-License-Identifier: Apache-2.0
//! A random case: program, memories, stalls. It follows from (seed, configuration, number) and nothing else.

pub mod image;
pub mod replay;

use std::ops::Range;

use crate::base::draw::{Draw, FNV_START, fnv};
use crate::lockstep::Setup;
use crate::lockstep::memory::FAULT_BLOCK;
use crate::lockstep::stall::{Class, Plan, seed_of};
use crate::random::program::Generator;
use crate::unit::target::Target;
use image::Image;

/// Instructions of a case, at least.
pub const CASE_INSTRUCTIONS: u64 = 256;

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Instructions that make the state that the program starts from; all of them retire before it starts. A random
    /// case has none, a case that has been made smaller may.
    pub preload: Vec<u32>,
    /// Instruction words of the program.
    pub program: Vec<u32>,
    /// Memories, stalls, seeds.
    pub setup: Setup,
    /// Before the program: run the beginning of it for so many cycles, then reset.
    pub reset_after: Option<u64>,
}

impl Case {
    /// Case `number` of `seed`.
    pub fn new(target: &Target, seed: u64, number: u64) -> Case {
        let mut draw = Draw::new(seed, target.name(), number);
        let stalls = plan(&mut draw);
        let l1m_faults = faults(&mut draw, target.golden.l1m_bytes);
        let l0m_faults = faults(&mut draw, target.golden.l0m_bytes);
        let reset_after = draw.chance(10).then(|| u64::from(draw.range(1, 3000)));
        let run_seed = draw.u64();
        let l1m = contents(&mut draw, target.golden.l1m_bytes);
        let l0m = contents(&mut draw, target.golden.l0m_bytes);
        let program = Generator::new(target, &mut draw, [&l1m_faults, &l0m_faults]).program(CASE_INSTRUCTIONS as usize);
        let stall_seeds = (0..program.len() as u64).map(|index| seed_of(run_seed, index)).collect();
        let (fault, bare, seed) = (0, false, run_seed);
        let setup = Setup { l1m, l0m, l1m_faults, l0m_faults, stalls, seed, stall_seeds, fault, bare };
        Case { preload: Vec::new(), program, setup, reset_after }
    }

    /// All instructions, in the order in which they are numbered: those that make the state, then the program.
    pub fn words(&self) -> Vec<u32> {
        [&self.preload[..], &self.program[..]].concat()
    }

    /// Short forms of L1M and L0M.
    pub fn images(&self) -> [Image; 2] {
        [&self.setup.l1m, &self.setup.l0m].map(|bytes| Image::of(bytes, BLOCK))
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
        add(&self.setup.seed.to_le_bytes());
        self.setup.stall_seeds.iter().for_each(|seed| add(&seed.to_le_bytes()));
        add(&self.reset_after.unwrap_or(u64::MAX).to_le_bytes());
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

/// `size` bytes for a memory, which look random.
pub fn contents(draw: &mut Draw, size: u32) -> Vec<u8> {
    let mut block = [0; BLOCK];
    draw.fill(&mut block);
    let mut bytes = Vec::with_capacity(size as usize);
    while bytes.len() < size as usize {
        let missing = size as usize - bytes.len();
        bytes.extend_from_slice(&block[..missing.min(BLOCK)]);
    }
    bytes
}

fn plan(draw: &mut Draw) -> Plan {
    let all = |class| Plan { issue: class, result: class, l1m: [class; 2], l0m: [class; 2] };
    match draw.below(10) {
        0..4 => all(Class::None),
        4 => all(Class::Light),
        5 => all(Class::Heavy),
        _ => {
            let mut class = || draw.pick(&[Class::None, Class::None, Class::Light, Class::Heavy]);
            Plan { issue: class(), result: class(), l1m: [class(), class()], l0m: [class(), class()] }
        }
    }
}

/// None for most cases.
fn faults(draw: &mut Draw, size: u32) -> Vec<Range<u32>> {
    let count = if draw.chance(20) { draw.range(1, 3) } else { 0 };
    let blocks = size / FAULT_BLOCK;
    let one = |_| {
        let start = draw.below(blocks);
        let longest = if draw.chance(50) { 1 } else { blocks / 8 };
        let end = (start + draw.range(1, longest.max(1))).min(blocks);
        start * FAULT_BLOCK..end * FAULT_BLOCK
    };
    (0..count).map(one).collect()
}
