// SPDX-License-Identifier: Apache-2.0
//! What the unit executes of a program for the host, as a stream: the same instructions with the same operands, without
//! what the host does between them.

use anyhow::{Result, ensure};
use golden::decode::{Decoded, Register, decode};
use golden::{Machine, Program};

use super::Case;
use crate::lockstep::Setup;
use crate::lockstep::failure::Failure;
use crate::lockstep::stall::seed_of;
use crate::unit::target::Target;

/// Instructions of the program behind the one that failed.
const BEHIND: u64 = 64;
/// Most words of a stream.
const MOST: usize = 1 << 20;

/// The stream of `program` up to its failure and a little more, of `limit` instructions at most if the failure has no
/// place.
///
/// # Errors
/// When the program or a memory does not fit, or the stream is too long.
pub fn of_program(target: &Target, program: &Program, setup: &Setup, failure: &Failure, limit: u64) -> Result<Case> {
    let mut setup = setup.clone();
    let mut machine = setup.machine(&target.golden);
    machine.load(program)?;
    setup.l0m.clone_from(&machine.l0m.bytes);
    let last = failure.at.map_or(limit, |(_, _, index)| index.saturating_add(BEHIND));
    let words = unit_words(&mut machine, target, last)?;
    // The unit writes no L1M: this is all that the host has written.
    setup.l1m.clone_from(&machine.l1m.bytes);
    Ok(of_words(target, words, setup))
}

/// A stream of these words, as a file has it: whole memories, and a seed for the stalls of each instruction.
pub fn of_words(target: &Target, words: Vec<u32>, mut setup: Setup) -> Case {
    setup.l1m.resize(target.golden.l1m_bytes as usize, 0);
    setup.l0m.resize(target.golden.l0m_bytes as usize, 0);
    setup.stall_seeds = (0..words.len() as u64).map(|index| seed_of(setup.seed, index)).collect();
    Case { preload: Vec::new(), program: words, host: false, setup, reset_after: None }
}

/// The unit's instructions among the first `last` of a program, each behind what sets the host registers that it reads.
fn unit_words(machine: &mut Machine, target: &Target, last: u64) -> Result<Vec<u32>> {
    let (mut words, mut known) = (Vec::new(), [0; 32]);
    for _ in 0..last {
        let before = *machine.hart.x();
        let Ok(outcome) = machine.step_program() else { break };
        let instruction = decode(outcome.word, &target.golden);
        if matches!(instruction, Decoded::Host(_) | Decoded::NotOurs) {
            continue;
        }
        for register in instruction.operands().reads() {
            let Register::X(register) = register else { continue };
            let (value, known) = (before[usize::from(register)], &mut known[usize::from(register)]);
            if *known != value {
                words.extend(load(register.into(), value));
                *known = value;
            }
        }
        words.push(outcome.word);
        if let Some((register, value)) = outcome.gpr_write {
            known[usize::from(register & 31)] = value;
        }
        ensure!(words.len() < MOST, "it is too long");
    }
    Ok(words)
}

/// `lui` and `addi` that load a register.
fn load(register: u32, value: u32) -> [u32; 2] {
    let low = value & 0xfff;
    let high = value.wrapping_add(0x800) & 0xffff_f000;
    [high | register << 7 | 0x37, low << 20 | register << 15 | register << 7 | 0x13]
}
