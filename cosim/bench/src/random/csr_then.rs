// SPDX-License-Identifier: Apache-2.0
//! An operation right behind the write of one CSR that it looks at, and nothing between them.

use golden::Csr;
use golden::decode::{Direction, SliceTransfer, Tensor};

use super::generator::Generator;
use super::{memory_ops, shape};

/// Some such pairs, with the same operands.
pub fn csr_then(g: &mut Generator) {
    shape::ensure_legal(g);
    let direction = if g.draw.chance(50) { Direction::Load } else { Direction::Store };
    let masked = g.draw.chance(40);
    let (width, mask, stride) = direction.csrs();
    if masked {
        g.want_csr(mask, u32::MAX);
    }
    let arena = g.arena[usize::from(direction == Direction::Store)].clone();
    let base = (arena.start + g.draw.below(arena.end - arena.start)) & !3;
    let rs = g.register_with(base);
    let d0 = g.d0().clamp(1, 32);
    for _ in 0..g.draw.range(2, 5) {
        let slice = g.draw.below(d0);
        let (csr, value) = match g.draw.below(8) {
            0..3 => {
                let bits = g.width();
                (Csr::Ttype, 1 << (bits.ilog2() - 2 + if g.draw.chance(20) { 4 } else { 0 }))
            }
            3 | 4 => (Csr::Tshape, g.machine.csr.read(Csr::Tshape) ^ g.draw.range(1, 3) << (8 * g.draw.below(3))),
            5 => (width, g.machine.csr.read(width) ^ g.draw.range(1, 3)),
            6 => (mask, memory_ops::mask_value(g)),
            _ => (stride(slice as u8), g.machine.csr.read(stride(slice as u8)) ^ 1 << g.draw.below(5)),
        };
        g.set_csr(csr, value);
        let (tl, other) = (g.tl(), g.tl());
        let ready = |csr| g.machine.csr.mask(csr).is_some_and(|mask| mask.initialised);
        let masks = ready(Csr::TmaskConcat1) && ready(Csr::TmaskConcat2) && d0 == g.d0();
        let instruction = match g.draw.below(20) {
            0 | 1 => Tensor::Addi { tlrd: tl, tlrs: other, imm8: g.imm8() },
            2 | 3 if masks => Tensor::Merge { d: 0, tlrd: tl, tlrs1: other, tlrs2: g.tl() },
            4 if masks => Tensor::Concat { d: 0, tlrd: tl, tlrs1: other, tlrs2: g.tl() },
            _ => SliceTransfer { direction, masked, tl, rs, imm8: 0 }.into(),
        };
        g.tensor(instruction);
    }
}
