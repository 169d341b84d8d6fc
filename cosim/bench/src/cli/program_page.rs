// SPDX-License-Identifier: Apache-2.0
//! The page of a program that fails: what the unit executes of it is a case, a stream with the values of the host's registers,
//! and is looked into like any other.

use std::path::Path;

use anyhow::Result;
use golden::decode::{Decoded, decode};
use golden::{Machine, Memory};

use super::program::{Code, Program};
use crate::base::interrupt::Interrupt;
use crate::case::replay::Identity;
use crate::case::{Case, Origin};
use crate::lockstep::failure::Failure;
use crate::lockstep::stall::seed_of;
use crate::run::worker::Isolation;
use crate::shrink::Budget;
use crate::triage::aftermath::Aftermath;
use crate::triage::report;
use crate::unit::target::Target;

/// Seconds after which a case counts as one that never ends.
const WATCHDOG: u64 = 120;
/// Instructions behind the failing one that belong to the case.
const BEHIND: u64 = 64;
/// Most instructions of a case.
const MOST: usize = 1 << 20;

/// The report of a failing program, and its page below `out`, when there is such a folder; `again` is the command that runs it
/// again. What hinders the page is said behind the failure.
pub fn text(target: &Target, program: &Program, failure: &Failure, again: &str, out: Option<&Path>) -> String {
    let plain = || format!("{}  again    {again}\n", report::text(target, failure));
    let Some(out) = out else { return plain() };
    page(target, program, failure, again, out)
        .unwrap_or_else(|error| plain() + &format!("  note     no page: {}\n", files::printable(&format!("{error:#}"))))
}

fn page(target: &Target, program: &Program, failure: &Failure, again: &str, out: &Path) -> Result<String> {
    let case = case(target, program, failure)?;
    let origin = Origin { seed: program.setup.seed, case: 0, fault: 0 };
    let isolation = Isolation::new(WATCHDOG, None)?;
    let failed = isolation.worker(target, false).case(&Identity::new(target), origin, &case)?;
    let Some(failed) = failed else {
        anyhow::bail!("the same instructions as a stream, without what the host does between them, do not fail")
    };
    let (budget, interrupt) = (Some(Budget::default()), &Interrupt::default());
    let looked = Aftermath { out, isolation: &isolation, budget, interrupt }.of(target, origin, &case, &failed, again);
    Ok(looked.text)
}

/// What the unit executes of a program up to its failure and a little more.
fn case(target: &Target, program: &Program, failure: &Failure) -> Result<Case> {
    let mut setup = program.setup.clone();
    let words = match &program.code {
        Code::Stream(words) => words.clone(),
        Code::Program(code) => {
            let mut machine = Machine::new(&target.golden);
            fill(&mut machine.l1m, &setup.l1m)?;
            fill(&mut machine.l0m, &setup.l0m)?;
            machine.load(code)?;
            setup.l0m.clone_from(&machine.l0m.bytes);
            let last = failure.at.map_or(program.limit, |(_, _, index)| index.saturating_add(BEHIND));
            let words = unit_words(&mut machine, target, last)?;
            // The unit writes no L1M: this is all that the host has written.
            setup.l1m.clone_from(&machine.l1m.bytes);
            words
        }
    };
    // As in a file: whole memories, and a seed for the stalls of each instruction.
    setup.l1m.resize(target.golden.l1m_bytes as usize, 0);
    setup.l0m.resize(target.golden.l0m_bytes as usize, 0);
    setup.stall_seeds = (0..words.len() as u64).map(|index| seed_of(setup.seed, index)).collect();
    Ok(Case { preload: Vec::new(), program: words, host: false, setup, reset_after: None })
}

fn fill(memory: &mut Memory, bytes: &[u8]) -> Result<()> {
    Ok(memory.fill(bytes)?)
}

/// The unit's instructions among the first `last` of a program, each behind what sets the registers that it may read.
fn unit_words(machine: &mut Machine, target: &Target, last: u64) -> Result<Vec<u32>> {
    let (mut words, mut known) = (Vec::new(), [0; 32]);
    for _ in 0..last {
        let before = *machine.hart.x();
        let Ok(outcome) = machine.step_program() else { break };
        if matches!(decode(outcome.word, &target.golden), Decoded::Host(_) | Decoded::NotOurs) {
            continue;
        }
        for register in [outcome.word >> 15 & 31, outcome.word >> 20 & 31] {
            let (value, known) = (before[register as usize], &mut known[register as usize]);
            if *known != value {
                words.extend(load(register, value));
                *known = value;
            }
        }
        words.push(outcome.word);
        if let Some((register, value)) = outcome.gpr_write {
            known[usize::from(register & 31)] = value;
        }
        anyhow::ensure!(words.len() < MOST, "it is too long");
    }
    Ok(words)
}

/// `lui` and `addi` that load a register.
fn load(register: u32, value: u32) -> [u32; 2] {
    let low = value & 0xfff;
    let high = value.wrapping_add(0x800) & 0xffff_f000;
    [high | register << 7 | 0x37, low << 20 | register << 15 | register << 7 | 0x13]
}
