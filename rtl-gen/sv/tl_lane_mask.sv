// SPDX-License-Identifier: Apache-2.0

// Granules of a row that belong to selected slices, in the cycle after the row is given.
// Lanes 0 to before_i are in the first slice, which may have begun in an earlier row. The next
// slices start at lane before_i + 1, before_i + 1 + inner, and so on. First these slices are laid
// out from lane 0 on: a carry runs from the start of a selected slice up to the next start. Then
// they are shifted up.
module tl_lane_mask (
  input  logic                           clk_i,
  input  tl_pkg::gran_lane_t             before_i,  // last lane of the slice that lane 0 is in
  // one-hot, [d-1]: a slice has d granules; all 0: a slice has a row or more
  input  logic [tl_pkg::GranLanes-1-1:0] inner_i,
  input  tl_pkg::lane_mask_t             sel_i,     // [k]: the k-th slice of the row is selected
  input  tl_pkg::gran_lane_t             top_i,     // last lane of the block
  input  logic                           none_i,    // the row is behind the block
  output tl_pkg::lane_mask_t             mask_o     // selected lanes, a cycle later
);

  localparam int unsigned GranLanes = tl_pkg::GranLanes;

  tl_pkg::lane_mask_t     starts;    // where slices start
  tl_pkg::lane_mask_t     picked;    // starts of selected slices
  logic [GranLanes-1-1:0] filled_q;  // lanes of selected slices, laid out from lane 0 on
  tl_pkg::lane_mask_t     block_q;
  tl_pkg::gran_lane_t     before_q;
  logic                   sel_q;

  // The k-th slice from here on starts k slice lengths away.
  always_comb begin
    starts    = '0;
    picked    = '0;
    starts[0] = 1'b1;
    picked[0] = sel_i[1];
    for (int unsigned d = 1; d < GranLanes; d++) begin
      for (int unsigned k = 1; k + 1 < GranLanes && k * d < GranLanes; k++) begin
        starts[k*d] = starts[k*d] || inner_i[d-1];
        picked[k*d] = picked[k*d] || (inner_i[d-1] && sel_i[k+1]);
      end
    end
  end

  // A lane generates a carry where a selected slice starts, and propagates it where no slice
  // starts.
  always_ff @(posedge clk_i) begin
    filled_q <= ~starts[GranLanes-1:1] ^
        (GranLanes - 1)'(((picked | ~starts) + picked) >> 1);
    before_q <= before_i;
    sel_q    <= sel_i[0];
    block_q  <= none_i ? '0 : tl_pkg::up_to(top_i);
  end

  assign mask_o = block_q &
      GranLanes'(({filled_q, {GranLanes{sel_q}}} << before_q) >> (GranLanes - 1));

endmodule
