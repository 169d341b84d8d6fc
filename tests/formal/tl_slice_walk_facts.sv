// SPDX-License-Identifier: Apache-2.0
// A walk takes the lowest of the slices that are left in each step, after the probes: so it ends, after 34 steps at most. The
// position of a slice in the register is its index times the bytes from one slice to the next, and a slice joins the one before it
// only when that is its neighbour there and no byte is between them.
module tl_slice_walk_facts (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        start_i,
  input logic        ready_o,
  input logic [31:0] mask_i,
  input logic        probe_i,
  input logic                       valid_o,
  input tl_pkg::byte_idx_t          pos_o,
  input logic [tl_pkg::ByteW+1-1:0] bytes_o,
  input logic                       joins_o
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

  // The slice in each stage behind the index: [0] sum, [1] product, [2] output. And the index of the slice before it.
  localparam int unsigned ByteW = tl_pkg::ByteW;

  logic [2:0][4:0]       index_q;
  logic [2:0][4:0]       before_q;
  logic [2:0][ByteW-1:0] whole_q;

  always_ff @(posedge clk_i) begin
    if (tl_slice_walk.advance) begin
      index_q  <= {index_q[1:0], tl_slice_walk.read_index_q};
      before_q <= {before_q[1:0], tl_slice_walk.sum_index_q};
      whole_q  <= {whole_q[1:0], tl_slice_walk.read_whole_q};
    end
    if (rst_ni) begin
      if (valid_o) assert (pos_o == ByteW'(whole_q[2] * ByteW'(index_q[2])));
      if (valid_o && joins_o) assert ((index_q[2] == before_q[2] + 5'd1) && (bytes_o[ByteW-1:0] == whole_q[2]));
      // Why.
      if (tl_slice_walk.sum_valid_q) begin
        assert ((index_q[0] == tl_slice_walk.sum_index_q) && (whole_q[0] == tl_slice_walk.sum_whole_q));
        assert (tl_slice_walk.sum_pos_q == ByteW'(whole_q[0] * ByteW'(index_q[0][1:0])));
        if (tl_slice_walk.sum_next_q) assert (index_q[0] == before_q[0] + 5'd1);
        assert (tl_slice_walk.sum_part_q == (tl_slice_walk.sum_bytes_q[ByteW-1:0] != whole_q[0]));
      end
      if (tl_slice_walk.prod_valid_q) begin
        assert (ByteW'(tl_slice_walk.prod_pos_low_q + tl_slice_walk.prod_pos_high_q) == ByteW'(whole_q[1] * ByteW'(index_q[1])));
        if (tl_slice_walk.prod_next_q) begin
          assert ((index_q[1] == before_q[1] + 5'd1) && (tl_slice_walk.prod_bytes_q[ByteW-1:0] == whole_q[1]));
        end
      end
      if (valid_o && tl_slice_walk.next_q) begin
        assert ((index_q[2] == before_q[2] + 5'd1) && (bytes_o[ByteW-1:0] == whole_q[2]));
      end
      if (tl_slice_walk.read_valid_q) begin
        assert (tl_slice_walk.read_part_q == (tl_slice_walk.read_bytes_q[ByteW-1:0] != tl_slice_walk.read_whole_q));
      end
      if (tl_slice_walk.more_q) begin
        assert (tl_slice_walk.part_q == (tl_slice_walk.bytes_q[ByteW-1:0] != tl_slice_walk.whole_q));
      end
    end
  end

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
