// SPDX-License-Identifier: Apache-2.0

// Permutes the bits of the lane index. Layer s swaps two of these bits when swap_i[s] is set, so
// half of the granules change places. Digit s of the two constants names the bits; tl_xpose_plan
// has the same network. One row of flip-flops is in the middle of the layers.
module tl_lane_swap (
  input  logic                                           clk_i,
  input  logic                                           valid_i,  // a row is there
  input  tl_pkg::xpose_swaps_t                           swap_i,  // layers that swap
  input  logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0] row_i,
  // the result for row_i of the previous cycle
  output logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0] row_o
);

  localparam int unsigned Gran      = tl_pkg::Gran;
  localparam int unsigned GranLanes = tl_pkg::GranLanes;

  localparam int unsigned Cut = (tl_pkg::XposeLaneSwaps + 1) / 2;

  logic [GranLanes-1:0][Gran-1:0] prev;    // the row before a layer
  logic [GranLanes-1:0][Gran-1:0] rest;
  logic [GranLanes-1:0][Gran-1:0] half;
  logic [GranLanes-1:0][Gran-1:0] half_q;
  tl_pkg::xpose_swaps_t           swap_q;

  // The granule that lane g has when layer s swaps its two bits of the lane index.
  function automatic int unsigned swapped(int unsigned g, int unsigned s);
    int unsigned low;
    int unsigned high;
    low     = 32'(tl_pkg::XposeLowBit[4*s+:4]);
    high    = 32'(tl_pkg::XposeHighBit[4*s+:4]);
    swapped = (((g >> low) ^ (g >> high)) & 1) == 1 ? g ^ (1 << low) ^ (1 << high) : g;
  endfunction

  always_comb begin
    half = row_i;
    prev = row_i;
    for (int unsigned s = 0; s < Cut; s++) begin
      prev = half;
      for (int unsigned g = 0; g < GranLanes; g++) begin
        if (swap_i[s]) half[g] = prev[swapped(g, s)];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      half_q <= half;
      swap_q <= swap_i;
    end
  end

  always_comb begin
    row_o = half_q;
    rest  = half_q;
    for (int unsigned s = Cut; s < tl_pkg::XposeLaneSwaps; s++) begin
      rest = row_o;
      for (int unsigned g = 0; g < GranLanes; g++) begin
        if (swap_q[s]) row_o[g] = rest[swapped(g, s)];
      end
    end
  end

endmodule
