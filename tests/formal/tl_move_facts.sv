// SPDX-License-Identifier: Apache-2.0
// For simulation alone, with concat, which the proof of tl_move leaves out. While addi or merge takes rows, the row of a concat at the
// head is one that is left of the concat before: it has no selected granules, so that tl_concat may take it, and nobody waits for it.
module tl_move_facts (
  input logic clk_i,
  input logic rst_ni
);

  logic [1:0] left;  // such rows

  assign left[0] = tl_move.d_valid_q && tl_move.head_concat[0];
  assign left[1] = tl_move.d_valid_q && tl_move.head_concat[1] && tl_move.d_q.merge;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      if (left[0]) assume (tl_move.head_mask[0] == '0);
      if (left[1]) assume (tl_move.head_mask[1] == '0);
    end
  end

endmodule

bind tl_move tl_move_facts u_facts (.*);
