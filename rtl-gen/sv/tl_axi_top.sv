// SPDX-License-Identifier: Apache-2.0

// The unit as AXI4 master: tl_top, with tl_axi_read for L1M and tl_axi_write for L0M. AXI signals
// without a port are constant: the size of a beat is AxiBytes, the burst type INCR, the id always
// the same.
module tl_axi_top #(
  // bytes of a beat: a power of two, PortBytes to 64
  parameter int unsigned AxiBytes = tl_pkg::PortBytes,
  // words of L1M in a burst: a power of two, to 256 and to 4096 / PortBytes
  parameter int unsigned ReadWords = 8,
  parameter int unsigned WriteWords = 4,        // the same for L0M
  // outstanding bursts of each master at most: a power of two, 2 or more
  parameter int unsigned Bursts = 16
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,           // asynchronous assert, synchronous release

  // Issue: every instruction that is accepted gives one result, in the same order
  input  logic                    issue_valid_i,
  output logic                    issue_ready_o,
  input  logic [31:0]             issue_instr_i,
  // x[11:7], or x[19:15] for CSR and matrix instructions
  input  logic [tl_pkg::Xlen-1:0] issue_rs_i,
  // x[24:20]: the stride of a matrix access; any value if the unit has no matrix instructions
  input  logic [tl_pkg::Xlen-1:0] issue_rs2_i,
  input  logic [7:0]              issue_id_i,       // echoed with the result

  // Result
  output logic                    result_valid_o,
  input  logic                    result_ready_i,
  output logic [7:0]              result_id_o,
  output logic                    result_trap_o,
  output logic [4:0]              result_cause_o,   // exception code of a trap
  output logic [tl_pkg::Xlen-1:0] result_tval_o,
  output logic                    result_we_o,      // write result_data_o to x[result_rd_o]
  output logic [4:0]              result_rd_o,
  output logic [tl_pkg::Xlen-1:0] result_data_o,
  // an older instruction trapped: this one has changed nothing
  output logic                    result_killed_o,
  // the host has seen the trap: instructions accepted after this cycle are executed
  input  logic                    resume_i,

  // 1 while an accepted instruction has no result yet, and while the unit starts or recovers
  output logic                    busy_o,

  // AXI4, read channels
  output logic                    axi_arvalid_o,
  input  logic                    axi_arready_i,
  output logic [31:0]             axi_araddr_o,
  output logic [7:0]              axi_arlen_o,
  input  logic                    axi_rvalid_i,
  output logic                    axi_rready_o,
  input  logic [8*AxiBytes-1:0]   axi_rdata_i,
  input  logic [1:0]              axi_rresp_i,

  // AXI4, write channels
  output logic                    axi_awvalid_o,
  input  logic                    axi_awready_i,
  output logic [31:0]             axi_awaddr_o,
  output logic [7:0]              axi_awlen_o,
  output logic                    axi_wvalid_o,
  input  logic                    axi_wready_i,
  output logic [8*AxiBytes-1:0]   axi_wdata_o,
  output logic [AxiBytes-1:0]     axi_wstrb_o,
  output logic                    axi_wlast_o,
  input  logic                    axi_bvalid_i,
  output logic                    axi_bready_o,
  input  logic [1:0]              axi_bresp_i
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;

  tl_pkg::meaning_bits_t  meaning;
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
  logic                   unused;      // only other adapters use it

  assign unused = ^{meaning};

  tl_top u_unit (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .issue_valid_i   (issue_valid_i),
    .issue_ready_o   (issue_ready_o),
    .issue_instr_i   (issue_instr_i),
    .issue_rs_i      (issue_rs_i),
    .issue_rs2_i     (issue_rs2_i),
    .issue_id_i      (issue_id_i),
    .result_valid_o  (result_valid_o),
    .result_ready_i  (result_ready_i),
    .result_id_o     (result_id_o),
    .result_trap_o   (result_trap_o),
    .result_cause_o  (result_cause_o),
    .result_tval_o   (result_tval_o),
    .result_we_o     (result_we_o),
    .result_rd_o     (result_rd_o),
    .result_data_o   (result_data_o),
    .result_killed_o (result_killed_o),
    .resume_i        (resume_i),
    .busy_o          (busy_o),
    .meaning_o       (meaning),
    .l1m_req_o       (l1m_req),
    .l1m_gnt_i       (l1m_gnt),
    .l1m_addr_o      (l1m_addr),
    .l1m_rvalid_i    (l1m_rvalid),
    .l1m_rdata_i     (l1m_rdata),
    .l1m_err_i       (l1m_err),
    .l0m_req_o       (l0m_req),
    .l0m_gnt_i       (l0m_gnt),
    .l0m_addr_o      (l0m_addr),
    .l0m_be_o        (l0m_be),
    .l0m_wdata_o     (l0m_wdata),
    .l0m_rvalid_i    (l0m_rvalid),
    .l0m_err_i       (l0m_err)
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
