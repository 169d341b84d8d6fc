// SPDX-License-Identifier: Apache-2.0
//! Why an operation is illegal, when there is one reason alone.

use golden::decode::Tensor;
use golden::{Csr, Machine};

use super::Facts;
use crate::coverage::values::*;

pub(super) fn facts(facts: &mut Facts, model: &Machine, tensor: Tensor) {
    let mut reasons = Vec::new();
    if let Some(reason) = type_reason(model) {
        reasons.push(reason);
    }
    match tensor {
        Tensor::Addi { .. } => {
            if model.element_type().is_some_and(|element| !element.integer) {
                reasons.push(NOT_INTEGER);
            }
        }
        Tensor::Concat { d, .. } | Tensor::Merge { d, .. } => {
            facts.set(Value { axis: Axis::Dim, index: d });
            moves(&mut reasons, model, usize::from(d.min(2)), matches!(tensor, Tensor::Concat { .. }));
        }
        Tensor::Xpose { tlrs1, tlrs2, rs, .. } => xpose(&mut reasons, model, tlrs1 == tlrs2, model.x(rs)),
        Tensor::Load { .. } | Tensor::Mload { .. } | Tensor::Store { .. } | Tensor::Mstore { .. } => {
            memory(&mut reasons, model, tensor);
        }
    }
    if let [reason] = reasons[..] {
        facts.set(reason);
    }
}

fn type_reason(model: &Machine) -> Option<Value> {
    if model.element_type().is_some() {
        return None;
    }
    let ttype = model.csr.read(Csr::Ttype);
    let fields = [0x001, 0x002, 0x004, 0x008, 0x030, 0x0c0, 0x300, 0xc00].iter().filter(|&field| ttype & field != 0);
    Some(match fields.count() {
        0 => NO_TYPE,
        1 => OTHER_WIDTH,
        _ => TWO_TYPES,
    })
}

fn sizes(model: &Machine) -> [u32; 3] {
    let [_, sizes @ ..] = model.csr.read(Csr::Tshape).to_be_bytes().map(u32::from);
    sizes
}

/// What is wrong with the shape; `d` is the dimension that slices count in. An illegal type has no largest block.
fn shape(reasons: &mut Vec<Value>, model: &Machine, d: usize) {
    let sizes = sizes(model);
    if sizes.contains(&0) {
        reasons.push(ZERO_SIZE);
    }
    let room = 8 * model.tl.reg_bytes() as u64;
    let block = |bits: u32| sizes.iter().map(|&size| u64::from(size)).product::<u64>() * u64::from(bits);
    if model.element_type().is_some_and(|element| block(element.bits) > room) {
        reasons.push(BLOCK_BIG);
    }
    if sizes[d] > 32 {
        reasons.push(DIM_BIG);
    }
}

fn not_written(model: &Machine, csr: Csr) -> bool {
    model.csr.mask(csr).is_some_and(|mask| !mask.initialised)
}

fn moves(reasons: &mut Vec<Value>, model: &Machine, d: usize, concat: bool) {
    shape(reasons, model, d);
    if not_written(model, Csr::TmaskConcat1) {
        reasons.push(MASK_1);
    }
    if concat {
        if not_written(model, Csr::TmaskConcat2) {
            reasons.push(MASK_2);
        }
        let size = sizes(model)[d].min(32);
        let count = |csr| (u64::from(model.csr.read(csr)) & ((1 << size) - 1)).count_ones();
        if count(Csr::TmaskConcat1) + count(Csr::TmaskConcat2) > size {
            reasons.push(TOO_MANY);
        }
    }
}

fn xpose(reasons: &mut Vec<Value>, model: &Machine, same: bool, operand: u32) {
    if same {
        reasons.push(SAME_REGISTER);
    }
    let sizes = operand.to_le_bytes().map(u64::from);
    if sizes[0] % 2 == 1 {
        reasons.push(ODD_D0);
    }
    let product = |bits: u32| sizes.iter().product::<u64>() * u64::from(bits);
    if sizes.contains(&0) {
        reasons.push(SIZE_0);
    } else if model.element_type().is_some_and(|e| product(e.bits) != 16 * model.tl.reg_bytes() as u64) {
        reasons.push(PRODUCT);
    }
}

fn memory(reasons: &mut Vec<Value>, model: &Machine, tensor: Tensor) {
    let Some(transfer) = tensor.transfer() else { return };
    let (width, mask, _) = transfer.direction.csrs();
    shape(reasons, model, 0);
    if transfer.masked && not_written(model, mask) {
        reasons.push(MASK_1);
    }
    let [d0, d1, d2] = sizes(model);
    let width = Some(model.csr.read(width)).filter(|&width| width != 0).unwrap_or(d1 * d2);
    let Some(element) = model.element_type() else { return };
    let bits = u64::from(width) * u64::from(element.bits);
    if bits % 8 != 0 {
        reasons.push(HALF_BYTE);
    }
    if u64::from(d0) * (bits / 8) > model.tl.reg_bytes() as u64 {
        reasons.push(SLICES_BIG);
    }
}
