// SPDX-License-Identifier: Apache-2.0
//! Loads and stores.

use golden::Csr;
use golden::decode::{Direction, Tensor};

use super::goal::Goal;
use super::state::{broken_type, factors, mask, run, set, shape_fits, slices, ttype, widths};
use super::{Fields, address};
use crate::coverage::facts::{end_class, line_class};
use crate::coverage::operation::has_mask;
use crate::coverage::values::*;
use crate::random::generator::Generator;
use crate::random::shape::packed;

/// Block and slice width.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Element width in bits.
    pub bits: u32,
    /// tshape.
    pub sizes: [u32; 3],
    /// Width CSR.
    pub width: u32,
    /// Bytes of a slice.
    pub bytes: u32,
}

/// Emits everything that the operation needs, and gives the operation.
pub fn prepare(g: &mut Generator, goal: &Goal, tensor: Tensor, direction: Direction) -> Option<Tensor> {
    let why = goal.get(Axis::Why);
    let layout = match why {
        Some(why) => broken_layout(g, goal, why)?,
        None => layout(g, goal)?,
    };
    let (width_csr, mask_csr, _) = direction.csrs();
    let ttype = broken_type(g, why).unwrap_or_else(|| ttype(g, goal, layout.bits, false));
    set(g, Csr::Ttype, ttype);
    set(g, Csr::Tshape, packed(layout.sizes));
    set(g, width_csr, layout.width);
    let slices = layout.sizes[0].clamp(1, 32);
    let mut selected = u32::MAX;
    if has_mask(tensor) && why != Some(MASK_1) {
        selected = select(g, goal, slices);
        set(g, mask_csr, selected);
    }
    let imm8 = g.imm8();
    let base = address::place(g, goal, &address::Wanted { direction, layout, selected, imm8 })?;
    let rs = g.register_with(base);
    let any = g.draw.range(1, 31) as u8;
    let tl = if goal.wants(ZERO_D) || goal.wants(ZERO_S1) { 0 } else { any };
    Some(Fields { result: tl, sources: [tl, 0], imm8, x: rs, ..Fields::default() }.put_into(tensor))
}

/// Slices that have to be selected for the goal to be possible.
fn least_slices(g: &Generator, goal: &Goal) -> u32 {
    let of_order = match goal.get(Axis::Order) {
        _ if goal.get(Axis::Shared).is_some() => 2,
        Some(O_SINGLE) | None => 1,
        // Three of two words each are more than a register of four words.
        Some(O_MIXED) if goal.wants(MULTIPLE) && g.target.rtl.reg_bytes < 6 * g.target.rtl.port_bytes() => 2,
        Some(O_MIXED) => 3,
        Some(_) => 2,
    };
    let of_position = match goal.get(Axis::Pos) {
        Some(POS_MIDDLE) => 3,
        Some(POS_LAST) => 2,
        _ => 1,
    };
    of_order.max(of_position)
}

/// A mask: of the wanted class, and with enough slices.
fn select(g: &mut Generator, goal: &Goal, size: u32) -> u32 {
    let all = u32::MAX >> (32 - size);
    if goal.get(Axis::Shared).is_some() {
        return all;
    }
    if goal.get(Axis::Spared).is_some() {
        // The last slice is the one that is spared.
        return (g.draw.u32() | 1) & all >> 1;
    }
    let least = least_slices(g, goal);
    let single = goal.wants(O_SINGLE);
    let enough = |mask: u32| {
        let count = (mask & all).count_ones();
        if single { count == 1 } else { count >= least }
    };
    for _ in 0..32 {
        let mask = mask(g, goal.get(Axis::Mask), goal.get(Axis::High), size);
        if goal.get(Axis::Mask).is_some() || enough(mask) {
            return mask;
        }
    }
    if single { 1 << g.draw.below(size) } else { all }
}

/// A legal layout as the goal wants it.
pub fn layout(g: &mut Generator, goal: &Goal) -> Option<Layout> {
    let (port, row, reg) = (g.target.rtl.port_bytes(), g.target.rtl.lanes, g.target.rtl.reg_bytes);
    let mut widths = widths(g, goal);
    if goal.wants(MISALIGNED) {
        widths.retain(|&bits| bits > 8);
    }
    let masks = match goal.get(Axis::Mask) {
        Some(M_RUN | M_HOLES | M_PREFIX) => 4,
        Some(M_ONE) => 2,
        _ => 1,
    };
    let spared = if goal.get(Axis::Spared).is_some() { 2 } else { 1 };
    let least = least_slices(g, goal).max(masks).max(spared);
    for _ in 0..600 {
        let bits = g.draw.pick(&widths);
        if bits == 0 {
            return None;
        }
        let step = bits.max(8);
        let d0 =
            if goal.wants(O_SINGLE) && !goal.operation().is_some_and(has_mask) { 1 } else { slices(g, goal, least) };
        let most = 8 * reg / d0;
        let run = match goal.get(Axis::End) {
            Some(END_FULL) => most,
            _ => run(g, goal.get(Axis::Run), 8 * port, step, most),
        };
        let fits = match goal.get(Axis::Shared) {
            Some(S_BEGINS) => run < 8 * port,
            Some(S_CROSSES) => run > step && step < 8 * port,
            _ => true,
        };
        if !fits || run > most || run % step != 0 || goal.wants(SLOT_HUGE) && run == 8 {
            continue;
        }
        let elements = run / bits;
        let (width, block) = match goal.get(Axis::WidthCsr) {
            Some(WIDTH_EQUAL) => (elements, elements),
            Some(WIDTH_LESS) => (elements, g.draw.range(elements + 1, 2 * elements + 4)),
            Some(WIDTH_MORE) => (elements, g.draw.range(1, elements.max(2) - 1)),
            Some(_) => (0, elements),
            None if g.draw.chance(70) => (0, elements),
            None => (elements, g.draw.range(1, most / bits)),
        };
        // One 4-bit element is less than a slice can be.
        let (width, block) = if goal.wants(SINGLE) { (elements, 1) } else { (width, block) };
        let Some([d1, d2]) = factors(g, block) else { continue };
        let layout = Layout { bits, sizes: [d0, d1, d2], width, bytes: run / 8 };
        let end = end_class(d0 * run, reg, row);
        if shape_fits(g, goal, layout.sizes, bits) && goal.allows(end) && goal.allows(line_class(run, port)) {
            return Some(layout);
        }
    }
    None
}

/// A layout with the one mistake that the goal wants, which may be none of the layout.
fn broken_layout(g: &mut Generator, goal: &Goal, why: Value) -> Option<Layout> {
    let reg = g.target.rtl.reg_bytes;
    let mut layout = layout(g, goal)?;
    let narrowest = g.target.rtl.granule_bits();
    let one_byte = |bits: u32| (8 / bits).max(1);
    match why {
        ZERO_SIZE => {
            layout.width = 0;
            layout.sizes[g.draw.below(3) as usize] = 0;
        }
        BLOCK_BIG => {
            layout.sizes = [g.draw.range(2, 4), g.draw.range(200, 255), g.draw.range(200, 255)];
            layout.width = one_byte(layout.bits);
        }
        DIM_BIG => {
            layout.bits = narrowest;
            let most = (8 * reg / narrowest).min(reg).min(255);
            layout.sizes = [g.draw.range(33, most), 1, 1];
            layout.width = one_byte(narrowest);
        }
        HALF_BYTE => {
            layout.bits = 4;
            layout.sizes = [g.draw.range(1, 4), 1, 2 * g.draw.below(4) + 1];
            layout.width = if g.draw.chance(50) { 0 } else { 2 * g.draw.below(8) + 1 };
        }
        SLICES_BIG => {
            let elements = 8 * reg / layout.bits / layout.sizes[0];
            layout.width = 2 * (elements / 2 + g.draw.range(1, 8));
        }
        _ => {}
    }
    Some(layout)
}
