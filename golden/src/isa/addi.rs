// SPDX-License-Identifier: Apache-2.0
//! `tl.addi` (docs/isa.md, "tl.addi").

use super::elements::{element, set_element};
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
    let mut result = register.to_vec();
    for n in 0..8 * register.len() / e as usize {
        let sum = i64::from(element(register, n, e)) + i64::from(added);
        set_element(&mut result, n, e, sum.clamp(0, (1 << e) - 1) as u32);
    }
    result
}
