// SPDX-License-Identifier: Apache-2.0
//! The program instruction by instruction: what each reads, and the state before and after it.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use std::collections::BTreeMap;

use golden::decode::{Engine, Isa, Register, decode};
use golden::{Csr, Machine};

use super::bytes::dump;
use super::evidence::{self, Evidence, Subject};
use super::page::{Body, Place, Section, Step};
use super::report;
use crate::lockstep::failure::{Cause, Mismatch};
use crate::unit::tiles;

/// Instructions before the one that failed that are shown at most.
const STEPS: usize = 40;
/// Rows of a register or memory that are shown at most.
const ROWS: usize = 32;
/// Bytes of a row.
const ROW: usize = 8;

/// The section: the steps up to the failing instruction, as the model makes them.
pub fn section(subject: &Subject, evidence: &Evidence) -> Option<Section> {
    let case = subject.case;
    let last = evidence.failure.at.map_or(case.words().len().checked_sub(1)?, |(_, _, index)| index as usize);
    let mut machine = evidence::start(subject.target, case);
    let mut steps = Vec::new();
    for index in 0..=last {
        if index + STEPS < last {
            case.step(&mut machine, index)?;
            continue;
        }
        let before = machine.clone();
        let Some(outcome) = case.step(&mut machine, index) else { break };
        let word = outcome.word;
        let failed = evidence.failure.at.is_some_and(|(_, _, at)| at as usize == index);
        let mut places = places(&before, &machine, word);
        if failed {
            actual(evidence, &machine, &mut places);
        }
        let trap = outcome.trap.map(|trap| report::trap(Some(trap)));
        let state = index < case.preload.len();
        steps.push(Step { index, source: subject.target.disassemble(word), state, failed, trap, places });
    }
    let first = steps.first()?.index;
    let mut notes = vec![
        "As the model executes it. Keys: n or \u{2192} for the next instruction, p or \u{2190} for the one before."
            .to_owned(),
    ];
    if first > 0 {
        notes.push(format!("The {first} instructions before it are not shown."));
    }
    Some(Section { id: "steps", title: "Step by step".into(), notes, body: Body::Steps(steps) })
}

/// What `word` reads, and what differs between two states.
fn places(before: &Machine, after: &Machine, word: u32) -> Vec<Place> {
    let mut all: BTreeMap<(u8, u32), Place> = BTreeMap::new();
    let instruction = decode(word, before.config());
    let mut add = |key: (u8, u32), name: String, before: String, after: String| {
        let after = if before == after { String::new() } else { after };
        all.entry(key).or_insert(Place { name, before, after, actual: None });
    };
    let host = matches!(instruction.engine(), Some(Engine::Host) | None);
    let reads: Vec<Register> = instruction.operands().reads().collect();
    let hex = |value: u32| format!("{value:#010x}");
    for i in 1..32u8 {
        if reads.contains(&Register::X(i)) || before.x(i) != after.x(i) {
            add((0, i.into()), format!("x{i}"), hex(before.x(i)), hex(after.x(i)));
        }
    }
    let csrs = Csr::all()
        .chain([golden::TileSize::M, golden::TileSize::N, golden::TileSize::K].map(|size| Csr::Matrix(size.csr())));
    for csr in csrs.filter(|&csr| Isa::from(before.config()).has(csr)) {
        let value = |machine: &Machine| {
            let unwritten = machine.csr.mask(csr).is_some_and(|mask| !mask.initialised);
            if unwritten { "never written".to_owned() } else { hex(machine.csr.read(csr)) }
        };
        let basic =
            matches!(csr, Csr::Ttype | Csr::Tshape) && !host && reads.iter().any(|r| matches!(r, Register::Tl(_)));
        if basic || value(before) != value(after) {
            add((1, csr.address().into()), csr.name(), value(before), value(after));
        }
    }
    for tl in 1..32u8 {
        let sides = [before.tl.get(tl), after.tl.get(tl)];
        let read = reads.contains(&Register::Tl(tl));
        rows(&format!("tl{tl}"), sides, read, |row, name, before, after| {
            add((2, u32::from(tl) << 16 | row), name, before, after)
        });
    }
    for tile in tiles::all() {
        let (Some(old), Some(new)) = (&before.tiles, &after.tiles) else { continue };
        let read = reads.contains(&Register::Tile(tile));
        let number = u32::from(tiles::number(tile)) << 16;
        rows(&tiles::name(tile), [old.get(tile), new.get(tile)], read, |row, name, before, after| {
            add((3, number | row), name, before, after);
        });
    }
    rows("L0M", [&before.l0m.bytes, &after.l0m.bytes], false, |row, name, before, after| {
        add((4, row), name, before, after)
    });
    all.into_values().collect()
}

/// The rows in which two contents differ, or, when it is `read`, that are not all zero: at most [`ROWS`].
fn rows(name: &str, [before, after]: [&[u8]; 2], read: bool, mut add: impl FnMut(u32, String, String, String)) {
    if !read && before == after {
        return;
    }
    let pairs = || before.chunks(ROW).zip(after.chunks(ROW)).enumerate();
    let shown = |(_, (before, after)): &(usize, (&[u8], &[u8]))| {
        before != after || (read && before.iter().any(|&byte| byte != 0))
    };
    let mut count = 0;
    for (row, (before, after)) in pairs().filter(shown) {
        count += 1;
        if count <= ROWS {
            add(row as u32, format!("{name} from byte {:#x}", row * ROW), dump(before), dump(after));
        }
    }
    if count > ROWS {
        add(u32::from(u16::MAX), format!("{name}, {} rows more", count - ROWS), "\u{2026}".into(), "\u{2026}".into());
    }
    if count == 0 {
        add(0, name.to_owned(), "all zero".into(), "all zero".into());
    }
}

/// What the RTL has instead, where the failure tells.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are about no place")]
fn actual(evidence: &Evidence, after: &Machine, places: &mut Vec<Place>) {
    let Cause::Mismatch(mismatch) = &evidence.failure.cause else { return };
    let mut wrong = |name: String, model: String, rtl: String| match places.iter_mut().find(|place| place.name == name)
    {
        Some(place) => place.actual = Some(rtl),
        None => places.push(Place { name, before: model, after: String::new(), actual: Some(rtl) }),
    };
    let hex = |value: u32| format!("{value:#010x}");
    let mut bytes = |name: String, rtl: &[u8], model: &[u8]| {
        let rows = rtl.chunks(ROW).zip(model.chunks(ROW)).enumerate().filter(|(_, (rtl, model))| rtl != model);
        for (row, (rtl, model)) in rows.take(ROWS) {
            wrong(format!("{name} from byte {:#x}", row * ROW), dump(model), dump(rtl));
        }
    };
    match mismatch {
        Mismatch::Register { tl, rtl, model, .. } => bytes(format!("tl{tl}"), rtl, model),
        Mismatch::Tile { tile, rtl, model } => bytes(tiles::name(*tile), rtl, model),
        Mismatch::StoreSet { .. } | Mismatch::StoreValue { .. } if evidence.no_wave.is_none() => {
            bytes("L0M".into(), &evidence.l0m, &after.l0m.bytes);
        }
        Mismatch::Csr { name, rtl, model } => wrong(name.clone(), hex(*model), hex(*rtl)),
        Mismatch::Gpr { rtl: Some((x, rtl)), model } => {
            wrong(format!("x{x}"), model.map_or("not written".into(), |(_, value)| hex(value)), hex(*rtl));
        }
        _ => {}
    }
}
