// SPDX-License-Identifier: Apache-2.0
//! Sums, such as `tl.addi`: a source register of which no, some or all elements saturate.

use golden::Csr;
use golden::decode::Tensor;

use super::Fields;
use super::goal::Goal;
use super::moves::distinct;
use super::state::{broken_type, one_of, set, ttype, widths};
use crate::coverage::values::*;
use crate::random::generator::Generator;
use crate::random::shape::packed;

/// Emits everything that the operation needs, and gives the operation.
pub fn prepare(g: &mut Generator, goal: &Goal, tensor: Tensor, added: fn(i8) -> i32) -> Option<Tensor> {
    let widths = widths(g, goal);
    let bits = g.draw.pick(&widths);
    if bits == 0 {
        return None;
    }
    let clamp = goal.get(Axis::Clamp);
    let imm8 = immediate(g, goal, bits);
    let added = added(imm8);
    let [mut tlrd, mut tlrs] = distinct(g);
    if let Some(edge) = goal.get(Axis::Edge) {
        next_to_the_end(g, edge, tlrs, added, bits)?;
    }
    match clamp {
        Some(C_LOW_ALL) => zeros(g, tlrs),
        Some(C_HIGH_ALL) => tops(g, tlrs)?,
        Some(C_LOW | C_HIGH) => halves(g, tlrs)?,
        Some(_) if added < 0 => tops(g, tlrs)?,
        Some(_) if added > 0 => zeros(g, tlrs),
        _ => {}
    }
    let ttype = broken_type(g, goal.get(Axis::Why)).unwrap_or_else(|| ttype(g, goal, bits, true));
    set(g, Csr::Ttype, ttype);
    if goal.wants(D_IS_S1) {
        tlrd = tlrs;
    }
    if goal.wants(ZERO_D) || goal.wants(ZEROS) {
        tlrd = 0;
    }
    if goal.wants(ZERO_S1) || goal.wants(ZEROS) {
        tlrs = 0;
    }
    Some(Fields { result: tlrd, sources: [tlrs, 0], imm8, ..Fields::default() }.put_into(tensor))
}

/// An immediate of the wanted class, for 4-bit elements one that does not make all of them saturate when some are to.
fn immediate(g: &mut Generator, goal: &Goal, bits: u32) -> i8 {
    let some = |clamp| clamp != C_LOW_ALL && clamp != C_HIGH_ALL;
    let narrow = bits == 4 && (goal.get(Axis::Clamp).is_some_and(some) || goal.get(Axis::Edge).is_some());
    let most = if narrow { 15 } else { 126 };
    let classes = [IMM_MIN, IMM_MINUS, IMM_M1, IMM_0, IMM_1, IMM_PLUS, IMM_MAX];
    match goal.get(Axis::Imm).unwrap_or_else(|| one_of(g, &classes)) {
        IMM_MIN => i8::MIN,
        IMM_MINUS => -(g.draw.range(2, most) as i8),
        IMM_M1 => -1,
        IMM_0 => 0,
        IMM_1 => 1,
        IMM_PLUS => g.draw.range(2, most) as i8,
        _ => i8::MAX,
    }
}

/// Makes all elements of `tl`, of `bits` bits, such that the sum with what is added is this one.
fn next_to_the_end(g: &mut Generator, edge: Value, tl: u8, added: i32, bits: u32) -> Option<()> {
    let distance = added.abs() - i32::from(edge == UNDER || edge == OVER);
    let away = if added < 0 {
        zeros(g, tl);
        1
    } else {
        tops(g, tl)?;
        -1
    };
    set(g, Csr::Ttype, 1 << (bits.ilog2() - 2));
    // A step is at most 127.
    for step in [distance - distance / 2, distance / 2] {
        g.tensor(Tensor::Addi { tlrd: tl, tlrs: tl, imm8: (away * step) as i8 });
    }
    Some(())
}

/// The narrowest integer type.
fn narrowest(g: &mut Generator) -> u32 {
    let bits = g.target.golden.element_widths.iter().next().unwrap_or(8);
    set(g, Csr::Ttype, 1 << (bits.max(4).ilog2() - 2));
    bits
}

/// Makes all elements of `tl` 0.
fn zeros(g: &mut Generator, tl: u8) {
    narrowest(g);
    g.tensor(Tensor::Addi { tlrd: tl, tlrs: 0, imm8: 0 });
}

/// Makes all elements of `tl` as large as can be, of whatever width: saturates the narrowest ones, or loads wide ones.
fn tops(g: &mut Generator, tl: u8) -> Option<()> {
    let bits = narrowest(g);
    if bits > 8 {
        let elements = 8 * g.target.rtl.reg_bytes / bits;
        set(g, Csr::Tshape, packed([1, elements.div_ceil(128), elements.min(128)]));
        set(g, Csr::TloadWidth, 0);
        set(g, Csr::TloadStride(0), 0);
        let rs = g.register_with(g.target.rtl.l1m_bytes - g.target.rtl.reg_bytes);
        g.tensor(Tensor::Load { tlrd: tl, rs, imm8: 0 });
        return Some(());
    }
    g.tensor(Tensor::Addi { tlrd: tl, tlrs: 0, imm8: 127 });
    if bits > 4 {
        g.tensor(Tensor::Addi { tlrd: tl, tlrs: tl, imm8: 127 });
        g.tensor(Tensor::Addi { tlrd: tl, tlrs: tl, imm8: 1 });
    }
    Some(())
}

/// Makes half of the elements of `tl` 0 and half of them as large as can be.
fn halves(g: &mut Generator, tl: u8) -> Option<()> {
    tops(g, tl)?;
    let d1 = g.draw.pick(&[8, 16]);
    set(g, Csr::Tshape, packed([2, 1, d1]));
    set(g, Csr::TmaskConcat1, 1);
    let (tlrs1, tlrs2) = if g.draw.chance(50) { (tl, 0) } else { (0, tl) };
    g.tensor(Tensor::Merge { d: 0, tlrd: tl, tlrs1, tlrs2 });
    Some(())
}
