// SPDX-License-Identifier: Apache-2.0
// The guard of the windows: an access to them does not begin while the unit is busy, every other one goes through as it is, and
// what the memory has seen stays until its grant. Assumed of the core (OBI): a request stays until its grant, with its address.
module tl_window_guard_facts (
  input logic clk_i,
  input logic rst_ni,
  input logic busy_i,
  input logic window_i,
  input logic core_req_i,
  input logic core_gnt_o,
  input logic mem_req_o,
  input logic mem_gnt_i
);

  logic running_q;
  logic waits_q;   // the core's request was there in the cycle before, without a grant
  logic window_q;
  logic shown_q;   // the same of the memory

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    waits_q  <= rst_ni && core_req_i && !core_gnt_o;
    window_q <= window_i;
    shown_q  <= rst_ni && mem_req_o && !mem_gnt_i;
    if (rst_ni) begin
      if (waits_q) assume (core_req_i && (window_i == window_q));
      if (mem_req_o) assert (core_req_i);
      if (core_req_i) assert (core_gnt_o == (mem_req_o && mem_gnt_i));
      if (shown_q) assert (mem_req_o);
      if (mem_req_o && window_i && busy_i) assert (shown_q);
      if (core_req_i && !(window_i && busy_i)) assert (mem_req_o);
      // Why: it is the guard's own register.
      assert (shown_q == tl_window_guard.shown_q);
    end
  end

endmodule

bind tl_window_guard tl_window_guard_facts u_facts (.*);
