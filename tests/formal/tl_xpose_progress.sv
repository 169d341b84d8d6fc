// SPDX-License-Identifier: Apache-2.0
// Transpositions do not stand still: in each cycle in which one is accepted and not complete, the engine goes on, or the register file
// owes it a grant, or it waits for an operand. Assumed of tl_dispatch: an operand that is still to come comes once.
module tl_xpose_progress (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              cmd_valid_i,
  input tl_pkg::rf_read_t  rf_read_o,
  input logic              rf_read_gnt_i,
  input tl_pkg::rf_write_t rf_write_o,
  input tl_pkg::done_t     done_o
);

  localparam int unsigned XposeRowW  = tl_pkg::XposeRowW;
  localparam int unsigned XposeStepW = tl_pkg::XposeStepW;
  localparam int unsigned XposeExchW = tl_pkg::XposeExchW;
  localparam int unsigned XposeSlotW = tl_pkg::XposeSlotW;
  localparam int unsigned GranLaneW  = tl_pkg::GranLaneW;
  localparam int unsigned RowsW      = XposeRowW + XposeSlotW + 2;  // bits of a number of rows

  logic             running_q;
  logic             busy;
  logic             owed;
  logic             goes_on;
  logic [RowsW-1:0] filled;   // rows that have been read of operations that have not left the stages
  logic [RowsW-1:0] whole;    // those of which all rows have been read
  logic [RowsW-1:0] alive;   // rows from the request to the end of the stages
  logic             half_step;   // behind half of the stages
  logic             half_valid;

  logic [GranLaneW:0][RowsW-1:0] held;  // rows in the stages in front of each

  assign busy = tl_xpose.cmd_valid_q || (tl_xpose.ops_q != '0) || (tl_xpose.write_q != '0) || tl_xpose.last_q;

  assign owed = (tl_xpose.wait_q && !rf_read_gnt_i) || (tl_xpose.waiting_q && (tl_xpose.plan_awaited_q != '0));

  localparam int unsigned HalfStages = (GranLaneW + 1) / 2;

  assign half_step  = tl_xpose.gen_stage[HalfStages-1].step_next;
  assign half_valid = tl_xpose.gen_stage[HalfStages-1].valid_next;

  assign held[0] = '0;
  for (genvar i = 0; i < GranLaneW; i++) begin : gen_held
    assign held[i+1] = held[i] + RowsW'(tl_xpose.gen_stage[i].u_stage.u_held.rows);
  end

  assign alive = RowsW'(tl_xpose.spare_valid_q && tl_xpose.spare_q.row) + RowsW'(tl_xpose.request_valid_q && tl_xpose.request_q.row) +
      RowsW'(tl_xpose.asked_valid_q && tl_xpose.asked_q.row) + RowsW'(tl_xpose.arrive_valid_q && tl_xpose.arrive_q.row) +
      RowsW'(tl_xpose.in_valid_q) + RowsW'(half_valid) + RowsW'(tl_xpose.stage_valid_q) +
      held[GranLaneW];

  always_comb begin
    goes_on = tl_xpose.go || tl_xpose.start || tl_xpose.take || tl_xpose.flush;
    // The plan.
    if (tl_xpose.planning_q != '0) goes_on = 1'b1;
    // Steps that have begun.
    if (tl_xpose.asked_valid_q || tl_xpose.arrive_valid_q || tl_xpose.in_step_q || half_step || tl_xpose.gen_stage[GranLaneW-1].step_next) goes_on = 1'b1;
    if ((tl_xpose.request_valid_q || tl_xpose.spare_valid_q) && tl_xpose.request_free) goes_on = 1'b1;
    // Rows of results.
    if ((tl_xpose.write_q != '0) || tl_xpose.last_q) goes_on = 1'b1;
  end

  assign whole  = RowsW'(tl_xpose.ops_q) - RowsW'(tl_xpose.waiting_q) - RowsW'(tl_xpose.fill_valid_q);
  assign filled = (whole << XposeRowW) + RowsW'(tl_xpose.fill_count);

  // What is planned, before its second count bit.
  logic [3:0] early;

  localparam logic [XposeStepW-1:0] LastBit  = XposeStepW'(XposeRowW - 1);
  localparam logic [XposeStepW-1:0] LastLane = XposeStepW'(XposeExchW - 1);

  assign early = {tl_xpose.begins, tl_xpose.u_plan.aimed_q, tl_xpose.u_plan.placed_q, tl_xpose.u_plan.sized_q};

  // In the cycle before: whether rows were left, and which lane bits were exchanged.
  logic                                 rows_q;
  logic [XposeExchW-1:0][GranLaneW-1:0] open_q;

  initial running_q = 1'b0;
  initial rows_q    = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    rows_q    <= rst_ni && (tl_xpose.fill_valid_q || !tl_xpose.empty);
    open_q    <= tl_xpose.open_q;
    assume (rst_ni == running_q);
    // Commands come from flip-flops with a reset.
    if (!rst_ni) assume (!cmd_valid_i);
    if (rst_ni) begin
      // tl_dispatch: sent when the engine has said a cycle before that it is ready.
      if (cmd_valid_i) assume (!tl_xpose.cmd_valid_q);
      assume (!rf_read_gnt_i || (rf_read_o.valid != '0));
      if (busy) assert (goes_on || owed);
      // Why: each operation that has not left the stages waits, is read, or is in them.
      assert (tl_xpose.ops_q <= (XposeSlotW + 1)'(1 << XposeSlotW));
      assert (tl_xpose.ops_q >= (XposeSlotW + 1)'(tl_xpose.waiting_q) + (XposeSlotW + 1)'(tl_xpose.fill_valid_q));
      if (!tl_xpose.fill_valid_q) assert (tl_xpose.fill_count == '0);
      assert (RowsW'(tl_xpose.live_q) + RowsW'(tl_xpose.out_count) == filled);
      // Why: behind the last row that was taken no step has come.
      if (tl_xpose.fill_valid_q && (tl_xpose.fill_count != '0)) begin
        assert (tl_xpose.spare_valid_q ? tl_xpose.spare_q.row : tl_xpose.request_valid_q ? tl_xpose.request_q.row :
            tl_xpose.asked_valid_q ? tl_xpose.asked_q.row : tl_xpose.arrive_valid_q ? tl_xpose.arrive_q.row :
            tl_xpose.in_step_q ? tl_xpose.in_valid_q : tl_xpose.gen_stage[0].u_stage.valid_q[0]);
      end
      // Lane bits are exchanged anew only when no row is left in the stages, or to be read.
      if (rows_q) assert (tl_xpose.open_q == open_q);
      if (tl_xpose.start && tl_xpose.empty) assert (!tl_xpose.fill_valid_q);
      // Why: rows in the stages, each of which keeps its delay while it has some.
      assert (RowsW'(tl_xpose.live_q) == alive);
      if (tl_xpose.in_valid_q) assert (tl_xpose.in_step_q);
      if (half_valid) assert (half_step);
      if (tl_xpose.stage_valid_q) assert (tl_xpose.gen_stage[GranLaneW-1].step_next);
      for (int unsigned j = 0; j < XposeExchW; j++) begin
        for (int unsigned i = 0; i < GranLaneW; i++) begin
          if (tl_xpose.open_q[j][i] || (tl_xpose.exchange[j][i] && (tl_xpose.startable_q || tl_xpose.begins))) assert (i + j == GranLaneW - 1);
        end
      end
      assert (tl_xpose.wait_q == (tl_xpose.read_q != '0));
      if (tl_xpose.wait_q) assert (tl_xpose.request_valid_q);
      if (tl_xpose.spare_valid_q) assert (tl_xpose.wait_q);
      // Why: what is planned is on its way through the plan, a count bit behind the other.
      assert ($onehot0(early));
      assert ((early != '0) == (tl_xpose.waiting_q && !tl_xpose.startable_q));
      if (tl_xpose.startable_q) assert (tl_xpose.waiting_q);
      assert (tl_xpose.planning_q[0] == ((early != '0) || tl_xpose.u_plan.step_q || tl_xpose.u_plan.picked_valid_q || tl_xpose.u_plan.moved_valid_q));
      assert (tl_xpose.planning_q[1] == ((early != '0) || (tl_xpose.u_plan.step_q && (tl_xpose.u_plan.bit_q <= LastLane)) ||
          (tl_xpose.u_plan.picked_valid_q && (tl_xpose.u_plan.picked_bit_q <= LastLane)) ||
          (tl_xpose.u_plan.moved_valid_q && (tl_xpose.u_plan.moved_bit_q <= LastLane)) || (tl_xpose.u_plan.sort_q != '0)));
      if (tl_xpose.u_plan.step_q) assert (tl_xpose.u_plan.bit_q <= LastBit);
      if (early[2:0] != '0) assert (!tl_xpose.u_plan.step_q && !tl_xpose.u_plan.picked_valid_q && !tl_xpose.u_plan.moved_valid_q);
      if ((early != '0) || (tl_xpose.u_plan.step_q && (tl_xpose.u_plan.bit_q <= LastLane)) ||
          (tl_xpose.u_plan.picked_valid_q && (tl_xpose.u_plan.picked_bit_q <= LastLane)) ||
          (tl_xpose.u_plan.moved_valid_q && (tl_xpose.u_plan.moved_bit_q <= LastLane))) assert (tl_xpose.u_plan.sort_q == '0);
      assert ($onehot0(tl_xpose.u_plan.sort_q));
      if (tl_xpose.u_plan.picked_valid_q && tl_xpose.u_plan.step_q) assert (tl_xpose.u_plan.bit_q != '0);
      if (tl_xpose.u_plan.moved_valid_q && tl_xpose.u_plan.picked_valid_q) assert (tl_xpose.u_plan.picked_bit_q != '0);
      if (tl_xpose.u_plan.moved_valid_q) assert (tl_xpose.u_plan.picked_valid_q || !tl_xpose.u_plan.step_q);
      if (tl_xpose.u_plan.picked_valid_q) begin
        assert (tl_xpose.u_plan.picked_bit_q == (tl_xpose.u_plan.step_q ? XposeStepW'(tl_xpose.u_plan.bit_q - 1'b1) : LastBit));
      end
      if (tl_xpose.u_plan.moved_valid_q) begin
        assert (tl_xpose.u_plan.moved_bit_q == (tl_xpose.u_plan.picked_valid_q ? XposeStepW'(tl_xpose.u_plan.picked_bit_q - 1'b1) : LastBit));
      end
    end
  end

endmodule

// Rows in a stage: of those that came, the last ones, as many as its delay has steps.
module tl_xpose_held #(
  parameter int unsigned Depth = 4
) (
  input tl_pkg::xpose_exchange_t delay_i
);

  logic [4:0] rows;

  always_comb begin
    rows = '0;
    for (int unsigned i = 0; i < Depth; i++) begin
      if ((Depth <= 2) || (i < 32'(delay_i))) rows = rows + 5'(tl_xpose_stage.valid_q[i]);
    end
  end

endmodule

bind tl_xpose_stage tl_xpose_held #(.Depth (Depth)) u_held (.*);
bind tl_xpose tl_xpose_progress u_progress (.*);
