// SPDX-License-Identifier: Apache-2.0
//! Execution: one function for each instruction, grouped in files as in docs/isa.md, "Operations".
//!
//! Each function makes all its checks before its first write, so that a trapping instruction changes nothing.

mod addi;
mod concat_merge;
mod csr;
mod elements;
mod host;
mod load_store;
mod matrix;
mod xpose;

use crate::decode::{Decoded, Host, Matrix, Tensor, decode};
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// Executes one word; does not move `pc`.
pub(crate) fn execute(m: &mut Machine, word: u32) -> Outcome {
    let mut out = Outcome { pc: m.pc, word, ..Outcome::default() };
    out.trap = dispatch(m, &mut out, decode(word, m.config())).err();
    out
}

fn dispatch(m: &mut Machine, out: &mut Outcome, instruction: Decoded) -> Result<(), Trap> {
    match instruction {
        Decoded::Tensor(Tensor::Load { tlrd, rs, imm8 }) => load_store::load(m, out, tlrd, rs, imm8),
        Decoded::Tensor(Tensor::Mload { tlrd, rs, imm8 }) => load_store::mload(m, out, tlrd, rs, imm8),
        Decoded::Tensor(Tensor::Store { tlrs, rs, imm8 }) => load_store::store(m, out, tlrs, rs, imm8),
        Decoded::Tensor(Tensor::Mstore { tlrs, rs, imm8 }) => load_store::mstore(m, out, tlrs, rs, imm8),
        Decoded::Tensor(Tensor::Addi { tlrd, tlrs, imm8 }) => addi::addi(m, out, tlrd, tlrs, imm8),
        Decoded::Tensor(Tensor::Concat { d, tlrd, tlrs1, tlrs2 }) => {
            concat_merge::concat(m, out, d, tlrd, [tlrs1, tlrs2])
        }
        Decoded::Tensor(Tensor::Merge { d, tlrd, tlrs1, tlrs2 }) => {
            concat_merge::merge(m, out, d, tlrd, [tlrs1, tlrs2])
        }
        Decoded::Tensor(Tensor::Xpose { p, q, tlrs1, tlrs2, rs }) => xpose::xpose(m, out, [p, q], [tlrs1, tlrs2], rs),
        Decoded::Matrix(Matrix::Load(transfer)) => matrix::load(m, out, transfer),
        Decoded::Matrix(Matrix::Store(transfer)) => matrix::store(m, out, transfer),
        Decoded::Matrix(Matrix::SetTile { size, source }) => {
            matrix::set_tile(m, out, size, source);
            Ok(())
        }
        Decoded::Matrix(Matrix::Release) => Ok(()),
        Decoded::Csr(instruction) => {
            csr::csr(m, out, instruction);
            Ok(())
        }
        Decoded::Host(Host::Lui { rd, imm20 }) => {
            host::lui(m, out, rd, imm20);
            Ok(())
        }
        Decoded::Host(Host::Addi { rd, rs1, imm12 }) => {
            host::addi(m, out, rd, rs1, imm12);
            Ok(())
        }
        Decoded::Illegal | Decoded::NotOurs => Err(Trap::illegal(out.word)),
    }
}

/// Writes a host register and records it. A write to x0 is neither done nor recorded.
fn write_gpr(m: &mut Machine, out: &mut Outcome, rd: u8, value: u32) {
    if rd != 0 {
        m.set_x(rd, value);
        out.gpr_write = Some((rd, value));
    }
}

/// Records a `tl` register and gives its bytes for writing; `None` for tl0.
fn write_tl<'m>(m: &'m mut Machine, out: &mut Outcome, tl: u8) -> Option<&'m mut [u8]> {
    let register = m.tl.get_mut(tl)?;
    out.tl_writes.push(tl);
    Some(register)
}

/// The low `n` bits of a mask register, the ones that select a slice of a dimension of size `n`. 1 <= n <= 32.
fn low_bits(mask: u32, n: u32) -> u32 {
    mask & u32::MAX >> (32 - n.clamp(1, 32))
}
