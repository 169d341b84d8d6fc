// SPDX-License-Identifier: Apache-2.0
//! Loads and stores: widths, masks, strides and base addresses that make slices meet, miss and cross borders.

use golden::decode::SliceTransfer;

use super::generator::Generator;
use super::shape;
use crate::lockstep::slices::{Direction, Slices};

/// One or more loads.
pub fn load(g: &mut Generator) {
    access(g, Direction::Load);
}

/// One or more stores.
pub fn store(g: &mut Generator) {
    access(g, Direction::Store);
}

fn access(g: &mut Generator, direction: Direction) {
    shape::ensure_legal(g);
    if g.draw.chance(6) {
        return in_two(g, direction);
    }
    let (width, mask, _) = direction.csrs();
    let masked = g.draw.chance(45);
    let initialised = g.machine.csr.mask(mask).is_some_and(|mask| mask.initialised);
    if masked && (g.draw.chance(40) || !initialised && g.draw.chance(90)) {
        let value = mask_value(g);
        g.set_csr(mask, value);
    }
    if g.draw.chance(12) {
        let value = width_value(g);
        g.set_csr(width, value);
    }
    let pitched = g.target.golden.pitch && g.draw.chance(30);
    if pitched {
        pitch(g, direction);
    }
    match g.draw.below(20) {
        0..5 => strides(g, direction),
        5..8 if masked => dense(g, direction),
        _ => {}
    }
    let imm8 = g.imm8();
    // Illegal as it stands: a whole slice is not whole bytes, or the width is too large.
    let legal = |g: &Generator| Slices::new(&g.machine, direction, masked, 0, imm8).is_some();
    if !legal(g) && g.draw.chance(90) {
        g.set_csr(width, 0);
    }
    if !legal(g) && g.draw.chance(90) {
        let value = width_value(g);
        g.set_csr(width, value);
    }
    let base = base(g, direction, masked, imm8);
    let rs = if g.draw.chance(3) { g.draw.below(32) as u8 } else { g.register_with(base) };
    for _ in 0..g.draw.pick(&[1, 1, 1, 2, 3]) {
        let tl = g.tl();
        let imm8 = if g.draw.chance(85) { imm8 } else { g.imm8() };
        g.tensor(SliceTransfer { direction, masked, tl, rs, imm8 }.into());
    }
    // What comes after is made for dense slots.
    if pitched && g.draw.chance(90) {
        g.set_csr(direction.pitch(), 0);
        g.set_csr(width, 0);
    }
}

/// A pitch around the bytes of a slice, or any, and how much of the slices is moved; legal with few exceptions.
fn pitch(g: &mut Generator, direction: Direction) {
    let Some((element, shape)) = g.machine.block() else { return };
    let [_, d1, d2] = shape.0;
    let (whole, step) = (d1 * d2, (element.bits / 8).max(1));
    let bytes = (whole * element.bits / 8).max(1);
    let any = g.draw.u32();
    let value = match g.draw.below(9) {
        0 => 1,
        1 | 2 => bytes,
        3 => bytes + step * g.draw.range(1, 40),
        4 | 5 => step * g.draw.range(1, (bytes / step).max(1)),
        6 => 0x8000 | any & 0x7fff & !(step - 1),
        7 => any & 0xffff,
        _ => bytes + any % 8,
    };
    g.set_csr(direction.pitch(), value);
    let part = match g.draw.below(8) {
        0..3 => 0,
        3 => whole,
        4 => whole + any % 3,
        _ => g.draw.range(1, whole),
    };
    let part = if element.bits == 4 && g.draw.chance(90) { part & !1 } else { part };
    g.set_csr(direction.csrs().0, part);
}

/// A block in two accesses, the slices from some slice on in the second one: what belongs together in memory and in the
/// register does not in time.
fn in_two(g: &mut Generator, direction: Direction) {
    let (_, mask, stride) = direction.csrs();
    let d0 = g.d0().clamp(2, 32);
    let cut = g.draw.range(1, d0 - 1);
    for slice in [cut - 1, cut] {
        if g.machine.csr.read(stride(slice as u8)) != slice {
            g.set_csr(stride(slice as u8), slice);
        }
    }
    let base = base(g, direction, false, 0);
    let rs = g.register_with(base);
    let tl = g.tl();
    // One low and one high part, of which the slices at the cut are always there.
    let some = if g.draw.chance(50) { u32::MAX } else { g.draw.u32() | 3 << (cut - 1) };
    let low = (1u32 << cut) - 1;
    let first = low & some;
    let second = !low & some;
    // Both constants first: then the accesses follow each other closely.
    g.register_with(second);
    g.set_csr(mask, first);
    g.tensor(SliceTransfer { direction, masked: true, tl, rs, imm8: 0 }.into());
    g.set_csr(mask, second);
    let tl = if g.draw.chance(50) { tl } else { g.tl() };
    g.tensor(SliceTransfer { direction, masked: true, tl, rs, imm8: 0 }.into());
}

/// Empty, full, sparse, dense, a run, anything.
pub fn mask_value(g: &mut Generator) -> u32 {
    let any = g.draw.u32();
    match g.draw.below(8) {
        0 => 0,
        1 => u32::MAX,
        2 => 1 << (any & 31),
        3 => any & g.draw.u32() & g.draw.u32(),
        4 => any | g.draw.u32() | g.draw.u32(),
        5 => (u32::MAX >> (any & 31)) << (g.draw.u32() & 7),
        _ => any,
    }
}

/// A slice width in elements, legal with few exceptions.
fn width_value(g: &mut Generator) -> u32 {
    if g.draw.chance(5) {
        return g.draw.u32() >> g.draw.below(32);
    }
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let d0 = g.d0().max(1);
    let most = (g.target.rtl.reg_bytes * 8 / bits / d0).max(1);
    let width = match g.draw.below(4) {
        0 => most,
        1 => g.draw.range(1, most.min(8)),
        _ => g.draw.range(1, most),
    };
    if bits == 4 && width % 2 == 1 && g.draw.chance(95) { width ^ 1 } else { width }
}

/// New values for some of the strides: other orders, gaps, repetitions, negative ones, and now and then anything.
fn strides(g: &mut Generator, direction: Direction) {
    let (_, _, stride) = direction.csrs();
    let d0 = g.d0().clamp(1, 32);
    let count = if g.draw.chance(15) { d0 } else { g.draw.range(1, d0.min(6)) };
    let first = g.draw.below(d0);
    let style = g.draw.below(6);
    let start = g.draw.below(12);
    for i in 0..count {
        let slice = (first + i) % d0;
        let value = match style {
            0 => 31 - slice,
            1 => slice * 2,
            2 => start,
            3 => 0u32.wrapping_sub(g.draw.below(4)),
            4 => g.draw.below(32),
            _ => start + i,
        };
        let value = if g.draw.chance(2) { g.draw.u32() >> g.draw.below(32) } else { value };
        g.set_csr(stride(slice as u8), value);
    }
}

/// Strides that put the selected slices side by side in memory, where in the register there are gaps.
fn dense(g: &mut Generator, direction: Direction) {
    let (_, mask, stride) = direction.csrs();
    let d0 = g.d0().min(32);
    let selected = g.machine.csr.read(mask);
    let slices = (0..d0 as u8).filter(|slice| selected >> slice & 1 != 0);
    for (rank, slice) in (0..).zip(slices) {
        g.set_csr(stride(slice), rank);
    }
}

/// A base address: inside the memory with all slices, at its borders, over them, or anywhere.
fn base(g: &mut Generator, direction: Direction, masked: bool, imm8: i8) -> u32 {
    let size = i64::from(if direction == Direction::Load { g.target.rtl.l1m_bytes } else { g.target.rtl.l0m_bytes });
    let arena = g.arena[usize::from(direction == Direction::Store)].clone();
    let slices = Slices::new(&g.machine, direction, masked, 0, imm8);
    let bytes = slices.as_ref().map_or(1, |slices| i64::from(slices.bytes));
    let offsets = slices.iter().flat_map(|s| &s.addresses).map(|&address| i64::from(address as i32));
    let (lowest, highest) = offsets.fold((0, 0), |(low, high), offset| (low.min(offset), high.max(offset)));
    // The base may be from `least` to `most` for all slices to be inside.
    let (least, most) = (-lowest, size - highest - bytes);
    let any = i64::from(g.draw.u32());
    let inside = |wish: i64| wish.clamp(least.min(most), most.max(least));
    let base = match g.draw.below(40) {
        0 => least,
        1 => most,
        2 => least - 1 - any % bytes.max(1),
        3 => most + 1 + any % bytes.max(1),
        4 => any,
        5..14 => inside(any % size),
        _ => inside(i64::from(arena.start) + any % i64::from((arena.end - arena.start).max(1)) - lowest),
    };
    let align = match g.draw.below(20) {
        0..2 => 1,
        2..10 => i64::from(g.target.rtl.port_bytes()),
        _ => g.machine.element_type().map_or(1, |element| i64::from(element.bits / 8).max(1)),
    };
    (base & !(align - 1)) as u32
}
