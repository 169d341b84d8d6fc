// SPDX-License-Identifier: Apache-2.0
//! Stores of whole registers, for a bench that sees nothing of them but what is stored.

use golden::Csr;
use golden::decode::Tensor;

use super::generator::Generator;
use super::shape;
use crate::lockstep::ports::whole_register;

/// Stores a few registers whole.
pub fn store_registers(g: &mut Generator) {
    let (ttype, tshape) = whole_register(&g.target.golden);
    for (csr, value) in [(Csr::Ttype, ttype), (Csr::Tshape, tshape), (Csr::TstoreWidth, 0), (Csr::TstoreStride(0), 0)] {
        g.set_csr(csr, value);
    }
    let room = g.target.rtl.l0m_bytes - g.target.rtl.reg_bytes;
    let base = g.arena[1].start.min(room);
    let rs = g.register_with(base);
    for _ in 0..g.draw.range(1, 3) {
        let tlrs = g.tl();
        g.tensor(Tensor::Store { tlrs, rs, imm8: 0 });
    }
    shape::change(g);
}
