// SPDX-License-Identifier: Apache-2.0
//! Patches of an image as the rows of a matrix, as a convolution needs them: for each place in the filter a masked load
//! of pixels that are some apart, of which those outside the image are not selected, and a dense store.

use golden::Csr;
use golden::decode::{Direction, Tensor};

use super::generator::Generator;

/// The patches of one row of pixels, with one thing that is not as it should be.
pub fn im2col(g: &mut Generator) {
    let bits = g.width();
    let element = (bits / 8).max(1);
    let reg_bytes = g.target.rtl.reg_bytes;
    g.want_csr(Csr::Ttype, 1 << (bits.ilog2() - 2));
    // A slice is a pixel with its channels.
    let pixels = g.draw.pick(&[4, 7, 8, 13, 16]).min(reg_bytes / element);
    let channels = g.draw.range(1, (reg_bytes / element / pixels).min(16));
    let pixel = channels * element;
    g.want_csr(Csr::Tshape, (pixels << 16) | (1 << 8) | (pixel * 8 / bits));
    g.want_csr(Csr::TloadWidth, 0);
    g.want_csr(Csr::TstoreWidth, 0);
    let varied = g.draw.below(6);
    let (width, step) = (g.draw.range(pixels, 24), g.draw.range(1, 2));
    for slice in 0..pixels {
        let odd = u32::from(varied == 0 && slice + 1 == pixels);
        g.want_csr(Csr::TloadStride(slice as u8), slice * step + odd);
        g.want_csr(Csr::TstoreStride(slice as u8), slice);
    }
    let from = g.base(Direction::Load, (3 * width + 64) * pixel, element);
    let to = g.base(Direction::Store, 9 * pixels * pixel + reg_bytes, element);
    let image = g.register_with(from + pixel);
    let first = g.draw.below(32);
    let mut patches = 0;
    for ky in 0..g.draw.range(1, 2) {
        for kx in 0..3 {
            // Left and right of the image there is nothing.
            let mask = match kx {
                0 => !1,
                2 => !(1 << (pixels - 1)),
                _ => u32::MAX,
            };
            let some = if varied == 1 { g.draw.u32() } else { u32::MAX };
            g.set_csr(Csr::TmaskLoad, mask & some);
            let tl = ((first + patches) & 31) as u8;
            g.tensor(Tensor::Mload { tlrd: tl, rs: image, imm8: ((ky * width + kx) as i8).wrapping_sub(1) });
            if varied == 2 {
                g.tensor(Tensor::Addi { tlrd: tl, tlrs: tl, imm8: 1 });
            }
            let rs = g.register_with(to + patches * pixels * pixel);
            if varied == 3 {
                g.set_csr(Csr::TmaskStore, mask);
                g.tensor(Tensor::Mstore { tlrs: tl, rs, imm8: 0 });
            } else {
                g.tensor(Tensor::Store { tlrs: tl, rs, imm8: 0 });
            }
            patches += 1;
        }
    }
}
