// SPDX-License-Identifier: Apache-2.0
//! `lui` and `addi` of the host (docs/isa.md, "Host instructions").

use super::write_gpr;
use crate::machine::Machine;
use crate::outcome::Outcome;

/// `lui rd, imm20`: rd becomes imm20 * 2^12.
pub(super) fn lui(m: &mut Machine, out: &mut Outcome, rd: u8, imm20: u32) {
    write_gpr(m, out, rd, imm20 << 12);
}

/// `addi rd, rs1, imm12`: rd becomes x[rs1] + imm12, modulo 2^32.
pub(super) fn addi(m: &mut Machine, out: &mut Outcome, rd: u8, rs1: u8, imm12: i16) {
    let sum = m.x(rs1).wrapping_add_signed(imm12.into());
    write_gpr(m, out, rd, sum);
}
