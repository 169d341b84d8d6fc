// SPDX-License-Identifier: Apache-2.0
// The write port of tensor stores: requests are stable until they are granted, at most 16 are without a response, and there is
// room for each row that is read. Assumed of the memory: a response comes for a request only, in a later cycle.
module tl_store_facts (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           l0m_req_o,
  input logic                           l0m_gnt_i,
  input logic [31:0]                    l0m_addr_o,
  input logic [tl_pkg::PortBytes-1:0]   l0m_be_o,
  input logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input logic                           l0m_rvalid_i
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;

  logic                    running_q;
  logic                    asked_q;    // there was a request, which was not granted
  logic [31+9*PortBytes:0] shown_q;    // what was on the port
  logic [31+9*PortBytes:0] shown;
  logic [4:0]              pending_q;  // requests without a response

  assign shown = {l0m_addr_o, l0m_be_o, l0m_wdata_o};

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q   <= rst_ni && l0m_req_o && !l0m_gnt_i;
    shown_q   <= shown;
    pending_q <= rst_ni ? pending_q + 5'(l0m_req_o && l0m_gnt_i) - 5'(l0m_rvalid_i) : '0;
    if (rst_ni) begin
      if (l0m_rvalid_i) assume (pending_q != '0);
      if (asked_q) assert (l0m_req_o && (shown == shown_q));
      assert (l0m_addr_o % PortBytes == '0);
      assert (pending_q <= 5'd16);
      if (tl_store.word_valid_q) assert (tl_store.u_ready.ready_o);
      // Why: what is read is on its way, or waits for the port.
      assert (tl_store.u_waiting.count_q == pending_q);
      assert (tl_store.held_q <= 5'd16);
      assert (tl_store.held_q == tl_store.u_ready.count_q + 5'(tl_store.asked_valid_q) + 5'(tl_store.rows_valid_q)
              + 5'(tl_store.word_valid_q));
      if (asked_q) assert (tl_store.u_ready.valid_o);
      if (asked_q) assert (tl_store.u_waiting.ready_o);
    end
  end

endmodule

bind tl_store tl_store_facts u_facts (.*);
