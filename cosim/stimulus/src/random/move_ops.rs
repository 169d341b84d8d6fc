// SPDX-License-Identifier: Apache-2.0
//! What makes registers of registers: sums, slices that are chosen, transpositions.

use golden::Csr;
use golden::decode::Tensor;

use super::generator::Generator;
use super::memory_ops::mask_value;
use super::operands::Values;
use super::{immediates, shape};

/// One or more of a sum.
pub fn sum(g: &mut Generator, row: Tensor) {
    if g.machine.element_type().is_none_or(|element| !element.integer) && g.draw.chance(85) {
        let width = g.width();
        shape::integers(g, width);
    }
    for _ in 0..g.draw.range(1, 3) {
        let tlrs = g.tl();
        let tlrd = g.tl_near(&[tlrs]);
        let immediate = immediates::immediate(g);
        let values = Values { result: tlrd, sources: [tlrs; 2], immediate: immediate.into(), ..Values::default() };
        g.tensor(values.fill(row));
    }
}

/// A dimension for which the shape is legal, mostly, and its size; now and then of a new block.
fn dimension(g: &mut Generator) -> (u8, u32) {
    shape::ensure_legal(g);
    let mut d = g.draw.below(3) as u8;
    if g.draw.chance(45) {
        if g.draw.chance(50) && g.target.golden.element_widths.contains(4) {
            // Only with the narrowest elements a slice begins in the middle of a byte.
            shape::integers(g, 4);
        }
        let bits = g.machine.element_type().map_or(8, |element| element.bits);
        let (along, sizes) = shape::block(g, bits);
        g.set_csr(Csr::Tshape, shape::packed(sizes));
        d = along;
    }
    let sizes = sizes_of_block(g);
    let fits = |d: u8| sizes[usize::from(d)] <= 32;
    let d = if fits(d) || g.draw.chance(20) { d } else { (0..3).find(|&d| fits(d)).unwrap_or(d) };
    (d, sizes[usize::from(d)])
}

/// The sizes of the block, legal or not.
pub fn sizes_of_block(g: &Generator) -> [u32; 3] {
    std::array::from_fn(|d| g.machine.csr.read(Csr::Tshape) >> (16 - 8 * d) & 0xff)
}

/// Masks for both operands of `tl.concat` over `size` slices, with room for all that they select, mostly.
pub fn concat_masks(g: &mut Generator, size: u32) -> [u32; 2] {
    let below = if size < 32 { (1 << size) - 1 } else { u32::MAX };
    let mask1 = mask_value(g, size);
    let mut mask2 = match g.draw.below(6) {
        // All that the other one has not, or nothing.
        0 => !mask1,
        1 => 0,
        _ => mask_value(g, size),
    };
    let room = size.saturating_sub((mask1 & below).count_ones());
    // Too many for the room: drop some, from either end. Now and then one too many is left.
    let room = room + u32::from(g.draw.chance(6));
    while (mask2 & below).count_ones() > room && !g.draw.chance(1) {
        let selected = mask2 & below;
        mask2 &=
            !if g.draw.chance(50) { 1 << (31 - selected.leading_zeros()) } else { selected & selected.wrapping_neg() };
    }
    if g.draw.chance(50) { [mask1, mask2] } else { [mask2, mask1] }
}

/// One or more that choose slices of registers, with masks that leave room for all that they select, mostly.
pub fn chosen(g: &mut Generator, row: Tensor) {
    let (d, size) = dimension(g);
    let masks: Vec<Csr> = row.csrs().filter(|&csr| g.machine.csr.mask(csr).is_some()).collect();
    let with_d = Values { dimensions: [d, 0], ..Values::default() };
    let ready = with_d.fill(row).unmet(&g.machine).next().is_none();
    if g.draw.chance(35) || !ready && g.draw.chance(90) {
        let values = concat_masks(g, size);
        for (&csr, value) in masks.iter().zip(values) {
            // One of them may be without a value still.
            if g.machine.csr.mask(csr).is_some_and(|mask| mask.initialised) || g.draw.chance(80) {
                g.set_csr(csr, value);
            }
        }
    }
    for _ in 0..g.draw.range(1, 3) {
        let (tlrs1, tlrs2) = (g.tl(), g.tl());
        let tlrd = g.tl_near(&[tlrs1, tlrs2]);
        g.tensor(Values { result: tlrd, sources: [tlrs1, tlrs2], ..with_d }.fill(row));
    }
}

/// One or more transpositions with the same sizes.
pub fn exchanged(g: &mut Generator, row: Tensor) {
    if g.machine.element_type().is_none() {
        shape::change(g);
    }
    let sizes = sizes(g);
    let rs = g.register_with(sizes);
    for _ in 0..g.draw.range(1, 4) {
        let (p, q) = (g.draw.below(4) as u8, g.draw.below(4) as u8);
        let tlrs1 = g.tl();
        let mut tlrs2 = g.tl();
        if tlrs1 == tlrs2 && !g.draw.chance(5) {
            tlrs2 = (tlrs2 + 1) & 31;
        }
        let values = Values { sources: [tlrs1, tlrs2], dimensions: [p, q], rs, ..Values::default() };
        g.tensor(values.fill(row));
    }
}

/// Sizes of a transposition of the elements as they are: four powers of two that fill two registers, the first of them
/// even; spoilt now and then.
pub fn sizes(g: &mut Generator) -> u32 {
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let all = (g.target.rtl.reg_bytes * 16 / bits).ilog2();
    let lanes = (g.target.rtl.lanes * 8 / bits).max(1).ilog2();
    let mut log2 = [1, 0, 0, 0];
    let mut left = all - 1;
    if g.draw.chance(30) {
        // All lanes in one dimension, and of the rows one or two bits, or all, in another one: what exchanges no lanes,
        // all of them, or the top of the row number with its lowest bit.
        log2[3] = lanes.min(left).min(7);
        left -= log2[3];
        for d in [2, 1, 0] {
            let bits = g.draw.pick(&[0, 1, lanes, left]).min(left).min(7 - log2[d]);
            log2[d] += bits;
            left -= bits;
        }
    }
    while left > 0 {
        let d = g.draw.below(4) as usize;
        // Long runs on one dimension give the extreme shapes, too.
        let run = g.draw.range(1, left).min(7 - log2[d]);
        log2[d] += run;
        left -= run;
    }
    let mut sizes = log2.map(|bits: u32| 1u8 << bits);
    let d = g.draw.below(4) as usize;
    match g.draw.below(60) {
        0 => sizes[d] = 0,
        1 => sizes[d] = g.draw.u32() as u8,
        // No power of two, and nothing else is wrong.
        2..6 => {
            let d = g.draw.pick(&[0, 1, 2, 3, 3]);
            sizes[d] |= g.draw.below(sizes[d].into()) as u8;
        }
        6 => sizes.swap(0, d),
        // Twice as many elements as there are, or half of them.
        7 if sizes[d] < 128 => sizes[d] *= 2,
        8 => sizes[d] = (sizes[d] / 2).max(1),
        _ => {}
    }
    u32::from_le_bytes(sizes)
}
