// SPDX-License-Identifier: Apache-2.0
//! Faults of the register file and of memories that several units use.

use super::Fault;

/// By number.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: 1,
        file: "tl_ram_1r1w.sv",
        description: "bit 0 of a word is never stored as 1",
        before: "if (we_i) mem[waddr_i] <= ",
        original: "wdata_i",
        after: ";",
        of: None,
        replacement: "wdata_i & ~Width'(1)",
    },
    Fault {
        id: 2,
        file: "tl_bank_arb.sv",
        description: "two engines get one bank in the same cycle",
        before: "gnt_o[0] = valid_i[0] & ",
        original: "~(gnt_o[1] | gnt_o[2])",
        after: ";",
        of: None,
        replacement: "2'b11",
    },
    Fault {
        id: 3,
        file: "tl_regfile.sv",
        description: "rows that the transpose engine writes to the odd bank get lost",
        before: "we[b]    = {2{",
        original: "wsel_q[b] != '0",
        after: "}} &",
        of: None,
        replacement: "(wsel_q[b] != '0) && (b != 1 || !wsel_q[b][2])",
    },
    Fault {
        id: 16,
        file: "tl_fifo.sv",
        description: "the last word of the buffer has a flipped bit",
        before: "if (push) words[tail_q] <= ",
        original: "data_i",
        after: ";",
        of: None,
        replacement: "(tail_q == '1) ? (data_i ^ Width'(2)) : data_i",
    },
    Fault {
        id: 55,
        file: "tl_ram_1r1w_be.sv",
        description: "writing byte 0 writes byte 1",
        before: "if (",
        original: "be_i[b]",
        after: ") mem",
        of: None,
        replacement: "be_i[b] || (b == 1 && be_i[0])",
    },
    Fault {
        id: 71,
        file: "tl_lutram.sv",
        description: "writing the word that is read gets lost",
        before: "if (",
        original: "we_i",
        after: ") mem[waddr_i]",
        of: None,
        replacement: "we_i && (waddr_i != raddr_i)",
    },
];
