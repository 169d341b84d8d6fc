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
    m.input("next_by_slice_i", Ty::bit(), "concat, with slices of a row or more");
    m.input("next_concat_i", Ty::bit(), "");
    m.input("next_src_i", Ty::named("src_t"), "");
    m.input("next_mask_i", Ty::bits(32), "selected slices");
    m.input("next_last_i", Ty::named("row_t"), "last row to read of what is read whole");
    m.input("next_i", Ty::named("slicing_t"), "");
    m.input("trim_i", Ty::bit(), "next_last_i is a closer one for the operation that was taken");
    m.output("next_take_o", Ty::bit(), "");
    m.output("next_early_o", Ty::bit(), "and that is known early: no walk ends in this cycle");
    m.output("begin_o", Ty::bit(), "the rows of an operation that is read whole begin in the next cycle");
    m.group("The next row.");
    m.output("row_valid_o", Ty::bit(), "");
    m.input("row_take_i", Ty::bit(), "");
    m.output("row_o", Ty::named("row_t"), "");
    m.output("row_zero_o", Ty::bit(), "all zeros: not to be read");
    m.output("row_phys_o", Ty::named("phys_t"), "");
    m.output("row_concat_o", Ty::bit(), "");
    m.output("row_top_o", Ty::named("gran_lane_t"), "last lane of the block");
    m.output("row_none_o", Ty::bit(), "the row is behind the block");
    m.group("Its selected granules, for an operation by slice.");
    m.output("row_by_slice_o", Ty::bit(), "");
    m.output("row_before_o", Ty::named("gran_lane_t"), "last lane of the slice with lane 0");
    m.output("row_sel_o", Ty::bits(2), "[0]: lanes up to row_before_o; [1]: the others");
    slices(&mut m);
    rows(&mut m);
    m
}

/// The selected slices.
fn slices(m: &mut Module) {
    m.section(
        "Slices in ascending order, the mask used again for each outer index. One that is not selected is passed over \
         with the one before it, or with up to three of its kind.",
    );
    m.text(
        r#"
        // Slices of a row or more: no more than a register has rows.
        localparam int unsigned Slices = Rows >= 32 ? 32 : Rows >= 8 ? Rows : 8;
        localparam int unsigned LeftW  = $clog2(Slices + 1);
        "#,
    );
    m.signal("g_valid_q", Ty::bit(), "");
    m.signal("g_first_q", Ty::bit(), "no selected slice was found yet");
    m.signal("g_shape_q", Ty::named("slicing_t"), "");
    m.signal("g_src_q", Ty::named("src_t"), "");
    m.signal("g_mask_q", Ty::bits("Slices"), "");
    m.signal("g_rest_q", Ty::bits("Slices"), "the mask from this slice on");
    m.signal("g_left_q", Ty::bits("LeftW"), "slices of this outer index from this one on");
    m.signal("g_step_by", Ty::bits("LeftW"), "slices that are passed over with this one, and it");
    m.signal("g_start_q", Ty::named("gran_len_t"), "first granule of this slice");
    m.signal("g_end", Ty::named("gran_len_t"), "behind the last one");
    m.signal("g_stop", Ty::bit(), "there is no slice");
    m.signal("g_load", Ty::bit(), "");
    m.signals(&["g_step", "g_emit"], Ty::bit());
    m.signals(&["g_four", "g_two"], Ty::bit());
    m.signal("g_wrap", Ty::bit(), "the next slice is slice 0");
    m.signal("g_adjacent", Ty::bit(), "the slice behind this one is selected too");
    m.signal("s_valid_q", Ty::bit(), "");
    m.signal("s_take", Ty::bit(), "");
    m.signal("row_done", Ty::bit(), "there is no row, or the last one is taken");
    m.signal("unused_mask", Ty::bit(), "");
    m.text(
        r#"
        assign unused_mask = ^{next_mask_i, g_shape_q};

        assign g_stop     = g_start_q == g_shape_q.block;
        assign g_end      = g_start_q + g_shape_q.inner;
        // Not by s_take: whether a row is taken is late.
        assign g_step     = g_valid_q && !g_stop && (!g_rest_q[0] || !s_valid_q || row_done);
        assign g_emit     = g_valid_q && !g_stop && g_rest_q[0] && (!s_valid_q || row_done);
        assign g_four     = (g_rest_q[3:1] == '0) && (g_left_q[LeftW-1:2] != '0);
        assign g_two      = !g_rest_q[1] && (g_left_q[LeftW-1:1] != '0);
        assign g_step_by  = g_four ? LeftW'(4) : g_two ? LeftW'(2) : LeftW'(1);
        assign g_wrap     = (g_left_q == LeftW'(1)) || (!g_rest_q[1] && (g_left_q == LeftW'(2))) ||
            ((g_rest_q[3:1] == '0) && (g_left_q == LeftW'(4)));
        assign g_adjacent = (g_end != g_shape_q.block) &&
            ((g_left_q == LeftW'(1)) ? g_mask_q[0] : g_rest_q[1]);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            g_valid_q <= 1'b0;
          end else if (g_load) begin
            g_valid_q <= 1'b1;
          end else if (g_stop) begin
            g_valid_q <= 1'b0;
          end
        end

        always_ff @(posedge clk_i) begin
          if (g_load) begin
            g_shape_q <= next_i;
            g_src_q   <= next_src_i;
            g_mask_q  <= next_mask_i[Slices-1:0];
            g_first_q <= 1'b1;
            g_rest_q  <= next_mask_i[Slices-1:0];
            g_left_q  <= next_i.dim[LeftW-1:0];
            g_start_q <= '0;
          end else if (g_step) begin
            if (g_emit) g_first_q <= 1'b0;
            g_start_q <= g_start_q +
                (g_four ? g_shape_q.inner << 2 : g_two ? g_shape_q.inner << 1 : g_shape_q.inner);
            if (g_wrap) begin
              g_rest_q <= g_mask_q;
              g_left_q <= g_shape_q.dim[LeftW-1:0];
            end else begin
              g_rest_q <= g_four ? g_rest_q >> 4 : g_two ? g_rest_q >> 2 : g_rest_q >> 1;
              g_left_q <= g_left_q - g_step_by;
            end
          end
        end
        "#,
    );

    m.section("The slice that was found, or a whole operand. An operation overtakes none.");
    m.signals(&["s_whole_q", "s_concat_q"], Ty::bit());
    m.signal("s_last_q", Ty::named("row_t"), "");
    m.signal("whole_take", Ty::bit(), "");
    m.signal("s_first_q", Ty::bit(), "of the operation");
    m.signal("s_adjacent_q", Ty::bit(), "");
    m.signals(&["s_start_q", "s_end_q"], Ty::named("gran_len_t"));
    m.signal("s_src_q", Ty::named("src_t"), "");
    m.text(
        r#"
        assign g_load       = next_valid_i && next_by_slice_i && (!g_valid_q || g_stop);
        assign whole_take   = next_valid_i && !next_by_slice_i && !g_valid_q && !s_valid_q;
        assign next_take_o  = g_load || whole_take;
        assign next_early_o = next_valid_i && !g_valid_q && (next_by_slice_i || !s_valid_q);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            s_valid_q <= 1'b0;
          end else begin
            s_valid_q <= g_emit || whole_take || (s_valid_q && !s_take);
          end
        end

        always_ff @(posedge clk_i) begin
          if (whole_take) begin
            s_whole_q  <= 1'b1;
            s_concat_q <= next_concat_i;
            s_start_q  <= '0;
            s_end_q    <= next_i.block;
            s_src_q    <= next_src_i;
            s_last_q   <= next_last_i;
          end else if (g_emit) begin
            s_whole_q    <= 1'b0;
            s_concat_q   <= 1'b1;
            s_first_q    <= g_first_q;
            s_adjacent_q <= g_adjacent;
            s_start_q    <= g_start_q;
            s_end_q      <= g_end;
            s_src_q      <= g_src_q;
          end else if (trim_i) begin
            s_last_q <= next_last_i;
          end
        end
        "#,
    );
}

/// The rows of a slice, or of a whole operand.
fn rows(m: &mut Module) {
    m.section("The rows of a slice, or of a whole operand.");
    m.signal("valid_q", Ty::bit(), "");
    m.signal("concat_q", Ty::bit(), "");
    m.signal("by_slice_q", Ty::bit(), "");
    m.signal("adjacent_q", Ty::bit(), "");
    m.signal("edge_q", Ty::bit(), "the slice starts within this row, which no other selected one shares");
    m.signal("src_q", Ty::named("src_t"), "");
    m.signals(&["row_q", "last_q"], Ty::named("row_t"));
    m.signal("lane_q", Ty::named("gran_lane_t"), "last lane before the slice, in its first row");
    m.signal("more_q", Ty::named("row_t"), "rows behind this one up to the end of the slice or block");
    m.signal("top_q", Ty::named("gran_lane_t"), "last lane of the last of them");
    m.signal("none_q", Ty::bit(), "the row is behind the block");
    m.signal("shared", Ty::bit(), "the first row of the slice is the last one of the slice before");
    m.signal("row_last_q", Ty::bit(), "");
    m.signal("top", Ty::named("gran_lane_t"), "of the slice or block that comes next");
    m.signal("s_last", Ty::named("gran_len_t"), "last granule of it");
    m.signals(&["s_row", "s_more"], Ty::named("row_t"));
    m.text(
        r#"
        assign shared   = !s_whole_q && !s_first_q && (s_start_q[GranW-1:GranLaneW] == row_q);
        assign row_done = !valid_q || (row_take_i && row_last_q);
        assign s_take   = s_valid_q && row_done;
        assign begin_o  = s_take && s_whole_q;
        assign s_last   = s_end_q - 1'b1;
        assign top      = s_last[GranLaneW-1:0];
        assign s_row    = s_start_q[GranW-1:GranLaneW] + RowW'(shared);
        assign s_more   = RowW'(({s_last[GranW:GranLaneW], 1'b0} -
            {s_start_q[GranW:GranLaneW], shared}) >> 1);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q <= 1'b0;
          end else begin
            valid_q <= !row_done || s_take;
          end
        end

        // row_q stays at the last row of a slice until the next one compares with it. A closer last
        // row may come late; the rows behind it have no selected granules.
        always_ff @(posedge clk_i) begin
          if (s_take) begin
            by_slice_q <= !s_whole_q;
            concat_q   <= s_concat_q;
            adjacent_q <= s_adjacent_q;
            edge_q     <= !s_whole_q && !shared && (s_start_q[GranLaneW-1:0] != '0);
            src_q      <= s_src_q;
            row_q      <= s_row;
            last_q     <= trim_i ? next_last_i : s_last_q;
            lane_q     <= s_start_q[GranLaneW-1:0] - 1'b1;
            more_q     <= s_more;
            top_q      <= top;
            none_q     <= 1'b0;
            row_last_q <= s_whole_q ? s_last_q == '0 : s_more == '0;
          end else begin
            if (trim_i && !s_valid_q) last_q <= next_last_i;
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
        "#,
    );
}
