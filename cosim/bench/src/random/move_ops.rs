// SPDX-License-Identifier: Apache-2.0
//! Addi, concat, merge and xpose.

use golden::Csr;
use golden::decode::Tensor;

use super::generator::Generator;
use super::immediates;
use super::memory_ops::mask_value;
use super::shape;

/// One or more `tl.addi`.
pub fn addi(g: &mut Generator) {
    if g.machine.element_type().is_none_or(|element| !element.integer) && g.draw.chance(85) {
        let width = g.width();
        g.set_csr(Csr::Ttype, 1 << (width.ilog2() - 2));
    }
    for _ in 0..g.draw.range(1, 3) {
        let tlrs = g.tl();
        let tlrd = g.tl_near(&[tlrs]);
        let imm8 = immediates::immediate(g);
        g.tensor(Tensor::Addi { tlrd, tlrs, imm8 });
    }
}

/// A dimension for which the shape is legal, mostly; that of the slices that were made on purpose, if there are any.
fn dimension(g: &mut Generator, sliced: Option<u32>) -> (u8, u32) {
    let d = match sliced {
        Some(d) if g.draw.chance(70) => d,
        _ => g.draw.below(3),
    };
    let sizes: [u32; 3] = std::array::from_fn(|d| g.machine.csr.read(Csr::Tshape) >> (16 - 8 * d) & 0xff);
    let fits = |d: u32| sizes[d as usize] <= 32;
    let d = if fits(d) || g.draw.chance(20) { d } else { (0..3).find(|&d| fits(d)).unwrap_or(d) };
    (d as u8, sizes[d as usize])
}

/// A block that is nearly 32 wide in one dimension, so that every bit of a mask counts.
fn all_of_a_mask(g: &mut Generator) {
    let Some((element, _)) = g.machine.block() else { return };
    let capacity = g.target.rtl.reg_bytes * 8 / element.bits;
    let size = capacity.min(32).saturating_sub(g.draw.below(4)).max(1);
    let mut sizes = [1; 3];
    let [wide, other] = [g.draw.below(3), g.draw.below(3)];
    sizes[other as usize] = g.draw.range(1, (capacity / size).max(1));
    sizes[wide as usize] = size;
    g.set_csr(Csr::Tshape, sizes[0] << 16 | sizes[1] << 8 | sizes[2]);
}

/// A block of slices that neither fill rows of the register file nor divide them: they start in any lane. Along which
/// dimension, when there are two or more.
fn ragged(g: &mut Generator) -> Option<u32> {
    let edge = g.draw.chance(30);
    if g.draw.chance(if edge { 85 } else { 50 }) && g.target.golden.element_widths.contains(4) {
        // The narrowest elements: only with them a slice starts in the middle of a byte.
        g.set_csr(Csr::Ttype, 1);
    }
    let element = g.machine.element_type()?;
    let capacity = g.target.rtl.reg_bytes * 8 / element.bits;
    let row = g.target.rtl.lanes * 8 / element.bits;
    let width = if edge {
        // A slice, or one soon behind it, begins with the last lane of a row or ends with the first one.
        let behind = g.draw.pick(&[1, 3, 5, 7, 9]);
        let wraps = (row..2 * row).find(|width| width * behind % row == 1).unwrap_or(row + 1);
        g.draw.pick(&[row - 1, wraps, wraps, 2 * row + 1]).clamp(1, (capacity / 2).min(255))
    } else {
        g.draw.range(1, (capacity / 4).clamp(1, 12)) * 2 + 1
    };
    let mut room = (capacity / width).max(1);
    let mut sizes = [1, 1, width.min(capacity)];
    let first = g.draw.below(2) as usize;
    for d in [first, 1 - first] {
        sizes[d] = if g.draw.chance(50) { room.min(32) } else { g.draw.range(1, room.min(32)) };
        room /= sizes[d];
    }
    g.set_csr(Csr::Tshape, sizes[0] << 16 | sizes[1] << 8 | sizes[2]);
    // The slices along dimension 0 have the width only when there is one along dimension 1.
    [1, 0].into_iter().find(|&d| sizes[d as usize] > 1)
}

/// Now and then a block that few others are like; the dimension of its slices, where that matters.
fn unusual(g: &mut Generator) -> Option<u32> {
    match g.draw.below(20) {
        0..3 => {
            all_of_a_mask(g);
            None
        }
        3..8 => ragged(g),
        _ => None,
    }
}

/// One or more `tl.concat.d`, with masks that leave room for both, mostly.
pub fn concat(g: &mut Generator) {
    shape::ensure_legal(g);
    let sliced = unusual(g);
    let (d, size) = dimension(g, sliced);
    let below = if size < 32 { (1 << size) - 1 } else { u32::MAX };
    let set = |g: &Generator, csr| g.machine.csr.mask(csr).is_some_and(|mask| mask.initialised);
    let ready = set(g, Csr::TmaskConcat1) && set(g, Csr::TmaskConcat2);
    let count = |g: &Generator, csr| (g.machine.csr.read(csr) & below).count_ones();
    let fits = count(g, Csr::TmaskConcat1) + count(g, Csr::TmaskConcat2) <= size;
    if g.draw.chance(30) || !(ready && fits) && g.draw.chance(90) {
        let mask1 = mask_value(g);
        let mut mask2 = mask_value(g);
        let room = size.saturating_sub((mask1 & below).count_ones());
        // Too many for the room: drop some, from either end. Now and then one too many is left.
        let room = room + u32::from(g.draw.chance(10));
        while (mask2 & below).count_ones() > room && !g.draw.chance(1) {
            let selected = mask2 & below;
            mask2 &= !if g.draw.chance(50) {
                1 << (31 - selected.leading_zeros())
            } else {
                selected & selected.wrapping_neg()
            };
        }
        g.set_csr(Csr::TmaskConcat1, mask1);
        // The other one may be without a value still.
        if set(g, Csr::TmaskConcat2) || g.draw.chance(65) {
            g.set_csr(Csr::TmaskConcat2, mask2);
        }
    }
    for _ in 0..g.draw.range(1, 3) {
        let (tlrs1, tlrs2) = (g.tl(), g.tl());
        let tlrd = g.tl_near(&[tlrs1, tlrs2]);
        g.tensor(Tensor::Concat { d, tlrd, tlrs1, tlrs2 });
    }
}

/// One or more `tl.merge.d`.
pub fn merge(g: &mut Generator) {
    shape::ensure_legal(g);
    let sliced = unusual(g);
    let (d, _) = dimension(g, sliced);
    let initialised = g.machine.csr.mask(Csr::TmaskConcat1).is_some_and(|mask| mask.initialised);
    if sliced.is_some() && g.draw.chance(60) {
        // Each slice from another operand than the one before it.
        let mask = g.draw.pick(&[0x5555_5555, 0xaaaa_aaaa]);
        g.set_csr(Csr::TmaskConcat1, mask);
    } else if g.draw.chance(40) || !initialised && g.draw.chance(85) {
        let mask = mask_value(g);
        g.set_csr(Csr::TmaskConcat1, mask);
    }
    for _ in 0..g.draw.range(1, 3) {
        let (tlrs1, tlrs2) = (g.tl(), g.tl());
        let tlrd = g.tl_near(&[tlrs1, tlrs2]);
        g.tensor(Tensor::Merge { d, tlrd, tlrs1, tlrs2 });
    }
}

/// One or more `tl.xpose.pq` with the same sizes.
pub fn xpose(g: &mut Generator) {
    if g.machine.element_type().is_none() {
        shape::change(g);
    }
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let sizes = sizes(g, g.target.rtl.reg_bytes * 16 / bits);
    let rs = g.register_with(u32::from_le_bytes(sizes));
    for _ in 0..g.draw.range(1, 4) {
        let (p, q) = (g.draw.below(4) as u8, g.draw.below(4) as u8);
        let tlrs1 = g.tl();
        let mut tlrs2 = g.tl();
        if tlrs1 == tlrs2 && !g.draw.chance(5) {
            tlrs2 = (tlrs2 + 1) & 31;
        }
        g.tensor(Tensor::Xpose { p, q, tlrs1, tlrs2, rs });
    }
}

/// Four powers of two with this product, the first even; spoilt now and then.
pub fn sizes(g: &mut Generator, product: u32) -> [u8; 4] {
    let mut log2 = [1, 0, 0, 0];
    let mut left = product.ilog2() - 1;
    while left > 0 {
        let d = g.draw.below(4) as usize;
        // Long runs on one dimension give the extreme shapes, too.
        let run = g.draw.range(1, left).min(7 - log2[d]);
        log2[d] += run;
        left -= run;
    }
    let mut sizes = log2.map(|bits: u32| 1u8 << bits);
    match g.draw.below(40) {
        0 => sizes[g.draw.below(4) as usize] = 0,
        1 => sizes[g.draw.below(4) as usize] = g.draw.u32() as u8,
        // No power of two, and nothing else is wrong.
        2 | 3 => {
            let d = g.draw.pick(&[0, 1, 2, 3, 3]);
            sizes[d] |= g.draw.below(sizes[d].into()) as u8;
        }
        4 => sizes.swap(0, g.draw.below(4) as usize),
        // Twice as many elements as there are, or half of them.
        5 | 6 => {
            let d = g.draw.below(4) as usize;
            sizes[d] = if g.draw.chance(50) { sizes[d].saturating_mul(2) } else { sizes[d].div_ceil(2) };
        }
        _ => {}
    }
    sizes
}
