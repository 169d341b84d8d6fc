// SPDX-License-Identifier: Apache-2.0
//! Simpler values: of the state, of operands, of memories.

use std::collections::BTreeMap;
use std::ops::Range;

use golden::Csr;
use golden::decode::{Engine, OperandKind, decode};

use super::cost::counting;
use super::draft::Draft;
use super::failing::Search;
use super::registers::{lower_one, lowest, rename, renamed, used};
use crate::unit::target::Target;

/// The registers of a kind, by number.
type Registers = fn(&mut Draft) -> &mut BTreeMap<u8, Vec<u8>>;

/// Simpler values of host registers, CSRs, TLRegs and matrix registers.
pub fn values(search: &mut Search) {
    for (number, _) in search.best.state.x.clone() {
        until_nothing(
            search,
            |draft| draft.state.x.get(&number).copied(),
            simpler_number,
            |draft, value| {
                draft.state.x.insert(number, value);
            },
        );
    }
    for (address, _) in search.best.state.csr.clone() {
        let simpler = |value: u32| simpler_csr(address, value);
        until_nothing(
            search,
            |draft| draft.state.csr.get(&address).copied(),
            simpler,
            |draft, value| {
                draft.state.csr.insert(address, value);
            },
        );
    }
    let kinds: [Registers; 2] = [|draft| &mut draft.state.tl, |draft| &mut draft.state.tile];
    for registers in kinds {
        for (number, bytes) in registers(&mut search.best.clone()).clone() {
            if !search.change(|draft| drop(registers(draft).insert(number, counting(bytes.len())))) {
                zero_chunks(search, bytes.len(), 8, |draft| registers(draft).get_mut(&number));
            }
        }
    }
}

/// Tries the simpler values of a number, and those of the one that was taken, until none is taken.
fn until_nothing(
    search: &mut Search,
    get: impl Fn(&Draft) -> Option<u32>,
    simpler: impl Fn(u32) -> Vec<u32>,
    set: impl Fn(&mut Draft, u32),
) {
    while let Some(value) = get(&search.best) {
        if !simpler(value).into_iter().any(|value| search.change(|draft| set(draft, value))) {
            return;
        }
    }
}

fn simpler_number(value: u32) -> Vec<u32> {
    let without_lowest = value & value.wrapping_sub(1);
    let without_highest = value.checked_ilog2().map_or(0, |bit| value & !(1 << bit));
    vec![0, value & 63, value & !63, value >> 8, value >> 1, without_highest, without_lowest]
}

fn simpler_csr(address: u16, value: u32) -> Vec<u32> {
    let lowest = value & value.wrapping_neg();
    match Csr::from_address(address) {
        Some(Csr::TmaskLoad | Csr::TmaskStore | Csr::TmaskConcat1 | Csr::TmaskConcat2) => {
            let single = (0..32).map(|bit| value ^ 1 << bit);
            [0, u32::MAX, value & 0xffff, value | 0xffff_0000, lowest, !(!value & value.wrapping_add(1))]
                .into_iter()
                .chain(single)
                .collect()
        }
        Some(Csr::Tshape) => {
            let sizes = value.to_be_bytes();
            let with = |d: usize, size: u8| {
                let mut sizes = sizes;
                sizes[d] = size;
                u32::from_be_bytes(sizes)
            };
            let smaller =
                |d: usize| [1, sizes[d] / 4, sizes[d] / 2, sizes[d].saturating_sub(1)].map(|size| with(d, size));
            (0..4).flat_map(smaller).collect()
        }
        Some(Csr::TloadStride(i) | Csr::TstoreStride(i)) => {
            simpler_number(value).into_iter().chain([u32::from(i)]).collect()
        }
        Some(Csr::Ttype) => vec![2, 1, 4, 8],
        _ => simpler_number(value),
    }
}

/// Simpler immediates, CSR writes of immediates, dimensions.
pub fn instructions(search: &mut Search) {
    for i in 0..search.best.program.len() {
        let target = search.problem.target;
        let get = |draft: &Draft| draft.program.get(i).map(|step| step.word);
        until_nothing(search, get, |word| simpler_words(target, word), |draft, word| draft.program[i].word = word);
    }
}

/// The instruction with a simpler immediate, or with simpler dimensions.
fn simpler_words(target: &Target, word: u32) -> Vec<u32> {
    let instruction = decode(word, &target.golden);
    let Some(engine) = instruction.engine() else { return Vec::new() };
    let values = |kind| instruction.operands().iter().filter(move |operand| operand.kind == kind).map(|o| o.value);
    // The values of all operands of a kind, in the place of those that they have.
    let with = |kind, values: &[i32]| {
        let mut values = values.iter();
        instruction.with_operands(|operand| {
            let value = if operand.kind == kind { values.next() } else { None };
            value.copied().unwrap_or(operand.value)
        })
    };
    let immediate = values(OperandKind::Immediate).next().map_or(Vec::new(), |value| simpler_immediates(engine, value));
    let immediates = immediate.into_iter().map(|value| with(OperandKind::Immediate, &[value]));
    let dimensions = SIMPLE_DIMENSIONS.iter().filter(|simple| simple.len() == values(OperandKind::Dimension).count());
    let simpler = immediates.chain(dimensions.map(|simple| with(OperandKind::Dimension, simple)));
    simpler.filter_map(|instruction| instruction.encode(&target.golden)).collect()
}

/// The simpler ones of one dimension, and of an exchange of two.
const SIMPLE_DIMENSIONS: [&[i32]; 6] = [&[0], &[1], &[0, 0], &[0, 1], &[0, 2], &[1, 2]];

fn simpler_immediates(engine: Engine, value: i32) -> Vec<i32> {
    match engine {
        // Down to the next one: a slot less, a smaller sum.
        Engine::Load | Engine::Store | Engine::Move | Engine::Xpose => vec![0, value / 2, value - value.signum()],
        // A tile of one row is the simplest one that is not empty.
        Engine::MatrixLoad | Engine::MatrixStore | Engine::MatrixConfig => vec![0, 1, value / 2],
        Engine::Host | Engine::Csr => vec![0, value / 2],
    }
}

/// Low register numbers: all at once, or one after the other; and x0 or tl0 in place of any single operand.
pub fn register_numbers(search: &mut Search) {
    let target = search.problem.target;
    let (x, tl) = used(target, &search.best);
    let candidate = rename(target, &search.best, lowest(&x), lowest(&tl));
    if !search.take(candidate) {
        for &number in &x {
            let candidate = rename(target, &search.best, lower_one(&used(target, &search.best).0, number), |tl| tl);
            search.take(candidate);
        }
        for &number in &tl {
            let candidate = rename(target, &search.best, |x| x, lower_one(&used(target, &search.best).1, number));
            search.take(candidate);
        }
    }
    for i in 0..search.best.program.len() {
        for operand in 0..4 {
            let mut place = 0;
            let mut zero = |number: u8| {
                place += 1;
                if place - 1 == operand { 0 } else { number }
            };
            let word = search.best.program[i].word;
            let zero = std::cell::RefCell::new(&mut zero);
            let simpler = renamed(target, word, |x| (zero.borrow_mut())(x), |tl| (zero.borrow_mut())(tl));
            if let Some(word) = simpler {
                search.change(|draft| draft.program[i].word = word);
            }
        }
    }
}

/// Memories of zeros, or of bytes that count, or with as many zeros as can be.
pub fn memories(search: &mut Search) {
    for memory in 0..2 {
        if search.change(|draft| draft.memory[memory].fill(0)) {
            continue;
        }
        let len = search.best.memory[memory].len();
        search.change(|draft| draft.memory[memory] = (0..len).map(|i| i as u8).collect());
        zero_chunks(search, len, 16, |draft| Some(&mut draft.memory[memory]));
    }
}

/// Zeros chunks of some bytes, the half of them first, down to `least` bytes.
fn zero_chunks(search: &mut Search, len: usize, least: usize, bytes: impl Fn(&mut Draft) -> Option<&mut Vec<u8>>) {
    let mut chunk = len / 2;
    // Chunks that stay: the search goes on inside of them alone.
    let mut open = Vec::from([Range { start: 0, end: len }]);
    while chunk >= least.max(1) {
        let mut kept = Vec::new();
        for start in open.iter().flat_map(|range| range.clone().step_by(chunk)).collect::<Vec<_>>() {
            let range = start..(start + chunk).min(len);
            let mut candidate = search.best.clone();
            let Some(place) = bytes(&mut candidate).and_then(|bytes| bytes.get_mut(range.clone())) else { continue };
            if place.iter().all(|&byte| byte == 0) {
                continue;
            }
            place.fill(0);
            if !search.take(candidate) {
                kept.push(range);
            }
        }
        open = kept;
        chunk /= 2;
    }
}

/// A range that answers with an error, from either end.
pub fn shorten_range(search: &mut Search, memory: usize, i: usize) {
    let word = search.problem.target.rtl.port_bytes();
    let half = |range: &Range<u32>| (range.end - range.start) / word / 2 * word;
    while search.change(|draft| {
        let range = &mut draft.errors[memory][i];
        range.end -= half(range);
    }) || search.change(|draft| {
        let range = &mut draft.errors[memory][i];
        range.start += half(range);
    }) {}
}
