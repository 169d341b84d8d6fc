// SPDX-License-Identifier: Apache-2.0
//! What is next to a small failing case, and whether that fails, too: one thing about the failing instruction is
//! another at a time.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::Result;
use golden::decode::{Decoded, Elements, Isa, OperandKind, Register, Tensor, decode};
use golden::{Csr, Machine};

use super::Interrupted;
use super::draft::Draft;
use super::failing::Run;
use super::registers::rename;
use crate::case::Case;
use crate::lockstep::failure::Failure;
use crate::lockstep::stall::{self, Class, NO_STALL};
use crate::unit::target::Target;
use crate::unit::tiles;

/// Runs at most.
pub const MOST_RUNS: usize = 40;
/// No run begins after this time: that of a case that never ends takes as long as its watchdog.
const MOST_TIME: Duration = Duration::from_secs(30);

/// Values of one thing about a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pub name: &'static str,
    /// Its value in the case, which fails.
    pub own: String,
    /// Other values that fail.
    pub fail: Vec<String>,
    pub pass: Vec<String>,
}

/// A neighbour: the axis, the value of the case, another one, and the case with that.
struct Neighbour {
    axis: &'static str,
    own: String,
    other: String,
    draft: Draft,
}

/// Runs the neighbours of the small case `case`, which fails with `failure`, in an order of their own and [`MOST_RUNS`]
/// at most. Neighbours in which the instruction traps, if it does not in the case, are none, and the other way round.
///
/// # Errors
/// Those of `run`, but [`Interrupted`]: then the axes so far.
pub fn neighbours(target: &Target, case: &Case, failure: &Failure, run: &mut Run) -> Result<Vec<Axis>> {
    let draft = Draft::from_case(target, case);
    let at = failure.at.and_then(|(_, _, index)| (index as usize).checked_sub(case.preload.len()));
    let mut all = Vec::new();
    if let Some(at) = at.filter(|&at| !draft.host && at < draft.program.len()) {
        let own = before(target, &draft, at);
        let traps = |draft: &Draft| before(target, draft, at).step(draft.program[at].word).trap.is_some();
        let trapped = traps(&draft);
        all.extend(of_state(target, &draft, &own, at));
        all.extend(of_word(target, &draft, at));
        all.extend(of_unread_csrs(target, &draft, &own, at));
        all.extend(of_registers(target, &draft, at));
        all.retain(|neighbour| traps(&neighbour.draft) == trapped);
    }
    all.extend(of_stalls(&draft));
    let (start, mut axes) = (Instant::now(), Vec::<Axis>::new());
    for Neighbour { axis, own, other, draft } in all.into_iter().take(MOST_RUNS) {
        let Some(case) = draft.case(target) else { continue };
        if start.elapsed() >= MOST_TIME {
            break;
        }
        let failed = match run(&case) {
            Ok(failure) => failure.is_some(),
            Err(error) if error.is::<Interrupted>() => break,
            Err(error) => return Err(error),
        };
        if axes.last().is_none_or(|last| last.name != axis || last.own != own) {
            axes.push(Axis { name: axis, own, fail: Vec::new(), pass: Vec::new() });
        }
        if let Some(axis) = axes.last_mut() {
            if failed { axis.fail.push(other) } else { axis.pass.push(other) }
        }
    }
    Ok(axes)
}

pub fn text(axes: &[Axis]) -> String {
    let runs: usize = axes.iter().map(|axis| axis.fail.len() + axis.pass.len()).sum();
    if runs == 0 {
        return String::new();
    }
    let parts: Vec<String> = axes.iter().map(Axis::text).collect();
    format!("{} ({runs} runs, one thing varied in each)", parts.join("; "))
}

impl Axis {
    fn text(&self) -> String {
        let Axis { name, own, fail, pass } = self;
        match (fail.is_empty(), pass.is_empty()) {
            (true, _) => format!("only {name} {own}, not {}", pass.join(", ")),
            (false, true) => format!("any {name}: {own}, {}", fail.join(", ")),
            (false, false) => format!("{name} {own}, {}, not {}", fail.join(", "), pass.join(", ")),
        }
    }
}

/// The model before instruction `at` of the program.
fn before(target: &Target, draft: &Draft, at: usize) -> Machine {
    let mut machine = draft.machine(target);
    draft.program[..at].iter().for_each(|step| drop(machine.step(step.word)));
    machine
}

/// Other element widths, and other sizes of the block, the tensor or the tile.
fn of_state(target: &Target, draft: &Draft, own: &Machine, at: usize) -> Vec<Neighbour> {
    let instruction = decode(draft.program[at].word, &target.golden);
    let mut all = Vec::new();
    let mut csr = |axis: &'static str, csr: Csr, value: u32, name: &dyn Fn(u32) -> String| {
        let mut other = draft.clone();
        other.state.csr.insert(csr.address(), value);
        // The program may write the CSR itself.
        if before(target, &other, at).csr.read(csr) == value {
            all.push(Neighbour { axis, own: name(own.csr.read(csr)), other: name(value), draft: other });
        }
    };
    let sizes = |value: u32, count: usize| -> Vec<u32> {
        let bytes = value.to_le_bytes();
        let with = |i: usize, size: Option<u8>| {
            let mut other = bytes;
            other[i] = size.filter(|&size| size != 0 && size != bytes[i])?;
            Some(u32::from_le_bytes(other))
        };
        let others = |i: usize| [Some(1), bytes[i].checked_sub(1), bytes[i].checked_add(1)].map(|size| with(i, size));
        let all: BTreeSet<u32> = (0..count).flat_map(others).flatten().collect();
        all.into_iter().collect()
    };
    let tensor = match instruction {
        Decoded::Tensor(tensor) => Some(tensor),
        Decoded::Matrix(_) | Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => None,
    };
    let elements = tensor.map(Tensor::elements);
    let exchange = matches!(elements, Some(Elements::Exchanged));
    if let Some(element) = own.element_type().filter(|element| element.integer && tensor.is_some() && !exchange) {
        let widths = target.golden.element_widths;
        for bits in [4, 8, 16, 32].into_iter().filter(|&bits| bits != element.bits && widths.contains(bits)) {
            csr("element width", Csr::Ttype, 1 << (bits.ilog2() - 2), &|value| format!("{} bits", 4 * value));
        }
    }
    match elements {
        Some(Elements::Exchanged) => {
            let rs = instruction.operands().named("rs").map_or(0, |rs| rs as u8);
            return tensors(target, draft, own, at, rs);
        }
        Some(Elements::Slices(_) | Elements::Chosen(_)) => {
            let name = |value: u32| format!("{:?}", &value.to_be_bytes()[1..]);
            for value in sizes(own.csr.read(Csr::Tshape), 3) {
                csr("block", Csr::Tshape, value, &name);
            }
        }
        Some(Elements::Sum(_)) => {}
        None => {
            if let Some((_, transfer)) = instruction.tile_transfer() {
                let (down, across) = transfer.form.shape();
                for (axis, size) in [("rows", down), ("columns", across)] {
                    let value = own.csr.tile_size(size);
                    let others: BTreeSet<u32> = [1, value.saturating_sub(1), value + 1, 2 * value].into();
                    for other in others.into_iter().filter(|&other| other != value && other != 0) {
                        csr(axis, Csr::Matrix(size.csr()), other, &|value| value.to_string());
                    }
                }
            }
        }
    }
    all
}

/// Other element widths and sizes of a transposition, whose tensor always fills both registers: a factor of 2 goes from
/// one size to another, and what an element is wider, one of the sizes is smaller.
fn tensors(target: &Target, draft: &Draft, own: &Machine, at: usize, rs: u8) -> Vec<Neighbour> {
    let Some(element) = own.element_type() else { return Vec::new() };
    let sizes = own.x(rs).to_le_bytes();
    let name = |bits: u32, sizes: [u8; 4]| [format!("{bits} bits"), format!("{sizes:?}")];
    let mut all = Vec::new();
    let mut add = |axis: usize, bits: u32, other: [u8; 4]| {
        let mut changed = draft.clone();
        if bits != element.bits {
            changed.state.csr.insert(Csr::Ttype.address(), 1 << (bits.ilog2() - 2));
        }
        changed.state.x.insert(rs, u32::from_le_bytes(other));
        // The program may write both itself.
        let machine = before(target, &changed, at);
        if machine.x(rs).to_le_bytes() == other && machine.element_type().is_some_and(|element| element.bits == bits) {
            let names = [name(element.bits, sizes), name(bits, other)].map(|names| names[axis].clone());
            let [own, other] = names;
            all.push(Neighbour { axis: ["element width", "tensor"][axis], own, other, draft: changed });
        }
    };
    let times = |size: u8, by: u32, over: u32| {
        let product = u32::from(size) * by;
        product
            .is_multiple_of(over)
            .then_some(product / over)
            .and_then(|size| u8::try_from(size).ok())
            .filter(|&size| size != 0)
    };
    for bits in [4, 8, 16, 32].into_iter().filter(|&bits| target.golden.element_widths.contains(bits)) {
        let scaled = (0..4).rev().find_map(|i| Some((i, times(sizes[i], element.bits, bits)?)));
        if let Some((i, size)) = scaled.filter(|_| bits != element.bits && element.integer) {
            let mut other = sizes;
            other[i] = size;
            add(0, bits, other);
        }
    }
    for (from, to) in (0..4).flat_map(|from| (0..4).filter(move |&to| to != from).map(move |to| (from, to))) {
        if let (Some(smaller), Some(larger)) = (times(sizes[from], 1, 2), times(sizes[to], 2, 1)) {
            let mut other = sizes;
            (other[from], other[to]) = (smaller, larger);
            add(1, element.bits, other);
        }
    }
    all
}

/// Other immediates and dimensions.
fn of_word(target: &Target, draft: &Draft, at: usize) -> Vec<Neighbour> {
    let instruction = decode(draft.program[at].word, &target.golden);
    let values = |kind| -> Vec<i32> {
        instruction.operands().iter().filter(|operand| operand.kind == kind).map(|operand| operand.value).collect()
    };
    let with = |axis: &'static str, kind: OperandKind, others: &[i32]| {
        let name = |values: &[i32]| values.iter().map(i32::to_string).collect::<Vec<_>>().join(" and ");
        let mut rest = others.iter();
        let mut next = |old: i32| rest.next().copied().unwrap_or(old);
        let word = instruction
            .with_operands(|operand| if operand.kind == kind { next(operand.value) } else { operand.value })
            .encode(&target.golden)?;
        let mut other = draft.clone();
        other.program[at].word = word;
        // Only the bits of a value that its field has count.
        let kept: Vec<i32> =
            decode(word, &target.golden).operands().iter().filter(|o| o.kind == kind).map(|o| o.value).collect();
        (kept == others).then(|| Neighbour { axis, own: name(&values(kind)), other: name(others), draft: other })
    };
    let mut all = Vec::new();
    if let Some(immediate) = instruction.operands().immediate() {
        let (own, range) = (immediate.value, immediate.range());
        let near: BTreeSet<i32> = [own - 1, own + 1, 0, 1, -1, *range.start(), *range.end()].into();
        let others = near.into_iter().filter(|other| *other != own && range.contains(other));
        all.extend(others.filter_map(|other| with("immediate", OperandKind::Immediate, &[other])));
    }
    let own = values(OperandKind::Dimension);
    let others: Vec<Vec<i32>> = match own.len() {
        1 => (0..3).map(|d| vec![d]).collect(),
        2 => (0..4).flat_map(|p| (p + 1..4).map(move |q| vec![p, q])).collect(),
        _ => Vec::new(),
    };
    let axis = if own.len() == 1 { "dimension" } else { "dimensions" };
    let others = others.into_iter().filter(|other| *other != own);
    all.extend(others.filter_map(|other| with(axis, OperandKind::Dimension, &other)));
    all
}

/// The same with other registers: each that the instruction names changes places with the next one, and with one of the
/// other half.
fn of_registers(target: &Target, draft: &Draft, at: usize) -> Vec<Neighbour> {
    let instruction = decode(draft.program[at].word, &target.golden);
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for operand in instruction.operands().iter() {
        let Some(register) = operand.register() else { continue };
        let (kind, number, numbers) = match register {
            Register::X(number) => (0, number, 32),
            Register::Tl(number) => (1, number, 32),
            // Of one kind: a transfer is to a register of four.
            Register::Tile(tile) => (2, tiles::number(tile), 4),
        };
        if (number == 0 && kind < 2) || !seen.insert((kind, number)) {
            continue;
        }
        let name = |number: u8| match kind {
            0 => format!("x{number}"),
            1 => format!("tl{number}"),
            _ => tiles::name(tiles::tile(number)),
        };
        let near = [number + 1, number ^ (numbers / 2)].map(|other| number / numbers * numbers + other % numbers);
        for other in near.into_iter().filter(|&other| other != number && (other != 0 || kind == 2)) {
            let swap = |i: u8| match i {
                i if i == number => other,
                i if i == other => number,
                i => i,
            };
            let draft = match kind {
                0 => rename(target, draft, swap, |tl| tl),
                1 => rename(target, draft, |x| x, swap),
                _ => with_tiles(target, draft, swap),
            };
            all.push(Neighbour { axis: "register", own: name(number), other: name(other), draft });
        }
    }
    all
}

/// The draft with other matrix registers.
fn with_tiles(target: &Target, draft: &Draft, other: impl Fn(u8) -> u8) -> Draft {
    let mut result = draft.clone();
    for step in &mut result.program {
        let changed = decode(step.word, &target.golden).with_operands(|operand| match operand.register() {
            // The number among those of its kind.
            Some(Register::Tile(tile)) => i32::from(other(tiles::number(tile)) & 3),
            Some(Register::X(_) | Register::Tl(_)) | None => operand.value,
        });
        step.word = changed.encode(&target.golden).unwrap_or(step.word);
    }
    result.state.tile = draft.state.tile.iter().map(|(&i, bytes)| (other(i), bytes.clone())).collect();
    result
}

/// With other values of CSRs that the instruction does not read, one at a time; the first of each row of strides.
fn of_unread_csrs(target: &Target, draft: &Draft, own: &Machine, at: usize) -> Vec<Neighbour> {
    let instruction = decode(draft.program[at].word, &target.golden);
    let read: Vec<Csr> = match instruction {
        Decoded::Tensor(tensor) => tensor.csrs().collect(),
        Decoded::Matrix(_) => Vec::new(),
        Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => return Vec::new(),
    };
    let isa = Isa::from(&target.golden);
    let unread = Csr::all().filter(|csr| isa.has(*csr) && !read.contains(csr)).filter(|csr| match csr {
        // What the masks are, is varied by them.
        Csr::Ttype | Csr::Tlenb | Csr::TmaskInit | Csr::Matrix(_) => false,
        Csr::TloadStride(i) | Csr::TstoreStride(i) => *i == 0,
        Csr::Tshape
        | Csr::TmaskLoad
        | Csr::TmaskStore
        | Csr::TmaskConcat1
        | Csr::TmaskConcat2
        | Csr::TloadWidth
        | Csr::TstoreWidth
        | Csr::TloadPitch
        | Csr::TstorePitch => true,
    });
    let other = |csr: Csr| {
        let mut other = draft.clone();
        other.state.csr.insert(csr.address(), !own.csr.read(csr));
        // The program may write the CSR itself.
        let changed = before(target, &other, at).csr.read(csr) != own.csr.read(csr);
        let (axis, own) = ("unread CSRs", "as they are".into());
        changed.then(|| Neighbour { axis, own, other: csr.name(), draft: other })
    };
    unread.filter_map(other).collect()
}

/// With and without stalls.
fn of_stalls(draft: &Draft) -> Vec<Neighbour> {
    let of = |plan: &stall::Plan| {
        let classes = plan.classes();
        let same = classes.iter().all(|class| *class == classes[0]);
        if same { format!("{:?}", classes[0]).to_lowercase() } else { "at some ports".into() }
    };
    let waits = draft.program.iter().any(|step| step.stall != NO_STALL);
    let own = if waits { of(&draft.stalls) } else { "none".into() };
    let mut all = Vec::new();
    for class in Class::ALL {
        let mut other = draft.clone();
        other.stalls = stall::Plan::all(class);
        for (index, step) in (0..).zip(&mut other.program) {
            step.stall = stall::seed_of(draft.seed, index);
        }
        let name = of(&other.stalls);
        if name != own {
            all.push(Neighbour { axis: "stalls", own: own.clone(), other: name, draft: other });
        }
    }
    all
}
