// SPDX-License-Identifier: Apache-2.0
//! `tl_mx_regs`: the matrix registers.

use crate::modules::tl_ram_1r1w_be;
use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_mx_regs",
        "Matrix registers tr0 to tr3 and acc0 to acc3: a memory for each row number, with a word for each register. So \
         a whole register is read, or any bytes of it are written, in one cycle, by rows or by columns. A sweep of 8 \
         cycles after reset clears them; nothing is dispatched in the first 32, in which tl_csr is filled.",
    );
    m.clocked();
    m.group("Write");
    m.input("write_i", Ty::bit(), "");
    m.input("write_md_i", Ty::bits(3), "");
    m.input("write_be_i", Ty::bits("MxRowBytes").packed("MxRows"), "");
    m.input("write_data_i", Ty::bits("8*MxRowBytes").packed("MxRows"), "0 during the sweep");
    m.group("Read; not of the register that is written in the same cycle");
    m.input("read_i", Ty::bit(), "");
    m.input("read_md_i", Ty::bits(3), "");
    m.output("data_o", Ty::bits("8*MxRowBytes").packed("MxRows"), "of the latest read, from the cycle after it on");

    m.signal("cleared", Ty::bit(), "the sweep is over");
    m.signal("clear_q", Ty::bits(4), "next register of the sweep; 8 when it is over");
    m.signal("be", Ty::bits("MxRowBytes").packed("MxRows"), "");
    m.signal("waddr", Ty::bits(3), "");
    m.text(
        r#"
        assign cleared = clear_q[3];
        assign waddr   = cleared ? write_md_i : clear_q[2:0];

        always_comb begin
          be = write_be_i & {(MxRows * MxRowBytes){write_i}};
          if (!cleared) be = '1;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            clear_q <= '0;
          end else if (!cleared) begin
            clear_q <= clear_q + 4'd1;
          end
        end
        "#,
    );
    m.open("for (genvar r = 0; r < MxRows; r++)", "gen_row");
    m.instance(
        &tl_ram_1r1w_be::module(),
        "u_ram",
        &[("Bytes", "MxRowBytes"), ("Depth", "8")],
        &[
            ("clk_i", "clk_i"),
            ("be_i", "be[r]"),
            ("waddr_i", "waddr"),
            ("wdata_i", "write_data_i[r]"),
            ("re_i", "read_i"),
            ("raddr_i", "read_md_i"),
            ("rdata_o", "data_o[r]"),
        ],
    );
    m.close();
    m
}
