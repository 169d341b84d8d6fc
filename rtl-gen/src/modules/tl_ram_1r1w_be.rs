// SPDX-License-Identifier: Apache-2.0
//! `tl_ram_1r1w_be`: the memory of a row of the matrix registers, to be swapped for a macro of the target.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_ram_1r1w_be",
        "Memory with one write port with byte enables and one registered read port. Replace it by a macro of the \
         target technology.\nContents are not reset. A read of the word that is written in the same cycle returns an \
         undefined value.",
    );
    m.param("Bytes", "4", "bytes of a word; a multiple of 4");
    m.param("Depth", "16", "words");
    m.input("clk_i", Ty::bit(), "");
    m.input("be_i", Ty::bits("Bytes"), "bytes to be written");
    m.input("waddr_i", Ty::bits("$clog2(Depth)"), "");
    m.input("wdata_i", Ty::bits("8*Bytes"), "");
    m.input("re_i", Ty::bit(), "read enable; rdata_o holds its value otherwise");
    m.input("raddr_i", Ty::bits("$clog2(Depth)"), "");
    m.output("rdata_o", Ty::bits("8*Bytes"), "the word read in the previous cycle");
    m.text(
        r#"
        // No design here reads the word it writes, so no bypass is needed around the memory.
        (* no_rw_check *)
        logic [8*Bytes-1:0] mem [Depth];

        // One write port is one process. Two loops, for tools that unroll no more than 64 rounds of one.
        always_ff @(posedge clk_i) begin
          for (int unsigned w = 0; w < Bytes; w += 4) begin
            for (int unsigned b = w; b < w + 4; b++) begin
              if (be_i[b]) mem[waddr_i][8*b+:8] <= wdata_i[8*b+:8];
            end
          end
        end

        always_ff @(posedge clk_i) begin
          if (re_i) rdata_o <= mem[raddr_i];
        end
        "#,
    );
    m
}
