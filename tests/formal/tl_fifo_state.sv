// SPDX-License-Identifier: Apache-2.0
// How the registers of a FIFO belong together: what proofs of modules with FIFOs build on.
module tl_fifo_state #(
  parameter int unsigned Depth = 4
) (
  input logic clk_i,
  input logic rst_ni,
  input logic valid_o,
  input logic ready_o
);

  localparam int unsigned CountW = $clog2(Depth) + 1;

  logic [CountW-1:0] count;  // words

  assign count = ready_o ? CountW'((CountW - 1)'(tl_fifo.tail_q - tl_fifo.head_q)) : CountW'(Depth);

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (valid_o == (count != '0));
      assert (ready_o || (tl_fifo.tail_q == tl_fifo.head_q));
      assert (tl_fifo.head_next_q == tl_fifo.head_q + 1'b1);
      assert (tl_fifo.tail_next_q == tl_fifo.tail_q + 1'b1);
    end
  end

endmodule

bind tl_fifo tl_fifo_state #(.Depth (Depth)) u_state (.*);
