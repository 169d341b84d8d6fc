// SPDX-License-Identifier: Apache-2.0
//! The coverage table, operations of TensorLoad: every group of bins, and every combination in it that cannot occur, with the reason.
//!
//! A bin is hit by an instruction that retires with all its values, was compared with the model, and fulfils the
//! condition `given` of its group. What the values mean is said in `values.rs`, how they are found in `facts/`.
//! `table_control.rs` goes on with what is around the operations, `table_matrix.rs` with the matrix instruction set.

use super::group::Factor::{All, Of};
use super::group::{Group, Recipe, never, never_if};
use super::rules::*;
use super::values::*;

const MEMORY: &[Value] = &[LOAD, MLOAD, STORE, MSTORE];
const SLICE_SIZES: &[Value] = &[BYTE, PART, WHOLE, MULTIPLE, UNEVEN];
const ACCESS_TRAPS: &[Value] = &[MISALIGNED, OUTSIDE, PORT];

/// All groups.
pub const GROUPS: &[Group] = &[
    // ---- What an operation works on
    Group {
        name: "type",
        about: "each operation completes with each element type",
        given: &[DONE],
        cross: &[All(Axis::Op), All(Axis::Type)],
        never: &[never(&[ADDI, FP4, FP8, FP16, FP32], "tl.addi is illegal for a floating-point type")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "format",
        about: "each floating-point format of each width is taken as a type",
        given: &[DONE],
        cross: &[All(Axis::Width), All(Axis::Format)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "block",
        about: "operations on blocks of each shape",
        given: &[DONE],
        cross: &[Of(&[LOAD, MLOAD, STORE, MSTORE, CONCAT, MERGE]), All(Axis::Width), All(Axis::Shape)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "slices",
        about: "loads and stores of 1 to 32 slices",
        given: &[DONE],
        cross: &[Of(MEMORY), All(Axis::Width), All(Axis::Slices)],
        never: &[never_if(&[MOST], no_room_for_32, "32 elements of this width do not fit in a register")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "slices-move",
        about: "concat and merge along a dimension of size 1 to 32",
        given: &[DONE],
        cross: &[Of(&[CONCAT, MERGE]), All(Axis::Dim), All(Axis::Width), All(Axis::Slices)],
        never: &[never_if(&[MOST], no_room_for_32, "32 elements of this width do not fit in a register")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "slice-size",
        about: "slices of loads and stores against the word of the memory port",
        given: &[DONE],
        cross: &[Of(MEMORY), All(Axis::Width), Of(SLICE_SIZES)],
        never: &[
            never(&[E16, E32, BYTE], "a slice is a whole number of elements"),
            never_if(&[PART, UNEVEN], port_is_element, "the word of the port is one element"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "run-size",
        about: "runs of elements that concat and merge move against a row of the register file",
        given: &[DONE],
        cross: &[Of(&[CONCAT, MERGE]), All(Axis::Dim), All(Axis::Width), Of(&[NIBBLES, PART, WHOLE, MULTIPLE, UNEVEN])],
        never: &[
            never(&[D2, WHOLE, MULTIPLE, UNEVEN], "along dimension 2 a run is one element"),
            never(&[D2, E4, PART], "along dimension 2 a run is one element, and that is half a byte"),
            never(&[NIBBLES, E8, E16, E32], "elements are whole bytes"),
            never_if(&[D1, MULTIPLE], two_rows_exceed_255, "dimension 2 is at most 255, less than two rows"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "outer",
        about: "slices of concat and merge that come again for each outer index, and their size",
        given: &[DONE, D1],
        cross: &[
            Of(&[CONCAT, MERGE]),
            All(Axis::Outer),
            Of(&[PART, WHOLE, MULTIPLE, UNEVEN]),
            Of(&[M_NONE, M_ONE, M_ALL]),
        ],
        never: &[never_if(&[OUTER_MORE, MULTIPLE, UNEVEN], no_room_again, "they do not fit in a register")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "end",
        about: "where the result of concat and merge ends",
        given: &[DONE],
        cross: &[Of(&[CONCAT, MERGE]), All(Axis::Width), All(Axis::End)],
        never: &[never(&[END_NIBBLE, E8, E16, E32], "elements are whole bytes")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "end-slices",
        about: "where the slices of loads and stores end in the register",
        given: &[DONE],
        cross: &[Of(MEMORY), Of(&[END_FULL, END_ROW, END_INSIDE])],
        never: &[],
        recipe: Recipe::Operation,
    },
    // ---- Masks
    Group {
        name: "mask",
        about: "masks of loads and stores",
        given: &[DONE],
        cross: &[Of(&[MLOAD, MSTORE]), All(Axis::Width), All(Axis::Mask)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "mask-move",
        about: "the (first) mask of concat and merge",
        given: &[DONE],
        cross: &[Of(&[CONCAT, MERGE]), All(Axis::Dim), All(Axis::Mask)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "mask-2",
        about: "the second mask of concat",
        given: &[DONE, CONCAT],
        cross: &[All(Axis::Dim), All(Axis::Mask2)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "masks",
        about: "both masks of concat",
        given: &[DONE, CONCAT],
        cross: &[All(Axis::Mask), All(Axis::Mask2)],
        never: &[
            never(&[M_ALL, N_ALL, N_ONE, N_PREFIX, N_RUN, N_HOLES], "one more slice than the dimension has is illegal"),
            never(&[N_ALL, M_ONE, M_PREFIX, M_RUN, M_HOLES], "one more slice than the dimension has is illegal"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "mask-sum",
        about: "how much of the dimension concat fills",
        given: &[DONE, CONCAT],
        cross: &[All(Axis::Dim), All(Axis::Sum)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "mask-high",
        about: "bits of the mask beyond the dimension",
        given: &[DONE],
        cross: &[Of(&[MLOAD, MSTORE, CONCAT, MERGE]), All(Axis::High)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "spared",
        about: "slices that are not selected do not trap",
        given: &[DONE],
        cross: &[Of(&[MLOAD, MSTORE]), All(Axis::Spared)],
        never: &[],
        recipe: Recipe::Operation,
    },
    // ---- Registers
    Group {
        name: "alias",
        about: "one register as several operands of concat and merge",
        given: &[DONE, NO_ZERO],
        cross: &[Of(&[CONCAT, MERGE]), All(Axis::Dim), All(Axis::Alias)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "alias-addi",
        about: "tl.addi in place, and not",
        given: &[DONE, NO_ZERO, ADDI],
        cross: &[All(Axis::Width), Of(&[DISTINCT, D_IS_S1])],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "tl0",
        about: "tl0 as each operand",
        given: &[DONE],
        cross: &[All(Axis::Op), All(Axis::Zero)],
        never: &[
            never(&[LOAD, MLOAD, ZERO_S1, ZERO_S2, ZEROS], "a load has no source register"),
            never(&[STORE, MSTORE, ZERO_D, ZERO_S2, ZEROS], "a store has one register, a source"),
            never(&[ADDI, ZERO_S2], "tl.addi has one source"),
            never(&[XPOSE, ZERO_D], "the registers of tl.xpose are sources and results; they count as sources"),
            never(&[XPOSE, ZEROS], "tl.xpose of one register with itself is illegal"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "tl0-traps",
        about: "loads into tl0 and stores from it trap like others",
        given: ACCESS_TRAPS,
        cross: &[Of(MEMORY), Of(&[NO_ZERO, ZERO_D, ZERO_S1]), Of(ACCESS_TRAPS)],
        never: &[
            never(&[LOAD, MLOAD, ZERO_S1], "a load has no source register"),
            never(&[STORE, MSTORE, ZERO_D], "a store has no result register"),
            never_if(&[MISALIGNED], only_narrow, "the configuration has no elements of more than a byte"),
        ],
        recipe: Recipe::Operation,
    },
    // ---- Addresses
    Group {
        name: "width-csr",
        about: "the width CSR of the direction against the block",
        given: &[DONE],
        cross: &[Of(MEMORY), All(Axis::WidthCsr)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "order",
        about: "how the selected slices lie in memory, and the size of a slice against the word of the port",
        given: &[DONE],
        cross: &[Of(MEMORY), All(Axis::Order), Of(SLICE_SIZES)],
        never: &[
            never_if(&[BYTE], only_wide, "the configuration has no elements of a byte or less"),
            never_if(&[PART, UNEVEN], port_is_narrowest, "the word of the port is the narrowest element"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "offset",
        about: "the first address within a word of the port",
        given: &[DONE],
        cross: &[Of(MEMORY), All(Axis::Width), All(Axis::Offset)],
        never: &[
            never_if(&[AT_LOW, AT_HIGH], half_word_is_element, "no multiple of the element is there: a word has two"),
            never_if(&[AT_LOW, AT_HALF, AT_HIGH], port_is_element, "the word of the port is one element"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "slot",
        about: "slots that are negative or overflow, with slices in three orders",
        given: &[DONE],
        cross: &[Of(MEMORY), All(Axis::Slot), Of(&[O_SINGLE, O_ADJACENT, O_BACKWARD])],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "reach",
        about: "accesses with a negative immediate that could leave the memory at either end, and do or not",
        given: &[],
        cross: &[Of(MEMORY), All(Axis::Reach), Of(&[DONE, OUTSIDE])],
        never: &[never(&[REACH_IN, OUTSIDE], "no slice is outside when both ends are inside")],
        recipe: Recipe::Pressure,
    },
    Group {
        name: "strides-read",
        about: "stores outside the memory, behind reads of strides and no write",
        given: &[OUTSIDE],
        cross: &[Of(&[STORE, MSTORE]), All(Axis::StridesRead)],
        never: &[],
        recipe: Recipe::Pressure,
    },
    Group {
        name: "place",
        about: "accesses at both ends of the memory",
        given: &[DONE],
        cross: &[Of(MEMORY), All(Axis::Place)],
        never: &[],
        recipe: Recipe::Operation,
    },
    // ---- Traps
    Group {
        name: "trap",
        about: "each trap of loads and stores with each element width",
        given: ACCESS_TRAPS,
        cross: &[Of(MEMORY), All(Axis::Width), Of(ACCESS_TRAPS)],
        never: &[never(&[MISALIGNED, E4, E8], "elements of up to 8 bits are aligned everywhere")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "trap-slice",
        about: "the slice that traps",
        given: ACCESS_TRAPS,
        cross: &[Of(MEMORY), Of(ACCESS_TRAPS), All(Axis::Pos)],
        never: &[
            never(
                &[MISALIGNED, POS_MIDDLE, POS_LAST],
                "slices are a whole number of elements apart: if one is misaligned, the first is",
            ),
            never_if(&[MISALIGNED], only_narrow, "the configuration has no elements of more than a byte"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "outside",
        about: "how the slice that traps is outside the memory",
        given: &[OUTSIDE],
        cross: &[Of(MEMORY), All(Axis::Beyond)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "misaligned-outside",
        about: "a slice that is misaligned and outside: misaligned comes first",
        given: &[MISALIGNED],
        cross: &[Of(MEMORY), All(Axis::Beyond)],
        never: &[never_if(&[], only_narrow, "the configuration has no elements of more than a byte")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "illegal-access",
        about: "loads and stores that are illegal for one reason alone",
        given: &[ILLEGAL],
        cross: &[
            Of(MEMORY),
            Of(&[NO_TYPE, TWO_TYPES, OTHER_WIDTH, ZERO_SIZE, BLOCK_BIG, DIM_BIG, MASK_1, HALF_BYTE, SLICES_BIG]),
        ],
        never: &[
            never(&[LOAD, STORE, MASK_1], "they do not use the mask"),
            never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width"),
            never_if(&[HALF_BYTE], no_nibbles, "the configuration has no 4-bit elements"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "illegal-addi",
        about: "tl.addi that is illegal",
        given: &[ILLEGAL, ADDI],
        cross: &[Of(&[NO_TYPE, TWO_TYPES, OTHER_WIDTH, NOT_INTEGER])],
        never: &[never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "illegal-move",
        about: "concat and merge that are illegal for one reason alone",
        given: &[ILLEGAL],
        cross: &[
            Of(&[CONCAT, MERGE]),
            All(Axis::Dim),
            Of(&[NO_TYPE, TWO_TYPES, OTHER_WIDTH, ZERO_SIZE, BLOCK_BIG, DIM_BIG, MASK_1, MASK_2, TOO_MANY]),
        ],
        never: &[
            never(&[MERGE, MASK_2], "tl.merge does not use the second mask"),
            never(&[MERGE, TOO_MANY], "tl.merge always has as many slices as the dimension"),
            never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "illegal-xpose",
        about: "tl.xpose that is illegal for one reason alone",
        given: &[ILLEGAL, XPOSE],
        cross: &[Of(&[NO_TYPE, TWO_TYPES, OTHER_WIDTH, SAME_REGISTER, SIZE_0, ODD_D0, PRODUCT])],
        never: &[never_if(&[OTHER_WIDTH], all_widths, "the configuration has every width")],
        recipe: Recipe::Operation,
    },
    // ---- Saturation
    Group {
        name: "saturation",
        about: "which elements saturate, at which end, for each width and sign of the immediate",
        given: &[DONE, ADDI],
        cross: &[All(Axis::Width), All(Axis::Imm), All(Axis::Clamp)],
        never: &[
            never(&[C_BOTH], "the immediate is the same for all elements: it goes towards one end"),
            never(&[IMM_0, C_LOW, C_LOW_ALL, C_HIGH, C_HIGH_ALL], "adding 0 changes nothing"),
            never(&[IMM_MIN, IMM_MINUS, IMM_M1, C_HIGH, C_HIGH_ALL], "a negative immediate goes towards 0"),
            never(&[IMM_1, IMM_PLUS, IMM_MAX, C_LOW, C_LOW_ALL], "a positive immediate goes towards the top"),
            never(&[E4, IMM_MIN, C_NONE, C_LOW], "a 4-bit element is less than 128: all saturate"),
            never(&[E4, IMM_MAX, C_NONE, C_HIGH], "127 is more than the largest 4-bit element: all saturate"),
        ],
        recipe: Recipe::Operation,
    },
    Group {
        name: "saturation-edge",
        about: "sums of tl.addi that reach the end of the range, or miss it by one, for each width",
        given: &[DONE, ADDI],
        cross: &[All(Axis::Width), Of(&[IMM_MIN, IMM_MINUS, IMM_M1, IMM_1, IMM_PLUS, IMM_MAX]), All(Axis::Edge)],
        never: &[
            never(&[IMM_MIN, IMM_MINUS, IMM_M1, OVER, EDGE_TOP], "a negative immediate goes towards 0"),
            never(&[IMM_1, IMM_PLUS, IMM_MAX, UNDER, EDGE_0], "a positive immediate goes towards the top"),
            never(&[E4, IMM_MIN], "a 4-bit element is less than 127: the sum is far below 0"),
            never(&[E4, IMM_MAX], "the sum is far above the largest 4-bit element"),
        ],
        recipe: Recipe::Operation,
    },
    // ---- Transposition
    Group {
        name: "xpose",
        about: "every encoding of the two dimensions with each width",
        given: &[DONE, XPOSE],
        cross: &[All(Axis::Width), All(Axis::Pq)],
        never: &[],
        recipe: Recipe::Operation,
    },
    Group {
        name: "xpose-bits",
        about: "class of the exchange, and how many bits of the address go from row to lane",
        given: &[DONE, XPOSE],
        cross: &[All(Axis::Width), All(Axis::Exchange), All(Axis::Crossing)],
        never: &[never_if(&[], no_such_exchange, "no sizes and dimensions do that (all were tried)")],
        recipe: Recipe::Operation,
    },
    Group {
        name: "xpose-sizes",
        about: "extreme sizes of the tensor",
        given: &[DONE, XPOSE],
        cross: &[All(Axis::Width), All(Axis::Sizes)],
        never: &[never_if(&[], no_such_exchange, "no sizes and dimensions do that (all were tried)")],
        recipe: Recipe::Operation,
    },
];
