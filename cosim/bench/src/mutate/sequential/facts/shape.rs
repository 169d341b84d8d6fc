// SPDX-License-Identifier: Apache-2.0
//! What `tl_shape` guarantees for a legal block.

use super::{Fact, Unit};
use crate::mutate::sequential::aig::{Aig, Lit};

/// Registers that make sure of it.
const ABOUT: &[&str] = crate::mutate::sequential::view::SHAPE;

/// Bits of a slice mask, and of a dimension of a legal block.
const MASK: usize = 32;
const SIZE: usize = 6;

/// When the CSRs have settled and a block is legal along a dimension, its slices of more than 2^k granules are less than
/// half of what would fit if they had 2^k; and the masks select no others. This is about `dim_shape_t` of the RTL.
pub fn few_long_slices(unit: &mut Unit) -> Option<Vec<Fact>> {
    let settling = unit.bits("u_shape.settling_q")?;
    let shape = unit.bits("dim_shape")?;
    let aig = &mut *unit.aig;
    let settled = !aig.any(settling);
    // From bit 0: two masks, the granules of a slice, the slices, and whether concat and merge are legal, 3 of each.
    let (masks, rest) = shape.split_at_checked(6 * MASK)?;
    let granules = rest.len().checked_sub(3 * SIZE + 6)? / 3;
    let (inner, rest) = rest.split_at(3 * granules);
    let (sizes, legal) = rest.split_at(3 * SIZE);
    let mut facts = Vec::new();
    for d in 0..3 {
        let (inner, size) = (&inner[granules * d..][..granules], &sizes[SIZE * d..][..SIZE]);
        let legal = aig.or(legal[d], legal[3 + d]);
        let asked = aig.and(settled, legal);
        // A register has 2^(granules - 1) granules.
        for k in 0..granules - 1 {
            let room = 1 << (granules - 1 - k);
            if room > MASK {
                continue;
            }
            let long = at_least(aig, inner, (1 << k) + 1);
            let many = at_least(aig, size, room);
            let beyond = |mask: usize| masks[MASK * mask..][room - 1..MASK].iter().copied();
            let selected = aig.any(beyond(d).chain(beyond(3 + d)).collect());
            let broken = aig.or(many, selected);
            let broken = aig.and(long, broken);
            let wrong = aig.and(asked, broken);
            facts.push(Fact {
                name: format!("few slices of more than {} granules along {d}", 1 << k),
                wrong,
                about: ABOUT,
            });
        }
    }
    Some(facts)
}

/// Whether a number, lowest bit first, is at least `limit`.
fn at_least(aig: &mut Aig, bits: &[Lit], limit: usize) -> Lit {
    bits.iter().enumerate().fold(Lit::TRUE, |so_far, (n, &bit)| match limit >> n & 1 {
        1 => aig.and(bit, so_far),
        _ => aig.or(bit, so_far),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::sequential::aig::value;

    use crate::mutate::sequential::facts::{Register, Registers};

    /// The facts that are wrong for a register of 8 granules, when dimension 1 has `size` slices of `inner` granules and
    /// `mask`.
    fn wrong(inner: u32, size: u32, mask: u32) -> Vec<String> {
        let mut aig = Aig::default();
        let (granules, settling) = (4, 3);
        let total = 6 * MASK + 3 * granules + 3 * SIZE + 6;
        let names = (0..total).map(|bit| format!("dim_shape[{bit}]"));
        let names = names.chain((0..settling).map(|bit| format!("u_shape.settling_q[{bit}]")));
        let registers: Registers = names.map(|name| (name, Register { now: aig.input(), next: Lit::FALSE })).collect();
        let facts = few_long_slices(&mut Unit { aig: &mut aig, registers: &registers, pending: &[] }).expect("facts");
        let mut cycle: Vec<(usize, bool)> = Vec::new();
        let mut give = |low: usize, bits: usize, number: u32| {
            let bit = |n: usize| (registers[&format!("dim_shape[{}]", low + n)].now.node(), number >> n & 1 == 1);
            cycle.extend((0..bits).map(bit));
        };
        give(MASK, MASK, mask);
        give(6 * MASK + granules, granules, inner);
        give(6 * MASK + 3 * granules + SIZE, SIZE, size);
        give(total - 2, 1, 1);
        let values = aig.simulate(&[cycle]);
        facts.into_iter().filter(|fact| value(&values[0], fact.wrong)).map(|fact| fact.name).collect()
    }

    #[test]
    fn slices_that_fit_break_no_fact() {
        for (inner, size) in (1..=8).flat_map(|inner| (1..=8 / inner).map(move |size| (inner, size))) {
            assert!(wrong(inner, size, (1 << size) - 1).is_empty(), "{inner} {size}");
        }
    }

    #[test]
    fn too_many_slices_and_selected_ones_beyond_break_one() {
        assert_eq!(wrong(5, 2, 1), ["few slices of more than 4 granules along 1"]);
        assert_eq!(wrong(5, 1, 2), ["few slices of more than 4 granules along 1"]);
        assert_eq!(wrong(3, 4, 1).len(), 1);
    }
}
