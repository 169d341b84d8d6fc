// SPDX-License-Identifier: Apache-2.0

// The unit as co-processor of a core with CV-X-IF 1.0 and as AXI4 master: tl_xif_top, with
// tl_axi_read for L1M and tl_axi_write for L0M. AXI signals without a port are constant, as those
// of tl_axi_top.
module tl_xif_axi_top #(
  parameter int unsigned IdWidth = 4,           // X_ID_WIDTH of the core
  parameter int unsigned HartWidth = 1,         // X_HARTID_WIDTH of the core
  // instructions between issue and the unit: a power of two, 2 or more
  parameter int unsigned Entries = 8,
  parameter int unsigned InFlight = 32,         // instructions in the unit at most: 2, 4, 8 ...
  parameter int unsigned NumRs = 3,             // X_NUM_RS of the core; with gpr_rs1 also 2
  // bytes of a beat: a power of two, PortBytes to 64
  parameter int unsigned AxiBytes = tl_pkg::PortBytes,
  // words of L1M in a burst: a power of two, to 256 and to 4096 / PortBytes
  parameter int unsigned ReadWords = 8,
  parameter int unsigned WriteWords = 4,        // the same for L0M
  // outstanding bursts of each master at most: a power of two, 2 or more
  parameter int unsigned Bursts = 16
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

  // AXI4, read channels
  output logic                           axi_arvalid_o,
  input  logic                           axi_arready_i,
  output logic [31:0]                    axi_araddr_o,
  output logic [7:0]                     axi_arlen_o,
  input  logic                           axi_rvalid_i,
  output logic                           axi_rready_o,
  input  logic [8*AxiBytes-1:0]          axi_rdata_i,
  input  logic [1:0]                     axi_rresp_i,

  // AXI4, write channels
  output logic                           axi_awvalid_o,
  input  logic                           axi_awready_i,
  output logic [31:0]                    axi_awaddr_o,
  output logic [7:0]                     axi_awlen_o,
  output logic                           axi_wvalid_o,
  input  logic                           axi_wready_i,
  output logic [8*AxiBytes-1:0]          axi_wdata_o,
  output logic [AxiBytes-1:0]            axi_wstrb_o,
  output logic                           axi_wlast_o,
  input  logic                           axi_bvalid_i,
  output logic                           axi_bready_o,
  input  logic [1:0]                     axi_bresp_i
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;

  logic                   l1m_req;
  logic [31:0]            l1m_addr;
  logic                   l0m_req;
  logic [31:0]            l0m_addr;
  logic [PortBytes-1:0]   l0m_be;
  logic [8*PortBytes-1:0] l0m_wdata;
  logic                   l1m_gnt;
  logic                   l1m_rvalid;
  logic [8*PortBytes-1:0] l1m_rdata;
  logic                   l1m_err;
  logic                   l0m_gnt;
  logic                   l0m_rvalid;
  logic                   l0m_err;

  tl_xif_top #(
    .IdWidth   (IdWidth),
    .HartWidth (HartWidth),
    .Entries   (Entries),
    .InFlight  (InFlight),
    .NumRs     (NumRs)
  ) u_unit (
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
    .l1m_req_o               (l1m_req),
    .l1m_gnt_i               (l1m_gnt),
    .l1m_addr_o              (l1m_addr),
    .l1m_rvalid_i            (l1m_rvalid),
    .l1m_rdata_i             (l1m_rdata),
    .l1m_err_i               (l1m_err),
    .l0m_req_o               (l0m_req),
    .l0m_gnt_i               (l0m_gnt),
    .l0m_addr_o              (l0m_addr),
    .l0m_be_o                (l0m_be),
    .l0m_wdata_o             (l0m_wdata),
    .l0m_rvalid_i            (l0m_rvalid),
    .l0m_err_i               (l0m_err)
  );

  tl_axi_read #(
    .AxiBytes   (AxiBytes),
    .BurstWords (ReadWords),
    .Bursts     (Bursts)
  ) u_read (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .l1m_req_i     (l1m_req),
    .l1m_gnt_o     (l1m_gnt),
    .l1m_addr_i    (l1m_addr),
    .l1m_rvalid_o  (l1m_rvalid),
    .l1m_rdata_o   (l1m_rdata),
    .l1m_err_o     (l1m_err),
    .axi_arvalid_o (axi_arvalid_o),
    .axi_arready_i (axi_arready_i),
    .axi_araddr_o  (axi_araddr_o),
    .axi_arlen_o   (axi_arlen_o),
    .axi_rvalid_i  (axi_rvalid_i),
    .axi_rready_o  (axi_rready_o),
    .axi_rdata_i   (axi_rdata_i),
    .axi_rresp_i   (axi_rresp_i)
  );

  tl_axi_write #(
    .AxiBytes   (AxiBytes),
    .BurstWords (WriteWords),
    .Bursts     (Bursts)
  ) u_write (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .l0m_req_i     (l0m_req),
    .l0m_gnt_o     (l0m_gnt),
    .l0m_addr_i    (l0m_addr),
    .l0m_be_i      (l0m_be),
    .l0m_wdata_i   (l0m_wdata),
    .l0m_rvalid_o  (l0m_rvalid),
    .l0m_err_o     (l0m_err),
    .axi_awvalid_o (axi_awvalid_o),
    .axi_awready_i (axi_awready_i),
    .axi_awaddr_o  (axi_awaddr_o),
    .axi_awlen_o   (axi_awlen_o),
    .axi_wvalid_o  (axi_wvalid_o),
    .axi_wready_i  (axi_wready_i),
    .axi_wdata_o   (axi_wdata_o),
    .axi_wstrb_o   (axi_wstrb_o),
    .axi_wlast_o   (axi_wlast_o),
    .axi_bvalid_i  (axi_bvalid_i),
    .axi_bready_o  (axi_bready_o),
    .axi_bresp_i   (axi_bresp_i)
  );

endmodule
