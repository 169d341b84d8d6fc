// SPDX-License-Identifier: Apache-2.0
//! The clock cycles of a program added up.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::verdict::{percent, verdict};
use crate::cli::symbols::Symbols;
use crate::lockstep::profile::Profile;
use crate::lockstep::profile::lanes::{Lane, Work};
use crate::lockstep::profile::reason::{Line, Reason};
use crate::unit::target::Target;

/// What `--profile-json` has. Cycles of the reasons add up to all cycles, and so do those of the instructions with
/// those of `end`.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub program: String,
    pub config: String,
    pub cycles: u64,
    /// Why it takes so many, in a sentence.
    pub verdict: String,
    /// Where they went.
    pub reasons: BTreeMap<Reason, Work>,
    pub engines: BTreeMap<Lane, Work>,
    /// By address.
    pub instructions: Vec<Instruction>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Instruction {
    pub pc: u32,
    /// The same with its name, `0x1c (main+0x4)`, when the program is an ELF file with names.
    pub place: String,
    pub word: u32,
    /// In assembly language.
    pub text: String,
    /// How often it retired.
    pub times: u64,
    /// Clock cycles in which it was the next one to be dispatched, or, of the host's, held the unit up.
    pub cycles: u64,
    /// Where these went.
    pub reasons: BTreeMap<Reason, Work>,
    /// Its engine, and the cycles in which it was the oldest one there.
    pub engine: Option<(Lane, Work)>,
}

impl Summary {
    /// Adds up a profile.
    pub fn new(target: &Target, program: &str, symbols: &Symbols, profile: &Profile) -> Summary {
        let mut reasons = BTreeMap::new();
        let mut by_line: BTreeMap<Line, BTreeMap<Reason, Work>> = BTreeMap::new();
        for (spent, &cycles) in &profile.spent {
            add(reasons.entry(spent.reason).or_default(), cycles, spent.memory);
            if let Some(line) = spent.line {
                add(by_line.entry(line).or_default().entry(spent.reason).or_default(), cycles, spent.memory);
            }
        }
        let used = |lane: &Lane| profile.lanes.total(*lane).cycles > 0;
        let engines = Lane::ALL.into_iter().filter(used).map(|lane| (lane, profile.lanes.total(lane))).collect();
        let lines: BTreeSet<Line> = by_line.keys().chain(profile.times.keys()).copied().collect();
        let instruction = |line: Line| {
            let reasons = by_line.get(&line).cloned().unwrap_or_default();
            let engine = profile.lanes.work.iter().find(|((_, other), _)| *other == line);
            Instruction {
                pc: line.pc,
                place: symbols.place(line.pc),
                word: line.word,
                text: target.disassemble(line.word),
                times: profile.times.get(&line).copied().unwrap_or(0),
                cycles: reasons.values().map(|work| work.cycles).sum(),
                reasons,
                engine: engine.map(|((lane, _), work)| (*lane, *work)),
            }
        };
        Summary {
            program: program.to_owned(),
            config: target.name().to_owned(),
            cycles: profile.cycles,
            verdict: verdict(target, symbols, profile),
            reasons,
            engines,
            instructions: lines.into_iter().map(instruction).collect(),
        }
    }

    /// Per cent of all cycles.
    pub fn share(&self, cycles: u64) -> u64 {
        percent(cycles, self.cycles)
    }
}

fn add(work: &mut Work, cycles: u64, memory: bool) {
    work.cycles += cycles;
    work.memory += if memory { cycles } else { 0 };
}
