// SPDX-License-Identifier: Apache-2.0
//! `tl_move_fetch`: the operand rows of the move engine.

use crate::sv::{Module, Ty};

/// The module, from those that it instantiates; the same text for every configuration.
pub fn module(walk: &Module, mask: &Module) -> Module {
    let mut m = Module::new(
        "tl_move_fetch",
        "Reads the rows of both operands ahead of their use and says which granules are selected.\n\
         Each operand has its own walker and buffer and may be in another operation than the other one. Both read in \
         one cycle when their rows are in different banks: after one clash merge runs a row apart. Concat reads one \
         row per cycle, since the lane masks come from one unit; merge needs them for operand 0 only.",
    );
    m.clocked();
    m.group("The next operation, for each operand.");
    m.input("next_valid_i", Ty::bits(2), "");
    m.input("next_concat_i", Ty::bit(), "");
    m.input("next_by_slice_i", Ty::bit(), "concat, with slices of a row or more");
    m.input("next_zero_i", Ty::bits(2), "the operand is all zeros");
    m.input("next_phys_i", Ty::named("phys_t").packed(2), "its register");
    m.input("next_mask_i", Ty::bits(32).packed(2), "its selected slices");
    m.input("next_i", Ty::named("slicing_t"), "");
    m.input("next_after_i", Ty::bits(5).packed(2), "slices behind the last selected one");
    m.input("next_turn_i", Ty::bits(6), "GranLanes / inner modulo dim");
    m.input("next_rem_i", Ty::named("lane_cnt_t"), "GranLanes modulo inner");
    m.output("next_take_o", Ty::bits(2), "");
    m.group("Register file.");
    m.output("rf_read_o", Ty::named("rf_read_t"), "");
    m.input("rf_read_gnt_i", Ty::bit(), "");
    m.input("rf_rdata_i", Ty::bits("RowBits").packed(2), "of each bank, in the cycle after the grant");
    m.group("The oldest row of each operand.");
    m.output("head_valid_o", Ty::bits(2), "");
    m.input("head_take_i", Ty::bits(2), "");
    m.output("head_concat_o", Ty::bits(2), "for concat");
    m.output("head_mask_o", Ty::named("lane_mask_t").packed(2), "operand 1 of merge: granules in the block");
    m.output("head_row_o", Ty::bits("RowBits").packed(2), "");
    m.input("head_wanted_i", Ty::bits(2), "operands whose rows are wanted first");
    m.text("localparam int unsigned Depth = 4;  // a row that is used at once is in the buffer for four cycles");

    m.section(
        "Walkers. The lane masks take one new operation at a time. Of a concat that is read whole, the block ends for \
         an operand behind its last selected slice: no row is read that the result does not wait for.",
    );
    m.signal("load_s", Ty::bit(), "the operand that may start a concat");
    m.signal("walk", Ty::named("slicing_t"), "");
    m.signal("walk_valid", Ty::bits(2), "");
    m.signals(&["row_valid", "row_take", "row_concat", "row_by_slice", "row_zero"], Ty::bits(2));
    m.signal("row", Ty::named("row_t").packed(2), "");
    m.signal("row_phys", Ty::named("phys_t").packed(2), "");
    m.signals(&["row_lanes", "row_next"], Ty::named("lane_cnt_t").packed(2));
    m.signal("row_sel", Ty::bits(2).packed(2), "");
    m.signal("mask_load", Ty::bits(2), "");
    m.text(
        r#"
        assign walk_valid[0] = next_valid_i[0];
        assign walk_valid[1] = next_valid_i[1] && !(next_valid_i[0] && next_concat_i);

        assign load_s        = !next_valid_i[0];

        always_comb begin
          walk = next_i;
          if (next_concat_i && !next_by_slice_i) begin
            walk.block = next_i.block - (GranW + 1)'(next_after_i[load_s]) * next_i.inner;
          end
        end

        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            mask_load[s] = next_take_o[s] && !next_by_slice_i && (s == 0 || next_concat_i);
          end
        end
        "#,
    );
    for s in 0..2 {
        let at = |name: &str| format!("{name}[{s}]");
        m.instance(
            walk,
            &format!("u_walk_{s}"),
            &[],
            &[
                ("clk_i", "clk_i"),
                ("rst_ni", "rst_ni"),
                ("next_valid_i", &at("walk_valid")),
                ("next_concat_i", "next_concat_i"),
                ("next_by_slice_i", "next_by_slice_i"),
                ("next_src_i", &format!("{{next_zero_i[{s}], next_phys_i[{s}]}}")),
                ("next_mask_i", &at("next_mask_i")),
                ("next_i", "walk"),
                ("next_take_o", &at("next_take_o")),
                ("row_valid_o", &at("row_valid")),
                ("row_take_i", &at("row_take")),
                ("row_o", &at("row")),
                ("row_zero_o", &at("row_zero")),
                ("row_phys_o", &at("row_phys")),
                ("row_concat_o", &at("row_concat")),
                ("row_lanes_o", &at("row_lanes")),
                ("row_by_slice_o", &at("row_by_slice")),
                ("row_next_o", &at("row_next")),
                ("row_sel_o", &at("row_sel")),
            ],
        );
    }

    m.section("Read requests. Of two rows that clash, that of the only operand that is wanted goes first; else they take turns.");
    m.signal("used_q", Ty::bits(3).packed(2), "rows in the buffer or on their way");
    m.signal("want", Ty::bits(2), "");
    m.signal("clash", Ty::bit(), "");
    m.signal("first", Ty::bit(), "");
    m.signal("last_q", Ty::bit(), "the operand that was read last");
    m.signal("ask", Ty::bits(2), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            want[s] = row_valid[s] && (used_q[s] != 3'(Depth));
          end
        end

        assign clash = row_concat[1] ||
            (!row_zero[0] && !row_zero[1] && (row[0][0] == row[1][0]));
        assign first = (head_wanted_i[0] != head_wanted_i[1]) ? head_wanted_i[1] : !last_q;
        assign ask   = (want == 2'b11 && clash) ? {first, !first} : want;

        always_comb begin
          rf_read_o.valid   = '0;
          rf_read_o.addr[0] = bank_addr(row_phys[0], row[0][RowW-1:1]);
          rf_read_o.addr[1] = rf_read_o.addr[0];
          for (int unsigned s = 0; s < 2; s++) begin
            row_take[s] = ask[s] && (row_zero[s] || rf_read_gnt_i);
            if (ask[s] && !row_zero[s]) begin
              rf_read_o.valid[row[s][0]] = 1'b1;
              rf_read_o.addr[row[s][0]]  = bank_addr(row_phys[s], row[s][RowW-1:1]);
            end
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            used_q <= '0;
            last_q <= 1'b1;
          end else begin
            if (row_take != 2'b00) last_q <= row_take[1];
            for (int unsigned s = 0; s < 2; s++) begin
              used_q[s] <= used_q[s] + 3'(row_take[s]) - 3'(head_take_i[s]);
            end
          end
        end
        "#,
    );

    m.section("Selected granules of the row that is on its way.");
    m.signal("mask_s", Ty::bit(), "the operand whose row they are of");
    m.signal("mask_take", Ty::bits(2), "");
    m.signal("mask", Ty::named("lane_mask_t"), "");
    m.text(
        r#"
        assign mask_take[0] = row_take[0];
        assign mask_take[1] = row_take[1] && row_concat[1];
        assign mask_s       = mask_take[1];
        "#,
    );
    m.instance(
        mask,
        "u_mask",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("load_i", "mask_load"),
            ("dim_i", "next_i.dim"),
            ("inner_i", "next_i.inner"),
            ("mask_i", "next_mask_i[load_s]"),
            ("turn_i", "next_turn_i"),
            ("rem_i", "next_rem_i"),
            ("take_i", "mask_take"),
            ("by_slice_i", "row_by_slice[mask_s]"),
            ("next_i", "row_next[mask_s]"),
            ("sel_i", "row_sel[mask_s]"),
            ("mask_o", "mask"),
        ],
    );

    m.section("Buffers.");
    m.signals(&["come_q", "come_concat_q", "come_zero_q", "come_bank_q"], Ty::bits(2));
    m.signal("come_masked_q", Ty::bits(2), "selected by the lane mask");
    m.signal("come_lanes_q", Ty::named("lane_cnt_t").packed(2), "");
    m.signal("come_mask", Ty::named("lane_mask_t").packed(2), "");
    m.signals(&["head_q", "tail_q"], Ty::bits("$clog2(Depth)").packed(2));
    m.signal("come_row", Ty::bits("RowBits").packed(2), "");
    m.text(
        r#"
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            come_q <= '0;
          end else begin
            come_q <= row_take;
          end
        end

        always_ff @(posedge clk_i) begin
          for (int unsigned s = 0; s < 2; s++) begin
            come_concat_q[s] <= row_concat[s];
            come_zero_q[s]   <= row_zero[s];
            come_bank_q[s]   <= row[s][0];
            come_masked_q[s] <= mask_take[s];
            come_lanes_q[s]  <= row_lanes[s];
          end
        end

        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            come_mask[s] = ~({GranLanes{1'b1}} << come_lanes_q[s]);
            if (come_masked_q[s]) come_mask[s] = come_mask[s] & mask;
            come_row[s] = come_zero_q[s] ? '0 : rf_rdata_i[come_bank_q[s]];
          end
        end
        "#,
    );
    m.text(
        r#"
        for (genvar s = 0; s < 2; s++) begin : gen_buffer
          logic [GranLanes+RowBits:0] words [Depth];

          always_ff @(posedge clk_i) begin
            if (come_q[s]) words[tail_q[s]] <= {come_concat_q[s], come_mask[s], come_row[s]};
          end

          assign head_valid_o[s] = used_q[s] != 3'(come_q[s]);
          assign {head_concat_o[s], head_mask_o[s], head_row_o[s]} = words[head_q[s]];
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q <= '0;
            tail_q <= '0;
          end else begin
            for (int unsigned s = 0; s < 2; s++) begin
              if (head_take_i[s]) head_q[s] <= head_q[s] + 1'b1;
              if (come_q[s]) tail_q[s] <= tail_q[s] + 1'b1;
            end
          end
        end
        "#,
    );
    m
}
