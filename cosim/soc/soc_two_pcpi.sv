// SPDX-License-Identifier: Apache-2.0

// Two units in the place of one: the bench watches u_first, and u_second has another configuration and prefix. The ports are those
// of tl_pcpi_top, with memory ports of the wider unit.
module soc_two_pcpi #(
  localparam int unsigned Bytes = second_pkg::PortBytes > tl_pkg::PortBytes ? second_pkg::PortBytes : tl_pkg::PortBytes
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               pcpi_valid_i,
  input  logic [31:0]        pcpi_insn_i,
  input  logic [31:0]        pcpi_rs1_i,
  input  logic [31:0]        pcpi_rs2_i,
  output logic               pcpi_wr_o,
  output logic [31:0]        pcpi_rd_o,
  output logic               pcpi_wait_o,
  output logic               pcpi_ready_o,
  input  logic               rvfi_valid_i,
  input  logic [4:0]         rvfi_rd_addr_i,
  input  logic [31:0]        rvfi_rd_wdata_i,
  output logic               trap_o,
  output logic               busy_o,
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

  logic [1:0]       u_valid, u_wr, u_wait, u_ready, u_trap, u_busy;
  logic [1:0][31:0] u_rd, u_trap_tval;
  logic [1:0][4:0]  u_trap_cause;

  assign trap_o = u_trap != '0;
  assign busy_o = u_busy != '0;

  tl_pcpi_split #(
    .Units    (2),
    .EngineIds({second_pkg::EngineId, tl_pkg::EngineId}),
    .HighCsrs ({second_pkg::CsrBase != 12'h800, tl_pkg::CsrBase != 12'h800}),
    .Matrix   ({second_pkg::Matrix != 0, tl_pkg::Matrix != 0})
  ) u_split (
    .u_valid_o      (u_valid),
    .u_wr_i         (u_wr),
    .u_rd_i         (u_rd),
    .u_wait_i       (u_wait),
    .u_ready_i      (u_ready),
    .u_trap_i       (u_trap),
    .u_trap_cause_i (u_trap_cause),
    .u_trap_tval_i  (u_trap_tval),
    .*
  );

  tl_pcpi_top u_first (
    .pcpi_valid_i            (u_valid[0]),
    .pcpi_wr_o               (u_wr[0]),
    .pcpi_rd_o               (u_rd[0]),
    .pcpi_wait_o             (u_wait[0]),
    .pcpi_ready_o            (u_ready[0]),
    .trap_o                  (u_trap[0]),
    .trap_cause_o            (u_trap_cause[0]),
    .trap_tval_o             (u_trap_tval[0]),
    .busy_o                  (u_busy[0]),
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

  second_pcpi_top u_second (
    .pcpi_valid_i            (u_valid[1]),
    .pcpi_wr_o               (u_wr[1]),
    .pcpi_rd_o               (u_rd[1]),
    .pcpi_wait_o             (u_wait[1]),
    .pcpi_ready_o            (u_ready[1]),
    .trap_o                  (u_trap[1]),
    .trap_cause_o            (u_trap_cause[1]),
    .trap_tval_o             (u_trap_tval[1]),
    .busy_o                  (u_busy[1]),
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
