// SPDX-License-Identifier: Apache-2.0
// Rename map, instructions in flight and recovery, wired as in tl_top; dispatch and the engines are free. One TLReg is followed,
// any one, and what it is mapped to: by the map, and by each instruction in flight before and after it. Assumed of tl_dispatch:
// an instruction enters when there is room and is renamed as `rename` assumes; of the engines: they complete what they were
// given, once, two cycles after dispatch or later, and not before the map has the results. For units with precise traps.
module tl_map_system (
  input logic                clk_i,
  input logic                rst_ni,
  input tl_pkg::decoded_t    decoded_i,
  input logic                enter_i,
  input logic                take_i,
  input logic                enter_done_i,
  input tl_pkg::cause_e      cause_i,
  input tl_pkg::flight_t     other_i,
  input tl_pkg::ls_done_t    load_done_i,
  input tl_pkg::ls_done_t    store_done_i,
  input tl_pkg::done_t       load_ok_i,
  input tl_pkg::done_t       store_ok_i,
  input tl_pkg::done_t       move_done_i,
  input tl_pkg::done_t       xpose_done_i,
  input logic                resume_i,
  input logic                waiting_i,
  input logic                result_ready_i,
  input logic [4:0]          any_reg_i
);

  localparam int unsigned QueueEntries = tl_pkg::QueueEntries;
  localparam int unsigned TagW         = tl_pkg::TagW;

  localparam logic [1:0] StateRun   = 2'd0;
  localparam logic [1:0] StateDrain = 2'd1;
  localparam logic [1:0] StateWalk  = 2'd2;

  logic                room, empty, map_ready, fresh, open, kill, trap_seen, trap_retires, all_done, hold, killed;
  logic                walk, walk_second, walk_soon, restore, result_valid, trap;
  tl_pkg::tag_t        tag, oldest, walk_tag, walk_next;
  tl_pkg::src_t        restore_old;
  logic [4:0]          restore_rd;
  logic [2:0]          complete;
  tl_pkg::mark_t [2:0] complete_mark;
  logic [1:0]          release_valid;
  tl_pkg::phys_t [1:0] release_phys;
  tl_pkg::results_t    results;
  tl_pkg::flight_t     flight;
  tl_pkg::flight_t     retired;
  tl_pkg::cause_e      retired_cause;

  always_comb begin
    flight = other_i;
    flight.results = results;
    if (!take_i) flight.results.valid = '0;
  end

  assign trap = enter_i && (cause_i != tl_pkg::CauseNone);

  tl_rename u_rename (
    .clk_i (clk_i), .rst_ni (rst_ni), .decoded_i (decoded_i), .take_i (take_i), .map_ready_o (map_ready), .src1_o (), .src2_o (),
    .awaited_o (), .busy_o (), .pending_o (), .results_o (results), .fresh_o (fresh), .complete_i (complete), .complete_mark_i (complete_mark),
    .restore_i (restore), .restore_rd_i (restore_rd), .restore_old_i (restore_old), .release_i (release_valid),
    .release_phys_i (release_phys)
  );

  tl_retire u_retire (
    .clk_i (clk_i), .rst_ni (rst_ni), .room_o (room), .empty_o (empty), .tag_o (tag), .enter_i (enter_i),
    .enter_done_i (enter_done_i), .entry_i (flight), .cause_i (cause_i), .trap_i (trap), .instr_i ('0), .csr_value_i ('0),
    .changed_i ('0), .load_done_i (load_done_i), .store_done_i (store_done_i), .load_ok_i (load_ok_i), .store_ok_i (store_ok_i),
    .move_done_i (move_done_i), .xpose_done_i (xpose_done_i), .trap_seen_o (trap_seen), .trap_retires_o (trap_retires),
    .all_done_o (all_done), .head_o (oldest), .hold_i (hold), .killed_i (killed), .walk_i (walk), .walk_second_i (walk_second),
    .walk_soon_i (walk_soon), .walk_tag_i (walk_next), .undo_o (), .undo_csr_o (), .undo_value_o (), .complete_o (complete), .complete_mark_o (complete_mark),
    .restore_o (restore), .restore_rd_o (restore_rd), .restore_old_o (restore_old), .release_o (release_valid),
    .release_phys_o (release_phys), .result_valid_o (result_valid), .result_ready_i (result_ready_i), .result_o (retired),
    .result_cause_o (retired_cause), .result_tval_o (), .result_value_o (), .result_tag_o ()
  );

  tl_recover u_recover (
    .clk_i (clk_i), .rst_ni (rst_ni), .resume_i (resume_i), .refuse_o (), .waiting_i (waiting_i), .open_o (open), .kill_o (kill),
    .give_up_o (), .empty_i (empty), .head_i (oldest), .tail_i (tag), .trap_seen_i (trap_seen), .trap_retires_i (trap_retires),
    .all_done_i (all_done), .hold_o (hold), .killed_o (killed), .walk_o (walk), .walk_second_o (walk_second),
    .walk_soon_o (walk_soon), .walk_tag_o (walk_next)
  );

  logic                    running_q;
  logic                    took_q;
  logic                    ready_q;      // the map was as the instructions before left it
  tl_pkg::decoded_t        decoded_q;
  logic                    retire;
  logic [4:0]              watched_q;    // the TLReg
  tl_pkg::src_t            base_q;       // what it is mapped to by what has retired
  tl_pkg::src_t            map;          // what it will be by the map, when all that waits is written
  logic [QueueEntries-1:0] given_q;      // an engine has it
  logic [3:0]              valid;
  logic [3:0][TagW-1:0]    done_tag;
  logic [TagW:0]           count;
  tl_pkg::tag_t            youngest;
  tl_pkg::tag_t            named_q;      // the last one that was renamed
  tl_pkg::flight_t         named;
  logic                    undoes;       // what trapped has retired, and is in the map until the walk comes to it

  assign walk_tag = u_recover.walk_q;
  assign retire   = result_valid && result_ready_i;
  assign count    = u_retire.count_q;
  assign youngest = tag - 1'b1;
  assign named    = u_retire.flight_q[named_q];
  assign undoes   = (u_recover.state_q == StateDrain) || (u_recover.state_q == StateWalk);
  assign valid    = {xpose_done_i.valid, move_done_i.valid, store_done_i.valid, load_done_i.valid};
  assign done_tag = {xpose_done_i.tag, move_done_i.tag, store_done_i.tag, load_done_i.tag};

  always_comb begin
    map = u_rename.u_map.mem[watched_q];
    if (u_rename.sweeps) map = '{zero: 1'b1, phys: tl_pkg::phys_t'(watched_q - 5'd1)};
    for (int unsigned r = 0; r < 2; r++) begin
      if (u_rename.wait_q[r] && (u_rename.wait_rd_q[r] == watched_q)) map = '{zero: 1'b0, phys: u_rename.wait_phys_q[r]};
    end
    if (restore && (restore_rd == watched_q)) map = restore_old;
  end

  // From what trapped, if that has to be undone, or the oldest, to the youngest: each replaces what those before it left. One
  // that the walk has undone has no say any more.
  tl_pkg::src_t    left;
  logic            chained;
  tl_pkg::tag_t    slot;
  tl_pkg::flight_t entry;
  logic            undone;
  logic            renamed;   // one of them has a result

  always_comb begin
    left    = base_q;
    chained = 1'b1;
    slot    = '0;
    entry   = '0;
    undone  = 1'b0;
    renamed = 1'b0;
    for (int unsigned k = 0; k <= QueueEntries; k++) begin
      slot  = tl_pkg::tag_t'(32'(oldest) + k - 1);
      entry = u_retire.flight_q[slot];
      if ((k == 0) ? undoes : ((TagW + 1)'(k - 1) < count)) begin
        if (entry.results.valid != '0) renamed = 1'b1;
        for (int unsigned r = 0; r < 2; r++) begin
          undone = killed || (walk && ((TagW'(k) > TagW'(walk_tag - oldest + 1'b1)) || ((slot == walk_tag) && walk_second && (r == 0))));
          if (entry.results.valid[r] && (entry.results.rd[r] == watched_q) && !undone) begin
            if ({entry.results.old_zero[r], entry.results.old_phys[r]} != left) chained = 1'b0;
            left = '{zero: 1'b0, phys: entry.results.fresh[r]};
          end
        end
        if ((entry.results.valid == 2'b11) && (entry.results.rd[0] == entry.results.rd[1])) chained = 1'b0;
      end
    end
  end

  // A result of the instruction goes to this TLReg.
  function automatic logic any(tl_pkg::flight_t of);
    any = of.results.valid != '0;
  endfunction

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    took_q    <= rst_ni && take_i;
    ready_q   <= rst_ni && map_ready;
    decoded_q <= decoded_i;
    if (take_i) named_q <= tag;
    if (!rst_ni) begin
      assume (!enter_i && (valid == '0) && (any_reg_i != '0));
      watched_q <= any_reg_i;
      base_q    <= '{zero: 1'b1, phys: tl_pkg::phys_t'(any_reg_i - 5'd1)};
      given_q   <= '0;
    end else begin
      // tl_dispatch.
      if (enter_i) assume (room && (open || kill));
      if (kill && enter_i) assume (!take_i && enter_done_i && (cause_i == tl_pkg::CauseNone));
      if (cause_i != tl_pkg::CauseNone) assume (!take_i && enter_done_i);
      if (take_i) begin
        assume (enter_i && open && !enter_done_i && ready_q && !took_q && fresh && (decoded_i == decoded_q));
        assume (!decoded_i.is_xpose || (decoded_i.rs1 == decoded_i.rd) && (decoded_i.rs2 != decoded_i.rs1));
      end
      // The engines.
      for (int unsigned e = 0; e < 4; e++) begin
        if (valid[e]) assume (given_q[done_tag[e]] && !(u_retire.enter_q && (u_retire.enter_tag_q == done_tag[e])));
        if (valid[e] && (u_rename.wait_q != '0)) assume (done_tag[e] != named_q);
      end
      if (load_done_i.valid && store_done_i.valid) assume (load_done_i.tag != store_done_i.tag);
      // Matrix instructions have no results, and are not told to the map.
      if (load_ok_i.valid) assume (load_done_i.valid && (load_done_i.cause == tl_pkg::CauseNone));
      if (store_ok_i.valid) assume (store_done_i.valid && (store_done_i.cause == tl_pkg::CauseNone));
      if (load_done_i.valid && (load_done_i.cause == tl_pkg::CauseNone) && any(u_retire.flight_q[load_done_i.tag])) begin
        assume (load_ok_i.valid);
      end
      if (load_ok_i.valid) assume (load_ok_i.tag == load_done_i.tag);
      if (store_ok_i.valid) assume (store_ok_i.tag == store_done_i.tag);

      for (int unsigned e = 0; e < 4; e++) if (valid[e]) given_q[done_tag[e]] <= 1'b0;
      if (enter_i) given_q[tag] <= !enter_done_i;
      if (retire && !killed && (retired_cause == tl_pkg::CauseNone)) begin
        for (int unsigned r = 0; r < 2; r++) begin
          if (retired.results.valid[r] && (retired.results.rd[r] == watched_q)) base_q <= '{zero: 1'b0, phys: retired.results.fresh[r]};
        end
      end

      // The map is what the instructions in flight make of what has retired; when all are undone, what has retired.
      assert (left == map);
      if (killed) assert (map == base_q);
      // Each that is in flight replaces what the one before it left.
      assert (chained);
      // Why. Results that wait for the map are those of one that is not complete.
      assert (watched_q != '0);
      for (int unsigned r = 0; r < 2; r++) begin
        if (u_rename.wait_q[r]) begin
          assert (((TagW + 1)'(tl_pkg::tag_t'(named_q - oldest)) < count) && given_q[named_q]);
          assert (named.results.valid[r] && (named.results.rd[r] == u_rename.wait_rd_q[r]));
        end
      end
      if (restore) assert (u_rename.wait_q == '0);
      if (restore) assert ((u_recover.state_q >= StateWalk) && (u_recover.open_q == 1'b0));
      if (restore && (restore_rd == watched_q) && restore_old.zero) assert (restore_old.phys == tl_pkg::phys_t'(watched_q - 5'd1));
      if (ready_q && !took_q && open) begin
        assert (u_rename.wait_q == '0);
        for (int unsigned r = 0; r < 2; r++) begin
          if (results.valid[r] && (results.rd[r] == watched_q)) assert ({results.old_zero[r], results.old_phys[r]} == map);
        end
        assert (results.valid[0] == (decoded_q.rd != '0));
        assert (results.valid[1] == (decoded_q.is_xpose && (decoded_q.rs2 != '0)));
        assert (results.rd == {decoded_q.rs2, decoded_q.rd});
      end
      if (base_q.zero) assert (base_q.phys == tl_pkg::phys_t'(watched_q - 5'd1));
      assert (32'(u_rename.fill_q) <= tl_pkg::NumPhys);
      if (u_rename.sweeps) begin
        assert ((u_rename.wait_q == '0) && !ready_q && !took_q && !renamed && !restore && base_q.zero);
        if (u_rename.fill_q != '0) assert (u_rename.fill_last_q == u_rename.fill_q - 1'b1);
        if (u_rename.fill_q > tl_pkg::phys_t'(watched_q)) assert (u_rename.u_map.mem[watched_q] == {1'b1, tl_pkg::phys_t'(watched_q - 5'd1)});
      end
      if (u_recover.open_q) assert (u_recover.state_q == StateRun);
      if (u_recover.state_q >= StateWalk) assert ((given_q == '0) && ((u_recover.state_q > StateWalk) || (u_retire.done_q == '1)));
      if (u_recover.state_q == StateDrain) assert ((u_recover.walk_q == youngest) || u_retire.enter_q);
      if (u_recover.state_q == StateWalk) assert ((TagW + 1)'(tl_pkg::tag_t'(walk_tag - oldest + 1'b1)) <= count);
      if (undoes) assert (32'(count) < QueueEntries);
      if (walk) assert (!u_retire.enter_q);
      assert (walk_second == u_recover.second_q);
      if (u_recover.second_q) assert (walk);
      assert (u_retire.current_q == (walk ? walk_tag : oldest));
      // Instructions in flight, as in the proof of tl_retire.
      assert (32'(count) <= QueueEntries);
      assert (tag == tl_pkg::tag_t'(oldest + count));
      assert (u_retire.full_q == (32'(count) == QueueEntries));
      assert (u_retire.next_q == tl_pkg::next_tag(oldest));
      if (count != '0) assert (u_retire.head_done_q == u_retire.done_q[oldest]);
      assert ((u_retire.done_q & given_q) == '0);
      if (u_retire.enter_q) begin
        assert ((u_retire.enter_tag_q == youngest) && (count != '0));
        assert (!u_retire.done_q[youngest] && (given_q[youngest] != u_retire.enter_done_q));
      end
      if (u_retire.enter_done_q) assert (u_retire.enter_q);
      assert ((u_retire.done_q | given_q | (QueueEntries'(u_retire.enter_q) << u_retire.enter_tag_q)) == '1);
      for (int unsigned i = 0; i < QueueEntries; i++) begin
        if (given_q[i]) assert ((TagW + 1)'(tl_pkg::tag_t'(TagW'(i) - oldest)) < count);
      end
    end
  end

endmodule
