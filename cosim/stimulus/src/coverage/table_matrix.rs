// SPDX-License-Identifier: Apache-2.0
//! The coverage table, matrix instruction set. What matrix and other instructions have in common (order, hazards, CSRs)
//! is in `table.rs`.

use super::group::Factor::{All, Of};
use super::group::{Group, never, never_if};
use super::rules::*;
use super::values::*;

pub const GROUPS: &[Group] =
    &[
        Group::new("matrix", "each matrix load and store with each register").given(&[DONE]).cross(&[
            All(Axis::Mx),
            All(Axis::MxSize),
            All(Axis::MxRegister),
        ]),
        Group::new("matrix-tile", "tiles from one element to the whole register")
            .given(&[DONE])
            .cross(&[All(Axis::Mx), All(Axis::MxRows), All(Axis::MxColumns)])
            .never(&[
                never_if(&[ROWS_PART], two_rows, "the registers have two rows"),
                never_if(&[COLUMNS_ALL], row_exceeds_memory, "a row of the register is larger than the memory"),
            ]),
        Group::new("matrix-empty", "tiles without elements, whatever the base address").given(&[DONE]).cross(&[
            All(Axis::MxDirection),
            All(Axis::MxEmpty),
            All(Axis::MxBase),
        ]),
        Group::new("matrix-stride", "how the memory lines lie: dense, apart, over each other, downwards")
            .given(&[DONE])
            .cross(&[All(Axis::Mx), All(Axis::MxStride)]),
        Group::new("matrix-line", "size of a memory line against the word of the port")
            .given(&[DONE])
            .cross(&[All(Axis::Mx), All(Axis::MxSize), Of(&[BYTE, PART, WHOLE, MULTIPLE, UNEVEN])])
            .never(&[never_if(
                &[],
                no_such_line,
                "no number of elements that fits the register and the memory makes such a line",
            )]),
        Group::new("matrix-offset", "the base address within a word of the port")
            .given(&[DONE])
            .cross(&[All(Axis::Mx), All(Axis::MxSize), All(Axis::Offset)])
            .never(&[
                never_if(
                    &[AT_LOW, AT_HIGH],
                    half_word_is_matrix_element,
                    "no multiple of the element is there: a word has two",
                ),
                never_if(&[AT_HALF], port_is_matrix_element, "the word of the port is the element"),
            ]),
        Group::new("matrix-place", "accesses at both ends of the memory")
            .given(&[DONE])
            .cross(&[All(Axis::Mx), All(Axis::Place)]),
        Group::new("matrix-trap", "each trap of matrix loads and stores")
            .given(&[MISALIGNED, OUTSIDE, PORT])
            .cross(&[All(Axis::Mx), All(Axis::MxSize), Of(&[MISALIGNED, OUTSIDE, PORT])])
            .never(&[never(&[S8, MISALIGNED], "bytes are aligned everywhere")]),
        Group::new("matrix-misaligned", "misaligned base and stride")
            .given(&[MISALIGNED])
            .cross(&[All(Axis::Mx), All(Axis::MxMisaligned)]),
        Group::new("matrix-element", "the element that traps").given(&[OUTSIDE, PORT]).cross(&[
            All(Axis::Mx),
            Of(&[OUTSIDE, PORT]),
            All(Axis::MxElement),
        ]),
        Group::new("matrix-illegal", "tiles that do not fit, for one reason alone")
            .given(&[ILLEGAL])
            .cross(&[All(Axis::Mx), All(Axis::MxSize), All(Axis::MxWhy)])
            .never(&[never(&[S8, COLUMNS_OVERFLOW], "columns times one byte is never more than 32 bits hold")]),
        Group::new("tile-size", "instructions that set a tile size, and the value")
            .given(&[DONE])
            .cross(&[Of(&[SET_M, SET_N, SET_K, SET_MI, SET_NI, SET_KI]), All(Axis::MxValue)])
            .never(&[never(&[SET_MI, SET_NI, SET_KI, SIZE_HUGE], "the immediate has 10 bits")]),
        Group::new("mrelease", "mrelease").given(&[DONE]).cross(&[Of(&[RELEASE])]),
        Group::new("tile-then", "a matrix operation soon after a tile size that it depends on")
            .given(&[DONE])
            .cross(&[All(Axis::MxDirection), Of(&[WROTE_ROWS, WROTE_COLUMNS]), All(Axis::Ago)]),
        Group::new("matrix-encoding", "every kind of word of opcode custom-1 that is not an instruction")
            .given(&[ILLEGAL])
            .cross(&[All(Axis::MxWord)]),
        Group::new("matrix-stalls", "matrix loads and stores with stalls of the issue and the result port")
            .given(&[DONE])
            .cross(&[All(Axis::MxDirection), All(Axis::Issue), All(Axis::Results)]),
        Group::new("matrix-port-stalls", "matrix loads and stores with stalls of their memory port")
            .given(&[DONE])
            .cross(&[All(Axis::MxDirection), All(Axis::Grant), All(Axis::Response)]),
        Group::new("matrix-error-stalls", "errors of the memory port with stalls of it").given(&[PORT]).cross(&[
            All(Axis::MxDirection),
            All(Axis::Grant),
            All(Axis::Response),
        ]),
    ];
