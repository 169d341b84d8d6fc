// SPDX-License-Identifier: Apache-2.0
//! What a program can begin with: instructions right after reset, in the state that reset has made. What the unit has not
//! finished when reset ends, they find.

use golden::decode::{Decoded, Direction, SliceTransfer, Tensor};

use super::generator::Generator;
use super::{matrix_ops, move_ops};

/// A few instructions without any set-up: some are illegal as long as no shape is set.
pub fn at_once(g: &mut Generator) {
    for _ in 0..g.draw.range(1, 3) {
        let (tlrd, tlrs1, tlrs2, rs) = (g.tl(), g.tl(), g.tl(), g.draw.below(32) as u8);
        let (d, imm8) = (g.draw.below(3) as u8, g.imm8());
        let (direction, masked) = ([Direction::Load, Direction::Store][g.draw.below(2) as usize], g.draw.chance(30));
        let instruction: Tensor = match g.draw.below(16) {
            0..6 => SliceTransfer { direction, masked, tl: tlrd, rs, imm8 }.into(),
            6..9 => Tensor::Addi { tlrd, tlrs: tlrs1, imm8 },
            9 => Tensor::Concat { d, tlrd, tlrs1, tlrs2 },
            10 => Tensor::Merge { d, tlrd, tlrs1, tlrs2 },
            // The host is done before the unit is: this is an instruction at once, too.
            _ if g.target.golden.matrix.is_none() || g.draw.chance(50) => {
                let bits = g.machine.element_type().map_or(8, |element| element.bits);
                let sizes = move_ops::sizes(g, g.target.rtl.reg_bytes * 16 / bits);
                let rs = g.register_with(u32::from_le_bytes(sizes));
                Tensor::Xpose { p: 0, q: d + 1, tlrs1, tlrs2, rs }
            }
            _ => {
                let word = matrix_ops::legal(g);
                g.word(word);
                continue;
            }
        };
        g.emit(Decoded::Tensor(instruction));
    }
}
