// SPDX-License-Identifier: Apache-2.0
//! `tl_move_walk`: the rows of an operand that the move engine reads.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_move_walk",
        "Rows of an operand in ascending order, one per cycle, operations without a gap.\n\
         By slice, for slices of a row or more: the rows that hold granules of selected slices, and which granules. \
         Each such slice ends in a later row than the one before, so one slice per cycle keeps up. Else all rows: of \
         the block for concat, of the register for addi and merge.",
    );
    m.clocked();
    m.group("The next operation.");
    m.input("next_valid_i", Ty::bit(), "");
    m.input("next_concat_i", Ty::bit(), "");
    m.input("next_by_slice_i", Ty::bit(), "concat, with slices of a row or more");
    m.input("next_src_i", Ty::named("src_t"), "");
    m.input("next_mask_i", Ty::bits(32), "selected slices");
    m.input("next_i", Ty::named("slicing_t"), "");
    m.output("next_take_o", Ty::bit(), "");
    m.group("The next row.");
    m.output("row_valid_o", Ty::bit(), "");
    m.input("row_take_i", Ty::bit(), "");
    m.output("row_o", Ty::named("row_t"), "");
    m.output("row_zero_o", Ty::bit(), "all zeros: not to be read");
    m.output("row_phys_o", Ty::named("phys_t"), "");
    m.output("row_concat_o", Ty::bit(), "");
    m.output("row_lanes_o", Ty::named("lane_cnt_t"), "granules up to the end of the block");
    m.group("Its selected granules, for an operation by slice.");
    m.output("row_by_slice_o", Ty::bit(), "");
    m.output("row_next_o", Ty::named("lane_cnt_t"), "lane where a slice starts; GranLanes: none");
    m.output("row_sel_o", Ty::bits(2), "[0]: lanes below row_next_o; [1]: the others");

    m.section("Selected slices, lowest first; the mask is used again for each outer index.");
    m.signal("g_valid_q", Ty::bit(), "");
    m.signal("g_first_q", Ty::bit(), "no slice was found yet");
    m.signal("g_shape_q", Ty::named("slicing_t"), "");
    m.signal("g_src_q", Ty::named("src_t"), "");
    m.signal("g_mask_q", Ty::bits(32), "");
    m.signal("g_base_q", Ty::named("gran_len_t"), "first granule of the outer index");
    m.signal("g_rest_q", Ty::bits(32), "selected slices that are left");
    m.signal("g_load", Ty::bit(), "");
    m.signal("g_step", Ty::bit(), "");
    m.signal("g_low", Ty::bits(32), "the slice that is found, one-hot");
    m.signal("g_rest", Ty::bits(32), "");
    m.signal("g_index", Ty::bits(5), "");
    m.signal("g_base", Ty::named("gran_len_t"), "of the next outer index");
    m.signal("g_more", Ty::bit(), "there is one");
    m.signal("g_last", Ty::bit(), "");
    m.signal("g_adjacent", Ty::bit(), "the slice behind this one is selected too");
    m.text(
        r#"
        assign g_low  = g_rest_q & (~g_rest_q + 32'd1);
        assign g_rest = g_rest_q & ~g_low;
        assign g_base = g_base_q + g_shape_q.span;
        assign g_more = g_base < g_shape_q.block;
        assign g_last = (g_rest == '0) && !g_more;

        always_comb begin
          g_index = '0;
          for (int unsigned i = 0; i < 32; i++) begin
            if (g_low[i]) g_index = g_index | 5'(i);
          end
        end

        assign g_adjacent = (6'(g_index) + 6'd1 == g_shape_q.dim) ?
            (g_mask_q[0] && g_more) : ((g_rest & (g_low << 1)) != '0);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            g_valid_q <= 1'b0;
          end else if (g_load) begin
            g_valid_q <= 1'b1;
          end else if (g_step && g_last) begin
            g_valid_q <= 1'b0;
          end
        end

        always_ff @(posedge clk_i) begin
          if (g_load) begin
            g_shape_q <= next_i;
            g_src_q   <= next_src_i;
            g_mask_q  <= next_mask_i;
            g_first_q <= 1'b1;
            g_base_q  <= '0;
            g_rest_q  <= next_mask_i;
          end else if (g_step) begin
            g_first_q <= 1'b0;
            g_rest_q  <= g_rest;
            if (g_rest == '0) begin
              g_rest_q <= g_mask_q;
              g_base_q <= g_base;
            end
          end
        end
        "#,
    );

    m.section("The slice that was found.");
    m.signal("s_valid_q", Ty::bit(), "");
    m.signal("s_first_q", Ty::bit(), "of the operation");
    m.signal("s_adjacent_q", Ty::bit(), "");
    m.signal("s_index_q", Ty::bits(5), "");
    m.signal("s_base_q", Ty::named("gran_len_t"), "");
    m.signal("s_inner_q", Ty::named("gran_len_t"), "");
    m.signal("s_src_q", Ty::named("src_t"), "");
    m.signal("s_take", Ty::bit(), "");
    m.text(
        r#"
        assign g_step = g_valid_q && (!s_valid_q || s_take);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            s_valid_q <= 1'b0;
          end else if (g_step) begin
            s_valid_q <= 1'b1;
          end else if (s_take) begin
            s_valid_q <= 1'b0;
          end
        end

        always_ff @(posedge clk_i) begin
          if (g_step) begin
            s_first_q    <= g_first_q;
            s_adjacent_q <= g_adjacent;
            s_index_q    <= g_index;
            s_base_q     <= g_base_q;
            s_inner_q    <= g_shape_q.inner;
            s_src_q      <= g_src_q;
          end
        end
        "#,
    );

    m.section("The rows of a slice, or of a whole operand.");
    m.signal("valid_q", Ty::bit(), "");
    m.signal("concat_q", Ty::bit(), "");
    m.signal("by_slice_q", Ty::bit(), "");
    m.signal("adjacent_q", Ty::bit(), "");
    m.signal("edge_q", Ty::bit(), "the slice starts within this row, which no other selected one shares");
    m.signal("src_q", Ty::named("src_t"), "");
    m.signal("row_q", Ty::named("row_t"), "");
    m.signal("lane_q", Ty::named("gran_lane_t"), "where the slice starts, in its first row");
    m.signal("left_q", Ty::named("gran_len_t"), "granules from this row on to the end");
    m.signal("start", Ty::named("gran_idx_t"), "first granule of the found slice");
    m.signal("shared", Ty::bit(), "its first row is the last one of the slice before");
    m.signal("whole_take", Ty::bit(), "");
    m.signal("row_last", Ty::bit(), "");
    m.signal("row_done", Ty::bit(), "");
    m.signal("left_lanes", Ty::named("lane_cnt_t"), "left_q, at most a row");
    m.text(
        r#"
        assign start  = GranW'(s_base_q + (GranW + 1)'(s_index_q) * s_inner_q);
        assign shared = !s_first_q && (start[GranW-1:GranLaneW] == row_q);

        assign row_last   = concat_q ? (left_q <= (GranW + 1)'(GranLanes)) : (&row_q);
        assign row_done   = !valid_q || (row_take_i && row_last);
        assign left_lanes = (left_q < (GranW + 1)'(GranLanes)) ?
            left_q[GranLaneW:0] : (GranLaneW + 1)'(GranLanes);

        // An operation overtakes none: what is read whole waits for the slices before it.
        assign g_load      = next_valid_i && next_by_slice_i && (!g_valid_q || (g_step && g_last));
        assign s_take      = s_valid_q && row_done;
        assign whole_take  = next_valid_i && !next_by_slice_i && !g_valid_q && !s_valid_q && row_done;
        assign next_take_o = g_load || whole_take;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q <= 1'b0;
          end else begin
            valid_q <= !row_done || s_take || whole_take;
          end
        end

        // row_q stays at the last row of a slice until the next one compares with it.
        always_ff @(posedge clk_i) begin
          if (whole_take) begin
            concat_q   <= next_concat_i;
            by_slice_q <= 1'b0;
            edge_q     <= 1'b0;
            src_q      <= next_src_i;
            row_q      <= '0;
            left_q     <= next_i.block;
          end else if (s_take) begin
            concat_q   <= 1'b1;
            by_slice_q <= 1'b1;
            adjacent_q <= s_adjacent_q;
            edge_q     <= !shared && (start[GranLaneW-1:0] != '0);
            src_q      <= s_src_q;
            row_q      <= start[GranW-1:GranLaneW] + RowW'(shared);
            lane_q     <= start[GranLaneW-1:0];
            left_q     <= s_inner_q + (GranW + 1)'(start[GranLaneW-1:0]) -
                (shared ? (GranW + 1)'(GranLanes) : '0);
          end else if (row_take_i && !row_last) begin
            edge_q <= 1'b0;
            row_q  <= row_q + 1'b1;
            left_q <= left_q - (GranW + 1)'(left_lanes);
          end
        end

        assign row_valid_o    = valid_q;
        assign row_o          = row_q;
        assign row_zero_o     = src_q.zero;
        assign row_phys_o     = src_q.phys;
        assign row_concat_o   = concat_q;
        assign row_lanes_o    = by_slice_q ? (GranLaneW + 1)'(GranLanes) : left_lanes;
        assign row_by_slice_o = by_slice_q;
        assign row_next_o     = edge_q ? (GranLaneW + 1)'(lane_q) : left_lanes;
        assign row_sel_o      = {edge_q || adjacent_q, !edge_q};
        "#,
    );
    m
}
