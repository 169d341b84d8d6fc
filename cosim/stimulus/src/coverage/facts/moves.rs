// SPDX-License-Identifier: Apache-2.0
//! `tl.concat` and `tl.merge`: dimension, runs, masks. The registers of all operations.

use golden::decode::Tensor;
use golden::{Csr, Machine};

use super::{Facts, block};
use crate::coverage::operation::{self, has_two_masks};
use crate::coverage::values::*;
use crate::unit::target::Target;

pub(super) fn facts(facts: &mut Facts, target: &Target, model: &Machine, tensor: Tensor) {
    let Some(d) = tensor.operands().named("d") else { return };
    let Some((element, shape)) = model.block() else { return };
    let (bits, sizes, d) = (element.bits, shape.0, (d as usize).min(2));
    let size = sizes[d];
    facts.set(Value { axis: Axis::Dim, index: d as u8 });
    facts.set(block::shape_class(sizes, bits, target.rtl.reg_bytes));
    facts.set(block::slices_class(size));
    facts.set(block::run_class(sizes[d + 1..].iter().product::<u32>() * bits, target.rtl.lanes));
    facts.set(block::end_class(sizes.iter().product::<u32>() * bits, target.rtl.reg_bytes, target.rtl.lanes));
    let outer: u32 = sizes[..d].iter().product();
    if outer > 1 && size > 1 {
        facts.set(OUTER_MORE);
    }
    let masks = [model.csr.read(Csr::TmaskConcat1), model.csr.read(Csr::TmaskConcat2)];
    facts.set(block::mask_class(masks[0], size));
    let both = has_two_masks(tensor);
    let used = if both { masks[0] | masks[1] } else { masks[0] };
    block::high_class(used, size).into_iter().for_each(|high| facts.set(high));
    if both {
        facts.set(Value { axis: Axis::Mask2, ..block::mask_class(masks[1], size) });
        let all = u32::MAX >> (32 - size.clamp(1, 32));
        facts.set(match masks.map(|mask| (mask & all).count_ones()).iter().sum::<u32>() {
            0 => SUM_NONE,
            sum if sum < size => SUM_LESS,
            _ => SUM_EXACT,
        });
    }
}

/// Which operands are tl0, and which are the same register.
pub(super) fn registers(facts: &mut Facts, tensor: Tensor) {
    let [results, sources] = operation::registers(tensor);
    let zero = |registers: &[u8], n: usize| registers.get(n) == Some(&0);
    let zeros = [(zero(&results, 0), ZERO_D), (zero(&sources, 0), ZERO_S1), (zero(&sources, 1), ZERO_S2)];
    let mut zeros = zeros.into_iter().filter(|(zero, _)| *zero).map(|(_, value)| value);
    facts.set(match (zeros.next(), zeros.next()) {
        (None, _) => NO_ZERO,
        (Some(one), None) => one,
        _ => ZEROS,
    });
    let ([result], [first, others @ ..]) = (&results[..], &sources[..]) else { return };
    facts.set(match (result == first, others.contains(result), others.contains(first)) {
        (true, true, _) => ALL_SAME,
        (true, false, _) => D_IS_S1,
        (false, true, _) => D_IS_S2,
        (false, false, true) => S1_IS_S2,
        (false, false, false) => DISTINCT,
    });
}
