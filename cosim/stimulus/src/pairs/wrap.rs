// SPDX-License-Identifier: Apache-2.0
//! Slices whose offset, (stride + immediate) * pitch, is a multiple of 2^32 or a little more or less: they are near the
//! base, but a unit that looks at too few bits of a factor takes them, or those between, for others.

use golden::decode::{Decoded, OperandKind, decode};

use super::atom::Atom;
use super::relation::alone;
use super::state;
use crate::random::generator::Generator;

/// Strides, each of which is its number after reset.
const MOST_SLICES: u32 = 32;

/// The load or store `row` with the pitch `edge`, if the unit has pitches and `edge` is one, else with its own, and one
/// stride with which the offset wraps around. Writes the CSRs; gives its word.
pub(super) fn word(g: &mut Generator, row: Decoded, edge: u32) -> Option<u32> {
    let direction = row.slice_transfer()?.direction;
    let (element, shape) = g.machine.block()?;
    let aligned = edge & !((element.bits / 8).max(1) - 1);
    let mut pitch = shape.0[1] * shape.0[2] * element.bits / 8;
    if g.target.golden.pitch && (1..=0xffff).contains(&aligned) {
        pitch = aligned;
        state::write(g, direction.pitch(), pitch);
    }
    let any = g.draw.range(1, pitch);
    let turns = g.draw.pick(&[1, 1, 1, any]);
    let sum = (u64::from(turns) << 32) / u64::from(pitch) + g.draw.pick(&[0, 0, 1u64]);
    let drawn = g.draw.u32();
    // With the low bits all set, the stride is also the bound of all strides.
    let gap = if g.draw.chance(75) { (sum as u32 + 1).wrapping_sub(drawn) % MOST_SLICES } else { 0 };
    let immediate = drawn.wrapping_add(gap) as i8;
    let stride = (sum as u32).wrapping_sub(i32::from(immediate) as u32);
    let slice = g.draw.below(g.d0().min(MOST_SLICES)) as u8;
    state::write(g, direction.csrs().2(slice), stride);
    let decoded = decode(Atom::Row(row).word(g, alone()), &g.target.golden);
    let with_immediate = decoded.with_operands(|operand| match operand.kind {
        OperandKind::Immediate => immediate.into(),
        OperandKind::X(_) | OperandKind::Tl(_) | OperandKind::Tr(_) => operand.value,
        OperandKind::Acc(_) | OperandKind::Dimension => operand.value,
    });
    with_immediate.encode(&g.target.golden)
}
