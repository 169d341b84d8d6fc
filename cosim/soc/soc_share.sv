// SPDX-License-Identifier: Apache-2.0

// The memory ports of two units, in the low bits of their elements, on those of soc_bus. The first one goes first; the answer
// comes in the cycle after the grant, as there.
module soc_share #(
  parameter int unsigned Bytes = 16  // of a word of the memories: of the wider unit
) (
  input  logic                    clk_i,

  // The units
  input  logic [1:0]              u_l1m_req,
  output logic [1:0]              u_l1m_gnt,
  input  logic [1:0][31:0]        u_l1m_addr,
  output logic [1:0]              u_l1m_rvalid,
  output logic [8*Bytes-1:0]      u_l1m_rdata,
  input  logic [1:0]              u_l0m_req,
  output logic [1:0]              u_l0m_gnt,
  input  logic [1:0][31:0]        u_l0m_addr,
  input  logic [1:0][Bytes-1:0]   u_l0m_be,
  input  logic [1:0][8*Bytes-1:0] u_l0m_wdata,
  output logic [1:0]              u_l0m_rvalid,

  // soc_bus
  output logic                    l1m_req_o,
  input  logic                    l1m_gnt_i,
  output logic [31:0]             l1m_addr_o,
  input  logic                    l1m_rvalid_i,
  input  logic [8*Bytes-1:0]      l1m_rdata_i,
  output logic                    l0m_req_o,
  input  logic                    l0m_gnt_i,
  output logic [31:0]             l0m_addr_o,
  output logic [Bytes-1:0]        l0m_be_o,
  output logic [8*Bytes-1:0]      l0m_wdata_o,
  input  logic                    l0m_rvalid_i
);

  logic        l1m_second;    // the request is the second one's
  logic        l0m_second;
  logic        l1m_second_q;  // so is the answer
  logic        l0m_second_q;
  logic [31:0] place_q;       // of the unit's word of L1M in the wide one, in bytes
  logic [31:0] place;         // of its word of L0M

  assign l1m_second   = !u_l1m_req[0];
  assign l1m_req_o    = u_l1m_req != '0;
  assign l1m_addr_o   = u_l1m_addr[l1m_second];
  assign u_l1m_gnt    = {l1m_gnt_i && l1m_second, l1m_gnt_i};
  assign u_l1m_rvalid = {l1m_rvalid_i && l1m_second_q, l1m_rvalid_i && !l1m_second_q};
  assign u_l1m_rdata  = l1m_rdata_i >> (8 * place_q);

  assign l0m_second   = !u_l0m_req[0];
  assign l0m_req_o    = u_l0m_req != '0;
  assign l0m_addr_o   = u_l0m_addr[l0m_second];
  assign place        = l0m_addr_o % Bytes;
  assign l0m_be_o     = u_l0m_be[l0m_second] << place;
  assign l0m_wdata_o  = u_l0m_wdata[l0m_second] << (8 * place);
  assign u_l0m_gnt    = {l0m_gnt_i && l0m_second, l0m_gnt_i};
  assign u_l0m_rvalid = {l0m_rvalid_i && l0m_second_q, l0m_rvalid_i && !l0m_second_q};

  always_ff @(posedge clk_i) begin
    l1m_second_q <= l1m_second;
    l0m_second_q <= l0m_second;
    place_q      <= l1m_addr_o % Bytes;
  end

endmodule
