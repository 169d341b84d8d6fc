// SPDX-License-Identifier: Apache-2.0
//! Rows of the move engine and of transpositions that pile up, and concats that come while the rows of the one before are still
//! read. `pressure_ops.rs` has them take turns with others that have to wait.

use golden::Csr;
use golden::decode::{Direction, Tensor};

use super::generator::Generator;
use super::pressure_ops::{RUN, access, capacity, concat_masks, dense, integers, sizes, width};
use super::{move_ops, shape};

/// Transpositions that stay in one bank for long when they write, and `tl.addi` of nothing behind each, which gives a row in each
/// cycle: every second one meets a row of a transposition, so that results pile up until there is no room for more. Now and then
/// loads that wait for a bank for long come between them. Or, with fewer of them, a transposition that exchanges all lane bits
/// comes behind those that exchange none, so that it begins while the last row of these has just left the stages.
pub fn crowd(g: &mut Generator, bits: u32) {
    let bits = narrowest(g, bits);
    dense(g, bits, 8);
    concat_masks(g, 8);
    let [lanes, all] = log2_elements(g, bits);
    let rows = all - lanes;
    // As many lane bits as there are go to the row number.
    let most = lanes.min(rows);
    let [stays, turns] = [stay(lanes, rows), [most, 0, all - 2 * most, most]].map(packed);
    let base = g.base(Direction::Load, g.target.rtl.reg_bytes, 4);
    let first = g.draw.range(1, 29) as u8;
    for (rd, value) in (first..).zip([stays, turns, base]) {
        g.constant(rd, value);
    }
    let variant = g.draw.below(4);
    if variant == 3 {
        return copies(g, bits, first);
    }
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        if variant == 0 {
            transpose(g, &mut pair, [0, 2], first);
            for _ in 0..g.draw.range(3, 8) {
                starved(g, first + 2);
            }
            continue;
        }
        for _ in 0..g.draw.range(2, 3) {
            addis(g, variant - 1);
            transpose(g, &mut pair, [0, 2], first);
            addis(g, if variant == 1 { 3 } else { 1 });
        }
        if variant == 2 {
            transpose(g, &mut pair, [0, 3], first + 1);
            let behind = g.draw.below(3);
            addis(g, behind);
        }
    }
}

/// Transpositions of the sizes in `first`, and behind each of them copies of whole registers, which have other rows than those before
/// them, now and then with a load between: one that has waited for a bank for long takes it from the copies, when they are most.
fn copies(g: &mut Generator, bits: u32, first: u8) {
    let size = capacity(g, bits).min(32);
    let inner = capacity(g, bits) / size;
    let middle = inner.div_ceil(128);
    g.want_csr(Csr::Tshape, shape::packed([size, middle, inner / middle]));
    g.want_csr(Csr::TmaskConcat1, u32::MAX >> (32 - size));
    g.want_csr(Csr::TmaskConcat2, 0);
    for source in 29..=31 {
        g.tensor(Tensor::Addi { tlrd: source, tlrs: 0, imm8: source as i8 - 28 });
    }
    let most = g.draw.range(3, 5);
    let loads = g.draw.pick(&[15, 30]);
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        transpose(g, &mut pair, [0, 2], first);
        for copy in 0..g.draw.range(3, most) {
            let tlrd = g.draw.range(17, 28) as u8;
            if g.draw.chance(loads) {
                access(g, Direction::Load, tlrd, first + 2, 0);
            } else {
                g.tensor(Tensor::Concat { d: 0, tlrd, tlrs1: 29 + (copy % 3) as u8, tlrs2: 0 });
            }
        }
    }
}

/// Sizes of a transposition that stays in one bank when it writes, as logarithms, D0 first: the lowest bit of the row number goes
/// to the top and the top one to it, so that rows alternate when they are read, and not when they are written.
fn stay(lanes: u32, rows: u32) -> [u32; 4] {
    [1, rows.saturating_sub(2), 1, lanes]
}

/// Sizes of a transposition, of their logarithms.
fn packed(log2: [u32; 4]) -> u32 {
    u32::from_le_bytes(log2.map(|bits| 1 << bits.min(7)))
}

/// Concats of nothing, which read nothing and have a row in each cycle, and behind them one that has data in all of its rows, beside
/// transpositions that stay in one bank: there is no room for its rows when they begin.
pub fn begun(g: &mut Generator, bits: u32) {
    let bits = narrowest(g, bits);
    let [lanes, all] = log2_elements(g, bits);
    let outer = (capacity(g, bits) / 32).clamp(1, 32);
    g.want_csr(Csr::Tshape, shape::packed([outer, 32, (capacity(g, bits) / (32 * outer)).max(1)]));
    g.want_csr(Csr::TloadWidth, 0);
    g.want_csr(Csr::TmaskConcat1, u32::MAX - 1);
    g.want_csr(Csr::TmaskConcat2, 0);
    let base = g.base(Direction::Load, g.target.rtl.reg_bytes, 4);
    let first = g.draw.range(1, 30) as u8;
    for (rd, value) in (first..).zip([base, packed(stay(lanes, all - lanes))]) {
        g.constant(rd, value);
    }
    for tl in 9..=16 {
        access(g, Direction::Load, tl, first, 0);
    }
    let crowded = g.draw.pick(&[60, 80]);
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        if g.draw.chance(crowded) {
            transpose(g, &mut pair, [0, 2], first + 1);
        }
        for _ in 0..g.draw.range(2, 3) {
            let tlrd = g.draw.range(17, 31) as u8;
            g.tensor(Tensor::Concat { d: 0, tlrd, tlrs1: 0, tlrs2: 0 });
        }
        let [tlrd, tlrs1] = [(17, 31), (9, 16)].map(|(low, high)| g.draw.range(low, high) as u8);
        g.tensor(Tensor::Concat { d: 1, tlrd, tlrs1, tlrs2: 0 });
    }
}

/// Concats that give a row in every second cycle and then, behind the block, in each, with sums right behind them, beside transpositions that stay in
/// one bank: what is counted of the rows of one has to hold for those of the next.
pub fn halves(g: &mut Generator) {
    integers(g, 8);
    let [lanes, all] = log2_elements(g, 8);
    let size = g.target.rtl.lanes.min(32);
    let slices = capacity(g, 8) / size;
    let middle = (slices * g.draw.range(8, 15) / 32).clamp(1, 127);
    let half = (1 << (size / 2)) - 1;
    g.want_csr(Csr::Tshape, shape::packed([2, middle, size]));
    g.want_csr(Csr::TmaskConcat1, half);
    g.want_csr(Csr::TmaskConcat2, half);
    let stays = g.register_with(packed(stay(lanes, all - lanes)));
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        transpose(g, &mut pair, [0, 2], stays);
        let before = g.draw.pick(&[0, 0, 1, 2]);
        addis(g, before);
        for _ in 0..g.draw.pick(&[1, 1, 2]) {
            let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(17, 31) as u8);
            g.tensor(Tensor::Concat { d: 2, tlrd, tlrs1, tlrs2 });
        }
        let behind = g.draw.range(1, 3);
        addis(g, behind);
    }
}

/// A result that reads nothing, or a load, whose rows wait for those.
fn starved(g: &mut Generator, base: u8) {
    let tl = g.draw.range(17, 31) as u8;
    match g.draw.below(3) {
        0 => addis(g, 1),
        1 => g.tensor(Tensor::Concat { d: 0, tlrd: tl, tlrs1: 0, tlrs2: 0 }),
        _ => access(g, Direction::Load, tl, base, 0),
    }
}

/// So many `tl.addi` that read no register.
fn addis(g: &mut Generator, count: u32) {
    for _ in 0..count {
        // Small: a sum that saturates would often be that of its neighbour.
        let (tlrd, imm8) = (g.draw.range(17, 31) as u8, g.draw.below(15) as i8);
        g.tensor(Tensor::Addi { tlrd, tlrs: 0, imm8 });
    }
}

/// An exchange of dimensions `p` and `q`, of the next pair of registers.
fn transpose(g: &mut Generator, pair: &mut u8, [p, q]: [u8; 2], rs: u8) {
    *pair = (*pair + 1) % 8;
    g.tensor(Tensor::Xpose { p, q, tlrs1: 1 + 2 * *pair, tlrs2: 2 + 2 * *pair, rs });
}

/// The narrowest elements, of which a row has most; else those of `bits`.
fn narrowest(g: &mut Generator, bits: u32) -> u32 {
    let bits = if g.target.golden.element_widths.contains(4) { 4 } else { bits };
    integers(g, bits);
    bits
}

/// Logarithms of the elements of a row, and of the two registers of a transposition.
fn log2_elements(g: &Generator, bits: u32) -> [u32; 2] {
    [g.target.rtl.lanes * 8 / bits, 2 * capacity(g, bits)].map(u32::ilog2)
}

/// Transpositions that fill all of their stages, and results behind them that read nothing and are written in each cycle: the last
/// rows of a transposition find the buffer full while the stages are full as well.
pub fn flushes(g: &mut Generator, bits: u32) {
    let bits = narrowest(g, bits);
    let [lanes, all] = log2_elements(g, bits);
    // Sizes as logarithms. A row or more of D3, and D0 takes its place.
    let d3 = g.draw.range(lanes.min(7), (all - 1).min(7));
    let left = all - d3;
    let d0 = g.draw.range(1, left.min(7));
    let d1 = (left - d0).min(7);
    let sizes = [d0, d1, (left - d0 - d1).min(7), d3].map(|log2| 1 << log2);
    let rs = g.register_with(u32::from_le_bytes(sizes));
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        transpose(g, &mut pair, [0, 3], rs);
        // Those that are dropped make time until it writes.
        for _ in 0..g.draw.below(3) {
            g.tensor(Tensor::Addi { tlrd: 0, tlrs: 0, imm8: 1 });
        }
        let behind = g.draw.range(2, 5);
        addis(g, behind);
    }
}

/// A long run of transpositions of one plan with two sums behind each: of nothing, and now and then a load, beside transpositions that stay in one bank; or
/// of whole registers, so that last rows of transpositions are denied. A place that is lost, or given twice, a few times is missed only then.
pub fn long_run(g: &mut Generator) {
    let bits = width(g);
    integers(g, bits);
    let stays = g.draw.chance(50);
    let bits = if stays { narrowest(g, bits) } else { bits };
    dense(g, bits, 8);
    let [lanes, all] = log2_elements(g, bits);
    let any = u32::from_le_bytes(move_ops::sizes(g, 2 * capacity(g, bits)));
    let dimensions = g.draw.pick(&[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    let (sizes, dimensions) = if stays { (packed(stay(lanes, all - lanes)), [0, 2]) } else { (any, dimensions) };
    let base = g.base(Direction::Load, g.target.rtl.reg_bytes, 4);
    let first = g.draw.range(1, 30) as u8;
    for (rd, value) in (first..).zip([sizes, base]) {
        g.constant(rd, value);
    }
    let mut pair = 0;
    for _ in 0..if stays { 120 } else { 45 } {
        transpose(g, &mut pair, dimensions, first);
        for _ in 0..2 {
            let [tlrd, old] = [(); 2].map(|()| g.draw.range(17, 31) as u8);
            let imm8 = g.draw.below(100) as i8;
            g.tensor(Tensor::Addi { tlrd, tlrs: if stays { 0 } else { old }, imm8 });
        }
        if stays && g.draw.chance(30) {
            let tl = g.draw.range(17, 31) as u8;
            access(g, Direction::Load, tl, first + 1, 0);
        }
    }
}

/// Runs of transpositions of one plan, and behind each of them up to two results that read nothing, in a pattern: where the rows of these
/// and of the transpositions want the same bank, the latter pile up for as long as the run goes.
pub fn patterns(g: &mut Generator, bits: u32) {
    let start = g.words().len();
    let mut pair = 0;
    while g.words().len() < start + RUN {
        let rs = sizes(g, bits);
        let dimensions = g.draw.pick(&[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let behind = [(); 3].map(|()| g.draw.pick(&[0, 1, 1, 2]));
        for &count in behind.iter().take(g.draw.range(1, 3) as usize).cycle().take(12) {
            transpose(g, &mut pair, dimensions, rs);
            addis(g, count);
        }
    }
}

/// Operations that read whole registers, and behind them a concat of few rows, by slice or with an operand that has none: it waits,
/// with the last row that it needs, while the rows of those are read. All have the same CSRs, so nothing comes between them.
pub fn behind_whole(g: &mut Generator, bits: u32) {
    let row = g.target.rtl.lanes * 8 / bits;
    let inner = g.draw.pick(&[(row / 2).max(1), row, row]);
    match g.draw.below(6) {
        0..3 => return behind_sums(g, bits, inner),
        3 => return before_merges(g, bits, inner),
        _ => {}
    }
    let size = g.draw.pick(&[2, 4]);
    g.want_csr(Csr::Tshape, shape::packed([1, size, inner]));
    select(g, &[(1, 1), (1, 1), (0, 1), (1, 0)]);
    let start = g.words().len();
    while g.words().len() < start + RUN {
        for _ in 0..g.draw.range(1, 2) {
            let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(1, 31) as u8);
            let addi = Tensor::Addi { tlrd, tlrs: tlrs1, imm8: 1 };
            let one = if g.draw.chance(50) { addi } else { Tensor::Merge { d: 1, tlrd, tlrs1, tlrs2 } };
            g.tensor(one);
        }
        join(g);
    }
}

/// Concats of whole registers that are all of one operand, or all but one slice of an operand that comes late, and a merge right behind each: rows
/// that wait for their pass may not be taken for rows of the merge, nor those for rows of the concat.
fn before_merges(g: &mut Generator, bits: u32, inner: u32) {
    let size = (capacity(g, bits) / inner).min(32);
    g.want_csr(Csr::Tshape, shape::packed([1, size, inner]));
    let all = u32::MAX >> (32 - size);
    select(g, &[(0, all), (all, 0), (1, all & !1), (all & !1, 1)]);
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let [mut one, other] = [(); 2].map(|()| g.draw.range(1, 8) as u8);
        if g.draw.chance(70) {
            one = g.draw.range(9, 11) as u8;
            let [tlrs1, tlrs2] = [(); 2].map(|()| g.draw.below(9) as u8);
            g.tensor(Tensor::Merge { d: 1, tlrd: one, tlrs1, tlrs2 });
        }
        let [tlrs1, tlrs2] = g.draw.pick(&[[one, other], [other, one]]);
        let tlrd = g.draw.range(12, 16) as u8;
        g.tensor(Tensor::Concat { d: 1, tlrd, tlrs1, tlrs2 });
        let [tlrs1, tlrs2] = [(); 2].map(|()| g.draw.below(9) as u8);
        let tlrd = g.draw.range(17, 31) as u8;
        g.tensor(Tensor::Merge { d: 1, tlrd, tlrs1, tlrs2 });
    }
}

/// Up to four sums and merges of whole registers that are there, and a concat of one early slice, which may read the last result of these, and
/// nothing as its second operand.
fn behind_sums(g: &mut Generator, bits: u32, inner: u32) {
    let size = (capacity(g, bits) / inner).min(32);
    g.want_csr(Csr::Tshape, shape::packed([1, size, inner]));
    let early = 1 << g.draw.below((size / 4).max(1));
    select(g, &[(early, 0), (early, 0), (early, 1)]);
    let start = g.words().len();
    while g.words().len() < start + RUN {
        let mut last = 0;
        for _ in 0..g.draw.range(1, 4) {
            last = g.draw.range(17, 31) as u8;
            let [tlrs1, tlrs2] = [(); 2].map(|()| g.draw.below(9) as u8);
            let addi = Tensor::Addi { tlrd: last, tlrs: tlrs1, imm8: g.imm8() };
            let one = if g.draw.chance(70) { addi } else { Tensor::Merge { d: 1, tlrd: last, tlrs1, tlrs2 } };
            g.tensor(one);
        }
        let old = g.draw.range(1, 8) as u8;
        let tlrs1 = g.draw.pick(&[last, old]);
        let tlrs2 = g.draw.pick(&[0, 0, old]);
        let tlrd = g.draw.range(9, 16) as u8;
        g.tensor(Tensor::Concat { d: 1, tlrd, tlrs1, tlrs2 });
    }
}

/// A concat whose last selected slice is in its last row, and behind it one of few rows, which is begun while rows of the first one
/// are still read.
pub fn closer(g: &mut Generator, bits: u32) {
    let row = (g.target.rtl.lanes * 8 / bits).max(2);
    let all = capacity(g, bits);
    let rs = sizes(g, bits);
    let start = g.words().len();
    while g.words().len() < start + 2 * RUN {
        let size = g.draw.pick(&[4, 8, 12, 16, 32]);
        let inner = (g.draw.pick(&[1, 2, 4, 8]) * row / size).clamp(1, row - 1);
        let size = size.min(all / inner);
        g.want_csr(Csr::Tshape, shape::packed([(all / (inner * size)).clamp(1, 128), size, inner]));
        let last = 1 << (size - 1);
        select(g, &[(last, last), (last, 0), (0, last), (1, last)]);
        slow(g, rs);
        for _ in 0..g.draw.range(1, 2) {
            join(g);
        }
        slow(g, rs);
        let inner = g.draw.pick(&[1, 4, 8]).min(row - 1);
        g.want_csr(Csr::Tshape, shape::packed([1, 4, inner]));
        select(g, &[(1, 1), (0, 1), (1, 0)]);
        join(g);
    }
}

/// One of these pairs of masks for both operands of a concat.
fn select(g: &mut Generator, masks: &[(u32, u32)]) {
    let (mask1, mask2) = g.draw.pick(masks);
    g.want_csr(Csr::TmaskConcat1, mask1);
    g.want_csr(Csr::TmaskConcat2, mask2);
}

/// A concat along dimension 1.
fn join(g: &mut Generator) {
    let [tlrd, tlrs1, tlrs2] = [(); 3].map(|()| g.draw.range(9, 31) as u8);
    g.tensor(Tensor::Concat { d: 1, tlrd, tlrs1, tlrs2 });
}

/// What is read at the same time makes it slow.
fn slow(g: &mut Generator, rs: u8) {
    for _ in 0..g.draw.below(3) {
        let (p, q, pair) = (g.draw.below(4) as u8, g.draw.below(4) as u8, 1 + 2 * g.draw.below(4) as u8);
        g.tensor(Tensor::Xpose { p, q, tlrs1: pair, tlrs2: pair + 1, rs });
    }
}
