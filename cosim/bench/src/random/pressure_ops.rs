// SPDX-License-Identifier: Apache-2.0
//! Situations in which something has to wait for long, or comes just too late: results that cannot be written, operands that
//! cannot be read, masks that begin again, stores that need both of their probes, a store between two loads of which the
//! first one traps, a store that traps behind one whose slices have no room, a store behind many reads of strides, concats of other shapes that come
//! while one operand of the one before is still read, loads of late slices between loads of all of them; and those of `crowd_ops.rs`. Each was missed by other programs, and is the only one
//! that tells some mutants.

use golden::Csr;
use golden::decode::{CsrInstruction, CsrOperation, CsrSource, Decoded, Direction, SliceTransfer, Tensor};

use super::generator::Generator;
use super::program::FIRST_WITH_MORE;
use super::{crowd_ops, move_ops, shape};

/// One case in so many has one.
const PERIOD: u64 = 4;

/// Instructions of a run, about.
pub const RUN: usize = 56;

/// Whether the case of this number ends with one of them.
pub fn share(number: u64) -> bool {
    number >= FIRST_WITH_MORE && number % PERIOD == 2
}

/// The one that the case of this number ends with.
pub fn pressure(g: &mut Generator, number: u64) {
    let narrow = width(g);
    // Slices in memory have whole bytes.
    let bits = narrow.max(8);
    let kind = number / PERIOD % 14;
    let bits = if matches!(kind, 0 | 1 | 3 | 6 | 9..=12) { narrow } else { bits };
    integers(g, bits);
    match kind {
        0 => writes(g, bits),
        1 => crowd_ops::crowd(g, bits),
        2 => reads(g, bits),
        3 => masks(g, bits),
        4 => probes(g, bits),
        5 if g.draw.chance(50) => scan_ends(g, bits),
        5 => scans(g, bits),
        6 => turns(g, bits),
        7 => backlog(g, bits),
        8 => between(g, bits),
        9 if g.draw.chance(50) => crowd_ops::patterns(g, bits),
        9 => crowd_ops::flushes(g, bits),
        10 => crowd_ops::behind_whole(g, bits),
        11 => crowd_ops::closer(g, bits),
        12 if g.draw.chance(60) => crowd_ops::begun(g, bits),
        12 => crowd_ops::halves(g),
        _ => late_slices(g, bits),
    }
}

/// An element width, in bits, the narrowest ones too.
pub fn width(g: &mut Generator) -> u32 {
    g.width().min(g.target.golden.element_widths.iter().max().unwrap_or(8))
}

/// Elements are integers of so many bits.
pub fn integers(g: &mut Generator, bits: u32) {
    g.want_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
}

/// Elements of a register.
pub fn capacity(g: &Generator, bits: u32) -> u32 {
    g.target.rtl.reg_bytes * 8 / bits
}

/// A host register with sizes of a transposition, mostly legal.
pub fn sizes(g: &mut Generator, bits: u32) -> u8 {
    let product = 2 * capacity(g, bits);
    let sizes = u32::from_le_bytes(move_ops::sizes(g, product));
    g.register_with(sizes)
}

/// A dense block that fills the register, cut into `d0` slices.
pub fn dense(g: &mut Generator, bits: u32, d0: u32) {
    let width = capacity(g, bits) / d0;
    let d1 = width.div_ceil(128);
    g.want_csr(Csr::Tshape, shape::packed([d0, d1, width / d1]));
    for csr in [Csr::TloadWidth, Csr::TstoreWidth] {
        g.want_csr(csr, 0);
    }
}

/// Masks for both operands of `tl.concat` that select `size` slices together, at most.
pub fn concat_masks(g: &mut Generator, size: u32) {
    let below = ((1u64 << size.min(32)) - 1) as u32;
    let mask1 = g.draw.u32() & below;
    let mut mask2 = g.draw.u32() & below;
    while mask1.count_ones() + mask2.count_ones() > size {
        mask2 &= mask2 - 1;
    }
    g.want_csr(Csr::TmaskConcat1, mask1);
    g.want_csr(Csr::TmaskConcat2, mask2);
}

/// A slices transfer.
pub fn access(g: &mut Generator, direction: Direction, tl: u8, rs: u8, imm8: i8) {
    g.tensor(SliceTransfer { direction, masked: false, tl, rs, imm8 }.into());
}

/// Transpositions, which write a row in each cycle, and results of the move engine that it need not read anything for: both
/// have more to write than there is room.
fn writes(g: &mut Generator, bits: u32) {
    let rs = sizes(g, bits);
    let d0 = g.draw.pick(&[2, 4, 8]);
    dense(g, bits, d0);
    concat_masks(g, d0);
    // Of the operands none, one, or both are read.
    let read = g.draw.below(3);
    let concat = g.draw.below(3);
    // Some transpositions write to one bank for long: with always the same one, what comes behind it piles up.
    let even = g.draw.chance(70);
    let [mut p, mut q] = [(); 2].map(|()| g.draw.below(4) as u8);
    // Results that are dropped take no register, so that more of them are on their way.
    let dropped = g.draw.pick(&[0, 0, 40, 70]);
    let most = if dropped == 0 { 4 } else { 7 };
    let mut behind = g.draw.range(1, most);
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        pair = (pair + 1) % 8;
        if !even {
            [p, q] = [(); 2].map(|()| g.draw.below(4) as u8);
            behind = g.draw.range(1, most);
        }
        g.tensor(Tensor::Xpose { p, q, tlrs1: 1 + 2 * pair, tlrs2: 2 + 2 * pair, rs });
        for _ in 0..behind {
            let tlrd = if g.draw.chance(dropped) { 0 } else { g.draw.range(17, 31) as u8 };
            let [tlrs1, tlrs2] = [0, 1].map(|operand| if read > operand { g.draw.range(17, 31) as u8 } else { 0 });
            let imm8 = g.imm8();
            let one = match g.draw.below(3).max(concat) {
                0 => Tensor::Addi { tlrd, tlrs: tlrs1, imm8 },
                1 => Tensor::Merge { d: 0, tlrd, tlrs1, tlrs2 },
                _ => Tensor::Concat { d: 0, tlrd, tlrs1, tlrs2 },
            };
            g.tensor(one);
        }
    }
}

/// Stores, transpositions and moves that all read, so that each is denied for longer than one alone would be.
fn reads(g: &mut Generator, bits: u32) {
    let rs = sizes(g, bits);
    let d0 = g.draw.pick(&[1, 2, 32]).min(capacity(g, bits) / 2);
    dense(g, bits, d0);
    let bytes = g.target.rtl.reg_bytes;
    let base = g.base(Direction::Store, bytes, 4);
    let base = g.register_with(base);
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        pair = (pair + 1) % 4;
        let (p, q) = (g.draw.below(4) as u8, g.draw.below(4) as u8);
        g.tensor(Tensor::Xpose { p, q, tlrs1: 1 + 2 * pair, tlrs2: 2 + 2 * pair, rs });
        for _ in 0..g.draw.range(1, 3) {
            let (tlrd, tlrs) = (g.draw.range(9, 20) as u8, g.draw.range(9, 31) as u8);
            let tl = g.draw.range(21, 31) as u8;
            access(g, Direction::Store, tl, base, 0);
            g.tensor(Tensor::Addi { tlrd, tlrs, imm8: 1 });
        }
    }
}

/// Concats of slices of a row and more that come again for each outer index.
fn masks(g: &mut Generator, bits: u32) {
    let row = g.target.rtl.lanes * 8 / bits;
    let rows = g.target.rtl.reg_bytes / g.target.rtl.lanes;
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let outer = g.draw.range(2, (rows / 2).clamp(2, 8));
        let size = g.draw.range(2, (rows / outer).clamp(2, 8));
        let most = capacity(g, bits) / (outer * size);
        let inner = g.draw.range(row.min(most), most).min(255);
        g.want_csr(Csr::Tshape, shape::packed([outer, size, inner]));
        concat_masks(g, size);
        for _ in 0..g.draw.range(1, 4) {
            let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(1, 31) as u8);
            g.tensor(Tensor::Concat { d: 1, tlrd, tlrs1, tlrs2 });
        }
    }
}

/// Stores with a negative immediate: the highest slice that there could be is outside, the lowest one is not, or the other way
/// round, and what is stored is inside, or the last or first slice of it is not.
fn probes(g: &mut Generator, bits: u32) {
    let d0 = g.draw.pick(&[2, 4]);
    dense(g, bits, d0);
    let bytes = g.target.rtl.reg_bytes / d0;
    // Now and then the first slice is the highest one.
    let turn = if g.draw.chance(40) { d0 - 1 } else { 0 };
    for slot in 0..d0 as u8 {
        let (.., stride) = Direction::Store.csrs();
        g.want_csr(stride(slot), turn ^ u32::from(slot));
    }
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let back = g.draw.range(1, 2);
        let off = g.draw.below(3);
        let base = match g.draw.below(3) {
            // Off slices of the last one are outside.
            0 | 1 => g.memory(Direction::Store) - (d0 - back) * bytes + off.min(1) * bytes,
            _ => (back - off.min(1)) * bytes,
        };
        let rs = g.register_with(base);
        for _ in 0..g.draw.range(1, 2) {
            let tl = g.tl();
            access(g, Direction::Store, tl, rs, -(back as i8));
        }
    }
}

/// A load that traps late, behind something slow, and behind it stores and loads that are fine.
fn between(g: &mut Generator, bits: u32) {
    let sizes = sizes(g, bits);
    let d0 = g.draw.pick(&[4, 8, 16, 32]).min(capacity(g, bits) / 2);
    dense(g, bits, d0);
    let bytes = g.target.rtl.reg_bytes;
    let [load, store] = [Direction::Load, Direction::Store].map(|direction| g.base(direction, bytes, 4));
    // Its last slice alone is outside.
    let bad = g.memory(Direction::Load) - bytes + bytes / d0;
    let first = g.draw.range(1, 28) as u8;
    for (rd, value) in (first..).zip([load, store, bad]) {
        g.constant(rd, value);
    }
    let start = g.words().len();
    while g.words().len() < start + RUN {
        for _ in 0..g.draw.below(3) {
            g.tensor(Tensor::Xpose { p: 0, q: 1, tlrs1: 1, tlrs2: 2, rs: sizes });
        }
        access(g, Direction::Load, 3, first + 2, 0);
        for _ in 0..g.draw.range(1, 3) {
            let (stored, loaded) = (g.draw.range(4, 9) as u8, g.draw.range(10, 31) as u8);
            access(g, Direction::Store, stored, first + 1, 0);
            access(g, Direction::Load, loaded, first, 0);
        }
    }
}

/// A store of many slices, none beside another one, and behind it one of slices wider than a memory word, which is proven to be
/// inside before they have room; then one that is outside with its last slice.
fn backlog(g: &mut Generator, bits: u32) {
    let many = 32.min(capacity(g, bits) / 2);
    let few = (g.target.rtl.reg_bytes / (2 * g.target.rtl.port_bytes())).clamp(2, 16);
    let bytes = g.target.rtl.reg_bytes / few;
    let (.., stride) = Direction::Store.csrs();
    for slot in 0..32 {
        g.want_csr(stride(slot), 2 * u32::from(slot));
    }
    let inside = g.base(Direction::Store, 64 * bytes, 4);
    let outside = g.memory(Direction::Store) - 2 * (few - 1) * bytes;
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let last = if g.draw.chance(50) { outside } else { inside };
        for (slices, base) in [(many, inside), (few, inside), (few, last)] {
            dense(g, bits, slices);
            let (tl, rs) = (g.tl(), g.register_with(base));
            access(g, Direction::Store, tl, rs, 0);
        }
    }
}

/// Two stores of the same block.
fn store_twice(g: &mut Generator, rs: u8) {
    for _ in 0..2 {
        let tl = g.tl();
        access(g, Direction::Store, tl, rs, 0);
    }
}

/// A store with one slice far away, behind so many reads of another stride that what looks at all of them in turn, and not then,
/// has had the time to see no other; or, a few times, behind about as many as what looks only then would need.
fn scans(g: &mut Generator, bits: u32) {
    let d0 = g.draw.pick(&[2, 4]);
    dense(g, bits, d0);
    let bytes = g.target.rtl.reg_bytes;
    let (.., stride) = Direction::Store.csrs();
    let base = g.base(Direction::Store, bytes, 4);
    let rs = g.register_with(base);
    let far = g.draw.below(d0) as u8;
    for slot in 0..d0 as u8 {
        g.want_csr(stride(slot), slot.into());
    }
    let other = stride((far + 1) % d0 as u8);
    let beyond = g.memory(Direction::Store) / (bytes / d0);
    let rounds = g.draw.pick(&[1, 3]);
    for _ in 0..rounds {
        g.set_csr(stride(far), beyond);
        for _ in 0..RUN / rounds + g.draw.below(12) as usize {
            g.read(other);
        }
        store_twice(g, rs);
    }
    g.want_csr(stride(far), far.into());
}

/// A store with one slice of 32 far away, often the last one, behind reads of another stride by turns with what takes dispatch a cycle
/// and no stride: what looks at a stride in each cycle without such a read meets one at every stride, the last one included.
fn scan_ends(g: &mut Generator, bits: u32) {
    // 32 slices have to fit.
    let bits = bits.min(g.target.rtl.reg_bytes * 8 / 32);
    integers(g, bits);
    dense(g, bits, 32);
    let bytes = g.target.rtl.reg_bytes;
    let (.., stride) = Direction::Store.csrs();
    let base = g.base(Direction::Store, bytes, 4);
    let rs = g.register_with(base);
    let far = if g.draw.chance(50) { 31 } else { g.draw.below(31) as u8 };
    for slot in (0..32).filter(|&slot| slot != far) {
        g.want_csr(stride(slot), slot.into());
    }
    let beyond = g.memory(Direction::Store) / (bytes / 32);
    // A scan begins with the write of a stride, and only the first one after it can miss one.
    g.set_csr(stride(far), beyond);
    let other = stride((far + g.draw.range(1, 31) as u8) % 32);
    for turn in 0..36 {
        let source = CsrSource::Immediate(turn % 32);
        g.emit(Decoded::Csr(CsrInstruction::new(CsrOperation::Write, Csr::TmaskConcat1, 0, source)));
        g.read(other);
    }
    store_twice(g, rs);
    g.want_csr(stride(far), far.into());
}

/// Loads of a few late slices and of all of them by turns: a masked one begins in the rows in which the load before it has ended,
/// and its first rows wait until the rest of the register is cleared, so that there is no room for more.
fn late_slices(g: &mut Generator, bits: u32) {
    let lanes = g.target.rtl.lanes;
    let rows = (g.target.rtl.reg_bytes / lanes).min(32);
    let row = lanes * 8 / bits;
    let inner = (g.draw.pick(&[1, 2, 2]) * row).min(128);
    let d0 = (rows * row / inner).min(32);
    g.want_csr(Csr::Tshape, shape::packed([d0, 1, inner]));
    g.want_csr(Csr::TloadWidth, 0);
    let last = 1 << (d0 - 1);
    let mask = g.draw.pick(&[last, last >> 1, last | last >> 1]);
    g.want_csr(Csr::TmaskLoad, mask);
    let first = g.draw.range(1, 30) as u8;
    // A row a cycle comes from rows of the memory alone.
    let step = g.draw.pick(&[4, lanes, lanes]);
    for rd in [first, first + 1] {
        let base = g.base(Direction::Load, g.target.rtl.reg_bytes, step);
        g.constant(rd, base);
    }
    let masked = g.draw.pick(&[30, 50, 70]);
    let between = g.draw.pick(&[0, 20, 40, 60]);
    let start = g.words().len();
    while g.words().len() < start + 2 * RUN {
        if g.draw.chance(between) {
            let tlrd = g.draw.range(1, 8) as u8;
            g.tensor(Tensor::Addi { tlrd, tlrs: 0, imm8: 3 });
        }
        let masked = g.draw.chance(masked);
        let tl = if masked { g.draw.range(17, 31) } else { g.draw.range(9, 16) } as u8;
        let rs = first + u8::from(masked);
        g.tensor(SliceTransfer { direction: Direction::Load, masked, tl, rs, imm8: 0 }.into());
    }
}

/// Concats whose first operand has little or nothing, each with another shape, so that it begins while the second operand of the
/// one before is still read; slices are less than a row.
fn turns(g: &mut Generator, bits: u32) {
    let row = (g.target.rtl.lanes * 8 / bits).max(2);
    let sizes = sizes(g, bits);
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let d = g.draw.below(3) as u8;
        let inner = g.draw.range(1, row - 1).min(255);
        let size = g.draw.range(2, (capacity(g, bits) / inner).clamp(2, 32));
        let outer = (capacity(g, bits) / (inner * size)).clamp(1, 255);
        let sizes_of_block = match d {
            0 => [size, 1, inner],
            1 => [outer, size, inner],
            _ => [1, inner, size],
        };
        // What is read at the same time makes it slow.
        if g.draw.chance(50) {
            let pair = 1 + 2 * g.draw.below(4) as u8;
            g.tensor(Tensor::Xpose { p: 0, q: 1, tlrs1: pair, tlrs2: pair + 1, rs: sizes });
        }
        let few: u32 = g.draw.pick(&[0, 0, 1, 2]);
        g.want_csr(Csr::TmaskConcat1, few);
        let others = (g.draw.u32() | 1) & !(u32::MAX << (size - few.count_ones()).min(31));
        g.want_csr(Csr::TmaskConcat2, others);
        g.set_csr(Csr::Tshape, shape::packed(sizes_of_block));
        let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(9, 31) as u8);
        g.tensor(Tensor::Concat { d, tlrd, tlrs1, tlrs2 });
    }
}
