// SPDX-License-Identifier: Apache-2.0

// The unit as co-processor of PicoRV32: tl_pcpi and tl_top.
module tl_pcpi_top (
  input  logic                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                           rst_ni,

  // PCPI
  // held until pcpi_ready_o, or until the core gives up
  input  logic                           pcpi_valid_i,
  input  logic [31:0]                    pcpi_insn_i,
  input  logic [31:0]                    pcpi_rs1_i,       // x[19:15]
  input  logic [31:0]                    pcpi_rs2_i,       // x[24:20]
  output logic                           pcpi_wr_o,        // write pcpi_rd_o to x[11:7]
  output logic [31:0]                    pcpi_rd_o,
  // the answer may take longer than 16 cycles
  output logic                           pcpi_wait_o,
  output logic                           pcpi_ready_o,     // for one cycle: done

  // Register writes of the core, from its trace (RVFI)
  input  logic                           rvfi_valid_i,
  input  logic [4:0]                     rvfi_rd_addr_i,   // 0: none
  input  logic [31:0]                    rvfi_rd_wdata_i,

  // Trap of the unit, for one cycle
  output logic                           trap_o,
  output logic [4:0]                     trap_cause_o,
  output logic [31:0]                    trap_tval_o,

  // 1 while an accepted instruction has no result yet, and while the unit starts or recovers
  output logic                           busy_o,

  // L1M: read port. A response for each granted request, in order, in a later cycle
  output logic                           l1m_req_o,        // held until l1m_gnt_i
  input  logic                           l1m_gnt_i,
  output logic [31:0]                    l1m_addr_o,       // multiple of PortBytes
  input  logic                           l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input  logic                           l1m_err_i,

  // L0M: write port. A response for each granted request, in order, in a later cycle
  output logic                           l0m_req_o,        // held until l0m_gnt_i
  input  logic                           l0m_gnt_i,
  output logic [31:0]                    l0m_addr_o,       // multiple of PortBytes
  output logic [tl_pkg::PortBytes-1:0]   l0m_be_o,
  output logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input  logic                           l0m_rvalid_i,
  input  logic                           l0m_err_i
);

  if (tl_pkg::Xlen != 32) begin : gen_bad_xlen
    $error("tl_pcpi_top: Xlen = %0d is not allowed; allowed: 32", tl_pkg::Xlen);
  end

  logic                  issue_valid;
  logic [31:0]           issue_instr;
  logic [31:0]           issue_rs;
  logic [31:0]           issue_rs2;
  logic                  result_ready;
  logic                  resume;
  logic                  issue_ready;
  logic                  result_valid;
  logic [7:0]            result_id;
  logic                  result_trap;
  logic [4:0]            result_cause;
  logic [31:0]           result_tval;
  logic                  result_we;
  logic [4:0]            result_rd;
  logic [31:0]           result_data;
  logic                  result_killed;
  tl_pkg::meaning_bits_t meaning;
  // the core has one instruction at a time, so results need no id
  logic                  unused;

  assign unused = ^{result_id, result_rd, result_killed, meaning};

  tl_pcpi u_pcpi (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .pcpi_valid_i    (pcpi_valid_i),
    .pcpi_insn_i     (pcpi_insn_i),
    .pcpi_rs1_i      (pcpi_rs1_i),
    .pcpi_rs2_i      (pcpi_rs2_i),
    .pcpi_wr_o       (pcpi_wr_o),
    .pcpi_rd_o       (pcpi_rd_o),
    .pcpi_wait_o     (pcpi_wait_o),
    .pcpi_ready_o    (pcpi_ready_o),
    .rvfi_valid_i    (rvfi_valid_i),
    .rvfi_rd_addr_i  (rvfi_rd_addr_i),
    .rvfi_rd_wdata_i (rvfi_rd_wdata_i),
    .trap_o          (trap_o),
    .trap_cause_o    (trap_cause_o),
    .trap_tval_o     (trap_tval_o),
    .issue_valid_o   (issue_valid),
    .issue_ready_i   (issue_ready),
    .issue_instr_o   (issue_instr),
    .issue_rs_o      (issue_rs),
    .issue_rs2_o     (issue_rs2),
    .result_valid_i  (result_valid),
    .result_ready_o  (result_ready),
    .result_trap_i   (result_trap),
    .result_cause_i  (result_cause),
    .result_tval_i   (result_tval),
    .result_we_i     (result_we),
    .result_data_i   (result_data),
    .resume_o        (resume)
  );

  tl_top u_unit (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .issue_valid_i   (issue_valid),
    .issue_ready_o   (issue_ready),
    .issue_instr_i   (issue_instr),
    .issue_rs_i      (issue_rs),
    .issue_rs2_i     (issue_rs2),
    .issue_id_i      (8'd0),
    .result_valid_o  (result_valid),
    .result_ready_i  (result_ready),
    .result_id_o     (result_id),
    .result_trap_o   (result_trap),
    .result_cause_o  (result_cause),
    .result_tval_o   (result_tval),
    .result_we_o     (result_we),
    .result_rd_o     (result_rd),
    .result_data_o   (result_data),
    .result_killed_o (result_killed),
    .resume_i        (resume),
    .busy_o          (busy_o),
    .meaning_o       (meaning),
    .l1m_req_o       (l1m_req_o),
    .l1m_gnt_i       (l1m_gnt_i),
    .l1m_addr_o      (l1m_addr_o),
    .l1m_rvalid_i    (l1m_rvalid_i),
    .l1m_rdata_i     (l1m_rdata_i),
    .l1m_err_i       (l1m_err_i),
    .l0m_req_o       (l0m_req_o),
    .l0m_gnt_i       (l0m_gnt_i),
    .l0m_addr_o      (l0m_addr_o),
    .l0m_be_o        (l0m_be_o),
    .l0m_wdata_o     (l0m_wdata_o),
    .l0m_rvalid_i    (l0m_rvalid_i),
    .l0m_err_i       (l0m_err_i)
  );

endmodule
