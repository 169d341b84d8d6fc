// SPDX-License-Identifier: Apache-2.0
//! `tl.addi` (docs/isa.md, "tl.addi").

use super::elements::{element, set_element};
use super::operands::{Access, Engine};
use super::row::{Field, Key, Row};
use super::tensor::Tensor;
use super::{ElementOps, write_tl};
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// `tl.addi tlrd, tlrs, imm8`
pub(super) const ADDI: Row = Row {
    mnemonic: "tl.addi",
    engine: Engine::Move,
    key: Key::new(*b"00-", 0b010),
    dimensions: &[],
    fields: &[Field::Tl(Access::Write, 7), Field::Tl(Access::Read, 15), Field::Imm8],
    build: |[tlrd, tlrs, imm8, ..]| Tensor::Addi { tlrd, tlrs, imm8: imm8 as i8 },
};

/// Illegal unless the type is legal and an integer type. The shape is not used.
pub(super) fn addi<Ops: ElementOps>(
    m: &mut Machine,
    out: &mut Outcome,
    tlrd: u8,
    tlrs: u8,
    imm8: i8,
) -> Result<(), Trap> {
    let element = m.element_type().filter(|t| t.integer).ok_or(Trap::illegal(out.word))?;
    let result = Ops::add(m.tl.get(tlrs), element.bits, imm8);
    write_tl(m, out, tlrd, &result);
    Ok(())
}

/// Every element of the register, read as an unsigned number, becomes `min(max(element + imm8, 0), 2^e - 1)`.
pub(super) fn add(register: &[u8], e: u32, imm8: i8) -> Vec<u8> {
    let mut result = register.to_vec();
    for n in 0..8 * register.len() / e as usize {
        let sum = i64::from(element(register, n, e)) + i64::from(imm8);
        set_element(&mut result, n, e, sum.clamp(0, (1 << e) - 1) as u32);
    }
    result
}
