// SPDX-License-Identifier: Apache-2.0
// tl_xif_top and a core with the extension interface, with the ports of tl_top: the bench sees a unit that takes its time.
// With BEHIND_AXI it is tl_xif_axi_top with a memory.

`ifdef BEHIND_AXI
`define TL_XIF u_axi.u_unit
`else
`define TL_XIF u_xif
`endif

module tl_xif_bench #(
  parameter int unsigned IdWidth   = 4,
  parameter int unsigned HartWidth = 1,
  parameter int unsigned Entries   = 8,
  parameter int unsigned InFlight  = 32,
  parameter int unsigned NumRs     = 3,
  // with BEHIND_AXI
  parameter int unsigned AxiBytes   = tl_pkg::PortBytes,
  parameter int unsigned ReadWords  = 8,
  parameter int unsigned WriteWords = 4,
  parameter int unsigned Bursts     = 16
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

  logic                 x_issue_valid, x_issue_ready, x_issue_accept, x_issue_writeback;
  logic [31:0]          x_issue_instr;
  tl_pkg::host_t        x_rs1, x_rs2, x_rs3;
  logic [2:0]           x_issue_register_read, x_rs_valid;
  logic                 x_commit_valid, x_commit_other, x_commit_kill;
  logic                 x_result_valid, x_result_ready, x_result_we;
  tl_pkg::host_t        x_result_data;
  logic [4:0]           x_result_rd;
  logic [IdWidth-1:0]   x_issue_id, x_commit_id, x_result_id;
  logic [HartWidth-1:0] x_result_hartid;
  logic                 fault, x_busy;
  tl_pkg::host_t        rs2;
  logic                 refused;  // for the bench: the result is of an instruction that the unit has not seen
  logic [2:0]           options;  // of the host; from the bench
  logic [7:0]           store_tag;  // for the bench, with BEHIND_AXI

`ifdef MATRIX
  assign rs2 = issue_rs2_i;
`else
  assign rs2 = issue_rs_i;
`endif

`ifdef BEHIND_AXI
  logic                  axi_arvalid_o, axi_arready_i, axi_rvalid_i, axi_rready_o;
  logic                  axi_awvalid_o, axi_awready_i, axi_wvalid_o, axi_wready_i, axi_wlast_o, axi_bvalid_i, axi_bready_o;
  logic [31:0]           axi_araddr_o, axi_awaddr_o;
  logic [7:0]            axi_arlen_o, axi_awlen_o;
  logic [8*AxiBytes-1:0] axi_rdata_i, axi_wdata_o;
  logic [AxiBytes-1:0]   axi_wstrb_o;
  logic [1:0]            axi_rresp_i, axi_bresp_i;

  axi_memory #(
    .PortBytes  (tl_pkg::PortBytes),
    .AxiBytes   (AxiBytes),
    .ReadWords  (ReadWords),
    .WriteWords (WriteWords),
    .Bursts     (Bursts)
  ) u_memory (
    .calm_i    (1'b0),
    .arvalid_i (axi_arvalid_o),
    .arready_o (axi_arready_i),
    .araddr_i  (axi_araddr_o),
    .arlen_i   (axi_arlen_o),
    .rvalid_o  (axi_rvalid_i),
    .rready_i  (axi_rready_o),
    .rdata_o   (axi_rdata_i),
    .rresp_o   (axi_rresp_i),
    .awvalid_i (axi_awvalid_o),
    .awready_o (axi_awready_i),
    .awaddr_i  (axi_awaddr_o),
    .awlen_i   (axi_awlen_o),
    .wvalid_i  (axi_wvalid_o),
    .wready_o  (axi_wready_i),
    .wdata_i   (axi_wdata_o),
    .wstrb_i   (axi_wstrb_o),
    .wlast_i   (axi_wlast_o),
    .bvalid_o  (axi_bvalid_i),
    .bready_i  (axi_bready_o),
    .bresp_o   (axi_bresp_i),
    .*
  );

  store_tags u_store_tags (
    .given_i   (u_axi.l0m_req && u_axi.l0m_gnt),
    .tag_i     (8'(`TL_XIF.u_unit.store_tag)),
    .written_i (l0m_req_o && l0m_gnt_i),
    .tag_o     (store_tag),
    .*
  );

  tl_xif_axi_top #(
    .AxiBytes   (AxiBytes),
    .ReadWords  (ReadWords),
    .WriteWords (WriteWords),
    .Bursts     (Bursts),
`else
  tl_xif_top #(
`endif
    .IdWidth   (IdWidth),
    .HartWidth (HartWidth),
    .Entries   (Entries),
    .InFlight  (InFlight),
    .NumRs     (NumRs)
`ifdef BEHIND_AXI
  ) u_axi (
`else
  ) u_xif (
`endif
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
    .x_commit_hartid_i       (x_commit_other ? HartWidth'(x_commit_id) & ~HartWidth'(1) : '1),
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
    .unit_busy_i    (`TL_XIF.u_unit.busy_o),
    .unit_ready_i   (`TL_XIF.issue_ready),
    .unit_valid_i   (`TL_XIF.u_unit.result_valid_o),
    .unit_trap_i    (`TL_XIF.u_unit.result_trap_o),
    .unit_cause_i   (`TL_XIF.u_unit.result_cause_o),
    .unit_tval_i    (`TL_XIF.u_unit.result_tval_o),
    .unit_killed_i  (`TL_XIF.u_unit.result_killed_o),
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
    .x_commit_other_o (x_commit_other),
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
