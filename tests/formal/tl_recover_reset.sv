// SPDX-License-Identifier: Apache-2.0
// Dispatch executes nothing before the CSRs have their values after reset.
module tl_recover_reset (
  input logic clk_i,
  input logic rst_ni,
  input logic csr_ready_i,
  input logic open_o
);

  logic running_q;
  logic ready_q;    // they had them in the cycle before

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    ready_q   <= rst_ni && csr_ready_i;
    assume (rst_ni == running_q);
    if (rst_ni && !ready_q) assert (!open_o);
  end

endmodule

bind tl_recover tl_recover_reset u_reset (.*);
