// SPDX-License-Identifier: Apache-2.0

// Two units in the place of one: the bench watches u_first, and u_second has another configuration and prefix. The ports are those
// of tl_xif_top, with memory ports of the wider unit.
module soc_two_xif #(
  parameter  int unsigned IdWidth = 4,
  parameter  int unsigned NumRs = 3,
  localparam int unsigned Bytes = second_pkg::PortBytes > tl_pkg::PortBytes ? second_pkg::PortBytes : tl_pkg::PortBytes
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               x_issue_valid_i,
  output logic               x_issue_ready_o,
  input  logic [31:0]        x_issue_instr_i,
  input  logic               x_issue_hartid_i,
  input  logic [IdWidth-1:0] x_issue_id_i,
  output logic               x_issue_accept_o,
  output logic               x_issue_writeback_o,
  output logic [2:0]         x_issue_register_read_o,
  input  logic [31:0]        x_rs1_i,
  input  logic [31:0]        x_rs2_i,
  input  logic [31:0]        x_rs3_i,
  input  logic [2:0]         x_rs_valid_i,
  input  logic               x_commit_valid_i,
  input  logic               x_commit_hartid_i,
  input  logic [IdWidth-1:0] x_commit_id_i,
  input  logic               x_commit_kill_i,
  output logic               x_result_valid_o,
  input  logic               x_result_ready_i,
  output logic               x_result_hartid_o,
  output logic [IdWidth-1:0] x_result_id_o,
  output logic [31:0]        x_result_data_o,
  output logic [4:0]         x_result_rd_o,
  output logic               x_result_we_o,
  output logic               fault_o,
  output logic               x_busy_o,
  output logic               l1m_req_o,
  input  logic               l1m_gnt_i,
  output logic [31:0]        l1m_addr_o,
  input  logic               l1m_rvalid_i,
  input  logic [8*Bytes-1:0] l1m_rdata_i,
  input  logic               l1m_err_i,
  output logic               l0m_req_o,
  input  logic               l0m_gnt_i,
  output logic [31:0]        l0m_addr_o,
  output logic [Bytes-1:0]   l0m_be_o,
  output logic [8*Bytes-1:0] l0m_wdata_o,
  input  logic               l0m_rvalid_i,
  input  logic               l0m_err_i
);

  logic [1:0]              u_issue_valid, u_issue_ready, u_issue_accept, u_issue_writeback;
  logic [1:0][2:0]         u_issue_register_read;
  logic [1:0]              u_commit_valid, u_result_valid, u_result_ready, u_result_hartid, u_result_we, u_fault, u_busy;
  logic [1:0][IdWidth-1:0] u_commit_id, u_result_id;
  logic [1:0][31:0]        u_result_data;
  logic [1:0][4:0]         u_result_rd;

  assign fault_o  = u_fault != '0;
  assign x_busy_o = u_busy != '0;

  tl_xif_split #(
    .Units    (2),
    .IdWidth  (IdWidth),
    .EngineIds({second_pkg::EngineId, tl_pkg::EngineId}),
    .HighCsrs ({second_pkg::CsrBase != 12'h800, tl_pkg::CsrBase != 12'h800}),
    .Matrix   ({second_pkg::Matrix != 0, tl_pkg::Matrix != 0})
  ) u_split (
    .u_issue_valid_o         (u_issue_valid),
    .u_issue_ready_i         (u_issue_ready),
    .u_issue_accept_i        (u_issue_accept),
    .u_issue_writeback_i     (u_issue_writeback),
    .u_issue_register_read_i (u_issue_register_read),
    .u_commit_valid_o        (u_commit_valid),
    .u_commit_id_o           (u_commit_id),
    .u_result_valid_i        (u_result_valid),
    .u_result_ready_o        (u_result_ready),
    .u_result_hartid_i       (u_result_hartid),
    .u_result_id_i           (u_result_id),
    .u_result_data_i         (u_result_data),
    .u_result_rd_i           (u_result_rd),
    .u_result_we_i           (u_result_we),
    .*
  );

  tl_xif_top #(
    .IdWidth(IdWidth),
    .NumRs  (NumRs)
  ) u_first (
    .x_issue_valid_i         (u_issue_valid[0]),
    .x_issue_ready_o         (u_issue_ready[0]),
    .x_issue_accept_o        (u_issue_accept[0]),
    .x_issue_writeback_o     (u_issue_writeback[0]),
    .x_issue_register_read_o (u_issue_register_read[0]),
    .x_commit_valid_i        (u_commit_valid[0]),
    .x_commit_id_i           (u_commit_id[0]),
    .x_result_valid_o        (u_result_valid[0]),
    .x_result_ready_i        (u_result_ready[0]),
    .x_result_hartid_o       (u_result_hartid[0]),
    .x_result_id_o           (u_result_id[0]),
    .x_result_data_o         (u_result_data[0]),
    .x_result_rd_o           (u_result_rd[0]),
    .x_result_we_o           (u_result_we[0]),
    .fault_o                 (u_fault[0]),
    .x_busy_o                (u_busy[0]),
    .l1m_req_o               (u_l1m_req[0]),
    .l1m_gnt_i               (u_l1m_gnt[0]),
    .l1m_addr_o              (u_l1m_addr[0]),
    .l1m_rvalid_i            (u_l1m_rvalid[0]),
    .l1m_rdata_i             (u_l1m_rdata),
    .l0m_req_o               (u_l0m_req[0]),
    .l0m_gnt_i               (u_l0m_gnt[0]),
    .l0m_addr_o              (u_l0m_addr[0]),
    .l0m_be_o                (u_l0m_be[0]),
    .l0m_wdata_o             (u_l0m_wdata[0]),
    .l0m_rvalid_i            (u_l0m_rvalid[0]),
    .*
  );

  second_xif_top #(
    .IdWidth(IdWidth),
    .NumRs  (NumRs)
  ) u_second (
    .x_issue_valid_i         (u_issue_valid[1]),
    .x_issue_ready_o         (u_issue_ready[1]),
    .x_issue_accept_o        (u_issue_accept[1]),
    .x_issue_writeback_o     (u_issue_writeback[1]),
    .x_issue_register_read_o (u_issue_register_read[1]),
    .x_commit_valid_i        (u_commit_valid[1]),
    .x_commit_id_i           (u_commit_id[1]),
    .x_result_valid_o        (u_result_valid[1]),
    .x_result_ready_i        (u_result_ready[1]),
    .x_result_hartid_o       (u_result_hartid[1]),
    .x_result_id_o           (u_result_id[1]),
    .x_result_data_o         (u_result_data[1]),
    .x_result_rd_o           (u_result_rd[1]),
    .x_result_we_o           (u_result_we[1]),
    .fault_o                 (u_fault[1]),
    .x_busy_o                (u_busy[1]),
    .l1m_req_o               (u_l1m_req[1]),
    .l1m_gnt_i               (u_l1m_gnt[1]),
    .l1m_addr_o              (u_l1m_addr[1]),
    .l1m_rvalid_i            (u_l1m_rvalid[1]),
    .l1m_rdata_i             (u_l1m_rdata),
    .l0m_req_o               (u_l0m_req[1]),
    .l0m_gnt_i               (u_l0m_gnt[1]),
    .l0m_addr_o              (u_l0m_addr[1]),
    .l0m_be_o                (u_l0m_be[1]),
    .l0m_wdata_o             (u_l0m_wdata[1]),
    .l0m_rvalid_i            (u_l0m_rvalid[1]),
    .*
  );

  logic [1:0]              u_l1m_req, u_l1m_gnt, u_l1m_rvalid, u_l0m_req, u_l0m_gnt, u_l0m_rvalid;
  logic [1:0][31:0]        u_l1m_addr, u_l0m_addr;
  logic [8*Bytes-1:0]      u_l1m_rdata;
  logic [1:0][Bytes-1:0]   u_l0m_be;
  logic [1:0][8*Bytes-1:0] u_l0m_wdata;

  soc_share #(
    .Bytes(Bytes)
  ) u_share (.*);

endmodule
