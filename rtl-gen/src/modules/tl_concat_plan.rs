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
    m.output("next_early_o", Ty::bit(), "and that is known early: no plan ends in this cycle");
    m.input("next_tag_i", Ty::named("tag_t"), "");
    m.input("next_dst_i", Ty::named("dst_t"), "");
    m.input("next_any_i", Ty::bits(2), "the operand has slices to copy");
    m.input("next_all_i", Ty::bits(2), "they fill the span");
    m.input("next_edge_i", Ty::named("gran_len_t").packed(2), "of the operand's slices, their end within the span");
    m.input("next_span_i", Ty::named("gran_len_t"), "");
    m.input("next_block_i", Ty::named("gran_len_t"), "");
    m.group("Passes; none is held back, at most thirteen are under way.");
    m.output("pass_valid_o", Ty::bit(), "");
    m.input("pass_take_i", Ty::bit(), "a pass is through");
    m.output("pass_mask_o", Ty::named("lane_mask_t"), "granules to fill");
    m.output("pass_src_o", Ty::bit(), "from this operand");
    m.output("pass_begin_o", Ty::bit(), "first pass of the row");
    m.output("pass_end_o", Ty::bit(), "last pass of the row");
    m.output("pass_dest_o", Ty::named("row_dest_t"), "");
    m.output("busy_o", Ty::bit(), "passes are left");

    rows(&mut m);
    edges(&mut m);
    masks(&mut m);
    m
}

/// The row that is planned, and where the regions start.
fn rows(m: &mut Module) {
    m.section("The row that is planned.");
    m.signal("valid_q", Ty::bit(), "");
    m.signals(&["row_q", "more_q"], Ty::named("row_t"));
    m.signal("last_q", Ty::bit(), "it is the last one of the register");
    m.signal("top_q", Ty::named("gran_lane_t"), "last lane of the last row of the block");
    m.signal("none_q", Ty::bit(), "the row is behind the block");
    m.signal("tag_q", Ty::named("tag_t"), "");
    m.signal("dst_q", Ty::named("dst_t"), "");
    m.signals(&["any_q", "all_q"], Ty::bits(2));
    m.signal("edge_q", Ty::named("gran_len_t").packed(3), "");
    m.signal("lead", Ty::bits("GranW+2").packed(3), "edges of the row after this one, negative behind its start");
    m.signal("lack_q", Ty::named("gran_len_t"), "span less rem");
    m.signal("rem_q", Ty::named("lane_cnt_t"), "GranLanes modulo the span");
    m.signal("span_q", Ty::named("gran_lane_t"), "0: a row or more");
    m.signals(&["step", "done"], Ty::bit());
    m.signals(&["rem", "next_rem"], Ty::named("lane_cnt_t"));
    m.signal("next_top", Ty::named("gran_lane_t"), "");
    m.text(
        r#"
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
            more_q    <= RowW'(next_block_i[GranW:GranLaneW] - (RowW + 1)'(&next_top));
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
            lack_q    <= next_span_i - (GranW + 1)'(next_rem);
            rem_q     <= next_rem;
            span_q    <= (next_span_i < (GranW + 1)'(GranLanes)) ? next_span_i[GranLaneW-1:0] : '0;
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
        "#,
    );
}

/// Its edges, and the passes that it needs.
fn edges(m: &mut Module) {
    m.section("Its edges: the row begins inside a region when the end of it comes before its next start.");
    m.signal("e_valid_q", Ty::bit(), "");
    m.signals(&["carried", "needed"], Ty::bits(2));
    m.signals(&["e_needed_q", "e_inside_q"], Ty::bits(2));
    m.signal("e_edge_q", Ty::named("lane_cnt_t").packed(3), "GranLanes and more: not in the row");
    m.signals(&["top", "e_top_q", "e_span_q"], Ty::named("gran_lane_t"));
    m.signal("e_dest_q", Ty::named("row_dest_t"), "");
    m.signal("second_q", Ty::bit(), "its first pass is done");
    m.signal("src", Ty::bit(), "");
    m.signal("row_end_q", Ty::bit(), "its next pass is the last one");
    m.signals(&["room_q", "pass_begin"], Ty::bit());
    m.signal("under_way_q", Ty::bits(4), "passes");
    m.text(
        r#"
        assign top = (more_q == '0) ? top_q : '1;

        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            carried[s] = all_q[s] || (edge_q[s+1] < edge_q[s]);
            needed[s]  = any_q[s] && !none_q && (all_q[s] || (carried[s] && edge_q[s+1] != '0) ||
                (edge_q[s] <= (GranW + 1)'(top)));
          end
        end

        assign step       = valid_q && (!e_valid_q || (room_q && row_end_q));
        assign pass_begin = e_valid_q && room_q;
        assign src        = second_q || !e_needed_q[0];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            e_valid_q   <= 1'b0;
            second_q    <= 1'b0;
            under_way_q <= '0;
          end else begin
            e_valid_q   <= step || (e_valid_q && !(room_q && row_end_q));
            if (pass_begin) second_q <= !row_end_q;
            // Or less one.
            if (pass_begin != pass_take_i) under_way_q <= under_way_q + {{3{pass_take_i}}, 1'b1};
          end
        end

        always_ff @(posedge clk_i) begin
          // One that begins now does not count yet.
          room_q <= under_way_q < 4'd12;
          if (pass_begin) row_end_q <= 1'b1;
          if (step) begin
            e_needed_q <= needed;
            row_end_q  <= needed != 2'b11;
            e_inside_q <= carried;
            e_top_q    <= top;
            e_span_q   <= span_q;
            e_dest_q   <= {last_q, tag_q, dst_q, row_q};
            for (int unsigned e = 0; e < 3; e++) begin
              e_edge_q[e] <= {edge_q[e] >= (GranW + 1)'(GranLanes), edge_q[e][GranLaneW-1:0]};
            end
          end
        end
        "#,
    );
}

/// Lane masks.
fn masks(m: &mut Module) {
    m.section("The edges of a pass.");
    m.signals(&["p_valid_q", "p_inside_q", "p_src_q", "p_begin_q", "p_end_q", "p_none_q"], Ty::bit());
    m.signals(&["p_start_q", "p_stop_q"], Ty::named("lane_cnt_t"));
    m.signal("p_top_q", Ty::named("gran_lane_t"), "");
    m.signals(&["period", "p_period_q"], Ty::named("lane_mask_t"));
    m.signal("p_dest_q", Ty::named("row_dest_t"), "");
    m.text(
        r#"
        // Lanes that are multiples of the span.
        always_comb begin
          period    = '0;
          period[0] = 1'b1;
          for (int unsigned d = 1; d < GranLanes; d++) begin
            for (int unsigned j = d; j < GranLanes; j += d) begin
              if (e_span_q == GranLaneW'(d)) period[j] = 1'b1;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          p_none_q   <= e_needed_q == 2'b00;
          p_inside_q <= e_inside_q[src];
          p_src_q    <= src;
          p_begin_q  <= !second_q;
          p_end_q    <= row_end_q;
          p_start_q  <= src ? e_edge_q[1] : e_edge_q[0];
          p_stop_q   <= src ? e_edge_q[2] : e_edge_q[1];
          p_top_q    <= e_top_q;
          p_period_q <= period;
          p_dest_q   <= e_dest_q;
        end
        "#,
    );

    m.section("Starts and ends of the region in the row.");
    m.signals(&["m_valid_q", "m_inside_q", "m_src_q", "m_begin_q", "m_end_q"], Ty::bit());
    m.signals(&["m_starts_q", "m_stops_q", "m_block_q"], Ty::named("lane_mask_t"));
    m.signal("m_dest_q", Ty::named("row_dest_t"), "");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          m_starts_q <= p_start_q[GranLaneW] ? '0 : p_period_q << p_start_q[GranLaneW-1:0];
          m_stops_q  <= p_stop_q[GranLaneW] ? '0 : p_period_q << p_stop_q[GranLaneW-1:0];
          m_inside_q <= p_inside_q;
          m_src_q    <= p_src_q;
          m_begin_q  <= p_begin_q;
          m_end_q    <= p_end_q;
          m_dest_q   <= p_dest_q;
          m_block_q  <= p_none_q ? '0 : up_to(p_top_q);
        end
        "#,
    );

    m.section(
        "The lane mask. A set of lane ranges, as a number, is the sum of their end lanes less the sum of their start \
         lanes, each a power of two, and less one to begin inside.",
    );
    m.text(
        r#"
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            p_valid_q    <= 1'b0;
            m_valid_q    <= 1'b0;
            pass_valid_o <= 1'b0;
          end else begin
            p_valid_q    <= pass_begin;
            m_valid_q    <= p_valid_q;
            pass_valid_o <= m_valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          pass_mask_o  <= m_block_q &
              GranLanes'(({m_stops_q, 1'b0} - {m_starts_q, m_inside_q}) >> 1);
          pass_src_o   <= m_src_q;
          pass_begin_o <= m_begin_q;
          pass_end_o   <= m_end_q;
          pass_dest_o  <= m_dest_q;
        end

        // A row that waits behind the last step has a pass under way.
        assign busy_o = valid_q || (under_way_q != '0);
        "#,
    );
}
