// SPDX-License-Identifier: Apache-2.0

// Order between a core and the unit: holds the core's accesses to L1M and L0M while the unit is
// busy. It is between the core's data port (OBI, or any request that stays until its grant) and the
// memories. Responses do not pass through it. A request that the memory has already seen is not
// withdrawn.
module tl_window_guard (
  input  logic clk_i,
  // asynchronous assert, synchronous release
  input  logic rst_ni,

  input  logic busy_i,      // a committed instruction of the unit has no result yet
  input  logic window_i,    // the address is in L1M or L0M
  input  logic core_req_i,
  output logic core_gnt_o,  // held at 0 for L1M and L0M while busy_i is 1
  output logic mem_req_o,
  input  logic mem_gnt_i
);

  logic shown_q;  // the request was there in the cycle before, without a grant
  logic hold;

  assign hold       = window_i && busy_i && !shown_q;
  assign mem_req_o  = core_req_i && !hold;
  assign core_gnt_o = mem_gnt_i && !hold;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) shown_q <= 1'b0;
    else shown_q <= mem_req_o && !mem_gnt_i;
  end

endmodule
