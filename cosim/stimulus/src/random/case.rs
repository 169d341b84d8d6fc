// SPDX-License-Identifier: Apache-2.0
//! A random case. It follows from (seed, configuration, number) and nothing else.

use std::ops::Range;

use super::generator::Generator;
use super::{host_program, program};
use crate::base::draw::Draw;
use crate::case::{BLOCK, Case};
use crate::lockstep::Setup;
use crate::lockstep::stall::{Class, Plan, seed_of};
use crate::unit::target::Target;

/// Instructions of a case, at least.
pub const CASE_INSTRUCTIONS: u64 = 256;

/// One case in so many has answers of the memories that come late, and then many at once.
const LONG_WAITS: u64 = 16;

/// Byte ranges that answer with an error are drawn in blocks of this size; in half of the cases each is one word of the
/// port then.
const FAULT_BLOCK: u32 = 64;

/// Case `number` of `seed`.
pub fn random_case(target: &Target, seed: u64, number: u64) -> Case {
    drawn_case(target, Draw::new(seed, target.name(), number), number, host_program::share(number))
}

/// A case out of these draws: a stream for case `number`, or a program for the host.
pub fn drawn_case(target: &Target, mut draw: Draw, number: u64, host: bool) -> Case {
    let mut stalls = plan(&mut draw);
    let mut l1m_faults = faults(&mut draw, target.golden.l1m_bytes);
    let mut l0m_faults = faults(&mut draw, target.golden.l0m_bytes);
    let reset_after = draw.chance(10).then(|| u64::from(draw.range(1, 3000))).filter(|_| !host);
    let reset_cycles = reset_cycles(&mut draw);
    let run_seed = draw.u64();
    // These follow from the seed of the stalls: the draws of all other cases stay as they are.
    if run_seed.is_multiple_of(LONG_WAITS) {
        (stalls.l1m[1], stalls.l0m[1]) = (Class::Long, Class::Long);
    }
    if run_seed >> 32 & 1 == 1 {
        let word = |range: &mut Range<u32>| *range = one_word(range.start, target.rtl.port_bytes(), run_seed);
        l1m_faults.iter_mut().chain(&mut l0m_faults).for_each(word);
    }
    let l1m = contents(&mut draw, target.golden.l1m_bytes);
    let l0m = contents(&mut draw, target.golden.l0m_bytes);
    let generator = Generator::new(target, &mut draw, [&l1m_faults, &l0m_faults]);
    let program = if host {
        host_program::program(generator)
    } else {
        program::program(generator, CASE_INSTRUCTIONS as usize, number)
    };
    let stall_seeds = (0..program.len() as u64).map(|index| seed_of(run_seed, index)).collect();
    let (fault, bare, seed) = (0, false, run_seed);
    let setup = Setup { l1m, l0m, l1m_faults, l0m_faults, reset_cycles, stalls, seed, stall_seeds, fault, bare };
    Case { preload: Vec::new(), program, host, setup, reset_after }
}

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
    let mut plan = waits(draw);
    for grants in [&mut plan.l1m[0], &mut plan.l0m[0]] {
        if draw.chance(12) {
            *grants = Class::Asked;
        }
    }
    plan
}

fn waits(draw: &mut Draw) -> Plan {
    match draw.below(10) {
        0..3 => Plan::all(Class::None),
        3 => Plan::all(Class::Light),
        4 => Plan::all(Class::Heavy),
        // One memory alone is slow: what waits for it piles up, and everything else goes on.
        5 if draw.chance(50) => Plan { l0m: [Class::Heavy, Class::None], ..Plan::default() },
        5 => Plan { l1m: [Class::Heavy, Class::None], ..Plan::default() },
        _ => {
            let mut class = || draw.pick(&[Class::None, Class::None, Class::Light, Class::Heavy]);
            Plan { issue: class(), result: class(), l1m: [class(), class()], l0m: [class(), class()] }
        }
    }
}

/// Short ones mostly: what a unit has not finished when reset ends shows only then.
pub fn reset_cycles(draw: &mut Draw) -> u32 {
    match draw.below(8) {
        0..3 => 1,
        3 | 4 => 2,
        5 | 6 => 3,
        _ => draw.range(4, 12),
    }
}

/// One word of `bytes` of the block at `start`.
fn one_word(start: u32, bytes: u32, seed: u64) -> Range<u32> {
    let start = start + (seed >> 33) as u32 % (FAULT_BLOCK / bytes) * bytes;
    start..start + bytes
}

/// None for most cases.
fn faults(draw: &mut Draw, size: u32) -> Vec<Range<u32>> {
    let count = if draw.chance(30) { draw.range(1, 3) } else { 0 };
    let blocks = size / FAULT_BLOCK;
    let one = |_| {
        let start = draw.below(blocks);
        let longest = if draw.chance(50) { 1 } else { blocks / 8 };
        let end = (start + draw.range(1, longest.max(1))).min(blocks);
        start * FAULT_BLOCK..end * FAULT_BLOCK
    };
    (0..count).map(one).collect()
}
