// SPDX-License-Identifier: Apache-2.0

// Gives the rows of an operand in ascending order, one per cycle, without a gap between operations.
// An operand with slices of a row or more is read by slice: only rows that hold granules of
// selected slices, with the selected granules. Each such slice ends in a later row than the one
// before, so one slice per cycle is fast enough. Other operands are read whole: all rows of the
// block for concat, of the register for addi and merge.
module tl_move_walk (
  input  logic               clk_i,
  input  logic               rst_ni,           // asynchronous assert, synchronous release

  // The next operation.
  input  logic               next_valid_i,
  input  logic               next_by_slice_i,  // concat, with slices of a row or more
  input  logic               next_concat_i,    // the operation is concat
  input  tl_pkg::src_t       next_src_i,       // the operand
  input  logic [31:0]        next_mask_i,      // selected slices
  input  tl_pkg::row_t       next_last_i,      // last row to read, if the operand is read whole
  input  tl_pkg::slicing_t   next_i,           // sizes of slices and rows
  // next_last_i is a better (lower) last row for the operation that was already taken
  input  logic               trim_i,
  output logic               next_take_o,      // the operation is taken
  // early version of next_take_o: 0 in a cycle in which a walk ends
  output logic               next_early_o,
  // the rows of an operation that is read whole begin in the next cycle
  output logic               begin_o,

  // The next row.
  output logic               row_valid_o,
  input  logic               row_take_i,       // the row is taken
  output tl_pkg::row_t       row_o,            // its number in the register
  output logic               row_zero_o,       // all zeros: not to be read
  output tl_pkg::phys_t      row_phys_o,       // its register
  output logic               row_concat_o,     // of a concat
  output tl_pkg::gran_lane_t row_top_o,        // last lane of the block
  output logic               row_none_o,       // the row is behind the block

  // Selected granules of the row, if it is read by slice.
  output logic               row_by_slice_o,
  output tl_pkg::gran_lane_t row_before_o,     // last lane of the slice that lane 0 is in
  output logic [1:0]         row_sel_o         // [0]: lanes up to row_before_o; [1]: the others
);

  localparam int unsigned Rows      = tl_pkg::Rows;
  localparam int unsigned RowW      = tl_pkg::RowW;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;
  localparam int unsigned GranW     = tl_pkg::GranW;

  // Search for selected slices, in ascending order; each outer index uses the mask again. One step
  // skips up to three slices that are not selected. Slices here have a row or more, so there are at
  // most as many slices as a register has rows.
  localparam int unsigned Slices = Rows >= 32 ? 32 : Rows >= 8 ? Rows : 8;
  localparam int unsigned LeftW  = $clog2(Slices + 1);

  logic              search_valid_q;
  logic              search_first_q;   // no selected slice was found yet
  tl_pkg::slicing_t  search_shape_q;
  tl_pkg::src_t      search_src_q;
  logic [Slices-1:0] search_mask_q;
  logic [Slices-1:0] search_rest_q;    // the mask from this slice on
  logic [LeftW-1:0]  search_left_q;    // slices of this outer index from this one on
  logic [LeftW-1:0]  search_step_by;   // slices in this step: this one, and those that are skipped
  tl_pkg::gran_len_t search_start_q;   // first granule of this slice
  tl_pkg::gran_len_t search_end;       // granule behind the last one of this slice
  logic              search_stop;      // no slice is left
  logic              search_load;
  logic              search_step;
  logic              search_emit;
  logic              search_four;
  logic              search_two;
  logic              search_wrap;      // the next slice is slice 0
  logic              search_adjacent;  // the slice behind this one is selected too
  logic              slice_valid_q;
  logic              slice_take;
  logic              row_done;         // there is no row, or the last one is taken
  logic              unused_mask;

  assign unused_mask = ^{next_mask_i, search_shape_q};

  assign search_stop = search_start_q == search_shape_q.block;
  assign search_end  = search_start_q + search_shape_q.inner;
  // Timing: this uses row_done, because slice_take arrives later.
  assign search_step    = search_valid_q && !search_stop &&
      (!search_rest_q[0] || !slice_valid_q || row_done);
  assign search_emit    = search_valid_q && !search_stop && search_rest_q[0] &&
      (!slice_valid_q || row_done);
  assign search_four    = (search_rest_q[3:1] == '0) && (search_left_q[LeftW-1:2] != '0);
  assign search_two     = !search_rest_q[1] && (search_left_q[LeftW-1:1] != '0);
  assign search_step_by = search_four ? LeftW'(4) : search_two ? LeftW'(2) : LeftW'(1);
  assign search_wrap    = (search_left_q == LeftW'(1)) ||
      (!search_rest_q[1] && (search_left_q == LeftW'(2))) ||
      ((search_rest_q[3:1] == '0) && (search_left_q == LeftW'(4)));
  assign search_adjacent = (search_end != search_shape_q.block) &&
      ((search_left_q == LeftW'(1)) ? search_mask_q[0] : search_rest_q[1]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      search_valid_q <= 1'b0;
    end else if (search_load) begin
      search_valid_q <= 1'b1;
    end else if (search_stop) begin
      search_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (search_load) begin
      search_shape_q <= next_i;
      search_src_q   <= next_src_i;
      search_mask_q  <= next_mask_i[Slices-1:0];
      search_first_q <= 1'b1;
      search_rest_q  <= next_mask_i[Slices-1:0];
      search_left_q  <= next_i.dim[LeftW-1:0];
      search_start_q <= '0;
    end else if (search_step) begin
      if (search_emit) search_first_q <= 1'b0;
      search_start_q <= search_start_q +
          (search_four ? search_shape_q.inner << 2 :
           search_two ? search_shape_q.inner << 1 : search_shape_q.inner);
      if (search_wrap) begin
        search_rest_q <= search_mask_q;
        search_left_q <= search_shape_q.dim[LeftW-1:0];
      end else begin
        search_rest_q <= search_four ? search_rest_q >> 4 :
            search_two ? search_rest_q >> 2 : search_rest_q >> 1;
        search_left_q <= search_left_q - search_step_by;
      end
    end
  end

  // The slice that was found, or a whole operand. No operation overtakes another one.
  logic              slice_whole_q;
  logic              slice_concat_q;
  tl_pkg::row_t      slice_last_q;
  logic              whole_take;
  logic              slice_first_q;  // the first slice of the operation
  logic              slice_adjacent_q;
  tl_pkg::gran_len_t slice_start_q;
  tl_pkg::gran_len_t slice_end_q;
  tl_pkg::src_t      slice_src_q;

  assign search_load  = next_valid_i && next_by_slice_i && (!search_valid_q || search_stop);
  assign whole_take   = next_valid_i && !next_by_slice_i && !search_valid_q && !slice_valid_q;
  assign next_take_o  = search_load || whole_take;
  assign next_early_o = next_valid_i && !search_valid_q && (next_by_slice_i || !slice_valid_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slice_valid_q <= 1'b0;
    end else begin
      slice_valid_q <= search_emit || whole_take || (slice_valid_q && !slice_take);
    end
  end

  always_ff @(posedge clk_i) begin
    if (whole_take) begin
      slice_whole_q  <= 1'b1;
      slice_concat_q <= next_concat_i;
      slice_start_q  <= '0;
      slice_end_q    <= next_i.block;
      slice_src_q    <= next_src_i;
      slice_last_q   <= next_last_i;
    end else if (search_emit) begin
      slice_whole_q    <= 1'b0;
      slice_concat_q   <= 1'b1;
      slice_first_q    <= search_first_q;
      slice_adjacent_q <= search_adjacent;
      slice_start_q    <= search_start_q;
      slice_end_q      <= search_end;
      slice_src_q      <= search_src_q;
    end else if (trim_i) begin
      slice_last_q <= next_last_i;
    end
  end

  // The rows of a slice, or of a whole operand.
  logic               valid_q;
  logic               concat_q;
  logic               by_slice_q;
  logic               adjacent_q;
  // the slice starts inside this row, and no other selected slice shares the row
  logic               edge_q;
  tl_pkg::src_t       src_q;
  tl_pkg::row_t       row_q;
  tl_pkg::row_t       last_q;
  tl_pkg::gran_lane_t lane_q;      // last lane before the slice, in its first row
  tl_pkg::row_t       more_q;      // rows behind this one up to the end of the slice or block
  tl_pkg::gran_lane_t top_q;       // last lane of the last row of the slice or block
  logic               none_q;      // the row is behind the block
  logic               shared;      // the first row of the slice is the last one of the slice before
  logic               row_last_q;
  tl_pkg::gran_lane_t top;         // last lane of the next slice or block
  tl_pkg::gran_len_t  slice_last;  // last granule of the next slice or block
  tl_pkg::row_t       slice_row;
  tl_pkg::row_t       slice_more;

  assign shared     = !slice_whole_q && !slice_first_q &&
      (slice_start_q[GranW-1:GranLaneW] == row_q);
  assign row_done   = !valid_q || (row_take_i && row_last_q);
  assign slice_take = slice_valid_q && row_done;
  assign begin_o    = slice_take && slice_whole_q;
  assign slice_last = slice_end_q - 1'b1;
  assign top        = slice_last[GranLaneW-1:0];
  assign slice_row  = slice_start_q[GranW-1:GranLaneW] + RowW'(shared);
  assign slice_more = RowW'(({slice_last[GranW:GranLaneW], 1'b0} -
      {slice_start_q[GranW:GranLaneW], shared}) >> 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
    end else begin
      valid_q <= !row_done || slice_take;
    end
  end

  // row_q stays at the last row of a slice until the next slice has been compared with it. trim_i
  // may lower the last row while rows are read; rows behind it have no selected granules.
  always_ff @(posedge clk_i) begin
    if (slice_take) begin
      by_slice_q <= !slice_whole_q;
      concat_q   <= slice_concat_q;
      adjacent_q <= slice_adjacent_q;
      edge_q     <= !slice_whole_q && !shared && (slice_start_q[GranLaneW-1:0] != '0);
      src_q      <= slice_src_q;
      row_q      <= slice_row;
      last_q     <= trim_i ? next_last_i : slice_last_q;
      lane_q     <= slice_start_q[GranLaneW-1:0] - 1'b1;
      more_q     <= slice_more;
      top_q      <= top;
      none_q     <= 1'b0;
      row_last_q <= slice_whole_q ? slice_last_q == '0 : slice_more == '0;
    end else begin
      if (trim_i && !slice_valid_q) last_q <= next_last_i;
      if (row_take_i && !row_last_q) begin
        edge_q     <= 1'b0;
        row_q      <= row_q + 1'b1;
        none_q     <= none_q || (more_q == '0);
        row_last_q <= by_slice_q ? more_q == RowW'(1) : row_q + 1'b1 >= last_q;
        if (more_q != '0) more_q <= more_q - 1'b1;
      end
    end
  end

  assign row_valid_o    = valid_q;
  assign row_o          = row_q;
  assign row_zero_o     = src_q.zero;
  assign row_phys_o     = src_q.phys;
  assign row_concat_o   = concat_q;
  assign row_top_o      = (by_slice_q || more_q != '0) ? '1 : top_q;
  assign row_none_o     = none_q && !by_slice_q;
  assign row_by_slice_o = by_slice_q;
  assign row_before_o   = edge_q ? lane_q : (more_q != '0) ? '1 : top_q;
  assign row_sel_o      = {edge_q || adjacent_q, !edge_q};

endmodule
