// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose`, behind the stages: lanes are permuted, rows wait for the write port.

use super::*;

/// The permutation of the lane bits, and where a row goes.
pub(super) fn lanes(m: &mut Module, rows: &Module, lane_swap: &Module) {
    m.section("The operation whose rows leave the stages: the permutation of the lane bits, and where its rows go.");
    m.signal("lane_swap", Ty::named("xpose_swaps_t"), "");
    m.signals(&["out_dst1", "out_dst2", "out_dst"], Ty::named("dst_t"));
    m.signal("out_tag", Ty::named("tag_t"), "");
    m.signals(&["out_count", "out_row"], Ty::bits("XposeRowW"));
    m.signals(&["op_ready", "op_valid", "unused_op"], Ty::bit());
    m.text(
        r#"
        // A row of a result on its way to the register file.
        typedef struct packed {
          logic       last;  // of the operation
          tag_t       tag;
          logic       drop;  // it is not written
          logic       bank;
          bank_addr_t addr;
        } dest_t;

        localparam int unsigned OpBits = XposeLaneSwaps + 2 * (PhysW + 1) + TagW;
        "#,
    );
    m.signal("lane_valid_q", Ty::bit(), "");
    m.signal("lane_dest_q", Ty::named("dest_t"), "");
    m.signal("lane_row", Ty::bits("Gran").packed("GranLanes"), "");
    m.instance(
        &tl_fifo::module(),
        "u_ops",
        &[("Width", "OpBits"), ("Depth", "2 ** XposeSlotW")],
        &connect(&[
            ("valid_i", "swap_valid"),
            ("ready_o", "op_ready"),
            ("data_i", "{plan_swap, plan_dst1_q, plan_dst2_q, plan_tag_q}"),
            ("valid_o", "op_valid"),
            ("ready_i", "leave"),
            ("data_o", "{lane_swap, out_dst1, out_dst2, out_tag}"),
        ]),
    );
    m.instance(
        rows,
        "u_out_rows",
        &[],
        &connect(&[
            ("we_i", "out_valid"),
            ("wslot_i", "plan_slot_q"),
            ("wbit_i", "out_bit"),
            ("wmask_i", "out_mask"),
            ("step_i", "stage_valid_q"),
            ("count_o", "out_count"),
            ("row_o", "out_row"),
        ]),
    );
    m.instance(
        lane_swap,
        "u_lane_swap",
        &[],
        &[("clk_i", "clk_i"), ("swap_i", "lane_swap"), ("row_i", "stage_row_q"), ("row_o", "lane_row")],
    );
    m.text(
        r#"
        // An operation has a slot, and its plan is complete before its first row is here.
        assign unused_op = op_ready ^ op_valid;
        assign leave     = stage_valid_q && (&out_count);
        assign out_dst   = out_row[XposeRowW-1] ? out_dst2 : out_dst1;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) lane_valid_q <= 1'b0;
          else lane_valid_q <= stage_valid_q;
        end

        always_ff @(posedge clk_i) begin
          lane_dest_q.last <= &out_count;
          lane_dest_q.tag  <= out_tag;
          lane_dest_q.drop <= out_dst.drop;
          lane_dest_q.bank <= out_row[0];
          lane_dest_q.addr <= bank_addr(out_dst.phys, out_row[RowW-1:1]);
        end
        "#,
    );
}

/// The rows that wait for the write port.
pub(super) fn output(m: &mut Module) {
    m.section("Rows that wait for the write port. Where the first of them goes is known a cycle ahead.");
    m.text("localparam int unsigned DestBits = BankAddrW + TagW + 3;");
    m.signals(&["fifo_ready", "fifo_valid", "fifo_pop", "unused_fifo"], Ty::bit());
    m.signals(&["row_ready", "row_valid"], Ty::bit());
    m.signal("fifo_dest", Ty::named("dest_t"), "");
    m.signal("fifo_row", Ty::bits("RowBits"), "");
    m.signal("dest_q", Ty::named("dest_t"), "");
    m.signal("write_q", Ty::bits(2), "banks");
    m.signals(&["full_q", "needs_q", "done_valid_q"], Ty::bit());
    m.signal("done_tag_q", Ty::named("tag_t"), "");
    m.instance(
        &tl_fifo::module(),
        "u_dests",
        &[("Width", "DestBits"), ("Depth", "16"), ("Refuses", "0")],
        &connect(&[
            ("valid_i", "lane_valid_q"),
            ("ready_o", "fifo_ready"),
            ("data_i", "lane_dest_q"),
            ("valid_o", "fifo_valid"),
            ("ready_i", "fifo_pop"),
            ("data_o", "fifo_dest"),
        ]),
    );
    m.instance(
        &tl_fifo::module(),
        "u_rows",
        &[("Width", "RowBits"), ("Depth", "16"), ("Refuses", "0")],
        &connect(&[
            ("valid_i", "lane_valid_q"),
            ("ready_o", "row_ready"),
            ("data_i", "lane_row"),
            ("valid_o", "row_valid"),
            ("ready_i", "full_q && fifo_pop"),
            ("data_o", "fifo_row"),
        ]),
    );
    m.text(
        r#"
        // needs_q: the row needs a grant. There is room for every step.
        assign fifo_pop    = !needs_q || rf_write_gnt_i;
        assign unused_fifo = fifo_ready ^ row_ready ^ row_valid ^ dest_q.bank ^ dest_q.drop;

        assign rf_write_o.valid = write_q;
        assign rf_write_o.addr  = {dest_q.addr, dest_q.addr};
        assign rf_write_o.data  = {fifo_row, fifo_row};
        assign done_o.valid     = done_valid_q;
        assign done_o.tag       = done_tag_q;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            full_q  <= 1'b0;
            needs_q <= 1'b0;
            freed_q <= 1'b0;
          end else begin
            freed_q <= full_q && fifo_pop;
            if (fifo_pop) begin
              full_q  <= fifo_valid;
              needs_q <= fifo_valid && !fifo_dest.drop;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          done_valid_q <= full_q && fifo_pop && dest_q.last;
          done_tag_q   <= dest_q.tag;
          if (fifo_pop) begin
            dest_q  <= fifo_dest;
            write_q <= {2{fifo_valid && !fifo_dest.drop}} & {fifo_dest.bank, !fifo_dest.bank};
          end
        end
        "#,
    );
}
