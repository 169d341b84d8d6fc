// SPDX-License-Identifier: Apache-2.0
//! `tl_move_mask`: lane masks of the rows that the move engine reads.

use crate::sv::{Module, Ty};

/// The module, from the one that it instantiates; the same text for every configuration.
pub fn module(lane_mask: &Module) -> Module {
    let mut m = Module::new(
        "tl_move_mask",
        "Which granules of the rows of both operands are selected, for one row per cycle, in the cycle after the row \
         was asked for.\n\
         Of an operand that is read whole it keeps the lane of the next slice start and a window of the endless \
         sequence of mask bits, which starts with the slice before that lane. The window turns by the slices that \
         start in a row, modulo dim.",
    );
    m.input("clk_i", Ty::bit(), "");
    m.group("A new operation.");
    m.input("load_i", Ty::bits(2), "for an operand; one at a time");
    m.input("dim_i", Ty::bits(6), "");
    m.input("inner_i", Ty::named("gran_len_t"), "");
    m.input("mask_i", Ty::bits(32), "selected slices; bits from dim_i on are 0");
    m.input("turn_i", Ty::bits(6), "GranLanes / inner_i modulo dim_i");
    m.input("rem_i", Ty::named("lane_cnt_t"), "GranLanes modulo inner_i");
    m.group("The next row of an operand.");
    m.input("take_i", Ty::bits(2), "one at a time");
    m.input("by_slice_i", Ty::bit(), "the mask is given by next_i and sel_i");
    m.input("next_i", Ty::named("lane_cnt_t"), "");
    m.input("sel_i", Ty::bits(2), "");
    m.output("mask_o", Ty::named("lane_mask_t"), "of the row taken in the previous cycle");
    m.text("localparam int unsigned WindowW = ((GranLanes > 32) ? GranLanes : 32) + 1;");

    m.section("The sequence of mask bits: doubling the period until it fills the window.");
    m.signal("endless", Ty::bits("WindowW-1"), "");
    m.signal("last_bit", Ty::bit(), "of the last slice, the one before slice 0");
    m.text(
        r#"
        always_comb begin
          endless = (WindowW - 1)'(mask_i);
          for (int unsigned d = 0; d < $clog2(WindowW - 1); d++) begin
            endless = endless | (endless << (32'(dim_i) << d));
          end
        end

        assign last_bit = ((mask_i >> (dim_i - 6'd1)) & 32'd1) != '0;
        "#,
    );

    m.section("State of the operands that are read whole.");
    m.signal("window_q", Ty::bits("WindowW").packed(2), "");
    m.signals(&["next_q", "inner_q"], Ty::named("gran_len_t").packed(2));
    m.signal("rem_q", Ty::named("lane_cnt_t").packed(2), "");
    m.signals(&["dim_q", "turn_q"], Ty::bits(6).packed(2));
    m.signal("s", Ty::bit(), "the operand that is taken");
    m.signal("wrap", Ty::bit(), "one slice more starts in this row");
    m.signal("turn", Ty::bits(6), "slices that start in this row, modulo dim");
    m.signal("next_lane", Ty::named("gran_len_t"), "of the row after this one");
    m.signal("window", Ty::bits("WindowW"), "");
    m.text(
        r#"
        assign s         = take_i[1];
        assign wrap      = next_q[s] < (GranW + 1)'(rem_q[s]);
        assign turn      = !wrap ? turn_q[s] : (turn_q[s] + 6'd1 == dim_q[s]) ? '0 : turn_q[s] + 6'd1;
        assign next_lane = next_q[s] - (GranW + 1)'(rem_q[s]) + (wrap ? inner_q[s] : '0);
        assign window    = (window_q[s] >> turn) | (window_q[s] << (dim_q[s] - turn));

        always_ff @(posedge clk_i) begin
          for (int unsigned i = 0; i < 2; i++) begin
            if (load_i[i]) begin
              window_q[i] <= {endless, last_bit};
              next_q[i]   <= '0;
              inner_q[i]  <= inner_i;
              rem_q[i]    <= rem_i;
              dim_q[i]    <= dim_i;
              turn_q[i]   <= turn_i;
            end else if (take_i[i] && !by_slice_i) begin
              window_q[i] <= window;
              next_q[i]   <= next_lane;
            end
          end
        end
        "#,
    );

    m.section("The row that was taken.");
    m.signal("row_sel_q", Ty::bits("GranLanes+1"), "");
    m.signal("row_next_q", Ty::named("lane_cnt_t"), "");
    m.signal("row_inner_q", Ty::named("gran_lane_t"), "0: a row or more");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          if (by_slice_i) begin
            row_sel_q   <= (GranLanes + 1)'(sel_i);
            row_next_q  <= next_i;
            row_inner_q <= '0;
          end else begin
            row_sel_q   <= window_q[s][GranLanes:0];
            row_next_q  <= (next_q[s] < (GranW + 1)'(GranLanes)) ?
                next_q[s][GranLaneW:0] : (GranLaneW + 1)'(GranLanes);
            row_inner_q <= (inner_q[s] < (GranW + 1)'(GranLanes)) ? inner_q[s][GranLaneW-1:0] : '0;
          end
        end
        "#,
    );
    m.instance(
        lane_mask,
        "u_lane_mask",
        &[],
        &[("next_i", "row_next_q"), ("inner_i", "row_inner_q"), ("sel_i", "row_sel_q"), ("mask_o", "mask_o")],
    );
    m
}
