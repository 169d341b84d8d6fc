// SPDX-License-Identifier: Apache-2.0
//! A loop over blocks in which loads, transpositions and stores of different blocks overlap, in assembly language. What
//! is left to do behind the last load of a loop overlaps with the first loads of the next one.

use std::collections::VecDeque;

use super::asm::{Asm, Item, Reg};
use super::kernel::{Kernel, Op};
use crate::plan::Part;
use crate::unit::Unit;

/// Registers of a loop. As many loops have different ones.
const REGISTERS: usize = 10;
const LOOPS: usize = 3;

/// Work and stores of the last blocks of a loop.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// What is left, in turns.
    turns: VecDeque<Vec<Item>>,
    /// Number of the loop.
    number: usize,
    /// Loops that it is of.
    loops: usize,
}

impl Tail {
    /// Emits all of it.
    pub fn flush(&mut self, asm: &mut Asm) {
        while self.next(asm) {}
        self.loops = 0;
    }

    /// Emits a turn.
    fn next(&mut self, asm: &mut Asm) -> bool {
        let turn = self.turns.pop_front();
        turn.iter().flatten().for_each(|(op, place)| asm.unit(op, *place));
        turn.is_some()
    }

    fn has(&self, what: impl Fn(&Op) -> bool) -> bool {
        self.turns.iter().flatten().any(|(op, _)| what(op))
    }
}

struct Stream<'a> {
    kernel: &'a Kernel<'a>,
    from: Option<Reg>,
    to: Vec<Reg>,
}

/// Emits the blocks of a part, but for their tail, and what is left of the tail of the part before.
pub(super) fn emit(asm: &mut Asm, part: &Part, scratch: u64, unit: &Unit, tail: &mut Tail) {
    let kernel = &Kernel::new(part, scratch, unit, tail.number % LOOPS * REGISTERS);
    let (grid, blocks) = (&part.grid, part.grid.blocks());
    let (store, sets) = (kernel.store_after(), kernel.store_after() + 1);
    let constants = kernel.all().iter().filter_map(Op::constant).count();
    let tiles = |op: &Op| matches!(op, Op::Lines(..));
    // A pointer, steps, counters, places and constants.
    let few = asm.free() < 3 + grid.loops.len() + sets + constants;
    if few || tail.loops == LOOPS || !kernel.loads() || kernel.all().iter().any(tiles) && tail.has(tiles) {
        tail.flush(asm);
        asm.release();
    }
    kernel.setup[0].iter().for_each(|op| asm.unit(op, None));
    kernel.all().iter().filter_map(Op::constant).for_each(|value| asm.keep(value));
    let from = kernel.loads().then(|| asm.constant(grid.from));
    let to: Vec<Reg> = (0..sets).map(|_| asm.reg()).collect();
    asm.li(to[0], grid.to);
    let nest = asm.nest(&grid.loops);
    let stream = Stream { kernel, from, to };
    let advance = |asm: &mut Asm, turn: usize, target: &str| {
        asm.advance(&nest, from, [stream.to[turn % sets], stream.to[(turn + 1) % sets]], target);
    };
    // The first blocks fill the pipe.
    for turn in 0..blocks.min(store) {
        stream.before(turn, tail).iter().for_each(|(op, place)| asm.unit(op, *place));
        stream.turn(turn, blocks).iter().for_each(|(op, place)| asm.unit(op, *place));
        tail.next(asm);
        if tail.turns.is_empty() {
            kernel.setup[1..].iter().flatten().for_each(|op| asm.unit(op, None));
        }
        if turn + 1 < blocks {
            let next = asm.fresh_label();
            advance(asm, turn, &next);
            asm.label(&next);
        }
    }
    // Then a turn of the loop has one for each set of registers.
    if blocks > store {
        stream.before(store, tail).iter().chain(&stream.context()).for_each(|(op, place)| asm.unit(op, *place));
        let [top, end] = [asm.fresh_label(), asm.fresh_label()];
        asm.label(&top);
        let last = (blocks - 1 - store) % sets;
        for i in 0..if blocks - store < sets { last + 1 } else { sets } {
            stream.turn(store + i, usize::MAX).iter().for_each(|(op, place)| asm.unit(op, *place));
            if i + 1 == sets {
                advance(asm, store + i, &top);
            } else if blocks - store != i + 1 {
                let next = asm.fresh_label();
                advance(asm, store + i, &next);
                if i == last {
                    asm.op(format_args!("j {end}"));
                }
                asm.label(&next);
            }
        }
        asm.label(&end);
    }
    let mut left = VecDeque::new();
    for turn in blocks..blocks + store {
        let old = tail.turns.pop_front().into_iter().flatten();
        left.push_back(old.chain(stream.before(turn, tail)).chain(stream.turn(turn, blocks)).collect());
    }
    let loops = if blocks > store { 1 } else { tail.loops + 1 };
    *tail = Tail { turns: left, number: tail.number + 1, loops };
    asm.release_but(tail.turns.iter().flatten());
}

impl Stream<'_> {
    fn context(&self) -> Vec<Item> {
        self.kernel.context.iter().map(|op| (op.clone(), None)).collect()
    }

    /// CSRs that are first needed in this turn, behind what is left of `tail` with other ones.
    fn before(&self, turn: usize, tail: &mut Tail) -> Vec<Item> {
        let [_, work, store] = &self.kernel.setup;
        let (works, stores) = (turn == self.kernel.work_after() && !work.is_empty(), turn == self.kernel.store_after());
        let combines = works && tail.has(|op| matches!(op, Op::Combine(..)));
        let old: Vec<Item> = if stores || combines { tail.turns.drain(..).flatten().collect() } else { Vec::new() };
        let first = [(works, work), (stores, store)].into_iter().filter(|(first, _)| *first);
        old.into_iter().chain(first.flat_map(|(_, ops)| ops).map(|op| (op.clone(), None))).collect()
    }

    /// The load of block `turn`, and what older ones are ready for; there are so many blocks.
    fn turn(&self, turn: usize, blocks: usize) -> Vec<Item> {
        let (kernel, sets) = (self.kernel, self.to.len());
        let ready = |after: usize| turn.checked_sub(after).filter(|block| *block < blocks);
        let mut items = self.context();
        for part in 0..kernel.parts() {
            let load = ready(0).map_or(Vec::new(), |block| kernel.load(block % sets, part));
            items.extend(load.into_iter().map(|op| (op, self.from)));
            let work = ready(kernel.work_after()).filter(|_| part == 0 && kernel.work_after() > 0);
            items.extend(work.map_or(Vec::new(), |block| kernel.work(block % sets)).into_iter().map(|op| (op, None)));
            if let Some(set) = ready(kernel.store_after()).map(|block| block % sets) {
                items.extend(kernel.store(set, part).into_iter().map(|op| (op, Some(self.to[set]))));
            }
        }
        items
    }
}
