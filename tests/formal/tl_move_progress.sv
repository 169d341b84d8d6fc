// SPDX-License-Identifier: Apache-2.0
// addi and merge do not stand still: in each cycle in which one is accepted and not complete, the engine goes on, or the register file
// owes it a grant, or it waits for an operand. Without concat: there a result waits for the granules that its masks select, and how many
// those are is a fact about data. Assumed of tl_dispatch: a merge has a dimension of 1 or more.
module tl_move_progress (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              cmd_valid_i,
  input tl_pkg::move_cmd_t cmd_i,
  input tl_pkg::rf_read_t  rf_read_o,
  input logic              rf_read_gnt_i,
  input tl_pkg::rf_write_t rf_write_o,
  input logic              rf_write_gnt_i
);

  localparam int unsigned RowW   = tl_pkg::RowW;
  localparam int unsigned CountW = RowW + 4;  // bits of a number of rows

  // Of a request, after what it says of its rows.
  localparam int unsigned RowsBit = tl_pkg::GranLaneW + 5;

  logic running_q;
  logic busy;
  logic owed;
  logic goes_on;
  logic merge;    // the command that is set up

  assign merge = tl_move.u_setup.cmd_q.op == tl_pkg::MoveMerge;

  assign busy = tl_move.u_setup.valid_q || tl_move.u_fetch.gen_walk[0].u_walk.slice_valid_q || tl_move.u_fetch.gen_walk[0].u_walk.valid_q ||
      tl_move.u_fetch.gen_walk[1].u_walk.slice_valid_q || tl_move.u_fetch.gen_walk[1].u_walk.valid_q || (tl_move.u_fetch.used_q != '0) || tl_move.d_valid_q ||
      tl_move.wait_valid_q || tl_move.row_valid_q || tl_move.sum_valid_q || tl_move.u_out.valid_q;

  assign owed = ((rf_read_o.valid != '0) && !rf_read_gnt_i) || ((rf_write_o.valid != '0) && !rf_write_gnt_i) ||
      (tl_move.u_setup.valid_q && ((tl_move.u_setup.awaited_q & ~tl_move.u_setup.taken_q[1:0]) != '0));

  always_comb begin
    // A command: who takes it, and what is worked out of it.
    goes_on = tl_move.u_setup.valid_q && (((tl_move.u_setup.take & ~tl_move.u_setup.taken_q) != '0) || tl_move.u_setup.done ||
        (tl_move.u_setup.step_q == '0) ||
        (merge && !tl_move.u_setup.taken_q[0] && !tl_move.u_setup.full_q));
    // Rows of operands.
    if (tl_move.u_fetch.gen_walk[0].u_walk.slice_take || tl_move.u_fetch.gen_walk[1].u_walk.slice_take || (tl_move.u_fetch.row_take != '0)) goes_on = 1'b1;
    if ((tl_move.u_fetch.request_valid && tl_move.u_fetch.request_take) ||
        ((tl_move.u_fetch.read_q | tl_move.u_fetch.come_q | tl_move.u_fetch.came_q) != '0)) goes_on = 1'b1;
    // Rows of results.
    if (tl_move.d_step || (tl_move.d_free && tl_move.wait_valid_q) || tl_move.row_valid_q || tl_move.sum_valid_q || tl_move.u_out.pop) goes_on = 1'b1;
  end

  // Rows of each operand that have been taken and that no result has taken yet; those that the results want.
  logic [1:0][CountW-1:0] given;
  logic [1:0][CountW-1:0] wanted;
  logic [1:0][5:0]        asked;  // in the requests
  logic [1:0]             at;
  logic                   filled; // each request has a row

  localparam logic [CountW-1:0] Rows = CountW'(tl_pkg::Rows);

  always_comb begin
    given[0] = (tl_move.u_fetch.gen_walk[0].u_walk.slice_valid_q ? Rows : '0) +
        (tl_move.u_fetch.gen_walk[0].u_walk.valid_q ? Rows - CountW'(tl_move.u_fetch.gen_walk[0].u_walk.row_q) : '0) + CountW'(tl_move.u_fetch.used_q[0]);
    given[1] = (tl_move.u_fetch.gen_walk[1].u_walk.slice_valid_q ? Rows : '0) +
        (tl_move.u_fetch.gen_walk[1].u_walk.valid_q ? Rows - CountW'(tl_move.u_fetch.gen_walk[1].u_walk.row_q) : '0) + CountW'(tl_move.u_fetch.used_q[1]);
    for (int unsigned s = 0; s < 2; s++) begin
      wanted[s] = '0;
      if (tl_move.d_valid_q && ((s == 0) || tl_move.d_q.merge)) wanted[s] = wanted[s] + Rows - CountW'(tl_move.d_row_q);
      if (tl_move.wait_valid_q && ((s == 0) || tl_move.wait_q.merge)) wanted[s] = wanted[s] + Rows;
      if (tl_move.u_setup.valid_q && ((s == 0) || merge)) begin
        if (tl_move.u_setup.taken_q[s]) wanted[s] = wanted[s] + Rows;
        if (tl_move.u_setup.taken_q[2]) wanted[s] = wanted[s] - Rows;
      end
    end
    asked = '0;
    at    = '0;
    filled = 1'b1;
    for (int unsigned i = 0; i < 4; i++) begin
      at = tl_move.u_fetch.u_requests.head_q + 2'(i);
      if ((3'(i) < tl_move.u_fetch.u_requests.u_state.count) && (tl_move.u_fetch.u_requests.words[at][RowsBit+:2] == '0)) filled = 1'b0;
      for (int unsigned s = 0; s < 2; s++) begin
        if (3'(i) < tl_move.u_fetch.u_requests.u_state.count) asked[s] = asked[s] + 6'(tl_move.u_fetch.u_requests.words[at][RowsBit+s]);
      end
    end
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    // Commands come from flip-flops with a reset.
    if (!rst_ni) assume (!cmd_valid_i);
    if (rst_ni) begin
      // tl_dispatch: sent when the engine has said a cycle before that it is ready.
      if (cmd_valid_i) assume (!tl_move.u_setup.valid_q);
      assume ((cmd_i.op == tl_pkg::MoveAddi) || (cmd_i.op == tl_pkg::MoveMerge));
      if (cmd_valid_i && (cmd_i.op == tl_pkg::MoveMerge)) assume ((cmd_i.dim != '0) && (cmd_i.dim <= 6'd32));
      assume (!rf_read_gnt_i || (rf_read_o.valid != '0));
      assume (!rf_write_gnt_i || (rf_write_o.valid != '0));
      if (busy) assert (goes_on || owed);
      // Why: there is no concat.
      if (tl_move.u_setup.valid_q) assert (!tl_move.u_setup.is_concat_q && !tl_move.u_setup.by_slice_o && (merge || (tl_move.u_setup.cmd_q.op == tl_pkg::MoveAddi)));
      if (tl_move.u_setup.valid_q) assert (tl_move.u_setup.skip_q == {!merge, 1'b0});
      assert (!tl_move.plan_busy && !tl_move.u_concat_plan.row_valid_q && !tl_move.u_concat.pass_valid_q && !tl_move.u_concat.next_valid && !tl_move.u_concat.entry_valid_q && !tl_move.pass_valid && !tl_move.u_concat_plan.bound_valid_q && !tl_move.u_concat_plan.mark_valid_q);
      assert (!tl_move.u_concat.spread_valid_q && (tl_move.head_concat == '0));
      assert (!tl_move.u_fetch.gen_walk[0].u_walk.search_valid_q && !tl_move.u_fetch.gen_walk[1].u_walk.search_valid_q);
      if (tl_move.u_fetch.gen_walk[0].u_walk.slice_valid_q) begin
        assert (tl_move.u_fetch.gen_walk[0].u_walk.slice_whole_q && !tl_move.u_fetch.gen_walk[0].u_walk.slice_concat_q);
        assert ((&tl_move.u_fetch.gen_walk[0].u_walk.slice_last_q) && (tl_move.u_fetch.gen_walk[0].u_walk.slice_start_q == '0));
      end
      if (tl_move.u_fetch.gen_walk[1].u_walk.slice_valid_q) begin
        assert (tl_move.u_fetch.gen_walk[1].u_walk.slice_whole_q && !tl_move.u_fetch.gen_walk[1].u_walk.slice_concat_q);
        assert ((&tl_move.u_fetch.gen_walk[1].u_walk.slice_last_q) && (tl_move.u_fetch.gen_walk[1].u_walk.slice_start_q == '0));
      end
      if (tl_move.u_fetch.gen_walk[0].u_walk.valid_q) begin
        assert (!tl_move.u_fetch.gen_walk[0].u_walk.concat_q && !tl_move.u_fetch.gen_walk[0].u_walk.by_slice_q && (&tl_move.u_fetch.gen_walk[0].u_walk.last_q));
        assert (tl_move.u_fetch.gen_walk[0].u_walk.row_last_q == (&tl_move.u_fetch.gen_walk[0].u_walk.row_q));
      end
      if (tl_move.u_fetch.gen_walk[1].u_walk.valid_q) begin
        assert (!tl_move.u_fetch.gen_walk[1].u_walk.concat_q && !tl_move.u_fetch.gen_walk[1].u_walk.by_slice_q && (&tl_move.u_fetch.gen_walk[1].u_walk.last_q));
        assert (tl_move.u_fetch.gen_walk[1].u_walk.row_last_q == (&tl_move.u_fetch.gen_walk[1].u_walk.row_q));
      end
      // Why: what is set up.
      if (tl_move.u_setup.step_q == '0) assert (tl_move.u_setup.taken_q == '0);
      if (tl_move.u_setup.valid_q && (tl_move.u_setup.step_q != '0) && !tl_move.u_setup.taken_q[0]) assert (tl_move.u_setup.fill_q == 2'b01);
      // Why: each result has the rows that it wants.
      for (int unsigned s = 0; s < 2; s++) begin
        assert (given[s] == wanted[s]);
        assert (6'(tl_move.u_fetch.used_q[s]) == asked[s] + 6'(tl_move.u_fetch.read_q[s]) + 6'(tl_move.u_fetch.come_q[s]) +
            6'(tl_move.u_fetch.came_q[s]) + 6'(tl_move.u_fetch.ready_q[s]));
        assert (tl_move.u_fetch.used_q[s] <= 4'd7);
        assert (tl_move.u_fetch.room_q[s] == (tl_move.u_fetch.used_q[s] < 4'd7));
        assert (tl_move.head_direct[s] == (tl_move.u_fetch.ready_q[s] != '0));
        assert (tl_move.u_fetch.asked_q[s] == 3'(tl_move.u_fetch.head_q[s] + tl_move.u_fetch.used_q[s][2:0]));
      end
      assert (filled);
      // Why: no row that is asked for is for concat.
      for (int unsigned i = 0; i < 7; i++) begin
        if (4'(i) < tl_move.u_fetch.used_q[0]) assert (!tl_move.u_fetch.concat_0[3'(tl_move.u_fetch.head_q[0] + 3'(i))]);
        if (4'(i) < tl_move.u_fetch.used_q[1]) assert (!tl_move.u_fetch.concat_1[3'(tl_move.u_fetch.head_q[1] + 3'(i))]);
      end
      if (!tl_move.d_valid_q) assert (tl_move.d_row_q == '0);
      if (tl_move.wait_valid_q) assert (tl_move.d_valid_q);
      // Why: rows of results.
      assert (4'(tl_move.u_out.begun_q - tl_move.u_out.tail_q) == 4'(tl_move.row_valid_q) + 4'(tl_move.sum_valid_q));
      assert (4'(tl_move.u_out.begun_q - tl_move.u_out.head_q) <= 4'd8);
      assert (4'(tl_move.u_out.tail_q - tl_move.u_out.head_q) <= 4'(tl_move.u_out.begun_q - tl_move.u_out.head_q));
      if (tl_move.out_room) assert (4'(tl_move.u_out.begun_q - tl_move.u_out.head_q) <= 4'd7);
      assert (tl_move.u_out.valid_q == (tl_move.u_out.tail_q != tl_move.u_out.head_q));
      assert ((tl_move.u_out.write_q != '0) == (tl_move.u_out.valid_q && !tl_move.u_out.dest_q.dst.drop));
    end
  end

endmodule

bind tl_move tl_move_progress u_progress (.*);
