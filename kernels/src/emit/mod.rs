// SPDX-License-Identifier: Apache-2.0
//! From a plan to a program in assembly language.

mod asm;
pub mod c;
mod host;
mod kernel;
mod stream;

use crate::plan::pieces::{Copy, Pieces};
use crate::plan::{Body, PROGRAM_TENSORS, Place, Plan, Step};
use crate::unit::Unit;
use asm::{Asm, PIECE, TEMP, TEMP2};
use host::Base;
use stream::Tail;

/// Where the host sees L1M.
pub(crate) const L1M_WINDOW: i64 = 0x1000_0000;
/// Where it sees L0M.
pub(crate) const L0M_WINDOW: i64 = 0x2000_0000;
/// Where host registers are saved in program memory while a piece is moved.
const SAVED: u64 = PROGRAM_TENSORS - 128;
/// Bytes of program memory reserved for the program when the tensors are there too.
pub const PROGRAM_BYTES: u64 = SAVED;

/// The program of a plan. It reads its inputs from L1M and writes its outputs to L0M, at the addresses of the plan; a
/// tiled plan has both in program memory. It ends when the unit is done.
pub fn program(plan: &Plan, unit: &Unit) -> String {
    let mut asm = Asm::new();
    let routines = routines(&mut asm, plan);
    let mut tail = Tail::default();
    for (i, step) in plan.steps.iter().enumerate() {
        asm.comment(step.describe());
        match &step.place {
            Place::Memories => block(&mut asm, step, plan.scratch, unit, &mut tail),
            // A tiled plan has no step that leaves a tail.
            Place::Program => asm.op(format_args!("jal x1, {}", routines[i][0])),
            Place::Pieces(pieces) => {
                each(&mut asm, pieces, &routines[i], |asm| {
                    block(asm, step, plan.scratch, unit, &mut tail);
                    tail.flush(asm);
                });
            }
        }
    }
    tail.flush(&mut asm);
    asm.op("fence");
    asm.text
}

/// The first part of a tiled program: what the host does in program memory. Empty if the plan is not tiled. The
/// instructions after this part are unrelated to copies.
pub fn copies(plan: &Plan) -> String {
    let mut asm = Asm::new();
    routines(&mut asm, plan);
    asm.text
}

/// Emits what the host does in program memory, and gives the labels for each step.
fn routines(asm: &mut Asm, plan: &Plan) -> Vec<Vec<String>> {
    if !plan.tiled {
        return vec![Vec::new(); plan.steps.len()];
    }
    let start = asm.fresh_label();
    asm.op(format_args!("j {start}"));
    let routine = |asm: &mut Asm, what: &str, emit: &dyn Fn(&mut Asm)| {
        let label = asm.fresh_label();
        asm.comment(what);
        asm.label(&label);
        emit(asm);
        asm.op("ret");
        label
    };
    let (memory, piece) = (Base::memory, |i: usize| Base { memory: 0, register: Some(PIECE[i]) });
    let copy = |copy: &Copy, bases: [Base; 2]| {
        let copy = copy.clone();
        move |asm: &mut Asm| host::sized(asm, &copy.job, copy.access, bases)
    };
    let labels = |step: &Step| match &step.place {
        Place::Memories => Vec::new(),
        Place::Program => vec![routine(asm, &step.describe(), &|asm| {
            step.parts.iter().for_each(|part| host::emit(asm, &part.job, [memory(0); 2]));
        })],
        Place::Pieces(pieces) => vec![
            routine(asm, "piece to L1M", &copy(&pieces.copy_in, [piece(0), memory(L1M_WINDOW)])),
            routine(asm, "piece from L0M", &copy(&pieces.copy_out, [memory(L0M_WINDOW), piece(1)])),
        ],
    };
    let labels = plan.steps.iter().map(labels).collect();
    asm.label(&start);
    labels
}

/// Emits a loop over pieces around what moves one.
fn each(asm: &mut Asm, pieces: &Pieces, routines: &[String], mut emit: impl FnMut(&mut Asm)) {
    let [from, to] = PIECE;
    for grid in &pieces.grids {
        asm.release();
        asm.li(from, grid.from);
        asm.li(to, grid.to);
        let nest = asm.nest(&grid.loops);
        let saved: Vec<_> = (0..).step_by(4).zip(asm.given()).collect();
        let top = asm.fresh_label();
        asm.label(&top);
        asm.forget();
        asm.li(TEMP, SAVED as i64);
        saved.iter().for_each(|(at, register)| asm.op(format_args!("sw {register}, {at}({TEMP})")));
        asm.op(format_args!("jal x1, {}", routines[0]));
        emit(asm);
        asm.op("fence");
        asm.op(format_args!("jal x1, {}", routines[1]));
        asm.li(TEMP2, SAVED as i64);
        saved.iter().for_each(|(at, register)| asm.op(format_args!("lw {register}, {at}({TEMP2})")));
        if !grid.loops.is_empty() {
            // Farther than a branch reaches.
            let [again, over] = [asm.fresh_label(), asm.fresh_label()];
            asm.advance(&nest, Some(from), [to, to], &again);
            asm.op(format_args!("j {over}"));
            asm.label(&again);
            asm.op(format_args!("j {top}"));
            asm.label(&over);
        }
    }
}

/// Emits a step in L1M and L0M, behind the tail of the one before.
fn block(asm: &mut Asm, step: &Step, scratch: u64, unit: &Unit, tail: &mut Tail) {
    for part in &step.parts {
        asm.comment(part.describe());
        if part.body == Body::Host {
            tail.flush(asm);
            host::emit(asm, &part.job, [L1M_WINDOW, L0M_WINDOW].map(Base::memory));
        } else {
            stream::emit(asm, part, scratch, unit, tail);
        }
    }
}
