// SPDX-License-Identifier: Apache-2.0
//! Element types and block shapes.

use golden::Csr;

use super::generator::Generator;

/// Gives `ttype`, `tshape` or both new values, legal ones with few exceptions.
pub fn change(g: &mut Generator) {
    if g.machine.element_type().is_none() || g.draw.chance(60) {
        change_type(g);
    }
    change_block(g);
    if g.draw.chance(30) {
        let (csr, value) = (g.draw.chance(50), g.draw.below(4));
        g.set_csr(if csr { Csr::TloadWidth } else { Csr::TstoreWidth }, value);
    } else if g.draw.chance(50) {
        g.set_csr(Csr::TloadWidth, 0);
        g.set_csr(Csr::TstoreWidth, 0);
    }
}

pub fn change_block(g: &mut Generator) {
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let tshape = match g.draw.below(100) {
        0..3 => g.draw.u32(),
        3..50 => packed(any(g, bits)),
        _ => packed(block(g, bits).1),
    };
    g.set_csr(Csr::Tshape, tshape);
}

/// Makes sure that type and shape are legal, mostly.
pub fn ensure_legal(g: &mut Generator) {
    for _ in 0..3 {
        if g.machine.block().is_some() || g.draw.chance(4) {
            return;
        }
        change(g);
    }
}

/// Elements are integers of so many bits.
pub fn integers(g: &mut Generator, bits: u32) {
    g.want_csr(Csr::Ttype, 1 << (bits.max(4).ilog2() - 2));
}

pub fn change_type(g: &mut Generator) {
    if g.draw.chance(5) {
        // None, several, or one that is not built in.
        let any = if g.draw.chance(30) { 0 } else { g.draw.u32() & g.draw.u32() & 0xfff };
        return g.set_csr(Csr::Ttype, any);
    }
    let index = g.width().ilog2() - 2;
    let reserved = if g.draw.chance(5) { g.draw.u32() & !0xfff } else { 0 };
    let field = if g.draw.chance(70) { 1 << index } else { g.draw.range(1, 3) << (4 + 2 * index) };
    g.set_csr(Csr::Ttype, field | reserved);
}

/// The value of tshape for the sizes of dimensions 0, 1 and 2.
pub fn packed([d0, d1, d2]: [u32; 3]) -> u32 {
    d0 << 16 | d1 << 8 | d2
}

/// A block of any shape that fits a register, mostly.
pub fn any(g: &mut Generator, bits: u32) -> [u32; 3] {
    let capacity = g.target.rtl.reg_bytes * 8 / bits;
    let mut sizes = [1; 3];
    if g.draw.chance(25) {
        // Powers of two that fill the register, or nearly.
        for _ in 0..capacity.ilog2() {
            let d = g.draw.below(3) as usize;
            if sizes[d] < 128 {
                sizes[d] *= 2;
            }
        }
    } else {
        // Each dimension takes some of the room that is left, in random order, mostly at most 32.
        let mut room = capacity;
        let first = g.draw.below(3);
        let step = g.draw.range(1, 2);
        for i in 0..3 {
            let d = ((first + i * step) % 3) as usize;
            let most = room.min(if g.draw.chance(85) { 32 } else { 255 });
            sizes[d] = match g.draw.below(4) {
                0 => most,
                1 => 1 + g.draw.below(most.min(4)),
                _ => g.draw.range(1, most),
            };
            room /= sizes[d];
        }
    }
    if g.draw.chance(2) {
        sizes[g.draw.below(3) as usize] = g.draw.pick(&[0, 33, 255]);
    }
    sizes
}

/// A block of slices along a dimension, which is returned, with sizes at what the unit is made of: the elements of a
/// row for a slice, the bits of a mask for the number of slices, the register for all of it.
pub fn block(g: &mut Generator, bits: u32) -> (u8, [u32; 3]) {
    let capacity = g.target.rtl.reg_bytes * 8 / bits;
    let row = (g.target.rtl.lanes * 8 / bits).max(1);
    // A slice soon behind the first one begins in the last lane of a row, or ends in the first one.
    let behind = g.draw.pick(&[1, 3, 5, 7, 9]);
    let wraps = (row..2 * row).find(|width| width * behind % row == 1).unwrap_or(row + 1);
    let (part, odd) = (g.draw.range(1, row), g.draw.range(0, 12) * 2 + 1);
    let inner = match g.draw.below(12) {
        0 | 1 => row,
        2 => g.draw.pick(&[2, 4]) * row,
        3 | 7 | 8 => g.draw.pick(&[row - 1, row + 1, 2 * row + 1, wraps, wraps]),
        4 | 5 => odd,
        6 => g.draw.pick(&[1, 2, 4, row / 2]),
        _ => part,
    };
    let inner = inner.clamp(1, capacity.min(255));
    let room = capacity / inner;
    let any = g.draw.range(1, 32);
    let size = match g.draw.below(12) {
        0 => g.draw.pick(&[31, 33, 34, 64, 65]),
        1..4 => 32,
        4 => 1,
        5..9 => g.draw.pick(&[2, 2, 4, 8, 16]),
        _ => any,
    };
    let size = size.clamp(1, room.max(1));
    let room = (capacity / (inner * size)).max(1);
    let some = g.draw.range(1, room);
    let outer = g.draw.pick(&[1, 1, room, room, some]).clamp(1, 255);
    match g.draw.below(8) {
        0..3 => {
            // The rest of a slice is in both of the other dimensions.
            let split = g.draw.pick(&[1, 1, 2, 4]);
            (0, if inner % split == 0 { [size, split, inner / split] } else { [size, 1, inner] })
        }
        3..7 => (1, [outer, size, inner]),
        _ => (2, [outer, inner, size]),
    }
}
