// SPDX-License-Identifier: Apache-2.0
//! Accesses that ordinary programs hardly make: one slice far away from all others, by any bit of any stride, and
//! stores of so many slices that they fill the unit's queues.
//!
//! A stride has 32 bits and there are 64 of them: each bit must decide an address, and whether it traps, now and then.

use golden::Csr;
use golden::decode::Tensor;

use super::program::Generator;
use super::shape;
use crate::slices::{Direction, Slices};

/// One such access, or a few.
pub fn far(g: &mut Generator) {
    let direction = if g.draw.chance(50) { Direction::Load } else { Direction::Store };
    many_slices(g);
    match g.draw.below(10) {
        0 | 1 => crowd(g, direction),
        2..4 => (0..g.draw.range(1, 3)).for_each(|_| edge(g, direction)),
        _ => (0..g.draw.range(1, 4)).for_each(|_| lonely(g, direction)),
    }
}

/// Gives the block many outer indices, so that all strides count; not always, and small slices.
fn many_slices(g: &mut Generator) {
    shape::ensure_legal(g);
    let Some((element, _)) = g.machine.block() else { return };
    let d0 = match g.draw.below(10) {
        0..6 => 32,
        6 | 7 => g.draw.range(8, 16),
        _ => g.draw.range(1, 32),
    };
    let room = (g.target.rtl.reg_bytes * 8 / element.bits / d0).clamp(1, 8);
    let d1 = if g.draw.chance(40) { room } else { g.draw.range(1, room.min(4)) };
    g.set_csr(Csr::Tshape, d0 << 16 | d1 << 8 | 1);
    for direction in [Direction::Load, Direction::Store] {
        let (width, ..) = direction.csrs();
        // An odd number of 4-bit elements is no slice.
        let elements = if element.bits == 4 { (d1 + 1) & !1 } else { 0 };
        if g.machine.csr.read(width) != elements {
            g.set_csr(width, elements);
        }
    }
}

/// Several full accesses in a row.
fn crowd(g: &mut Generator, direction: Direction) {
    let rs = near(g, direction);
    for _ in 0..g.draw.range(3, 6) {
        let tl = g.tl();
        access(g, direction, false, tl, rs, 0);
    }
}

/// One slice alone, or nearly, with a stride that no other has.
fn lonely(g: &mut Generator, direction: Direction) {
    let (_, mask, stride) = direction.csrs();
    let slot = g.draw.below(32);
    // Mostly a bit beyond the memory.
    let inside = size(g, direction).max(2).ilog2();
    let bit = 1 << if g.draw.chance(70) { g.draw.range(inside, 31) } else { g.draw.below(32) };
    let other = 1 << g.draw.below(32);
    let value = match g.draw.below(8) {
        0..5 => bit,
        5 => bit | other,
        6 => !bit,
        _ => g.draw.u32(),
    };
    let before = g.machine.csr.read(stride(slot as u8));
    g.set_csr(stride(slot as u8), value);
    let company = match g.draw.below(8) {
        0 => 1 << g.draw.below(32),
        1 | 2 => g.draw.u32(),
        3..6 => u32::MAX,
        _ => 0,
    };
    g.set_csr(mask, 1 << slot | company);
    let imm8 = if g.draw.chance(70) { 0 } else { g.imm8() };
    let rs = if g.draw.chance(50) { near(g, direction) } else { back_home(g, direction, imm8) };
    let tl = g.tl();
    access(g, direction, true, tl, rs, imm8);
    if g.draw.chance(30) {
        // All others, or some: a stride that is not selected means nothing.
        let others = !(1 << slot) & if g.draw.chance(50) { u32::MAX } else { g.draw.u32() };
        g.set_csr(mask, others);
        let rs = near(g, direction);
        access(g, direction, true, tl, rs, 0);
    }
    if g.draw.chance(80) {
        g.set_csr(stride(slot as u8), if before < 64 { before } else { slot });
    }
}

/// Few slices near each other, the highest of which ends with the memory, or is the first one behind it: when that one
/// traps, those before it must not have been written.
fn edge(g: &mut Generator, direction: Direction) {
    let (_, mask, stride) = direction.csrs();
    let mut selected = 0u32;
    for _ in 0..g.draw.range(2, 4) {
        let slot = g.draw.below(32);
        selected |= 1 << slot;
        let value = g.draw.below(64);
        g.set_csr(stride(slot as u8), value);
    }
    g.set_csr(mask, selected);
    let Some(slices) = Slices::new(&g.machine, direction, true, 0, 0) else { return };
    let highest = slices.addresses.iter().copied().max().unwrap_or(0);
    let step = g.machine.element_type().map_or(1, |element| (element.bits / 8).max(1));
    let inside = size(g, direction).wrapping_sub(highest).wrapping_sub(slices.bytes) & !(step - 1);
    let base = inside.wrapping_add(if g.draw.chance(60) { step * g.draw.range(1, 4) } else { 0 });
    let (tl, rs) = (g.tl(), g.register_with(base));
    access(g, direction, true, tl, rs, 0);
}

fn access(g: &mut Generator, direction: Direction, masked: bool, tl: u8, rs: u8, imm8: i8) {
    g.tensor(match (direction, masked) {
        (Direction::Load, false) => Tensor::Load { tlrd: tl, rs, imm8 },
        (Direction::Load, true) => Tensor::Mload { tlrd: tl, rs, imm8 },
        (Direction::Store, false) => Tensor::Store { tlrs: tl, rs, imm8 },
        (Direction::Store, true) => Tensor::Mstore { tlrs: tl, rs, imm8 },
    });
}

/// A base address inside the memory, aligned for any element.
fn near(g: &mut Generator, direction: Direction) -> u8 {
    let base = g.draw.below(size(g, direction)) & !3;
    g.register_with(base)
}

/// A base address so far away that the stride leads back into the memory, modulo 2^32.
fn back_home(g: &mut Generator, direction: Direction, imm8: i8) -> u8 {
    let slices = Slices::new(&g.machine, direction, true, 0, imm8);
    let (offset, bytes) = slices.map_or((0, 1), |s| (s.addresses.first().copied().unwrap_or(0), s.bytes));
    let room = size(g, direction).saturating_sub(bytes);
    // Now and then the last byte is just outside.
    let home = match g.draw.below(6) {
        0 => room,
        1 => room + 1,
        _ => g.draw.below(room + 1) & !3,
    };
    g.register_with(home.wrapping_sub(offset))
}

fn size(g: &Generator, direction: Direction) -> u32 {
    if direction == Direction::Load { g.target.rtl.l1m_bytes } else { g.target.rtl.l0m_bytes }
}
