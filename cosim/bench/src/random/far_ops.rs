// SPDX-License-Identifier: Apache-2.0
//! Accesses that ordinary programs hardly make: one slice far away from all others, or at the end of the memory, by any
//! bit of any stride, and stores of so many slices that they fill the unit's queues.
//!
//! A stride has 32 bits and there are 64 of them: each bit must decide an address, and whether it traps, now and then.

use golden::Csr;
use golden::decode::SliceTransfer;

use super::generator::Generator;
use super::shape;
use crate::lockstep::slices::{Direction, Slices};

/// One such access, or a few.
pub fn far(g: &mut Generator) {
    let direction = if g.draw.chance(50) { Direction::Load } else { Direction::Store };
    many_slices(g);
    match g.draw.below(12) {
        0 => crowd(g, direction),
        1 => mixed_crowd(g, direction),
        2 => pile(g, direction),
        3 | 4 => edges(g, direction),
        5 => (0..g.draw.range(3, 6)).for_each(|_| brink(g, direction)),
        6 => down_to_zero(g, direction),
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

/// Several full accesses in a row, now and then up to the end of the memory.
fn crowd(g: &mut Generator, direction: Direction) {
    let rs = if g.draw.chance(50) { near(g, direction) } else { to_the_end(g, direction, false, 0) };
    for _ in 0..g.draw.range(3, 6) {
        let tl = g.tl();
        access(g, direction, false, tl, rs, 0);
    }
}

/// Full accesses of many small slices and of few wide ones by turns: the wide ones wait behind a queue of small ones. No two
/// slices follow each other in memory, so that each takes its time.
fn mixed_crowd(g: &mut Generator, direction: Direction) {
    let Some((element, _)) = g.machine.block() else { return };
    let capacity = g.target.rtl.reg_bytes * 8 / element.bits;
    let many = g.machine.csr.read(Csr::Tshape);
    let width = (g.draw.range(3, 12) * 8 / element.bits).clamp(1, capacity / 4);
    let few = (capacity / width).min(32) << 16 | width << 8 | 1;
    set_strides(g, direction, u32::MAX, |slot| 31 - u32::from(slot));
    let rs = near(g, direction);
    // Both constants first: then the accesses follow each other closely.
    g.register_with(many);
    g.register_with(few);
    for _ in 0..g.draw.range(3, 5) {
        for shape in [many, few] {
            g.set_csr(Csr::Tshape, shape);
            let tl = g.tl();
            access(g, direction, false, tl, rs, 0);
        }
    }
    g.set_csr(Csr::Tshape, many);
    in_order(g, direction);
}

/// One slice that ends with the memory, or is the first one behind it, because of one bit of one stride.
fn brink(g: &mut Generator, direction: Direction) {
    let (_, mask, stride) = direction.csrs();
    let d0 = g.d0().clamp(1, 32);
    let slot = g.draw.below(d0);
    let bytes = Slices::new(&g.machine, direction, false, 0, 0).map_or(1, |slices| slices.bytes.max(1));
    let bits = (size(g, direction) / bytes).max(2).ilog2();
    let value = 1 << g.draw.below(bits);
    g.set_csr(stride(slot as u8), value);
    // Now and then with slice 0, which is at the base address.
    let company = u32::from(g.draw.chance(30));
    g.set_csr(mask, 1 << slot | company);
    let beyond = g.draw.pick(&[0, 0, 1, 1, 2]);
    let (tl, rs) = (g.tl(), to_the_end(g, direction, true, beyond));
    access(g, direction, true, tl, rs, 0);
    g.set_csr(stride(slot as u8), slot);
}

/// One slice alone, or nearly, with a stride that no other has.
fn lonely(g: &mut Generator, direction: Direction) {
    let (_, mask, stride) = direction.csrs();
    let slot = g.draw.below(32);
    // Mostly a bit beyond the memory.
    let inside = size(g, direction).max(2).ilog2();
    let bit = 1u32 << if g.draw.chance(70) { g.draw.range(inside, 31) } else { g.draw.below(32) };
    let other = 1 << g.draw.below(32);
    let any = g.draw.u32();
    let value = match g.draw.below(8) {
        0..5 => bit,
        5 => bit | other,
        6 => !bit,
        // A step back by a power of two, or any value.
        _ => g.draw.pick(&[bit.wrapping_neg(), any]),
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
    let rs = if g.draw.chance(35) { near(g, direction) } else { back_home(g, direction, imm8) };
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

/// Accesses of two slices of indices that follow each other, the second one at address 0: it does not join the first one, which is in the
/// same place or behind it.
fn down_to_zero(g: &mut Generator, direction: Direction) {
    let (_, mask, stride) = direction.csrs();
    let first = g.draw.below(g.d0().clamp(2, 32) - 1) as u8;
    let behind = g.draw.pick(&[0, 1, 1, 2, 3]);
    g.set_csr(stride(first), behind);
    g.set_csr(stride(first + 1), 0);
    g.set_csr(mask, 0b11 << first);
    let rs = g.register_with(0);
    for _ in 0..2 {
        let tl = g.tl();
        access(g, direction, true, tl, rs, 0);
    }
    g.set_csr(stride(first), first.into());
    g.set_csr(stride(first + 1), u32::from(first) + 1);
}

/// All slices in one place, mostly at the end of the memory, so that whichever of them has to wait is there.
fn pile(g: &mut Generator, direction: Direction) {
    let place = g.draw.below(32);
    set_strides(g, direction, u32::MAX, |_| place);
    crowd(g, direction);
    in_order(g, direction);
}

/// Accesses of few slices, while the strides of most others lead far away: they are not selected, and mean nothing.
fn edges(g: &mut Generator, direction: Direction) {
    let near = (0..5).fold(0u32, |near, _| near | 1 << g.draw.below(32));
    let (anything, others) = (g.draw.u32(), !near & if g.draw.chance(70) { u32::MAX } else { g.draw.u32() });
    set_strides(g, direction, others, |_| anything);
    for _ in 0..g.draw.range(3, 6) {
        edge(g, direction, near);
    }
    in_order(g, direction);
}

/// Puts all slices one after the other again.
fn in_order(g: &mut Generator, direction: Direction) {
    set_strides(g, direction, u32::MAX, u32::from);
}

/// Gives the strides of these slices, of those that the block has, values.
fn set_strides(g: &mut Generator, direction: Direction, slots: u32, value: impl Fn(u8) -> u32) {
    let (_, _, stride) = direction.csrs();
    let d0 = g.d0().min(32) as u8;
    for slot in (0..d0).filter(|slot| slots >> slot & 1 != 0) {
        if g.machine.csr.read(stride(slot)) != value(slot) {
            g.set_csr(stride(slot), value(slot));
        }
    }
}

/// Few of these slices near each other, the highest of which ends with the memory, or is the first one behind it: when
/// that one traps, those before it must not have been written.
fn edge(g: &mut Generator, direction: Direction, near: u32) {
    let (_, mask, stride) = direction.csrs();
    let slots: Vec<u8> = (0..32).filter(|slot| near >> slot & 1 != 0).collect();
    let mut selected = 0u32;
    for _ in 0..g.draw.range(2, 4) {
        let slot = g.draw.pick(&slots);
        if selected >> slot & 1 == 0 {
            let value = g.draw.below(64);
            g.set_csr(stride(slot), value);
        }
        selected |= 1 << slot;
    }
    g.set_csr(mask, selected);
    let beyond = if g.draw.chance(30) { g.draw.range(1, 4) } else { 0 };
    // With a negative immediate the access could leave the memory at either end.
    let imm8 = match g.draw.below(4) {
        0 => -(g.draw.range(1, 8) as i8),
        1 => (g.draw.u32() | 0x80) as i8,
        _ => 0,
    };
    let rs = if g.draw.chance(30) {
        from_the_start(g, direction, beyond, imm8)
    } else {
        let offset = offset(g, direction, imm8);
        let rs = to_the_end(g, direction, true, beyond);
        let base = g.machine.x(rs);
        g.register_with(base.wrapping_sub(offset))
    };
    let tl = g.tl();
    access(g, direction, true, tl, rs, imm8);
}

/// A base address with which the lowest slice begins with the memory, or so many elements before it.
fn from_the_start(g: &mut Generator, direction: Direction, before: u32, imm8: i8) -> u8 {
    let Some(slices) = Slices::new(&g.machine, direction, true, 0, 0) else { return near(g, direction) };
    let lowest = slices.addresses.iter().copied().min().unwrap_or(0);
    let step = g.machine.element_type().map_or(1, |element| (element.bits / 8).max(1));
    let base = 0u32.wrapping_sub(lowest).wrapping_sub(step * before).wrapping_sub(offset(g, direction, imm8));
    g.register_with(base)
}

/// Bytes that an immediate adds to the base address, modulo 2^32.
fn offset(g: &Generator, direction: Direction, imm8: i8) -> u32 {
    let first = |imm8| Slices::new(&g.machine, direction, true, 0, imm8).and_then(|s| s.addresses.first().copied());
    first(imm8).unwrap_or(0).wrapping_sub(first(0).unwrap_or(0))
}

/// A base address with which the highest slice ends with the memory, or so many elements behind it.
fn to_the_end(g: &mut Generator, direction: Direction, masked: bool, beyond: u32) -> u8 {
    let Some(slices) = Slices::new(&g.machine, direction, masked, 0, 0) else { return near(g, direction) };
    let highest = slices.addresses.iter().copied().max().unwrap_or(0);
    let step = g.machine.element_type().map_or(1, |element| (element.bits / 8).max(1));
    let inside = size(g, direction).wrapping_sub(highest).wrapping_sub(slices.bytes) & !(step - 1);
    g.register_with(inside.wrapping_add(step * beyond))
}

fn access(g: &mut Generator, direction: Direction, masked: bool, tl: u8, rs: u8, imm8: i8) {
    g.tensor(SliceTransfer { direction, masked, tl, rs, imm8 }.into());
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
