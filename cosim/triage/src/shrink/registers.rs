// SPDX-License-Identifier: Apache-2.0
//! The registers that an instruction names, and the same instruction with others.

use std::collections::BTreeSet;

use golden::decode::{Register, decode};

use super::draft::Draft;
use crate::unit::target::Target;

/// The instruction with its host registers and TLRegs replaced; `None` when it names none, or is no instruction.
pub fn renamed(target: &Target, word: u32, mut x: impl FnMut(u8) -> u8, mut tl: impl FnMut(u8) -> u8) -> Option<u32> {
    let mut named = false;
    let instruction = decode(word, &target.golden).with_operands(|operand| match operand.register() {
        Some(Register::X(number)) => {
            named = true;
            x(number).into()
        }
        Some(Register::Tl(number)) => {
            named = true;
            tl(number).into()
        }
        Some(Register::Tile(_)) | None => operand.value,
    });
    instruction.encode(&target.golden).filter(|_| named)
}

/// The host registers and the TLRegs of program and state, in the order in which they first occur.
pub fn used(target: &Target, draft: &Draft) -> (Vec<u8>, Vec<u8>) {
    let (mut x, mut tl) = (Vec::new(), Vec::new());
    let add = |list: &mut Vec<u8>, number: u8| {
        if !list.contains(&number) {
            list.push(number);
        }
        number
    };
    for step in &draft.program {
        renamed(target, step.word, |number| add(&mut x, number), |number| add(&mut tl, number));
    }
    for &number in draft.state.x.keys() {
        add(&mut x, number);
    }
    for &number in draft.state.tl.keys() {
        add(&mut tl, number);
    }
    (x, tl)
}

/// The draft with host registers and TLRegs under other numbers, state and program alike. Numbers that are mapped to
/// one number become one register.
pub fn rename(target: &Target, draft: &Draft, x: impl Fn(u8) -> u8, tl: impl Fn(u8) -> u8) -> Draft {
    let mut result = draft.clone();
    for step in &mut result.program {
        step.word = renamed(target, step.word, &x, &tl).unwrap_or(step.word);
    }
    result.state.x = draft.state.x.iter().map(|(&i, &value)| (x(i), value)).filter(|&(i, _)| i != 0).collect();
    let tls = draft.state.tl.iter().map(|(&i, bytes)| (tl(i), bytes.clone()));
    result.state.tl = tls.filter(|&(i, _)| i != 0).collect();
    result
}

/// Maps the numbers of `used` to 1, 2, 3, ... in this order; 0 stays.
pub fn lowest(used: &[u8]) -> impl Fn(u8) -> u8 {
    let order: Vec<u8> = used.iter().copied().filter(|&number| number != 0).collect();
    move |number| order.iter().position(|&other| other == number).map_or(number, |place| place as u8 + 1)
}

/// As [`lowest`], for one number alone: it changes places with the lowest one that is not used.
pub fn lower_one(used: &[u8], number: u8) -> impl Fn(u8) -> u8 + use<> {
    let taken: BTreeSet<u8> = used.iter().copied().collect();
    let free = (1..32).find(|i| !taken.contains(i)).unwrap_or(number);
    let free = if number == 0 { 0 } else { free.min(number) };
    move |i| if i == number { free } else { i }
}
