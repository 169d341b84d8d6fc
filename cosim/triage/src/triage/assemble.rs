// SPDX-License-Identifier: Apache-2.0
//! The sections of a report, in the order in which one asks: what, where, which instruction, in which state, after
//! what.
#![warn(clippy::wildcard_enum_match_arm)] // A new instruction is an error wherever it is forgotten.

use golden::decode::{Decoded, Direction, Isa, Lines, SliceTransfer, Slices, decode};
use golden::{Csr, Machine, MatrixCsr, Memory};

use super::block::runs;
use super::compare;
use super::datapath;
use super::evidence::{Evidence, Subject, moment};
use super::fields::fields;
use super::listing;
use super::operands;
use super::page::{Body, Page, Section, Table};
use super::steps;
use super::timeline::Timeline;
use crate::lockstep::failure::{Cause, Mismatch};
use crate::lockstep::record::{Cycle, Recording};
use crate::triage::report;

/// Lines of the program shown before the one that failed, and after it.
const LINES: (usize, usize) = (24, 3);

pub fn page(subject: &Subject, evidence: &Evidence) -> Page {
    let failure = &evidence.failure;
    let mut sections = vec![Section::new("what", "What failed", Vec::new(), Body::Facts(facts(subject, evidence)))];
    sections.extend(in_flight(subject, evidence));
    sections.extend(compare::sections(subject, evidence));
    let block =
        sections.iter().find_map(|section| if let Body::Block(block) = &section.body { Some(&**block) } else { None });
    // Elements of the operands tell about wrong elements, and about nothing else.
    let operands = block.and_then(|block| operands::section(subject, evidence, block));
    sections.extend(operands);
    if let Some((_, word, _)) = failure.at {
        let notes = vec![format!("{}, word {word:#010x}", instruction(subject, evidence))];
        let mut table = Table::new(&["bits", "field", "value", "meaning"]);
        for field in fields(word, &evidence.before) {
            table.row([field.range(), field.name.to_owned(), field.digits(word), field.meaning]);
        }
        sections.push(Section::new("instruction", "The instruction, field by field", notes, Body::Table(table)));
        sections.extend(slices(evidence, word));
        sections.extend(lines(evidence, word));
        if let Some((engine, files)) = datapath::files_passed(subject.target, word, subject.folder) {
            let note = format!("What executes it: {engine}. It and its bytes pass these files, in about this order.");
            sections.push(Section::new("path", "Its way through the RTL", vec![note], Body::Files(files)));
        }
    }
    let note = "As the model has them; RTL and model agreed on the CSRs at every retirement before this one.";
    sections.push(Section::new("state", "CSRs in force", vec![note.into()], Body::Table(csrs(evidence))));
    sections.extend(steps::section(subject, evidence));
    let name = |word| subject.target.disassemble(word);
    if let Some(timeline) = Timeline::new(evidence, name) {
        let last = timeline.start + timeline.cycles as u64 - 1;
        let at = timeline.failure.map_or(String::new(), |_| format!(" The failure is in cycle {}.", failure.cycle));
        let notes = vec![format!("Cycles {} to {last}, one column each.{at}", timeline.start)];
        sections.push(Section::new("timeline", "Timeline", notes, Body::Timeline(timeline)));
    }
    let (program, _) = listing::lines(subject, subject.case.line(failure.at));
    finish(subject, evidence, sections, program)
}

/// The report of a failure that is all there is: neither side is run for it.
pub fn bare_page(subject: &Subject, evidence: &Evidence) -> Page {
    let mut sections = vec![Section::new("what", "What failed", Vec::new(), Body::Facts(facts(subject, evidence)))];
    if let Some((_, word, _)) = evidence.failure.at {
        let notes = vec![format!("{}, word {word:#010x}", subject.target.disassemble(word))];
        sections.push(Section::new("instruction", "The instruction", notes, Body::Facts(Vec::new())));
    }
    let program = listing::plain_lines(subject, subject.case.line(evidence.failure.at));
    finish(subject, evidence, sections, program)
}

/// The end of every report: what came before, the program, the commands.
fn finish(subject: &Subject, evidence: &Evidence, mut sections: Vec<Section>, lines: Vec<String>) -> Page {
    let failure = &evidence.failure;
    if !failure.history.is_empty() {
        sections.push(Section::new(
            "before",
            "The last retirements",
            Vec::new(),
            Body::Table(history(subject, evidence)),
        ));
    }
    let printed = report::printed(failure);
    if !printed.is_empty() {
        sections.push(Section::new("printed", "What the RTL printed", Vec::new(), Body::Listing(printed, None)));
    }
    sections.push(program(subject, evidence, &lines));
    let commands = Body::Commands(commands(subject, evidence));
    sections.push(Section::new("again", "Run it again, look into it", Vec::new(), commands));
    Page {
        subject: subject.name.clone(),
        headline: report::headline(&failure.cause),
        instruction: format!("at {}", instruction(subject, evidence)),
        sections,
    }
}

fn instruction(subject: &Subject, evidence: &Evidence) -> String {
    match (evidence.failure.at, &evidence.failure.cause) {
        (Some((_, word, _)), _) => subject.target.disassemble(word),
        (None, Cause::Crash(_)) => "an instruction that is not known".into(),
        (None, _) => "the end of the program".into(),
    }
}

fn facts(subject: &Subject, evidence: &Evidence) -> Vec<(String, String)> {
    let failure = &evidence.failure;
    let mut facts = vec![("case".to_owned(), subject.name.clone())];
    let mut fact = |label: &str, value: String| facts.push((label.to_owned(), value));
    match failure.at {
        Some((pc, word, index)) => {
            let source = subject.target.disassemble(word);
            let note = report::in_flight(failure);
            fact("instruction", format!("number {index}, pc {pc:#x}, word {word:#010x}: {source}{note}"));
        }
        None if matches!(failure.cause, Cause::Crash(_)) => {
            fact("instruction", report::crash_without_instruction(failure).into());
        }
        None => fact("instruction", "none: the state was compared when everything had retired".into()),
    }
    for (label, value) in report::details(subject.target, failure) {
        fact(label, value);
    }
    match &evidence.no_wave {
        None => {
            let time = |cycle| format!("{cycle}, time {} in the waveform", evidence.recording.time(cycle));
            fact("cycle", time(failure.cycle));
            let moment = moment(failure);
            if moment != failure.cycle {
                fact("marker", format!("last retirement in cycle {}", time(moment)));
            }
        }
        Some(why) => {
            if failure.at.is_some() || !failure.history.is_empty() {
                fact("cycle", failure.cycle.to_string());
            }
            fact("no waveform", why.clone());
        }
    }
    if let Some(fault) = crate::unit::faults::FAULTS.iter().find(|fault| fault.id == subject.fault) {
        fact("planted fault", format!("{} in {}: {}", fault.id, fault.file, fault.description));
    }
    if !subject.nearby.is_empty() {
        fact("fails", subject.nearby.clone());
    }
    if !evidence.reproduced && evidence.no_wave.is_none() {
        fact("note", "the second run, with the waveform, did not fail in the same way".into());
    }
    facts
}

/// The CSRs that the instruction looks at; without one, all but the strides.
fn csrs(evidence: &Evidence) -> Table {
    let model = &evidence.model;
    let isa = Isa::from(model.config());
    let decoded = evidence.failure.at.map(|(_, word, _)| decode(word, model.config()));
    let used = match decoded {
        Some(Decoded::Tensor(tensor)) => tensor.csrs().filter(|&csr| isa.has(csr)).collect(),
        Some(Decoded::Matrix(_)) => [MatrixCsr::Mtilem, MatrixCsr::Mtilen, MatrixCsr::Mtilek].map(Csr::Matrix).to_vec(),
        None | Some(Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs) => {
            let plain = |csr: &Csr| isa.has(*csr) && !matches!(csr, Csr::TloadStride(_) | Csr::TstoreStride(_));
            Csr::all().filter(plain).collect()
        }
    };
    let mut table = Table::new(&["CSR", "value", "meaning"]);
    for csr in used {
        table.row([csr.name(), format!("{:#010x}", model.csr.read(csr)), meaning(model, csr)]);
    }
    table
}

fn meaning(model: &Machine, csr: Csr) -> String {
    let value = model.csr.read(csr);
    match csr {
        Csr::Ttype => model.element_type().map_or("illegal".into(), |element| {
            let kind = if element.integer { "integers" } else { "floating point" };
            format!("{kind} of {} bits", element.bits)
        }),
        Csr::Tshape => {
            let [_, d0, d1, d2] = value.to_be_bytes();
            let legal = if model.block().is_some() { "" } else { ", illegal" };
            format!("block [{d0}, {d1}, {d2}]{legal}")
        }
        Csr::TloadWidth | Csr::TstoreWidth => match value {
            0 => "D1 * D2 elements in a slice".into(),
            width => format!("{width} elements in a slice"),
        },
        Csr::TloadPitch | Csr::TstorePitch => match value {
            0 => "slots follow each other".into(),
            pitch => format!("{pitch} bytes from one slot to the next"),
        },
        Csr::TmaskInit => format!("initialised: {value:04b}, of concat_2, concat_1, store and load"),
        Csr::TmaskLoad
        | Csr::TmaskStore
        | Csr::TmaskConcat1
        | Csr::TmaskConcat2
        | Csr::TloadStride(_)
        | Csr::TstoreStride(_)
        | Csr::Tlenb
        | Csr::Matrix(_) => match model.csr.mask(csr) {
            Some(mask) if !mask.initialised => "never written".into(),
            Some(mask) => format!("bits set: {}", runs((0..32).filter(|i| mask.value >> i & 1 == 1))),
            None => value.to_string(),
        },
    }
}

/// The slices of a load or store, in the order in which they are looked at.
fn slices(evidence: &Evidence, word: u32) -> Option<Section> {
    let state = &evidence.before;
    let transfer = decode(word, state.config()).slice_transfer()?;
    let SliceTransfer { direction, masked, .. } = transfer;
    let slices = Slices::of(state, transfer)?;
    let (_, mask, stride) = direction.csrs();
    let mask = if masked { state.csr.read(mask) } else { u32::MAX };
    let memory = if direction == Direction::Load { &state.l1m } else { &state.l0m };
    let unit = state.element_type()?.bits.div_ceil(8);
    let mut table = Table::new(&["slice", "stride CSR", "address", "last byte", "what happens"]);
    for (i, &address) in (0..32u8).filter(|i| mask >> i & 1 == 1).zip(&slices.addresses) {
        let stride = state.csr.read(stride(i)).to_string();
        access(&mut table, vec![i.to_string(), stride], memory, address, [unit, slices.bytes]);
    }
    let name = if direction == Direction::Load { "L1M" } else { "L0M" };
    let note = format!("Slices of {} bytes; {name} has {} bytes.", slices.bytes, memory.bytes.len());
    Some(Section::new("slices", "The selected slices", vec![note], Body::Table(table)))
}

/// The memory lines of a matrix load or store.
fn lines(evidence: &Evidence, word: u32) -> Option<Section> {
    let state = &evidence.before;
    let (direction, transfer) = decode(word, state.config()).tile_transfer()?;
    let (name, memory) = match direction {
        Direction::Load => ("L1M", &state.l1m),
        Direction::Store => ("L0M", &state.l0m),
    };
    let lines = Lines::of(state, transfer)?;
    let mut table = Table::new(&["line", "address", "last byte", "what happens"]);
    for i in 0..lines.count {
        access(&mut table, vec![i.to_string()], memory, lines.address(i), [lines.element, lines.bytes]);
    }
    let kind = if transfer.transposed { "columns" } else { "rows" };
    let note = format!(
        "Lines are {kind} of the tile, of {} bytes each; {name} has {} bytes.",
        lines.bytes,
        memory.bytes.len()
    );
    Some(Section::new("lines", "The memory lines", vec![note], Body::Table(table)))
}

/// A row for an access of `bytes` bytes in elements of `unit`: what happens to it. `cells` are in front.
fn access(table: &mut Table, mut cells: Vec<String>, memory: &Memory, address: u64, [unit, bytes]: [u32; 2]) {
    let last = address.saturating_add(u64::from(bytes) - 1);
    let trap = if !address.is_multiple_of(unit.into()) {
        Some("misaligned")
    } else if last >= memory.bytes.len() as u64 {
        Some("outside the memory")
    } else {
        memory.faulty(address, bytes).then_some("the port answers with an error")
    };
    cells.extend([format!("{address:#x}"), format!("{last:#x}"), trap.unwrap_or("moved").to_owned()]);
    if trap.is_some() { table.wrong_row(cells) } else { table.row(cells) }
}

/// Instructions and ports at the moment of the failure; not where contents or values differ.
fn in_flight(subject: &Subject, evidence: &Evidence) -> Option<Section> {
    let about_order = match &evidence.failure.cause {
        Cause::Mismatch(mismatch) => matches!(
            mismatch,
            Mismatch::Order { .. }
                | Mismatch::Word { .. }
                | Mismatch::NotExecuted
                | Mismatch::Killed { .. }
                | Mismatch::StrayTile { .. }
                | Mismatch::StrayWrite { .. }
        ),
        Cause::Hang { .. } | Cause::Port(_) | Cause::Protocol(_) | Cause::Rtl(_) | Cause::Crash(_) => true,
    };
    if !about_order || evidence.no_wave.is_some() {
        return None;
    }
    let mut table = Table::new(&["number", "instruction", "taken in cycle", "where it is"]);
    for life in evidence.recording.lives.iter().filter(|life| !life.host && life.retired.is_none()) {
        let place = match (life.dispatched, life.done) {
            (None, _) => "in the issue queue".to_owned(),
            (Some(cycle), None) => format!("executing since cycle {cycle}"),
            (Some(_), Some(cycle)) => format!("complete since cycle {cycle}, waits to retire"),
        };
        let source = subject.target.disassemble(life.word);
        table.row([life.index.to_string(), source, life.issued.to_string(), place]);
    }
    let failed = evidence.recording.cycles.iter().rfind(|cycle| cycle.number <= evidence.failure.cycle);
    let mut notes: Vec<String> = failed.into_iter().flat_map(ports).collect();
    notes.extend(outstanding(&evidence.recording));
    Some(Section::new("flight", "In flight when it failed", notes, Body::Table(table)))
}

/// What the ports do in a cycle.
fn ports(cycle: &Cycle) -> Vec<String> {
    let mut lines = vec![format!("Issue port: {:?}. Result port: {:?}.", cycle.issue, cycle.result)];
    for (name, port) in [("L1M", &cycle.l1m), ("L0M", &cycle.l0m)] {
        if let Some(request) = port.request {
            let granted = if request.granted { "granted" } else { "waits for its grant" };
            lines.push(format!("{name}: the request for address {:#x} {granted}.", request.address));
        }
    }
    lines
}

/// Requests without an answer, as far as the window tells.
fn outstanding(recording: &Recording) -> Vec<String> {
    let count = |granted: usize, answered: usize| granted.saturating_sub(answered);
    let granted = |port: fn(&Cycle) -> crate::lockstep::record::Port| {
        let requests = recording.cycles.iter().filter(|c| port(c).request.is_some_and(|request| request.granted));
        count(requests.count(), recording.cycles.iter().filter(|c| port(c).answer.is_some()).count())
    };
    let (l1m, l0m) = (granted(|cycle| cycle.l1m), granted(|cycle| cycle.l0m));
    vec![format!("Requests without an answer in the recorded window: L1M {l1m}, L0M {l0m}.")]
}

fn history(subject: &Subject, evidence: &Evidence) -> Table {
    let mut table = Table::new(&["number", "cycle", "pc", "by", "instruction", "result"]);
    for r in &evidence.failure.history {
        let by = if r.host { "host" } else { "unit" };
        let source = subject.target.disassemble(r.word);
        let done = if r.killed { "killed" } else { "done" };
        let result = r.trap.map_or(done.into(), |trap| report::trap(Some(trap)));
        let cells = [r.index.to_string(), r.cycle.to_string(), format!("{:#x}", r.pc), by.to_owned(), source, result];
        let failed = evidence.failure.at.is_some_and(|(_, _, index)| index == r.index);
        if failed { table.wrong_row(cells) } else { table.row(cells) }
    }
    table
}

fn program(subject: &Subject, evidence: &Evidence, lines: &[String]) -> Section {
    let failed = subject.case.line(evidence.failure.at).filter(|&failed| failed < lines.len());
    let at = failed.unwrap_or(lines.len());
    // What is in flight may have to do with it, too.
    let waits = evidence.recording.lives.iter().filter(|life| life.retired.is_none());
    let youngest = waits.map(|life| life.index as usize).max().unwrap_or(at).clamp(at, at + LINES.0);
    let (start, end) = (at.saturating_sub(LINES.0), (youngest + 1 + LINES.1).min(lines.len()));
    let mut notes = vec!["The whole program, with the bytes of L1M that it loads, is in program.s.".to_owned()];
    notes.extend(listing::setting(subject).into_iter().map(|line| format!("Set-up: {line}.")));
    let shown = lines.get(start..end).unwrap_or_default().to_vec();
    let mark = failed.map(|failed| failed - start);
    Section::new("program", "The program up to the failure", notes, Body::Listing(shown, mark))
}

fn commands(subject: &Subject, evidence: &Evidence) -> Vec<(String, String)> {
    let moment = moment(&evidence.failure);
    let what = if moment == evidence.failure.cycle { "the failure" } else { "the last retirement" };
    let time = evidence.recording.time(moment);
    let show = format!("the waveform, grouped; {what} is at time {time}, under the marker");
    let again = (subject.again.clone(), "runs exactly this case again".to_owned());
    if evidence.no_wave.is_some() {
        return vec![again];
    }
    vec![
        again,
        ("gtkwave wave.fst wave.gtkw".into(), show.clone()),
        ("surfer wave.fst --command-file wave.sucl".into(), show),
    ]
}
