// SPDX-License-Identifier: Apache-2.0
//! `tl_ram_1r1w`: the one memory of the design, to be swapped for a macro of the target.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_ram_1r1w",
        "Memory with one write port and one registered read port. Replace it by a macro of the target technology.\n\
         Contents are not reset. A read of the word that is written in the same cycle returns an undefined value.",
    );
    m.param("Width", "32", "bits of a word");
    m.param("Depth", "16", "words");
    m.input("clk_i", Ty::bit(), "");
    m.input("we_i", Ty::bit(), "write enable");
    m.input("waddr_i", Ty::bits("$clog2(Depth)"), "");
    m.input("wdata_i", Ty::bits("Width"), "");
    m.input("re_i", Ty::bit(), "read enable; rdata_o holds its value otherwise");
    m.input("raddr_i", Ty::bits("$clog2(Depth)"), "");
    m.output("rdata_o", Ty::bits("Width"), "the word read in the previous cycle");
    m.text(
        r#"
        // No design here reads the word it writes, so no bypass is needed around a block RAM.
        (* no_rw_check *)
        logic [Width-1:0] mem [Depth];

        always_ff @(posedge clk_i) begin
          if (we_i) mem[waddr_i] <= wdata_i;
        end

        always_ff @(posedge clk_i) begin
          if (re_i) rdata_o <= mem[raddr_i];
        end
        "#,
    );
    m
}
