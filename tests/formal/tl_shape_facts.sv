// SPDX-License-Identifier: Apache-2.0
// What the CSRs mean counts as known when none of them has changed for six cycles, and no earlier. Assumed: they change with the
// clock edge of which change_i tells (tl_csr, tl_dispatch, tl_recover).
module tl_shape_facts (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        change_i,
  input logic [11:0] ttype_i,
  input logic [23:0] tshape_i,
  input logic [31:0] tmask_load_i,
  input logic [31:0] tmask_store_i,
  input logic [31:0] tmask_concat_1_i,
  input logic [31:0] tmask_concat_2_i,
  input logic [31:0] tload_width_i,
  input logic [31:0] tstore_width_i,
  input logic [15:0] tload_pitch_i,
  input logic [15:0] tstore_pitch_i,
  input logic [3:0]  mask_init_i,
  input logic        settled_o
);

  logic         running_q;
  logic [263:0] csrs;
  logic [263:0] csrs_q;
  logic         told_q;
  logic [2:0]   quiet_q;  // cycles since the last change, or reset; at most 6

  assign csrs = {ttype_i, tshape_i, tmask_load_i, tmask_store_i, tmask_concat_1_i, tmask_concat_2_i, tload_width_i, tstore_width_i,
                 tload_pitch_i, tstore_pitch_i, mask_init_i};

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    csrs_q <= csrs;
    told_q <= !rst_ni || change_i;
    if (!rst_ni || change_i) quiet_q <= '0;
    else if (quiet_q != 3'd6) quiet_q <= quiet_q + 3'd1;
    if (rst_ni) begin
      if (!told_q) assume (csrs == csrs_q);
      assert (settled_o == (quiet_q == 3'd6));
      // Why.
      assert (quiet_q <= 3'd6);
      for (int unsigned i = 0; i < 6; i++) begin
        if (i < 32'(quiet_q)) assert (!tl_shape.settling_q[i]);
        if (i == 32'(quiet_q)) assert (tl_shape.settling_q[i]);
      end
    end
  end

endmodule

bind tl_shape tl_shape_facts u_facts (.*);
