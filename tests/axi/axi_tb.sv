// SPDX-License-Identifier: Apache-2.0
// The two masters with the names of signals that cocotbext-axi looks for.
module axi_tb #(
  parameter int unsigned AxiBytes   = 16,
  parameter int unsigned ReadWords  = 8,
  parameter int unsigned WriteWords = 4,
  parameter int unsigned PortBytes  = tl_pkg::PortBytes
) (
  input  logic                   clk,
  input  logic                   rst_n,
  input  logic                   l1m_req,
  output logic                   l1m_gnt,
  input  logic [31:0]            l1m_addr,
  output logic                   l1m_rvalid,
  output logic [8*PortBytes-1:0] l1m_rdata,
  output logic                   l1m_err,
  input  logic                   l0m_req,
  output logic                   l0m_gnt,
  input  logic [31:0]            l0m_addr,
  input  logic [PortBytes-1:0]   l0m_be,
  input  logic [8*PortBytes-1:0] l0m_wdata,
  output logic                   l0m_rvalid,
  output logic                   l0m_err,
  output logic [0:0]             axi_arid,
  output logic                   axi_arvalid,
  input  logic                   axi_arready,
  output logic [31:0]            axi_araddr,
  output logic [7:0]             axi_arlen,
  output logic [2:0]             axi_arsize,
  output logic [1:0]             axi_arburst,
  input  logic [0:0]             axi_rid,
  input  logic                   axi_rvalid,
  output logic                   axi_rready,
  input  logic [8*AxiBytes-1:0]  axi_rdata,
  input  logic [1:0]             axi_rresp,
  input  logic                   axi_rlast,
  output logic [0:0]             axi_awid,
  output logic                   axi_awvalid,
  input  logic                   axi_awready,
  output logic [31:0]            axi_awaddr,
  output logic [7:0]             axi_awlen,
  output logic [2:0]             axi_awsize,
  output logic [1:0]             axi_awburst,
  output logic                   axi_wvalid,
  input  logic                   axi_wready,
  output logic [8*AxiBytes-1:0]  axi_wdata,
  output logic [AxiBytes-1:0]    axi_wstrb,
  output logic                   axi_wlast,
  input  logic [0:0]             axi_bid,
  input  logic                   axi_bvalid,
  output logic                   axi_bready,
  input  logic [1:0]             axi_bresp
);

  assign {axi_arid, axi_awid}       = '0;
  assign {axi_arsize, axi_awsize}   = {2{3'($clog2(AxiBytes))}};
  assign {axi_arburst, axi_awburst} = {2{2'b01}};

  tl_axi_read #(
    .AxiBytes   (AxiBytes),
    .BurstWords (ReadWords)
  ) u_read (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .l1m_req_i     (l1m_req),
    .l1m_gnt_o     (l1m_gnt),
    .l1m_addr_i    (l1m_addr),
    .l1m_rvalid_o  (l1m_rvalid),
    .l1m_rdata_o   (l1m_rdata),
    .l1m_err_o     (l1m_err),
    .axi_arvalid_o (axi_arvalid),
    .axi_arready_i (axi_arready),
    .axi_araddr_o  (axi_araddr),
    .axi_arlen_o   (axi_arlen),
    .axi_rvalid_i  (axi_rvalid),
    .axi_rready_o  (axi_rready),
    .axi_rdata_i   (axi_rdata),
    .axi_rresp_i   (axi_rresp)
  );

  tl_axi_write #(
    .AxiBytes   (AxiBytes),
    .BurstWords (WriteWords)
  ) u_write (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .l0m_req_i     (l0m_req),
    .l0m_gnt_o     (l0m_gnt),
    .l0m_addr_i    (l0m_addr),
    .l0m_be_i      (l0m_be),
    .l0m_wdata_i   (l0m_wdata),
    .l0m_rvalid_o  (l0m_rvalid),
    .l0m_err_o     (l0m_err),
    .axi_awvalid_o (axi_awvalid),
    .axi_awready_i (axi_awready),
    .axi_awaddr_o  (axi_awaddr),
    .axi_awlen_o   (axi_awlen),
    .axi_wvalid_o  (axi_wvalid),
    .axi_wready_i  (axi_wready),
    .axi_wdata_o   (axi_wdata),
    .axi_wstrb_o   (axi_wstrb),
    .axi_wlast_o   (axi_wlast),
    .axi_bvalid_i  (axi_bvalid),
    .axi_bready_o  (axi_bready),
    .axi_bresp_i   (axi_bresp)
  );

endmodule
