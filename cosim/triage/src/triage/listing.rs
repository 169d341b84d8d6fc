// SPDX-License-Identifier: Apache-2.0
//! The program as assembly that assembles to the same words, with the state that it needs as comments.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::collections::BTreeSet;
use std::fmt::Write;

use golden::Machine;
use golden::decode::{Direction, Engine, Register, SliceTransfer, decode};

use super::evidence::{self, Evidence, Subject};
use super::provenance::{self, Source};
use crate::lockstep::stall::Class;
use crate::unit::RESET_CYCLES;

/// Rows of 16 bytes of L1M that a listing shows at most.
const ROWS: usize = 256;

pub fn text(subject: &Subject, evidence: &Evidence) -> String {
    let failed = subject.case.line(evidence.failure.at);
    let (lines, loaded) = lines(subject, failed);
    listing(subject, lines, &loaded)
}

/// The listing without what only a run of the model tells: operands, traps, and which memory is loaded.
pub fn plain_text(subject: &Subject, failed: Option<usize>) -> String {
    listing(subject, plain_lines(subject, failed), &BTreeSet::new())
}

fn listing(subject: &Subject, lines: Vec<String>, loaded: &BTreeSet<u32>) -> String {
    let mut text = format!("# {}\n", subject.name.replace(['\n', '\r'], " "));
    for comment in setting(subject) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {comment}");
    }
    if let Some(fault) = crate::unit::faults::FAULTS.iter().find(|fault| fault.id == subject.fault) {
        let _ = writeln!(text, "# planted fault {}, in {}: {}", fault.id, fault.file, fault.description);
    }
    memory(&mut text, &subject.case.setup.l1m, loaded);
    text.push('\n');
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Stalls, reset and error ranges in words.
pub fn setting(subject: &Subject) -> Vec<String> {
    let setup = &subject.case.setup;
    let names = ["issue", "result", "L1M grant", "L1M response", "L0M grant", "L0M response"];
    let classes = names.iter().zip(setup.stalls.classes()).filter(|(_, class)| *class != Class::None);
    let stalls: Vec<String> = classes.map(|(name, class)| format!("{name} {class:?}").to_lowercase()).collect();
    let stalls = if stalls.is_empty() { "none".into() } else { stalls.join(", ") };
    let mut lines = vec![format!("configuration {}; stalls: {stalls}", subject.target.name())];
    if !subject.case.preload.is_empty() {
        lines.push("lines marked \"state\" make the state that the program starts from, and retire before it".into());
    }
    if subject.case.host {
        lines.push("a program for the host, from address 0 on: cosim run".into());
    }
    if let Some(cycles) = subject.case.reset_after {
        lines.push(format!("the program is started, reset after {cycles} cycles, and started again"));
    }
    if setup.reset_cycles != RESET_CYCLES {
        lines.push(format!("reset is held for {} clock cycles", setup.reset_cycles));
    }
    for (memory, faults) in [("L1M", &setup.l1m_faults), ("L0M", &setup.l0m_faults)] {
        for fault in faults {
            let last = fault.end.saturating_sub(1);
            lines.push(format!("{memory} answers with an error from {:#x} to {last:#x}", fault.start));
        }
    }
    lines
}

/// The lines of the program, and the addresses of L1M that its loads read.
pub fn lines(subject: &Subject, failed: Option<usize>) -> (Vec<String>, BTreeSet<u32>) {
    if subject.case.host {
        // A line has no one state.
        return (plain_lines(subject, failed), BTreeSet::new());
    }
    let mut machine = evidence::start(subject.target, subject.case);
    let mut loaded = BTreeSet::new();
    let line = |(index, &word): (usize, &u32)| {
        let operands = operands(&machine, word);
        if failed.is_none_or(|failed| index <= failed) {
            loaded.extend(addresses(&machine, word));
        }
        let outcome = machine.step(word);
        let trap = outcome.trap.map_or(String::new(), |t| format!("  traps: {}", t.cause_name()));
        plain_line(subject, failed, (index, word), &(operands + &trap))
    };
    let lines = subject.case.words().iter().enumerate().map(line).collect();
    (lines, loaded)
}

/// The lines of the program, as far as they are known without running it.
pub fn plain_lines(subject: &Subject, failed: Option<usize>) -> Vec<String> {
    let words = subject.case.words();
    words.iter().enumerate().map(|(index, &word)| plain_line(subject, failed, (index, word), "")).collect()
}

/// A line; `more` goes to the end of its comment.
fn plain_line(subject: &Subject, failed: Option<usize>, (index, word): (usize, u32), more: &str) -> String {
    let source = subject.target.disassemble(word);
    let here = if Some(index) == failed { "  <== FAILS HERE" } else { "" };
    let part = if index < subject.case.preload.len() { "  state" } else { "" };
    format!("{source:<40} # {index:>4}  pc {:#06x}  {word:08x}{part}{more}{here}", 4 * index)
}

/// Values of the host registers that the unit gets with the word.
fn operands(machine: &Machine, word: u32) -> String {
    let instruction = decode(word, machine.config());
    // As a base address x0 is a value like others; in `li`, or `csrr`, it stands for no register.
    let x0_counts = !matches!(instruction.engine(), Some(Engine::Host | Engine::Csr));
    let value = |register| match register {
        Register::X(number) if number != 0 || x0_counts => Some(format!("  x{number}={:#x}", machine.x(number))),
        Register::X(_) | Register::Tl(_) | Register::Tile(_) => None,
    };
    instruction.operands().reads().filter_map(value).collect()
}

/// Addresses of L1M that the load `word` reads.
fn addresses(machine: &Machine, word: u32) -> Vec<u32> {
    let instruction = decode(word, machine.config());
    let sources = if let Some(SliceTransfer { direction: Direction::Load, tl, .. }) = instruction.slice_transfer() {
        provenance::of_register(machine, word, tl, 8)
    } else if let Some((Direction::Load, transfer)) = instruction.tile_transfer() {
        provenance::of_tile(machine, word, transfer.tile(), 8)
    } else {
        None
    };
    let address = |source| if let Source::Memory(address) = source { Some(address) } else { None };
    sources.into_iter().flatten().filter_map(address).collect()
}

/// The bytes of L1M that are loaded, in rows of 16.
fn memory(text: &mut String, l1m: &[u8], loaded: &BTreeSet<u32>) {
    let rows: BTreeSet<u32> = loaded.iter().map(|address| address / 16).collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "#\n# L1M, as far as it is loaded (.. is not):");
    for row in rows.iter().take(ROWS) {
        let byte = |address: u32| {
            let value = l1m.get(address as usize).copied().unwrap_or(0);
            if loaded.contains(&address) { format!(" {value:02x}") } else { " ..".into() }
        };
        let bytes: String = (row * 16..row * 16 + 16).map(byte).collect();
        let _ = writeln!(text, "#   {:#07x} {bytes}", row * 16);
    }
    if rows.len() > ROWS {
        let _ = writeln!(text, "#   ... and {} rows more", rows.len() - ROWS);
    }
}
