// SPDX-License-Identifier: Apache-2.0

// A memory port has one owner at a time: the tensor engine or the matrix engine. The owner changes
// only when no instruction in flight uses the port. So accesses of both engines keep their program
// order, and responses need no id.
module tl_port_owner (
  input  logic clk_i,
  input  logic rst_ni,       // asynchronous assert, synchronous release
  // an instruction of the tensor engine may be dispatched; from a flip-flop
  output logic tensor_ok_o,
  output logic matrix_ok_o,  // the same for the matrix engine
  input  logic tensor_i,     // an instruction of the tensor engine is dispatched
  input  logic matrix_i,     // an instruction of the matrix engine is dispatched
  input  logic done_i,       // an instruction that uses the port is complete
  output logic matrix_o      // the matrix engine owns the port
);

  localparam int unsigned TagW = tl_pkg::TagW;

  logic [TagW+1-1:0] count_q;  // instructions in flight that use the port: 0 to QueueEntries
  // no such instruction is in flight in the next cycle, unless one is dispatched in this cycle
  logic              free;

  assign free = (count_q == '0) || ((count_q == (TagW + 1)'(1)) && done_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q     <= '0;
      tensor_ok_o <= 1'b1;
      matrix_ok_o <= 1'b1;
    end else begin
      tensor_ok_o <= tensor_i || (!matrix_i && (!matrix_o || free));
      matrix_ok_o <= matrix_i || (!tensor_i && (matrix_o || free));
      count_q     <= count_q + (TagW + 1)'(tensor_i || matrix_i) - (TagW + 1)'(done_i);
    end
  end

  // The engine that was dispatched last owns the port.
  always_ff @(posedge clk_i) begin
    if (tensor_i) matrix_o <= 1'b0;
    if (matrix_i) matrix_o <= 1'b1;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!(tensor_i && matrix_i))
      else $error("tl_port_owner: both engines take the port");
      assert (!tensor_i || tensor_ok_o)
      else $error("tl_port_owner: the tensor engine takes a port that is not free");
      assert (!matrix_i || matrix_ok_o)
      else $error("tl_port_owner: the matrix engine takes a port that is not free");
      assert (!done_i || (count_q != '0))
      else $error("tl_port_owner: a completion of nothing");
    end
  end
`endif

endmodule
