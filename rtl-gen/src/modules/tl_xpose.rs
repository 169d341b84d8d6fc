// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose`: the transpose engine.

mod output;

use output::{lanes, output};

use super::tl_xpose_plan::Geometry;
use super::{tl_fifo, tl_lane_swap, tl_xpose_plan, tl_xpose_rows, tl_xpose_stage};
use crate::Config;
use crate::sv::{Module, Ty};

/// The engine for `config` and its parts, children first, without those that other engines have too.
pub fn modules(config: &Config) -> Vec<Module> {
    let plan = tl_xpose_plan::module(config);
    let rows = tl_xpose_rows::module();
    let lane_swap = tl_lane_swap::module(config);
    let stage = tl_xpose_stage::module();
    let engine = module(&Geometry::new(config), &plan, &rows, &stage, &lane_swap);
    vec![plan, rows, lane_swap, stage, engine]
}

const CLOCKED: [(&str, &str); 2] = [("clk_i", "clk_i"), ("rst_ni", "rst_ni")];

fn connect<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    CLOCKED.iter().chain(pairs).copied().collect()
}

fn module(geometry: &Geometry, plan: &Module, rows: &Module, stage: &Module, lane_swap: &Module) -> Module {
    let mut m = Module::new(
        "tl_xpose",
        "Transpose engine: one row in and one row out per cycle.\n\
         Input rows are read in the order of the plan, pass a stage for each lane bit, which exchanges it with a count \
         bit or only delays the row, then the permutation of the lane bits, and are written in the order of the plan.\n\
         The stages advance by steps: with a row, or with nothing when no row is left to be read but some are in the \
         stages. A step needs a place in the output FIFO, so a row that has begun is never held up.\n\
         The delay of a stage changes only when no row is in the stages. A stage that the next operation does not use \
         keeps its delay as long as rows follow each other.",
    );
    m.clocked();
    m.group("Commands.");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_soon_o", Ty::bit(), "a command may come in the next cycle, unless one comes now");
    m.input("cmd_i", Ty::named("xpose_cmd_t"), "");
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
    command(&mut m, plan);
    fill(&mut m, rows);
    request(&mut m);
    exchanges(&mut m, geometry, stage);
    lanes(&mut m, rows, lane_swap);
    output(&mut m);
    m
}

/// The command register and the plan.
fn command(m: &mut Module, plan: &Module) {
    m.section("The next command, and the one that is planned. There is a slot for the plan of each operation.");
    m.signal("cmd_valid_q", Ty::bit(), "");
    m.signal("cmd_q", Ty::named("xpose_cmd_t"), "");
    m.signal("late_q", Ty::bits(2), "the value of the operand is still to come");
    m.signals(&["go", "begins", "swap_valid", "start", "leave"], Ty::bit());
    m.signal("planning_q", Ty::bits(2), "not complete: [0] the order of the rows, [1] the permutation of lane bits");
    m.signal("waiting_q", Ty::bit(), "the operation that is planned has not started");
    m.signal("startable_q", Ty::bit(), "it may, when its operands have come: its plan has begun");
    m.signal("plan_src1_q", Ty::named("src_t"), "");
    m.signal("plan_src2_q", Ty::named("src_t"), "");
    m.signal("plan_late_q", Ty::bits(2), "");
    m.signal("plan_dst1_q", Ty::named("dst_t"), "");
    m.signal("plan_dst2_q", Ty::named("dst_t"), "");
    m.signal("plan_tag_q", Ty::named("tag_t"), "");
    m.signal("plan_slot_q", Ty::named("xpose_slot_t"), "");
    m.signal("ops_q", Ty::bits("XposeSlotW+1"), "slots in use; all when the top bit is set");
    m.signal("exchange", Ty::bits("GranLaneW").packed("XposeExchW"), "");
    m.signals(&["in_valid", "out_valid", "out_over"], Ty::bit());
    m.signals(&["in_bit", "out_bit"], Ty::named("xpose_step_t"));
    m.signals(&["in_mask", "out_mask"], Ty::bits("XposeRowW"));
    m.signal("plan_swap", Ty::named("xpose_swaps_t"), "");
    m.text(
        r#"
        assign cmd_soon_o  = !cmd_valid_q || go;
        assign out_over    = out_valid && (out_bit == XposeStepW'(XposeRowW - 1));
        assign go          = cmd_valid_q && (planning_q == '0) && !waiting_q && !ops_q[XposeSlotW];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            cmd_valid_q <= 1'b0;
            planning_q  <= '0;
            waiting_q   <= 1'b0;
            startable_q <= 1'b0;
            plan_slot_q <= '0;
            ops_q       <= '0;
          end else begin
            cmd_valid_q <= cmd_valid_q ? !go : cmd_valid_i;
            planning_q  <= {2{go}} | (planning_q & ~{swap_valid, out_over});
            waiting_q   <= go || (waiting_q && !start);
            startable_q <= (startable_q || begins) && !start;
            if (go && !leave) ops_q <= ops_q + 1'b1;
            if (!go && leave) ops_q <= ops_q - 1'b1;
            if (out_over) plan_slot_q <= plan_slot_q + 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (!cmd_valid_q) cmd_q <= cmd_i;
          if (!cmd_valid_q) late_q <= late_i;
          // Where traps are not precise, dispatch has waited.
          plan_late_q <= {2{Precise != 0}} & (go ? late_q :
              plan_late_q & {pending_i[plan_src2_q.phys], pending_i[plan_src1_q.phys]});
          if (go) begin
            plan_src1_q <= cmd_q.src1;
            plan_src2_q <= cmd_q.src2;
            plan_dst1_q <= cmd_q.dst1;
            plan_dst2_q <= cmd_q.dst2;
            plan_tag_q  <= cmd_q.tag;
          end
        end
        "#,
    );
    m.instance(
        plan,
        "u_plan",
        &[],
        &connect(&[
            ("go_i", "go"),
            ("ewidth_i", "cmd_q.ewidth"),
            ("p_i", "cmd_q.p"),
            ("q_i", "cmd_q.q"),
            ("log2_size_i", "cmd_q.log2_size"),
            ("begin_o", "begins"),
            ("exchange_o", "exchange"),
            ("in_valid_o", "in_valid"),
            ("in_bit_o", "in_bit"),
            ("in_mask_o", "in_mask"),
            ("out_valid_o", "out_valid"),
            ("out_bit_o", "out_bit"),
            ("out_mask_o", "out_mask"),
            ("swap_valid_o", "swap_valid"),
            ("lane_swap_o", "plan_swap"),
        ]),
    );
}

/// The operation whose rows are read.
fn fill(m: &mut Module, rows: &Module) {
    m.section("The operation whose rows are read, and the delays of the stages.");
    m.signal("fill_valid_q", Ty::bit(), "rows are left to read");
    m.signal("fill_exchange_q", Ty::bits("GranLaneW").packed("XposeExchW"), "");
    m.signal("open_q", Ty::bits("GranLaneW").packed("XposeExchW"), "exchanges that the delays are made for");
    m.signal("fill_src1_q", Ty::named("src_t"), "");
    m.signal("fill_src2_q", Ty::named("src_t"), "");
    m.signal("fill_src", Ty::named("src_t"), "");
    m.signals(&["fill_count", "fill_row"], Ty::bits("XposeRowW"));
    m.signal("fill_swap", Ty::bits("GranLaneW"), "exchanges of this row");
    m.signals(&["fill_room", "take", "flush", "empty"], Ty::bit());
    m.signal("held_q", Ty::bits("5"), "steps that may need a place in the output FIFO; 16 at most");
    m.signal("live_q", Ty::bits("XposeExchW+5"), "rows between the count and the end of the stages");
    m.signal("freed_q", Ty::bit(), "a place in the output FIFO is free again");
    m.instance(
        rows,
        "u_in_rows",
        &[],
        &connect(&[
            ("we_i", "in_valid"),
            ("wslot_i", "plan_slot_q"),
            ("wbit_i", "in_bit"),
            ("wmask_i", "in_mask"),
            ("step_i", "take"),
            ("count_o", "fill_count"),
            ("row_o", "fill_row"),
        ]),
    );
    m.text(
        r#"
        assign fill_src = fill_row[XposeRowW-1] ? fill_src2_q : fill_src1_q;
        assign empty    = live_q == '0;
        assign start    = (startable_q || begins) && (plan_late_q == '0) &&
                          (!fill_valid_q || (take && (&fill_count))) &&
                          ((exchange & ~open_q) == '0 || empty);
        assign take     = fill_valid_q && fill_room && !held_q[4];
        assign flush    = !fill_valid_q && fill_room && !held_q[4] && !empty;

        always_comb begin
          fill_swap = '0;
          for (int unsigned j = 0; j < XposeExchW; j++) begin
            if (fill_count[j]) fill_swap = fill_swap | fill_exchange_q[j];
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            fill_valid_q <= 1'b0;
            open_q       <= '0;
          end else begin
            fill_valid_q <= start || (fill_valid_q && !(take && (&fill_count)));
            if (start && empty) open_q <= exchange;
          end
        end

        always_ff @(posedge clk_i) begin
          if (start) begin
            fill_exchange_q <= exchange;
            fill_src1_q     <= plan_src1_q;
            fill_src2_q     <= plan_src2_q;
          end
        end
        "#,
    );
}

/// Requests of rows, and the cycle in which a row arrives.
fn request(m: &mut Module) {
    m.section(
        "Steps on their way to the register file: the request, and a second one behind it, so that a grant reaches \
         nothing else.",
    );
    m.text(
        r#"
        typedef struct packed {
          logic                 row;   // or nothing
          logic                 zero;  // a row of zeros, which is not read
          logic                 bank;
          bank_addr_t           addr;
          logic [GranLaneW-1:0] swap;
        } step_t;
        "#,
    );
    m.signal("step", Ty::named("step_t"), "");
    m.signal("spare_q", Ty::named("step_t"), "");
    m.signal("request_q", Ty::named("step_t"), "");
    m.signals(&["spare_valid_q", "request_valid_q", "wait_q", "request_free"], Ty::bit());
    m.signal("read_q", Ty::bits(2), "banks");
    m.signal("asked_q", Ty::named("step_t"), "whose row is read");
    m.signal("asked_valid_q", Ty::bit(), "");
    m.signal("arrive_q", Ty::named("step_t"), "whose row is at rf_rdata_i");
    m.signal("arrive_valid_q", Ty::bit(), "");
    m.signal("unused_arrive", Ty::bit(), "");
    m.text(
        r#"
        assign step.row  = fill_valid_q;
        assign step.zero = fill_src.zero;
        assign step.bank = fill_row[0];
        assign step.addr = bank_addr(fill_src.phys, fill_row[RowW-1:1]);
        assign step.swap = fill_valid_q ? fill_swap : '0;

        // wait_q: the request needs a grant.
        assign fill_room    = !spare_valid_q;
        assign request_free = !wait_q || rf_read_gnt_i;

        assign rf_read_o.valid = read_q;
        assign rf_read_o.addr  = {request_q.addr, request_q.addr};

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            spare_valid_q   <= 1'b0;
            request_valid_q <= 1'b0;
            wait_q          <= 1'b0;
            asked_valid_q   <= 1'b0;
            arrive_valid_q  <= 1'b0;
          end else begin
            asked_valid_q  <= request_valid_q && request_free;
            arrive_valid_q <= asked_valid_q;
            if (request_free) begin
              request_valid_q <= spare_valid_q || take || flush;
              spare_valid_q   <= 1'b0;
              if (spare_valid_q) begin
                wait_q <= spare_q.row && !spare_q.zero;
              end else begin
                wait_q <= take && !step.zero;
              end
            end else if (take || flush) begin
              spare_valid_q <= 1'b1;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          if (request_free && spare_valid_q) begin
            read_q <= {2{spare_q.row && !spare_q.zero}} & {spare_q.bank, !spare_q.bank};
          end else if (request_free) begin
            read_q <= {2{take && !step.zero}} & {step.bank, !step.bank};
          end
          if (fill_room) spare_q <= step;
          if (request_free) request_q <= spare_valid_q ? spare_q : step;
          asked_q  <= request_q;
          arrive_q <= asked_q;
        end

        assign unused_arrive = ^arrive_q.addr;
        "#,
    );
}

/// The stages that exchange lane bits with count bits.
fn exchanges(m: &mut Module, geometry: &Geometry, stage: &Module) {
    m.section("The row arrives.");
    let row = Ty::bits("Gran").packed("GranLanes");
    let swaps = Ty::bits("GranLaneW");
    m.signals(&["in_step_q", "in_valid_q"], Ty::bit());
    m.signal("in_swap_q", swaps.clone(), "");
    m.signal("in_row_q", row.clone(), "");
    m.signal("delay", Ty::named("xpose_exchange_t").packed("GranLaneW"), "of each stage, in steps");
    m.text(
        r#"
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            in_step_q <= 1'b0;
          end else begin
            in_step_q <= arrive_valid_q;
          end
        end

        always_ff @(posedge clk_i) begin
          in_valid_q <= arrive_valid_q && arrive_q.row;
          in_swap_q <= arrive_q.swap;
          if (arrive_q.zero) in_row_q <= '0;
          else in_row_q <= rf_rdata_i[arrive_q.bank];
        end

        always_comb begin
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            delay[i] = XposeExchW'(1);
            for (int unsigned j = 0; j < XposeExchW; j++) begin
              if (open_q[j][i]) delay[i] = XposeExchW'(1 << j);
            end
          end
        end
        "#,
    );
    let which = if geometry.assigns() {
        "The two highest lane bits are exchanged with count bits 0 and 1, the others with any."
    } else {
        "Lane bit GranLaneW - 1 - j is exchanged with count bit j."
    };
    m.section(&format!("A stage for each lane bit, with flip-flops behind half of them and at the end. {which}"));
    let mut before = "in".to_owned();
    for bit in 0..geometry.lane_bits {
        let cut = bit + 1 == geometry.lane_bits.div_ceil(2);
        let last = bit + 1 == geometry.lane_bits;
        let late = format!("late{bit}");
        let (valid, swap, data) = (format!("{late}_valid"), format!("{late}_swap"), format!("{late}_row"));
        m.signal(&valid, Ty::bit(), "");
        m.signal(&swap, swaps.clone(), "");
        m.signal(&data, row.clone(), "");
        // The registered signals of a cut, or what comes out of the stage before.
        let of = |name: &str| {
            if before.starts_with("late") { format!("{before}_{name}") } else { format!("{before}_{name}_q") }
        };
        let step = if bit < geometry.lane_bits.div_ceil(2) { "in_step_q" } else { "half_step_q" };
        m.instance(
            stage,
            &format!("u_stage{bit}"),
            &[("Bit", &bit.to_string()), ("Depth", &geometry.stage_depth(bit).to_string())],
            &connect(&[
                ("delay_i", &format!("delay[{bit}]")),
                ("clear_i", "empty"),
                ("step_i", step),
                ("valid_i", &of("valid")),
                ("swap_i", &of("swap")),
                ("row_i", &of("row")),
                ("valid_o", &valid),
                ("swap_o", &swap),
                ("row_o", &data),
            ]),
        );
        before = late;
        if cut && !last {
            flip_flops(m, "half", step, &before, &row, true);
            before = "half".to_owned();
        }
        if last {
            flip_flops(m, "stage", step, &before, &row, false);
        }
    }
    m.section("What is in the stages, and behind them.");
    m.signal("more", Ty::bits(3), "steps that held_q counts from now on, less those that it no longer does");
    m.text(
        r#"
        assign more = 3'(take || flush) - (3'(freed_q) + 3'(stage_step_q && !stage_valid_q));

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            held_q <= '0;
            live_q <= '0;
          end else begin
            held_q <= held_q + {{2{more[2]}}, more};
            if (take && !stage_valid_q) live_q <= live_q + 1'b1;
            if (!take && stage_valid_q) live_q <= live_q - 1'b1;
          end
        end
        "#,
    );
    let unused = format!("assign unused_swap = ^{before}_swap;");
    m.signal("unused_swap", Ty::bit(), "");
    m.text(&unused);
}

/// Flip-flops `name` behind the stage whose outputs begin with `stage`.
fn flip_flops(m: &mut Module, name: &str, step: &str, stage: &str, row: &Ty, swaps: bool) {
    let [step_q, valid_q, swap_q, row_q] = ["step", "valid", "swap", "row"].map(|part| format!("{name}_{part}_q"));
    m.signals(&[&step_q, &valid_q], Ty::bit());
    if swaps {
        m.signal(&swap_q, Ty::bits("GranLaneW"), "");
    }
    m.signal(&row_q, row.clone(), "");
    let keep_swaps = if swaps { format!("  {swap_q} <= {stage}_swap;\n") } else { String::new() };
    m.text(&format!(
        "always_ff @(posedge clk_i or negedge rst_ni) begin\n\
         \x20 if (!rst_ni) begin\n\
         \x20   {step_q} <= 1'b0;\n\
         \x20 end else begin\n\
         \x20   {step_q} <= {step};\n\
         \x20 end\n\
         end\n\
         \n\
         always_ff @(posedge clk_i) begin\n\
         {keep_swaps}  {valid_q} <= {step} && {stage}_valid;\n\
         \x20 {row_q} <= {stage}_row;\n\
         end\n"
    ));
}
