// SPDX-License-Identifier: Apache-2.0
//! The unit with memories behind AXI4: the adapter, a random memory, faults in the adapter. The SystemVerilog of the memory is
//! in cosim/axi.

use anyhow::Result;

use super::adapter;
use super::source::SourceFile;
use crate::unit::adapter::fault;
use crate::unit::faults::Fault;

/// Bytes of the widest beats.
pub const WIDEST: u32 = 64;
/// Added to the number of a fault: the memory waits for nothing.
pub const CALM: u32 = 1 << 16;

/// List of the adapter's files.
const LIST: &str = "tl_axi.f";

const BENCH: [(&str, &str); 3] = [
    ("tl_axi_bench.vlt", include_str!("../../../axi/tl_axi_bench.vlt")),
    ("axi_memory.sv", include_str!("../../../axi/axi_memory.sv")),
    ("tl_axi_bench.sv", include_str!("../../../axi/tl_axi_bench.sv")),
];

/// The files of a unit, of the adapter with its faults, and of the memory; `generated` has the adapter.
///
/// # Errors
/// When a fault does not fit.
pub fn files(unit: Vec<SourceFile>, generated: &[SourceFile]) -> Result<Vec<SourceFile>> {
    adapter::files(unit, generated, LIST, &FAULTS, &BENCH)
}

/// What a designer of the adapter could have done wrong.
pub const FAULTS: [Fault; 10] = [
    fault(
        1,
        "tl_axi_run.sv",
        "a burst does not end at a multiple of its size",
        ["&& (", "addr_i / PortBytes % BurstWords != 32'd0", ");"],
        "1'b1",
    ),
    fault(
        2,
        "tl_axi_run.sv",
        "a word that does not follow joins",
        ["(", "addr_i == last_q + 32'(PortBytes)", ")"],
        "addr_i > last_q",
    ),
    fault(
        4,
        "tl_axi_read.sv",
        "a beat is taken with its first word",
        ["axi_rready_o = ", "answer_valid && beat_last", ";"],
        "answer_valid",
    ),
    fault(5, "tl_axi_read.sv", "errors of reads are lost", ["l1m_err_o    = ", "axi_rresp_i[1]", ";"], "1'b0"),
    fault(
        6,
        "tl_axi_read.sv",
        "a burst always begins with the first word of a beat",
        ["? ", "answer_first", " : index_q"],
        "8'd0",
    ),
    fault(
        7,
        "tl_axi_write.sv",
        "bytes of the beat before are written again",
        ["if (", "next_beat", ") strb_q"],
        "1'b0",
    ),
    fault(8, "tl_axi_write.sv", "errors of writes are lost", ["err_q <= ", "axi_bresp_i[1]", ";"], "1'b0"),
    fault(
        9,
        "tl_axi_write.sv",
        "the last word of a burst has no answer",
        ["left_q <= ", "9'(answer_words) + 9'd1", ";"],
        "9'(answer_words)",
    ),
    fault(
        10,
        "tl_axi_write.sv",
        "beats are taken without room for them",
        ["= ", "aw_ready && beat_ready && answer_ready", ";"],
        "aw_ready && answer_ready",
    ),
    fault(
        11,
        "tl_axi_write.sv",
        "an answer is taken while the one before is given out",
        ["axi_bready_o = ", "left_q <= 9'd1", ";"],
        "1'b1",
    ),
];
