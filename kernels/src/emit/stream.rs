// SPDX-License-Identifier: Apache-2.0
//! A loop over blocks in which loads, transpositions and stores of different blocks overlap. The unit starts instructions
//! in program order, so the program has them in the order in which they can go: of block k the load, of an older one the
//! transposition, of a still older one the store. Each block in flight has registers of its own.

use super::asm::{Asm, Nest, Reg};
use crate::plan::block::Grid;

/// What happens to a block. `set` says which registers are its own.
pub(super) trait Kernel {
    /// Blocks from the load of one to its transposition; 0 when there is none.
    const WORK: usize;
    /// Blocks from the load of one to its store.
    const STORE: usize;

    /// Loads part `part` of the block at `base`.
    fn load(&self, asm: &mut Asm, set: usize, part: usize, base: Reg);
    /// Transposes it.
    fn work(&self, _asm: &mut Asm, _set: usize) {}
    /// Stores part `part` of it to `base`.
    fn store(&self, asm: &mut Asm, set: usize, part: usize, base: Reg);
    /// Loads, and stores, of a block.
    fn parts(&self) -> usize {
        1
    }
    /// Whether there is something to be loaded.
    fn loads(&self) -> bool {
        true
    }
}

struct Stream<'a, K> {
    kernel: &'a K,
    nest: Nest,
    from: Option<Reg>,
    to: Vec<Reg>,
}

/// Emits the blocks of `grid`.
pub(super) fn emit<K: Kernel>(asm: &mut Asm, kernel: &K, grid: &Grid) {
    let sets = K::STORE + 1;
    let from = kernel.loads().then(|| asm.constant(grid.from));
    let to: Vec<Reg> = (0..sets).map(|_| asm.reg()).collect();
    asm.li(to[0], grid.to);
    let nest = asm.nest(&grid.loops);
    let stream = Stream { kernel, nest, from, to };
    let end = asm.fresh_label();
    let top = asm.fresh_label();
    // The first blocks fill the pipe, then a turn of the loop has one for each set of registers.
    for k in 0..sets + K::STORE {
        if k == K::STORE {
            asm.label(&top);
        }
        stream.block(asm, k);
        let last = k + 1 == sets + K::STORE;
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

impl<K: Kernel> Stream<'_, K> {
    /// The load of block `k`, and what older ones are ready for.
    fn block(&self, asm: &mut Asm, k: usize) {
        for part in 0..self.kernel.parts() {
            if let Some(from) = self.from {
                self.kernel.load(asm, k % self.to.len(), part, from);
            }
            if part == 0 && K::WORK > 0 && k >= K::WORK {
                self.kernel.work(asm, (k - K::WORK) % self.to.len());
            }
            if k >= K::STORE {
                self.store(asm, k - K::STORE, part);
            }
        }
    }

    fn store(&self, asm: &mut Asm, k: usize, part: usize) {
        let set = k % self.to.len();
        self.kernel.store(asm, set, part, self.to[set]);
    }

    /// What is left to do when block `k` is the last one.
    fn drain(&self, asm: &mut Asm, k: usize) {
        for block in (k + 1).saturating_sub(K::STORE)..=k {
            if K::WORK > 0 && block + K::WORK > k {
                self.kernel.work(asm, block % self.to.len());
            }
            if K::STORE > 0 {
                (0..self.kernel.parts()).for_each(|part| self.store(asm, block, part));
            }
        }
    }
}
