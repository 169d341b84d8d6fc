// SPDX-License-Identifier: Apache-2.0
//! An instruction that traps, early or late, and many behind it that a unit with precise traps has to kill: stores that wait
//! for it, CSRs, several results in one register, other traps.

use golden::Csr;
use golden::decode::{Decoded, Direction, SliceTransfer, Tensor};

use super::generator::Generator;
use super::{matrix_ops, memory_ops, move_ops, shape};

/// What the instructions need is in host registers before the first of them.
struct Kit {
    /// Base addresses of loads and stores that complete, and of ones that trap.
    good: [u8; 2],
    bad: [u8; 2],
    /// Sizes for a transposition.
    sizes: u8,
    /// The register that most of them write.
    tl: u8,
}

/// One such run.
pub fn burst(g: &mut Generator) {
    shape::ensure_legal(g);
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let sizes = u32::from_le_bytes(move_ops::sizes(g, g.target.rtl.reg_bytes * 16 / bits));
    let reg_bytes = g.target.rtl.reg_bytes;
    let [load, store] = [Direction::Load, Direction::Store].map(|direction| g.base(direction, 2 * reg_bytes, 64));
    let bad = [Direction::Load, Direction::Store].map(|direction| bad(g, direction, bits));
    // One register for each, so that no later value takes the place of an earlier one.
    let first = g.draw.range(1, 26) as u8;
    for (rd, value) in (first..).zip([load, store, bad[0], bad[1], sizes]) {
        g.constant(rd, value);
    }
    let kit =
        Kit { good: [first, first + 1], bad: [first + 2, first + 3], sizes: first + 4, tl: g.draw.range(1, 31) as u8 };
    for _ in 0..g.draw.below(3) {
        slow(g, &kit);
    }
    trap(g, &kit);
    // A late trap has stores behind it at once, mostly.
    let stores = if g.draw.chance(50) { g.draw.below(4) } else { 0 };
    for _ in 0..stores {
        access(g, Direction::Store, kit.good[1], kit.tl);
    }
    for _ in 0..g.draw.range(3, 16) {
        younger(g, &kit);
    }
}

/// What takes long.
fn slow(g: &mut Generator, kit: &Kit) {
    let tl = g.tl();
    match g.draw.below(3) {
        0 => g.tensor(Tensor::Xpose { p: 0, q: 1, tlrs1: tl, tlrs2: (tl + 1) & 31, rs: kit.sizes }),
        1 => access(g, Direction::Store, kit.good[1], tl),
        _ => access(g, Direction::Load, kit.good[0], tl),
    }
}

fn trap(g: &mut Generator, kit: &Kit) {
    let engine_id = u32::from(g.target.golden.engine_id) << 30;
    match g.draw.below(8) {
        0 => {
            let word = engine_id | g.draw.below(1 << 15) << 15 | 0x705b;
            g.word(word);
        }
        1..4 => access(g, Direction::Load, kit.bad[0], kit.tl),
        _ => access(g, Direction::Store, kit.bad[1], kit.tl),
    }
}

fn access(g: &mut Generator, direction: Direction, rs: u8, tl: u8) {
    g.tensor(SliceTransfer { direction, masked: false, tl, rs, imm8: 0 }.into());
}

fn younger(g: &mut Generator, kit: &Kit) {
    let tl = if g.draw.chance(60) { kit.tl } else { g.tl() };
    match g.draw.below(20) {
        0..4 => access(g, Direction::Store, kit.good[1], tl),
        4..6 => access(g, Direction::Load, kit.good[0], tl),
        6..10 => {
            let imm8 = g.imm8();
            g.tensor(Tensor::Addi { tlrd: tl, tlrs: kit.tl, imm8 });
        }
        10 => g.tensor(Tensor::Xpose { p: 1, q: 0, tlrs1: tl, tlrs2: (tl + 1) & 31, rs: kit.sizes }),
        11 => trap(g, kit),
        12 | 13 => {
            let slice = g.draw.below(32) as u8;
            let csr = if g.draw.chance(50) { Csr::TloadStride(slice) } else { Csr::TstoreStride(slice) };
            let value = g.draw.below(32);
            g.set_csr(csr, value);
        }
        14 => {
            let csr = g.draw.pick(&[Csr::TmaskLoad, Csr::TmaskStore, Csr::TmaskConcat1, Csr::TmaskConcat2].map(Some));
            let value = memory_ops::mask_value(g) & 31;
            csr.into_iter().for_each(|csr| g.set_csr(csr, value));
        }
        15 => {
            let bits = g.width();
            g.set_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
        }
        16 if g.target.golden.matrix.is_some() => {
            let word = matrix_ops::legal(g);
            g.word(word);
        }
        _ => g.emit(Decoded::Tensor(Tensor::Addi { tlrd: 0, tlrs: tl, imm8: 0 })),
    }
}

/// A base address that traps: in a range that answers with an error, if there is one, and otherwise misaligned or outside.
fn bad(g: &mut Generator, direction: Direction, bits: u32) -> u32 {
    let ranges = g.faults[usize::from(direction == Direction::Store)].clone();
    if !ranges.is_empty() && g.draw.chance(80) {
        let fault = ranges[g.draw.below(ranges.len() as u32) as usize].clone();
        // Some words before it: the error is not that of the first one.
        return fault.start.saturating_sub(4 * g.draw.below(8));
    }
    let inside = g.base(direction, 64, 64);
    if bits > 8 && g.draw.chance(50) { inside + 1 } else { g.memory(direction) + 4 * g.draw.below(64) }
}
