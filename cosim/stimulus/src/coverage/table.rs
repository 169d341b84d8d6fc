// SPDX-License-Identifier: Apache-2.0
//! The coverage table, operations of TensorLoad: every group of bins, and every combination in it that cannot occur,
//! with the reason.
//!
//! A bin is hit by an instruction that retires with all its values, was compared with the model, and fulfils the
//! condition `given` of its group. What the values mean is said in `values.rs`, how they are found in `facts/`.
//! `table_control.rs` goes on with what is around the operations, `table_matrix.rs` with the matrix instruction set.

use super::group::Factor::{All, Of, Ops};
use super::group::{Group, never, never_if};
use super::operation::*;
use super::rules::*;
use super::values::*;

const SLICE_SIZES: &[Value] = &[BYTE, PART, WHOLE, MULTIPLE, UNEVEN];
const ACCESS_TRAPS: &[Value] = &[MISALIGNED, OUTSIDE, PORT];

pub const GROUPS: &[Group] = &[
    // ---- What an operation works on
    Group::new("type", "each operation completes with each element type")
        .given(&[DONE])
        .cross(&[All(Axis::Op), All(Axis::Type)])
        .never(&[never_if(&[FP4, FP8, FP16, FP32], integers_only, "it is illegal for a floating-point type")]),
    Group::new("format", "each floating-point format of each width is taken as a type")
        .given(&[DONE])
        .cross(&[All(Axis::Width), All(Axis::Format)]),
    Group::new("block", "operations on blocks of each shape").given(&[DONE]).cross(&[
        Ops(has_block),
        All(Axis::Width),
        All(Axis::Shape),
    ]),
    Group::new("slices", "loads and stores of 1 to 32 slices")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::Width), All(Axis::Slices)])
        .never(&[never_if(&[MOST], no_room_for_32, "32 elements of this width do not fit in a register")]),
    Group::new("slices-move", "concat and merge along a dimension of size 1 to 32")
        .given(&[DONE])
        .cross(&[Ops(chooses), All(Axis::Dim), All(Axis::Width), All(Axis::Slices)])
        .never(&[never_if(&[MOST], no_room_for_32, "32 elements of this width do not fit in a register")]),
    Group::new("slice-size", "slices of loads and stores against the word of the memory port")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::Width), Of(SLICE_SIZES)])
        .never(&[
            never(&[E16, E32, BYTE], "a slice is a whole number of elements"),
            never_if(&[PART, UNEVEN], port_is_element, "the word of the port is one element"),
        ]),
    Group::new("run-size", "runs of elements that concat and merge move against a row of the register file")
        .given(&[DONE])
        .cross(&[Ops(chooses), All(Axis::Dim), All(Axis::Width), Of(&[NIBBLES, PART, WHOLE, MULTIPLE, UNEVEN])])
        .never(&[
            never(&[D2, WHOLE, MULTIPLE, UNEVEN], "along dimension 2 a run is one element"),
            never(&[D2, E4, PART], "along dimension 2 a run is one element, and that is half a byte"),
            never(&[NIBBLES, E8, E16, E32], "elements are whole bytes"),
            never_if(&[D1, MULTIPLE], two_rows_exceed_255, "dimension 2 is at most 255, less than two rows"),
        ]),
    Group::new("outer", "slices of concat and merge that come again for each outer index, and their size")
        .given(&[DONE, D1])
        .cross(&[Ops(chooses), All(Axis::Outer), Of(&[PART, WHOLE, MULTIPLE, UNEVEN]), Of(&[M_NONE, M_ONE, M_ALL])])
        .never(&[never_if(&[OUTER_MORE, MULTIPLE, UNEVEN], no_room_again, "they do not fit in a register")]),
    Group::new("end", "where the result of concat and merge ends")
        .given(&[DONE])
        .cross(&[Ops(chooses), All(Axis::Width), All(Axis::End)])
        .never(&[never(&[END_NIBBLE, E8, E16, E32], "elements are whole bytes")]),
    Group::new("end-slices", "where the slices of loads and stores end in the register")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), Of(&[END_FULL, END_ROW, END_INSIDE])]),
    // ---- Masks
    Group::new("mask", "masks of loads and stores").given(&[DONE]).cross(&[
        Ops(masks_slices),
        All(Axis::Width),
        All(Axis::Mask),
    ]),
    Group::new("mask-move", "the (first) mask of concat and merge").given(&[DONE]).cross(&[
        Ops(chooses),
        All(Axis::Dim),
        All(Axis::Mask),
    ]),
    Group::new("mask-2", "the second mask of concat").given(&[DONE]).cross(&[
        Ops(has_two_masks),
        All(Axis::Dim),
        All(Axis::Mask2),
    ]),
    Group::new("masks", "both masks of concat")
        .given(&[DONE])
        .cross(&[Ops(has_two_masks), All(Axis::Mask), All(Axis::Mask2)])
        .never(&[
            never(&[M_ALL, N_ALL, N_ONE, N_PREFIX, N_RUN, N_HOLES], "one more slice than the dimension has is illegal"),
            never(&[N_ALL, M_ONE, M_PREFIX, M_RUN, M_HOLES], "one more slice than the dimension has is illegal"),
        ]),
    Group::new("mask-sum", "how much of the dimension concat fills").given(&[DONE]).cross(&[
        Ops(has_two_masks),
        All(Axis::Dim),
        All(Axis::Sum),
    ]),
    Group::new("mask-high", "bits of the mask beyond the dimension")
        .given(&[DONE])
        .cross(&[Ops(has_mask), All(Axis::High)]),
    Group::new("spared", "slices that are not selected do not trap")
        .given(&[DONE])
        .cross(&[Ops(masks_slices), All(Axis::Spared)]),
    // ---- Registers
    Group::new("alias", "one register as several operands of concat and merge").given(&[DONE, NO_ZERO]).cross(&[
        Ops(chooses),
        All(Axis::Dim),
        All(Axis::Alias),
    ]),
    Group::new("alias-addi", "sums in place, and not").given(&[DONE, NO_ZERO]).cross(&[
        Ops(adds),
        All(Axis::Width),
        Of(&[DISTINCT, D_IS_S1]),
    ]),
    Group::new("tl0", "tl0 as each operand")
        .given(&[DONE])
        .cross(&[All(Axis::Op), All(Axis::Zero)])
        .never(&[never_if(&[], no_such_register, "it has no such registers, or not in one register")]),
    Group::new("tl0-traps", "loads into tl0 and stores from it trap like others")
        .given(ACCESS_TRAPS)
        .cross(&[Ops(moves_slices), Of(&[NO_ZERO, ZERO_D, ZERO_S1]), Of(ACCESS_TRAPS)])
        .never(&[
            never_if(&[], no_such_register, "it has no such register"),
            never_if(&[MISALIGNED], only_narrow, "the configuration has no elements of more than a byte"),
        ]),
    // ---- Addresses
    Group::new("width-csr", "the width CSR of the direction against the block")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::WidthCsr)]),
    Group::new("order", "how the selected slices lie in memory, and the size of a slice against the word of the port")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::Order), Of(SLICE_SIZES)])
        .never(&[never_if(&[], no_room_in_order, "no slices of this size fit in a register and so in the memory")]),
    Group::new("offset", "the first address within a word of the port")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::Width), All(Axis::Offset)])
        .never(&[
            never_if(&[AT_LOW, AT_HIGH], half_word_is_element, "no multiple of the element is there: a word has two"),
            never_if(&[AT_LOW, AT_HALF, AT_HIGH], port_is_element, "the word of the port is one element"),
        ]),
    Group::new("slot", "slots that are negative or overflow, with slices in three orders").given(&[DONE]).cross(&[
        Ops(moves_slices),
        All(Axis::Slot),
        Of(&[O_SINGLE, O_ADJACENT, O_BACKWARD]),
    ]),
    Group::new("reach", "accesses with a negative immediate that could leave the memory at either end, and do or not")
        .cross(&[Ops(moves_slices), All(Axis::Reach), Of(&[DONE, OUTSIDE])])
        .never(&[never(&[REACH_IN, OUTSIDE], "no slice is outside when both ends are inside")]),
    Group::new("strides-read", "stores outside the memory, behind reads of strides and no write")
        .given(&[OUTSIDE])
        .cross(&[Ops(stores), All(Axis::StridesRead)]),
    Group::new("place", "accesses at both ends of the memory")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::Place)]),
    // ---- Traps
    Group::new("trap", "each trap of loads and stores with each element width")
        .given(ACCESS_TRAPS)
        .cross(&[Ops(moves_slices), All(Axis::Width), Of(ACCESS_TRAPS)])
        .never(&[never(&[MISALIGNED, E4, E8], "elements of up to 8 bits are aligned everywhere")]),
    Group::new("trap-slice", "the slice that traps")
        .given(ACCESS_TRAPS)
        .cross(&[Ops(moves_slices), Of(ACCESS_TRAPS), All(Axis::Pos)])
        .never(&[
            never_if(
                &[MISALIGNED, POS_MIDDLE, POS_LAST],
                no_pitch,
                "slices are a whole number of elements apart: if one is misaligned, the first is",
            ),
            never_if(&[MISALIGNED], only_narrow, "the configuration has no elements of more than a byte"),
        ]),
    Group::new("outside", "how the slice that traps is outside the memory")
        .given(&[OUTSIDE])
        .cross(&[Ops(moves_slices), All(Axis::Beyond)]),
    Group::new("misaligned-outside", "a slice that is misaligned and outside: misaligned comes first")
        .given(&[MISALIGNED])
        .cross(&[Ops(moves_slices), All(Axis::Beyond)])
        .never(&[never_if(&[], only_narrow, "the configuration has no elements of more than a byte")]),
    Group::new("illegal-access", "loads and stores that are illegal for one reason alone")
        .given(&[ILLEGAL])
        .cross(&[
            Ops(moves_slices),
            Of(&[
                NO_TYPE,
                TWO_TYPES,
                OTHER_WIDTH,
                ZERO_SIZE,
                BLOCK_BIG,
                DIM_BIG,
                MASK_1,
                HALF_BYTE,
                SLICES_BIG,
                OTHER_NEED,
            ]),
        ])
        .never(&[
            never_if(&[], not_a_reason, "it does not need that"),
            never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width"),
            never_if(&[HALF_BYTE], no_nibbles, "the configuration has no 4-bit elements"),
        ]),
    Group::new("illegal-addi", "tl.addi that is illegal")
        .given(&[ILLEGAL])
        .cross(&[Ops(adds), Of(&[NO_TYPE, TWO_TYPES, OTHER_WIDTH, NOT_INTEGER, OTHER_NEED])])
        .never(&[
            never_if(&[], not_a_reason, "it does not need that"),
            never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width"),
        ]),
    Group::new("illegal-move", "concat and merge that are illegal for one reason alone")
        .given(&[ILLEGAL])
        .cross(&[
            Ops(chooses),
            All(Axis::Dim),
            Of(&[NO_TYPE, TWO_TYPES, OTHER_WIDTH, ZERO_SIZE, BLOCK_BIG, DIM_BIG, MASK_1, MASK_2, TOO_MANY, OTHER_NEED]),
        ])
        .never(&[
            never_if(&[], not_a_reason, "it does not need that"),
            never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width"),
        ]),
    Group::new("illegal-xpose", "tl.xpose that is illegal for one reason alone")
        .given(&[ILLEGAL])
        .cross(&[
            Ops(exchanges),
            Of(&[NO_TYPE, TWO_TYPES, OTHER_WIDTH, SAME_REGISTER, SIZE_0, ODD_D0, PRODUCT, OTHER_NEED]),
        ])
        .never(&[
            never_if(&[], not_a_reason, "it does not need that"),
            never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width"),
        ]),
    // ---- Saturation
    Group::new("saturation", "which elements saturate, at which end, for each width and sign of the immediate")
        .given(&[DONE])
        .cross(&[Ops(adds), All(Axis::Width), All(Axis::Imm), All(Axis::Clamp)])
        .never(&[
            never_if(&[], goes_both_ways, "the immediate is the same for all elements: it goes towards one end"),
            never_if(&[C_LOW, C_LOW_ALL], adds_no_less, "what is added is not negative"),
            never_if(&[C_HIGH, C_HIGH_ALL], adds_no_more, "what is added is not positive"),
            never_if(&[E4, C_NONE, C_LOW, C_HIGH], adds_16, "all elements of 4 bits saturate"),
        ]),
    Group::new("saturation-edge", "sums that reach the end of the range, or miss it by one, for each width")
        .given(&[DONE])
        .cross(&[
            Ops(adds),
            All(Axis::Width),
            Of(&[IMM_MIN, IMM_MINUS, IMM_M1, IMM_1, IMM_PLUS, IMM_MAX]),
            All(Axis::Edge),
        ])
        .never(&[
            never_if(&[UNDER, EDGE_0], adds_no_less, "what is added goes towards the top"),
            never_if(&[OVER, EDGE_TOP], adds_no_more, "what is added goes towards 0"),
            never_if(&[E4], adds_16, "the sum is far beyond an element of 4 bits"),
        ]),
    // ---- Transposition
    Group::new("xpose", "every encoding of the two dimensions with each width").given(&[DONE]).cross(&[
        Ops(exchanges),
        All(Axis::Width),
        All(Axis::Pq),
    ]),
    Group::new("xpose-bits", "class of the exchange, and how many bits of the address go from row to lane")
        .given(&[DONE])
        .cross(&[Ops(exchanges), All(Axis::Width), All(Axis::Exchange), All(Axis::Crossing)])
        .never(&[never_if(&[], no_such_exchange, "no sizes and dimensions do that (all were tried)")]),
    Group::new("xpose-sizes", "extreme sizes of the tensor")
        .given(&[DONE])
        .cross(&[Ops(exchanges), All(Axis::Width), All(Axis::Sizes)])
        .never(&[never_if(&[], no_such_exchange, "no sizes and dimensions do that (all were tried)")]),
];
