// SPD-License-Identifier: Apache-2.0
//! `tl_concat_plan`: where the rows of a concatenation come from.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_concat_plan",
        "The passes that make the rows of a concat. Along the result each outer index spans the slices of operand 0, \
         those of operand 1, and zeros. A pass fills the granules of a row that come from one operand; a row takes one \
         or two of them, a row of zeros one that fills nothing.\n\
         Edge e is the lane of the first start of the slices of operand 0 (e = 0), of those of operand 1, or of the \
         zeros, at or behind the current row; it comes again every span granules.",
    );
    m.clocked();
    m.group("The next operation; lengths in granules.");
    m.input("next_valid_i", Ty::bit(), "");
    m.output("next_take_o", Ty::bit(), "");
    m.input("next_tag_i", Ty::named("tag_t"), "");
    m.input("next_dst_i", Ty::named("dst_t"), "");
    m.input("next_any_i", Ty::bits(2), "the operand has slices to copy");
    m.input("next_all_i", Ty::bits(2), "they fill the span");
    m.input("next_edge_i", Ty::named("gran_len_t").packed(2), "of the operand's slices, their end within the span");
    m.input("next_span_i", Ty::named("gran_len_t"), "");
    m.input("next_block_i", Ty::named("gran_len_t"), "");
    m.group("Passes.");
    m.output("pass_valid_o", Ty::bit(), "");
    m.input("pass_ready_i", Ty::bit(), "");
    m.output("pass_mask_o", Ty::named("lane_mask_t"), "granules to fill");
    m.output("pass_src_o", Ty::bit(), "from this operand");
    m.output("pass_begin_o", Ty::bit(), "first pass of the row");
    m.output("pass_end_o", Ty::bit(), "last pass of the row");
    m.output("pass_dest_o", Ty::named("row_dest_t"), "");
    m.output("busy_o", Ty::bit(), "passes are left");

    m.section("The row that is planned.");
    m.signal("valid_q", Ty::bit(), "");
    m.signal("second_q", Ty::bit(), "its first pass is done");
    m.signal("row_q", Ty::named("row_t"), "");
    m.signal("tag_q", Ty::named("tag_t"), "");
    m.signal("dst_q", Ty::named("dst_t"), "");
    m.signals(&["any_q", "all_q"], Ty::bits(2));
    m.signal("edge_q", Ty::named("gran_len_t").packed(3), "");
    m.signal("span_q", Ty::named("gran_len_t"), "");
    m.signal("rem_q", Ty::named("lane_cnt_t"), "GranLanes modulo the span");
    m.signal("left_q", Ty::named("gran_len_t"), "granules of the block from this row on");
    m.signal("lanes", Ty::named("lane_cnt_t"), "left_q, at most a row");
    m.signals(&["carried", "needed"], Ty::bits(2));
    m.signal("src", Ty::bit(), "");
    m.signal("row_end", Ty::bit(), "");
    m.signal("step", Ty::bit(), "");
    m.signal("done", Ty::bit(), "");
    m.signal("next_rem", Ty::named("lane_cnt_t"), "");
    m.text(
        r#"
        assign lanes = (left_q < (GranW + 1)'(GranLanes)) ?
            left_q[GranLaneW:0] : (GranLaneW + 1)'(GranLanes);

        // The row begins inside a region when the end of it comes before its next start.
        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            carried[s] = all_q[s] || (edge_q[s+1] < edge_q[s]);
            needed[s] = any_q[s] && (lanes != '0) && (all_q[s] ||
                (carried[s] && (edge_q[s+1] != '0)) || (edge_q[s] < (GranW + 1)'(lanes)));
          end
        end

        assign src         = second_q || !needed[0];
        assign row_end     = !(needed == 2'b11 && !second_q);
        assign done        = step && row_end && (&row_q);
        assign next_take_o = next_valid_i && (!valid_q || done);

        always_comb begin
          next_rem = (GranLaneW + 1)'(GranLanes);
          for (int unsigned d = 1; d <= GranLanes; d++) begin
            if (next_span_i == (GranW + 1)'(d)) next_rem = (GranLaneW + 1)'(GranLanes % d);
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q  <= 1'b0;
            second_q <= 1'b0;
          end else begin
            valid_q <= next_take_o || (valid_q && !done);
            if (step) second_q <= !row_end;
          end
        end

        always_ff @(posedge clk_i) begin
          if (next_take_o) begin
            row_q     <= '0;
            tag_q     <= next_tag_i;
            dst_q     <= next_dst_i;
            any_q     <= next_any_i;
            all_q     <= next_all_i;
            edge_q[0] <= '0;
            edge_q[1] <= (next_edge_i[0] == next_span_i) ? '0 : next_edge_i[0];
            edge_q[2] <= (next_edge_i[1] == next_span_i) ? '0 : next_edge_i[1];
            span_q    <= next_span_i;
            rem_q     <= next_rem;
            left_q    <= next_block_i;
          end else if (step && row_end) begin
            row_q  <= row_q + 1'b1;
            left_q <= left_q - (GranW + 1)'(lanes);
            for (int unsigned e = 0; e < 3; e++) begin
              edge_q[e] <= edge_q[e] - (GranW + 1)'(rem_q) +
                  ((edge_q[e] < (GranW + 1)'(rem_q)) ? span_q : '0);
            end
          end
        end
        "#,
    );

    m.section("The edges of a pass.");
    m.signal("p_valid_q", Ty::bit(), "");
    m.signal("p_ready", Ty::bit(), "");
    m.signals(&["p_none_q", "p_inside_q", "p_src_q", "p_begin_q", "p_end_q"], Ty::bit());
    m.signals(&["p_start_q", "p_stop_q", "p_lanes_q"], Ty::named("lane_cnt_t"));
    m.signal("p_span_q", Ty::named("gran_lane_t"), "0: a row or more");
    m.signal("p_dest_q", Ty::named("row_dest_t"), "");
    m.text(
        r#"
        // The low bits of a length, or GranLanes for a row and more.
        function automatic lane_cnt_t at_most_a_row(gran_len_t length);
          at_most_a_row = (length < (GranW + 1)'(GranLanes)) ?
              length[GranLaneW:0] : (GranLaneW + 1)'(GranLanes);
        endfunction

        assign step = valid_q && p_ready;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            p_valid_q <= 1'b0;
          end else if (p_ready) begin
            p_valid_q <= valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          if (p_ready) begin
            p_none_q   <= needed == 2'b00;
            p_inside_q <= carried[src];
            p_src_q    <= src;
            p_begin_q  <= !second_q;
            p_end_q    <= row_end;
            p_start_q  <= at_most_a_row(src ? edge_q[1] : edge_q[0]);
            p_stop_q   <= at_most_a_row(src ? edge_q[2] : edge_q[1]);
            p_lanes_q  <= lanes;
            p_span_q   <= (span_q < (GranW + 1)'(GranLanes)) ? span_q[GranLaneW-1:0] : '0;
            p_dest_q   <= {(&row_q), tag_q, dst_q, row_q};
          end
        end
        "#,
    );

    m.section("Its lane mask: as in tl_lane_mask the ends less the starts, and less one to begin inside.");
    m.signal("period", Ty::named("lane_mask_t"), "lanes that are multiples of the span");
    m.signal("filled", Ty::named("lane_mask_t"), "");
    m.text(
        r#"
        assign period[0] = 1'b1;

        for (genvar j = 1; j < GranLanes; j++) begin : gen_lane
          logic [j-1:0] multiple;

          for (genvar d = 1; d <= j; d++) begin : gen_span
            assign multiple[d-1] = (j % d == 0) && (p_span_q == GranLaneW'(d));
          end

          assign period[j] = |multiple;
        end

        assign filled = (period << p_stop_q) - (period << p_start_q) - GranLanes'(p_inside_q);

        assign p_ready = !p_valid_q || !pass_valid_o || pass_ready_i;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            pass_valid_o <= 1'b0;
          end else if (!pass_valid_o || pass_ready_i) begin
            pass_valid_o <= p_valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          if (!pass_valid_o || pass_ready_i) begin
            pass_mask_o  <= p_none_q ? '0 : filled & ~({GranLanes{1'b1}} << p_lanes_q);
            pass_src_o   <= p_src_q;
            pass_begin_o <= p_begin_q;
            pass_end_o   <= p_end_q;
            pass_dest_o  <= p_dest_q;
          end
        end

        assign busy_o = valid_q || p_valid_q || pass_valid_o;
        "#,
    );
    m
}
