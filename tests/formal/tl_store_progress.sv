// SPDX-License-Identifier: Apache-2.0
// Stores do not stand still: in each cycle in which one is accepted and not complete, the engine goes on, or L0M or the register file owes
// it something, or, where traps are precise, it waits for its value, for an older load, or for the host behind a trap. Assumed of the
// memory: responses come for requests only; of the check: a store whose probes are inside has no slice that fails.
module tl_store_progress (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             cmd_valid_i,
  input logic             l0m_req_o,
  input logic             l0m_gnt_i,
  input logic             l0m_rvalid_i,
  input tl_pkg::rf_read_t rf_read_o,
  input logic [1:0]       rf_read_gnt_i,
  input logic             give_up_i
);

  localparam bit Precise = tl_pkg::Precise != 0;

  logic running_q;
  logic busy;
  logic owed;
  logic goes_on;

  assign busy = (Precise && tl_store.held_valid) || tl_store.u_check.accept_q || tl_store.u_check.op_here || !tl_store.idle;

  assign owed = (l0m_req_o && !l0m_gnt_i) || (tl_store.waiting_valid && !l0m_rvalid_i) || ((rf_read_o.valid & ~rf_read_gnt_i) != '0) ||
      (Precise && ((tl_store.mark_valid && !tl_store.pass) || (tl_store.check_failed_q && !give_up_i)));

  always_comb begin
    // Commands and their verdicts.
    goes_on = tl_store.u_check.accept || tl_store.u_check.accept_q || tl_store.u_check.verdict_q || tl_store.op_take;
    if (Precise && tl_store.pass) goes_on = 1'b1;
    // Slices.
    if (tl_store.u_check.u_walk.advance && (tl_store.u_check.u_walk.more_q || tl_store.u_check.u_walk.read_valid_q ||
        tl_store.u_check.u_walk.sum_valid_q || tl_store.u_check.u_walk.prod_valid_q || tl_store.u_check.walk_valid)) goes_on = 1'b1;
    if (tl_store.u_check.undo_q || tl_store.slice_take) goes_on = 1'b1;
    // Beats.
    if ((tl_store.beat_valid && tl_store.beat_ready) || (tl_store.rows_here && tl_store.rows_go)) goes_on = 1'b1;
    if ((rf_read_gnt_i != '0) || tl_store.gen_bank[0].u_bank.asked_q || tl_store.gen_bank[1].u_bank.asked_q || tl_store.gen_bank[0].u_bank.comes_q ||
        tl_store.gen_bank[1].u_bank.comes_q) goes_on = 1'b1;
    if (tl_store.sent || l0m_rvalid_i) goes_on = 1'b1;
  end

  // The walk: for each place behind an element, whether that ends something (the last slice of a store, a probe), and its index. Slices of
  // one store have rising indices.
  logic            ended_q;    // of what has left the walk
  logic [4:0]      index_q;
  logic [4:0]      out_index_q;
  logic [4:0]      prod_index_q;
  logic [3:0]      ended;      // of what comes behind the output, the product, the sum, the read stride
  logic [3:0][4:0] index;
  logic [1:0]      probed_q;   // what has left the walk is a probe: [0] not the last one, [1] the last one
  logic [3:0][1:0] probed;
  logic [2:0]      walks;      // last slices in the walk
  logic            walking;

  always_comb begin
    ended[0] = tl_store.u_check.walk_valid ? tl_store.u_check.walk_last || tl_store.u_check.walk_probe : ended_q;
    index[0] = tl_store.u_check.walk_valid ? out_index_q : index_q;
    ended[1] = tl_store.u_check.u_walk.prod_valid_q ? tl_store.u_check.u_walk.prod_last_q || tl_store.u_check.u_walk.prod_probe_q : ended[0];
    index[1] = tl_store.u_check.u_walk.prod_valid_q ? prod_index_q : index[0];
    ended[2] = tl_store.u_check.u_walk.sum_valid_q ? tl_store.u_check.u_walk.sum_last_q || tl_store.u_check.u_walk.sum_probe_q : ended[1];
    index[2] = tl_store.u_check.u_walk.sum_valid_q ? tl_store.u_check.u_walk.sum_index_q : index[1];
    ended[3] = tl_store.u_check.u_walk.read_valid_q ? tl_store.u_check.u_walk.read_last_q || (tl_store.u_check.u_walk.read_probes_q != '0) : ended[2];
    index[3] = tl_store.u_check.u_walk.read_valid_q ? tl_store.u_check.u_walk.read_index_q : index[2];
    probed[0] = tl_store.u_check.walk_valid ? {2{tl_store.u_check.walk_probe}} & {tl_store.u_check.walk_last, !tl_store.u_check.walk_last} : probed_q;
    probed[1] = tl_store.u_check.u_walk.prod_valid_q ? {2{tl_store.u_check.u_walk.prod_probe_q}} &
        {tl_store.u_check.u_walk.prod_last_q, !tl_store.u_check.u_walk.prod_last_q} : probed[0];
    probed[2] = tl_store.u_check.u_walk.sum_valid_q ? {2{tl_store.u_check.u_walk.sum_probe_q}} &
        {tl_store.u_check.u_walk.sum_last_q, !tl_store.u_check.u_walk.sum_last_q} : probed[1];
    probed[3] = tl_store.u_check.u_walk.read_valid_q ? {2{tl_store.u_check.u_walk.read_probes_q != '0}} &
        {tl_store.u_check.u_walk.read_last_q, !tl_store.u_check.u_walk.read_last_q} : probed[2];
    walks = 3'(tl_store.u_check.u_walk.more_q) +
        3'(tl_store.u_check.u_walk.read_valid_q && tl_store.u_check.u_walk.read_last_q && (tl_store.u_check.u_walk.read_probes_q == '0)) +
        3'(tl_store.u_check.u_walk.sum_valid_q && tl_store.u_check.u_walk.sum_last_q && !tl_store.u_check.u_walk.sum_probe_q) +
        3'(tl_store.u_check.u_walk.prod_valid_q && tl_store.u_check.u_walk.prod_last_q && !tl_store.u_check.u_walk.prod_probe_q) +
        3'(tl_store.u_check.walk_valid && tl_store.u_check.walk_last && !tl_store.u_check.walk_probe);
  end

  assign walking = tl_store.u_check.u_walk.more_q || tl_store.u_check.u_walk.read_valid_q || tl_store.u_check.u_walk.sum_valid_q ||
      tl_store.u_check.u_walk.prod_valid_q || tl_store.u_check.walk_valid;

  // The slices: those that can be seen, those of the store in doubt behind them.
  logic [5:0] seen;
  logic [5:0] doubt;
  logic [5:0] lasts;      // of those that can be seen, and in the run of beats
  logic       order;      // none joins the last one of a store, and no store in doubt has its last one
  logic       newest;     // the newest of all is the last one of its store
  logic       newest_seen;
  logic [4:0] at;
  logic       last_q;     // what was put there at last was

  assign seen  = tl_store.u_check.seen_q - tl_store.u_check.head_q;
  assign doubt = tl_store.u_check.tail_q - tl_store.u_check.seen_q;

  always_comb begin
    lasts       = 6'(tl_store.u_beats.valid_q && tl_store.u_beats.last_q);
    order       = 1'b1;
    newest      = tl_store.u_beats.valid_q && tl_store.u_beats.last_q;
    newest_seen = newest;
    at          = '0;
    for (int unsigned i = 0; i < 32; i++) begin
      at = tl_store.u_check.head_q[4:0] + 5'(i);
      if (6'(i) < seen + (tl_store.u_check.undo_q ? '0 : doubt)) begin
        if (newest && tl_store.u_check.slices[at][1]) order = 1'b0;
        newest = tl_store.u_check.slices[at][0];
        if (6'(i) < seen) begin
          newest_seen = newest;
          lasts       = lasts + 6'(tl_store.u_check.slices[at][0]);
        end else if (tl_store.u_check.slices[at][0]) begin
          order = 1'b0;
        end
      end
    end
  end

  // Verdicts, of stores that have slices.
  logic [2:0] goods;
  logic [1:0] verdict_at;

  always_comb begin
    goods      = 3'(tl_store.u_check.verdict_q && !tl_store.u_check.nothing_q);
    verdict_at = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      verdict_at = tl_store.u_check.u_verdicts.head_q + 2'(i);
      if (3'(i) < tl_store.u_check.u_verdicts.u_state.count) goods = goods + 3'(!tl_store.u_check.u_verdicts.words[verdict_at][tl_pkg::Xlen+3]);
    end
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    if (!rst_ni) begin
      ended_q <= 1'b1;
      probed_q <= '0;
      last_q  <= 1'b1;
    end else begin
      if (tl_store.u_check.take) begin
        ended_q <= tl_store.u_check.walk_last || tl_store.u_check.walk_probe;
        index_q <= out_index_q;
        probed_q <= {2{tl_store.u_check.walk_probe}} & {tl_store.u_check.walk_last, !tl_store.u_check.walk_last};
      end
      if (tl_store.u_check.push) last_q <= tl_store.u_check.walk_last;
      else if (tl_store.u_check.undo_q) last_q <= 1'b1;
    end
    if (tl_store.u_check.u_walk.advance) begin
      prod_index_q <= tl_store.u_check.u_walk.sum_index_q;
      out_index_q  <= prod_index_q;
    end
    if (rst_ni) begin
      // tl_dispatch; tl_store_room says that there is room then.
      if (Precise && cmd_valid_i) assume (tl_store.held_room);
      if (l0m_rvalid_i) assume (tl_store.waiting_valid);
      assume ((rf_read_gnt_i & ~rf_read_o.valid) == '0);
      if (tl_store.u_check.take && !tl_store.u_check.walk_probe && tl_store.u_check.proven_q) assume (!tl_store.u_check.fails);
      if (tl_store.u_check.accept && tl_store.u_check.cmd_i.none) begin
        assume ((tl_store.u_check.cmd_i.mask == '0) && !tl_store.u_check.cmd_i.dense);
      end
      if (busy) assert (goes_on || owed);
      // Why: the walk.
      if (tl_store.u_check.u_walk.more_q) assert (tl_store.u_check.u_walk.probes_q != 2'b11);
      if (!tl_store.u_check.u_walk.more_q) begin
        if (tl_store.u_check.u_walk.read_valid_q) begin
          assert (tl_store.u_check.u_walk.read_last_q && (tl_store.u_check.u_walk.read_probes_q == '0));
        end else if (tl_store.u_check.u_walk.sum_valid_q) begin
          assert (tl_store.u_check.u_walk.sum_last_q && !tl_store.u_check.u_walk.sum_probe_q);
        end else if (tl_store.u_check.u_walk.prod_valid_q) begin
          assert (tl_store.u_check.u_walk.prod_last_q && !tl_store.u_check.u_walk.prod_probe_q);
        end else if (tl_store.u_check.walk_valid) begin
          assert (tl_store.u_check.walk_last && !tl_store.u_check.walk_probe);
        end else begin
          assert (ended_q);
        end
      end
      if (tl_store.u_check.u_walk.more_q) begin
        if (!tl_store.u_check.u_walk.first_q) assert (!ended[3] && (tl_store.u_check.u_walk.probes_q == '0));
        if (!ended[3]) assert ((tl_store.u_check.u_walk.mask_q & ((32'd2 << index[3]) - 32'd1)) == '0);
        if (!ended[3]) assert ((tl_store.u_check.u_walk.mask_q != '0) && (tl_store.u_check.u_walk.probes_q == '0));
      end
      if (tl_store.u_check.u_walk.read_valid_q) begin
        if (!tl_store.u_check.u_walk.read_first_q) assert (!ended[2]);
        if (!ended[2]) assert ((tl_store.u_check.u_walk.read_index_q > index[2]) && (tl_store.u_check.u_walk.read_probes_q == '0));
      end
      if (tl_store.u_check.u_walk.sum_valid_q) begin
        if (tl_store.u_check.u_walk.sum_next_q) assert (!ended[1]);
        if (!ended[1]) assert ((tl_store.u_check.u_walk.sum_index_q > index[1]) && !tl_store.u_check.u_walk.sum_probe_q);
      end
      if (tl_store.u_check.u_walk.prod_valid_q) begin
        if (tl_store.u_check.u_walk.prod_next_q) assert (!ended[0]);
        if (!ended[0]) assert ((prod_index_q > index[0]) && !tl_store.u_check.u_walk.prod_probe_q);
      end
      if (tl_store.u_check.walk_valid) begin
        if (tl_store.u_check.u_walk.next_q) assert (!ended_q);
        if (!ended_q) assert ((out_index_q > index_q) && !tl_store.u_check.walk_probe);
      end
      if (tl_store.u_check.u_walk.more_q) begin
        assert (probed[3][0] == tl_store.u_check.u_walk.probes_q[0]);
        if (probed[3][1] || !ended[3]) assert (tl_store.u_check.u_walk.probes_q == '0);
      end else begin
        assert (probed[3] == '0);
      end
      if (tl_store.u_check.u_walk.read_valid_q) begin
        if (probed[2][0]) assert ((tl_store.u_check.u_walk.read_probes_q != '0) && tl_store.u_check.u_walk.read_last_q);
        if (probed[2][1]) assert (tl_store.u_check.u_walk.read_probes_q == '0);
      end
      if (tl_store.u_check.u_walk.sum_valid_q) begin
        if (probed[1][0]) assert (tl_store.u_check.u_walk.sum_probe_q && tl_store.u_check.u_walk.sum_last_q);
        if (probed[1][1]) assert (!tl_store.u_check.u_walk.sum_probe_q);
      end
      if (tl_store.u_check.u_walk.prod_valid_q) begin
        if (probed[0][0]) assert (tl_store.u_check.u_walk.prod_probe_q && tl_store.u_check.u_walk.prod_last_q);
        if (probed[0][1]) assert (!tl_store.u_check.u_walk.prod_probe_q);
      end
      if (tl_store.u_check.walk_valid) begin
        if (probed_q[0]) assert (tl_store.u_check.walk_probe && tl_store.u_check.walk_last);
        if (probed_q[1]) assert (!tl_store.u_check.walk_probe);
      end
      if (tl_store.u_check.proven_q) assert (!ended_q || probed_q[1]);
      if (tl_store.u_check.u_walk.more_q && tl_store.u_check.u_walk.none_q) begin
        assert ((tl_store.u_check.u_walk.mask_q == '0) && (tl_store.u_check.u_walk.probes_q == '0) && ended[3] && (probed[3] == '0));
      end
      if (tl_store.u_check.u_walk.read_valid_q && tl_store.u_check.u_walk.read_none_q) begin
        assert (tl_store.u_check.u_walk.read_last_q && (tl_store.u_check.u_walk.read_probes_q == '0) && ended[2] && (probed[2] == '0));
      end
      if (tl_store.u_check.u_walk.sum_valid_q && tl_store.u_check.u_walk.sum_none_q) begin
        assert (tl_store.u_check.u_walk.sum_last_q && !tl_store.u_check.u_walk.sum_probe_q && ended[1] && (probed[1] == '0));
      end
      if (tl_store.u_check.u_walk.prod_valid_q && tl_store.u_check.u_walk.prod_none_q) begin
        assert (tl_store.u_check.u_walk.prod_last_q && !tl_store.u_check.u_walk.prod_probe_q && ended[0] && (probed[0] == '0));
      end
      if (tl_store.u_check.walk_valid && tl_store.u_check.walk_none) begin
        assert (tl_store.u_check.walk_last && !tl_store.u_check.walk_probe && ended_q && (probed_q == '0));
      end
      // Why: verdicts.
      assert (5'(tl_store.u_check.u_verdicts.u_state.count) + 5'(tl_store.u_check.verdict_q) + 5'(walks) ==
          5'(tl_store.u_check.u_ops.u_state.count) + 5'(tl_store.u_check.accept_q) + 5'(tl_store.u_check.trap_q || tl_store.u_check.proven_q));
      assert (3'(tl_store.u_check.u_ops.u_state.count) + 3'(tl_store.u_check.accept_q) <= 3'd4);
      assert (!(tl_store.u_check.trap_q && tl_store.u_check.proven_q));
      if (tl_store.u_check.trap_q) assert (walking && !ended_q);
      if (tl_store.u_check.proven_q) assert (walking);
      if (tl_store.u_check.accept_q) assert (tl_store.u_check.u_walk.more_q);
      // Why: slices.
      assert (seen <= 6'd32);
      assert ((doubt <= 6'd32) && (7'(seen) + 7'(doubt) <= 7'd32));
      assert (order);
      assert (6'(goods) == lasts + 6'(tl_store.u_check.proven_q));
      if (tl_store.u_check.proven_q) assert (doubt == '0);
      if (tl_store.u_check.undo_q) assert (!tl_store.u_check.proven_q);
      if (!tl_store.u_check.undo_q && ((seen + doubt != '0) || tl_store.u_beats.valid_q)) assert (newest == last_q);
      if (!tl_store.u_check.proven_q && ((seen != '0) || tl_store.u_beats.valid_q)) assert (newest_seen);
      if (!ended_q && !tl_store.u_check.trap_q) assert (!last_q && !tl_store.u_check.undo_q);
      if (!tl_store.u_check.undo_q && (ended_q || tl_store.u_check.trap_q)) assert (doubt == '0);
      if (!tl_store.u_check.undo_q && !ended_q) assert (doubt <= 6'(index_q) + 6'd1);
      assert (tl_store.u_check.room_q == (tl_store.u_check.tail_q != {!tl_store.u_check.head_q[5], tl_store.u_check.head_q[4:0]}));
      // Why: stores that have passed.
      if (Precise) begin
        assert (5'(tl_store.u_marks.u_state.count) + 5'(tl_store.passed_q) ==
            5'(tl_store.u_held.u_state.count) + 5'(tl_store.u_check.accept_q) + 5'(tl_store.u_check.u_ops.u_state.count));
        assert (tl_store.any_passed_q == (tl_store.passed_q != '0));
        if (tl_store.begun_q) assert (tl_store.any_passed_q);
      end
      if (tl_store.begun_q) assert (tl_store.op_valid && !tl_store.op.none);
    end
  end

endmodule

bind tl_store tl_store_progress u_progress (.*);
