// SPDX-License-Identifier: Apache-2.0

// Plans the passes that make the rows of a concat. For each outer index, the result has the slices
// of operand 0, then those of operand 1, then zeros. A pass fills the granules of a row that come
// from one operand. A row takes one or two passes; a row of zeros takes one pass, which fills
// nothing.
// Edge 0 is where the slices of operand 0 start next, edge 1 where those of operand 1 start, edge 2
// where the zeros start: a lane, counted from the start of the current row. Each edge recurs every
// span granules.
module tl_concat_plan (
  input  logic                    clk_i,
  input  logic                    rst_ni,        // asynchronous assert, synchronous release

  // The next operation; lengths in granules.
  input  logic                    next_valid_i,
  output logic                    next_take_o,   // the next operation is taken
  // early version of next_take_o: 0 in a cycle in which a plan ends
  output logic                    next_early_o,
  input  tl_pkg::tag_t            next_tag_i,    // instruction
  input  tl_pkg::dst_t            next_dst_i,    // register of the result
  input  logic [1:0]              next_any_i,    // the operand has slices to copy
  input  logic [1:0]              next_all_i,    // its slices fill the whole span
  // end of the operand's slices within the span
  input  tl_pkg::gran_len_t [1:0] next_edge_i,
  input  tl_pkg::gran_len_t       next_span_i,   // granules of all slices of one outer index
  input  tl_pkg::gran_len_t       next_block_i,  // the whole block

  // Passes. Each is there for one cycle and has to be accepted; at most thirteen are under way.
  output logic                    pass_valid_o,
  input  logic                    pass_take_i,   // one pass has read its granules
  output tl_pkg::lane_mask_t      pass_mask_o,   // granules to fill
  output logic                    pass_src_o,    // from this operand
  output logic                    pass_begin_o,  // first pass of the row
  output logic                    pass_end_o,    // last pass of the row
  output tl_pkg::row_dest_t       pass_dest_o,   // where the row goes
  output logic                    busy_o         // passes are left
);

  // A row begins a pass only while fewer passes are under way. A pass that begins in the same cycle
  // does not count yet, so the maximum is one more.
  localparam int unsigned MostPasses = 12;

  localparam int unsigned GranLanes = tl_pkg::GranLanes;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;
  localparam int unsigned GranW     = tl_pkg::GranW;

  // The row that is planned.
  logic                    valid_q;
  tl_pkg::row_t            row_q;
  tl_pkg::row_t            more_q;
  logic                    last_q;  // it is the last one of the register
  tl_pkg::gran_lane_t      top_q;   // last lane of the last row of the block
  logic                    none_q;  // the row is behind the block
  tl_pkg::tag_t            tag_q;
  tl_pkg::dst_t            dst_q;
  logic [1:0]              any_q;
  logic [1:0]              all_q;
  tl_pkg::gran_len_t [2:0] edge_q;
  logic [2:0][GranW+2-1:0] lead;    // edges of the row after this one, negative behind its start
  tl_pkg::gran_len_t       lack_q;  // span less rem
  tl_pkg::lane_cnt_t       rem_q;   // GranLanes modulo the span
  tl_pkg::gran_lane_t      span_q;  // 0: a row or more
  logic                    step;
  logic                    done;
  tl_pkg::lane_cnt_t       rem;
  tl_pkg::lane_cnt_t       next_rem;
  tl_pkg::gran_lane_t      next_top;

  assign done         = step && last_q;
  assign next_take_o  = next_valid_i && (!valid_q || done);
  assign next_early_o = next_valid_i && !valid_q;
  assign next_top     = next_block_i[GranLaneW-1:0] - 1'b1;

  always_comb begin
    rem = '0;
    for (int unsigned d = 1; d < GranLanes; d++) begin
      if (next_span_i[GranLaneW-1:0] == GranLaneW'(d)) rem = (GranLaneW + 1)'(GranLanes % d);
    end
    next_rem = rem;
    if (next_span_i[GranW:GranLaneW] != '0) begin
      next_rem = (next_span_i == (GranW + 1)'(GranLanes)) ? '0 : (GranLaneW + 1)'(GranLanes);
    end
    for (int unsigned e = 0; e < 3; e++) begin
      lead[e] = {1'b0, edge_q[e]} - (GranW + 2)'(rem_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
    end else begin
      valid_q <= next_take_o || (valid_q && !done);
    end
  end

  always_ff @(posedge clk_i) begin
    if (next_take_o) begin
      row_q     <= '0;
      last_q    <= 1'b0;
      more_q    <= tl_pkg::RowW'(next_block_i[GranW:GranLaneW] - (tl_pkg::RowW + 1)'(&next_top));
      top_q     <= next_top;
      none_q    <= 1'b0;
      tag_q     <= next_tag_i;
      dst_q     <= next_dst_i;
      any_q     <= next_any_i;
      all_q     <= next_all_i;
      edge_q[0] <= '0;
      edge_q[1] <= next_edge_i[0];
      edge_q[2] <= next_edge_i[1];
      if (next_edge_i[0] == next_span_i) edge_q[1] <= '0;
      if (next_edge_i[1] == next_span_i) edge_q[2] <= '0;
      lack_q <= next_span_i - (GranW + 1)'(next_rem);
      rem_q  <= next_rem;
      span_q <= (next_span_i < (GranW + 1)'(GranLanes)) ? next_span_i[GranLaneW-1:0] : '0;
    end else if (step) begin
      row_q  <= row_q + 1'b1;
      last_q <= row_q == '1 - 1'b1;
      none_q <= none_q || (more_q == '0);
      if (more_q != '0) more_q <= more_q - 1'b1;
      for (int unsigned e = 0; e < 3; e++) begin
        edge_q[e] <= lead[e][GranW+1] ? edge_q[e] + lack_q : lead[e][GranW:0];
      end
    end
  end

  // Edges of the row. The row begins inside a region if the region ends before it starts again.
  logic                    row_valid_q;
  logic [1:0]              carried;
  logic [1:0]              needed;
  logic [1:0]              row_needed_q;
  logic [1:0]              row_inside_q;
  tl_pkg::lane_cnt_t [2:0] row_edge_q;   // GranLanes and more: not in the row
  tl_pkg::gran_lane_t      top;
  tl_pkg::gran_lane_t      row_top_q;
  tl_pkg::gran_lane_t      row_span_q;
  tl_pkg::row_dest_t       row_dest_q;
  logic                    second_q;     // its first pass is done
  logic                    src;
  logic                    row_end_q;    // its next pass is the last one
  logic                    room_q;
  logic                    pass_begin;
  logic [3:0]              under_way_q;  // passes

  assign top = (more_q == '0) ? top_q : '1;

  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      carried[s] = all_q[s] || (edge_q[s+1] < edge_q[s]);
      needed[s]  = any_q[s] && !none_q && (all_q[s] || (carried[s] && edge_q[s+1] != '0) ||
          (edge_q[s] <= (GranW + 1)'(top)));
    end
  end

  assign step       = valid_q && (!row_valid_q || (room_q && row_end_q));
  assign pass_begin = row_valid_q && room_q;
  assign src        = second_q || !row_needed_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_valid_q <= 1'b0;
      second_q    <= 1'b0;
      under_way_q <= '0;
    end else begin
      row_valid_q   <= step || (row_valid_q && !(room_q && row_end_q));
      if (pass_begin) second_q <= !row_end_q;
      // Up or down by one.
      if (pass_begin != pass_take_i) under_way_q <= under_way_q + {{3{pass_take_i}}, 1'b1};
    end
  end

  always_ff @(posedge clk_i) begin
    // A pass that begins in this cycle is counted in the next one.
    room_q <= under_way_q < 4'(MostPasses);
    if (pass_begin) row_end_q <= 1'b1;
    if (step) begin
      row_needed_q <= needed;
      row_end_q    <= needed != 2'b11;
      row_inside_q <= carried;
      row_top_q    <= top;
      row_span_q   <= span_q;
      row_dest_q   <= {last_q, tag_q, dst_q, row_q};
      for (int unsigned e = 0; e < 3; e++) begin
        row_edge_q[e] <= {edge_q[e] >= (GranW + 1)'(GranLanes), edge_q[e][GranLaneW-1:0]};
      end
    end
  end

  // The edges of a pass.
  logic               bound_valid_q;
  logic               bound_inside_q;
  logic               bound_src_q;
  logic               bound_begin_q;
  logic               bound_end_q;
  logic               bound_none_q;
  tl_pkg::lane_cnt_t  bound_start_q;
  tl_pkg::lane_cnt_t  bound_stop_q;
  tl_pkg::gran_lane_t bound_top_q;
  tl_pkg::lane_mask_t period;
  tl_pkg::lane_mask_t bound_period_q;
  tl_pkg::row_dest_t  bound_dest_q;

  // Lanes that are multiples of the span.
  always_comb begin
    period    = '0;
    period[0] = 1'b1;
    for (int unsigned d = 1; d < GranLanes; d++) begin
      for (int unsigned j = d; j < GranLanes; j += d) begin
        if (row_span_q == GranLaneW'(d)) period[j] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    bound_none_q   <= row_needed_q == 2'b00;
    bound_inside_q <= row_inside_q[src];
    bound_src_q    <= src;
    bound_begin_q  <= !second_q;
    bound_end_q    <= row_end_q;
    bound_start_q  <= src ? row_edge_q[1] : row_edge_q[0];
    bound_stop_q   <= src ? row_edge_q[2] : row_edge_q[1];
    bound_top_q    <= row_top_q;
    bound_period_q <= period;
    bound_dest_q   <= row_dest_q;
  end

  // Starts and ends of the region in the row.
  logic               mark_valid_q;
  logic               mark_inside_q;
  logic               mark_src_q;
  logic               mark_begin_q;
  logic               mark_end_q;
  tl_pkg::lane_mask_t mark_starts_q;
  tl_pkg::lane_mask_t mark_stops_q;
  tl_pkg::lane_mask_t mark_block_q;
  tl_pkg::row_dest_t  mark_dest_q;

  always_ff @(posedge clk_i) begin
    mark_starts_q <= bound_start_q[GranLaneW] ? '0 : bound_period_q << bound_start_q[GranLaneW-1:0];
    mark_stops_q  <= bound_stop_q[GranLaneW] ? '0 : bound_period_q << bound_stop_q[GranLaneW-1:0];
    mark_inside_q <= bound_inside_q;
    mark_src_q    <= bound_src_q;
    mark_begin_q  <= bound_begin_q;
    mark_end_q    <= bound_end_q;
    mark_dest_q   <= bound_dest_q;
    mark_block_q  <= bound_none_q ? '0 : tl_pkg::up_to(bound_top_q);
  end

  // The lane mask. As a number, a set of lane ranges is the sum of 2^end minus the sum of 2^start
  // of the ranges; a range that is open at the start of the row subtracts 1.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bound_valid_q <= 1'b0;
      mark_valid_q  <= 1'b0;
      pass_valid_o  <= 1'b0;
    end else begin
      bound_valid_q <= pass_begin;
      mark_valid_q  <= bound_valid_q;
      pass_valid_o  <= mark_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    pass_mask_o  <= mark_block_q &
        GranLanes'(({mark_stops_q, 1'b0} - {mark_starts_q, mark_inside_q}) >> 1);
    pass_src_o   <= mark_src_q;
    pass_begin_o <= mark_begin_q;
    pass_end_o   <= mark_end_q;
    pass_dest_o  <= mark_dest_q;
  end

  // If a row waits after the last step, a pass is under way.
  assign busy_o = valid_q || (under_way_q != '0);

endmodule
