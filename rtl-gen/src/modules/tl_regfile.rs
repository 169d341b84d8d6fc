// SPDX-License-Identifier: Apache-2.0
//! `tl_regfile`: two banks of memory and the arbiters of their ports.

use crate::modules::{tl_bank_arb, tl_ram_1r1w};
use crate::sv::{Module, Ty};

/// The register file; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_regfile",
        "Physical registers: even rows in bank 0, odd rows in bank 1, each with one read and one write port. Engines \
         that touch different banks, or that take turns, run at full speed side by side. What is granted reaches the banks \
         one cycle later: a write does so before any instruction can ask for it.",
    );
    m.clocked();
    m.group("Readers: tl_store, tl_move, tl_xpose");
    m.input("read_valid_i", Ty::bits(2).packed(3), "banks that each reader asks for");
    m.input("read_addr_i", Ty::named("bank_addr_t").packed(2).packed(3), "");
    m.output("read_gnt_o", Ty::bits(2).packed(3), "banks that each reader has");
    m.output("rdata_o", Ty::bits("RowBits").packed(2), "rows of the grant two cycles before");
    m.group("Writers: tl_load, tl_move, tl_xpose");
    m.input("write_valid_i", Ty::bits(2).packed(3), "banks that each writer asks for");
    m.input("write_addr_i", Ty::named("bank_addr_t").packed(2).packed(3), "");
    m.input("write_data_i", Ty::bits("RowBits").packed(2).packed(3), "");
    m.input("write_blank_i", Ty::bits(2), "banks to which tl_load has zeros, whatever its data");
    m.output("write_gnt_o", Ty::bits(2).packed(3), "banks that each writer has");
    let arb = tl_bank_arb::module();
    m.signal("rsel", Ty::bits(3).packed(2), "of each bank, the reader that has it");
    m.signal("wsel", Ty::bits(3).packed(2), "of each bank, the writer that has it");
    for (label, valid, gnt) in
        [("u_read_arb", "read_valid_i", "read_gnt_o"), ("u_write_arb", "write_valid_i", "write_gnt_o")]
    {
        m.instance(&arb, label, &[], &[("clk_i", "clk_i"), ("rst_ni", "rst_ni"), ("valid_i", valid), ("gnt_o", gnt)]);
    }
    m.text(
        r#"
        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            for (int unsigned e = 0; e < 3; e++) begin
              rsel[b][e] = read_gnt_o[e][b];
              wsel[b][e] = write_gnt_o[e][b];
            end
          end
        end
        "#,
    );
    m.signal("raddr", Ty::named("bank_addr_t").packed(2), "");
    m.signal("re_q", Ty::bits(2), "");
    m.signal("raddr_q", Ty::named("bank_addr_t").packed(2), "");
    m.signal("wsel_q", Ty::bits(3).packed(2), "");
    m.signal("pick_q", Ty::bits(3).packed(2), "of each bank, the writer whose data are written; none: zeros");
    m.signal("write_addr_q", Ty::named("bank_addr_t").packed(2).packed(3), "");
    m.signal("write_data_q", Ty::bits("RowBits").packed(2).packed(3), "");
    m.signal("we", Ty::bits(2), "");
    m.signal("waddr", Ty::named("bank_addr_t").packed(2), "");
    m.signal("wdata", Ty::bits("RowBits").packed(2), "");
    m.text(
        r#"
        // What nobody asked for is not read or written, so a choice needs two of the three selects.
        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            raddr[b] = rsel[b][2] ? read_addr_i[2][b] :
                rsel[b][1] ? read_addr_i[1][b] : read_addr_i[0][b];
          end
        end

        always_ff @(posedge clk_i) begin
          for (int unsigned b = 0; b < 2; b++) begin
            re_q[b]      <= rsel[b] != '0;
            pick_q[b]    <= wsel[b];
            pick_q[b][0] <= wsel[b][0] && !write_blank_i[b];
          end
          wsel_q       <= wsel;
          raddr_q      <= raddr;
          write_addr_q <= write_addr_i;
          write_data_q <= write_data_i;
        end

        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            waddr[b] = wsel_q[b][2] ? write_addr_q[2][b] :
                wsel_q[b][1] ? write_addr_q[1][b] : write_addr_q[0][b];
            wdata[b] = ({RowBits{pick_q[b][0]}} & write_data_q[0][b]) |
                ({RowBits{pick_q[b][1]}} & write_data_q[1][b]) |
                ({RowBits{pick_q[b][2]}} & write_data_q[2][b]);
            we[b]    = wsel_q[b] != '0;
          end
        end
        "#,
    );
    let ram = tl_ram_1r1w::module();
    m.open("for (genvar b = 0; b < 2; b++)", "gen_bank");
    m.instance(
        &ram,
        "u_rows",
        &[("Width", "RowBits"), ("Depth", "BankDepth")],
        &[
            ("clk_i", "clk_i"),
            ("we_i", "we[b]"),
            ("waddr_i", "waddr[b]"),
            ("wdata_i", "wdata[b]"),
            ("re_i", "re_q[b]"),
            ("raddr_i", "raddr_q[b]"),
            ("rdata_o", "rdata_o[b]"),
        ],
    );
    m.close();
    m
}
