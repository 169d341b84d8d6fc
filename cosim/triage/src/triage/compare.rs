// SPDX-License-Identifier: Apache-2.0
//! The two sides of a failure: as a block of elements where there is one, as a table otherwise.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::decode::{Decoded, Register, decode, exchanged};
use golden::{Machine, Tile};

use super::arithmetic;
use super::block::{Block, Datapath, Layout, Sides, runs};
use super::evidence::{Evidence, Subject};
use super::page::{Body, Section, Table};
use super::provenance::{self, Source};
use super::report::{self, Exchange};
use crate::lockstep::failure::{Cause, Mismatch};
use crate::unit::target::Target;
use crate::unit::tiles;

/// Wrong bytes of a memory that are listed.
const BYTES_SHOWN: usize = 64;

pub fn sections(subject: &Subject, evidence: &Evidence) -> Vec<Section> {
    let word = evidence.failure.at.map(|(_, word, _)| word);
    let Cause::Mismatch(mismatch) = &evidence.failure.cause else { return Vec::new() };
    match (mismatch, word) {
        (Mismatch::Register { tl, rtl, model, .. }, _) => vec![register(subject, evidence, *tl, [rtl, model])],
        (Mismatch::Tile { tile, rtl, model }, _) => vec![matrix_register(evidence, *tile, [rtl, model])],
        // Without a second run nobody knows what else is in the memory.
        (Mismatch::StoreSet { .. } | Mismatch::StoreValue { .. } | Mismatch::L0m { .. }, _)
            if evidence.no_wave.is_some() =>
        {
            vec![values(subject, evidence)]
        }
        (Mismatch::StoreSet { .. } | Mismatch::StoreValue { .. }, Some(word)) => stored(subject, evidence, word),
        (Mismatch::L0m { .. }, _) => vec![memory(subject, &evidence.l0m, &evidence.model.l0m.bytes)],
        (
            Mismatch::Csr { rtl, model, .. } | Mismatch::Meaning { rtl, model, .. } | Mismatch::X { rtl, model, .. },
            _,
        ) => {
            vec![bits(*rtl, *model, arithmetic::of_value(subject, evidence, mismatch))]
        }
        (Mismatch::Gpr { rtl: Some((_, rtl)), model: Some((_, model)) }, _) if rtl != model => {
            vec![bits(*rtl, *model, arithmetic::of_value(subject, evidence, mismatch))]
        }
        // One side alone has something.
        (Mismatch::NotExecuted | Mismatch::StrayWrite { .. } | Mismatch::StrayTile { .. }, _) => Vec::new(),
        _ => vec![values(subject, evidence)],
    }
}

pub fn datapath(target: &Target) -> Datapath {
    let rtl = &target.rtl;
    Datapath { lanes: rtl.lanes as usize, granule: rtl.granule_bits() as usize }
}

fn register(subject: &Subject, evidence: &Evidence, tl: u8, sides: [&[u8]; 2]) -> Section {
    let word = evidence.failure.at.map(|(_, word, _)| word);
    let (layout, notes) = layout(&evidence.before, word, tl, datapath(subject.target));
    let sources = word.and_then(|word| provenance::of_register(&evidence.before, word, tl, layout.bits));
    contents(format!("tl{tl}"), (layout, datapath(subject.target), notes), sources, sides)
}

fn matrix_register(evidence: &Evidence, tile: Tile, sides: [&[u8]; 2]) -> Section {
    let word = evidence.failure.at.map(|(_, word, _)| word);
    let layout = tile_layout(&evidence.before, word, tile);
    let sources = word.and_then(|word| provenance::of_tile(&evidence.before, word, tile, layout.0.bits));
    contents(tiles::name(tile), layout, sources, sides)
}

/// Expected and actual contents of a register.
fn contents(
    name: String,
    (layout, datapath, mut notes): (Layout, Datapath, Vec<String>),
    sources: Option<Vec<Source>>,
    [rtl, model]: [&[u8]; 2],
) -> Section {
    let some = |bytes: &[u8]| bytes.iter().copied().map(Some).collect::<Vec<_>>();
    let sides = Sides { expected: some(model), actual: some(rtl), addresses: vec![None; rtl.len()], sources };
    let block = Block::new(layout, &sides, datapath);
    notes.insert(0, extent(&block, rtl.len()));
    Section::new("block", format!("Expected and actual contents of {name}"), notes, Body::Block(Box::new(block)))
}

/// Rows and columns of a matrix register, in the elements that `word` moves.
pub fn tile_layout(before: &Machine, word: Option<u32>, tile: Tile) -> (Layout, Datapath, Vec<String>) {
    let (rows, row_bytes) = before.tiles.as_ref().map_or((1, 1), |tiles| (tiles.rows(), tiles.row_bytes(tile)));
    let mut notes = vec![format!("{rows} rows of {row_bytes} bytes; element (i, j) is in row i and column j.")];
    let mut bytes = 1;
    if let Some((_, transfer)) = word.and_then(|word| decode(word, before.config()).tile_transfer()) {
        bytes = transfer.esz();
        let (down, across) = transfer.form.shape();
        let [down, across] = [down, across].map(|size| before.csr.tile_size(size));
        notes.push(format!("The instruction moves the elements of {down} rows and {across} columns."));
    }
    let sizes = vec![rows as usize, (row_bytes / bytes) as usize];
    let layout = Layout { bits: 8 * bytes, names: vec!["i", "j"], sizes, first: 0 };
    (layout, Datapath { lanes: row_bytes as usize, granule: 8 }, notes)
}

/// How many elements are wrong, and what they have in common.
fn extent(block: &Block, bytes: usize) -> String {
    let total = bytes * 8 / block.layout.bits as usize;
    let pattern = block.pattern();
    let common =
        if pattern.is_empty() { String::new() } else { format!(" What they have in common: {}.", pattern.join("; ")) };
    let verb = if block.wrong.len() == 1 { "is" } else { "are" };
    format!("{} of {total} elements of {} bits {verb} wrong.{common}", block.wrong.len(), block.layout.bits)
}

/// How the elements of `tl`, which `word` reads, are indexed, and a sentence about it.
pub fn source_layout(subject: &Subject, before: &Machine, word: u32, tl: u8) -> (Layout, String) {
    let (mut layout, notes) = layout(before, Some(word), tl, datapath(subject.target));
    let instruction = decode(word, before.config());
    let exchange = report::exchange(instruction, |rs| before.x(rs), tl);
    let bits = before.element_type().map(|element| element.bits);
    let Some((Exchange { dimensions, sizes, second }, bits)) = exchange.zip(bits) else {
        return (layout, notes.join(" "));
    };
    // The tensor before its dimensions are exchanged; the second register has its second half.
    let sizes = exchanged(sizes, dimensions);
    layout.sizes = sizes.to_vec();
    layout.first = if second { before.tl.reg_bytes() * 8 / bits as usize } else { 0 };
    let half = if second { "second" } else { "first" };
    (layout, format!("The {half} half of the tensor {sizes:?}."))
}

/// How the elements of a register that `word` writes or stores are indexed, and a sentence about it.
pub fn layout(before: &Machine, word: Option<u32>, tl: u8, datapath: Datapath) -> (Layout, Vec<String>) {
    let reg_bytes = before.tl.reg_bytes();
    let rows_of_the_datapath = |bits: u32, why: &str| {
        let sizes = vec![reg_bytes / datapath.lanes, datapath.lanes * 8 / bits as usize];
        let note = format!("{why}, so rows are those of the datapath: {} bytes each.", datapath.lanes);
        (Layout { bits, names: vec!["row", "element"], sizes, first: 0 }, vec![note])
    };
    let Some(element) = before.element_type() else {
        return rows_of_the_datapath(8, "ttype is illegal");
    };
    let bits = element.bits;
    let instruction = word.map_or(Decoded::NotOurs, |word| decode(word, before.config()));
    if let Some(Exchange { dimensions: [p, q], sizes, second }) = report::exchange(instruction, |rs| before.x(rs), tl) {
        let first = if second { reg_bytes * 8 / bits as usize } else { 0 };
        let half = if second { "second" } else { "first" };
        let note = format!("The {half} half of the result, a tensor {sizes:?}: dimensions {p} and {q} are exchanged.");
        return (Layout { bits, names: vec!["i0", "i1", "i2", "i3"], sizes: sizes.to_vec(), first }, vec![note]);
    }
    if !report::has_block(instruction) {
        return rows_of_the_datapath(bits, "The instruction has no shape");
    }
    let Some((_, shape)) = before.block() else {
        return rows_of_the_datapath(bits, "tshape is illegal");
    };
    let [d0, d1, d2] = shape.0.map(|size| size as usize);
    let width = instruction.slice_transfer().map_or(0, |transfer| before.csr.read(transfer.direction.csrs().0));
    if width != 0 && width as usize != d1 * d2 {
        let note = format!("{d0} slices of {width} elements, as the width CSR says; tshape is [{d0}, {d1}, {d2}].");
        return (
            Layout { bits, names: vec!["slice", "element"], sizes: vec![d0, width as usize], first: 0 },
            vec![note],
        );
    }
    let note = format!("The block is [{d0}, {d1}, {d2}]; element (i, j, k) is in row j and column k of plane i.");
    (Layout { bits, names: vec!["i", "j", "k"], sizes: vec![d0, d1, d2], first: 0 }, vec![note])
}

/// What a store wrote, arranged as in the register that it stores.
fn stored(subject: &Subject, evidence: &Evidence, word: u32) -> Vec<Section> {
    let written = beats(evidence);
    let expected_set = evidence.outcome.iter().flat_map(|o| o.mem_writes.iter().chain(&o.mem_unknown));
    let mut by_model = vec![false; evidence.model.l0m.bytes.len()];
    for &(start, len) in expected_set {
        by_model[start as usize..(start + len) as usize].fill(true);
    }
    let mut sections = Vec::new();
    let addresses = provenance::of_store(&evidence.before, word);
    if let Some(addresses) = &addresses {
        let stored = provenance::stored(word, &evidence.before);
        let element = |register, element| Source::Register { register, element };
        let byte = |memory: &[u8], set: &[bool], address: &Option<u32>| {
            let address = (*address)? as usize;
            set.get(address).copied().unwrap_or(false).then(|| memory.get(address).copied()).flatten()
        };
        let sides = Sides {
            expected: addresses.iter().map(|a| byte(&evidence.model.l0m.bytes, &by_model, a)).collect(),
            actual: addresses.iter().map(|a| byte(&evidence.l0m, &written, a)).collect(),
            addresses: addresses.clone(),
            // As many as there can be, of the narrowest elements.
            sources: stored.map(|stored| (0..2 * addresses.len()).map(|number| element(stored, number)).collect()),
        };
        let (name, (layout, datapath, mut notes)) = match stored {
            Some(Register::Tile(tile)) => (tiles::name(tile), tile_layout(&evidence.before, Some(word), tile)),
            stored => {
                let tl = if let Some(Register::Tl(tl)) = stored { tl } else { 0 };
                let (layout, notes) = layout(&evidence.before, Some(word), tl, datapath(subject.target));
                (format!("tl{tl}"), (layout, datapath(subject.target), notes))
            }
        };
        let block = Block::new(layout, &sides, datapath);
        notes.insert(0, extent(&block, addresses.len()));
        notes.push(format!(
            "Each element is at its place in {name}, with the value that is in L0M. A dash: not written."
        ));
        let title = format!("Expected and actual bytes of {name} in L0M");
        sections.push(Section::new("block", title, notes, Body::Block(Box::new(block))));
    }
    let inside = |address: u32| addresses.iter().flatten().any(|&a| a == Some(address));
    let mut table = Table::new(&["address", "actual (RTL)", "expected (model)"]);
    let word = |set: &[bool], memory: &[u8], address: usize| {
        if set[address] { format!("{:02x}", memory[address]) } else { "not written".into() }
    };
    let stray = (0..written.len().min(by_model.len()))
        .filter(|&a| written[a] != by_model[a] && !inside(a as u32))
        .take(BYTES_SHOWN);
    for address in stray {
        table.wrong_row([
            format!("{address:#x}"),
            word(&written, &evidence.l0m, address),
            word(&by_model, &evidence.model.l0m.bytes, address),
        ]);
    }
    if !table.rows.is_empty() {
        let notes = vec![format!("At most {BYTES_SHOWN} are listed.")];
        sections.push(Section::new("stray", "Bytes of L0M that only one side writes", notes, Body::Table(table)));
    }
    sections
}

/// The addresses that the granted beats of the failing store wrote.
fn beats(evidence: &Evidence) -> Vec<bool> {
    let mut written = vec![false; evidence.l0m.len()];
    let index = evidence.failure.at.map(|(_, _, index)| index);
    let life = index.and_then(|index| evidence.recording.life(index));
    let Some((tag, start)) = life.and_then(|life| life.tag.zip(life.dispatched)) else { return written };
    let requests = evidence.recording.cycles.iter().filter(|c| c.number >= start).filter_map(|c| c.l0m.request);
    for request in requests.filter(|request| request.granted && request.tag == tag) {
        for lane in (0..64).filter(|lane| request.enables >> lane & 1 == 1) {
            if let Some(byte) = written.get_mut(request.address as usize + lane) {
                *byte = true;
            }
        }
    }
    written
}

fn memory(subject: &Subject, rtl: &[u8], model: &[u8]) -> Section {
    let mut table = Table::new(&["address", "actual (RTL)", "expected (model)", "bits", "last written by"]);
    let different: Vec<usize> = (0..rtl.len().min(model.len())).filter(|&i| rtl[i] != model[i]).collect();
    let shown = &different[..different.len().min(BYTES_SHOWN)];
    for (&address, writer) in shown.iter().zip(arithmetic::writers(subject, shown)) {
        let bits = runs((0..8).filter(|bit| (rtl[address] ^ model[address]) >> bit & 1 == 1));
        let [rtl, model] = [rtl, model].map(|memory| format!("{:02x}", memory[address]));
        table.wrong_row([format!("{address:#x}"), rtl, model, bits, writer]);
    }
    let notes = vec![format!("{} bytes differ; at most {BYTES_SHOWN} are listed.", different.len())];
    Section::new("block", "L0M at the end", notes, Body::Table(table))
}

/// Two words and the bits in which they differ; `notes` say where the right one comes from.
fn bits(rtl: u32, model: u32, mut notes: Vec<String>) -> Section {
    let mut table = Table::new(&["side", "hexadecimal", "decimal", "binary"]);
    let cells = |side: &str, value: u32| {
        let binary: Vec<String> = (0..8).rev().map(|i| format!("{:04b}", value >> (4 * i) & 15)).collect();
        [side.to_owned(), format!("{value:#010x}"), value.to_string(), binary.join("_")]
    };
    table.row(cells("expected (model)", model));
    table.wrong_row(cells("actual (RTL)", rtl));
    table.row(cells("difference", rtl ^ model));
    notes.push(format!("Bits that differ: {}.", runs((0..32).filter(|bit| (rtl ^ model) >> bit & 1 == 1))));
    Section::new("block", "Expected and actual value", notes, Body::Table(table))
}

/// Everything else: the lines of the text report, by side.
fn values(subject: &Subject, evidence: &Evidence) -> Section {
    let mut table = Table::new(&["side", "value"]);
    for (label, value) in report::details(subject.target, &evidence.failure).into_iter().rev() {
        match label {
            "RTL" => table.wrong_row(["actual (RTL)".to_owned(), value]),
            "model" => table.row(["expected (model)".to_owned(), value]),
            label => table.row([label.to_owned(), value]),
        }
    }
    Section::new("block", "Expected and actual", Vec::new(), Body::Table(table))
}
