// SPDX-License-Identifier: Apache-2.0
//! `tl.addi` (docs/isa.md, "tl.addi").

use super::elements::{elements, registers};
use super::write_tl;
use crate::machine::Machine;
use crate::outcome::{Outcome, Trap};

/// Adds a number to all elements. The shape is not used.
pub(super) fn addi(m: &mut Machine, out: &mut Outcome, tlrd: u8, tlrs: u8, added: i32) -> Result<(), Trap> {
    let element = m.element_type().ok_or(Trap::illegal(out.word))?;
    let result = add(m.tl.get(tlrs), element.bits, added);
    write_tl(m, out, tlrd, &result);
    Ok(())
}

/// Every element of the register, read as an unsigned number, becomes `min(max(element + added, 0), 2^e - 1)`.
fn add(register: &[u8], e: u32, added: i32) -> Vec<u8> {
    let sum = |element: u32| (i64::from(element) + i64::from(added)).clamp(0, (1 << e) - 1) as u32;
    let sums: Vec<u32> = elements(register, e).into_iter().map(sum).collect();
    let mut result = registers(&sums, e);
    // A configuration that nobody has may have registers of less than an element.
    result.resize(register.len(), 0);
    result
}
