// SPDX-License-Identifier: Apache-2.0
// A memory port changes its owner only when nothing that uses it is in flight. Assumed of dispatch: it asks before it sends,
// and at most QueueEntries are in flight.
module tl_port_owner_facts (
  input logic clk_i,
  input logic rst_ni,
  input logic tensor_ok_o,
  input logic matrix_ok_o,
  input logic tensor_i,
  input logic matrix_i,
  input logic done_i,
  input logic matrix_o
);

  logic       running_q;
  logic [5:0] tensor_q;  // instructions of each kind in flight
  logic [5:0] matrix_q;

  logic       free_q;    // the tensor engine might have sent one in the cycle before, and the other one has not

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    free_q    <= rst_ni && tensor_ok_o && !matrix_i;
    assume (rst_ni == running_q);
    if (!rst_ni) begin
      tensor_q <= '0;
      matrix_q <= '0;
    end else begin
      if (tensor_i) assume (tensor_ok_o && !matrix_i);
      if (matrix_i) assume (matrix_ok_o);
      if (done_i) assume (tensor_q + matrix_q != '0);
      if (tensor_i || matrix_i) assume (32'(tensor_q) + 32'(matrix_q) < tl_pkg::QueueEntries);
      tensor_q <= tensor_q + 6'(tensor_i) - 6'(done_i && !matrix_o);
      matrix_q <= matrix_q + 6'(matrix_i) - 6'(done_i && matrix_o);
      assert ((tensor_q == '0) || (matrix_q == '0));
      if (tensor_q != '0) assert (!matrix_o);
      if (matrix_q != '0) assert (matrix_o);
      assert (32'(tensor_q) + 32'(matrix_q) == 32'(tl_port_owner.count_q));
      assert (32'(tl_port_owner.count_q) <= tl_pkg::QueueEntries);
      // Dispatch may ask a cycle before it sends.
      if (free_q) assert (tensor_ok_o);
      assert (tensor_ok_o == (!matrix_o || (tl_port_owner.count_q == '0)));
      assert (matrix_ok_o == (matrix_o || (tl_port_owner.count_q == '0)));
    end
  end

endmodule

bind tl_port_owner tl_port_owner_facts u_facts (.*);
