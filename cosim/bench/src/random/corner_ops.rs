// SPDX-License-Identifier: Apache-2.0
//! Corners that ordinary draws come to once in hundreds of cases: a concat that is all of one operand with every bit of its masks,
//! the value of one register that comes while another one is waited for, a matrix access whose first line is far away by one bit,
//! each bit of a stride that is large alone, each number of narrow slices along a dimension, dimensions of just more than a mask has,
//! an operand that is skipped behind one of which the last slice alone is wanted, an operand of late slices right behind another one.

use golden::decode::{Decoded, Direction, Matrix, Tensor};
use golden::{Csr, TileSize};

use super::generator::Generator;
use super::pressure_ops::{self, RUN, access, capacity, dense, integers};
use super::program::FIRST_WITH_MORE;
use super::{bit_ops, crowd_ops, matrix_ops, shape};

/// One case in so many has one.
const PERIOD: u64 = 8;

/// Reads of CSRs in which all strides are looked at.
const WHOLE_LOOK: u32 = 40;

/// Kinds that take turns.
const KINDS: u64 = 11;

/// Whether the case of this number ends with one of them.
pub fn share(number: u64) -> bool {
    number >= FIRST_WITH_MORE && number.is_multiple_of(PERIOD)
}

/// The one that the case of this number ends with.
pub fn corner(g: &mut Generator, number: u64) {
    match number / PERIOD % KINDS {
        0 => whole_masks(g),
        1 if g.target.golden.matrix.is_some() => far_lines(g),
        2 => limits(g),
        3 => spans(g),
        4 => large_strides(g, number / PERIOD / KINDS),
        5 => skipped(g),
        6 => apart_slices(g),
        7 => crowd_ops::long_run(g),
        8 => bit_ops::bounds(g, number / PERIOD / KINDS),
        9 => bit_ops::numbers(g),
        _ => late_values(g),
    }
}

/// Concats of 32 slices along any dimension, all of them of one operand, or every one of them selected in one of both.
fn whole_masks(g: &mut Generator) {
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let bits = pressure_ops::width(g);
        // 32 elements have to fit.
        let bits = bits.min(g.target.rtl.reg_bytes * 8 / 32);
        integers(g, bits);
        let rest = (capacity(g, bits) / 32).max(1);
        let outer = g.draw.pick(&[1, 2, rest]).min(rest);
        let inner = (rest / outer).min(255);
        let (d, sizes) = g.draw.pick(&[(0, [32, outer, inner]), (1, [outer, 32, inner]), (2, [outer, inner, 32])]);
        let any = g.draw.u32();
        let [mask1, mask2] = g.draw.pick(&[[0, u32::MAX], [u32::MAX, 0], [any, !any], [1, !1], [!1, 1]]);
        g.want_csr(Csr::Tshape, shape::packed(sizes));
        g.want_csr(Csr::TmaskConcat1, mask1);
        g.want_csr(Csr::TmaskConcat2, mask2);
        for _ in 0..g.draw.range(1, 3) {
            let [tlrs1, tlrs2] = [(); 2].map(|()| g.draw.range(1, 31) as u8);
            let tlrd = g.tl_near(&[tlrs1, tlrs2]);
            g.tensor(Tensor::Concat { d, tlrd, tlrs1, tlrs2 });
        }
    }
}

/// Something slow, results of one cycle in other registers, and a reader in another engine: it may not take one of them for the value
/// that it waits for.
fn late_values(g: &mut Generator) {
    let bits = g.width().max(8);
    integers(g, bits);
    let rs = pressure_ops::sizes(g, bits);
    let d0 = g.draw.pick(&[2, 32]).min(capacity(g, bits) / 2);
    dense(g, bits, d0);
    let [load, store] = [Direction::Load, Direction::Store].map(|to| g.base(to, g.target.rtl.reg_bytes, 4));
    let first = g.draw.range(1, 29) as u8;
    for (rd, value) in (first..).zip([load, store]) {
        g.constant(rd, value);
    }
    let start = g.words().len();
    while g.words().len() < start + 2 * RUN {
        let slow = g.draw.range(1, 15) as u8;
        let loaded = g.draw.chance(70);
        if loaded {
            access(g, Direction::Load, slow, first, 0);
        } else {
            g.tensor(Tensor::Xpose { p: 0, q: 1, tlrs1: slow, tlrs2: slow + 1, rs });
        }
        for _ in 0..6 {
            let (tlrd, imm8) = (g.draw.range(17, 31) as u8, g.imm8());
            g.tensor(Tensor::Addi { tlrd, tlrs: 0, imm8 });
        }
        let tlrd = g.draw.range(17, 31) as u8;
        match g.draw.below(3) {
            0 if loaded => g.tensor(Tensor::Xpose { p: 0, q: 1, tlrs1: slow, tlrs2: slow + 1, rs }),
            1 => access(g, Direction::Store, slow, first + 1, 0),
            _ => g.tensor(Tensor::Addi { tlrd, tlrs: slow, imm8: 1 }),
        }
    }
}

/// Matrix accesses of several lines whose base is beyond the memory by one bit, aligned, and whose stride may be misaligned: the trap
/// names one of the first two lines. Between them some that complete, and some that go down past address 0.
fn far_lines(g: &mut Generator) {
    for size in [TileSize::M, TileSize::N, TileSize::K] {
        matrix_ops::set(g, size, 2);
    }
    for _ in 0..4 {
        let mut transfer = matrix_ops::transfer(g);
        let store = g.draw.chance(50);
        let memory = g.memory(if store { Direction::Store } else { Direction::Load });
        let stride = 1 << g.draw.below(32) | g.draw.pick(&[0, 1, 2, 3]);
        let beyond = 1 << g.draw.range(memory.ilog2(), 31);
        // Half of these have their second line just below 0.
        let start: u32 = 1 << g.draw.range(3, memory.ilog2() - 1);
        let down = start.wrapping_add(g.draw.pick(&[1, 2, 4])).wrapping_neg();
        let near = (memory / 2, 64);
        // The first line is inside; the second one is not, by one bit, or it is near 0.
        let second = (memory / 2, g.draw.pick(&[beyond, (memory / 2).wrapping_neg(), (memory / 2 - 4).wrapping_neg()]));
        for (base, stride) in [(beyond, stride), near, g.draw.pick(&[(start, down), second, near]), near] {
            (transfer.rs1, transfer.rs2) = (g.register_with(base), g.register_with(stride));
            g.emit(Decoded::Matrix(if store { Matrix::Store(transfer) } else { Matrix::Load(transfer) }));
            transfer.register = g.draw.below(4) as u8;
        }
    }
}

/// Stores of slices of eight bytes, of which one is far away by a high bit of its stride: at once, or when all strides have been looked at
/// since, and no read of a CSR was a stride. The bits go on from one case that has these, of the number `turn`, to the next one.
fn large_strides(g: &mut Generator, turn: u64) {
    let bits = g.width().max(8);
    integers(g, bits);
    g.want_csr(Csr::Tshape, shape::packed([4, 1, 64 / bits]));
    g.want_csr(Csr::TstoreWidth, 0);
    let (.., stride) = Direction::Store.csrs();
    let lowest = g.memory(Direction::Store).ilog2() - 3;
    let base = g.draw.below(16) * 16;
    let rs = g.register_with(base);
    for slot in 0..4 {
        g.want_csr(stride(slot), slot.into());
    }
    for round in 0..6 {
        let bit = lowest + (6 * turn + round) as u32 % (29 - lowest);
        let slot = g.draw.below(4) as u8;
        bit_ops::pass(g, WHOLE_LOOK);
        // Alone, or with all above it.
        let far = g.draw.pick(&[1 << bit, 1 << bit, u32::MAX << bit]);
        g.set_csr(stride(slot), far);
        if g.draw.chance(70) {
            // A stride that is the last one written is still in front of those that look.
            g.set_csr(Csr::TmaskStore, 1 << slot);
            bit_ops::pass(g, WHOLE_LOOK);
        }
        let tl = g.tl();
        access(g, Direction::Store, tl, rs, 0);
        g.set_csr(stride(slot), slot.into());
    }
}

/// Concats along the middle dimension of the narrowest elements there are, with any number of slices of any width up to a row, so that each period
/// in which they come again in rows meets each other one, in blocks that fill a register or end anywhere, some without slices of one operand.
fn spans(g: &mut Generator) {
    let bits = g.target.golden.element_widths.iter().min().unwrap_or(8);
    integers(g, bits);
    let row = g.target.rtl.lanes * 8 / bits;
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let inner = if g.draw.chance(60) { g.draw.range(1, row) } else { g.draw.pick(&[1, 1, 2, 3]) };
        let most = (capacity(g, bits) / inner).clamp(1, 32);
        let most = if g.draw.chance(50) { most.min(8) } else { most.min(2 * row - 1) };
        let size = g.draw.range(1, most);
        let outer = (capacity(g, bits) / (size * inner)).clamp(1, 255);
        let outer = if g.draw.chance(40) { g.draw.range(1, outer) } else { outer };
        g.want_csr(Csr::Tshape, shape::packed([outer, size, inner]));
        pressure_ops::concat_masks(g, size);
        match g.draw.below(6) {
            0 => g.want_csr(Csr::TmaskConcat1, 0),
            1 => g.want_csr(Csr::TmaskConcat2, 0),
            _ => {}
        }
        let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(1, 31) as u8);
        g.tensor(Tensor::Concat { d: 1, tlrd, tlrs1, tlrs2 });
    }
}

/// Merges and concats along a dimension of as many elements as a mask has bits, a few less or more, or twice as many, in blocks that are
/// legal otherwise.
fn limits(g: &mut Generator) {
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let bits = pressure_ops::width(g);
        integers(g, bits);
        let d = g.draw.below(3) as u8;
        let size = g.draw.pick(&[31, 32, 33, 33, 34, 64, 65]);
        let rest = (capacity(g, bits) / size).clamp(1, 255);
        let outer = g.draw.pick(&[1, rest]);
        let other = g.draw.pick(&[1, rest / outer]);
        let sizes = match d {
            0 => [size, outer, other],
            1 => [outer, size, other],
            _ => [outer, other, size],
        };
        g.want_csr(Csr::Tshape, shape::packed(sizes));
        pressure_ops::concat_masks(g, size);
        let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(1, 31) as u8);
        g.tensor(Tensor::Merge { d, tlrd, tlrs1, tlrs2 });
        g.tensor(Tensor::Concat { d, tlrd: tlrs1, tlrs1: tlrd, tlrs2 });
    }
}

/// Concats of many slices of one operand and the last one of the other, which is still read when the next concat comes, with a mask
/// for that operand that has nothing, or the first slice: how few rows are wanted of the second one may not be said of the first.
fn skipped(g: &mut Generator) {
    let bits = pressure_ops::width(g);
    integers(g, bits);
    let size = g.draw.pick(&[16, 32]).min(capacity(g, bits));
    pressure_ops::dense(g, bits, size);
    let start = g.words().len();
    while g.words().len() < start + 2 * RUN {
        let first = g.draw.range(size / 8 + 1, size - 1);
        let (many, last) = match g.draw.chance(20) {
            true => (Csr::TmaskConcat2, Csr::TmaskConcat1),
            false => (Csr::TmaskConcat1, Csr::TmaskConcat2),
        };
        g.want_csr(many, (1 << first) - 1);
        g.want_csr(last, 1 << (size - 1));
        let fewer = g.draw.pick(&[0, 0, 1]);
        apart(g);
        g.set_csr(last, fewer);
        apart(g);
    }
}

/// Groups of a merge, a concat or two of operand 1 alone, one of both operands, and one of operand 2 alone, of slices that fill rows: operand 2 has
/// the last one or two, so that the next of these is there while the first one is looked for.
fn apart_slices(g: &mut Generator) {
    let bits = pressure_ops::width(g);
    integers(g, bits);
    let row = g.target.rtl.lanes * 8 / bits;
    let size = (capacity(g, bits) / row).min(32);
    g.want_csr(Csr::Tshape, shape::packed([size, row.div_ceil(128), row.min(128)]));
    let late = u32::MAX >> (32 - size) & u32::MAX << size.saturating_sub(g.draw.range(1, 2));
    g.want_csr(Csr::TmaskConcat1, u32::MAX >> (32 - size) & !late);
    g.want_csr(Csr::TmaskConcat2, late);
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let [one, other, tlrd] = [(1, 8), (1, 8), (9, 31)].map(|(low, high)| g.draw.range(low, high) as u8);
        g.tensor(Tensor::Merge { d: 0, tlrd, tlrs1: one, tlrs2: other });
        let first = g.draw.pick(&[[one, 0], [0, 0]]);
        for operands in [[one, 0], first, [one, other], [0, other]] {
            let tlrd = g.draw.range(9, 31) as u8;
            if operands != [0, 0] {
                g.tensor(Tensor::Concat { d: 0, tlrd, tlrs1: operands[0], tlrs2: operands[1] });
            }
        }
    }
}

/// A concat along dimension 0 that waits for nothing of others.
fn apart(g: &mut Generator) {
    let [tlrs1, tlrs2] = [(); 2].map(|()| g.draw.range(1, 8) as u8);
    let tlrd = g.draw.range(9, 31) as u8;
    g.tensor(Tensor::Concat { d: 0, tlrd, tlrs1, tlrs2 });
}
