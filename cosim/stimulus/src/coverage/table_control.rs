// SPDX-License-Identifier: Apache-2.0
//! The coverage table, what is around the operations: CSRs, words that are no instruction, instructions in flight
//! together, killed instructions, reset, stalls. See `table.rs`.

use super::group::Factor::{All, Of, Ops};
use super::group::{Group, never, never_if};
use super::operation::*;
use super::rules::*;
use super::values::*;

pub const GROUPS: &[Group] = &[
    // ---- CSRs
    Group::new("csr", "every CSR instruction on every CSR")
        .given(&[DONE])
        .cross(&[All(Axis::CsrName), All(Axis::CsrKind)])
        .never(&[never_if(
            &[CSRRW, CSRRW_0, CSRRS, CSRRC, CSRRWI, CSRRSI, CSRRCI],
            read_only_csr,
            "writing a read-only CSR is illegal",
        )]),
    Group::new("csr-rd", "where the old value goes")
        .given(&[DONE])
        .cross(&[All(Axis::CsrKind), All(Axis::CsrRd)])
        .never(&[
            never(&[CSRRWI, CSRRSI, CSRRSI_0, CSRRCI, CSRRCI_0, RD_RS1], "the source is an immediate"),
            never(&[CSRRW_0, CSRRS_0, CSRRC_0, RD_RS1], "the source is x0: that is rd = x0"),
        ]),
    Group::new("csr-then", "an operation soon after a CSR write that it depends on")
        .given(&[DONE])
        .cross(&[
            All(Axis::Op),
            Of(&[WROTE_TYPE, WROTE_SHAPE, WROTE_MASK, WROTE_WIDTH, WROTE_PITCH, WROTE_STRIDE, WROTE_INIT]),
            All(Axis::Ago),
        ])
        .never(&[never_if(&[], not_read, "it does not read that")]),
    Group::new("csr-behind", "a CSR is written while the operation before it is in flight")
        .given(&[G_CSR])
        .cross(&[Of(&[B_LOAD, B_STORE, B_MOVE, B_XPOSE, B_MX_LOAD, B_MX_STORE]), All(Axis::CsrClass)]),
    // ---- Words that are no instruction
    Group::new("encoding", "every kind of word that is not an instruction")
        .given(&[ILLEGAL])
        .cross(&[All(Axis::Encoding)])
        .never(&[never_if(&[W_CUSTOM1], has_matrix, "the configuration has the matrix instruction set")]),
    // ---- Instructions in flight together
    Group::new("pair", "an instruction issued while the one before it is in flight, and the registers that they share")
        .cross(&[All(Axis::Before), All(Axis::Engine), All(Axis::Hazard)])
        .never(&[
            never_if(&[B_ILLEGAL], precise, "what is issued behind it is killed, and issued again when it has retired"),
            never(&[B_CSR, B_ILLEGAL, B_MX_SET, H_RAW, H_WAW, H_WAR], "the one before uses no such register"),
            never(&[G_CSR, G_ILLEGAL, G_MX_SET, H_RAW, H_WAW, H_WAR], "it uses no such register"),
            never(
                &[B_LOAD, B_STORE, B_MOVE, B_XPOSE, G_MX_LOAD, G_MX_STORE, H_RAW, H_WAW, H_WAR],
                "they use different register files",
            ),
            never(
                &[B_MX_LOAD, B_MX_STORE, G_LOAD, G_STORE, G_MOVE, G_XPOSE, H_RAW, H_WAW, H_WAR],
                "they use different register files",
            ),
            never(&[B_STORE, B_MX_STORE, H_RAW, H_WAW], "a store writes no register"),
            never(&[B_LOAD, B_MX_LOAD, H_WAR], "a load reads no register"),
            never(&[G_STORE, G_MX_STORE, H_WAW, H_WAR], "a store writes no register"),
            never(&[G_LOAD, G_MX_LOAD, H_RAW], "a load reads no register"),
            never(&[G_XPOSE, H_WAW], "tl.xpose reads every register that it writes"),
            never(&[B_XPOSE, H_WAR], "tl.xpose writes every register that it reads"),
        ]),
    Group::new("in-flight", "an instruction dispatched behind others that have been dispatched and have not retired")
        .cross(&[All(Axis::Engine), All(Axis::Older)])
        .never(&[never_if(
            &[],
            more_than_in_flight,
            "more instructions than the list of those in flight has entries (queue_entries)",
        )]),
    Group::new("after-trap", "what comes after an instruction that traps, each kind of both")
        .cross(&[All(Axis::Trapped), All(Axis::Engine)])
        .never(&[never_if(
            &[T_LOAD_MIS, T_STORE_MIS],
            only_narrow,
            "the configuration has no elements of more than a byte",
        )]),
    // ---- Killed instructions
    Group::new("killed", "what is killed for an instruction that traps, each kind of both")
        .cross(&[All(Axis::Killer), All(Axis::Engine)])
        .never(&[never_if(
            &[KILLER_LOAD_MIS, KILLER_STORE_MIS],
            only_narrow,
            "the configuration has no elements of more than a byte",
        )]),
    Group::new("killed-when", "what is killed, and when it was issued")
        .cross(&[All(Axis::Engine), All(Axis::Killed)])
        .never(&[never(
            &[G_CSR, G_ILLEGAL, G_LOAD, G_MOVE, G_XPOSE, G_MX_LOAD, G_MX_SET, KILLED_BEGUN],
            "only stores write memory",
        )]),
    Group::new("killed-csr", "writes of CSRs that are killed, and when they were issued")
        .given(&[G_CSR])
        .cross(&[All(Axis::CsrClass), Of(&[KILLED_FLIGHT, KILLED_LATE, KILLED_RESUME])]),
    Group::new("killed-number", "how many instructions are killed for a trap")
        .cross(&[All(Axis::KilledNumber), Of(&[KILLED_FLIGHT, KILLED_LATE, KILLED_RESUME])])
        .never(&[never_if(&[KILLED_8, KILLED_FLIGHT], few_in_flight, "fewer instructions are in flight")]),
    Group::new("goes-on", "a load or store whose first slice is next to the last one of the load or store before it")
        .given(&[DONE])
        .cross(&[Ops(moves_slices), All(Axis::Continues), All(Axis::Crowd)])
        .never(&[
            never_if(&[], no_last_slice, "without a mask it begins with slice 0, which follows slice 31"),
            never_if(&[CROWD_MORE], few_slices, "those in flight in front have no more than 32 slices together"),
        ]),
    Group::new("press", "an operation behind others that all have registers to read, or to write")
        .given(&[DONE, RESULT_NONE])
        .cross(&[Of(&[G_LOAD, G_STORE, G_MOVE, G_XPOSE]), All(Axis::Press)])
        .never(&[never_if(&[], few_entries, "fewer instructions are in flight")]),
    Group::new("killed-between", "a load killed behind a store, for a load in front of it that traps")
        .given(&[G_LOAD])
        .cross(&[Of(&[KILLER_LOAD_MIS, KILLER_LOAD_OUT, KILLER_LOAD_ERR]), All(Axis::Between)])
        .never(&[
            never_if(&[KILLER_LOAD_MIS], only_narrow, "the configuration has no elements of more than a byte"),
            never_if(&[], two_entries, "fewer instructions are in flight"),
        ]),
    Group::new(
        "shared-error",
        "the word of which the port says that it is an error, and the slices that have bytes in it",
    )
    .given(&[PORT])
    .cross(&[Ops(moves_slices), All(Axis::Shared), All(Axis::Grant)])
    .never(&[never_if(&[S_BEGINS, S_CROSSES], port_is_narrowest, "the word of the port is the narrowest element")]),
    // ---- Programs for the host
    Group::new("host", "programs for the host: traps and handlers, loops, windows").cross(&[All(Axis::Host)]),
    // ---- Reset
    Group::new("first-operation", "each operation, legal or not, as the first instruction after resets of each length")
        .cross(&[All(Axis::Op), All(Axis::AfterReset)]),
    Group::new("first", "other instructions as the first one after resets of each length")
        .cross(&[Of(&[G_CSR, G_ILLEGAL, G_MX_LOAD, G_MX_STORE, G_MX_SET]), All(Axis::AfterReset)]),
    Group::new("since-reset", "when after a reset an instruction of each kind is issued")
        .cross(&[All(Axis::Engine), All(Axis::SinceReset)])
        .never(&[
            never(&[G_LOAD, G_STORE, SINCE_0], "tshape is 0 after reset: they are illegal"),
            never_if(
                &[G_MOVE, G_XPOSE, SINCE_0],
                no_bytes,
                "ttype is integers of 8 bits after reset: they are illegal",
            ),
        ]),
    Group::new("interrupted", "a reset in the middle of each engine's work, and an instruction of each kind at once")
        .cross(&[All(Axis::Engine), All(Axis::Interrupted)]),
    // ---- Stalls
    Group::new("stalls", "operations with stalls of the issue and the result port").given(&[DONE]).cross(&[
        All(Axis::Op),
        All(Axis::Issue),
        All(Axis::Results),
    ]),
    Group::new("port-stalls", "loads and stores with stalls of their memory port").given(&[DONE]).cross(&[
        Ops(moves_slices),
        All(Axis::Grant),
        All(Axis::Response),
    ]),
    Group::new("unanswered", "a memory port with as many requests without an answer as a unit can have")
        .cross(&[All(Axis::Unanswered)]),
    Group::new("error-stalls", "errors of the memory port with stalls of it").given(&[PORT]).cross(&[
        Ops(moves_slices),
        All(Axis::Grant),
        All(Axis::Response),
    ]),
];
