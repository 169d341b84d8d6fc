// SPDX-License-Identifier: Apache-2.0
//! `tl_move_fetch`: the operand rows of the move engine.

use crate::sv::{Module, Ty};

/// The module, from those that it instantiates; the same text for every configuration.
pub fn module(walk: &Module, mask: &Module, fifo: &Module) -> Module {
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
    m.input("next_last_i", Ty::named("row_t").packed(2), "last row to read of what is read whole");
    m.input("next_i", Ty::named("slicing_t"), "");
    m.input("next_slots_i", Ty::named("slot_mask_t"), "selected slices, repeated");
    m.input("next_period_i", Ty::named("slot_cnt_t"), "");
    m.input("next_turn_i", Ty::named("slot_cnt_t"), "GranLanes / inner modulo the period");
    m.input("next_rem_i", Ty::named("lane_cnt_t"), "GranLanes modulo inner");
    m.input("trim_i", Ty::bits(2), "next_last_i is a closer one for the operation that was taken");
    m.output("next_take_o", Ty::bits(2), "");
    m.output("next_early_o", Ty::bits(2), "and that is known early");
    m.group("Register file.");
    m.output("rf_read_o", Ty::named("rf_read_t"), "");
    m.input("rf_read_gnt_i", Ty::bit(), "");
    m.input("rf_rdata_i", Ty::bits("RowBits").packed(2), "of each bank, in the cycle after the grant");
    m.group("The oldest row of each operand.");
    m.output("head_concat_o", Ty::bits(2), "it is here, for concat, which has room for it");
    m.output("head_direct_o", Ty::bits(2), "it is here, and for addi or merge");
    m.input("head_room_i", Ty::bits(2), "concat has room for the next one, if none is taken now");
    m.input("head_more_i", Ty::bits(2), "and if one is");
    m.input("head_take_i", Ty::bits(2), "");
    m.input("head_wanted_i", Ty::bits(2), "operands whose rows are wanted first");
    m.input("lead_0_i", Ty::bit(), "where neither is, operand 0 goes first");
    m.output("head_mask_o", Ty::named("lane_mask_t").packed(2), "not of operand 1 of merge");
    m.output("head_row_o", Ty::bits("RowBits").packed(2), "");
    m.output("merge_block_o", Ty::named("lane_mask_t"), "operand 1 of merge: granules in the block");
    m.text(
        r#"
        localparam int unsigned IndexW = 3;  // bits of the index of a row in a buffer

        // Of an operand, in its buffer or on their way. The rows of merge are then an odd number of
        // rows apart and do not clash; with all places in use they would.
        localparam int unsigned MostRows = (1 << IndexW) - 1;
        "#,
    );
    walkers(&mut m, walk);
    requests(&mut m, fifo);
    masks(&mut m, mask);
    buffers(&mut m);
    m
}

fn walkers(m: &mut Module, walk: &Module) {
    m.section("Walkers. The lane masks take one new operation at a time.");
    m.signals(&["walk_valid", "mask_load", "mask_begin"], Ty::bits(2));
    m.signals(&["row_valid", "row_take", "row_concat", "row_by_slice", "row_zero", "row_none"], Ty::bits(2));
    m.signal("row", Ty::named("row_t").packed(2), "");
    m.signal("row_phys", Ty::named("phys_t").packed(2), "");
    m.signals(&["row_top", "row_before"], Ty::named("gran_lane_t").packed(2));
    m.signal("row_sel", Ty::bits(2).packed(2), "");
    m.text(
        r#"
        assign walk_valid[0] = next_valid_i[0];
        assign walk_valid[1] = next_valid_i[1] && !(next_valid_i[0] && next_concat_i);

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
                ("next_by_slice_i", "next_by_slice_i"),
                ("next_concat_i", "next_concat_i"),
                ("next_src_i", &format!("{{next_zero_i[{s}], next_phys_i[{s}]}}")),
                ("next_mask_i", &at("next_mask_i")),
                ("next_last_i", &at("next_last_i")),
                ("next_i", "next_i"),
                ("trim_i", &at("trim_i")),
                ("next_take_o", &at("next_take_o")),
                ("next_early_o", &at("next_early_o")),
                ("begin_o", &at("mask_begin")),
                ("row_valid_o", &at("row_valid")),
                ("row_take_i", &at("row_take")),
                ("row_o", &at("row")),
                ("row_zero_o", &at("row_zero")),
                ("row_phys_o", &at("row_phys")),
                ("row_concat_o", &at("row_concat")),
                ("row_top_o", &at("row_top")),
                ("row_none_o", &at("row_none")),
                ("row_by_slice_o", &at("row_by_slice")),
                ("row_before_o", &at("row_before")),
                ("row_sel_o", &at("row_sel")),
            ],
        );
    }
}

fn requests(m: &mut Module, fifo: &Module) {
    m.section(
        "Rows to read. Of two that clash, that of the only operand that is wanted goes first; else they take turns. \
         Requests wait in a buffer that has room for all rows that the other buffers have room for.",
    );
    m.signal("used_q", Ty::bits("IndexW+1").packed(2), "rows in the buffer or on their way");
    m.signal("room_q", Ty::bits(2), "for one more");
    m.signal("want", Ty::bits(2), "");
    m.signal("clash", Ty::bit(), "");
    m.signal("first_q", Ty::bit(), "the operand that goes first");
    m.signal("last_q", Ty::bit(), "the operand that was asked for last");
    m.text(
        r#"
        typedef struct packed {
          logic [1:0] zero;   // of each operand: it is zeros
          logic [1:0] bank;   // it comes from this bank
          gran_lane_t top;    // last granule in the block, of operand 1
          logic       none;
        } coming_t;

        typedef struct packed {
          rf_read_t   read;
          logic [1:0] rows;   // operands that have a row in it
          coming_t    row;
        } request_t;

        request_t ask;
        request_t request;
        "#,
    );
    m.signals(&["request_valid", "request_take"], Ty::bit());
    m.signals(&["ask_valid", "ask_ready"], Ty::bit());
    m.text(
        r#"
        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            want[s] = row_valid[s] && room_q[s];
          end
        end

        assign clash    = row_concat[1] ||
            (!row_zero[0] && !row_zero[1] && (row[0][0] == row[1][0]));
        assign ask_valid = row_take != 2'b00;
        assign row_take  = want & ((clash && want == 2'b11) ? {first_q, !first_q} : 2'b11);

        always_comb begin
          ask.read.valid = '0;
          for (int unsigned b = 0; b < 2; b++) begin
            ask.read.addr[b] = (row_take[1] && !row_zero[1] && row[1][0] == 1'(b)) ?
                bank_addr(row_phys[1], row[1][RowW-1:1]) :
                bank_addr(row_phys[0], row[0][RowW-1:1]);
            for (int unsigned s = 0; s < 2; s++) begin
              if (row_take[s] && !row_zero[s] && row[s][0] == 1'(b)) ask.read.valid[b] = 1'b1;
            end
          end
          ask.rows      = row_take;
          ask.row.zero  = row_zero;
          ask.row.bank  = {row[1][0], row[0][0]};
          ask.row.top   = row_top[1];
          ask.row.none  = row_none[1];
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            used_q <= '0;
            last_q <= 1'b1;
          end else begin
            if (ask_valid && ask_ready) last_q <= row_take[1];
            for (int unsigned s = 0; s < 2; s++) begin
              // Or less one.
              if (row_take[s] != head_take_i[s]) begin
                used_q[s] <= used_q[s] + {{IndexW{head_take_i[s]}}, 1'b1};
              end
            end
          end
        end

        // What is taken is late.
        always_ff @(posedge clk_i) begin
          if (head_wanted_i[0] != head_wanted_i[1]) begin
            first_q <= head_wanted_i[1];
          end else if (lead_0_i && head_wanted_i == 2'b00) begin
            first_q <= 1'b0;
          end else begin
            first_q <= (ask_valid && ask_ready) ? !row_take[1] : !last_q;
          end
          for (int unsigned s = 0; s < 2; s++) begin
            room_q[s] <= (used_q[s] < (IndexW + 1)'(MostRows - 1)) ||
                (head_take_i[s] ? (used_q[s] < (IndexW + 1)'(MostRows)) || !row_take[s]
                                : (used_q[s] < (IndexW + 1)'(MostRows)) && !row_take[s]);
          end
        end
        "#,
    );
    m.instance(
        fifo,
        "u_requests",
        &[("Width", "$bits(ask)"), ("Depth", "2<<IndexW"), ("Refuses", "0")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "ask_valid"),
            ("ready_o", "ask_ready"),
            ("data_i", "ask"),
            ("valid_o", "request_valid"),
            ("ready_i", "request_take"),
            ("data_o", "request"),
        ],
    );
    m.text(
        r#"
        assign rf_read_o.valid = request_valid ? request.read.valid : '0;
        assign rf_read_o.addr  = request.read.addr;
        assign request_take    = (request.read.valid == '0) || rf_read_gnt_i;
        "#,
    );
}

fn masks(m: &mut Module, mask: &Module) {
    m.section("Selected granules of the row that was asked for.");
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
            ("rst_ni", "rst_ni"),
            ("load_i", "mask_load"),
            ("begin_i", "mask_begin"),
            ("inner_i", "next_i.inner"),
            ("slots_i", "next_slots_i"),
            ("period_i", "next_period_i"),
            ("turn_i", "next_turn_i"),
            ("rem_i", "next_rem_i"),
            ("take_i", "mask_take"),
            ("by_slice_i", "row_by_slice[mask_s]"),
            ("before_i", "row_before[mask_s]"),
            ("sel_i", "row_sel[mask_s]"),
            ("top_i", "row_top[mask_s]"),
            ("none_i", "row_none[mask_s]"),
            ("mask_o", "mask"),
        ],
    );
}

fn buffers(m: &mut Module) {
    m.section("Buffers, one for each operand.");
    m.signals(&["read_q", "come_q", "came_q"], Ty::bits(2));
    m.signal("read_row_q", Ty::named("coming_t"), "");
    m.signal("come_none_q", Ty::bit(), "the row is behind the block, in operand 1 of merge");
    m.signal("come_top_q", Ty::named("gran_lane_t"), "last granule of the block in it");
    m.signal("pick_q", Ty::bits(2).packed(2), "bank that a row comes from; none: zeros");
    m.signal("come_row", Ty::bits("RowBits").packed(2), "");
    m.signal("head_here", Ty::bits(2), "in the next cycle");
    m.signals(&["head_concat", "head_room"], Ty::bits(2));
    m.signal("ready_q", Ty::bits("IndexW+1").packed(2), "rows in the buffer, with their masks");
    m.signals(&["head_q", "tail_q", "asked_q"], Ty::bits("IndexW").packed(2));
    m.signal("mask_at_q", Ty::bits("IndexW+1").packed(4), "place of a mask on its way");
    m.signal("behind", Ty::bits("IndexW").packed(2), "the place behind the oldest row");
    m.signal("mask_valid_q", Ty::bits(4), "");
    m.text(
        r#"
        logic [RowBits-1:0]   rows_0       [1<<IndexW];
        logic [RowBits-1:0]   rows_1       [1<<IndexW];
        logic [GranLanes-1:0] masks_0      [1<<IndexW];
        logic [GranLanes-1:0] masks_1      [1<<IndexW];
        logic [GranLanes-1:0] merge_blocks [1<<IndexW];
        logic                 concat_0     [1<<IndexW];
        logic                 concat_1     [1<<IndexW];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            read_q       <= '0;
            come_q       <= '0;
            came_q       <= '0;
          end else begin
            read_q       <= (request_valid && request_take) ? request.rows : '0;
            come_q       <= read_q;
            came_q       <= come_q;
          end
        end

        always_ff @(posedge clk_i) begin
          read_row_q   <= request.row;
          come_none_q  <= read_row_q.none;
          come_top_q   <= read_row_q.top;
          for (int unsigned s = 0; s < 2; s++) begin
            for (int unsigned b = 0; b < 2; b++) begin
              pick_q[s][b] <= !read_row_q.zero[s] && (read_row_q.bank[s] == 1'(b));
            end
          end
          mask_valid_q <= {mask_valid_q[2:0], mask_take != 2'b00};
          mask_at_q    <= {mask_at_q[2:0], mask_s, asked_q[mask_s]};
        end

        always_comb begin
          for (int unsigned r = 0; r < 2; r++) begin
            come_row[r] = ({RowBits{pick_q[r][0]}} & rf_rdata_i[0]) |
                ({RowBits{pick_q[r][1]}} & rf_rdata_i[1]);
          end
        end

        always_ff @(posedge clk_i) begin
          head_direct_o <= head_here & ~head_concat;
          if (row_take[0]) concat_0[asked_q[0]] <= row_concat[0];
          if (row_take[1]) concat_1[asked_q[1]] <= row_concat[1];
          if (come_q[0]) rows_0[tail_q[0]] <= come_row[0];
          if (come_q[1]) rows_1[tail_q[1]] <= come_row[1];
          if (come_q[1]) merge_blocks[tail_q[1]] <= come_none_q ? '0 : up_to(come_top_q);
          if (mask_valid_q[3] && !mask_at_q[3][IndexW]) masks_0[mask_at_q[3][IndexW-1:0]] <= mask;
          if (mask_valid_q[3] && mask_at_q[3][IndexW]) masks_1[mask_at_q[3][IndexW-1:0]] <= mask;
        end

        assign head_mask_o   = {masks_1[head_q[1]], masks_0[head_q[0]]};
        assign head_row_o    = {rows_1[head_q[1]], rows_0[head_q[0]]};
        assign merge_block_o = merge_blocks[head_q[1]];

        // The oldest row of the next cycle. It is asked for long before it is that.
        assign behind = {head_q[1] + 1'b1, head_q[0] + 1'b1};

        always_comb begin
          head_concat[0] = head_take_i[0] ? concat_0[behind[0]] : concat_0[head_q[0]];
          head_concat[1] = head_take_i[1] ? concat_1[behind[1]] : concat_1[head_q[1]];
          for (int unsigned s = 0; s < 2; s++) begin
            head_here[s] = came_q[s] || (ready_q[s] > (IndexW + 1)'(head_take_i[s]));
            head_room[s] = head_take_i[s] ? head_more_i[s] : head_room_i[s];
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_concat_o <= '0;
            ready_q       <= '0;
            head_q        <= '0;
            tail_q        <= '0;
            asked_q       <= '0;
          end else begin
            head_concat_o <= head_here & head_concat & head_room;
            for (int unsigned s = 0; s < 2; s++) begin
              if (came_q[s] != head_take_i[s]) begin
                ready_q[s] <= ready_q[s] + {{IndexW{head_take_i[s]}}, 1'b1};
              end
              if (head_take_i[s]) head_q[s] <= head_q[s] + 1'b1;
              if (come_q[s]) tail_q[s] <= tail_q[s] + 1'b1;
              if (row_take[s]) asked_q[s] <= asked_q[s] + 1'b1;
            end
          end
        end
        "#,
    );
}
