// SPDX-License-Identifier: Apache-2.0
//! `tl.concat` and `tl.merge`: dimension, runs, masks, registers.

use golden::decode::Tensor;
use golden::{Csr, Machine};

use super::{Facts, block};
use crate::coverage::values::*;
use crate::unit::target::Target;

pub(super) fn facts(facts: &mut Facts, target: &Target, model: &Machine, tensor: Tensor) {
    let (Tensor::Concat { d, tlrd, tlrs1, tlrs2 } | Tensor::Merge { d, tlrd, tlrs1, tlrs2 }) = tensor else { return };
    let concat = matches!(tensor, Tensor::Concat { .. });
    let Some((element, shape)) = model.block() else { return };
    let (bits, sizes, d) = (element.bits, shape.0, usize::from(d.min(2)));
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
    let used = if concat { masks[0] | masks[1] } else { masks[0] };
    block::high_class(used, size).into_iter().for_each(|high| facts.set(high));
    if concat {
        facts.set(Value { axis: Axis::Mask2, ..block::mask_class(masks[1], size) });
        let all = u32::MAX >> (32 - size.clamp(1, 32));
        facts.set(match masks.map(|mask| (mask & all).count_ones()).iter().sum::<u32>() {
            0 => SUM_NONE,
            sum if sum < size => SUM_LESS,
            _ => SUM_EXACT,
        });
    }
    zeros(facts, Some(tlrd), &[tlrs1, tlrs2]);
    facts.set(match (tlrd == tlrs1, tlrd == tlrs2, tlrs1 == tlrs2) {
        (true, true, _) => ALL_SAME,
        (true, false, _) => D_IS_S1,
        (false, true, _) => D_IS_S2,
        (false, false, true) => S1_IS_S2,
        (false, false, false) => DISTINCT,
    });
}

/// The registers of `tl.addi`.
pub(super) fn addi(facts: &mut Facts, tlrd: u8, tlrs: u8) {
    zeros(facts, Some(tlrd), &[tlrs]);
    facts.set(if tlrd == tlrs { D_IS_S1 } else { DISTINCT });
}

/// Which operands are tl0: the result, and the sources.
pub(super) fn zeros(facts: &mut Facts, result: Option<u8>, sources: &[u8]) {
    let result = result.filter(|&tl| tl == 0).map(|_| ZERO_D);
    let sources = sources.iter().zip([ZERO_S1, ZERO_S2]).filter(|(tl, _)| **tl == 0).map(|(_, value)| value);
    let mut zeros = result.into_iter().chain(sources);
    facts.set(match (zeros.next(), zeros.next()) {
        (None, _) => NO_ZERO,
        (Some(one), None) => one,
        _ => ZEROS,
    });
}
