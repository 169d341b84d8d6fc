// SPDX-License-Identifier: Apache-2.0

// Switch settings of tl_butterfly that move the selected granules of a row, in their order, to
// consecutive lanes from first_i on, around the end of the row. The reverse network with the same
// settings moves them back.
// After layer s - 1, the granules of each group of 2^s lanes are at their target lane modulo 2^s.
// So in layer s only the lane where the granules of the upper half begin matters; the lower half
// gets the other lanes.
module tl_route (
  input  logic                                                  clk_i,
  input  tl_pkg::lane_mask_t                                    mask_i,   // selected granules

  // In the cycle after the mask.
  // target lane of the first selected granule
  input  tl_pkg::gran_lane_t                                    first_i,
  // settings for tl_butterfly
  output logic [tl_pkg::GranLaneW-1:0][tl_pkg::GranLanes/2-1:0] route_o,
  output tl_pkg::lane_cnt_t                                     count_o   // selected granules
);

  localparam int unsigned GranLanes = tl_pkg::GranLanes;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;

  tl_pkg::lane_cnt_t [GranLanes-1:0] sum;
  tl_pkg::lane_cnt_t [GranLanes-1:0] sum_q;
  tl_pkg::lane_cnt_t                 lower;   // number of selected granules in the lower half
  tl_pkg::gran_lane_t                middle;  // target lane of the first granule of the upper half
  tl_pkg::gran_lane_t                place;
  tl_pkg::gran_lane_t                low;     // the same, modulo the size of the half

  // Lanes whose count comes from the mask alone; each such count is within one half of the row.
  localparam int unsigned Group = (GranLanes < 8) ? GranLanes / 2 : 4;

  // Number of selected granules up to each lane, from the beginning of its half of the row.
  always_comb begin
    for (int unsigned l = 0; l < GranLanes; l++) begin
      sum[l] = (GranLaneW + 1)'(tl_pkg::ones4(
          4'(mask_i[(l/Group)*Group+:Group]) & 4'((2 << (l % Group)) - 1)));
    end
    for (int unsigned s = 2; s + 1 < GranLaneW; s++) begin
      for (int unsigned l = 0; l < GranLanes; l++) begin
        if (((l >> s) & 1) == 1) sum[l] = sum[l] + sum[((l>>s)<<s)-1];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    sum_q <= sum;
  end

  assign lower   = sum_q[GranLanes/2-1];
  assign middle  = first_i + GranLaneW'(lower);
  assign count_o = lower + sum_q[GranLanes-1];

  // A switch crosses if the granule of its upper lane goes to the lower half.
  always_comb begin
    route_o = '0;
    place   = '0;
    low     = '0;
    for (int unsigned s = 0; s < GranLaneW; s++) begin
      for (int unsigned l = 0; l < GranLanes; l++) begin
        if (((l >> s) & 1) == 1) begin
          place = (((l >> s) << s) > GranLanes / 2 ? middle : first_i) +
              GranLaneW'(sum_q[((l>>s)<<s)-1]);
          low   = place & GranLaneW'((1 << s) - 1);
          route_o[s][((l>>(s+1))<<s)|(l&((1<<s)-1))] =
              place[s] == ((l & ((1 << s) - 1)) < 32'(low));
        end
      end
    end
  end

endmodule
