// SPDX-License-Identifier: Apache-2.0
//! Why an operation is illegal, when there is one reason alone.

use golden::decode::{Need, Tensor};
use golden::{Csr, Machine};

use super::Facts;
use crate::coverage::values::*;
use crate::unit::target::Target;

pub(super) fn facts(facts: &mut Facts, target: &Target, model: &Machine, tensor: Tensor) {
    if let Some(d) = tensor.operands().named("d") {
        facts.set(Value { axis: Axis::Dim, index: d as u8 });
    }
    if let Some(transfer) = tensor.transfer().filter(|_| target.golden.pitch) {
        facts.set(if model.csr.read(transfer.direction.pitch()) == 0 { ILLEGAL_DENSE } else { ILLEGAL_PITCHED });
    }
    let mut unmet = tensor.unmet(model);
    if let (Some(need), None) = (unmet.next(), unmet.next()) {
        facts.set(reason(need, type_reason(model)));
    }
}

/// The reason of a need that does not hold; `of_type` is that of an illegal type.
#[allow(clippy::wildcard_enum_match_arm)] // A new need has a bin until it gets one of its own.
fn reason(need: Need, of_type: Value) -> Value {
    match need {
        Need::Type => of_type,
        Need::Integer => NOT_INTEGER,
        Need::Sizes => ZERO_SIZE,
        Need::BlockFits => BLOCK_BIG,
        Need::Slices => DIM_BIG,
        Need::Mask(Csr::TmaskConcat2) => MASK_2,
        Need::Mask(_) => MASK_1,
        Need::WholeBytes(_) => HALF_BYTE,
        Need::SlicesFit(_) => SLICES_BIG,
        Need::SelectionFits => TOO_MANY,
        Need::TwoRegisters => SAME_REGISTER,
        Need::TensorSizes => SIZE_0,
        Need::EvenD0 => ODD_D0,
        Need::FillsTwo => PRODUCT,
        #[allow(unreachable_patterns)]
        _ => OTHER_NEED,
    }
}

/// Whether an operation can be illegal for this reason.
pub fn can_be_illegal(tensor: Tensor, why: Value) -> bool {
    let types = [NO_TYPE, TWO_TYPES, OTHER_WIDTH];
    tensor.needs().iter().any(|&need| types.iter().any(|&of_type| reason(need, of_type) == why))
}

/// What is wrong with an illegal type.
fn type_reason(model: &Machine) -> Value {
    let ttype = model.csr.read(Csr::Ttype);
    let fields = [0x001, 0x002, 0x004, 0x008, 0x030, 0x0c0, 0x300, 0xc00].iter().filter(|&field| ttype & field != 0);
    match fields.count() {
        0 => NO_TYPE,
        1 => OTHER_WIDTH,
        _ => TWO_TYPES,
    }
}
