// SPDX-License-Identifier: Apache-2.0
//! What is outside, or illegal, by one high bit alone: of a stride, at any time since strides were written; of a slice width, the sizes of a block, of a
//! transposition, or of a tile.

use golden::decode::{Direction, Tensor};
use golden::{Csr, MatrixCsr, TileSize};

use super::generator::Generator;
use super::pressure_ops::{self, RUN, access, capacity, dense, integers};
use super::{matrix_ops, move_ops, shape};

/// Stores of 32 narrow slices up to the end of the memory, one of which is outside by one bit of its stride, with low bits or without: at once, behind the
/// write of another stride, while all of them are looked at, or when that is over. The bits go on from one case that has these, of the number `turn`,
/// to the next one.
pub fn bounds(g: &mut Generator, turn: u64) {
    // 32 slices have to fit.
    let bits = g.width().max(8).min(g.target.rtl.reg_bytes * 8 / 32);
    integers(g, bits);
    dense(g, bits, 32);
    let (.., stride) = Direction::Store.csrs();
    for slot in 0..32 {
        g.want_csr(stride(slot), slot.into());
    }
    let bytes = g.target.rtl.reg_bytes / 32;
    let base = g.memory(Direction::Store) - g.target.rtl.reg_bytes;
    let rs = g.register_with(base);
    // From a stride of 32 on a slice is outside; no product comes round to the memory again.
    let count = 26 - bytes.ilog2();
    for round in 0..8 {
        let bit = 5 + (8 * turn + round) as u32 % count;
        let slot = g.draw.below(32) as u8;
        let low = g.draw.pick(&[0, 0, 1, 2, 3, slot.into()]);
        pass(g, 12);
        g.set_csr(stride(slot), 1 << bit | low);
        match g.draw.below(5) {
            0 => {}
            1 => {
                let other = (slot + g.draw.range(1, 31) as u8) % 32;
                g.set_csr(stride(other), other.into());
            }
            2 => {
                let reads = g.draw.range(2, 9);
                pass(g, reads);
            }
            _ => pass(g, 20),
        }
        let tl = g.tl();
        access(g, Direction::Store, tl, rs, 0);
        g.set_csr(stride(slot), slot.into());
        for _ in 0..2 {
            access(g, Direction::Store, tl, rs, 0);
        }
    }
}

/// Time passes, in which all strides are looked at by turns.
pub fn pass(g: &mut Generator, reads: u32) {
    (0..reads).for_each(|_| g.read(Csr::Tshape));
}

/// Numbers with one bit that makes them illegal, and nothing else that is wrong.
pub fn numbers(g: &mut Generator) {
    let rs = g.register_with(0);
    let start = g.words().len();
    while g.words().len() < start + 2 * RUN {
        let bits = pressure_ops::width(g);
        integers(g, bits);
        match g.draw.below(4) {
            0 => widths(g, rs),
            1 => blocks(g, bits),
            2 => transpositions(g, bits),
            _ if g.target.golden.matrix.is_some() => tiles(g),
            _ => blocks(g, bits),
        }
        dense(g, bits, 2);
        for to in [Direction::Load, Direction::Store] {
            let tl = g.tl();
            access(g, to, tl, rs, 0);
        }
    }
}

/// A slice width that is legal without its high bit; another CSR is written while it is there.
fn widths(g: &mut Generator, rs: u8) {
    integers(g, 8);
    dense(g, 8, 2);
    let value = 1 << g.draw.range(7, 31) | g.draw.pick(&[0, 0, 1, 4]);
    for (csr, to) in [(Csr::TloadWidth, Direction::Load), (Csr::TstoreWidth, Direction::Store)] {
        g.set_csr(csr, value);
        let any = g.draw.u32();
        g.set_csr(Csr::TmaskConcat1, any);
        let tl = g.tl();
        access(g, to, tl, rs, 0);
        g.read(csr);
        g.set_csr(csr, 0);
    }
}

/// Merges of blocks with two sizes of one bit each that are too large together, or of just more than two rows.
fn blocks(g: &mut Generator, bits: u32) {
    let all = capacity(g, bits).ilog2();
    let one = g.draw.range(all.saturating_sub(6).min(7), 7);
    let other = g.draw.range((all + 1).saturating_sub(one).min(7), 7);
    let [one, other] = match g.draw.chance(30) {
        true => [2, (capacity(g, bits) / 2 + 1).min(255)],
        false => [1 << one, 1 << other],
    };
    let sizes = g.draw.pick(&[[1, one, other], [one, 1, other], [one, other, 1], [other, one, 1]]);
    g.want_csr(Csr::Tshape, shape::packed(sizes));
    pressure_ops::concat_masks(g, 1);
    let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(1, 31) as u8);
    let d = g.draw.below(3) as u8;
    g.tensor(Tensor::Merge { d, tlrd, tlrs1, tlrs2 });
}

/// A transposition of 2^16 times as many elements as there are, or with a size of several bits that have together the number of the highest one.
fn transpositions(g: &mut Generator, bits: u32) {
    let right = (2 * capacity(g, bits)).ilog2();
    let sizes = if g.draw.chance(50) && right + 16 <= 28 {
        let mut log2 = [7u32; 4];
        while log2.iter().sum::<u32>() > right + 16 {
            let d = g.draw.below(4) as usize;
            log2[d] = (log2[d] - 1).max(1);
        }
        log2.map(|bits| 1 << bits)
    } else {
        let mut sizes = move_ops::sizes(g, 1 << right);
        let d = g.draw.below(4) as usize;
        let top = sizes[d].max(1).ilog2();
        let lower: Vec<u32> = (u32::from(d == 0)..top).filter(|bit| bit & top == *bit).collect();
        if !lower.is_empty() {
            sizes[d] |= 1 << g.draw.pick(&lower);
        }
        sizes
    };
    let rs = g.register_with(u32::from_le_bytes(sizes));
    let tlrs1 = g.draw.range(1, 30) as u8;
    g.tensor(Tensor::Xpose { p: 0, q: 1, tlrs1, tlrs2: tlrs1 + 1, rs });
}

/// Tile sizes with each bit that an instruction holds, read back.
fn tiles(g: &mut Generator) {
    let csrs = [MatrixCsr::Mtilem, MatrixCsr::Mtilen, MatrixCsr::Mtilek];
    for (size, csr) in [TileSize::M, TileSize::N, TileSize::K].into_iter().zip(csrs) {
        let value = 1 << g.draw.below(10) | g.draw.below(4);
        matrix_ops::set(g, size, value);
        Csr::from_address(csr.address()).into_iter().for_each(|csr| g.read(csr));
        matrix_ops::set(g, size, 2);
    }
}
