// SPDX-License-Identifier: Apache-2.0
//! `tl_lutram`: the wrapper of small memories.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_lutram",
        "Small memory with one write port and one read port without a register: distributed RAM of an FPGA, a latch \
         or flip-flop array elsewhere. Contents are not reset.",
    );
    m.param("Width", "32", "bits of a word");
    m.param("Depth", "16", "words, a power of two");
    m.input("clk_i", Ty::bit(), "");
    m.input("we_i", Ty::bit(), "write enable");
    m.input("waddr_i", Ty::bits("$clog2(Depth)"), "");
    m.input("wdata_i", Ty::bits("Width"), "");
    m.input("raddr_i", Ty::bits("$clog2(Depth)"), "");
    m.output("rdata_o", Ty::bits("Width"), "the word at raddr_i, before the write of this cycle");
    m.text(
        r#"
        logic [Width-1:0] mem [Depth];

        assign rdata_o = mem[raddr_i];

        always_ff @(posedge clk_i) begin
          if (we_i) mem[waddr_i] <= wdata_i;
        end
        "#,
    );
    m
}
