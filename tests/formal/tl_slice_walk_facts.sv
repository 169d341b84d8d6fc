// SPDX-License-Identifier: Apache-2.0
// A walk takes the lowest of the slices that are left in each step, after the probes: so it ends, after 34 steps at most.
module tl_slice_walk_facts (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        start_i,
  input logic        ready_o,
  input logic [31:0] mask_i,
  input logic        probe_i
);

  logic        running_q;
  logic [5:0]  left;     // steps that are still to come
  logic [5:0]  steps_q;  // of this walk
  logic [31:0] taken_q;  // slices of this walk that were taken
  logic [31:0] mask_q;   // all of them
  logic        slice;
  logic [31:0] lowest;   // one-hot

  assign left  = 6'(tl_pkg::ones(tl_slice_walk.mask_q)) +
      (tl_slice_walk.probes_q[1] ? 6'd2 : 6'(tl_slice_walk.probes_q[0]));
  assign lowest = tl_slice_walk.mask_q & ~tl_slice_walk.rest;
  assign slice = tl_slice_walk.step && (tl_slice_walk.probes_q == '0);

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    if (start_i) begin
      steps_q <= '0;
      taken_q <= '0;
      mask_q  <= mask_i;
    end else begin
      if (tl_slice_walk.step) steps_q <= steps_q + 6'd1;
      if (slice) taken_q <= taken_q | lowest;
    end
    if (rst_ni) begin
      if (start_i) assume (ready_o);
      if (tl_slice_walk.more_q) begin
        assert (7'(steps_q) + 7'(left) <= 7'd34);
        assert ((tl_slice_walk.mask_q ^ taken_q) == mask_q);
        if (slice) assert ((lowest & ((32'd1 << tl_slice_walk.index) - 32'd1)) == '0);
        if (slice) assert ((taken_q < lowest) || (mask_q == '0));
        assert ((tl_slice_walk.mask_q & taken_q) == '0);
        assert (tl_slice_walk.probes_q != 2'b11);
        if (tl_slice_walk.probes_q != '0) assert (taken_q == '0);
        if (taken_q != '0) assert ((tl_slice_walk.mask_q != '0) && (taken_q < (tl_slice_walk.mask_q & (~tl_slice_walk.mask_q + 32'd1))));
      end
    end
  end

endmodule

bind tl_slice_walk tl_slice_walk_facts u_facts (.*);
