// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose`: the transpose engine.

use super::{tl_lane_swap, tl_ram_1r1w, tl_xor_net, tl_xpose_plan, tl_xpose_rows, tl_xpose_stage};
use crate::Config;
use crate::sv::{Module, Ty};

/// The engine for `config` and its parts, children first.
pub fn modules(config: &Config) -> Vec<Module> {
    let plan = tl_xpose_plan::module(config);
    let rows = tl_xpose_rows::module();
    let xor_net = tl_xor_net::module();
    let lane_swap = tl_lane_swap::module(config);
    let stage = tl_xpose_stage::module(&xor_net, &lane_swap);
    let engine = module(&plan, &rows, &stage);
    vec![plan, rows, xor_net, lane_swap, stage, engine]
}

fn module(plan: &Module, rows: &Module, stage: &Module) -> Module {
    let mut m = Module::new(
        "tl_xpose",
        "Transpose engine: one row in and one row out per cycle.\n\
         The fill side reads input rows in the order of its plan and writes them to the staging memory, a ring of \
         2^XposeRingW rows. The drain side reads an output row as soon as all rows that it needs are there. Each side \
         has its own counter and plan, so the next command fills while the previous one drains.\n\
         Reading an output row frees one word of each bank, those that the same count of the next turn of the ring \
         is written to: the words of a turn are skewed by the exchanges of all turns before it.",
    );
    m.clocked();
    m.group("Commands.");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_ready_o", Ty::bit(), "");
    m.input("cmd_i", Ty::named("xpose_cmd_t"), "");
    m.group("Register file.");
    m.output("rf_read_o", Ty::named("rf_read_t"), "");
    m.input("rf_read_gnt_i", Ty::bit(), "");
    m.input("rf_rdata_i", Ty::bits("RowBits").packed(2), "of each bank, in the cycle after the grant");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.input("rf_write_gnt_i", Ty::bit(), "");
    m.group("Completion.");
    m.output("done_o", Ty::named("done_t"), "");
    command(&mut m, plan);
    fill(&mut m, rows);
    write_stage(&mut m);
    drain(&mut m);
    staging(&mut m, stage);
    output(&mut m);
    m
}

/// The command register and the plan of the fill side.
fn command(m: &mut Module, plan: &Module) {
    m.section("The next command. It moves on when all input rows of the previous one are requested.");
    m.signal("cmd_valid_q", Ty::bit(), "");
    m.signal("cmd_q", Ty::named("xpose_cmd_t"), "");
    m.signal("plan", Ty::named("xpose_plan_t"), "of cmd_q");
    m.signal("fill_load", Ty::bit(), "");
    m.text(
        r#"
        assign cmd_ready_o = !cmd_valid_q;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) cmd_valid_q <= 1'b0;
          else if (cmd_ready_o) cmd_valid_q <= cmd_valid_i;
          else if (fill_load) cmd_valid_q <= 1'b0;
        end

        always_ff @(posedge clk_i) begin
          if (cmd_ready_o) cmd_q <= cmd_i;
        end
        "#,
    );
    m.instance(
        plan,
        "u_plan",
        &[],
        &[
            ("ewidth_i", "cmd_q.ewidth"),
            ("p_i", "cmd_q.p"),
            ("q_i", "cmd_q.q"),
            ("log2_size_i", "cmd_q.log2_size"),
            ("plan_o", "plan"),
        ],
    );
}

/// Requests of input rows.
fn fill(m: &mut Module, rows: &Module) {
    m.section("Fill side: one input row per count.");
    m.signal("fill_valid_q", Ty::bit(), "rows are left to request");
    m.signal("fill_new_q", Ty::bit(), "the drain side has read no row of this command yet");
    m.signal("fill_plan_q", Ty::named("xpose_plan_t"), "");
    m.signal("fill_src1_q", Ty::named("src_t"), "");
    m.signal("fill_src2_q", Ty::named("src_t"), "");
    m.signal("fill_dst1_q", Ty::named("dst_t"), "");
    m.signal("fill_dst2_q", Ty::named("dst_t"), "");
    m.signal("fill_tag_q", Ty::named("tag_t"), "");
    m.signal("fill_count_q", Ty::bits("XposeRowW"), "");
    m.signal("fill_skew_q", Ty::bits("GranLaneW").packed("XposeRingW"), "of this turn of the ring");
    m.signal("held_q", Ty::bits("XposeRingW+1"), "rows of the ring in use, requested ones included");
    m.signal("fill_src", Ty::named("src_t"), "");
    m.signal("fill_row", Ty::bits("XposeRowW"), "");
    m.signal("fill_out_row", Ty::bits("XposeRowW"), "");
    m.signal("fill_flip", Ty::bits("GranLaneW"), "");
    m.signals(&["fill_want", "fill_step", "fill_last", "fill_turn"], Ty::bit());
    m.signals(&["drain_step", "drain_first"], Ty::bit());
    m.instance(
        rows,
        "u_rows",
        &[],
        &[
            ("count_i", "fill_count_q"),
            ("row_swap_i", "fill_plan_q.row_swap"),
            ("row_src_i", "fill_plan_q.row_src"),
            ("flip_i", "fill_flip"),
            ("in_row_o", "fill_row"),
            ("out_row_o", "fill_out_row"),
        ],
    );
    m.text(
        r#"
        // The ring is full when the top bit is set. A word that is read in this cycle can be
        // written in the next one, when the row arrives.
        assign fill_src  = fill_row[XposeRowW-1] ? fill_src2_q : fill_src1_q;
        assign fill_want = fill_valid_q && (!held_q[XposeRingW] || drain_step);
        assign fill_step = fill_want && (fill_src.zero || rf_read_gnt_i);
        assign fill_last = fill_step && (&fill_count_q);
        assign fill_turn = fill_step && (&fill_count_q[XposeRingW-1:0]);
        assign fill_load = cmd_valid_q && (!fill_valid_q || fill_last) &&
                           (!fill_new_q || (drain_step && drain_first));

        always_comb begin
          fill_flip = '0;
          for (int unsigned j = 0; j < XposeRingW; j++) begin
            if (fill_count_q[j]) fill_flip = fill_flip | fill_plan_q.exchange[j];
          end
        end

        always_comb begin
          rf_read_o = '0;
          for (int unsigned b = 0; b < 2; b++) begin
            rf_read_o.valid[b] = fill_want && !fill_src.zero && fill_row[0] == 1'(b);
            rf_read_o.addr[b]  = bank_addr(fill_src.phys, fill_row[RowW-1:1]);
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            fill_valid_q <= 1'b0;
            fill_new_q   <= 1'b0;
            fill_count_q <= '0;
            fill_skew_q  <= '0;
            held_q       <= '0;
          end else begin
            fill_valid_q <= fill_load || (fill_valid_q && !fill_last);
            fill_new_q   <= fill_load || (fill_new_q && !(drain_step && drain_first));
            if (fill_step) fill_count_q <= fill_count_q + 1'b1;
            if (fill_turn) fill_skew_q <= fill_skew_q ^ fill_plan_q.exchange;
            if (fill_step && !drain_step) held_q <= held_q + 1'b1;
            if (!fill_step && drain_step) held_q <= held_q - 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (fill_load) begin
            fill_plan_q <= plan;
            fill_src1_q <= cmd_q.src1;
            fill_src2_q <= cmd_q.src2;
            fill_dst1_q <= cmd_q.dst1;
            fill_dst2_q <= cmd_q.dst2;
            fill_tag_q  <= cmd_q.tag;
          end
        end
        "#,
    );
}

/// The cycle in which an input row arrives and is staged.
fn write_stage(m: &mut Module) {
    m.section("The row that was granted in the previous cycle, on its way into the ring.");
    m.signal("stage_valid_q", Ty::bit(), "");
    m.signal("stage_zero_q", Ty::bit(), "");
    m.signal("stage_bank_q", Ty::bit(), "");
    m.signal("stage_depth_q", Ty::bits("XposeRingW"), "");
    m.signal("stage_flip_q", Ty::bits("GranLaneW"), "");
    m.signal("stage_skew_q", Ty::bits("GranLaneW").packed("XposeRingW"), "");
    m.signal("stage_out_row_q", Ty::bits("XposeRowW"), "output row of the same count");
    m.signal("stage_row", Ty::bits("Gran").packed("GranLanes"), "");
    m.text(
        r#"
        assign stage_row = stage_zero_q ? '0 : rf_rdata_i[stage_bank_q];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) stage_valid_q <= 1'b0;
          else stage_valid_q <= fill_step;
        end

        always_ff @(posedge clk_i) begin
          stage_zero_q    <= fill_src.zero;
          stage_bank_q    <= fill_row[0];
          stage_depth_q   <= fill_count_q[XposeRingW-1:0];
          stage_flip_q    <= fill_flip;
          stage_skew_q    <= fill_skew_q;
          stage_out_row_q <= fill_out_row;
        end
        "#,
    );
}

/// Reads of the ring, one output row per count.
fn drain(m: &mut Module) {
    m.section(
        "Drain side. The output row of a count needs the input rows of all counts that differ in exchanged bits only, \
         up to `ahead` more than its own.",
    );
    m.signal("drain_valid_q", Ty::bit(), "");
    m.signal("drain_exchange_q", Ty::bits("GranLaneW").packed("XposeRingW"), "");
    m.signal("drain_count_q", Ty::bits("XposeRowW"), "");
    m.signal("drain_skew_q", Ty::bits("GranLaneW").packed("XposeRingW"), "of the next turn of the fill side");
    m.signal("ready_q", Ty::bits("XposeRingW+1"), "rows of the ring that are written");
    m.signal("drain_ahead", Ty::bits("XposeRingW"), "");
    m.signal("drain_flip", Ty::bits("GranLaneW"), "");
    m.signals(&["drain_load", "drain_last", "drain_turn"], Ty::bit());
    m.signals(&["out_valid_q", "out_step"], Ty::bit());
    m.text(
        r#"
        always_comb begin
          drain_flip = '0;
          for (int unsigned j = 0; j < XposeRingW; j++) begin
            drain_ahead[j] = (|drain_exchange_q[j]) && !drain_count_q[j];
            if (drain_count_q[j]) drain_flip = drain_flip | drain_exchange_q[j];
          end
        end

        assign drain_step  = drain_valid_q && ready_q > {1'b0, drain_ahead} && (!out_valid_q || out_step);
        assign drain_first = drain_count_q == '0;
        assign drain_last  = drain_step && (&drain_count_q);
        assign drain_turn  = drain_step && (&drain_count_q[XposeRingW-1:0]);
        assign drain_load  = fill_new_q && (!drain_valid_q || drain_last);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            drain_valid_q    <= 1'b0;
            drain_exchange_q <= '0;
            drain_count_q    <= '0;
            drain_skew_q     <= '0;
            ready_q          <= '0;
          end else begin
            drain_valid_q <= drain_load || (drain_valid_q && !drain_last);
            if (drain_step) drain_count_q <= drain_count_q + 1'b1;
            if (drain_load) drain_exchange_q <= fill_plan_q.exchange;
            if (drain_load) drain_skew_q <= drain_skew_q ^ fill_plan_q.exchange;
            else if (drain_turn && !drain_last) drain_skew_q <= drain_skew_q ^ drain_exchange_q;
            if (stage_valid_q && !drain_step) ready_q <= ready_q + 1'b1;
            if (!stage_valid_q && drain_step) ready_q <= ready_q - 1'b1;
          end
        end
        "#,
    );
}

/// The staging memory, and the row numbers beside it.
fn staging(m: &mut Module, stage: &Module) {
    m.section("The ring: granules, and beside them the output row of each count.");
    m.signal("out_flip_q", Ty::bits("GranLaneW"), "");
    m.signal("out_swap_q", Ty::bits("XposeLaneSwaps"), "");
    m.signal("out_data", Ty::bits("Gran").packed("GranLanes"), "");
    m.signal("out_row", Ty::bits("XposeRowW"), "");
    m.instance(
        stage,
        "u_stage",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("we_i", "stage_valid_q"),
            ("wdepth_i", "stage_depth_q"),
            ("wskew_i", "stage_skew_q"),
            ("wflip_i", "stage_flip_q"),
            ("wrow_i", "stage_row"),
            ("re_i", "drain_step"),
            ("rdepth_i", "drain_count_q[XposeRingW-1:0]"),
            ("rskew_i", "drain_skew_q"),
            ("flip_i", "out_flip_q"),
            ("swap_i", "out_swap_q"),
            ("row_o", "out_data"),
        ],
    );
    m.instance(
        &tl_ram_1r1w::module(),
        "u_out_row",
        &[("Width", "XposeRowW"), ("Depth", "2 ** XposeRingW")],
        &[
            ("clk_i", "clk_i"),
            ("we_i", "stage_valid_q"),
            ("waddr_i", "stage_depth_q"),
            ("wdata_i", "stage_out_row_q"),
            ("re_i", "drain_step"),
            ("raddr_i", "drain_count_q[XposeRingW-1:0]"),
            ("rdata_o", "out_row"),
        ],
    );
}

/// The row that was read from the ring.
fn output(m: &mut Module) {
    m.section("The row that was read from the ring, until it is written to the register file.");
    m.signal("out_last_q", Ty::bit(), "");
    m.signal("out_dst1_q", Ty::named("dst_t"), "");
    m.signal("out_dst2_q", Ty::named("dst_t"), "");
    m.signal("out_tag_q", Ty::named("tag_t"), "");
    m.signal("out_dst", Ty::named("dst_t"), "");
    m.text(
        r#"
        assign out_dst  = out_row[XposeRowW-1] ? out_dst2_q : out_dst1_q;
        assign out_step = out_valid_q && (out_dst.drop || rf_write_gnt_i);

        always_comb begin
          rf_write_o = '0;
          for (int unsigned b = 0; b < 2; b++) begin
            rf_write_o.valid[b] = out_valid_q && !out_dst.drop && out_row[0] == 1'(b);
            rf_write_o.addr[b]  = bank_addr(out_dst.phys, out_row[RowW-1:1]);
            rf_write_o.data[b]  = out_data;
          end
        end

        assign done_o.valid = out_step && out_last_q;
        assign done_o.tag   = out_tag_q;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) out_valid_q <= 1'b0;
          else out_valid_q <= drain_step || (out_valid_q && !out_step);
        end

        always_ff @(posedge clk_i) begin
          if (drain_step) begin
            out_flip_q <= drain_flip;
            out_last_q <= &drain_count_q;
          end
          if (drain_step && drain_first) begin
            out_swap_q <= fill_plan_q.lane_swap;
            out_dst1_q <= fill_dst1_q;
            out_dst2_q <= fill_dst2_q;
            out_tag_q  <= fill_tag_q;
          end
        end
        "#,
    );
}
