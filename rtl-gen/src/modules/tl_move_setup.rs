// SPDX-License-Identifier: Apache-2.0
//! `tl_move_setup`: the next command of the move engine, and what is worked out from it.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_move_setup",
        "Holds a command until operand 0, operand 1 and the back end of the move engine have taken it, each when it is \
         through with the command before, and an operand when its value has come. Meanwhile one multiplier works out the lengths of a concat, a product per \
         cycle, and the mask of an operand whose slices are narrow is repeated, twice as often in each cycle.",
    );
    m.clocked();
    m.group("Commands.");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_soon_o", Ty::bit(), "a command may come in the next cycle, unless one comes now");
    m.input("cmd_i", Ty::named("move_cmd_t"), "");
    m.input("late_i", Ty::bits(2), "the value of the operand is still to come");
    m.input("pending_i", Ty::bits("NumPhys"), "registers whose value is still to come");
    m.group("The command, for each operand. One that is not used is taken at once.");
    m.output("cmd_o", Ty::named("move_cmd_t"), "");
    m.output("walk_valid_o", Ty::bits(2), "");
    m.input("walk_take_i", Ty::bits(2), "");
    m.input("walk_early_i", Ty::bits(2), "and that is known early");
    m.output("by_slice_o", Ty::bit(), "concat with slices of a row or more");
    m.output("slots_o", Ty::named("slot_mask_t"), "selected slices of the operand, repeated");
    m.output("period_o", Ty::named("slot_cnt_t"), "");
    m.output("turn_o", Ty::named("slot_cnt_t"), "slices in a row, modulo the period");
    m.output("rem_o", Ty::named("lane_cnt_t"), "granules of a row, modulo inner");
    m.output("last_o", Ty::named("row_t").packed(2), "last row to read");
    m.output("trim_o", Ty::bits(2), "last_o is a closer one, and the operand was taken");
    m.group("For the back end.");
    m.output("direct_valid_o", Ty::bit(), "addi or merge");
    m.output("plan_valid_o", Ty::bit(), "concat");
    m.input("back_take_i", Ty::bit(), "");
    m.input("back_early_i", Ty::bit(), "and that is known early");
    m.output("copies_o", Ty::bits(2), "concat takes slices from the operand");
    m.output("edge_o", Ty::named("gran_len_t").packed(2), "end of the operand's slices in the span");
    m.output("span_o", Ty::named("gran_len_t"), "granules of all slices of one outer index");
    m.output("many_0_o", Ty::bit(), "many rows of a concat by slice come before the first one of operand 1");

    m.section("The command.");
    m.signal("cmd_q", Ty::named("move_cmd_t"), "");
    m.signal("valid_q", Ty::bit(), "");
    m.signal("step_q", Ty::bits(3), "cycles since it came, at most 7");
    m.signals(&["taken_q", "take"], Ty::bits(3));
    m.signals(&["is_concat_q", "whole"], Ty::bit());
    m.signals(&["skip_q", "skip"], Ty::bits(2));
    m.signal("copies", Ty::bits(2), "");
    m.signal("late_q", Ty::bits(2), "the value of the operand is still to come");
    m.signal("settled", Ty::bit(), "nothing is left to work out");
    m.signal("done", Ty::bit(), "");
    m.text(
        r#"
        // Many rows are a quarter of those of a register, and 8 at least. In granules:
        localparam int unsigned Many = GranLanes * (Rows > 32 ? Rows / 4 : 8);

        assign whole       = is_concat_q && !by_slice_o;
        assign skip        = skip_q & {2{valid_q}};
        assign take        = {back_take_i, skip | walk_take_i};
        assign settled     = !whole || (step_q == 3'd7);
        // What is taken late counts in the next cycle.
        assign done        = ((taken_q | {back_early_i, skip | walk_early_i}) == 3'b111) && settled;
        assign cmd_o       = cmd_q;
        assign cmd_soon_o  = !valid_q || done;

        assign copies[0] = (cmd_i.counts[0] != '0) && !cmd_i.src1.zero;
        assign copies[1] = (cmd_i.counts[1] != cmd_i.counts[0]) && !cmd_i.src2.zero;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_q  <= 1'b0;
            many_0_o <= 1'b0;
          end else begin
            valid_q <= valid_q ? !done : cmd_valid_i;
            if (step_q == 3'd2) many_0_o <= by_slice_o && (32'(edge_o[0]) >= Many);
          end
        end

        always_ff @(posedge clk_i) begin
          if (!valid_q) begin
            step_q  <= '0;
            taken_q <= '0;
          end else begin
            if (step_q != 3'd7) step_q <= step_q + 1'b1;
            taken_q <= taken_q | take;
          end
          // Where traps are not precise, dispatch has waited.
          late_q <= {2{Precise != 0}} &
              (valid_q ? late_q & {pending_i[cmd_q.src2.phys], pending_i[cmd_q.src1.phys]} : late_i);
          if (!valid_q) begin
            cmd_q       <= cmd_i;
            is_concat_q <= cmd_i.op == MoveConcat;
            by_slice_o  <= (cmd_i.op == MoveConcat) && (cmd_i.inner >= (GranW + 1)'(GranLanes));
            copies_o    <= copies;
            skip_q      <= (cmd_i.op == MoveConcat) ? ~copies :
                {cmd_i.op == MoveAddi, 1'b0};
          end
        end
        "#,
    );

    m.section(
        "Products with inner, of the factor that the step before left: the slices of operand 0, those of both, all \
         slices, and those of each operand behind the last one that is selected.",
    );
    m.signal("mask", Ty::bits(32), "");
    m.signal("mask_q", Ty::bits(32), "of operand 0 if it is not skipped, then of operand 1");
    m.signal("fill_1", Ty::bit(), "");
    m.signal("factor_q", Ty::bits(6), "");
    m.signals(&["last", "after"], Ty::bits(5));
    m.signal("nibble_last", Ty::bits(2).packed(8), "the last bit that is set in each nibble of mask_q");
    m.signal("after_q", Ty::bits(5).packed(2), "slices behind the last selected one");
    m.signal("thrice_q", Ty::named("gran_len_t"), "3 * inner");
    m.signal("digit", Ty::named("gran_len_t").packed(3), "inner times two bits of the factor");
    m.signal("low", Ty::named("gran_len_t"), "product with the low four bits of the factor");
    m.signals(&["product", "product_q", "ends_at"], Ty::named("gran_len_t"));
    m.text(
        r#"
        always_comb begin
          for (int unsigned i = 0; i < 3; i++) begin
            unique case (factor_q[2*i+:2])
              2'd1:    digit[i] = cmd_q.inner;
              2'd2:    digit[i] = cmd_q.inner << 1;
              2'd3:    digit[i] = thrice_q;
              default: digit[i] = '0;
            endcase
          end
        end

        assign mask    = below(cmd_q.dim) &
            ((fill_1 || step_q != '0) ? cmd_q.mask2 : cmd_q.mask1);
        assign after   = cmd_q.dim[4:0] + ~last;  // dim - 1 - last

        always_comb begin
          last = '0;
          for (int unsigned g = 0; g < 8; g++) begin
            nibble_last[g] = {|mask_q[4*g+2+:2], mask_q[4*g+3] || (mask_q[4*g+1] && !mask_q[4*g+2])};
            if (mask_q[4*g+:4] != '0) last[4:2] = 3'(g);
          end
          last[1:0] = nibble_last[last[4:2]];
        end

        assign low     = {(GranW - 1)'(digit[0][GranW:2]) + (GranW - 1)'(digit[1]), digit[0][1:0]};
        assign product = {(GranW - 3)'(low[GranW:4]) + (GranW - 3)'(digit[2]), low[3:0]};
        assign ends_at = cmd_q.block - product_q;

        always_ff @(posedge clk_i) begin
          product_q <= product;
          mask_q    <= mask;
          unique case (step_q)
            3'd0: begin
              factor_q <= cmd_q.counts[0];
              thrice_q <= cmd_q.inner + (cmd_q.inner << 1);
            end
            3'd1: begin
              factor_q   <= cmd_q.counts[1];
              edge_o[0]  <= product;
              after_q[0] <= after;
            end
            3'd2: begin
              factor_q   <= cmd_q.dim;
              edge_o[1]  <= product;
              after_q[1] <= after;
            end
            3'd3: begin
              factor_q <= 6'(after_q[0]);
              span_o   <= product;
            end
            default: factor_q <= 6'(after_q[1]);
          endcase
        end
        "#,
    );

    m.section("The last row to read: that of the last selected slice, when it is known.");
    m.signals(&["end_row", "block_row"], Ty::named("row_t"));
    m.text(
        r#"
        assign end_row   = RowW'(ends_at[GranW:GranLaneW] -
            (RowW + 1)'(ends_at[GranLaneW-1:0] == '0));
        assign block_row = RowW'(cmd_q.block[GranW:GranLaneW] -
            (RowW + 1)'(cmd_q.block[GranLaneW-1:0] == '0));
        assign trim_o[0] = valid_q && whole && (step_q >= 3'd6) && taken_q[0] && !skip[0];
        assign trim_o[1] = valid_q && whole && (step_q == 3'd7) && taken_q[1] && !skip[1];

        logic [1:0] near_q;  // last_q holds for the command
        row_t [1:0] last_q;

        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            last_o[s] = !is_concat_q ? '1 : near_q[s] ? last_q[s] : block_row;
          end
        end

        always_ff @(posedge clk_i) begin
          near_q <= {step_q >= 3'd6, step_q >= 3'd5} & {2{valid_q && is_concat_q}};
          if (step_q == 3'd5) last_q[0] <= end_row;
          if (step_q == 3'd6) last_q[1] <= end_row;
        end
        "#,
    );

    m.section("The mask of an operand, repeated: of operand 0, and of operand 1 when that has been taken.");
    m.signal("slots_q", Ty::named("slot_mask_t"), "");
    m.signal("period_q", Ty::named("slot_cnt_t"), "");
    m.signal("full_q", Ty::bit(), "all of slots_q is filled");
    m.signal("long", Ty::bit(), "a period fills more than half of it");
    m.signal("fill_q", Ty::bits(2), "operand whose mask it is, one-hot");
    m.signals(&["starts_q", "rem_q"], Ty::named("lane_cnt_t"));
    m.signals(&["starts", "rem"], Ty::named("lane_cnt_t"));
    m.text(
        r#"
        always_comb begin
          starts = '0;
          rem    = '0;
          for (int unsigned d = 1; d < GranLanes; d++) begin
            if (cmd_q.inner[GranLaneW-1:0] == GranLaneW'(d)) begin
              starts = (GranLaneW + 1)'(GranLanes / d);
              rem    = (GranLaneW + 1)'(GranLanes % d);
            end
          end
        end

        assign long     = period_q > (MoveSlotW + 1)'(MoveSlots / 2);
        assign fill_1   = (step_q == '0) ? skip[0] : fill_q[0] && taken_q[0];
        assign slots_o  = slots_q;
        assign period_o = period_q;
        assign rem_o    = rem_q;
        assign turn_o   = (MoveSlotW + 1)'(starts_q) -
            ((GranLanes <= MoveSlots / 2 || (MoveSlotW + 1)'(starts_q) < period_q) ? '0 : period_q);

        always_ff @(posedge clk_i) begin
          starts_q <= starts;
          rem_q    <= rem;
          if (cmd_q.inner[GranW:GranLaneW] != '0) begin
            starts_q <= (GranLaneW + 1)'(cmd_q.inner == (GranW + 1)'(GranLanes));
            rem_q    <= (cmd_q.inner == (GranW + 1)'(GranLanes)) ? '0 : (GranLaneW + 1)'(GranLanes);
          end
          if (step_q == '0 || fill_1) begin
            fill_q   <= {fill_1, !fill_1};
            slots_q  <= MoveSlots'(mask);
            period_q <= (MoveSlotW + 1)'(cmd_q.dim);
            full_q   <= 1'b0;
          end else begin
            slots_q <= slots_q | (slots_q << period_q);
            full_q  <= long;
            if (!long) period_q <= period_q << 1;
          end
        end

        // What needs no lane masks of slices need not wait for them.
        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            walk_valid_o[s] = valid_q && !taken_q[s] && !skip[s] && !late_q[s] &&
                (by_slice_o || cmd_q.op == MoveAddi || (s == 1 && !is_concat_q) ||
                (step_q != '0 && full_q && fill_q[s]));
          end
        end

        assign direct_valid_o = valid_q && !taken_q[2] && !is_concat_q;
        assign plan_valid_o   = valid_q && !taken_q[2] && is_concat_q && (step_q >= 3'd4);
        "#,
    );
    m
}
