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

  logic [CountW-2:0] apart;
  logic [CountW-1:0] count;  // words

  assign apart = tl_fifo.tail_q - tl_fifo.head_q;
  assign count = !valid_o ? '0 : (apart == '0) ? CountW'(Depth) : {1'b0, apart};

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (!valid_o) assert (apart == '0);
      if (Refuses != 0) assert (ready_o == (count != CountW'(Depth)));
      // Whoever does without a refusal has room.
      if (Refuses == 0) assert (ready_o && !(valid_i && (count == CountW'(Depth))));
      if (valid_o) assert (tl_fifo.one_q == (count == CountW'(1)));
      if (Refuses != 0) assert (tl_fifo.last_q == (count == CountW'(Depth - 1)));
    end
  end

endmodule

bind tl_fifo tl_fifo_state #(.Depth (Depth), .Refuses (Refuses)) u_state (.*);
