// SPDX-License-Identifier: Apache-2.0
// Loads do not stand still: in each cycle in which a command is accepted and not complete, the engine goes on, or the memory or
// the register file owes it something, or it did so in the cycle before. What counts as going on is finite for a command:
// slices, beats, words, rows, rows of zeros. Assumed of the memory: responses come for requests only.
module tl_load_progress #(
  parameter int unsigned Outstanding = 16,
  parameter int unsigned AddrW       = 12,
  parameter int unsigned NoteW       = 32
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              cmd_valid_i,
  input tl_pkg::load_cmd_t cmd_i,
  input logic              l1m_req_o,
  input logic              l1m_gnt_i,
  input logic              l1m_rvalid_i,
  input tl_pkg::rf_write_t rf_write_o,
  input logic [1:0]        rf_write_gnt_i
);

  localparam int unsigned LoadSlots = tl_pkg::LoadSlots;
  localparam int unsigned SlotW     = tl_pkg::SlotW;
  localparam int unsigned IndexW    = $clog2(Outstanding);
  localparam int unsigned SumW      = 7;

  logic                 running_q;
  logic                 still_q;     // it did not go on in the cycle before
  logic [IndexW:0]      pending_q;   // requests without a response
  logic                 owed;        // the memory or the register file has to do something
  logic                 goes_on;

  assign owed = (l1m_req_o && !l1m_gnt_i) || ((pending_q != '0) && !l1m_rvalid_i) ||
      ((rf_write_o.valid & ~rf_write_gnt_i) != '0);

  always_comb begin
    goes_on = tl_load.accept || tl_load.done;
    // Slices.
    if (tl_load.u_walk.advance && (tl_load.u_walk.more_q || tl_load.u_walk.read_valid_q || tl_load.u_walk.sum_valid_q ||
        tl_load.u_walk.prod_valid_q || tl_load.walk_valid)) goes_on = 1'b1;
    // Beats, words.
    if (tl_load.slice_take || tl_load.beat_go || tl_load.note_taken || l1m_rvalid_i || (l1m_req_o && l1m_gnt_i)) goes_on = 1'b1;
    // Rows.
    if (tl_load.u_rows.take || (tl_load.u_rows.hand_on != '0) || ((rf_write_o.valid & rf_write_gnt_i) != '0)) goes_on = 1'b1;
    // Zeros.
    if (tl_load.zero_over || (!tl_load.zero_valid_q && tl_load.zero_todo_q[tl_load.zero_slot_q])) goes_on = 1'b1;
  end

  // Slots whose last word has been taken: full_q knows it a cycle later.
  logic [LoadSlots-1:0] words_taken;

  always_comb begin
    words_taken = tl_load.full_q;
    if (tl_load.ended) words_taken[tl_load.ended_slot] = 1'b1;
  end

  // Commands whose last word has not been taken: each has a last slice, in the walk or behind it.
  logic [SumW-1:0]   lasts;      // in walk, queues, and beats
  logic [SumW-1:0]   commands;
  logic [IndexW:0]   due;        // notes of words that have not been taken
  logic              fault;      // a slice that failed is on its way
  logic [3:0]        slice_at;
  logic [IndexW-1:0] note_at;

  // Bits of words in the FIFOs.
  localparam int unsigned SliceLast  = AddrW + 2 * tl_pkg::ByteW + 1;
  localparam int unsigned SliceNone  = SliceLast + 2;
  localparam int unsigned SliceFault = 2 * tl_pkg::ByteW + 1;

  always_comb begin
    lasts    = SumW'(tl_load.u_walk.more_q) +
        SumW'(tl_load.u_walk.read_valid_q && tl_load.u_walk.read_last_q) +
        SumW'(tl_load.u_walk.sum_valid_q && tl_load.u_walk.sum_last_q) +
        SumW'(tl_load.u_walk.prod_valid_q && tl_load.u_walk.prod_last_q) +
        SumW'(tl_load.walk_valid && tl_load.walk_last) - SumW'(tl_load.dropping_q) +
        SumW'(tl_load.u_beats.valid_q && tl_load.u_beats.last_q);
    fault    = tl_load.u_beats.valid_q && tl_load.u_beats.none_q && tl_load.u_beats.last_q && tl_load.u_beats.slice_q[0];
    due      = '0;
    commands = '0;
    slice_at = '0;
    note_at  = '0;
    for (int unsigned i = 0; i < 16; i++) begin
      slice_at = tl_load.u_slices.head_q + 4'(i);
      if (5'(i) < tl_load.u_slices.u_state.count) begin
        lasts = lasts + SumW'(tl_load.u_slices.words[slice_at][SliceLast]);
        if (tl_load.u_slices.words[slice_at][SliceNone] && !tl_load.u_slices.words[slice_at][SliceNone-1] &&
            tl_load.u_slices.words[slice_at][SliceLast] && tl_load.u_slices.words[slice_at][SliceFault]) fault = 1'b1;
      end
    end
    for (int unsigned i = 0; i < Outstanding; i++) begin
      note_at = tl_load.u_notes.head_q + IndexW'(i);
      if ((IndexW + 1)'(i) < tl_load.u_notes.u_state.count) begin
        lasts = lasts + SumW'(tl_load.u_notes.words[note_at][NoteW-2]);
        if (tl_load.u_notes.words[note_at][NoteW-1]) begin
          if (tl_load.u_notes.words[note_at][0]) fault = 1'b1;
        end else begin
          due = due + 1'b1;
        end
      end
    end
    for (int unsigned i = 0; i < LoadSlots; i++) commands = commands + SumW'(tl_load.used_q[i] && !words_taken[i]);
  end

  // Slots go round: in each list the ones from the oldest on.
  logic [LoadSlots-1:0][SlotW-1:0] place;
  logic [SlotW:0]                  used;   // how many
  logic [SlotW:0]                  full;
  logic [SlotW:0]                  swept;

  always_comb begin
    used  = '0;
    full  = '0;
    swept = '0;
    for (int unsigned i = 0; i < LoadSlots; i++) begin
      place[i] = SlotW'(i) - tl_load.done_slot_q;
      used     = used + (SlotW + 1)'(tl_load.used_q[i]);
      full     = full + (SlotW + 1)'(words_taken[i]);
      swept    = swept + (SlotW + 1)'(tl_load.used_q[i] && !tl_load.zero_todo_q[i]);
    end
  end

  // A slice that joins is never behind the last one of a command: the flag of the slice before, at each step.
  logic       before_walk_q;  // of what has left the walk
  logic       before_push_q;  // of what has entered the queue
  logic [3:0] before_stage;   // of what comes behind the output, the product, the sum, the read stride
  logic [3:0] order_at;
  logic       order_last;     // of the slice before
  logic       order;          // in the queue

  always_comb begin
    before_stage[0] = tl_load.walk_valid ? tl_load.walk_last : before_walk_q;
    before_stage[1] = tl_load.u_walk.prod_valid_q ? tl_load.u_walk.prod_last_q : before_stage[0];
    before_stage[2] = tl_load.u_walk.sum_valid_q ? tl_load.u_walk.sum_last_q : before_stage[1];
    before_stage[3] = tl_load.u_walk.read_valid_q ? tl_load.u_walk.read_last_q : before_stage[2];
    order_at   = '0;
    order      = 1'b1;
    order_last = tl_load.u_beats.valid_q && tl_load.u_beats.last_q;
    for (int unsigned i = 0; i < 16; i++) begin
      order_at = tl_load.u_slices.head_q + 4'(i);
      if (5'(i) < tl_load.u_slices.u_state.count) begin
        if (order_last && tl_load.u_slices.words[order_at][SliceNone-1]) order = 1'b0;
        order_last = tl_load.u_slices.words[order_at][SliceLast];
      end
    end
  end

  logic [IndexW-1:0] note_newest;

  assign note_newest = tl_load.u_notes.tail_q - 1'b1;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    pending_q <= rst_ni ? pending_q + (IndexW + 1)'(l1m_req_o && l1m_gnt_i) - (IndexW + 1)'(l1m_rvalid_i) : '0;
    still_q   <= rst_ni && (tl_load.used_q != '0) && !goes_on && !owed;
    if (!rst_ni) begin
      before_walk_q <= 1'b1;
      before_push_q <= 1'b1;
    end else begin
      if (tl_load.walk_valid && tl_load.walk_ready) before_walk_q <= tl_load.walk_last;
      if (tl_load.walk_push) before_push_q <= tl_load.slice_last_d;
    end
    if (rst_ni) begin
      if (l1m_rvalid_i) assume (pending_q != '0);
      if (still_q) assert (goes_on || owed || (tl_load.used_q == '0));
      // Why: slots.
      for (int unsigned i = 0; i < LoadSlots; i++) begin
        assert (tl_load.used_q[i] == ((SlotW + 1)'(place[i]) < used));
        assert (words_taken[i] == ((SlotW + 1)'(place[i]) < full));
        assert ((tl_load.used_q[i] && !tl_load.zero_todo_q[i]) == ((SlotW + 1)'(place[i]) < swept));
        if (tl_load.zero_todo_q[i]) assert (tl_load.used_q[i]);
        if (words_taken[i]) assert (tl_load.used_q[i]);
      end
      assert (tl_load.accept_slot_q == SlotW'(tl_load.done_slot_q + used));
      assert (tl_load.word_slot_q == SlotW'(tl_load.done_slot_q + full));
      assert (tl_load.zero_slot_q == SlotW'(tl_load.done_slot_q + swept));
      if (tl_load.free_q && tl_load.walk_start) assert (!tl_load.used_q[tl_load.accept_slot_q]);
      if (tl_load.zero_valid_q) assert (tl_load.zero_todo_q[tl_load.zero_slot_q]);
      if (tl_load.u_walk.more_q) assert (tl_load.u_walk.probes_q == '0);
      if (!tl_load.u_walk.more_q) begin
        if (tl_load.u_walk.read_valid_q) begin
          assert (tl_load.u_walk.read_last_q);
        end else if (tl_load.u_walk.sum_valid_q) begin
          assert (tl_load.u_walk.sum_last_q);
        end else if (tl_load.u_walk.prod_valid_q) begin
          assert (tl_load.u_walk.prod_last_q);
        end else if (tl_load.walk_valid) begin
          assert (tl_load.walk_last);
        end else begin
          assert (before_walk_q);
        end
      end
      if (tl_load.walk_valid && tl_load.u_walk.next_q) assert (!before_walk_q);
      if (tl_load.u_walk.prod_valid_q && tl_load.u_walk.prod_next_q) assert (!before_stage[0]);
      if (tl_load.u_walk.sum_valid_q && tl_load.u_walk.sum_next_q) assert (!before_stage[1]);
      if (tl_load.u_walk.read_valid_q && !tl_load.u_walk.read_first_q) assert (!before_stage[2]);
      if (tl_load.u_walk.more_q && !tl_load.u_walk.first_q) assert (!before_stage[3]);
      assert (before_push_q == (before_walk_q || tl_load.dropping_q));
      assert (order);
      if ((tl_load.u_slices.u_state.count != '0) || tl_load.u_beats.valid_q) begin
        assert (order_last == before_push_q);
      end else if (tl_load.u_notes.u_state.count != '0) begin
        assert (tl_load.u_notes.words[note_newest][NoteW-2] == before_push_q);
      end else if (tl_load.u_rows.in_valid_q) begin
        assert (tl_load.u_rows.in_last_q == before_push_q);
      end
      if (tl_load.u_rows.in_valid_q && !tl_load.u_rows.in_last_q) assert (commands != '0);
      // Why: each command that has not all of its words has its last slice on its way.
      assert (lasts == commands);
      if (tl_load.dropping_q) assert (tl_load.u_walk.more_q || tl_load.u_walk.read_valid_q || tl_load.u_walk.sum_valid_q ||
          tl_load.u_walk.prod_valid_q || tl_load.walk_valid);
      if (tl_load.fault_q) assert (fault);
      // Why: a word has its note.
      assert ((IndexW + 2)'(pending_q) + (IndexW + 2)'(tl_load.u_words.u_state.count) + (IndexW + 2)'(tl_load.u_requests.u_state.count) == (IndexW + 2)'(due));
      // Why: rows.
      if (tl_load.u_rows.in_valid_q) assert (tl_load.u_rows.in_slot_q == tl_load.word_slot_q - SlotW'(tl_load.u_rows.in_last_q));
      // A last beat that stays waits for a row, so its load is not done.
      if (tl_load.done) assert (!tl_load.u_rows.in_valid_q || (tl_load.u_rows.in_slot_q != tl_load.done_slot_q));
      if (tl_load.ended && tl_load.full_q[tl_load.ended_slot]) assert ((tl_load.u_rows.in_touched_q & tl_load.u_rows.full_q) != '0);
      for (int unsigned b = 0; b < 2; b++) begin
        if (tl_load.u_rows.in_touched_q[b]) assert (tl_load.u_rows.in_valid_q && (tl_load.u_rows.in_same_q[b] || tl_load.u_rows.in_behind_q[b]));
        // A row is of no load behind that of the beat, and of none that is done.
        if (tl_load.u_rows.full_q[b]) begin
          assert (tl_load.used_q[tl_load.u_rows.slot_q[b]]);
          assert ((SlotW + 1)'(place[tl_load.u_rows.slot_q[b]]) <=
              (tl_load.u_rows.in_valid_q ? (SlotW + 1)'(place[tl_load.u_rows.in_slot_q]) : full));
        end
        if (tl_load.u_rows.full_q[b] && !tl_load.u_rows.finished_q[b]) begin
          assert (((tl_load.u_rows.slot_q[b] == tl_load.word_slot_q) && (commands != '0)) || (tl_load.u_rows.in_valid_q && tl_load.u_rows.in_last_q));
        end
      end
    end
  end

endmodule

bind tl_load tl_load_progress #(.Outstanding (tl_pkg::Outstanding), .AddrW (AddrW), .NoteW (NoteW)) u_progress (.*);
