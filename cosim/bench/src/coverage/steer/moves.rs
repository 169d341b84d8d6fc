// SPDX-License-Identifier: Apache-2.0
//! `tl.concat` and `tl.merge`.

use golden::Csr;
use golden::decode::Tensor;

use super::Fields;
use super::goal::Goal;
use super::state::{broken_type, factors, mask, one_of, run, set, shape_fits, slices, ttype, widths};
use crate::coverage::facts::{end_class, run_class};
use crate::coverage::operation::has_two_masks;
use crate::coverage::values::*;
use crate::random::generator::Generator;
use crate::random::shape::packed;

/// Emits everything that the operation needs, and gives the operation.
pub fn prepare(g: &mut Generator, goal: &Goal, tensor: Tensor) -> Option<Tensor> {
    let both = has_two_masks(tensor);
    let d = goal.get(Axis::Dim).unwrap_or_else(|| one_of(g, &[D0, D1, D2]));
    let d = usize::from(d.index);
    let why = goal.get(Axis::Why);
    let (bits, mut sizes) = layout(g, goal, d)?;
    let mut bits = bits;
    match why {
        Some(ZERO_SIZE) => sizes[g.draw.below(3) as usize] = 0,
        Some(BLOCK_BIG) => {
            sizes = std::array::from_fn(|_| g.draw.range(200, 255));
            sizes[d] = g.draw.range(2, 32);
        }
        Some(DIM_BIG) => {
            bits = g.target.rtl.granule_bits();
            sizes = [1; 3];
            sizes[d] = g.draw.range(33, (8 * g.target.rtl.reg_bytes / bits).min(255));
        }
        _ => {}
    }
    let ttype = broken_type(g, why).unwrap_or_else(|| ttype(g, goal, bits, false));
    set(g, Csr::Ttype, ttype);
    set(g, Csr::Tshape, packed(sizes));
    let [mask1, mask2] = masks(g, goal, both, sizes[d]);
    if why != Some(MASK_1) {
        set(g, Csr::TmaskConcat1, mask1);
    }
    if both && why != Some(MASK_2) {
        set(g, Csr::TmaskConcat2, mask2);
    }
    let [tlrd, tlrs1, tlrs2] = registers(g, goal);
    let fields = Fields { dimensions: [d as u8, 0], result: tlrd, sources: [tlrs1, tlrs2], ..Fields::default() };
    Some(fields.put_into(tensor))
}

/// Element width and a legal shape as the goal wants them.
fn layout(g: &mut Generator, goal: &Goal, d: usize) -> Option<(u32, [u32; 3])> {
    let (row, reg) = (g.target.rtl.lanes, g.target.rtl.reg_bytes);
    let mut widths = widths(g, goal);
    if goal.wants(NIBBLES) || goal.wants(END_NIBBLE) {
        widths.retain(|&bits| bits == 4);
    }
    let of_mask = |axis| goal.get(axis).map_or(1, |mask: Value| [1, 1, 2, 4, 4, 4][usize::from(mask.index).min(5)]);
    let both = if goal.get(Axis::Mask).is_some() && goal.get(Axis::Mask2).is_some() { 2 } else { 1 };
    let sum = if goal.wants(SUM_LESS) { 2 } else { 1 };
    let again = if goal.wants(OUTER_MORE) { 2 } else { 1 };
    let least = (both * of_mask(Axis::Mask).max(of_mask(Axis::Mask2))).max(sum).max(again);
    for _ in 0..2000 {
        let bits = g.draw.pick(&widths);
        if bits == 0 {
            return None;
        }
        let size = slices(g, goal, least);
        let most = 8 * reg / size / again;
        let step = bits;
        let run = if d == 2 { bits } else { run(g, goal.get(Axis::Run), 8 * row, step, most) };
        if run > most || run % bits != 0 || goal.get(Axis::Run).is_some_and(|class| run_class(run, row) != class) {
            continue;
        }
        let room = most / run;
        let any = g.draw.range(1, room);
        let outer = if goal.wants(OUTER_MORE) {
            g.draw.range(2, room.max(2))
        } else if goal.wants(END_FULL) || goal.wants(FULL) {
            room
        } else {
            g.draw.pick(&[1, 2, any, room])
        };
        let inner = run / bits;
        let sizes = match d {
            0 => factors(g, inner).map(|[d1, d2]| [size, d1, d2]),
            1 => Some([outer.min(255), size, inner]),
            _ => factors(g, outer.max(1)).map(|[d0, d1]| [d0, d1, size]),
        };
        let Some(sizes) = sizes else { continue };
        let end = end_class(sizes.iter().product::<u32>() * bits, reg, row);
        if shape_fits(g, goal, sizes, bits) && goal.allows(end) {
            return Some((bits, sizes));
        }
    }
    None
}

/// Both masks, of the wanted classes, with room for all slices.
fn masks(g: &mut Generator, goal: &Goal, concat: bool, size: u32) -> [u32; 2] {
    let size = size.clamp(1, 32);
    let all = u32::MAX >> (32 - size);
    match goal.get(Axis::Why) {
        Some(TOO_MANY) => return [all, g.draw.u32() | 1],
        Some(_) => return [0, 0],
        None => {}
    }
    let [first, second] = [goal.get(Axis::Mask), goal.get(Axis::Mask2)];
    let second = second.map(|class| Value { axis: Axis::Mask, ..class });
    for _ in 0..200 {
        let high = goal.get(Axis::High);
        let mut masks = [mask(g, first, high, size), mask(g, second, high, size)];
        if goal.wants(SUM_NONE) {
            masks = masks.map(|mask| mask & !all);
        }
        if goal.wants(SUM_EXACT) && first.is_none() && second.is_none() {
            masks[1] = masks[1] & !all | !masks[0] & all;
        }
        if first == Some(M_ALL) && second.is_none() {
            masks[1] &= !all;
        }
        if second == Some(M_ALL) && first.is_none() {
            masks[0] &= !all;
        }
        let sum: u32 = masks.iter().map(|mask| (mask & all).count_ones()).sum();
        let wanted = match goal.get(Axis::Sum) {
            Some(SUM_NONE) => sum == 0,
            Some(SUM_LESS) => 0 < sum && sum < size,
            Some(_) => sum == size,
            None => sum <= size,
        };
        if !concat || wanted {
            return masks;
        }
    }
    [0, 0]
}

/// Result and sources, as the goal wants them.
fn registers(g: &mut Generator, goal: &Goal) -> [u8; 3] {
    let [d, s1, s2] = distinct(g);
    match (goal.get(Axis::Alias), goal.get(Axis::Zero)) {
        (Some(D_IS_S1), _) => [s1, s1, s2],
        (Some(D_IS_S2), _) => [s2, s1, s2],
        (Some(S1_IS_S2), _) => [d, s1, s1],
        (Some(ALL_SAME), _) => [d, d, d],
        (_, Some(ZERO_D)) => [0, s1, s2],
        (_, Some(ZERO_S1)) => [d, 0, s2],
        (_, Some(ZERO_S2)) => [d, s1, 0],
        (_, Some(ZEROS)) => one_zero_left_out(g, [d, s1, s2]),
        _ => [d, s1, s2],
    }
}

/// Three registers of which one at most is not tl0.
fn one_zero_left_out(g: &mut Generator, registers: [u8; 3]) -> [u8; 3] {
    let left_out = g.draw.below(4) as usize;
    std::array::from_fn(|i| if i == left_out { registers[i] } else { 0 })
}

/// Different registers, tl0 not among them.
pub fn distinct<const N: usize>(g: &mut Generator) -> [u8; N] {
    let start = g.draw.below(31);
    let step = g.draw.range(1, 30);
    // 31 is a prime: no two are alike.
    std::array::from_fn(|i| 1 + ((start + step * i as u32) % 31) as u8)
}
