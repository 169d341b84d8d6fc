// SPDX-License-Identifier: Apache-2.0
// tl_xif_top and a core with the extension interface, with the ports of tl_top: the bench sees a unit that takes its time.
module tl_xif_bench #(
  parameter int unsigned NumRs = 3
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           issue_valid_i,
  output logic                           issue_ready_o,
  input  logic [31:0]                    issue_instr_i,
  input  tl_pkg::host_t                  issue_rs_i,
`ifdef MATRIX
  input  tl_pkg::host_t                  issue_rs2_i,
`endif
  input  logic [7:0]                     issue_id_i,
  output logic                           result_valid_o,
  input  logic                           result_ready_i,
  output logic [7:0]                     result_id_o,
  output logic                           result_trap_o,
  output logic [4:0]                     result_cause_o,
  output tl_pkg::host_t                  result_tval_o,
  output logic                           result_we_o,
  output logic [4:0]                     result_rd_o,
  output tl_pkg::host_t                  result_data_o,
  output logic                           result_killed_o,
  input  logic                           resume_i,
  output logic                           busy_o,
  output logic                           l1m_req_o,
  input  logic                           l1m_gnt_i,
  output logic [31:0]                    l1m_addr_o,
  input  logic                           l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input  logic                           l1m_err_i,
  output logic                           l0m_req_o,
  input  logic                           l0m_gnt_i,
  output logic [31:0]                    l0m_addr_o,
  output logic [tl_pkg::PortBytes-1:0]   l0m_be_o,
  output logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input  logic                           l0m_rvalid_i,
  input  logic                           l0m_err_i
);

  localparam int unsigned IdWidth   = 4;
  localparam int unsigned HartWidth = 1;

  logic                 x_issue_valid, x_issue_ready, x_issue_accept, x_issue_writeback;
  logic [31:0]          x_issue_instr;
  tl_pkg::host_t        x_rs1, x_rs2, x_rs3;
  logic [2:0]           x_issue_register_read, x_rs_valid;
  logic                 x_commit_valid, x_commit_kill;
  logic                 x_result_valid, x_result_ready, x_result_we;
  tl_pkg::host_t        x_result_data;
  logic [4:0]           x_result_rd;
  logic [IdWidth-1:0]   x_issue_id, x_commit_id, x_result_id;
  logic [HartWidth-1:0] x_result_hartid;
  logic                 fault, x_busy;
  tl_pkg::host_t        rs2;
  logic                 refused;  // for the bench: the result is of an instruction that the unit has not seen
  logic [2:0]           options;  // of the host; from the bench

`ifdef MATRIX
  assign rs2 = issue_rs2_i;
`else
  assign rs2 = issue_rs_i;
`endif

  tl_xif_top #(
    .IdWidth   (IdWidth),
    .HartWidth (HartWidth),
    .NumRs     (NumRs)
  ) u_xif (
    .x_issue_valid_i         (x_issue_valid),
    .x_issue_ready_o         (x_issue_ready),
    .x_issue_instr_i         (x_issue_instr),
    .x_issue_hartid_i        ('1),
    .x_issue_id_i            (x_issue_id),
    .x_issue_accept_o        (x_issue_accept),
    .x_issue_writeback_o     (x_issue_writeback),
    .x_issue_register_read_o (x_issue_register_read),
    .x_rs1_i                 (x_rs1),
    .x_rs2_i                 (x_rs2),
    .x_rs3_i                 (x_rs3),
    .x_rs_valid_i            (x_rs_valid),
    .x_commit_valid_i        (x_commit_valid),
    .x_commit_hartid_i       ('1),
    .x_commit_id_i           (x_commit_id),
    .x_commit_kill_i         (x_commit_kill),
    .x_result_valid_o        (x_result_valid),
    .x_result_ready_i        (x_result_ready),
    .x_result_hartid_o       (x_result_hartid),
    .x_result_id_o           (x_result_id),
    .x_result_data_o         (x_result_data),
    .x_result_rd_o           (x_result_rd),
    .x_result_we_o           (x_result_we),
    .fault_o                 (fault),
    .x_busy_o                (x_busy),
    .*
  );

  xif_host #(
    .IdWidth (IdWidth),
    .NumRs   (NumRs),
    .Precise (tl_pkg::Precise)
  ) u_host (
    .options_i      (options),
    .issue_rs2_i    (rs2),
    .local_o        (refused),
    .x_hart_ok_i    (x_result_hartid == '1),
    .fault_i        (fault),
    .x_busy_i       (x_busy),
    .unit_busy_i    (u_xif.u_unit.busy_o),
    .unit_ready_i   (u_xif.issue_ready),
    .unit_valid_i   (u_xif.u_unit.result_valid_o),
    .unit_trap_i    (u_xif.u_unit.result_trap_o),
    .unit_cause_i   (u_xif.u_unit.result_cause_o),
    .unit_tval_i    (u_xif.u_unit.result_tval_o),
    .unit_killed_i  (u_xif.u_unit.result_killed_o),
    .x_valid_o      (x_issue_valid),
    .x_ready_i      (x_issue_ready),
    .x_instr_o      (x_issue_instr),
    .x_id_o         (x_issue_id),
    .x_accept_i     (x_issue_accept),
    .x_writeback_i  (x_issue_writeback),
    .x_reads_i      (x_issue_register_read),
    .x_rs1_o        (x_rs1),
    .x_rs2_o        (x_rs2),
    .x_rs3_o        (x_rs3),
    .x_rs_valid_o   (x_rs_valid),
    .x_commit_o     (x_commit_valid),
    .x_commit_id_o  (x_commit_id),
    .x_kill_o       (x_commit_kill),
    .x_result_i     (x_result_valid),
    .x_taken_o      (x_result_ready),
    .x_result_id_i  (x_result_id),
    .x_data_i       (x_result_data),
    .x_rd_i         (x_result_rd),
    .x_we_i         (x_result_we),
    .*
  );

endmodule
