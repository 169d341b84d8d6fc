// SPDX-License-Identifier: Apache-2.0
//! Tiles put together: two parts are loaded, joined along a dimension, and stored; then the next two, behind them.

use golden::Csr;
use golden::decode::{Direction, Tensor};

use super::generator::Generator;
use super::shape;

/// Some pairs of parts, with one thing that is not as it should be.
pub fn concat(g: &mut Generator) {
    let bits = g.width();
    let element = (bits / 8).max(1);
    let reg_bytes = g.target.rtl.reg_bytes;
    let capacity = reg_bytes * 8 / bits;
    g.want_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
    let d = g.draw.below(3);
    // The dimension along which they are joined has one half of each.
    let size = g.draw.pick(&[2, 4, 6, 8]).min(capacity);
    let other = g.draw.range(1, (capacity / size).clamp(1, 8)) & !1;
    let mut sizes = [1; 3];
    sizes[(d as usize + 1) % 3] = other.max(1);
    sizes[d as usize] = size;
    if bits == 4 && d != 2 && sizes[2] == 1 {
        sizes[2] = 2.min(capacity / size / other.max(1)).max(1);
    }
    g.want_csr(Csr::Tshape, shape::packed(sizes));
    g.want_csr(Csr::TloadWidth, 0);
    g.want_csr(Csr::TstoreWidth, 0);
    for slice in 0..sizes[0] as u8 {
        g.want_csr(Csr::TloadStride(slice), slice.into());
        g.want_csr(Csr::TstoreStride(slice), slice.into());
    }
    let half = (1u32 << (size / 2)) - 1;
    let varied = g.draw.below(6);
    // The first parts are at the beginning of their registers, or the second at the end.
    let (mask1, mask2) = if g.draw.chance(50) { (half, half) } else { (half, half << (size / 2)) };
    g.want_csr(Csr::TmaskConcat1, if varied == 0 { mask1 & !1 } else { mask1 });
    g.want_csr(Csr::TmaskConcat2, if varied == 1 { mask2 >> 1 } else { mask2 });
    let block = sizes.iter().product::<u32>() * bits / 8;
    let from = g.base(Direction::Load, 10 * block + reg_bytes, element);
    let to = g.base(Direction::Store, 5 * block + reg_bytes, element);
    let first = g.draw.below(32);
    let register = |n: u32| ((first + n) & 31) as u8;
    for n in 0..g.draw.range(2, 4) {
        let [tlrs1, tlrs2, tlrd] = [0, 1, 2].map(|i| register(3 * n + i));
        for (tlrd, part) in [(tlrs1, 0), (tlrs2, 1)] {
            let rs = g.register_with(from + (2 * n + part) * block);
            g.tensor(Tensor::Load { tlrd, rs, imm8: 0 });
        }
        let tlrd = if varied == 2 { tlrs1 } else { tlrd };
        let d = if varied == 3 { g.draw.below(3) } else { d } as u8;
        g.tensor(Tensor::Concat { d, tlrd, tlrs1, tlrs2 });
        let rs = g.register_with(to + n * block);
        g.tensor(Tensor::Store { tlrs: tlrd, rs, imm8: 0 });
    }
}
