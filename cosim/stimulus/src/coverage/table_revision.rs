// SPDX-License-Identifier: Apache-2.0
//! The coverage table, the options `pitch`, `csr_op`, `gpr_rs1` and `xlen`. See `table.rs`.

use super::group::Factor::{All, Of, Ops};
use super::group::{Group, never, never_if};
use super::operation::*;
use super::rules::*;
use super::values::*;

/// Those of the pitches that are not 0 with which a part of a slice can be moved.
const PITCHES: &[Value] = &[P_1, P_DENSE, P_INSIDE, P_MORE, P_HIGH];

pub const GROUPS: &[Group] = &[
    Group::new("pitch", "the pitch of a load or store, and slots that are negative or overflow")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::Pitch), All(Axis::Slot)])
        .never(&[never(&[P_1, SLOT_HUGE], "a slot is a number of 32 bits")]),
    Group::new("part", "slices that are moved in part")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), Of(PITCHES), All(Axis::WidthCsr)])
        .never(&[
            never(&[WIDTH_MORE], "it is illegal with a pitch"),
            never(&[P_INSIDE, WIDTH_0, WIDTH_EQUAL], "a whole slice is moved"),
        ]),
    Group::new(
        "illegal-pitch",
        "loads and stores whose slices are no whole bytes or too large, with a pitch and without",
    )
    .given(&[ILLEGAL])
    .cross(&[Ops(moves_slices), Of(&[HALF_BYTE, SLICES_BIG]), All(Axis::Pitched)])
    .never(&[never_if(&[HALF_BYTE], no_nibbles, "the configuration has no 4-bit elements")]),
    Group::new("upper", "addresses of a host with 64 bits, inside the memory and not")
        .given(&[])
        .cross(&[Ops(moves_slices), All(Axis::Upper), Of(&[DONE, OUTSIDE])])
        .never(&[never(&[UPPER_OTHER, DONE], "what is added has 32 bits")]),
    Group::new("upper-matrix", "such addresses of matrix loads and stores, outside the memory")
        .given(&[OUTSIDE])
        .cross(&[Of(&[MX_LOAD, MX_STORE]), All(Axis::Upper)]),
    Group::new("form", "both encodings of the operations with a host register")
        .given(&[DONE])
        .cross(&[Ops(has_two_forms), All(Axis::Form)]),
    Group::new("csr-form", "both encodings of each CSR instruction")
        .given(&[DONE])
        .cross(&[All(Axis::CsrKind), All(Axis::CsrForm)]),
    Group::new("csr-unit", "each CSR in the unit's encoding")
        .given(&[DONE])
        .cross(&[All(Axis::CsrName), Of(&[CSR_UNIT])]),
];
