// SPDX-License-Identifier: Apache-2.0

// The unit as co-processor of a core with CV-X-IF 1.0: tl_xif and tl_top.
module tl_xif_top #(
  parameter int unsigned IdWidth = 4,           // X_ID_WIDTH of the core
  parameter int unsigned HartWidth = 1,         // X_HARTID_WIDTH of the core
  // instructions between issue and the unit: a power of two, 2 or more
  parameter int unsigned Entries = 8,
  parameter int unsigned InFlight = 32,         // instructions in the unit at most: 2, 4, 8 ...
  parameter int unsigned NumRs = 3              // X_NUM_RS of the core; with gpr_rs1 also 2
) (
  input  logic                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                           rst_ni,

  // Issue and register interface (X_ISSUE_REGISTER_SPLIT = 0)
  input  logic                           x_issue_valid_i,
  output logic                           x_issue_ready_o,          // also register_ready
  input  logic [31:0]                    x_issue_instr_i,
  input  logic [HartWidth-1:0]           x_issue_hartid_i,
  input  logic [IdWidth-1:0]             x_issue_id_i,
  // the instruction is the unit's, and legal
  output logic                           x_issue_accept_o,
  output logic                           x_issue_writeback_o,      // it writes x[11:7]
  output logic [2:0]                     x_issue_register_read_o,  // operands that it reads
  input  logic [tl_pkg::Xlen-1:0]        x_rs1_i,                  // x[19:15]
  input  logic [tl_pkg::Xlen-1:0]        x_rs2_i,                  // x[24:20]
  input  logic [tl_pkg::Xlen-1:0]        x_rs3_i,                  // x[11:7]
  input  logic [2:0]                     x_rs_valid_i,             // operands that are valid

  // Commit interface
  input  logic                           x_commit_valid_i,
  input  logic [HartWidth-1:0]           x_commit_hartid_i,
  input  logic [IdWidth-1:0]             x_commit_id_i,
  input  logic                           x_commit_kill_i,          // it must not execute

  // Result interface
  output logic                           x_result_valid_o,
  input  logic                           x_result_ready_i,
  output logic [HartWidth-1:0]           x_result_hartid_o,
  output logic [IdWidth-1:0]             x_result_id_o,
  output logic [tl_pkg::Xlen-1:0]        x_result_data_o,
  output logic [4:0]                     x_result_rd_o,
  // write x_result_data_o to x_result_rd_o
  output logic                           x_result_we_o,

  // Beside the interface
  // tcause is not 0: an interrupt for the core
  output logic                           fault_o,
  // a committed instruction is in the adapter or in the unit
  output logic                           x_busy_o,

  // L1M: read port. A response for each granted request, in order, in a later cycle
  output logic                           l1m_req_o,                // held until l1m_gnt_i
  input  logic                           l1m_gnt_i,
  output logic [31:0]                    l1m_addr_o,               // multiple of PortBytes
  input  logic                           l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input  logic                           l1m_err_i,                // there is no word

  // L0M: write port. A response for each granted request, in order, in a later cycle
  output logic                           l0m_req_o,                // held until l0m_gnt_i
  input  logic                           l0m_gnt_i,
  output logic [31:0]                    l0m_addr_o,               // multiple of PortBytes
  output logic [tl_pkg::PortBytes-1:0]   l0m_be_o,                 // bytes to write
  output logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input  logic                           l0m_rvalid_i,
  input  logic                           l0m_err_i                 // memory has not changed
);

  logic                  issue_valid;
  logic [31:0]           issue_instr;
  tl_pkg::host_t         issue_rs;
  tl_pkg::host_t         issue_rs2;
  logic                  result_ready;
  logic                  resume;
  logic                  issue_ready;
  logic                  result_valid;
  logic [7:0]            result_id;
  logic                  result_trap;
  logic [4:0]            result_cause;
  tl_pkg::host_t         result_tval;
  logic                  result_we;
  logic [4:0]            result_rd;
  tl_pkg::host_t         result_data;
  logic                  result_killed;
  logic                  busy;
  tl_pkg::meaning_bits_t meaning;
  // results come in order, so the adapter needs no id
  logic                  unused;

  assign unused = ^{result_id, result_we, result_rd, result_killed};

  tl_xif #(
    .IdWidth   (IdWidth),
    .HartWidth (HartWidth),
    .Entries   (Entries),
    .InFlight  (InFlight),
    .NumRs     (NumRs)
  ) u_xif (
    .clk_i                   (clk_i),
    .rst_ni                  (rst_ni),
    .x_issue_valid_i         (x_issue_valid_i),
    .x_issue_ready_o         (x_issue_ready_o),
    .x_issue_instr_i         (x_issue_instr_i),
    .x_issue_hartid_i        (x_issue_hartid_i),
    .x_issue_id_i            (x_issue_id_i),
    .x_issue_accept_o        (x_issue_accept_o),
    .x_issue_writeback_o     (x_issue_writeback_o),
    .x_issue_register_read_o (x_issue_register_read_o),
    .x_rs1_i                 (x_rs1_i),
    .x_rs2_i                 (x_rs2_i),
    .x_rs3_i                 (x_rs3_i),
    .x_rs_valid_i            (x_rs_valid_i),
    .x_commit_valid_i        (x_commit_valid_i),
    .x_commit_hartid_i       (x_commit_hartid_i),
    .x_commit_id_i           (x_commit_id_i),
    .x_commit_kill_i         (x_commit_kill_i),
    .x_result_valid_o        (x_result_valid_o),
    .x_result_ready_i        (x_result_ready_i),
    .x_result_hartid_o       (x_result_hartid_o),
    .x_result_id_o           (x_result_id_o),
    .x_result_data_o         (x_result_data_o),
    .x_result_rd_o           (x_result_rd_o),
    .x_result_we_o           (x_result_we_o),
    .fault_o                 (fault_o),
    .x_busy_o                (x_busy_o),
    .issue_valid_o           (issue_valid),
    .issue_ready_i           (issue_ready),
    .issue_instr_o           (issue_instr),
    .issue_rs_o              (issue_rs),
    .issue_rs2_o             (issue_rs2),
    .result_valid_i          (result_valid),
    .result_ready_o          (result_ready),
    .result_trap_i           (result_trap),
    .result_cause_i          (result_cause),
    .result_tval_i           (result_tval),
    .result_data_i           (result_data),
    .resume_o                (resume),
    .meaning_i               (meaning),
    .busy_i                  (busy)
  );

  tl_top #(
    .CsrOp (1'b1)
  ) u_unit (
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
    .busy_o          (busy),
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
