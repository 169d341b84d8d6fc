// SPDX-License-Identifier: Apache-2.0
//! Loads and stores: widths, masks, strides and base addresses that make slices meet, miss and cross borders.

use golden::Csr;
use golden::decode::{Direction, Slices, Tensor};

use super::generator::{Generator, flipped};
use super::operands::Values;
use super::shape;

/// One or more of a load or store of slices.
pub fn access(g: &mut Generator, row: Tensor, direction: Direction) {
    shape::ensure_legal(g);
    if g.draw.chance(12) {
        // Many slices, so that all strides count.
        let bits = g.machine.element_type().map_or(8, |element| element.bits);
        let room = g.target.rtl.reg_bytes * 8 / bits;
        let d0 = g.draw.pick(&[32, 32, 16, 8]).min(room);
        let inner = g.draw.range(1, (room / d0).min(8));
        g.set_csr(Csr::Tshape, shape::packed([d0, 1, inner]));
    }
    let (width, mask, stride) = direction.csrs();
    let d0 = g.d0().clamp(1, 32);
    let masked = row.transfer().is_some_and(|transfer| transfer.masked);
    let initialised = g.machine.csr.mask(mask).is_some_and(|mask| mask.initialised);
    if masked && (g.draw.chance(40) || !initialised && g.draw.chance(90)) {
        let value = mask_value(g, d0);
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
    if g.draw.chance(40) {
        strides(g, direction, masked);
    }
    let imm8 = g.imm8();
    // Illegal as it stands: a whole slice is not whole bytes, or the width is too large.
    let legal = |g: &Generator| Slices::new(&g.machine, direction, masked, 0, imm8).is_some();
    let repaired = if pitched { 60 } else { 90 };
    if !legal(g) && g.draw.chance(repaired) {
        g.set_csr(width, 0);
    }
    if !legal(g) && g.draw.chance(repaired) {
        let value = width_value(g);
        g.set_csr(width, value);
    }
    // One slice somewhere else, by one bit of its stride, mostly.
    let far = g.draw.chance(12).then(|| stride(g.draw.below(d0) as u8)).map(|csr| (csr, g.machine.csr.read(csr)));
    let mut address = base(g, direction, masked, imm8, 18);
    if let Some((csr, before)) = far {
        let value = flipped(g, before, 32);
        g.set_csr(csr, value);
        // All others stay inside, or this one is.
        if g.draw.chance(40) {
            address = base(g, direction, masked, imm8, 18);
        }
    }
    let rs = if g.draw.chance(3) { g.draw.below(32) as u8 } else { g.register_with(address) };
    for _ in 0..g.draw.pick(&[1, 1, 1, 2, 3]) {
        let tl = g.tl();
        let imm8 = if g.draw.chance(85) { imm8 } else { g.imm8() };
        g.tensor(Values { result: tl, sources: [tl; 2], immediate: imm8.into(), rs, ..Values::default() }.fill(row));
    }
    if let Some((csr, before)) = far.filter(|_| g.draw.chance(85)) {
        g.set_csr(csr, before);
    }
    // What comes after is made for dense slots.
    if pitched && g.draw.chance(90) {
        g.set_csr(direction.pitch(), 0);
        g.set_csr(width, 0);
    }
}

/// A pitch around the bytes of a slice, or any, and how much of the slices is moved; legal with few exceptions.
pub fn pitch(g: &mut Generator, direction: Direction) {
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
        // One more than there is, which is too wide.
        4 | 5 => whole + 1 + any % 2,
        _ => g.draw.range(1, whole),
    };
    let part = if element.bits == 4 && g.draw.chance(90) { part & !1 } else { part };
    g.set_csr(direction.csrs().0, part);
}

/// A mask over `size` slices: none, all, one, the first or last ones, every second one, sparse, dense, anything.
pub fn mask_value(g: &mut Generator, size: u32) -> u32 {
    let any = g.draw.u32();
    let size = size.clamp(1, 32);
    let (all, last) = (u32::MAX >> (32 - size), 1 << (size - 1));
    match g.draw.below(13) {
        0 => 0,
        1 => u32::MAX,
        2 => 1 << (any % size),
        3 => any & g.draw.u32() & g.draw.u32(),
        4 => any | g.draw.u32() | g.draw.u32(),
        5 => (u32::MAX >> (any & 31)) << (g.draw.u32() & 7),
        6 => all >> (any % size),
        7 => g.draw.pick(&[1, last, last >> 1, last | last >> 1]),
        8 => all & !g.draw.pick(&[1, last, 1 << (any % size)]),
        9 => g.draw.pick(&[0x5555_5555, 0xaaaa_aaaa]),
        _ => any,
    }
}

/// A slice width in elements, legal with few exceptions.
pub fn width_value(g: &mut Generator) -> u32 {
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

/// New values for some of the strides, or all: one after the other, downwards, with gaps, in one place, below the base,
/// in any order; side by side for the selected slices, or anywhere for those that are not selected.
pub fn strides(g: &mut Generator, direction: Direction, masked: bool) {
    let (_, mask, stride) = direction.csrs();
    let d0 = g.d0().clamp(1, 32);
    let selected = if masked { g.machine.csr.read(mask) } else { u32::MAX };
    let style = g.draw.below(if masked { 12 } else { 8 });
    let all = style >= 8 || g.draw.chance(40);
    let count = if all { d0 } else { g.draw.range(1, d0.min(6)) };
    let first = if all { 0 } else { g.draw.below(d0) };
    let (few, anywhere) = (g.draw.below(12), g.draw.u32());
    let start = g.draw.pick(&[0, 0, few, few.wrapping_neg(), anywhere]);
    let mut rank = 0;
    for i in 0..count {
        let slice = (first + i) % d0;
        let chosen = selected >> slice & 1 != 0;
        let value = match style {
            0 => start.wrapping_sub(slice),
            1 => start.wrapping_add(slice * 2),
            2 => start,
            3 => g.draw.below(4).wrapping_neg(),
            4 => g.draw.below(32),
            5 => slice,
            6 | 7 => start.wrapping_add(i),
            8..11 if chosen => start.wrapping_add(rank),
            11 if !chosen => anywhere,
            _ => g.machine.csr.read(stride(slice as u8)),
        };
        rank += u32::from(chosen);
        let value = if g.draw.chance(1) { flipped(g, value, 32) } else { value };
        if g.machine.csr.read(stride(slice as u8)) != value {
            g.set_csr(stride(slice as u8), value);
        }
    }
}

/// A base address: with all slices inside the memory, or, in `border` percent, up to a border of the memory or with one
/// of them at a range that answers with an error, or just across.
pub fn base(g: &mut Generator, direction: Direction, masked: bool, imm8: i8, border: u32) -> u32 {
    let size = i64::from(g.memory(direction));
    let arena = g.arena[usize::from(direction == Direction::Store)].clone();
    let slices = Slices::new(&g.machine, direction, masked, 0, imm8);
    let bytes = slices.as_ref().map_or(1, |slices| i64::from(slices.bytes));
    let offsets: Vec<i64> =
        slices.iter().flat_map(|s| &s.addresses).map(|&address| i64::from(address as i32)).collect();
    let (lowest, highest) = offsets.iter().fold((0, 0), |(low, high), &offset| (offset.min(low), offset.max(high)));
    // The base may be from `least` to `most` for all slices to be inside.
    let (least, most) = (-lowest, size - highest - bytes);
    let element = g.machine.element_type().map_or(1, |element| i64::from(element.bits / 8).max(1));
    if g.draw.chance(border) {
        let faults = g.faults[usize::from(direction == Direction::Store)].iter().map(|fault| [fault.start, fault.end]);
        let faults: Vec<[u32; 2]> = faults.collect();
        let any = i64::from(g.draw.below(bytes as u32 + 1));
        let step = g.draw.pick(&[0, 0, 0, 1, -1]) * element;
        // All inside up to the border, or one element more or less.
        return match g.draw.choose(&faults).filter(|_| g.draw.chance(60)) {
            None if g.draw.chance(30) => least + step,
            None => most + step,
            Some([start, end]) => {
                let anchor = g.draw.pick(&offsets);
                let across = g.draw.pick(&[0, bytes, any, bytes - element]);
                i64::from(g.draw.pick(&[start, start, end])) - across - anchor
            }
        } as u32;
    }
    let any = i64::from(g.draw.u32());
    let inside = |wish: i64| wish.clamp(least.min(most), most.max(least));
    let base = match g.draw.below(30) {
        0 => any,
        1..7 => inside(any % size),
        _ => inside(i64::from(arena.start) + any % i64::from((arena.end - arena.start).max(1)) - lowest),
    };
    let align = match g.draw.below(20) {
        0 | 1 => 1,
        2..10 => i64::from(g.target.rtl.port_bytes()),
        _ => element,
    };
    (base & !(align - 1)) as u32
}
