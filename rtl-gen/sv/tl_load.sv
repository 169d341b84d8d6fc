// SPDX-License-Identifier: Apache-2.0

// tl.load, tl.mload: slices of memory to the rows of a register. The walker checks the slices,
// tl_beats cuts them into memory words, tl_load_rows puts their bytes in place. FIFOs between the
// steps make each step depend on its own state only. Several commands are in work at once.
// One word per cycle; two rows per cycle where zeros are written.
module tl_load (
  input  logic                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                           rst_ni,

  // Command
  input  logic                           cmd_valid_i,
  // a command may come in the next cycle, unless one comes in this cycle
  output logic                           cmd_soon_o,
  input  tl_pkg::load_cmd_t              cmd_i,
  // a load is complete, with or without a trap
  output tl_pkg::ls_done_t               done_o,

  // Stride CSR: stride_i has the value one cycle after the read, until the next read
  output logic                           stride_read_o,
  output logic [4:0]                     stride_idx_o,    // number of the stride
  input  logic [31:0]                    stride_i,
  output logic                           strides_busy_o,  // a command may still read strides

  // Register file
  output tl_pkg::rf_write_t              rf_write_o,
  // banks to which zeros are written in place of the data
  output logic [1:0]                     rf_blank_o,
  input  logic [1:0]                     rf_write_gnt_i,  // banks

  // L1M
  output logic                           l1m_req_o,
  input  logic                           l1m_gnt_i,
  output logic [31:0]                    l1m_addr_o,
  input  logic                           l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input  logic                           l1m_err_i        // the word has an error
);

  localparam int unsigned RowW      = tl_pkg::RowW;
  localparam int unsigned LaneW     = tl_pkg::LaneW;
  localparam int unsigned ByteW     = tl_pkg::ByteW;
  localparam int unsigned PortW     = tl_pkg::PortW;
  localparam int unsigned LoadSlots = tl_pkg::LoadSlots;
  localparam int unsigned SlotW     = tl_pkg::SlotW;

  // Slots for commands, used as a ring. Commands are accepted, swept with zeros, filled with words
  // and completed, each of these in program order.
  localparam int unsigned AddrW = $clog2(tl_pkg::L1mBytes);

  logic [LoadSlots-1:0] used_q;         // accepted, not done
  tl_pkg::load_slot_t   accept_slot_q;  // next to be accepted
  tl_pkg::load_slot_t   next_slot;      // slot behind accept_slot_q
  // accept_slot_q may be used: it was free in the previous cycle
  logic                 free_q;
  tl_pkg::load_slot_t   word_slot_q;    // slot whose words come
  tl_pkg::load_slot_t   done_slot_q;    // next to be done
  logic                 accept;
  logic                 done;
  logic                 walk_start;
  logic                 walk_soon;
  logic                 ready;

  // Bits, not types: arrays of a named type are not portable.
  logic [tl_pkg::TagW-1:0]   tag   [LoadSlots];
  logic              drop  [LoadSlots];
  logic [tl_pkg::PhysW-1:0]  phys  [LoadSlots];
  logic [ByteW:0]    block [LoadSlots];  // bytes of D0 slices
  // all slices are selected, and no whole row lies between two of them
  logic              all   [LoadSlots];

  assign cmd_soon_o = walk_soon && !used_q[accept_slot_q];
  assign ready      = walk_start && free_q;
  assign accept     = cmd_valid_i && ready;
  assign next_slot  = accept_slot_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q        <= '0;
      accept_slot_q <= '0;
    end else begin
      if (accept) accept_slot_q <= next_slot;
      for (int unsigned i = 0; i < LoadSlots; i++) begin
        if (accept && (accept_slot_q == SlotW'(i))) used_q[i] <= 1'b1;
        if (done && (done_slot_q == SlotW'(i))) used_q[i] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    free_q <= !used_q[accept_slot_q];
    if (ready) begin
      tag[accept_slot_q]   <= cmd_i.tag;
      drop[accept_slot_q]  <= cmd_i.dst.drop;
      phys[accept_slot_q]  <= cmd_i.dst.phys;
      block[accept_slot_q] <= cmd_i.block;
      all[accept_slot_q]   <= cmd_i.all;
    end
  end

  // Slices. Elements of 4 and 8 bits need no alignment. The first slice that fails becomes a slice
  // without bytes; the later slices of its command are dropped. Its address is kept beside the
  // FIFO, and the walk stops until the failure is reported.
  logic                walk_valid;
  logic                walk_ready;
  logic                walk_probe;
  logic                walk_none;
  logic                walk_joins;
  logic                walk_last;
  logic                walk_misaligned;
  logic                walk_outside;
  logic                walk_fails;
  logic                walk_push;
  tl_pkg::host_t       walk_addr;
  tl_pkg::byte_idx_t   walk_pos;
  logic [ByteW+1-1:0]  walk_bytes;
  logic [1:0]          align;
  logic                dropping_q;          // a slice of this command has failed
  logic                fault_q;             // a failure is not reported yet
  logic                fault_misaligned_q;
  // high bits of the failing address; its note has the others, except bit 0
  logic [tl_pkg::Xlen-AddrW-1:0] fault_high_q;
  logic                fault_odd_q;
  logic                fault_reported;
  logic                unused_probe;        // loads have no probes

  assign align = {&cmd_i.ewidth, cmd_i.ewidth[1]};

  tl_slice_walk #(
    .MemBytes (tl_pkg::L1mBytes)
  ) u_walk (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .start_i      (accept),
    .ready_o      (walk_start),
    .soon_o       (walk_soon),
    .base_i       (cmd_i.base),
    .imm_i        (cmd_i.imm),
    .bytes_i      (cmd_i.bytes),
    .pitch_i      (tl_pkg::Pitch != 0 ? cmd_i.pitch : tl_pkg::PitchW'(cmd_i.bytes)),
    .whole_i      (cmd_i.whole),
    .mask_i       (cmd_i.mask),
    .none_i       (cmd_i.none),
    .align_i      (align),
    .probe_i      (1'b0),
    .bound_i      ('0),
    .reading_o    (strides_busy_o),
    .stride_read_o (stride_read_o),
    .stride_idx_o (stride_idx_o),
    .stride_i     (stride_i),
    .valid_o      (walk_valid),
    .ready_i      (walk_ready),
    .probe_o      (walk_probe),
    .none_o       (walk_none),
    .addr_o       (walk_addr),
    .pos_o        (walk_pos),
    .bytes_o      (walk_bytes),
    .joins_o      (walk_joins),
    .misaligned_o (walk_misaligned),
    .outside_o    (walk_outside),
    .last_o       (walk_last)
  );

  logic               slice_room;
  logic               slice_valid;
  logic               slice_take;
  logic               slice_none;
  logic               slice_joins;
  logic               slice_last;
  logic               slice_none_d;
  logic               slice_joins_d;
  logic               slice_last_d;
  logic [AddrW-1:0]   slice_addr;
  tl_pkg::byte_idx_t  slice_pos;
  logic [ByteW+1-1:0] slice_bytes;
  logic [AddrW-1:0]   slice_addr_d;   // bit 0 is 1 if the slice has no bytes because it failed

  assign walk_fails   = walk_misaligned || walk_outside;
  assign walk_ready   = slice_room && !fault_q;
  assign walk_push    = walk_valid && walk_ready && !dropping_q;
  assign slice_none_d = walk_none || walk_fails;
  assign slice_joins_d = walk_joins && !walk_fails;
  assign slice_last_d = walk_last || walk_fails;
  assign slice_addr_d = {walk_addr[AddrW-1:1], slice_none_d ? walk_fails : walk_addr[0]};
  assign unused_probe = walk_probe;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dropping_q <= 1'b0;
      fault_q    <= 1'b0;
    end else begin
      if (walk_valid && walk_ready) dropping_q <= (dropping_q || walk_fails) && !walk_last;
      if (walk_push && walk_fails) begin
        fault_q <= 1'b1;
      end else if (fault_reported) begin
        fault_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (walk_push && walk_fails) begin
      fault_misaligned_q <= walk_misaligned;
      fault_high_q       <= walk_addr[tl_pkg::Xlen-1:AddrW];
      fault_odd_q        <= walk_addr[0];
    end
  end

  tl_fifo #(
    .Width (AddrW + 2 * ByteW + 4),
    .Depth (4)
  ) u_slices (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (walk_push),
    .ready_o (slice_room),
    .data_i  ({slice_none_d, slice_joins_d, slice_last_d, slice_addr_d, walk_pos, walk_bytes}),
    .valid_o (slice_valid),
    .ready_i (slice_take),
    .data_o  ({slice_none, slice_joins, slice_last, slice_addr, slice_pos, slice_bytes})
  );

  // Beats are sent to the memory, and noted until their word arrives.
  logic                   beat_valid;
  logic                   beat_ready;
  logic                   beat_none;
  logic                   beat_last;
  logic                   beat_go;
  logic [AddrW-1:0]       beat_addr;
  logic [PortW+1-1:0]     beat_bytes;
  logic [PortW+1-1:0]     unused_stop;
  logic                   unused_more;
  logic                   unused_beat;
  tl_pkg::byte_idx_t      beat_pos;
  // lanes from the byte in the word to that in the row; may be negative
  logic [LaneW+1-1:0]     shift;
  logic [AddrW-1:0]       beat_slice;
  logic                   req_room;
  logic                   note_room;
  logic [AddrW-PortW-1:0] req_word;

  tl_beats #(
    .AddrW (AddrW)
  ) u_beats (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .slice_valid_i (slice_valid),
    .slice_take_o  (slice_take),
    .slice_none_i  (slice_none),
    .slice_addr_i  (slice_addr),
    .slice_pos_i   (slice_pos),
    .slice_bytes_i (slice_bytes),
    .slice_joins_i (slice_joins),
    .slice_last_i  (slice_last),
    .part_i        ('0),
    .beat_valid_o  (beat_valid),
    .beat_ready_i  (beat_ready),
    .beat_none_o   (beat_none),
    .beat_addr_o   (beat_addr),
    .beat_pos_o    (beat_pos),
    .beat_shift_o  (shift),
    .beat_bytes_o  (beat_bytes),
    .beat_stop_o   (unused_stop),
    .beat_slice_o  (beat_slice),
    .beat_more_o   (unused_more),
    .beat_last_o   (beat_last)
  );

  logic               req_push;
  logic               note_valid;
  logic               note_taken;
  logic               note_none;
  logic               note_last;
  tl_pkg::lane_t      note_turn;
  logic [PortW+1-1:0] note_bytes;
  tl_pkg::byte_idx_t  note_pos;
  logic [AddrW-1:0]   note_slice;

  assign beat_ready  = req_room && note_room;
  assign beat_go     = beat_valid && beat_ready;
  assign req_push    = beat_go && !beat_none;
  assign l1m_addr_o  = 32'({req_word, PortW'(0)});
  assign unused_beat = ^{shift[LaneW], beat_addr[PortW-1:0]};

  tl_fifo #(
    .Width (AddrW - PortW),
    .Depth (4)
  ) u_requests (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (req_push),
    .ready_o (req_room),
    .data_i  (beat_addr[AddrW-1:PortW]),
    .valid_o (l1m_req_o),
    .ready_i (l1m_gnt_i),
    .data_o  (req_word)
  );

  localparam int unsigned NoteW =
      $bits({beat_none, beat_last, shift[LaneW-1:0], beat_bytes, beat_pos, beat_slice});

  tl_fifo #(
    .Width (NoteW),
    .Depth (tl_pkg::Outstanding)
  ) u_notes (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (beat_go),
    .ready_o (note_room),
    .data_i  ({beat_none, beat_last, shift[LaneW-1:0], beat_bytes, beat_pos, beat_slice}),
    .valid_o (note_valid),
    .ready_i (note_taken),
    .data_o  ({note_none, note_last, note_turn, note_bytes, note_pos, note_slice})
  );

  // Words from the memory. There is room for a word for each note.

  logic [8*tl_pkg::PortBytes-1:0] word;        // that was taken
  logic                   word_err;
  logic                   word_valid;
  logic                   word_taken;
  logic                   unused_room;

  tl_fifo #(
    .Width   ($bits({l1m_err_i, l1m_rdata_i})),
    .Depth   (tl_pkg::Outstanding),
    .Refuses (0),
    .RamW    ($bits(l1m_rdata_i))
  ) u_words (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (l1m_rvalid_i),
    .ready_o (unused_room),
    .data_i  ({l1m_err_i, l1m_rdata_i}),
    .valid_o (word_valid),
    .ready_i (word_taken),
    .data_o  ({word_err, word})
  );

  // Rows.
  logic                 rows_valid;
  logic                 rows_ready;
  logic                 rows_write;
  tl_pkg::phys_t        rows_phys;
  logic [LoadSlots-1:0] writing;
  logic                 ended;         // u_rows has the last beat of a command
  tl_pkg::load_slot_t   ended_slot;
  logic [LoadSlots-1:0] zero_todo_q;   // slots whose sweep is not over
  logic                 zero_valid_q;
  tl_pkg::load_slot_t   zero_slot_q;
  tl_pkg::phys_t        zero_phys_q;
  logic [1:0][RowW-1:0] zero_pair_q;
  logic [1:0]           zero_step;
  logic                 zero_over;     // this cycle ends the active sweep

  assign rows_valid = note_valid && (note_none || word_valid);
  assign rows_write = !note_none && !drop[word_slot_q];
  assign rows_phys  = phys[word_slot_q];
  assign note_taken = rows_valid && rows_ready;
  assign word_taken = note_taken && !note_none;

  tl_load_rows u_rows (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .beat_valid_i   (rows_valid),
    .beat_ready_o   (rows_ready),
    .beat_write_i   (rows_write),
    .beat_last_i    (note_last),
    .beat_turn_i    (note_turn),
    .beat_bytes_i   (note_bytes),
    .beat_pos_i     (note_pos),
    .beat_slot_i    (word_slot_q),
    .beat_phys_i    (rows_phys),
    .word_i         (word),
    .writing_o      (writing),
    .ended_o        (ended),
    .ended_slot_o   (ended_slot),
    .zero_todo_i    (zero_todo_q),
    .zero_valid_i   (zero_valid_q),
    .zero_slot_i    (zero_slot_q),
    .zero_phys_i    (zero_phys_q),
    .zero_pair_i    (zero_pair_q),
    .zero_over_i    (zero_over),
    .zero_step_o    (zero_step),
    .rf_write_o     (rf_write_o),
    .rf_blank_o     (rf_blank_o),
    .rf_write_gnt_i (rf_write_gnt_i)
  );

  // Completion. The first slice that fails gives cause and address. A memory error counts for the
  // slice of the first byte of its beat. A slice that fails its checks comes after the beats of all
  // slices before it.
  logic                 err_q;         // the memory has answered with an error
  logic [AddrW-1:0]     err_slice_q;   // address of the first slice with a memory error
  logic [LoadSlots-1:0] full_q;        // all words of the slot are there
  tl_pkg::cause_e       cause;         // of the command whose last beat is taken
  tl_pkg::host_t        tval;
  // the trap address is of a slice that failed its checks; otherwise it is inside the memory
  logic                 fault;
  logic                 last_taken;
  logic                 beat_err;
  logic                 done_valid_q;
  tl_pkg::tag_t         done_tag_q;
  tl_pkg::cause_e       done_cause_q;
  tl_pkg::host_t        done_tval_q;

  logic [2:0]              slot_cause [LoadSlots];
  logic [tl_pkg::Xlen-1:0] slot_tval  [LoadSlots];
  logic                    slot_fault [LoadSlots];

  assign beat_err       = word_err && !note_none;
  assign last_taken     = note_taken && note_last;
  assign fault_reported = note_taken && note_none && note_slice[0];
  assign done_o         = {done_valid_q, done_tag_q, done_cause_q, done_tval_q};
  assign done           = full_q[done_slot_q] && !writing[done_slot_q] && !zero_todo_q[done_slot_q];

  // A command without slices ends in a beat without bytes, too.
  always_comb begin
    cause = tl_pkg::CauseNone;
    tval  = {fault_high_q, err_q ? err_slice_q : note_slice};
    fault = 1'b0;
    if (err_q || beat_err) begin
      cause = tl_pkg::CauseLoadFault;
    end else if (note_none && note_slice[0]) begin
      cause   = fault_misaligned_q ? tl_pkg::CauseLoadMisaligned : tl_pkg::CauseLoadFault;
      tval[0] = fault_odd_q;
      fault   = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_slot_q  <= '0;
      done_slot_q  <= '0;
      full_q       <= '0;
      err_q        <= 1'b0;
      done_valid_q <= 1'b0;
    end else begin
      done_valid_q <= done;
      if (done) done_slot_q <= done_slot_q + 1'b1;
      if (last_taken) word_slot_q <= word_slot_q + 1'b1;
      for (int unsigned i = 0; i < LoadSlots; i++) begin
        if (done && (done_slot_q == SlotW'(i))) full_q[i] <= 1'b0;
        if (ended && (ended_slot == SlotW'(i))) full_q[i] <= 1'b1;
      end
      if (note_taken) err_q <= (err_q || beat_err) && !note_last;
    end
  end

  always_ff @(posedge clk_i) begin
    done_tag_q   <= tag[done_slot_q];
    done_cause_q <= tl_pkg::cause_e'(slot_cause[done_slot_q]);
    done_tval_q  <= slot_fault[done_slot_q] ? slot_tval[done_slot_q] :
        tl_pkg::Xlen'(slot_tval[done_slot_q][AddrW-1:0]);
    if (note_taken && !err_q) err_slice_q <= note_slice;
    if (last_taken) begin
      slot_cause[word_slot_q] <= cause;
      slot_tval[word_slot_q]  <= tval;
      slot_fault[word_slot_q] <= fault;
    end
  end

  // Sweep of zeros: over the rows behind the block if every row of the block gets data, otherwise
  // over all rows, except those whose data are there in time. It starts with the command, long
  // before the first word arrives, or in the cycle after the sweep before it.
  tl_pkg::load_slot_t   zero_next;    // slot that is swept next
  logic [1:0][RowW-1:0] zero_first;   // first row pair of its sweep in each bank
  logic [ByteW+1-1:0]   zero_block;   // bytes of its block
  logic [RowW+1-1:0]    zero_start;   // first row of its sweep
  logic [1:0]           zero_spent;   // no row pair of the bank is left after this cycle

  assign zero_next  = zero_slot_q + SlotW'(zero_valid_q);
  assign zero_block = block[zero_next];
  assign zero_start = zero_block[ByteW:LaneW] + (RowW + 1)'(zero_block[LaneW-1:0] != '0);

  // The number of row pairs is a power of two, so one bit says that none is left.
  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      zero_spent[b] = zero_pair_q[b][RowW-1] || (zero_step[b] && (&zero_pair_q[b][RowW-2:0]));
      if (drop[zero_next]) begin
        zero_first[b] = RowW'(tl_pkg::Rows / 2);
      end else begin
        // If the first row of the sweep is odd, the even row of its pair has data.
        zero_first[b] = all[zero_next] ? zero_start[RowW:1] + RowW'(b == 0 && zero_start[0]) : '0;
      end
    end
  end

  assign zero_over = zero_valid_q && (&zero_spent);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_todo_q  <= '0;
      zero_valid_q <= 1'b0;
      zero_slot_q  <= '0;
    end else begin
      for (int unsigned i = 0; i < LoadSlots; i++) begin
        if (accept && (accept_slot_q == SlotW'(i))) zero_todo_q[i] <= 1'b1;
        if (zero_over && (zero_slot_q == SlotW'(i))) zero_todo_q[i] <= 1'b0;
      end
      if (zero_over) zero_slot_q <= zero_next;
      if (zero_over || !zero_valid_q) zero_valid_q <= zero_todo_q[zero_next];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 2; b++) begin
      zero_pair_q[b] <= (zero_over || !zero_valid_q) ? zero_first[b] :
          zero_pair_q[b] + RowW'(zero_step[b]);
    end
    if (zero_over || !zero_valid_q) zero_phys_q <= phys[zero_next];
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!cmd_valid_i || $past(cmd_soon_o && !cmd_valid_i))
      else $error("tl_load: a command came that it was not ready for");
    end
  end
`endif

endmodule
