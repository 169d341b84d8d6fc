// SPDX-License-Identifier: Apache-2.0
// How the registers of a FIFO belong together: what proofs of modules with FIFOs build on.
module tl_fifo_state #(
  parameter int unsigned Depth   = 4,
  parameter int unsigned Refuses = 1
) (
  input logic clk_i,
  input logic rst_ni,
  input logic valid_i,
  input logic valid_o,
  input logic ready_o
);

  localparam int unsigned CountW = $clog2(Depth) + 1;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (tl_fifo.count_q <= CountW'(Depth));
      assert (valid_o == (tl_fifo.count_q != '0));
      if (Refuses != 0) assert (ready_o == (tl_fifo.count_q != CountW'(Depth)));
      // Whoever does without a refusal has room.
      if (Refuses == 0) assert (ready_o && !(valid_i && (tl_fifo.count_q == CountW'(Depth))));
      if (valid_o) assert (tl_fifo.one_q == (tl_fifo.count_q == CountW'(1)));
      if (Refuses != 0) assert (tl_fifo.last_q == (tl_fifo.count_q == CountW'(Depth - 1)));
      assert (tl_fifo.tail_q == (CountW - 1)'(tl_fifo.head_q + tl_fifo.count_q));
    end
  end

endmodule

bind tl_fifo tl_fifo_state #(.Depth (Depth), .Refuses (Refuses)) u_state (.*);
