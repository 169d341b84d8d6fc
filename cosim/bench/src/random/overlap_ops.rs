// SPDX-License-Identifier: Apache-2.0
//! Instructions of all engines that need nothing of each other: they are complete in any order, and now and then in the
//! same clock cycle.

use golden::Csr;
use golden::decode::Tensor;

use super::generator::Generator;
use super::{move_ops, shape};

/// A run of them, after what all of them need. A transposition takes about as long as three loads of a full register: so
/// it ends together with one of those that follow it more often than by chance.
pub fn overlap(g: &mut Generator) {
    shape::ensure_legal(g);
    let bits = g.machine.element_type().map_or(8, |element| element.bits);
    full_block(g, bits);
    let sizes = move_ops::sizes(g, g.target.rtl.reg_bytes * 16 / bits);
    let sizes = g.register_with(u32::from_le_bytes(sizes));
    let base = (g.arena[0].start + g.draw.below(64)) & !3;
    let base = g.register_with(base);
    let mut registers: Vec<u8> = (1..32).collect();
    let mut fresh = |g: &mut Generator| {
        let at = g.draw.below(registers.len() as u32) as usize;
        registers.swap_remove(at)
    };
    let mut written = Vec::new();
    for _ in 0..g.draw.range(1, 4) {
        let (p, q) = (g.draw.below(4) as u8, g.draw.below(4) as u8);
        let (tlrs1, tlrs2) = (fresh(g), fresh(g));
        g.tensor(Tensor::Xpose { p, q, tlrs1, tlrs2, rs: sizes });
        written.extend([tlrs1, tlrs2]);
        for _ in 0..g.draw.pick(&[1, 2, 3, 3, 3]) {
            let tlrd = fresh(g);
            let imm8 = g.imm8();
            let load = Tensor::Load { tlrd, rs: base, imm8: 0 };
            // A move of what the transposition does not write.
            let one = if g.draw.chance(70) { load } else { Tensor::Addi { tlrd, tlrs: 0, imm8 } };
            g.tensor(one);
            written.push(tlrd);
        }
    }
    // Whoever reads a register whose completion was lost waits for ever.
    for tlrs in written {
        if g.draw.chance(70) {
            g.tensor(Tensor::Addi { tlrd: 0, tlrs, imm8: 0 });
        }
    }
}

/// A shape that fills the register, mostly.
fn full_block(g: &mut Generator, bits: u32) {
    let capacity = g.target.rtl.reg_bytes * 8 / bits;
    let d1 = capacity.min(1 << g.draw.range(4, 7));
    let d0 = (capacity / d1).min(32);
    if g.draw.chance(85) {
        g.set_csr(Csr::Tshape, shape::packed([d0, d1, 1]));
        g.set_csr(Csr::TloadWidth, 0);
    }
}
