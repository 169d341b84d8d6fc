// SPDX-License-Identifier: Apache-2.0
//! The coverage table, matrix instruction set. What matrix and other instructions have in common (order, hazards, CSRs)
//! is in `table.rs`.

use super::group::Factor::{All, Of};
use super::group::{Group, Recipe, never, never_if};
use super::rules::*;
use super::values::*;

/// All groups.
pub const GROUPS: &[Group] = &[
    Group {
        name: "matrix",
        about: "each matrix load and store with each register",
        given: &[DONE],
        cross: &[All(Axis::Mx), All(Axis::MxSize), All(Axis::MxRegister)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-tile",
        about: "tiles from one element to the whole register",
        given: &[DONE],
        cross: &[All(Axis::Mx), All(Axis::MxRows), All(Axis::MxColumns)],
        never: &[never_if(&[ROWS_PART], two_rows, "the registers have two rows")],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-empty",
        about: "tiles without elements, whatever the base address",
        given: &[DONE],
        cross: &[All(Axis::MxDirection), All(Axis::MxEmpty), All(Axis::MxBase)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-stride",
        about: "how the memory lines lie: dense, apart, over each other, downwards",
        given: &[DONE],
        cross: &[All(Axis::Mx), All(Axis::MxStride)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-line",
        about: "size of a memory line against the word of the port",
        given: &[DONE],
        cross: &[All(Axis::Mx), All(Axis::MxSize), Of(&[BYTE, PART, WHOLE, MULTIPLE, UNEVEN])],
        never: &[never_if(&[], no_such_line, "no number of elements that fits the register makes such a line")],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-offset",
        about: "the base address within a word of the port",
        given: &[DONE],
        cross: &[All(Axis::Mx), All(Axis::MxSize), All(Axis::Offset)],
        never: &[
            never_if(
                &[AT_LOW, AT_HIGH],
                half_word_is_matrix_element,
                "no multiple of the element is there: a word has two",
            ),
            never_if(&[AT_HALF], port_is_matrix_element, "the word of the port is the element"),
        ],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-place",
        about: "accesses at both ends of the memory",
        given: &[DONE],
        cross: &[All(Axis::Mx), All(Axis::Place)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-trap",
        about: "each trap of matrix loads and stores",
        given: &[MISALIGNED, OUTSIDE, PORT],
        cross: &[All(Axis::Mx), All(Axis::MxSize), Of(&[MISALIGNED, OUTSIDE, PORT])],
        never: &[never(&[S8, MISALIGNED], "bytes are aligned everywhere")],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-misaligned",
        about: "misaligned base and stride",
        given: &[MISALIGNED],
        cross: &[All(Axis::Mx), All(Axis::MxMisaligned)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-element",
        about: "the element that traps",
        given: &[OUTSIDE, PORT],
        cross: &[All(Axis::Mx), Of(&[OUTSIDE, PORT]), All(Axis::MxElement)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-illegal",
        about: "tiles that do not fit, for one reason alone",
        given: &[ILLEGAL],
        cross: &[All(Axis::Mx), All(Axis::MxSize), All(Axis::MxWhy)],
        never: &[never(&[S8, COLUMNS_OVERFLOW], "columns times one byte is never more than 32 bits hold")],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "tile-size",
        about: "instructions that set a tile size, and the value",
        given: &[DONE],
        cross: &[Of(&[SET_M, SET_N, SET_K, SET_MI, SET_NI, SET_KI]), All(Axis::MxValue)],
        never: &[never(&[SET_MI, SET_NI, SET_KI, SIZE_HUGE], "the immediate has 10 bits")],
        recipe: Recipe::TileSize,
    },
    Group {
        name: "mrelease",
        about: "mrelease",
        given: &[DONE],
        cross: &[Of(&[RELEASE])],
        never: &[],
        recipe: Recipe::TileSize,
    },
    Group {
        name: "tile-then",
        about: "a matrix operation soon after a tile size that it depends on",
        given: &[DONE],
        cross: &[All(Axis::MxDirection), Of(&[WROTE_ROWS, WROTE_COLUMNS]), All(Axis::Ago)],
        never: &[],
        recipe: Recipe::TileThenMatrix,
    },
    Group {
        name: "matrix-encoding",
        about: "every kind of word of opcode custom-1 that is not an instruction",
        given: &[ILLEGAL],
        cross: &[All(Axis::MxWord)],
        never: &[],
        recipe: Recipe::Word,
    },
    Group {
        name: "matrix-stalls",
        about: "matrix loads and stores with stalls of the issue and the result port",
        given: &[DONE],
        cross: &[All(Axis::MxDirection), All(Axis::Issue), All(Axis::Results)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-port-stalls",
        about: "matrix loads and stores with stalls of their memory port",
        given: &[DONE],
        cross: &[All(Axis::MxDirection), All(Axis::Grant), All(Axis::Response)],
        never: &[],
        recipe: Recipe::Matrix,
    },
    Group {
        name: "matrix-error-stalls",
        about: "errors of the memory port with stalls of it",
        given: &[PORT],
        cross: &[All(Axis::MxDirection), All(Axis::Grant), All(Axis::Response)],
        never: &[],
        recipe: Recipe::Matrix,
    },
];
