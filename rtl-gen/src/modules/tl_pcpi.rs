// SPDX-License-Identifier: Apache-2.0
//! `tl_pcpi`: between the co-processor interface of PicoRV32 and the unit.

use super::{tl_lutram, tl_trap_csr};
use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_pcpi",
        "Between the co-processor interface of PicoRV32 (PCPI) and the unit. The core offers every instruction that it \
         does not know, one at a time, and holds it until the answer. An instruction that traps gets none: 16 cycles after \
         pcpi_wait_o has fallen the core takes it for an illegal one. Cause and value are in mcause and mtval then.",
    );
    m.clocked();
    m.group("PCPI");
    m.input("pcpi_valid_i", Ty::bit(), "held until pcpi_ready_o, or until the core gives up");
    m.input("pcpi_insn_i", Ty::bits(32), "");
    m.input("pcpi_rs1_i", Ty::bits(32), "x[19:15]");
    m.input("pcpi_rs2_i", Ty::bits(32), "x[24:20]");
    m.output("pcpi_wr_o", Ty::bit(), "write pcpi_rd_o to x[11:7]");
    m.output("pcpi_rd_o", Ty::bits(32), "");
    m.output("pcpi_wait_o", Ty::bit(), "the answer may take longer than 16 cycles");
    m.output("pcpi_ready_o", Ty::bit(), "for one cycle: done");
    m.group("Register writes of the core, from its trace (RVFI)");
    m.input("rvfi_valid_i", Ty::bit(), "");
    m.input("rvfi_rd_addr_i", Ty::bits(5), "0: none");
    m.input("rvfi_rd_wdata_i", Ty::bits(32), "");
    m.group("Trap of the unit, for one cycle");
    m.output("trap_o", Ty::bit(), "");
    m.output("trap_cause_o", Ty::bits(5), "");
    m.output("trap_tval_o", Ty::bits(32), "");
    m.group("To tl_top");
    m.output("issue_valid_o", Ty::bit(), "");
    m.input("issue_ready_i", Ty::bit(), "");
    m.output("issue_instr_o", Ty::bits(32), "");
    m.output("issue_rs_o", Ty::bits(32), "");
    m.output("issue_rs2_o", Ty::bits(32), "open when the unit has no matrix instructions");
    m.input("result_valid_i", Ty::bit(), "");
    m.output("result_ready_o", Ty::bit(), "");
    m.input("result_trap_i", Ty::bit(), "");
    m.input("result_cause_i", Ty::bits(5), "");
    m.input("result_tval_i", Ty::bits(32), "");
    m.input("result_we_i", Ty::bit(), "");
    m.input("result_data_i", Ty::bits(32), "");
    m.output("resume_o", Ty::bit(), "there is nothing behind a trap that could be killed");
    m.section(
        "The registers of the core once more: PCPI shows x[19:15] and x[24:20], and some instructions need x[11:7].",
    );
    m.signals(&["shadow", "rd_value", "csr_rdata"], Ty::bits(32));
    m.instance(
        &tl_lutram::module(),
        "u_shadow",
        &[("Width", "32"), ("Depth", "32")],
        &[
            ("clk_i", "clk_i"),
            ("we_i", "rvfi_valid_i"),
            ("waddr_i", "rvfi_rd_addr_i"),
            ("wdata_i", "rvfi_rd_wdata_i"),
            ("raddr_i", "pcpi_insn_i[11:7]"),
            ("rdata_o", "shadow"),
        ],
    );
    m.signal("ours", Ty::bit(), "not a multiplication or division, which the core has itself, and not mret");
    m.signal("is_csr", Ty::bit(), "a trap CSR");
    m.signal("offered", Ty::bit(), "it waits for its answer");
    m.signal("sent_q", Ty::bit(), "the unit has it");
    m.signal("done_q", Ty::bit(), "it has its answer, or has trapped");
    m.signals(&["csr_exec", "result"], Ty::bit());
    m.text(
        r#"
        assign rd_value = (pcpi_insn_i[11:7] == 5'd0) ? '0 : shadow;
        assign ours     = !((pcpi_insn_i[6:0] == 7'b0110011) && (pcpi_insn_i[31:25] == 7'd1))
                          && (pcpi_insn_i != 32'h30200073);
        assign offered  = pcpi_valid_i && ours && !done_q;
        assign csr_exec = offered && is_csr;
        assign result   = result_valid_i && sent_q;

        assign pcpi_wait_o    = offered;
        assign issue_valid_o  = offered && !is_csr && !sent_q;
        assign issue_instr_o  = pcpi_insn_i;
        assign issue_rs_o     = (pcpi_insn_i[6:0] == 7'b1011011) ? rd_value : pcpi_rs1_i;
        assign issue_rs2_o    = pcpi_rs2_i;
        assign result_ready_o = sent_q;
        assign trap_o         = result && result_trap_i;
        assign resume_o       = trap_o;
        assign trap_cause_o   = result_cause_i;
        assign trap_tval_o    = result_tval_i;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            sent_q       <= 1'b0;
            done_q       <= 1'b0;
            pcpi_ready_o <= 1'b0;
          end else begin
            sent_q       <= (sent_q || (issue_valid_o && issue_ready_i)) && !result;
            done_q       <= pcpi_valid_i && (done_q || csr_exec || result);
            pcpi_ready_o <= csr_exec || (result && !result_trap_i);
          end
        end

        always_ff @(posedge clk_i) begin
          pcpi_wr_o <= csr_exec || result_we_i;
          pcpi_rd_o <= csr_exec ? csr_rdata : result_data_i;
        end
        "#,
    );
    m.instance(
        &tl_trap_csr::module(),
        "u_trap_csr",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("instr_i", "pcpi_insn_i"),
            ("rs_i", "pcpi_rs1_i"),
            ("ours_o", "is_csr"),
            ("exec_i", "csr_exec"),
            ("rdata_o", "csr_rdata"),
            ("trap_i", "trap_o"),
            ("cause_i", "trap_cause_o"),
            ("tval_i", "trap_tval_o"),
        ],
    );
    m
}
