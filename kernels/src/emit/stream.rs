// SPDX-License-Identifier: Apache-2.0
//! A loop over blocks in which loads, transpositions and stores of different blocks overlap, in assembly language.

use super::asm::{Asm, Nest, Reg};
use super::kernel::Kernel;
use crate::plan::block::Grid;

struct Stream<'a> {
    kernel: &'a Kernel<'a>,
    nest: Nest,
    from: Option<Reg>,
    to: Vec<Reg>,
}

/// Emits the blocks of `grid`.
pub(super) fn emit(asm: &mut Asm, kernel: &Kernel, grid: &Grid) {
    let sets = kernel.store_after() + 1;
    kernel.setup.iter().for_each(|op| asm.unit(op, None));
    kernel.all().iter().filter_map(|op| op.constant()).for_each(|value| asm.keep(value));
    let from = kernel.loads().then(|| asm.constant(grid.from));
    let to: Vec<Reg> = (0..sets).map(|_| asm.reg()).collect();
    asm.li(to[0], grid.to);
    let nest = asm.nest(&grid.loops);
    let stream = Stream { kernel, nest, from, to };
    let end = asm.fresh_label();
    let top = asm.fresh_label();
    // The first blocks fill the pipe, then a turn of the loop has one for each set of registers.
    let turns = sets + kernel.store_after();
    for k in 0..turns {
        if k == kernel.store_after() {
            asm.label(&top);
        }
        stream.block(asm, k);
        let last = k + 1 == turns;
        let next = if last { top.clone() } else { asm.fresh_label() };
        let places = [stream.to[k % sets], stream.to[(k + 1) % sets]];
        asm.advance(&stream.nest, stream.from, places, &next);
        stream.drain(asm, k);
        if grid.loops.is_empty() {
            // There is one block alone.
            break;
        }
        if !last {
            asm.op(format_args!("j {end}"));
            asm.label(&next);
        }
    }
    asm.label(&end);
}

impl Stream<'_> {
    /// The load of block `k`, and what older ones are ready for.
    fn block(&self, asm: &mut Asm, k: usize) {
        let (work, store) = (self.kernel.work_after(), self.kernel.store_after());
        for part in 0..self.kernel.parts() {
            let load = self.kernel.load(k % self.to.len(), part);
            load.iter().for_each(|op| asm.unit(op, self.from));
            if part == 0 && work > 0 && k >= work {
                self.work(asm, k - work);
            }
            if k >= store {
                self.store(asm, k - store, part);
            }
        }
    }

    fn work(&self, asm: &mut Asm, k: usize) {
        self.kernel.work(k % self.to.len()).iter().for_each(|op| asm.unit(op, None));
    }

    fn store(&self, asm: &mut Asm, k: usize, part: usize) {
        let set = k % self.to.len();
        self.kernel.store(set, part).iter().for_each(|op| asm.unit(op, Some(self.to[set])));
    }

    /// What is left to do when block `k` is the last one.
    fn drain(&self, asm: &mut Asm, k: usize) {
        let (work, store) = (self.kernel.work_after(), self.kernel.store_after());
        for block in (k + 1).saturating_sub(store)..=k {
            if work > 0 && block + work > k {
                self.work(asm, block);
            }
            if store > 0 {
                (0..self.kernel.parts()).for_each(|part| self.store(asm, block, part));
            }
        }
    }
}
