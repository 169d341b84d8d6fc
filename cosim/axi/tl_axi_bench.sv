// SPDX-License-Identifier: Apache-2.0
// tl_axi_top and a memory behind AXI4, with the ports of tl_top: the bench sees a unit that takes its time.
module tl_axi_bench #(
  parameter int unsigned AxiBytes = tl_pkg::PortBytes
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           issue_valid_i,
  output logic                           issue_ready_o,
  input  logic [31:0]                    issue_instr_i,
  input  tl_pkg::host_t                  issue_rs_i,
  input  tl_pkg::host_t                  issue_rs2_i,
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

  logic                  arvalid, arready, rvalid, rready;
  logic                  awvalid, awready, wvalid, wready, wlast, bvalid, bready;
  logic [31:0]           araddr, awaddr;
  logic [7:0]            arlen, awlen;
  logic [8*AxiBytes-1:0] rdata, wdata;
  logic [AxiBytes-1:0]   wstrb;
  logic [1:0]            rresp, bresp;
  logic [7:0]            store_tag;  // for the bench
  logic                  calm;  // the memory waits for nothing; the bench writes it

  tl_axi_top #(
    .AxiBytes (AxiBytes)
  ) u_axi (
    .axi_arvalid_o (arvalid),
    .axi_arready_i (arready),
    .axi_araddr_o  (araddr),
    .axi_arlen_o   (arlen),
    .axi_rvalid_i  (rvalid),
    .axi_rready_o  (rready),
    .axi_rdata_i   (rdata),
    .axi_rresp_i   (rresp),
    .axi_awvalid_o (awvalid),
    .axi_awready_i (awready),
    .axi_awaddr_o  (awaddr),
    .axi_awlen_o   (awlen),
    .axi_wvalid_o  (wvalid),
    .axi_wready_i  (wready),
    .axi_wdata_o   (wdata),
    .axi_wstrb_o   (wstrb),
    .axi_wlast_o   (wlast),
    .axi_bvalid_i  (bvalid),
    .axi_bready_o  (bready),
    .axi_bresp_i   (bresp),
    .*
  );

  axi_memory #(
    .PortBytes (tl_pkg::PortBytes),
    .AxiBytes  (AxiBytes)
  ) u_memory (
    .calm_i    (calm),
    .arvalid_i (arvalid),
    .arready_o (arready),
    .araddr_i  (araddr),
    .arlen_i   (arlen),
    .rvalid_o  (rvalid),
    .rready_i  (rready),
    .rdata_o   (rdata),
    .rresp_o   (rresp),
    .awvalid_i (awvalid),
    .awready_o (awready),
    .awaddr_i  (awaddr),
    .awlen_i   (awlen),
    .wvalid_i  (wvalid),
    .wready_o  (wready),
    .wdata_i   (wdata),
    .wstrb_i   (wstrb),
    .wlast_i   (wlast),
    .bvalid_o  (bvalid),
    .bready_i  (bready),
    .bresp_o   (bresp),
    .*
  );

  store_tags u_store_tags (
    .given_i   (u_axi.l0m_req && u_axi.l0m_gnt),
    .tag_i     (8'(u_axi.u_unit.store_tag)),
    .written_i (l0m_req_o && l0m_gnt_i),
    .tag_o     (store_tag),
    .*
  );

endmodule
