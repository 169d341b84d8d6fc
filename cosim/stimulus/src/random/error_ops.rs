// SPDX-License-Identifier: Apache-2.0
//! Slices side by side that run into a range that answers with an error: which slice is named, where one word has bytes
//! of two?

use golden::Csr;
use golden::decode::{Direction, SliceTransfer};

use super::generator::Generator;
use super::{row, shape};

/// Some such accesses, when the memories have such ranges.
pub fn shared(g: &mut Generator) {
    let directions = [Direction::Load, Direction::Store];
    let direction = directions[g.draw.below(2) as usize];
    let other = directions[usize::from(direction == Direction::Load)];
    let ranges = |g: &Generator, direction| g.faults[usize::from(direction == Direction::Store)].clone();
    let direction = if ranges(g, direction).is_empty() { other } else { direction };
    let ranges = ranges(g, direction);
    if ranges.is_empty() {
        return row::store(g);
    }
    let fault = ranges[g.draw.below(ranges.len() as u32) as usize].clone();
    let bits = g.width();
    g.want_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
    // Slices that are no multiple of a word, mostly.
    let element = (bits / 8).max(1);
    let reg_bytes = g.target.rtl.reg_bytes;
    let bytes = element * g.draw.range(1, (24 / element).max(2));
    let elements = bytes * 8 / bits;
    let d0 = g.draw.range(2, (reg_bytes / bytes).clamp(2, 32));
    g.want_csr(Csr::Tshape, shape::packed([d0, 1, elements.min(255)]));
    let (width, mask, stride) = direction.csrs();
    g.want_csr(width, 0);
    for slice in 0..d0 as u8 {
        g.want_csr(stride(slice), slice.into());
    }
    let masked = g.draw.chance(30);
    if masked {
        g.want_csr(mask, u32::MAX);
    }
    for _ in 0..g.draw.range(1, 4) {
        // So many bytes before the range.
        let before = element * g.draw.range(0, d0 * bytes / element);
        let rs = g.register_with(fault.start.saturating_sub(before));
        let tl = g.tl();
        g.tensor(SliceTransfer { direction, masked, tl, rs, imm8: 0 }.into());
    }
}
