// SPDX-License-Identifier: Apache-2.0
//! `tl.xpose`: what an exchange does to the address of an element.

use golden::Machine;
use golden::decode::Tensor;

use super::Facts;
use crate::coverage::values::*;
use crate::unit::target::Target;

/// An exchange of two dimensions of a tensor that fills two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// log2 of the sizes.
    pub log2: [u32; 4],
    /// Fields p and q.
    pub pq: [u8; 2],
    /// Address bits, counted in the narrowest elements: those of one element, and those of a row.
    element: u32,
    lane: u32,
}

impl Exchange {
    fn new(target: &Target, bits: u32, log2: [u32; 4], pq: [u8; 2]) -> Exchange {
        let granule = target.rtl.granule_bits();
        let (element, lane) = ((bits / granule).ilog2(), (8 * target.rtl.lanes / granule).ilog2());
        Exchange { log2, pq, element, lane }
    }

    /// Its sizes, as they are in the operand.
    pub fn sizes(&self) -> [u8; 4] {
        self.log2.map(|log2| 1 << log2)
    }

    /// The outer and the inner dimension.
    fn dimensions(&self) -> (usize, usize) {
        let [p, q] = self.pq.map(usize::from);
        (p.min(q) & 3, p.max(q) & 3)
    }

    fn class(&self) -> Value {
        let (p, q) = self.dimensions();
        match (self.log2[p], self.log2[q]) {
            _ if p == q => X_SAME,
            (0, 0) => X_TRIVIAL,
            (0, _) | (_, 0) => X_ONE,
            (p, q) if p == q => X_EQUAL,
            _ => X_OTHER,
        }
    }

    /// Bits of the address within a row of the result that come from bits of the row number.
    fn crossing(&self) -> u8 {
        let (p, q) = self.dimensions();
        if p == q {
            return 0;
        }
        let below = self.element + self.log2[q + 1..].iter().sum::<u32>();
        let between: u32 = self.log2[p + 1..q].iter().sum();
        let (size_p, size_q) = (self.log2[p], self.log2[q]);
        // Result, from bit `below` on: p, what is between, q. Source: q, what is between, p.
        let p_from = (0..size_p).map(|bit| (below + bit, below + size_q + between + bit));
        let between_from = (0..between).map(|bit| (below + size_p + bit, below + size_q + bit));
        let q_from = (0..size_q).map(|bit| (below + size_p + between + bit, below + bit));
        let moved = p_from.chain(between_from).chain(q_from);
        moved.filter(|&(to, from)| to < self.lane && from >= self.lane).count() as u8
    }

    fn extreme(&self) -> Value {
        let ones = self.log2.iter().filter(|&&log2| log2 == 0).count();
        if self.log2.contains(&7) {
            SIZE_128
        } else if self.log2[0] == 1 {
            D0_IS_2
        } else if ones == 2 {
            TWO_DIMS
        } else {
            ALL_FOUR
        }
    }

    /// Whether it has this value of the coverage table.
    #[expect(clippy::wildcard_enum_match_arm, reason = "a value on any other axis is none of an exchange")]
    pub fn is(&self, value: Value) -> bool {
        match value.axis {
            Axis::Exchange => self.class() == value,
            Axis::Crossing => self.crossing() == value.index,
            Axis::Sizes => self.extreme() == value,
            Axis::Pq => self.pq[0] | self.pq[1] << 2 == value.index,
            _ => true,
        }
    }
}

/// Every legal exchange with elements of `bits` bits, p <= q.
pub fn all(target: &Target, bits: u32) -> impl Iterator<Item = Exchange> {
    let total = (16 * target.rtl.reg_bytes / bits).ilog2();
    let target = target.clone();
    let triples = (0..8).flat_map(|a| (0..8).flat_map(move |b| (0..8).map(move |c| [a, b, c])));
    let sizes = triples.filter_map(move |[d1, d2, d3]: [u32; 3]| {
        let d0 = total.checked_sub(d1 + d2 + d3)?;
        (1..8).contains(&d0).then_some([d0, d1, d2, d3])
    });
    sizes.flat_map(move |log2| {
        let target = target.clone();
        let pairs = (0..4).flat_map(|p| (p..4).map(move |q| [p, q]));
        pairs.map(move |pq| Exchange::new(&target, bits, log2, pq)).collect::<Vec<_>>()
    })
}

/// The facts of an exchange that was executed.
pub(super) fn facts(facts: &mut Facts, target: &Target, model: &Machine, tensor: Tensor) {
    let Some(element) = model.element_type() else { return };
    let [Some(p), Some(q), Some(rs)] = ["p", "q", "rs"].map(|name| tensor.operands().named(name)) else { return };
    let [p, q] = [p, q].map(|dimension| dimension as u8);
    let log2 = model.x(rs as u8).to_le_bytes().map(|size| u32::from(size).max(1).ilog2());
    let exchange = Exchange::new(target, element.bits, log2, [p, q]);
    facts.set(Value { axis: Axis::Pq, index: p | q << 2 });
    facts.set(Value { axis: Axis::Crossing, index: exchange.crossing() });
    facts.set(exchange.class());
    facts.set(exchange.extreme());
}
