// SPDX-License-Identifier: Apache-2.0
//! Sums, such as `tl.addi`: immediate and saturation.

use golden::Machine;
use golden::decode::{Register, Tensor};

use super::Facts;
use crate::coverage::values::*;

/// What a sum is going to do; nothing for other operations.
pub(super) fn before(facts: &mut Facts, model: &Machine, tensor: Tensor) {
    let (Some(added), Some(immediate)) = (tensor.added(), tensor.operands().immediate()) else { return };
    let Some(Register::Tl(source)) = tensor.operands().reads().next() else { return };
    let (least, greatest) = immediate.range().into_inner();
    facts.set(match immediate.value {
        0 => IMM_0,
        1 => IMM_1,
        -1 => IMM_M1,
        value if value == least => IMM_MIN,
        value if value == greatest => IMM_MAX,
        2.. => IMM_PLUS,
        _ => IMM_MINUS,
    });
    if let Some(element) = model.element_type() {
        let (source, added) = (model.tl.get(source), added.into());
        edge(facts, source, element.bits, added);
        let [low, high, all] = clamped(source, element.bits, added);
        facts.set(match (low, high) {
            (0, 0) => C_NONE,
            (low, 0) if low == all => C_LOW_ALL,
            (_, 0) => C_LOW,
            (0, high) if high == all => C_HIGH_ALL,
            (0, _) => C_HIGH,
            _ => C_BOTH,
        });
    }
}

/// Whether a sum is at the end of the range towards which it goes, or beyond it by one.
fn edge(facts: &mut Facts, register: &[u8], bits: u32, added: i64) {
    let top = (1i64 << bits) - 1;
    let (exactly, beyond, end, next) = match added {
        0 => return,
        1.. => (EDGE_TOP, OVER, top, top + 1),
        _ => (EDGE_0, UNDER, 0, -1),
    };
    let mut found = None;
    each(register, bits, |value| match value + added {
        sum if sum == next => found = Some(beyond),
        sum if sum == end => found = found.or(Some(exactly)),
        _ => {}
    });
    found.into_iter().for_each(|edge| facts.set(edge));
}

/// How many elements of `bits` bits saturate at 0, how many at the top, and how many there are.
pub fn clamped(register: &[u8], bits: u32, added: i64) -> [usize; 3] {
    let top = (1i64 << bits) - 1;
    let mut counts = [0; 3];
    each(register, bits, |value| {
        counts[0] += usize::from(value + added < 0);
        counts[1] += usize::from(value + added > top);
        counts[2] += 1;
    });
    counts
}

fn each(register: &[u8], bits: u32, mut element: impl FnMut(i64)) {
    if bits == 4 {
        register.iter().for_each(|byte| [byte & 15, byte >> 4].into_iter().for_each(|n| element(n.into())));
    } else {
        for bytes in register.chunks_exact(bits as usize / 8) {
            element(bytes.iter().rev().fold(0, |value, &byte| value << 8 | i64::from(byte)));
        }
    }
}
