// SPDX-License-Identifier: Apache-2.0
//! `tl_move_mask`: lane masks of the rows that the move engine reads.

use crate::sv::{Module, Ty};

/// The module, from the one that it instantiates; the same text for every configuration.
pub fn module(lane_mask: &Module) -> Module {
    let mut m = Module::new(
        "tl_move_mask",
        "Which granules of the rows of both operands are selected, for one row per cycle, four cycles after the row \
         was asked for.\n\
         Of an operand that is read whole it keeps the slice that lane 0 is in, modulo the period of the mask, and \
         how much of it is left. The mask bits from that slice on are the mask, turned by a rotation of the period.",
    );
    m.clocked();
    m.group("A new operation; it waits until begin_i.");
    m.input("load_i", Ty::bits(2), "for an operand");
    m.input("inner_i", Ty::named("gran_len_t"), "");
    m.input("slots_i", Ty::named("slot_mask_t"), "selected slices, repeated");
    m.input("period_i", Ty::named("slot_cnt_t"), "more than half of MoveSlots");
    m.input("turn_i", Ty::named("slot_cnt_t"), "GranLanes / inner_i modulo period_i");
    m.input("rem_i", Ty::named("lane_cnt_t"), "GranLanes modulo inner_i");
    m.input("begin_i", Ty::bits(2), "its rows come from the next cycle on");
    m.group("The next row of an operand.");
    m.input("take_i", Ty::bits(2), "one at a time");
    m.input("by_slice_i", Ty::bit(), "the mask is given by before_i and sel_i");
    m.input("before_i", Ty::named("gran_lane_t"), "last lane of the first slice");
    m.input("sel_i", Ty::bits(2), "[0]: lanes up to before_i; [1]: the others");
    m.input("top_i", Ty::named("gran_lane_t"), "last lane of the block");
    m.input("none_i", Ty::bit(), "the row is behind the block");
    m.output("mask_o", Ty::named("lane_mask_t"), "of the row taken four cycles ago");

    m.section("A cycle later, since who takes what is known late in a cycle.");
    m.signals(&["begin_q", "walk_q"], Ty::bits(2));
    m.signals(&["s_q", "asked_by_slice_q", "asked_none_q"], Ty::bit());
    m.signal("asked_sel_q", Ty::bits(2), "");
    m.signals(&["asked_before_q", "asked_top_q"], Ty::named("gran_lane_t"));
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          begin_q          <= begin_i;
          walk_q           <= take_i;
          s_q              <= take_i[1];
          asked_by_slice_q <= by_slice_i;
          asked_before_q   <= before_i;
          asked_sel_q      <= sel_i;
          asked_top_q      <= top_i;
          asked_none_q     <= none_i;
        end
        "#,
    );

    m.section(
        "State of the operands that are read whole. It goes on with the rows of others, too, which do not look at it.",
    );
    m.text(
        r#"
        typedef struct packed {
          slot_mask_t slots;
          gran_len_t  lack;    // inner less rem
          gran_lane_t inner;   // 0: a row or more
          lane_cnt_t  rem;
          slot_cnt_t  period;
          slot_cnt_t  turn;
          slot_cnt_t  less;    // turn less period: negative
        } slices_t;

        slices_t next;
        "#,
    );
    m.signal("before_q", Ty::named("gran_len_t").packed(2), "granules behind lane 0 in its slice");
    m.signal("phase_q", Ty::bits("MoveSlotW").packed(2), "that slice, modulo the period");
    m.signal("slots_q", Ty::named("slot_mask_t").packed(2), "");
    m.signal("period_q", Ty::named("slot_cnt_t").packed(2), "");
    m.signal("inner_q", Ty::named("gran_lane_t").packed(2), "");
    m.text(
        r#"
        always_comb begin
          next.slots  = slots_i;
          next.lack   = inner_i - (GranW + 1)'(rem_i);
          next.inner  = (inner_i < (GranW + 1)'(GranLanes)) ? inner_i[GranLaneW-1:0] : '0;
          next.rem    = rem_i;
          next.period = period_i;
          next.turn   = turn_i;
          next.less   = turn_i - period_i;
        end

        for (genvar o = 0; o < 2; o++) begin : gen_operand
          slices_t              next_q;
          logic                 held_q;    // it is loaded, and its rows have not begun
          slices_t              slices_q;
          gran_len_t            behind_q;  // granules of a slice behind its first one
          logic [GranW+1:0]     lead;    // of the row behind, negative when
          logic                 wrap;    // one slice more starts in this row
          logic [MoveSlotW-1:0] ahead;   // the slice of lane 0 of the row behind
          logic [MoveSlotW:0]   over;    // the same, less a period

          assign lead  = {1'b0, before_q[o]} - (GranW + 2)'(slices_q.rem);
          assign wrap  = lead[GranW+1];
          assign ahead = MoveSlotW'({1'b0, phase_q[o]} + slices_q.turn + slot_cnt_t'(wrap));
          assign over  = {1'b0, phase_q[o]} + slices_q.less + slot_cnt_t'(wrap);

          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) begin
              held_q <= 1'b0;
            end else begin
              held_q <= load_i[o] || (held_q && !begin_q[o]);
            end
          end

          // That it is loaded is late, so what may come is taken all the time.
          always_ff @(posedge clk_i) begin
            if (!held_q || begin_q[o]) begin
              next_q   <= next;
              behind_q <= inner_i - 1'b1;
            end
            if (begin_q[o]) begin
              slices_q    <= next_q;
              before_q[o] <= behind_q;
              phase_q[o]  <= '0;
            end else if (walk_q[o]) begin
              before_q[o] <= wrap ? before_q[o] + slices_q.lack : lead[GranW:0];
              phase_q[o]  <= over[MoveSlotW] ? ahead : MoveSlotW'(over);
            end
          end

          assign slots_q[o]  = slices_q.slots;
          assign period_q[o] = slices_q.period;
          assign inner_q[o]  = slices_q.inner;
        end
        "#,
    );

    m.section("The row that was taken.");
    m.signals(&["by_slice_q", "none_q"], Ty::bit());
    m.signal("sel_q", Ty::bits(2), "");
    m.signal("row_slots_q", Ty::named("slot_mask_t"), "");
    m.signal("row_phase_q", Ty::bits("MoveSlotW"), "");
    m.signal("row_rest_q", Ty::named("slot_cnt_t"), "");
    m.signals(&["row_before_q", "row_inner_q", "top_q"], Ty::named("gran_lane_t"));
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          by_slice_q  <= asked_by_slice_q;
          sel_q       <= asked_sel_q;
          none_q      <= asked_none_q;
          top_q       <= asked_top_q;
          row_slots_q <= slots_q[s_q];
          row_phase_q <= phase_q[s_q];
          row_rest_q  <= period_q[s_q] - {1'b0, phase_q[s_q]};
          if (asked_by_slice_q) begin
            row_before_q <= asked_before_q;
            row_inner_q  <= '0;
          end else begin
            row_before_q <= (before_q[s_q] < (GranW + 1)'(GranLanes)) ? before_q[s_q][GranLaneW-1:0] : '1;
            row_inner_q  <= inner_q[s_q];
          end
        end
        "#,
    );

    m.section("Its mask bits.");
    m.signal("lane_sel_q", Ty::named("lane_mask_t"), "");
    m.signal("lane_inner_q", Ty::bits("GranLanes-1"), "");
    m.signals(&["lane_before_q", "lane_top_q"], Ty::named("gran_lane_t"));
    m.signal("lane_none_q", Ty::bit(), "");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          lane_sel_q    <= by_slice_q ? GranLanes'(sel_q) : 
              GranLanes'((row_slots_q >> row_phase_q) | (row_slots_q << row_rest_q));
          lane_before_q <= row_before_q;
          lane_top_q    <= top_q;
          lane_none_q   <= none_q;
          for (int unsigned d = 1; d < GranLanes; d++) begin
            lane_inner_q[d-1] <= row_inner_q == GranLaneW'(d);
          end
        end
        "#,
    );
    m.instance(
        lane_mask,
        "u_lane_mask",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("before_i", "lane_before_q"),
            ("inner_i", "lane_inner_q"),
            ("sel_i", "lane_sel_q"),
            ("top_i", "lane_top_q"),
            ("none_i", "lane_none_q"),
            ("mask_o", "mask_o"),
        ],
    );
    m
}
