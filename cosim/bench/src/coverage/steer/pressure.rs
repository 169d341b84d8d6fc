// SPDX-License-Identifier: Apache-2.0
//! What has to wait for long, or comes just too late: registers that many want at once, stores that need both of their probes,
//! a store between a load that traps and one that does not, a store behind many reads of strides.

use golden::Csr;
use golden::decode::{SliceTransfer, Tensor};

use super::goal::Goal;
use super::kit::Kit;
use super::moves::distinct;
use super::state::{set, widths};
use crate::coverage::values::*;
use crate::random::generator::Generator;
use crate::random::shape::packed;

/// The one that the goal wants.
pub fn pressure(g: &mut Generator, goal: &Goal) -> Option<()> {
    match (goal.get(Axis::Press), goal.get(Axis::Between)) {
        (Some(press), _) => behind(g, press, goal.get(Axis::Engine)?),
        _ if goal.get(Axis::StridesRead).is_some() => strides_read(g, goal),
        (_, Some(_)) => between(g, Value { axis: Axis::Trapped, ..goal.get(Axis::Killer)? }),
        _ => reach(g, goal),
    }
}

/// An instruction behind a transposition and others that read, or write, registers of their own.
fn behind(g: &mut Generator, press: Value, engine: Value) -> Option<()> {
    let kit = Kit::new(g, None)?;
    let [a, b, c, d, e, x, y, z, w] = distinct(g);
    // Four fresh registers are enough when one half of each transposition goes to `tl0`, and needs none.
    let half = |register| if g.target.rtl.spare_registers > 4 { register } else { 0 };
    let [a, x_first] = [a, x].map(half);
    kit.emit(g, G_XPOSE, [a, 0, b]);
    if press == PRESS_WRITES {
        for tlrd in [c, d] {
            g.tensor(Tensor::Concat { d: 0, tlrd, tlrs1: 0, tlrs2: 0 });
        }
    } else {
        kit.emit(g, G_STORE, [0, e, 0]);
        kit.emit(g, G_MOVE, [c, d, e]);
    }
    kit.emit(g, engine, if engine == G_XPOSE { [x_first, 0, y] } else { [x, z, w] });
    Some(())
}

/// A load that traps, a store, and a load that does not, while something older is at work.
fn between(g: &mut Generator, trapped: Value) -> Option<()> {
    let kit = Kit::new(g, Some(trapped))?;
    let [a, b, c, d, e] = distinct(g);
    kit.emit(g, G_XPOSE, [a, 0, b]);
    kit.trap(g, trapped);
    kit.emit(g, G_STORE, [0, c, 0]);
    for tlrd in [d, e] {
        kit.emit(g, G_LOAD, [tlrd, 0, 0]);
    }
    Some(())
}

/// A store with its last slice outside, behind reads of the first stride.
fn strides_read(g: &mut Generator, goal: &Goal) -> Option<()> {
    let SliceTransfer { direction, masked, .. } = goal.operation()?.transfer()?;
    let bits = g.target.golden.element_widths.iter().last()?;
    let size = g.memory(direction);
    set(g, Csr::Ttype, 1 << (bits.ilog2() - 2));
    set(g, Csr::Tshape, packed([2, 1, 8 / bits.min(8)]));
    set(g, Csr::TstoreWidth, 0);
    set(g, Csr::TmaskStore, 3);
    set(g, Csr::TstoreStride(0), 0);
    set(g, Csr::TstoreStride(1), size);
    let (rs, [tl, rd]) = (g.register_with(0), distinct(g));
    for _ in 0..40 {
        super::front::read(g, Csr::TstoreStride(0), rd);
    }
    g.tensor(SliceTransfer { direction, masked, tl, rs, imm8: 0 }.into());
    Some(())
}

/// Slots of the four slices, between the least and the greatest that there could be.
const SLOTS: [u32; 4] = [2, 3, 4, 5];

/// The greatest stride, which no slice has.
const GREATEST: u32 = 8;

/// Four slices of an access with a negative immediate, near the end of the memory that the goal wants to leave.
fn reach(g: &mut Generator, goal: &Goal) -> Option<()> {
    let SliceTransfer { direction, masked, .. } = goal.operation()?.transfer()?;
    let widths = widths(g, &Goal::new(&[]));
    let bits = g.draw.pick(&widths);
    if bits == 0 {
        return None;
    }
    let unit = bits.max(8);
    let size = g.memory(direction);
    // Four slices fit into the register, and what they could reach into the memory.
    let most = (2 * g.target.rtl.reg_bytes).min(size / 2) / unit;
    let bytes = g.draw.range(1, most.clamp(1, 8)) * unit / 8;
    let (width, mask, stride) = direction.csrs();
    set(g, Csr::Ttype, 1 << (bits.ilog2() - 2));
    set(g, Csr::Tshape, packed([4, 1, 8 * bytes / bits]));
    set(g, width, 0);
    set(g, mask, u32::MAX);
    for slot in 0..32 {
        let value = SLOTS.get(usize::from(slot)).copied();
        set(g, stride(slot), value.unwrap_or(if slot == 31 { GREATEST } else { 0 }));
    }
    let back = g.draw.range(1, 4);
    // So many slots are outside.
    let outside = goal.wants(OUTSIDE);
    let out = if outside { g.draw.range(4, 6) } else { g.draw.range(1, 2) };
    let first = match goal.get(Axis::Reach)? {
        REACH_IN => 0,
        REACH_LOW => 0u32.wrapping_sub(out * bytes),
        _ => size / bytes * bytes - (GREATEST + 1 - out) * bytes,
    };
    let base = first.wrapping_add(back * bytes);
    let (rs, [tl]) = (g.register_with(base), distinct(g));
    g.tensor(SliceTransfer { direction, masked, tl, rs, imm8: -(back as i8) }.into());
    Some(())
}
