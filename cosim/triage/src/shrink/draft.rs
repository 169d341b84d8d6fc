// SPDX-License-Identifier: Apache-2.0
//! A case in the form in which it gets smaller: the state apart from the program, values apart from instructions.

use std::collections::BTreeSet;
use std::ops::Range;

use golden::Machine;
use golden::decode::{Decoded, Direction, Lines, Slices, decode};

use super::jumps;
use super::state::{State, places};
use crate::case::Case;
use crate::lockstep::Setup;
use crate::lockstep::stall::{NO_STALL, Plan};
use crate::unit::target::Target;
use crate::unit::tiles;

/// An instruction of the program and the seed of its stalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub word: u32,
    /// Seed of its stalls.
    pub stall: u32,
}

/// A case that can be changed piece by piece.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Draft {
    /// What the program starts from.
    pub state: State,
    pub program: Vec<Step>,
    pub host: bool,
    /// L1M and L0M when the program starts; images of TLRegs come on top of it.
    pub memory: [Vec<u8>; 2],
    /// Ranges of L1M and L0M that answer with an error.
    pub errors: [Vec<Range<u32>>; 2],
    pub stalls: Plan,
    /// Reset in the middle.
    pub reset_after: Option<u64>,
    /// Clock cycles for which reset is held.
    pub reset_cycles: u32,
    /// Seed of all that reset leaves alone.
    pub seed: u64,
}

impl Draft {
    /// The draft of a case. The model executes the instructions before its program.
    pub fn from_case(target: &Target, case: &Case) -> Draft {
        let seeds = case.setup.stall_seeds.iter().copied().chain(std::iter::repeat(NO_STALL));
        let program = case.program.iter().zip(seeds.skip(case.preload.len()));
        let filled = |bytes: &[u8], size: u32| {
            let mut bytes = bytes.to_vec();
            bytes.resize(size as usize, 0);
            bytes
        };
        let mut draft = Draft {
            state: State::default(),
            program: program.map(|(&word, stall)| Step { word, stall }).collect(),
            host: case.host,
            memory: [
                filled(&case.setup.l1m, target.golden.l1m_bytes),
                filled(&case.setup.l0m, target.golden.l0m_bytes),
            ],
            errors: [case.setup.l1m_faults.clone(), case.setup.l0m_faults.clone()],
            stalls: case.setup.stalls,
            reset_after: case.reset_after,
            reset_cycles: case.setup.reset_cycles,
            seed: case.setup.seed,
        };
        if !case.preload.is_empty() {
            let mut machine = draft.machine(target);
            case.preload.iter().for_each(|&word| drop(machine.step(word)));
            draft.state = State::of_machine(&machine);
            draft.memory[1] = machine.l0m.bytes;
        }
        draft
    }

    /// The model as it is when the program starts.
    pub fn machine(&self, target: &Target) -> Machine {
        let mut machine = Machine::new(&target.golden);
        machine.l1m.bytes.copy_from_slice(&self.memory[0]);
        machine.l0m.bytes.copy_from_slice(&self.memory[1]);
        machine.l1m.faults.clone_from(&self.errors[0]);
        machine.l0m.faults.clone_from(&self.errors[1]);
        self.state.apply(&mut machine);
        machine
    }

    /// The case; `None` when L1M has no room for the contents of the TLRegs.
    pub fn case(&self, target: &Target) -> Option<Case> {
        let mut l1m = self.memory[0].clone();
        let mut images = Vec::new();
        let contents = self.state.images();
        if !contents.is_empty() {
            let mut used = self.reads(target);
            used.extend(self.errors[0].iter().cloned());
            images = places(target.golden.l1m_bytes, &contents, used)?;
            for (&at, bytes) in images.iter().zip(contents) {
                l1m.get_mut(at as usize..at as usize + bytes.len())?.copy_from_slice(bytes);
            }
        }
        let preload = self.state.words(target, &images, &self.named(target).0);
        let seeds = self.program.iter().map(|step| step.stall);
        let setup = Setup {
            l1m,
            l0m: self.memory[1].clone(),
            l1m_faults: self.errors[0].clone(),
            l0m_faults: self.errors[1].clone(),
            reset_cycles: self.reset_cycles,
            stalls: self.stalls,
            seed: self.seed,
            stall_seeds: preload.iter().map(|_| NO_STALL).chain(seeds).collect(),
            ..Setup::default()
        };
        let program = self.program.iter().map(|step| step.word).collect();
        Some(Case { preload, program, host: self.host, setup, reset_after: self.reset_after })
    }

    /// The bytes of L1M that the program reads, as far as the model tells.
    fn reads(&self, target: &Target) -> Vec<Range<u32>> {
        let mut machine = self.machine(target);
        let size = u64::from(target.golden.l1m_bytes);
        let mut reads = BTreeSet::new();
        for step in &self.program {
            let instruction = decode(step.word, &target.golden);
            let load = instruction.slice_transfer().filter(|transfer| transfer.direction == Direction::Load);
            if let Some(Slices { bytes, addresses, .. }) = load.and_then(|load| Slices::of(&machine, load)) {
                reads.extend(
                    addresses.iter().map(|&start| (start.min(size), start.saturating_add(bytes.into()).min(size))),
                );
            }
            if let Some((Direction::Load, load)) = instruction.tile_transfer()
                && let Some(lines) = Lines::of(&machine, load)
            {
                let starts = (0..lines.count).map(|i| lines.address(i).min(size));
                reads.extend(starts.map(|start| (start, start.saturating_add(lines.bytes.into()).min(size))));
            }
            machine.step(step.word);
        }
        reads.into_iter().map(|(start, end)| start as u32..end as u32).collect()
    }

    /// The program from instruction `at` on, started from the state that the model has reached there.
    pub fn split(&self, target: &Target, at: usize) -> Draft {
        let mut machine = self.machine(target);
        self.program[..at].iter().for_each(|step| drop(machine.step(step.word)));
        let mut draft = self.clone();
        draft.program.drain(..at);
        draft.state = State::of_machine(&machine);
        draft.memory[1] = machine.l0m.bytes;
        let (named_x, named_tl) = draft.named(target);
        draft.state.x.retain(|x, _| named_x.contains(x));
        draft.state.tl.retain(|tl, _| named_tl.contains(tl));
        draft
    }

    /// Takes instructions out. Jumps in a program for the host go where they went.
    pub fn delete(&mut self, range: Range<usize>) {
        let moved = |at: i64| at - (at.min(range.end as i64) - range.start as i64).max(0);
        for (at, step) in (0..).zip(&mut self.program).filter(|_| self.host) {
            if let Some(distance) = jumps::distance(step.word) {
                let target = at + i64::from(distance / 4);
                step.word = jumps::with_distance(step.word, 4 * (moved(target) - moved(at)) as i32 + distance % 4);
            }
        }
        self.program.drain(range);
    }

    /// Without instruction `at`, whose effect, as the model has it, is part of the state from the start.
    pub fn hoist(&self, target: &Target, at: usize) -> Draft {
        let mut machine = self.machine(target);
        self.program[..at].iter().for_each(|step| drop(machine.step(step.word)));
        let mut draft = self.clone();
        let outcome = machine.step(draft.program.remove(at).word);
        draft.state.x.extend(outcome.gpr_write);
        draft.state.csr.extend(outcome.csr_write);
        draft.state.tl.extend(outcome.tl_writes.iter().map(|&tl| (tl, machine.tl.get(tl).to_vec())));
        if let Some((tile, tiles)) = outcome.tile_write.zip(machine.tiles.as_ref()) {
            draft.state.tile.insert(tiles::number(tile), tiles.get(tile).to_vec());
        }
        for (start, len) in outcome.mem_writes {
            let range = start as usize..start as usize + len as usize;
            draft.memory[1][range.clone()].copy_from_slice(&machine.l0m.bytes[range]);
        }
        draft
    }

    /// Host registers and TLRegs that a word of the program may read, and more: any field that could be one counts.
    pub fn named(&self, target: &Target) -> (BTreeSet<u8>, BTreeSet<u8>) {
        let (mut x, mut tl) = (BTreeSet::new(), BTreeSet::new());
        for &Step { word, .. } in &self.program {
            let fields = [word >> 7, word >> 15, word >> 20].map(|field| (field & 31) as u8);
            x.extend([fields[0], fields[1]]);
            match decode(word, &target.golden) {
                Decoded::Tensor(_) => tl.extend(fields),
                Decoded::Matrix(_) => x.extend([fields[2]]),
                Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => {}
            }
        }
        (x, tl)
    }
}
