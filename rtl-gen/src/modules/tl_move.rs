// SPDX-License-Identifier: Apache-2.0
//! `tl_move`: the engine of `tl.addi`, `tl.merge.d` and `tl.concat.d`.

use super::{
    tl_addi_row, tl_butterfly, tl_concat, tl_concat_plan, tl_fifo, tl_lane_mask, tl_move_fetch, tl_move_mask,
    tl_move_out, tl_move_setup, tl_move_walk, tl_route,
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
    let setup = tl_move_setup::module();
    let fetch = tl_move_fetch::module(&walk, &mask, &fifo);
    let plan = tl_concat_plan::module();
    let concat = tl_concat::module(&route, &butterfly, &fifo);
    let out = tl_move_out::module();
    let engine = engine(&addi_row, &setup, &fetch, &plan, &concat, &out);
    vec![addi_row, lane_mask, route, butterfly, walk, mask, setup, fetch, plan, concat, out, engine]
}

fn engine(addi_row: &Module, setup: &Module, fetch: &Module, plan: &Module, concat: &Module, out: &Module) -> Module {
    let mut m = Module::new(
        "tl_move",
        "Move engine: a row per cycle for addi and merge, and for concat unless both operands have granules in most \
         rows; then at most two cycles for a row.\n\
         The front end (tl_move_fetch) reads operand rows, the back end makes result rows from them: addi and merge \
         here, concat in tl_concat. Each side takes the next command of tl_move_setup when it is through with the \
         previous one. Rows of results leave through tl_move_out.",
    );
    m.clocked();
    m.group("Commands.");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_soon_o", Ty::bit(), "a command may come in the next cycle, unless one comes now");
    m.input("cmd_i", Ty::named("move_cmd_t"), "");
    m.input("late_i", Ty::bits(2), "the value of the operand is still to come");
    m.input("pending_i", Ty::bits("NumPhys"), "registers whose value is still to come");
    m.group("Register file.");
    m.output("rf_read_o", Ty::named("rf_read_t"), "");
    m.input("rf_read_gnt_i", Ty::bit(), "");
    m.input("rf_rdata_i", Ty::bits("RowBits").packed(2), "of each bank, in the cycle after the grant");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.input("rf_write_gnt_i", Ty::bit(), "");
    m.group("Completion.");
    m.output("done_o", Ty::named("done_t"), "");
    front_end(&mut m, setup, fetch);
    rows_of_concat(&mut m, plan, concat);
    direct(&mut m, addi_row);
    output(&mut m, out);
    m
}

/// Commands and operand rows.
fn front_end(m: &mut Module, setup: &Module, fetch: &Module) {
    m.section("Commands.");
    m.signal("cmd", Ty::named("move_cmd_t"), "");
    m.signals(&["walk_valid", "walk_take", "walk_early", "trim", "copies"], Ty::bits(2));
    m.signals(&["is_concat", "by_slice", "many_0", "direct_valid", "plan_valid"], Ty::bit());
    m.signals(&["d_take", "plan_take", "plan_early"], Ty::bit());
    m.signal("slots", Ty::named("slot_mask_t"), "");
    m.signals(&["period", "turn"], Ty::named("slot_cnt_t"));
    m.signal("rem", Ty::named("lane_cnt_t"), "");
    m.signal("last_row", Ty::named("row_t").packed(2), "");
    m.signal("plan_edge", Ty::named("gran_len_t").packed(2), "");
    m.signal("plan_span", Ty::named("gran_len_t"), "");
    m.instance(
        setup,
        "u_setup",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("cmd_valid_i", "cmd_valid_i"),
            ("cmd_soon_o", "cmd_soon_o"),
            ("cmd_i", "cmd_i"),
            ("late_i", "late_i"),
            ("pending_i", "pending_i"),
            ("cmd_o", "cmd"),
            ("walk_valid_o", "walk_valid"),
            ("walk_take_i", "walk_take"),
            ("walk_early_i", "walk_early"),
            ("by_slice_o", "by_slice"),
            ("slots_o", "slots"),
            ("period_o", "period"),
            ("turn_o", "turn"),
            ("rem_o", "rem"),
            ("last_o", "last_row"),
            ("trim_o", "trim"),
            ("direct_valid_o", "direct_valid"),
            ("plan_valid_o", "plan_valid"),
            ("back_take_i", "d_take || plan_take"),
            ("back_early_i", "d_take || plan_early"),
            ("copies_o", "copies"),
            ("edge_o", "plan_edge"),
            ("span_o", "plan_span"),
            ("many_0_o", "many_0"),
        ],
    );
    m.section("Operand rows.");
    m.signal("lead_0", Ty::bit(), "");
    m.signal("shape", Ty::named("slicing_t"), "");
    m.signal("unused_counts", Ty::bit(), "");
    m.signals(&["head_concat", "head_direct", "head_room", "head_more", "head_take", "head_wanted"], Ty::bits(2));
    m.signal("head_mask", Ty::named("lane_mask_t").packed(2), "");
    m.signal("merge_block", Ty::named("lane_mask_t"), "");
    m.signal("head_row", Ty::bits("RowBits").packed(2), "");
    m.text(
        r#"
        assign is_concat     = cmd.op == MoveConcat;
        assign shape.dim     = cmd.dim;
        assign shape.inner   = cmd.inner;
        assign shape.block   = cmd.block;
        assign unused_counts = ^cmd.counts;
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
            ("next_zero_i", "{cmd.src2.zero, cmd.src1.zero}"),
            ("next_phys_i", "{cmd.src2.phys, cmd.src1.phys}"),
            ("next_mask_i", "{cmd.mask2, cmd.mask1}"),
            ("next_last_i", "last_row"),
            ("next_i", "shape"),
            ("next_slots_i", "slots"),
            ("next_period_i", "period"),
            ("next_turn_i", "turn"),
            ("next_rem_i", "rem"),
            ("trim_i", "trim"),
            ("lead_0_i", "lead_0"),
            ("next_take_o", "walk_take"),
            ("next_early_o", "walk_early"),
            ("rf_read_o", "rf_read_o"),
            ("rf_read_gnt_i", "rf_read_gnt_i"),
            ("rf_rdata_i", "rf_rdata_i"),
            ("head_concat_o", "head_concat"),
            ("head_room_i", "head_room"),
            ("head_more_i", "head_more"),
            ("head_direct_o", "head_direct"),
            ("head_take_i", "head_take"),
            ("head_wanted_i", "head_wanted"),
            ("head_mask_o", "head_mask"),
            ("head_row_o", "head_row"),
            ("merge_block_o", "merge_block"),
        ],
    );
}

/// Concat results.
fn rows_of_concat(m: &mut Module, plan: &Module, concat: &Module) {
    m.section("Concat. It uses the buffer of rows when addi and merge have none there.");
    m.signals(&["plan_next", "plan_busy"], Ty::bit());
    m.signal("alone_q", Ty::bit(), "nothing was left to do when operand 0 was taken");
    m.signal("plan_all", Ty::bits(2), "");
    m.signals(&["pass_valid", "pass_take", "pass_src", "pass_begin", "pass_end"], Ty::bit());
    m.signal("pass_mask", Ty::named("lane_mask_t"), "");
    m.signal("pass_dest", Ty::named("row_dest_t"), "");
    m.signal("concat_take", Ty::bits(2), "");
    m.signals(&["concat_pick", "concat_begin", "concat_end"], Ty::bit());
    m.signal("concat_we", Ty::named("lane_mask_t"), "");
    m.signal("concat_row", Ty::bits("Gran").packed("GranLanes"), "");
    m.signal("concat_dest", Ty::named("row_dest_t"), "");
    m.signal("d_valid_q", Ty::bit(), "");
    m.signal("d_ready", Ty::bit(), "addi or merge have a row");
    m.signal("rows_0_only", Ty::bit(), "addi takes rows of operand 0");
    m.signal("out_room", Ty::bit(), "");
    m.signal("picked_q", Ty::bits("RowBits"), "the row that was taken, or two of them merged");
    m.text(
        r#"
        // Rows are asked for before the first passes say which are wanted.
        assign lead_0 = alone_q && many_0;

        always_ff @(posedge clk_i) begin
          if (walk_take[0]) alone_q <= !plan_busy;
        end

        assign plan_all[0] = plan_edge[0] == plan_span;
        assign plan_all[1] = (plan_edge[1] == plan_span) && (plan_edge[0] == '0);
        "#,
    );
    m.instance(
        plan,
        "u_concat_plan",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("next_valid_i", "plan_next"),
            ("next_take_o", "plan_take"),
            ("next_early_o", "plan_early"),
            ("next_tag_i", "cmd.tag"),
            ("next_dst_i", "cmd.dst"),
            ("next_any_i", "copies"),
            ("next_all_i", "plan_all"),
            ("next_edge_i", "plan_edge"),
            ("next_span_i", "plan_span"),
            ("next_block_i", "cmd.block"),
            ("pass_valid_o", "pass_valid"),
            ("pass_take_i", "pass_take"),
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
            ("head_valid_i", "head_concat"),
            ("head_hold_i", "rows_0_only"),
            ("head_take_o", "concat_take"),
            ("head_room_o", "head_room"),
            ("head_more_o", "head_more"),
            ("head_wanted_o", "head_wanted"),
            ("head_pick_o", "concat_pick"),
            ("head_mask_i", "head_mask"),
            ("picked_row_i", "picked_q"),
            ("pass_valid_i", "pass_valid"),
            ("pass_take_o", "pass_take"),
            ("pass_mask_i", "pass_mask"),
            ("pass_src_i", "pass_src"),
            ("pass_begin_i", "pass_begin"),
            ("pass_end_i", "pass_end"),
            ("pass_dest_i", "pass_dest"),
            ("out_room_i", "out_room"),
            ("out_begin_o", "concat_begin"),
            ("out_we_o", "concat_we"),
            ("out_row_o", "concat_row"),
            ("out_end_o", "concat_end"),
            ("out_dest_o", "concat_dest"),
        ],
    );
}

/// Addi and merge results.
fn direct(m: &mut Module, addi_row: &Module) {
    m.section(
        "Addi and merge, which follow a concat when its last row is on its way. Merge adds 0. The next one waits here, \
         so that the set-up of the one behind it can begin.",
    );
    m.text(
        r#"
        typedef struct packed {
          logic       merge;
          ewidth_t    ewidth;
          logic [7:0] imm;
          tag_t       tag;
          dst_t       dst;
        } direct_t;
        "#,
    );
    m.signals(&["direct", "wait_q", "d_q"], Ty::named("direct_t"));
    m.signal("wait_valid_q", Ty::bit(), "");
    m.signal("d_row_q", Ty::named("row_t"), "");
    m.signals(&["d_step", "d_free"], Ty::bit());
    m.signal("sum", Ty::bits("RowBits"), "");
    m.signals(&["all_0", "all_1", "mixed"], Ty::bit());
    m.signal("pick", Ty::named("lane_mask_t").packed(2), "granules of each operand");
    m.signals(&["row_valid_q", "sum_valid_q"], Ty::bit());
    m.signals(&["row_dest_q", "sum_dest_q"], Ty::named("row_dest_t"));
    m.signal("row_ewidth_q", Ty::named("ewidth_t"), "");
    m.signal("row_imm_q", Ty::bits(8), "");
    m.text(
        r#"
        // One choice for all operations: they have a row in different cycles.
        assign mixed   = d_valid_q && d_q.merge;
        assign all_0   = d_valid_q ? !d_q.merge : !concat_pick;
        assign all_1   = !d_valid_q && concat_pick;
        assign pick[0] = {GranLanes{all_0}} | ({GranLanes{mixed}} & head_mask[0]);
        assign pick[1] = {GranLanes{all_1}} | ({GranLanes{mixed}} & ~head_mask[0] & merge_block);

        always_ff @(posedge clk_i) begin
          for (int unsigned l = 0; l < GranLanes; l++) begin
            picked_q[l*Gran+:Gran] <= ({Gran{pick[0][l]}} & head_row[0][l*Gran+:Gran]) |
                ({Gran{pick[1][l]}} & head_row[1][l*Gran+:Gran]);
          end
        end
        "#,
    );
    m.instance(
        addi_row,
        "u_addi_row",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("valid_i", "row_valid_q"),
            ("row_i", "picked_q"),
            ("ewidth_i", "row_ewidth_q"),
            ("imm_i", "row_imm_q"),
            ("row_o", "sum"),
        ],
    );
    m.text(
        r#"
        // In front of the rows of addi and merge there may be some of a concat, asked for before it was
        // known which are the last. They have no selected granules and no pass has waited for them;
        // tl_concat takes them. Rows of the next concat are behind those of addi and merge, but for
        // operand 1, of which addi has none.
        assign rows_0_only = d_valid_q && !d_q.merge;

        assign d_ready = d_valid_q && head_direct[0] && (!d_q.merge || head_direct[1]);
        assign d_step  = d_ready && out_room;
        assign d_free  = !d_valid_q || (d_step && (&d_row_q));
        assign d_take  = direct_valid && (d_free || !wait_valid_q) && !plan_busy;

        assign direct.merge  = cmd.op != MoveAddi;
        assign direct.ewidth = cmd.ewidth;
        assign direct.imm    = cmd.imm;
        assign direct.tag    = cmd.tag;
        assign direct.dst    = cmd.dst;

        assign plan_next = plan_valid && !d_valid_q && !row_valid_q;
        assign head_take = concat_take | {d_step && d_q.merge, d_step};

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            d_valid_q    <= 1'b0;
            wait_valid_q <= 1'b0;
            d_row_q      <= '0;
            row_valid_q  <= 1'b0;
            sum_valid_q  <= 1'b0;
          end else begin
            d_valid_q    <= d_take || wait_valid_q || !d_free;
            wait_valid_q <= d_free ? wait_valid_q && d_take : wait_valid_q || d_take;
            if (d_step) d_row_q <= d_row_q + 1'b1;
            row_valid_q  <= d_step;
            sum_valid_q  <= row_valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          if (d_take) wait_q <= direct;
          if (d_free) d_q <= wait_valid_q ? wait_q : direct;
          row_ewidth_q <= d_q.ewidth;
          row_imm_q    <= d_q.merge ? '0 : d_q.imm;
          row_dest_q   <= {(&d_row_q), d_q.tag, d_q.dst, d_row_q};
          sum_dest_q   <= row_dest_q;
        end
        "#,
    );
}

/// The write port and completion.
fn output(m: &mut Module, out: &Module) {
    m.section("Rows of results. That of addi and merge is zeros when there is none, as that of concat.");
    m.signal("out_row", Ty::bits("Gran").packed("GranLanes"), "");
    m.text("assign out_row = concat_row | sum;");
    m.instance(
        out,
        "u_out",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("room_o", "out_room"),
            ("begin_i", "d_step || concat_begin"),
            ("lane_we_i", "concat_we | {GranLanes{sum_valid_q}}"),
            ("lane_row_i", "out_row"),
            ("end_i", "concat_end || sum_valid_q"),
            ("dest_i", "sum_valid_q ? sum_dest_q : concat_dest"),
            ("rf_write_o", "rf_write_o"),
            ("rf_write_gnt_i", "rf_write_gnt_i"),
            ("done_o", "done_o"),
        ],
    );
}
