// SPDX-License-Identifier: Apache-2.0
//! The source operands of the failing instruction, element by element, and which of them the wrong elements come from.

use golden::Machine;
use golden::decode::{Decoded, Direction, Lines, Register, Slices, decode, elements};

use super::block::{Block, Cell, Layout, Plane, Row, planes};
use super::compare;
use super::element::register_name;
use super::evidence::{Evidence, Subject};
use super::page::{Body, Operand, Section};
use super::provenance::{self, Source};

/// The section, when the failing instruction has such operands; `block` is the comparison of its result, if there is
/// one.
pub fn section(subject: &Subject, evidence: &Evidence, block: &Block) -> Option<Section> {
    let (_, word, _) = evidence.failure.at?;
    let before = &evidence.before;
    let sources: Vec<Source> = block.wrong.iter().filter_map(|wrong| wrong.source).collect();
    let mut operands: Vec<Operand> = memory(before, word, &sources).into_iter().collect();
    for register in registers(before, word) {
        operands.push(of_register(subject, before, word, register, &sources));
    }
    let id = "operands";
    let note = "Before the instruction, as both sides have them. Marked: what the wrong elements come from.".to_owned();
    let title = "The source operands".to_owned();
    (!operands.is_empty()).then_some(Section { id, title, notes: vec![note], body: Body::Operands(operands) })
}

/// The TLRegs and matrix registers whose contents `word` reads, each once.
fn registers(before: &Machine, word: u32) -> Vec<Register> {
    let instruction = decode(word, before.config());
    let mut all: Vec<Register> = provenance::stored(word, before).into_iter().collect();
    if matches!(instruction, Decoded::Tensor(_)) {
        for register in instruction.operands().reads().filter(|register| matches!(register, Register::Tl(1..))) {
            if !all.contains(&register) {
                all.push(register);
            }
        }
    }
    all
}

fn of_register(subject: &Subject, before: &Machine, word: u32, register: Register, sources: &[Source]) -> Operand {
    let (bytes, (layout, note)) = match register {
        // Host registers are among the fields of the instruction.
        Register::X(_) => (Vec::new(), compare::source_layout(subject, before, word, 0)),
        Register::Tile(tile) => {
            let bytes = before.tiles.as_ref().map_or(Vec::new(), |tiles| tiles.get(tile).to_vec());
            let (layout, _, notes) = compare::tile_layout(before, Some(word), tile);
            (bytes, (layout, notes.join(" ")))
        }
        Register::Tl(tl) => (before.tl.get(tl).to_vec(), compare::source_layout(subject, before, word, tl)),
    };
    let name = register_name(register);
    let from = |source: &Source| match *source {
        Source::Register { register: of, element } if of == register => Some(element),
        Source::Sum { tl, element, .. } if register == Register::Tl(tl) => Some(element),
        _ => None,
    };
    let values = elements(&bytes, layout.bits).into_iter().enumerate();
    let cells: Vec<Cell> = values.map(|(element, value)| Cell::equal(element, value)).collect();
    let mut planes = planes(&layout, &cells);
    planes.extend(behind(&layout, &cells));
    Operand { name, note, bits: layout.bits, planes, feeds: sources.iter().filter_map(from).collect() }
}

/// What is in the register behind the block, when there is anything.
fn behind(layout: &Layout, cells: &[Cell]) -> Option<Plane> {
    let total: usize = layout.sizes.iter().product();
    let rest = &cells[total.saturating_sub(layout.first).min(cells.len())..];
    rest.iter().any(|cell| cell.expected != Some(0)).then(|| Plane {
        label: "behind the block".into(),
        axes: ["row", "element"],
        rows: rest
            .chunks(16)
            .enumerate()
            .map(|(row, cells)| Row { label: row.to_string(), cells: cells.iter().copied().map(Some).collect() })
            .collect(),
    })
}

/// The bytes of L1M that a load reads, by slices or lines.
fn memory(before: &Machine, word: u32, sources: &[Source]) -> Option<Operand> {
    let instruction = decode(word, before.config());
    let (bits, what, starts, bytes): (u32, _, Vec<u64>, u32) =
        if let Some(load) = instruction.slice_transfer().filter(|load| load.direction == Direction::Load) {
            let slices = Slices::of(before, load)?;
            (before.element_type()?.bits, "slice", slices.addresses, slices.bytes)
        } else if let Some((Direction::Load, load)) = instruction.tile_transfer() {
            let lines = Lines::of(before, load)?;
            (8 * load.esz(), "line", (0..lines.count).map(|i| lines.address(i)).collect(), lines.bytes)
        } else {
            return None;
        };
    let cell = |element: usize| {
        let at = element * bits as usize / 8;
        let bytes = before.l1m.bytes.get(at..at + (bits as usize).div_ceil(8))?;
        Some(Cell::equal(element, elements(bytes, bits)[if bits == 4 { element % 2 } else { 0 }]))
    };
    let row = |&start: &u64| {
        // There is nothing to show from the end of the memory on.
        let inside = start.min(before.l1m.bytes.len() as u64);
        let (first, count) = (inside as usize * 8 / bits as usize, bytes as usize * 8 / bits as usize);
        Row { label: format!("{start:#x}"), cells: (first..first + count).map(cell).collect() }
    };
    let rows = starts.iter().map(row).collect();
    let from = |source: &Source| match *source {
        Source::Memory(address) => {
            let first = address as usize * 8 / bits as usize;
            Some(first..first + if bits == 4 { 2 } else { 1 })
        }
        _ => None,
    };
    Some(Operand {
        name: "L1M".into(),
        note: format!("A row for each selected {what}, with its address: elements of {bits} bits."),
        bits,
        planes: vec![Plane { label: String::new(), axes: ["address", "element"], rows }],
        feeds: sources.iter().filter_map(from).flatten().collect(),
    })
}
