// SPDX-License-Identifier: Apache-2.0
//! Why a program takes so many clock cycles, in a sentence.

use std::collections::BTreeMap;

use golden::decode::{Engine, decode};

use crate::cli::symbols::Symbols;
use crate::lockstep::profile::lanes::Lane;
use crate::lockstep::profile::reason::{Line, Reason};
use crate::lockstep::profile::{Profile, Spent};
use crate::unit::target::Target;

/// An instruction, the one that it waits for, and the cycles.
type Wait = (Line, Option<Line>, u64);

/// The reason with the most cycles, and the instructions with the most of these.
pub fn verdict(target: &Target, symbols: &Symbols, profile: &Profile) -> String {
    let sum = |which: &dyn Fn(&Spent) -> bool| -> u64 {
        profile.spent.iter().filter(|(spent, _)| which(spent)).map(|(_, cycles)| cycles).sum()
    };
    let all = profile.cycles;
    let dispatched = sum(&|spent| spent.reason == Reason::Dispatch);
    let lost = Reason::ALL.into_iter().filter(|reason| !matches!(reason, Reason::Dispatch | Reason::End));
    let groups = lost.flat_map(|reason| [(reason, false), (reason, true)]);
    let top =
        groups.map(|(reason, memory)| (sum(&|spent| (spent.reason, spent.memory) == (reason, memory)), reason, memory));
    // Of two with as many cycles the first.
    let Some((cycles, reason, memory)) = top.rev().max_by_key(|(cycles, ..)| *cycles).filter(|top| top.0 > dispatched)
    else {
        return format!("Nothing holds the program up: an instruction is dispatched in {dispatched} of {all} cycles.");
    };
    let of = format!("In {cycles} of {all} cycles ({} %) {}", percent(cycles, all), reason.about());
    let group = profile.spent.iter().filter(|(spent, _)| (spent.reason, spent.memory) == (reason, memory));
    let group: Vec<Wait> = group
        .filter_map(|(spent, cycles)| {
            Some((spent.line?, spent.blocker.filter(|_| spent.blocker != spent.line), *cycles))
        })
        .collect();
    let Some((line, blocker, cycles)) = most_of(target, &group) else { return format!("{of}.") };
    let memory = match memory {
        true => format!(", and {} does not answer", memory_of(target, blocker.unwrap_or(line))),
        false => String::new(),
    };
    let lane =
        decode(line.word, &target.golden).engine().and_then(Lane::of_engine).filter(|_| reason == Reason::Engine);
    let engine = lane.map_or(String::new(), |lane| {
        let busy = percent(profile.lanes.total(lane).cycles, all);
        format!(" The {} engine is at work in {busy} % of all cycles.", lane.name())
    });
    let most = waits(target, symbols, line, blocker);
    format!("{of}{memory}. Most of them, {cycles}: {most}.{engine}")
}

/// The kinds of instructions with the most cycles: an example, and the cycles of them all.
fn most_of(target: &Target, group: &[Wait]) -> Option<Wait> {
    let mut kinds: BTreeMap<_, (u64, Wait)> = BTreeMap::new();
    for &(line, blocker, cycles) in group {
        let kind = (mnemonic(target, line), blocker.map(|line| mnemonic(target, line)));
        let (sum, example) = kinds.entry(kind).or_insert((0, (line, blocker, 0)));
        *sum += cycles;
        if cycles > example.2 {
            *example = (line, blocker, cycles);
        }
    }
    let most = kinds.into_values().rev().max_by_key(|(sum, _)| *sum);
    most.map(|(sum, (line, blocker, _))| (line, blocker, sum))
}

fn waits(target: &Target, symbols: &Symbols, line: Line, blocker: Option<Line>) -> String {
    let kind = |line| format!("`{}`", mnemonic(target, line));
    let at = |line: Line| format!("`{}` at {}", target.disassemble(line.word), symbols.place(line.pc));
    match blocker {
        Some(blocker) => {
            format!("{} waits for {}, such as {} for {}", kind(line), kind(blocker), at(line), at(blocker))
        }
        None => format!("{}, such as {}", kind(line), at(line)),
    }
}

fn mnemonic(target: &Target, line: Line) -> String {
    target.disassemble(line.word).split(' ').next().unwrap_or_default().to_owned()
}

fn memory_of(target: &Target, line: Line) -> &'static str {
    match decode(line.word, &target.golden).engine() {
        Some(Engine::Load | Engine::MatrixLoad) => "L1M",
        _ => "L0M",
    }
}

pub fn percent(part: u64, whole: u64) -> u64 {
    (100 * part + whole / 2) / whole.max(1)
}
