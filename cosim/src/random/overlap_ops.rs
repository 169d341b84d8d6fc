// SPDX-License-Identifier: Apache-2.0
//! Instructions of all engines that need nothing of each other: they are complete in any order, and now and then in the
//! same clock cycle.

use golden::decode::Tensor;

use super::program::Generator;
use super::{move_ops, shape};

/// A run of them, after what all of them need.
pub fn overlap(g: &mut Generator) {
    shape::ensure_legal(g);
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    let sizes = move_ops::sizes(g, g.target.rtl.reg_bytes * 16 / bits);
    let sizes = g.register_with(u32::from_le_bytes(sizes));
    let base = (g.arena[0].start + g.draw.below(64)) & !3;
    let base = g.register_with(base);
    let mut registers: Vec<u8> = (1..32).collect();
    let mut fresh = |g: &mut Generator| {
        let at = g.draw.below(registers.len() as u32) as usize;
        registers.swap_remove(at)
    };
    for _ in 0..g.draw.range(3, 8) {
        let (a, b) = (fresh(g), fresh(g));
        let (p, q, imm8) = (g.draw.below(4) as u8, g.draw.below(4) as u8, g.imm8());
        let instruction = match g.draw.below(8) {
            0..3 => Tensor::Xpose { p, q, tlrs1: a, tlrs2: b, rs: sizes },
            3..6 => Tensor::Load { tlrd: a, rs: base, imm8: 0 },
            _ => Tensor::Addi { tlrd: a, tlrs: b, imm8 },
        };
        g.tensor(instruction);
    }
}
