// SPDX-License-Identifier: Apache-2.0
//! `tl_move`: the engine of `tl.addi`, `tl.merge.d` and `tl.concat.d`.

use super::{
    tl_addi_row, tl_butterfly, tl_concat, tl_concat_plan, tl_fifo, tl_lane_mask, tl_move_fetch, tl_move_mask,
    tl_move_walk, tl_route,
};
use crate::Config;
use crate::sv::{Module, Ty};

/// The engine for `config` and its parts, children first; without `tl_fifo`.
pub fn modules(config: &Config) -> Vec<Module> {
    let fifo = tl_fifo::module();
    let addi_row = tl_addi_row::module(config);
    let lane_mask = tl_lane_mask::module();
    let route = tl_route::module();
    let butterfly = tl_butterfly::module();
    let walk = tl_move_walk::module();
    let mask = tl_move_mask::module(&lane_mask);
    let fetch = tl_move_fetch::module(&walk, &mask);
    let plan = tl_concat_plan::module();
    let concat = tl_concat::module(&route, &butterfly, &fifo);
    let engine = engine(&addi_row, &fetch, &plan, &concat);
    vec![addi_row, lane_mask, route, butterfly, walk, mask, fetch, plan, concat, engine]
}

fn engine(addi_row: &Module, fetch: &Module, plan: &Module, concat: &Module) -> Module {
    let mut m = Module::new(
        "tl_move",
        "Move engine: a row per cycle for addi and merge, and for concat unless both operands have granules in most \
         rows; then at most two cycles for a row.\n\
         The front end (tl_move_fetch) reads operand rows, the back end makes result rows from them: addi and merge \
         here, concat in tl_concat. Each side takes the next command when it is through with the previous one.",
    );
    m.clocked();
    m.group("Commands.");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_ready_o", Ty::bit(), "");
    m.input("cmd_i", Ty::named("move_cmd_t"), "");
    m.group("Register file.");
    m.output("rf_read_o", Ty::named("rf_read_t"), "");
    m.input("rf_read_gnt_i", Ty::bit(), "");
    m.input("rf_rdata_i", Ty::bits("RowBits").packed(2), "of each bank, in the cycle after the grant");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.input("rf_write_gnt_i", Ty::bit(), "");
    m.group("Completion.");
    m.output("done_o", Ty::named("done_t"), "");
    command(&mut m);
    set_up(&mut m);
    front_end(&mut m, fetch);
    rows_of_concat(&mut m, plan, concat);
    direct(&mut m, addi_row);
    output(&mut m);
    m
}

/// The command register, which both sides take the next command from.
fn command(m: &mut Module) {
    m.section("The next command: operand 0, operand 1 and the back end take it when they are ready.");
    m.signal("cmd_q", Ty::named("move_cmd_t"), "");
    m.signal("cmd_valid_q", Ty::bit(), "");
    m.signal("cmd_ready_q", Ty::bit(), "what takes a cycle to work out from cmd_q is there");
    m.signal("taken_q", Ty::bits(3), "[2]: by the back end");
    m.signal("take", Ty::bits(3), "");
    m.signals(&["is_addi", "is_concat"], Ty::bit());
    m.text(
        r#"
        assign cmd_ready_o = !cmd_valid_q;
        assign is_addi     = cmd_q.op == MoveAddi;
        assign is_concat   = cmd_q.op == MoveConcat;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            cmd_valid_q <= 1'b0;
            cmd_ready_q <= 1'b0;
            taken_q     <= '0;
          end else if (!cmd_valid_q) begin
            cmd_valid_q <= cmd_valid_i;
            cmd_ready_q <= 1'b0;
            taken_q     <= '0;
          end else begin
            cmd_valid_q <= (taken_q | take) != 3'b111;
            cmd_ready_q <= 1'b1;
            taken_q     <= taken_q | take;
          end
        end

        always_ff @(posedge clk_i) begin
          if (!cmd_valid_q) cmd_q <= cmd_i;
        end
        "#,
    );
}

/// Lengths that follow from the command.
fn set_up(m: &mut Module) {
    m.section("Lengths in granules, and counts of slices.");
    m.signal("span", Ty::named("gran_len_t"), "of all slices of one outer index");
    m.signal("by_slice", Ty::bit(), "concat with slices of a row or more");
    m.signal("copies", Ty::bits(2), "concat takes slices from the operand");
    m.signals(&["starts", "rem"], Ty::named("lane_cnt_t"));
    m.signal("turn_q", Ty::bits(6), "slices in a row, modulo dim");
    m.signal("rem_q", Ty::named("lane_cnt_t"), "granules of a row, modulo inner");
    m.signals(&["after", "after_q"], Ty::bits(5).packed(2));
    m.signal("slices_q", Ty::bits(6).packed(2), "selected slices: of operand 0, of both");
    m.text(
        r#"
        assign span      = (GranW + 1)'(cmd_q.dim) * cmd_q.inner;
        assign by_slice  = is_concat && (cmd_q.inner >= (GranW + 1)'(GranLanes));
        assign copies[0] = (cmd_q.mask1 != '0) && !cmd_q.src1.zero;
        assign copies[1] = (cmd_q.mask2 != '0) && !cmd_q.src2.zero;

        always_comb begin
          starts = '0;
          rem    = (GranLaneW + 1)'(GranLanes);
          for (int unsigned d = 1; d <= GranLanes; d++) begin
            if (cmd_q.inner == (GranW + 1)'(d)) begin
              starts = (GranLaneW + 1)'(GranLanes / d);
              rem    = (GranLaneW + 1)'(GranLanes % d);
            end
          end
        end

        // Slices behind the last one that is selected.
        always_comb begin
          after = '0;
          for (int unsigned i = 0; i < 32; i++) begin
            if (cmd_q.mask1[i]) after[0] = 5'(cmd_q.dim - 6'd1 - 6'(i));
            if (cmd_q.mask2[i]) after[1] = 5'(cmd_q.dim - 6'd1 - 6'(i));
          end
        end

        always_ff @(posedge clk_i) begin
          after_q     <= after;
          turn_q      <= 6'(8'(starts) % 8'(cmd_q.dim));
          rem_q       <= rem;
          slices_q[0] <= 6'(ones(cmd_q.mask1));
          slices_q[1] <= 6'(ones(cmd_q.mask1) + ones(cmd_q.mask2));
        end
        "#,
    );
}

/// Operand rows.
fn front_end(m: &mut Module, fetch: &Module) {
    m.section("Operand rows. An operand that is not used is taken at once.");
    m.signal("shape", Ty::named("slicing_t"), "");
    m.signals(&["walk_skip", "walk_valid", "walk_take"], Ty::bits(2));
    m.signals(&["head_valid", "head_take", "head_concat"], Ty::bits(2));
    m.signal("head_wanted", Ty::bits(2), "");
    m.signal("head_mask", Ty::named("lane_mask_t").packed(2), "");
    m.signal("head_row", Ty::bits("RowBits").packed(2), "");
    m.text(
        r#"
        assign shape.dim   = cmd_q.dim;
        assign shape.inner = cmd_q.inner;
        assign shape.span  = span;
        assign shape.block = cmd_q.block;

        // What needs no lane masks of slices need not wait for the set-up.
        assign walk_skip     = {is_addi, 1'b0} | ({2{is_concat}} & ~copies);
        assign walk_valid[0] = cmd_valid_q && !taken_q[0] && !walk_skip[0] &&
            (is_addi || by_slice || cmd_ready_q);
        assign walk_valid[1] = cmd_valid_q && !taken_q[1] && !walk_skip[1] &&
            (!is_concat || by_slice || cmd_ready_q);
        assign take[1:0]     = {2{cmd_valid_q}} & (walk_skip | walk_take);
        "#,
    );
    m.instance(
        fetch,
        "u_fetch",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("next_valid_i", "walk_valid"),
            ("next_concat_i", "is_concat"),
            ("next_by_slice_i", "by_slice"),
            ("next_zero_i", "{cmd_q.src2.zero, cmd_q.src1.zero}"),
            ("next_phys_i", "{cmd_q.src2.phys, cmd_q.src1.phys}"),
            ("next_mask_i", "{cmd_q.mask2, cmd_q.mask1}"),
            ("next_i", "shape"),
            ("next_after_i", "after_q"),
            ("next_turn_i", "turn_q"),
            ("next_rem_i", "rem_q"),
            ("next_take_o", "walk_take"),
            ("rf_read_o", "rf_read_o"),
            ("rf_read_gnt_i", "rf_read_gnt_i"),
            ("rf_rdata_i", "rf_rdata_i"),
            ("head_valid_o", "head_valid"),
            ("head_take_i", "head_take"),
            ("head_wanted_i", "head_wanted"),
            ("head_concat_o", "head_concat"),
            ("head_mask_o", "head_mask"),
            ("head_row_o", "head_row"),
        ],
    );
}

/// Concat results.
fn rows_of_concat(m: &mut Module, plan: &Module, concat: &Module) {
    m.section("Concat.");
    m.signals(&["plan_valid", "plan_take", "plan_busy", "concat_busy"], Ty::bit());
    m.signal("plan_all", Ty::bits(2), "");
    m.signal("plan_edge", Ty::named("gran_len_t").packed(2), "");
    m.signals(&["pass_valid", "pass_ready", "pass_src", "pass_begin", "pass_end"], Ty::bit());
    m.signal("pass_mask", Ty::named("lane_mask_t"), "");
    m.signal("pass_dest", Ty::named("row_dest_t"), "");
    m.signal("concat_take", Ty::bits(2), "");
    m.signals(&["concat_valid", "concat_ready"], Ty::bit());
    m.signal("concat_dest", Ty::named("row_dest_t"), "");
    m.signal("concat_row", Ty::bits("RowBits"), "");
    m.text(
        r#"
        assign plan_edge[0] = (GranW + 1)'(slices_q[0]) * cmd_q.inner;
        assign plan_edge[1] = (GranW + 1)'(slices_q[1]) * cmd_q.inner;
        assign plan_all[0]  = slices_q[0] == cmd_q.dim;
        assign plan_all[1]  = (slices_q[1] == cmd_q.dim) && (slices_q[0] == '0);
        "#,
    );
    m.instance(
        plan,
        "u_concat_plan",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("next_valid_i", "plan_valid"),
            ("next_take_o", "plan_take"),
            ("next_tag_i", "cmd_q.tag"),
            ("next_dst_i", "cmd_q.dst"),
            ("next_any_i", "copies"),
            ("next_all_i", "plan_all"),
            ("next_edge_i", "plan_edge"),
            ("next_span_i", "span"),
            ("next_block_i", "cmd_q.block"),
            ("pass_valid_o", "pass_valid"),
            ("pass_ready_i", "pass_ready"),
            ("pass_mask_o", "pass_mask"),
            ("pass_src_o", "pass_src"),
            ("pass_begin_o", "pass_begin"),
            ("pass_end_o", "pass_end"),
            ("pass_dest_o", "pass_dest"),
            ("busy_o", "plan_busy"),
        ],
    );
    m.instance(
        concat,
        "u_concat",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("head_valid_i", "head_valid & head_concat"),
            ("head_take_o", "concat_take"),
            ("head_wanted_o", "head_wanted"),
            ("head_mask_i", "head_mask"),
            ("head_row_i", "head_row"),
            ("pass_valid_i", "pass_valid"),
            ("pass_ready_o", "pass_ready"),
            ("pass_mask_i", "pass_mask"),
            ("pass_src_i", "pass_src"),
            ("pass_begin_i", "pass_begin"),
            ("pass_end_i", "pass_end"),
            ("pass_dest_i", "pass_dest"),
            ("row_valid_o", "concat_valid"),
            ("row_ready_i", "concat_ready"),
            ("row_dest_o", "concat_dest"),
            ("row_o", "concat_row"),
            ("busy_o", "concat_busy"),
        ],
    );
}

/// Addi and merge results.
fn direct(m: &mut Module, addi_row: &Module) {
    m.section("Addi and merge, which follow a concat when its last row is written.");
    m.signal("d_valid_q", Ty::bit(), "");
    m.signal("d_merge_q", Ty::bit(), "");
    m.signal("d_ewidth_q", Ty::named("ewidth_t"), "");
    m.signal("d_imm_q", Ty::bits(8), "");
    m.signal("d_tag_q", Ty::named("tag_t"), "");
    m.signal("d_dst_q", Ty::named("dst_t"), "");
    m.signal("d_row_q", Ty::named("row_t"), "");
    m.signal("d_step", Ty::bit(), "");
    m.signal("d_free", Ty::bit(), "");
    m.signal("d_take", Ty::bit(), "");
    m.signals(&["sum", "merged"], Ty::bits("RowBits"));
    m.signal("out_valid_q", Ty::bit(), "");
    m.signal("out_ready", Ty::bit(), "");
    m.signal("out_dest_q", Ty::named("row_dest_t"), "");
    m.signal("out_row_q", Ty::bits("RowBits"), "");
    m.instance(
        addi_row,
        "u_addi_row",
        &[],
        &[("row_i", "head_row[0]"), ("ewidth_i", "d_ewidth_q"), ("imm_i", "d_imm_q"), ("row_o", "sum")],
    );
    m.text(
        r#"
        always_comb begin
          for (int unsigned l = 0; l < GranLanes; l++) begin
            merged[l*Gran+:Gran] = '0;
            if (head_mask[0][l]) begin
              merged[l*Gran+:Gran] = head_row[0][l*Gran+:Gran];
            end else if (head_mask[1][l]) begin
              merged[l*Gran+:Gran] = head_row[1][l*Gran+:Gran];
            end
          end
        end

        // The heads are of this command: all rows of a concat before it are used up.
        assign d_step = d_valid_q && head_valid[0] && (!d_merge_q || head_valid[1]) &&
            (!out_valid_q || out_ready);
        assign d_free = !d_valid_q || (d_step && (&d_row_q));
        assign d_take = cmd_valid_q && !taken_q[2] && !is_concat && d_free && !plan_busy && !concat_busy;

        assign plan_valid = cmd_valid_q && cmd_ready_q && !taken_q[2] && is_concat && d_free;
        assign take[2]    = d_take || plan_take;
        assign head_take  = concat_take | {d_step && d_merge_q, d_step};

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            d_valid_q   <= 1'b0;
            out_valid_q <= 1'b0;
          end else begin
            d_valid_q   <= d_take || !d_free;
            out_valid_q <= d_step || (out_valid_q && !out_ready);
          end
        end

        always_ff @(posedge clk_i) begin
          if (d_take) begin
            d_merge_q  <= !is_addi;
            d_ewidth_q <= cmd_q.ewidth;
            d_imm_q    <= cmd_q.imm;
            d_tag_q    <= cmd_q.tag;
            d_dst_q    <= cmd_q.dst;
            d_row_q    <= '0;
          end else if (d_step) begin
            d_row_q <= d_row_q + 1'b1;
          end
          if (d_step) begin
            out_dest_q <= {(&d_row_q), d_tag_q, d_dst_q, d_row_q};
            out_row_q  <= d_merge_q ? merged : sum;
          end
        end
        "#,
    );
}

/// The write port and completion.
fn output(m: &mut Module) {
    m.section("Writes. A row of addi or merge is older than any row of concat that waits with it.");
    m.signal("w_valid", Ty::bit(), "");
    m.signal("w_done", Ty::bit(), "");
    m.signal("w_dest", Ty::named("row_dest_t"), "");
    m.signal("w_row", Ty::bits("RowBits"), "");
    m.text(
        r#"
        assign w_valid      = out_valid_q || concat_valid;
        assign w_dest       = out_valid_q ? out_dest_q : concat_dest;
        assign w_row        = out_valid_q ? out_row_q : concat_row;
        assign w_done       = w_valid && (w_dest.dst.drop || rf_write_gnt_i);
        assign out_ready    = w_done;
        assign concat_ready = w_done && !out_valid_q;

        always_comb begin
          rf_write_o.valid = '0;
          rf_write_o.addr  = {2{bank_addr(w_dest.dst.phys, w_dest.row[RowW-1:1])}};
          rf_write_o.data  = {2{w_row}};
          rf_write_o.valid[w_dest.row[0]] = w_valid && !w_dest.dst.drop;
        end

        assign done_o.valid = w_done && w_dest.last;
        assign done_o.tag   = w_dest.tag;
        "#,
    );
}
