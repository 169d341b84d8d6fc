// SPDX-License-Identifier: Apache-2.0
//! Transposes of a matrix in memory, tile by tile: load two registers of rows, transpose them, store them.

use golden::Csr;
use golden::decode::{Direction, SliceTransfer, Tensor};

use super::generator::Generator;
use super::shape;

/// Some tiles, with one thing that is not as it should be.
pub fn transpose(g: &mut Generator) {
    let bits = g.width();
    let element = (bits / 8).max(1);
    let reg_bytes = g.target.rtl.reg_bytes;
    g.want_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
    // A register has this many rows of a tile of two registers.
    let rows = g.draw.pick(&[2, 4, 8]);
    let row = reg_bytes / rows;
    let columns = row * 8 / bits;
    if columns > 128 {
        return;
    }
    g.want_csr(Csr::Tshape, shape::packed([rows, 1, columns]));
    g.want_csr(Csr::TloadWidth, 0);
    g.want_csr(Csr::TstoreWidth, 0);
    // Rows of the matrix: so many tiles beside each other.
    let pitch = g.draw.range(1, 3);
    let varied = g.draw.below(8);
    for slice in 0..rows {
        let odd = u32::from(varied == 0 && slice == 1);
        g.want_csr(Csr::TloadStride(slice as u8), slice * pitch + odd);
        g.want_csr(Csr::TstoreStride(slice as u8), slice * if varied == 1 { pitch } else { 1 });
    }
    let sizes = [2 * rows as u8, 1, 1, columns as u8];
    let sizes = g.register_with(u32::from_le_bytes(sizes));
    let from = g.base(Direction::Load, 2 * rows * pitch * row + reg_bytes, element);
    let to = g.base(Direction::Store, 6 * reg_bytes, element);
    let (p, q) = if varied == 2 { (0, 2) } else { (0, 3) };
    let [a, b] = [g.draw.range(1, 15) as u8, g.draw.range(16, 31) as u8];
    for tile in 0..g.draw.range(1, 3) {
        for (tlrd, half) in [(a, 0), (b, 1)] {
            let rs = g.register_with(from + tile % pitch * row + half * rows * pitch * row);
            g.tensor(Tensor::Load { tlrd, rs, imm8: 0 });
        }
        if varied == 3 {
            let bits = g.width();
            g.set_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
        }
        g.tensor(Tensor::Xpose { p, q, tlrs1: a, tlrs2: b, rs: sizes });
        if varied == 4 {
            g.tensor(Tensor::Addi { tlrd: b, tlrs: a, imm8: 0 });
        }
        for (tl, half) in [(a, 0), (b, 1)] {
            let rs = g.register_with(to + (2 * tile + half) * reg_bytes);
            g.tensor(SliceTransfer { direction: Direction::Store, masked: false, tl, rs, imm8: 0 }.into());
        }
    }
}
