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
         one cycle later: a write does so before any instruction can ask for it. A bank of more than 512 rows is two memories, \
         of the registers 0 to 31 and of the others, since memories come in powers of two.",
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
    m.signal("re_q", Ty::bits(2).packed(2), "[bank][memory]");
    m.signal("raddr_q", Ty::named("bank_addr_t").packed(2), "");
    m.signal("wsel_q", Ty::bits(3).packed(2), "");
    m.signal("pick_q", Ty::bits(3).packed(2), "of each bank, the writer whose data are written; none: zeros");
    m.signal("write_addr_q", Ty::named("bank_addr_t").packed(2).packed(3), "");
    m.signal("write_data_q", Ty::bits("RowBits").packed(2).packed(3), "");
    m.signal("we", Ty::bits(2).packed(2), "[bank][memory]");
    m.signal("waddr", Ty::named("bank_addr_t").packed(2), "");
    m.signal("wdata", Ty::bits("RowBits").packed(2), "");
    m.text(
        r#"
        localparam bit          Two    = BankDepth > 512;
        localparam int unsigned Top    = BankAddrW - 1;               // of two, the bit that says which
        localparam int unsigned Lower  = Two ? 1 << Top : BankDepth;  // rows of the first one
        localparam int unsigned LowerW = $clog2(Lower);

        // What nobody asked for is not read or written, so a choice needs two of the three selects.
        always_comb begin
          for (int unsigned b = 0; b < 2; b++) begin
            raddr[b] = rsel[b][2] ? read_addr_i[2][b] :
                rsel[b][1] ? read_addr_i[1][b] : read_addr_i[0][b];
          end
        end

        always_ff @(posedge clk_i) begin
          for (int unsigned b = 0; b < 2; b++) begin
            re_q[b]      <= {2{rsel[b] != '0}} & {Two && raddr[b][Top], !(Two && raddr[b][Top])};
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
            we[b]    = {2{wsel_q[b] != '0}} & {Two && waddr[b][Top], !(Two && waddr[b][Top])};
          end
        end
        "#,
    );
    let ram = tl_ram_1r1w::module();
    let memory = |m: &mut Module, label: &str, place: u32, depth: &str, high: &str, row: &str| {
        m.instance(
            &ram,
            label,
            &[("Width", "RowBits"), ("Depth", depth)],
            &[
                ("clk_i", "clk_i"),
                ("we_i", &format!("we[b][{place}]")),
                ("waddr_i", &format!("waddr[b][{high}:0]")),
                ("wdata_i", "wdata[b]"),
                ("re_i", &format!("re_q[b][{place}]")),
                ("raddr_i", &format!("raddr_q[b][{high}:0]")),
                ("rdata_o", row),
            ],
        );
    };
    m.open("for (genvar b = 0; b < 2; b++)", "gen_bank");
    m.signal("lower_row", Ty::bits("RowBits"), "");
    memory(&mut m, "u_lower", 0, "Lower", "LowerW-1", "lower_row");
    m.open("if (Two)", "gen_upper");
    m.signal("upper_row", Ty::bits("RowBits"), "");
    m.signal("upper_q", Ty::bit(), "the upper memory was read in the cycle before");
    memory(&mut m, "u_upper", 1, "BankDepth - Lower", "$clog2(BankDepth-Lower)-1", "upper_row");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          upper_q <= re_q[b][1];
        end

        assign rdata_o[b] = upper_q ? upper_row : lower_row;
        "#,
    );
    m.close();
    m.open("if (!Two)", "gen_whole");
    m.signal("unused_upper", Ty::bit(), "");
    m.text(
        r#"
        assign rdata_o[b]   = lower_row;
        assign unused_upper = we[b][1] ^ re_q[b][1];
        "#,
    );
    m.close();
    m.close();
    m
}
