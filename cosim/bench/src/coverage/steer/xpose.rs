// SPDX-License-Identifier: Apache-2.0
//! `tl.xpose`.

use golden::Csr;
use golden::decode::Tensor;

use super::Fields;
use super::goal::Goal;
use super::moves::distinct;
use super::state::{broken_type, set, ttype, widths};
use crate::coverage::facts::xpose;
use crate::coverage::values::*;
use crate::random::generator::Generator;

/// Emits everything that the operation needs, and gives the operation.
pub fn prepare(g: &mut Generator, goal: &Goal, tensor: Tensor) -> Option<Tensor> {
    let widths = widths(g, goal);
    let bits = g.draw.pick(&widths);
    if bits == 0 {
        return None;
    }
    // Either order of p and q is an encoding of the same exchange.
    let wanted = goal.get(Axis::Pq).map(|pq| [pq.index & 3, pq.index >> 2]);
    let sorted = wanted.map(|[p, q]| [p.min(q), p.max(q)]);
    let axes = [Axis::Exchange, Axis::Crossing, Axis::Sizes];
    let matches = |exchange: &xpose::Exchange| {
        axes.iter().filter_map(|&axis| goal.get(axis)).all(|value| exchange.is(value))
            && sorted.is_none_or(|pq| exchange.pq == pq)
    };
    let all: Vec<xpose::Exchange> = xpose::all(g.target, bits).filter(matches).collect();
    let exchange = all.get(g.draw.below(all.len() as u32) as usize)?;
    let [p, q] = wanted.unwrap_or(if g.draw.chance(50) { exchange.pq } else { [exchange.pq[1], exchange.pq[0]] });
    let why = goal.get(Axis::Why);
    let mut sizes = exchange.sizes();
    match why {
        Some(SIZE_0) => sizes[g.draw.below(4) as usize] = 0,
        Some(ODD_D0) => sizes = odd(g, bits)?,
        Some(PRODUCT) => sizes[1] = if g.draw.chance(50) { sizes[1] ^ 129 } else { sizes[1].wrapping_add(1).max(1) },
        _ => {}
    }
    let ttype = broken_type(g, why).unwrap_or_else(|| ttype(g, goal, bits, false));
    set(g, Csr::Ttype, ttype);
    let rs = g.register_with(u32::from_le_bytes(sizes));
    let [mut tlrs1, mut tlrs2] = distinct(g);
    match (why, goal.get(Axis::Zero)) {
        (Some(SAME_REGISTER), _) => tlrs2 = tlrs1,
        (_, Some(ZERO_S1)) => tlrs1 = 0,
        (_, Some(ZERO_S2)) => tlrs2 = 0,
        _ => {}
    }
    let fields = Fields { dimensions: [p, q], sources: [tlrs1, tlrs2], x: rs, ..Fields::default() };
    Some(fields.put_into(tensor))
}

/// Sizes that fill two registers, the first of them 1.
fn odd(g: &mut Generator, bits: u32) -> Option<[u8; 4]> {
    let total = (16 * g.target.rtl.reg_bytes / bits).ilog2();
    let first = g.draw.range(total.saturating_sub(14), total.min(7));
    let second = g.draw.range((total - first).saturating_sub(7), (total - first).min(7));
    let third = total.checked_sub(first + second)?;
    Some([1, 1 << first, 1 << second, 1 << third])
}
