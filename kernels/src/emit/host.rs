// SPDX-License-Identifier: Apache-2.0
//! Loops of the host alone: the baseline for measurements, and the fallback for 4-bit elements that no slice can hold.

use super::asm::{Asm, Reg, TEMP, TEMP2};
use crate::mapping::Dim;
use crate::plan::access;
use crate::plan::block::{Job, Loop, Sum};

/// Maximum number of accesses in an iteration of the innermost loop.
const UNROLL: usize = 16;

/// Base address of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    /// Address of the memory, as the host sees it.
    pub memory: i64,
    /// A register to add.
    pub register: Option<Reg>,
}

impl Base {
    /// The first byte of a memory.
    pub fn memory(memory: i64) -> Self {
        Self { memory, register: None }
    }

    /// A register with the address `value` bytes after this one.
    fn pointer(self, asm: &mut Asm, value: i64) -> Reg {
        let pointer = asm.constant(self.memory + value);
        if let Some(register) = self.register {
            asm.op(format_args!("add {pointer}, {pointer}, {register}"));
        }
        pointer
    }
}

/// Emits the moves of `job`, with the widest accesses that its alignment allows.
pub(super) fn emit(asm: &mut Asm, job: &Job, bases: [Base; 2]) {
    if job.unit == 4 {
        return nibbles(asm, job, bases);
    }
    if job.element == 8 && job.value.is_some_and(|value| value >> 32 != value & 0xffff_ffff) {
        return halves(asm, job, bases);
    }
    sized(asm, job, access(job), bases);
}

/// The same with accesses of `size` bytes.
pub(super) fn sized(asm: &mut Asm, job: &Job, size: usize, bases: [Base; 2]) {
    let access = Access { size, bases };
    let mut dims: Vec<Dim> = job.others().into_iter().map(|(_, dim)| dim).collect();
    let run = job.run() / size;
    if run > 1 {
        dims.push(Dim { size: run, from: size as isize, to: size as isize });
    }
    // The innermost loop is the one whose places are near enough for offsets of instructions.
    let far = |dim: &Dim| dim.to.abs().max(if job.value.is_some() { 0 } else { dim.from.abs() });
    dims.sort_by_key(|dim| std::cmp::Reverse(far(dim)));
    let inner = dims.pop().unwrap_or(Dim { size: 1, from: 0, to: 0 });
    let reach = (2047 / far(&inner).max(1)) as usize + 1;
    let unroll = inner.size.min(UNROLL).min(reach);
    let rest = inner.size % unroll;
    let mut loops = loops(&dims);
    loops.push(Loop {
        count: inner.size / unroll,
        from: (inner.from * unroll as isize) as i64,
        to: (inner.to * unroll as isize) as i64,
    });
    turns(asm, job, &access, &loops, unroll, &inner, 0);
    if rest > 0 {
        loops.pop();
        turns(asm, job, &access, &loops, rest, &inner, (inner.size - rest) as i64);
    }
}

/// A value of 64 bits, word by word.
fn halves(asm: &mut Asm, job: &Job, bases: [Base; 2]) {
    let mut dims: Vec<Dim> = job.others().into_iter().map(|(_, dim)| dim).collect();
    dims.push(Dim { size: job.run() / 8, from: 8, to: 8 });
    dims.push(Dim { size: 4, from: 1, to: 1 });
    dims.retain(|dim| dim.size > 1);
    for (i, shift) in [0, 32].into_iter().enumerate() {
        let value = job.value.map(|value| value >> shift & 0xffff_ffff);
        emit(asm, &Job { element: 4, value, to: job.to + 4 * i as i64, dims: dims.clone(), ..*job }, bases);
    }
}

fn loops(dims: &[Dim]) -> Vec<Loop> {
    dims.iter().map(|dim| Loop { count: dim.size, from: dim.from as i64, to: dim.to as i64 }).collect()
}

/// Size of an access in bytes, and the bases of input and output.
struct Access {
    size: usize,
    bases: [Base; 2],
}

/// `number` accesses along `inner` from index `first` on, in each turn of `loops`.
fn turns(asm: &mut Asm, job: &Job, access: &Access, loops: &[Loop], number: usize, inner: &Dim, first: i64) {
    asm.release();
    let (load, store) = match access.size {
        4 => ("lw", "sw"),
        2 => ("lhu", "sh"),
        _ => ("lbu", "sb"),
    };
    let loops: Vec<Loop> = loops.iter().copied().filter(|l| l.count > 1).collect();
    let to = access.bases[1].pointer(asm, job.to + first * inner.to as i64);
    let (from, value) = match job.value {
        None => (Some(access.bases[0].pointer(asm, job.from + first * inner.from as i64)), TEMP2),
        Some(value) => {
            let bytes = value.to_le_bytes();
            (None, asm.constant((0..4).rev().fold(0, |word, i| word << 8 | i64::from(bytes[i % job.element]))))
        }
    };
    let limit = limit(asm, job);
    let nest = asm.nest(&loops);
    let top = asm.fresh_label();
    asm.label(&top);
    for i in 0..number as isize {
        if let Some(from) = from {
            asm.op(format_args!("{load} {value}, {}({from})", i * inner.from));
        }
        limit.into_iter().for_each(|limit| add(asm, value, limit));
        asm.op(format_args!("{store} {value}, {}({to})", i * inner.to));
    }
    asm.advance(&nest, from, [to, to], &top);
}

/// What is added to elements, with a register that has the lowest or the highest whose sum is an element.
fn limit(asm: &mut Asm, job: &Job) -> Option<(Sum, Reg)> {
    job.sum.map(|sum| (sum, asm.constant(sum.range()[usize::from(sum.add > 0)].into())))
}

/// Adds to the element in `value`.
fn add(asm: &mut Asm, value: Reg, (sum, limit): (Sum, Reg)) {
    let inside = asm.fresh_label();
    let [high, low] = if sum.add > 0 { [limit, value] } else { [value, limit] };
    asm.op(format_args!("bgeu {high}, {low}, {inside}"));
    asm.op(format_args!("mv {value}, {limit}"));
    asm.label(&inside);
    asm.op(format_args!("addi {value}, {value}, {}", sum.add));
}

/// Nibble by nibble; pointers count nibbles.
fn nibbles(asm: &mut Asm, job: &Job, bases: [Base; 2]) {
    asm.release();
    let to = asm.constant(job.to);
    let from = if job.value.is_none() { Some(asm.constant(job.from)) } else { None };
    let [windows_in, windows_out] = bases.map(|base| base.pointer(asm, 0));
    let [shift, mask, value] = [(); 3].map(|()| asm.reg());
    let limit = limit(asm, job);
    let mut loops = loops(&job.dims);
    loops.retain(|l| l.count > 1);
    let nest = asm.nest(&loops);
    let top = asm.fresh_label();
    asm.label(&top);
    let place = |asm: &mut Asm, nibble: Reg, window: Reg| {
        asm.op(format_args!("srli {TEMP}, {nibble}, 1"));
        asm.op(format_args!("add {TEMP}, {TEMP}, {window}"));
        asm.op(format_args!("andi {shift}, {nibble}, 1"));
        asm.op(format_args!("slli {shift}, {shift}, 2"));
    };
    match (from, job.value) {
        (Some(from), _) => {
            place(asm, from, windows_in);
            asm.op(format_args!("lbu {value}, 0({TEMP})"));
            asm.op(format_args!("srl {value}, {value}, {shift}"));
            asm.op(format_args!("andi {value}, {value}, 15"));
            limit.into_iter().for_each(|limit| add(asm, value, limit));
        }
        (None, constant) => asm.li(value, constant.unwrap_or(0) as i64),
    }
    place(asm, to, windows_out);
    asm.op(format_args!("li {mask}, 15"));
    asm.op(format_args!("sll {mask}, {mask}, {shift}"));
    asm.op(format_args!("sll {value}, {value}, {shift}"));
    asm.op(format_args!("lbu {TEMP2}, 0({TEMP})"));
    asm.op(format_args!("not {mask}, {mask}"));
    asm.op(format_args!("and {TEMP2}, {TEMP2}, {mask}"));
    asm.op(format_args!("or {TEMP2}, {TEMP2}, {value}"));
    asm.op(format_args!("sb {TEMP2}, 0({TEMP})"));
    asm.advance(&nest, from, [to, to], &top);
}
