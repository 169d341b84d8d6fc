// SPDX-License-Identifier: Apache-2.0
//! Element types and block shapes.

use golden::Csr;
use golden::decode::Tensor;

use super::generator::Generator;

/// Gives `ttype`, `tshape` or both new values, legal ones with few exceptions.
pub fn change(g: &mut Generator) {
    if g.machine.element_type().is_none() || g.draw.chance(60) {
        let ttype = ttype(g);
        g.set_csr(Csr::Ttype, ttype);
    }
    let tshape = tshape(g);
    g.set_csr(Csr::Tshape, tshape);
    if g.draw.chance(30) {
        let (csr, value) = (g.draw.chance(50), g.draw.below(4));
        g.set_csr(if csr { Csr::TloadWidth } else { Csr::TstoreWidth }, value);
    } else if g.draw.chance(50) {
        g.set_csr(Csr::TloadWidth, 0);
        g.set_csr(Csr::TstoreWidth, 0);
    }
}

/// An instruction on a block with a dimension of 0, which is illegal whatever the other sizes are.
pub fn empty(g: &mut Generator) {
    let mut sizes: [u32; 3] = std::array::from_fn(|_| g.draw.range(1, 4));
    sizes[g.draw.below(3) as usize] = 0;
    g.set_csr(Csr::Tshape, packed(sizes));
    let (tlrd, tlrs1, tlrs2, rs) = (g.tl(), g.tl(), g.tl(), g.draw.below(32) as u8);
    let d = g.draw.below(3) as u8;
    let instruction = match g.draw.below(6) {
        0 => Tensor::Load { tlrd, rs, imm8: 0 },
        1 => Tensor::Mload { tlrd, rs, imm8: 0 },
        2 => Tensor::Store { tlrs: tlrs1, rs, imm8: 0 },
        3 => Tensor::Mstore { tlrs: tlrs1, rs, imm8: 0 },
        4 => Tensor::Concat { d, tlrd, tlrs1, tlrs2 },
        _ => Tensor::Merge { d, tlrd, tlrs1, tlrs2 },
    };
    g.tensor(instruction);
    change(g);
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

fn ttype(g: &mut Generator) -> u32 {
    if g.draw.chance(4) {
        // None, several, or one that is not built in.
        return g.draw.u32() & g.draw.u32() & 0xfff;
    }
    let widths: Vec<u32> = g.target.golden.element_widths.iter().collect();
    let index = g.draw.pick(&widths).max(4).ilog2() - 2;
    let reserved = if g.draw.chance(5) { g.draw.u32() & !0xfff } else { 0 };
    let field = if g.draw.chance(70) { 1 << index } else { g.draw.range(1, 3) << (4 + 2 * index) };
    field | reserved
}

/// The value of tshape for the sizes of dimensions 0, 1 and 2.
pub fn packed([d0, d1, d2]: [u32; 3]) -> u32 {
    d0 << 16 | d1 << 8 | d2
}

fn tshape(g: &mut Generator) -> u32 {
    if g.draw.chance(3) {
        return g.draw.u32();
    }
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
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
    packed(sizes)
}
