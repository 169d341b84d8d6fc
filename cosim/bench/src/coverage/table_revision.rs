// SPDX-License-Identifier: Apache-2.0
//! The coverage table, the options `pitch`, `csr_op` and `gpr_rs1`. See `table.rs`.

use super::group::Factor::{All, Of, Ops};
use super::group::{Group, Recipe, never, never_if};
use super::operation::*;
use super::rules::*;
use super::values::*;

/// Those of the pitches that are not 0 with which a part of a slice can be moved.
const PITCHES: &[Value] = &[P_1, P_DENSE, P_INSIDE, P_MORE, P_HIGH];

/// All groups.
pub const GROUPS: &[Group] = &[
    Group {
        name: "pitch",
        about: "the pitch of a load or store, and slots that are negative or overflow",
        given: &[DONE],
        cross: &[Ops(moves_slices), All(Axis::Pitch), All(Axis::Slot)],
        never: &[never(&[P_1, SLOT_HUGE], "a slot is a number of 32 bits")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "part",
        about: "slices that are moved in part",
        given: &[DONE],
        cross: &[Ops(moves_slices), Of(PITCHES), All(Axis::WidthCsr)],
        never: &[
            never(&[WIDTH_MORE], "it is illegal with a pitch"),
            never(&[P_INSIDE, WIDTH_0, WIDTH_EQUAL], "a whole slice is moved"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "illegal-pitch",
        about: "loads and stores whose slices are no whole bytes or too large, with a pitch and without",
        given: &[ILLEGAL],
        cross: &[Ops(moves_slices), Of(&[HALF_BYTE, SLICES_BIG]), All(Axis::Pitched)],
        never: &[never_if(&[HALF_BYTE], no_nibbles, "the configuration has no 4-bit elements")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "form",
        about: "both encodings of the operations with a host register",
        given: &[DONE],
        cross: &[Ops(has_two_forms), All(Axis::Form)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "csr-form",
        about: "both encodings of each CSR instruction",
        given: &[DONE],
        cross: &[All(Axis::CsrKind), All(Axis::CsrForm)],
        never: &[],
        recipe: Recipe::Csr,
    },
    Group {
        name: "csr-unit",
        about: "each CSR in the unit's encoding",
        given: &[DONE],
        cross: &[All(Axis::CsrName), Of(&[CSR_UNIT])],
        never: &[],
        recipe: Recipe::Csr,
    },
];
