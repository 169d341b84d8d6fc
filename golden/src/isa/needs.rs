// SPDX-License-Identifier: Apache-2.0
//! What a TensorLoad instruction needs of the state to be legal (docs/isa.md, "illegal" in each operation). A row of
//! the table lists them, and an instruction is illegal when one of them does not hold.

use super::operands::Direction;
use super::row::{Dimension, Row, Values};
use crate::csr::Csr;
use crate::machine::Machine;

/// A condition for an instruction to be legal. One that depends on the element type holds while the type is illegal, so
/// that [`Need::Type`] alone is the reason then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// `ttype` is a legal element type.
    Type,
    /// It is an integer type.
    Integer,
    /// No size in `tshape` is 0.
    Sizes,
    /// The block fits in a register.
    BlockFits,
    /// The dimension that slices count in is 32 at most, the bits of a mask.
    Slices,
    /// The mask is initialised.
    Mask(Csr),
    /// A slice, and with a pitch the part of it that is moved, is whole bytes.
    WholeBytes(Direction),
    /// All slices together fit in a register. With a pitch, the part that is moved is no longer than its slice.
    SlicesFit(Direction),
    /// Both masks of `tl.concat` together select no more slices than the dimension has.
    SelectionFits,
    /// The two registers differ.
    TwoRegisters,
    /// No size of the tensor in x[rs] is 0.
    TensorSizes,
    /// D0 of that tensor is even.
    EvenD0,
    /// That tensor fills two registers exactly.
    FillsTwo,
}

/// What decides whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decider {
    /// The CSR of that name.
    Csr(Csr),
    /// The value of the host register that the instruction names.
    HostRegister,
    /// Which TLRegs and dimensions the instruction names.
    Operands,
}

impl Need {
    /// What decides about it, beside the element type and what decides about the needs in front of it in a row. Who
    /// wants it to hold, or not to, changes one of these.
    pub fn deciders(self) -> impl Iterator<Item = Decider> {
        let (first, second) = match self {
            Self::Type | Self::Integer => (Decider::Csr(Csr::Ttype), None),
            Self::Sizes | Self::BlockFits | Self::Slices => (Decider::Csr(Csr::Tshape), None),
            Self::Mask(mask) => (Decider::Csr(mask), Some(Decider::Csr(Csr::TmaskInit))),
            Self::WholeBytes(direction) | Self::SlicesFit(direction) => {
                (Decider::Csr(direction.csrs().0), Some(Decider::Csr(direction.pitch())))
            }
            Self::SelectionFits => (Decider::Csr(Csr::TmaskConcat1), Some(Decider::Csr(Csr::TmaskConcat2))),
            Self::TwoRegisters => (Decider::Operands, None),
            Self::TensorSizes | Self::EvenD0 | Self::FillsTwo => (Decider::HostRegister, None),
        };
        [Some(first), second].into_iter().flatten()
    }

    /// Whether it holds for the instruction with these values of its row.
    pub(super) fn holds(self, m: &Machine, row: &Row, values: Values) -> bool {
        let element = m.element_type();
        let bits = element.map(|element| u64::from(element.bits));
        let reg_bytes = m.tl.reg_bytes() as u64;
        let [_, sizes @ ..] = m.csr.read(Csr::Tshape).to_be_bytes().map(u64::from);
        let d = if matches!(row.dimensions, [Dimension::D]) { usize::from(values[0]).min(2) } else { 0 };
        let tensor = m.x(values[4]).to_le_bytes().map(u64::from);
        match self {
            Self::Type => element.is_some(),
            Self::Integer => element.is_none_or(|element| element.integer),
            Self::Sizes => !sizes.contains(&0),
            Self::BlockFits => bits.is_none_or(|bits| sizes.iter().product::<u64>() * bits <= 8 * reg_bytes),
            Self::Slices => sizes[d] <= 32,
            Self::Mask(mask) => m.csr.mask(mask).is_some_and(|mask| mask.initialised),
            Self::WholeBytes(direction) => {
                let whole = if m.csr.read(direction.pitch()) == 0 { 0 } else { whole_width(m) };
                bits.is_none_or(|bits| [whole, width(m, direction)].iter().all(|w| (w * bits).is_multiple_of(8)))
            }
            Self::SlicesFit(direction) if m.csr.read(direction.pitch()) != 0 => width(m, direction) <= whole_width(m),
            Self::SlicesFit(direction) => {
                // A part of a byte does not count: such slices are illegal anyway.
                bits.is_none_or(|bits| sizes[0] * (width(m, direction) * bits / 8) <= reg_bytes)
            }
            Self::SelectionFits => {
                let slices = sizes[d].min(32);
                let selected = |mask| (u64::from(m.csr.read(mask)) & ((1 << slices) - 1)).count_ones();
                u64::from(selected(Csr::TmaskConcat1) + selected(Csr::TmaskConcat2)) <= slices
            }
            Self::TwoRegisters => values[2] != values[3],
            Self::TensorSizes => !tensor.contains(&0),
            Self::EvenD0 => tensor[0].is_multiple_of(2),
            Self::FillsTwo => {
                let elements = tensor.iter().product::<u64>();
                elements == 0 || bits.is_none_or(|bits| elements * bits == 16 * reg_bytes)
            }
        }
    }
}

/// Elements that are moved of a slice: 0 in the width CSR stands for D1 * D2.
pub(super) fn width(m: &Machine, direction: Direction) -> u64 {
    match m.csr.read(direction.csrs().0) {
        0 => whole_width(m),
        width => width.into(),
    }
}

/// Elements in a slice of the block, D1 * D2.
pub(super) fn whole_width(m: &Machine) -> u64 {
    let [_, _, d1, d2] = m.csr.read(Csr::Tshape).to_be_bytes().map(u64::from);
    d1 * d2
}
