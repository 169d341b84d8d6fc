// SPDX-License-Identifier: Apache-2.0
// Who has a physical register: rename map and instructions in flight, wired as in tl_top; dispatch, recovery and the engines are
// free. One register is followed, any one, and all places where it may be: still to come after reset, released, in the ring of
// fresh ones, with a result in flight, or with a TLReg, as it is by what has retired. Assumed of tl_dispatch: an instruction
// enters when there is room, and is renamed as `rename` assumes; of tl_recover: it undoes while it holds results back; of the
// map: a result that retires replaces what has retired before it, proven as `map-undo` where traps are precise; of tl_rename:
// the count of fresh registers, proven as `rename`.
module tl_owner_system (
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
  input logic                hold_i,
  input logic                killed_i,
  input logic                walk_i,
  input logic                walk_second_i,
  input logic                walk_soon_i,
  input tl_pkg::tag_t        walk_tag_i,
  input logic                result_ready_i,
  input tl_pkg::phys_t       any_phys_i
);

  localparam int unsigned QueueEntries = tl_pkg::QueueEntries;
  localparam int unsigned TagW         = tl_pkg::TagW;
  localparam int unsigned NumPhys      = tl_pkg::NumPhys;
  localparam int unsigned NumSpare     = tl_pkg::NumSpare;
  localparam int unsigned SpareW       = $clog2(NumSpare);

  logic                room, map_ready, fresh, busy, restore, result_valid;
  tl_pkg::tag_t        tag, oldest;
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

  tl_rename u_rename (
    .clk_i (clk_i), .rst_ni (rst_ni), .decoded_i (decoded_i), .take_i (take_i), .map_ready_o (map_ready), .src1_o (), .src2_o (),
    .awaited_o (), .busy_o (busy), .pending_o (), .results_o (results), .fresh_o (fresh), .complete_i (complete),
    .complete_mark_i (complete_mark), .restore_i (restore), .restore_rd_i (restore_rd), .restore_old_i (restore_old),
    .release_i (release_valid), .release_phys_i (release_phys)
  );

  tl_retire u_retire (
    .clk_i (clk_i), .rst_ni (rst_ni), .room_o (room), .empty_o (), .tag_o (tag), .enter_i (enter_i),
    .enter_done_i (enter_done_i), .entry_i (flight), .cause_i (cause_i), .trap_i (1'b0), .instr_i ('0), .csr_value_i ('0),
    .changed_i ('0), .load_done_i (load_done_i), .store_done_i (store_done_i), .load_ok_i (load_ok_i), .store_ok_i (store_ok_i),
    .move_done_i (move_done_i), .xpose_done_i (xpose_done_i), .trap_seen_o (), .trap_retires_o (), .all_done_o (),
    .head_o (oldest), .hold_i (hold_i), .killed_i (killed_i), .walk_i (walk_i), .walk_second_i (walk_second_i),
    .walk_soon_i (walk_soon_i), .walk_tag_i (walk_tag_i), .undo_o (), .undo_csr_o (), .undo_value_o (), .complete_o (complete),
    .complete_mark_o (complete_mark), .restore_o (restore), .restore_rd_o (restore_rd), .restore_old_o (restore_old),
    .release_o (release_valid), .release_phys_o (release_phys), .result_valid_o (result_valid), .result_ready_i (result_ready_i),
    .result_o (retired), .result_cause_o (retired_cause), .result_tval_o (), .result_value_o (), .result_tag_o ()
  );

  logic             running_q;
  logic             took_q;
  logic             soon_q;      // an instruction is undone in this cycle
  tl_pkg::tag_t     walk_q;      // this one
  logic             ready_q;
  tl_pkg::decoded_t decoded_q;
  logic             retire;
  tl_pkg::phys_t    watched_q;   // the register
  logic [31:1]      homes_q;     // TLRegs that have it, by what has retired
  logic [TagW:0]    count;
  logic [SpareW:0]  free;

  assign retire = result_valid && result_ready_i;
  assign count  = u_retire.count_q;
  assign free   = u_rename.free_q;

  // The place where it has to be: which kind, and which one.
  localparam logic [2:0] Coming   = 3'd0;
  localparam logic [2:0] Released = 3'd1;
  localparam logic [2:0] Fresh    = 3'd2;
  localparam logic [2:0] Flight   = 3'd3;
  localparam logic [2:0] Home     = 3'd4;

  logic [2:0]        kind_q;
  logic [SpareW-1:0] slot_q;     // of the ring
  logic [TagW-1:0]   flight_q;   // the instruction
  logic [4:0]        home_q;     // the TLReg
  logic              second_q;   // of two that are released, or of two results
  logic              good;       // the oldest retires, and changes the state

  assign good = retire && !killed_i && (retired_cause == tl_pkg::CauseNone);

  // The slots that are taken, and which of their results are in the register.
  logic [QueueEntries-1:0]      taken_q;
  logic [QueueEntries-1:0][1:0] owns_q;

  // Where it is.
  logic                         coming;
  logic [1:0]                   released;
  logic [NumSpare-1:0]          in_ring;
  logic [QueueEntries-1:0][1:0] in_flight;
  tl_pkg::flight_t              entry;
  tl_pkg::phys_t                kept;

  always_comb begin
    coming    = (32'(watched_q) >= 31) && (watched_q >= u_rename.fill_q);
    released  = '0;
    in_ring   = '0;
    in_flight = '0;
    entry     = '0;
    kept      = '0;
    for (int unsigned r = 0; r < 2; r++) released[r] = u_rename.release_q[r] && (u_rename.back_phys[r] == watched_q);
    for (int unsigned i = 0; i < NumSpare; i++) begin
      kept = (i % 2 == 0) ? u_rename.u_slots_0.mem[i/2] : u_rename.u_slots_1.mem[i/2];
      in_ring[i] = ((SpareW + 1)'(SpareW'(SpareW'(i) - u_rename.head_q)) < free) && (kept == watched_q);
    end
    for (int unsigned i = 0; i < QueueEntries; i++) begin
      entry = u_retire.flight_q[i];
      for (int unsigned r = 0; r < 2; r++) begin
        in_flight[i][r] = taken_q[i] && entry.results.valid[r] && (entry.results.fresh[r] == watched_q);
      end
    end
  end

  logic [QueueEntries-1:0][TagW:0] place;     // of a slot, from the oldest on
  logic [5:0]                      left;      // registers that have not come yet after reset

  always_comb begin
    for (int unsigned i = 0; i < QueueEntries; i++) place[i] = (TagW + 1)'(TagW'(TagW'(i) - oldest));
  end

  assign left = u_rename.fill_q < tl_pkg::phys_t'(31) ? 6'(NumPhys - 31) : 6'(NumPhys - 32'(u_rename.fill_q));

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    took_q    <= rst_ni && take_i;
    soon_q    <= rst_ni && walk_soon_i;
    walk_q    <= walk_tag_i;
    ready_q   <= rst_ni && map_ready;
    decoded_q <= decoded_i;
    if (!rst_ni) begin
      assume (!enter_i && (32'(any_phys_i) < NumPhys));
      watched_q <= any_phys_i;
      for (int unsigned i = 1; i < 32; i++) homes_q[i] <= any_phys_i == tl_pkg::phys_t'(i - 1);
      taken_q  <= '0;
      kind_q   <= 32'(any_phys_i) < 31 ? Home : Coming;
      home_q   <= 5'(any_phys_i + 1'b1);
      slot_q   <= '0;
      flight_q <= '0;
      second_q <= 1'b0;
    end else begin
      // tl_dispatch.
      if (enter_i) assume (room);
      if (take_i) assume (enter_i && ready_q && !took_q && fresh && !busy && (decoded_i == decoded_q));
      // tl_rename: the count of fresh registers.
      assume (32'(free) + 32'(u_rename.release_q[0]) + 32'(u_rename.release_q[1]) + 32'(left) <= NumSpare);
      // The engines: two cycles after dispatch or later.
      if (u_retire.enter_q) begin
        assume (!(load_ok_i.valid && (load_ok_i.tag == u_retire.enter_tag_q)));
        assume (!(store_ok_i.valid && (store_ok_i.tag == u_retire.enter_tag_q)));
        assume (!(move_done_i.valid && (move_done_i.tag == u_retire.enter_tag_q)));
        assume (!(xpose_done_i.valid && (xpose_done_i.tag == u_retire.enter_tag_q)));
      end
      // tl_recover.
      if (walk_i) assume (hold_i);
      assume (walk_i == soon_q);
      if (good) begin
        // The map.
        if (retired.results.valid == 2'b11) assume (retired.results.rd[0] != retired.results.rd[1]);
        for (int unsigned r = 0; r < 2; r++) begin
          if (retired.results.valid[r]) begin
            assume (retired.results.rd[r] != '0);
            assume ((retired.results.old_phys[r] == watched_q) == homes_q[retired.results.rd[r]]);
            homes_q[retired.results.rd[r]] <= retired.results.fresh[r] == watched_q;
          end
        end
      end

      if (retire) taken_q[oldest] <= 1'b0;
      if (enter_i) begin
        taken_q[tag] <= 1'b1;
        for (int unsigned r = 0; r < 2; r++) owns_q[tag][r] <= flight.results.valid[r] && (flight.results.fresh[r] == watched_q);
      end

      // From place to place.
      case (kind_q)
        Coming: if (u_rename.fills && (u_rename.fill_q == watched_q)) begin
          kind_q   <= Released;
          second_q <= 1'b0;
        end
        Released: begin
          kind_q <= Fresh;
          slot_q <= second_q ? u_rename.tail2 : u_rename.tail_q;
        end
        Fresh: if (u_rename.take_i && (((u_rename.wanted != '0) && (slot_q == u_rename.head_q)) || ((u_rename.wanted == 2'd2) && (slot_q == u_rename.head2)))) begin
          kind_q   <= Flight;
          flight_q <= tag;
          second_q <= (slot_q != u_rename.head_q) || !results.valid[0];
        end
        Flight: if (retire && (flight_q == oldest)) begin
          kind_q <= good ? Home : Released;
          home_q <= retired.results.rd[second_q];
        end
        default: begin
          for (int unsigned r = 0; r < 2; r++) begin
            if (good && retired.results.valid[r] && (retired.results.rd[r] == home_q)) begin
              kind_q   <= Released;
              second_q <= 1'(r);
            end
          end
        end
      endcase

      // Why.
      assert (u_retire.current_q == (soon_q ? walk_q : oldest));
      assert (u_retire.next_q == tl_pkg::next_tag(oldest));
      if (count != '0) assert (u_retire.head_done_q == u_retire.done_q[oldest]);
      if (u_retire.enter_q) assert (!u_retire.done_q[u_retire.enter_tag_q]);
      // It is in one place, always: never with two TLRegs or instructions, never lost.
      assert (kind_q <= Home);
      assert (coming == (kind_q == Coming));
      for (int unsigned r = 0; r < 2; r++) assert (released[r] == ((kind_q == Released) && (second_q == 1'(r))));
      for (int unsigned i = 0; i < NumSpare; i++) assert (in_ring[i] == ((kind_q == Fresh) && (slot_q == SpareW'(i))));
      for (int unsigned i = 0; i < QueueEntries; i++) begin
        for (int unsigned r = 0; r < 2; r++) begin
          if (taken_q[i]) assert (in_flight[i][r] == owns_q[i][r]);
          assert ((taken_q[i] && owns_q[i][r]) == ((kind_q == Flight) && (flight_q == TagW'(i)) && (second_q == 1'(r))));
        end
      end
      for (int unsigned i = 1; i < 32; i++) assert (homes_q[i] == ((kind_q == Home) && (home_q == 5'(i))));
      // Why.
      assert (32'(u_rename.fill_q) <= NumPhys);
      assert (32'(watched_q) < NumPhys);
      assert (32'(count) <= QueueEntries);
      assert (u_rename.tail_q == SpareW'(u_rename.head_q + free));
      assert (tag == tl_pkg::tag_t'(oldest + count));
      for (int unsigned i = 0; i < QueueEntries; i++) assert (taken_q[i] == (place[i] < count));
      assert (u_retire.full_q == (32'(count) == QueueEntries));
      if (ready_q && !took_q) begin
        assert (u_rename.wait_q == '0);
        assert (results.valid == {decoded_q.is_xpose && (decoded_q.rs2 != '0), decoded_q.rd != '0});
        if (fresh) assert (32'(free) >= 32'd1 + 32'(results.valid == 2'b11));
        if (fresh) assert (results.fresh[0] == u_rename.first_fresh);
        if (fresh && (results.valid == 2'b11)) assert (results.fresh[1] == u_rename.second_fresh);
        if (results.valid == 2'b10) assert (results.fresh[1] == results.fresh[0]);
      end
    end
  end

endmodule
