// SPDX-License-Identifier: Apache-2.0
// For simulation alone: the bound within which the oldest instruction is answered, as one number. Cycles in which a memory
// owes something, or the host does not take a result, do not count. What is left is at most Start cycles, and 18 for each
// row of two registers: a row waits 17 cycles for its bank at most (tl_bank_arb_facts), and moves in the next one. A matrix
// access has a beat for each byte of its register at most.
module tl_top_bound (
  input logic clk_i,
  input logic rst_ni,
  input logic result_valid_o,
  input logic result_ready_i,
  input logic busy_o,
  input logic l1m_req_o,
  input logic l1m_gnt_i,
  input logic l1m_rvalid_i,
  input logic l0m_req_o,
  input logic l0m_gnt_i,
  input logic l0m_rvalid_i
);

  // After reset, or in front of the rows: registers that begin as zeros, walks over 32 slices, plans, pipelines.
  localparam int unsigned Start = 128;
  localparam int unsigned Beats = tl_pkg::Matrix == 0 ? 0 : tl_pkg::MxRows * tl_pkg::MxRowBytes;
  localparam int unsigned Bound = Start + 18 * 2 * tl_pkg::Rows + Beats;

  int unsigned own_q;     // cycles of the unit alone since the last answer
  int unsigned loads_q;   // requests without a response
  int unsigned stores_q;
  logic        owed;

  assign owed = (l1m_req_o && !l1m_gnt_i) || ((loads_q != 0) && !l1m_rvalid_i) || (l0m_req_o && !l0m_gnt_i) ||
      ((stores_q != 0) && !l0m_rvalid_i) || (result_valid_o && !result_ready_i);

  always_ff @(posedge clk_i) begin
    loads_q  <= rst_ni ? loads_q + 32'(l1m_req_o && l1m_gnt_i) - 32'(l1m_rvalid_i) : 0;
    stores_q <= rst_ni ? stores_q + 32'(l0m_req_o && l0m_gnt_i) - 32'(l0m_rvalid_i) : 0;
    if (!rst_ni || !busy_o || (result_valid_o && result_ready_i)) begin
      own_q <= 0;
    end else begin
      assert (own_q <= Bound);
      if (!owed) own_q <= own_q + 1;
    end
  end

endmodule

bind tl_top tl_top_bound u_bound (.*);
