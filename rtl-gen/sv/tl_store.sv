// SPDX-License-Identifier: Apache-2.0

// Store engine: tl.store and tl.mstore. Slice i of the register goes to base + (tstore_stride_i +
// imm) * bytes in L0M, in ascending order, one memory word per cycle. The first request comes after
// all slices of the store have been checked.
module tl_store (
  input  logic                            clk_i,
  // asynchronous assert, synchronous release
  input  logic                            rst_ni,

  // Commands
  input  logic                            cmd_valid_i,
  // a command may come in the next cycle, unless one comes in this cycle
  output logic                            cmd_soon_o,
  input  tl_pkg::store_cmd_t              cmd_i,           // tl.store, tl.mstore
  // the value that is stored is still to come
  input  logic                            awaited_i,

  // Strides
  output logic                            stride_read_o,
  output logic [4:0]                      stride_idx_o,    // number of the stride
  // tstore_stride[stride_idx_o], one cycle after the read, until the next read
  input  logic [31:0]                     stride_i,
  input  logic [31:0]                     bound_i,         // upper bound of all store strides
  // an accepted command may still read them
  output logic                            strides_busy_o,

  // Register file
  output tl_pkg::rf_read_t                rf_read_o,
  input  logic [1:0]                      rf_read_gnt_i,   // banks
  // rows that were granted two cycles before
  input  logic [1:0][tl_pkg::RowBits-1:0] rf_rdata_i,

  // L0M port
  output logic                            l0m_req_o,
  input  logic                            l0m_gnt_i,
  output logic [31:0]                     l0m_addr_o,
  output logic [tl_pkg::PortBytes-1:0]    l0m_be_o,        // bytes to write
  output logic [8*tl_pkg::PortBytes-1:0]  l0m_wdata_o,
  input  logic                            l0m_rvalid_i,
  input  logic                            l0m_err_i,       // the word was not written
  output tl_pkg::tag_t                    l0m_tag_o,       // command of the request

  // Lines of the matrix engine. They become l0m_be_o and l0m_wdata_o, as the beats of stores do
  // the matrix engine owns the port: no store that writes is here
  input  logic                            mx_owns_i,
  // a line may come; at 0 l0m_be_o and l0m_wdata_o hold
  input  logic                            mx_take_i,
  input  logic [8*tl_pkg::PortBytes-1:0]  mx_line_i,       // not rotated
  input  tl_pkg::port_off_t               mx_turn_i,       // lanes to rotate it to the left
  input  logic [tl_pkg::PortBytes-1:0]    mx_be_i,         // byte enables, already rotated

  // Precise traps
  input  logic [tl_pkg::NumPhys-1:0]      pending_i,       // registers whose value is still to come
  input  logic                            load_taken_i,    // a load is dispatched
  input  logic                            load_done_i,     // a load is complete
  input  logic                            load_trap_i,     // the complete load trapped
  // stores that have not begun have no effect
  input  logic                            give_up_i,

  // Completion
  // a store has all its responses, or trapped
  output tl_pkg::ls_done_t                done_o
);

  localparam int unsigned Lanes = tl_pkg::Lanes;
  localparam int unsigned RowW  = tl_pkg::RowW;
  localparam int unsigned LaneW = tl_pkg::LaneW;
  localparam int unsigned PortW = tl_pkg::PortW;
  localparam int unsigned L0mW  = tl_pkg::L0mW;
  localparam int unsigned TagW  = tl_pkg::TagW;

  // Commands. With precise traps a store waits for its value in this engine, and the check stops
  // when it is full. A queue in front of it takes more stores, so dispatch does not wait.

  logic               check_valid;
  logic               check_ready;
  logic               check_soon;
  logic               check_reads;
  tl_pkg::store_cmd_t check_cmd;
  logic               held_valid;
  logic               held_room;
  logic               held_first;   // a command waits here, so a new one has to queue behind it
  tl_pkg::store_cmd_t held;

  tl_fifo #(
    .Width ($bits(cmd_i)),
    .Depth (4)
  ) u_held (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (cmd_valid_i && (held_first || !check_ready)),
    .ready_o (held_room),
    .data_i  (cmd_i),
    .valid_o (held_valid),
    .ready_i (check_ready),
    .data_o  (held)
  );

  assign held_first     = held_valid && (tl_pkg::Precise != 0);
  assign cmd_soon_o     = (tl_pkg::Precise != 0) ? held_room : check_soon;
  assign check_valid    = held_first || cmd_valid_i;
  assign check_cmd      = held_first ? held : cmd_i;

  // From a flip-flop, so it is 1 for one cycle more than needed: the path to dispatch is long.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) strides_busy_o <= 1'b0;
    else strides_busy_o <= cmd_valid_i || held_first || check_reads;
  end

  // Check.
  logic               op_valid;
  logic               op_take;
  logic               slice_valid;
  logic               slice_take;
  logic               slice_joins;
  logic               slice_last;
  tl_pkg::store_op_t  op;
  tl_pkg::l0m_addr_t  slice_addr;
  tl_pkg::byte_idx_t  slice_pos;
  logic [tl_pkg::ByteW+1-1:0] slice_bytes;

  tl_store_check u_check (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cmd_valid_i    (check_valid),
    .cmd_ready_o    (check_ready),
    .cmd_soon_o     (check_soon),
    .cmd_i          (check_cmd),
    .stride_read_o  (stride_read_o),
    .stride_idx_o   (stride_idx_o),
    .stride_i       (stride_i),
    .bound_i        (bound_i),
    .strides_busy_o (check_reads),
    .op_valid_o     (op_valid),
    .op_take_i      (op_take),
    .op_o           (op),
    .slice_valid_o  (slice_valid),
    .slice_take_i   (slice_take),
    .slice_addr_o   (slice_addr),
    .slice_pos_o    (slice_pos),
    .slice_bytes_o  (slice_bytes),
    .slice_joins_o  (slice_joins),
    .slice_last_o   (slice_last)
  );

  // Precise traps: a store begins when no older instruction can trap any more, except by a response
  // of L0M. So all older loads have to be complete, and no older store may have failed its check.
  // Loads are counted when they are dispatched and when they complete, which is in program order,
  // up to the first that traps. Each store has a mark with the number of loads dispatched before
  // it. When these loads are complete and the value to store has come, the mark is removed and the
  // store counts as passed.
  logic [TagW+1-1:0] loads_taken_q;
  logic [TagW+1-1:0] loads_done_q;
  logic [TagW+1-1:0] mark;
  // older loads that are not complete; negative: younger loads are complete, too
  logic [TagW+1-1:0] ahead;
  tl_pkg::phys_t     mark_phys;
  logic              value_awaited;  // the value that is stored is still to come
  logic              mark_awaited;
  logic              mark_room;
  logic              mark_valid;
  logic              unused_mark;
  logic              pass;
  // older loads were complete, and the value was there, in the previous cycle
  logic              loaded_q;
  logic [3:0]        passed_q;        // stores that have passed and have not left op
  logic              any_passed_q;    // the oldest store has passed
  logic              begun_q;
  logic              load_failed_q;
  logic              check_failed_q;
  logic              passed;
  logic              may_begin;
  logic              dropped;
  logic              none_done;

  tl_fifo #(
    .Width (TagW + 2 + tl_pkg::PhysW),
    .Depth (2 * tl_pkg::StoreOps)
  ) u_marks (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (cmd_valid_i),
    .ready_o (mark_room),
    .data_i  ({loads_taken_q, awaited_i, cmd_i.src.phys}),
    .valid_o (mark_valid),
    .ready_i (pass),
    .data_o  ({mark, mark_awaited, mark_phys})
  );

  assign unused_mark   = mark_room;  // there are never more marks than stores here
  assign ahead         = mark - loads_done_q;
  assign value_awaited = mark_awaited && pending_i[mark_phys];
  assign pass          = mark_valid && (give_up_i || loaded_q);
  assign passed        = tl_pkg::unless_precise(any_passed_q);
  assign may_begin     = tl_pkg::unless_precise(begun_q || (any_passed_q && !check_failed_q));
  assign dropped       = give_up_i && !begun_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loads_taken_q  <= '0;
      loads_done_q   <= '0;
      load_failed_q  <= 1'b0;
      check_failed_q <= 1'b0;
      passed_q       <= '0;
      any_passed_q   <= 1'b0;
      loaded_q       <= 1'b0;
    end else begin
      if (load_taken_i) loads_taken_q <= loads_taken_q + 1'b1;
      if (give_up_i) begin
        loads_done_q <= loads_taken_q;
      end else if (load_done_i && !load_trap_i && !load_failed_q) begin
        loads_done_q <= loads_done_q + 1'b1;
      end
      load_failed_q  <= !give_up_i && (load_failed_q || load_trap_i);
      check_failed_q <= !give_up_i &&
          (check_failed_q || (none_done && (op.cause != tl_pkg::CauseNone)));
      // Timing: pass arrives late.
      if (pass != op_take) passed_q <= passed_q + {{3{op_take}}, 1'b1};  // plus or minus one
      loaded_q     <= mark_valid && !pass && (ahead == '0 || ahead[TagW]) && !value_awaited;
      any_passed_q <= pass || passed_q > 4'(op_take);
    end
  end

  // Beats of the oldest store. A store that stores nothing waits until all stores before it are
  // complete; a store without effect gives its last beat then.
  logic               beat_valid;
  logic               beat_ready;
  logic               beat_more;     // the next beat is adjacent to this one
  logic               beat_last;
  logic               beat_go;
  logic               unused_none;
  tl_pkg::l0m_addr_t  beat_addr;
  tl_pkg::byte_idx_t  beat_pos;
  // lanes from the byte in the word to that in the row; may be negative
  logic [LaneW+1-1:0] shift;
  logic [PortW+1-1:0] unused_bytes;
  logic [PortW+1-1:0] beat_stop;     // as in tl_beats
  tl_pkg::l0m_addr_t  beat_slice;
  logic               read_room;     // room for one more beat
  logic [1:0]         bank_room;     // each bank has room for one more row
  logic               idle;          // no beat is under way

  tl_beats #(
    .AddrW (L0mW)
  ) u_beats (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .slice_valid_i (slice_valid),
    .slice_take_o  (slice_take),
    .slice_none_i  (1'b0),
    .slice_addr_i  (slice_addr),
    .slice_pos_i   (slice_pos),
    .slice_bytes_i (slice_bytes),
    .slice_joins_i (slice_joins),
    .slice_last_i  (slice_last),
    .part_i        (op.part),
    .beat_valid_o  (beat_valid),
    .beat_ready_i  (beat_ready),
    .beat_none_o   (unused_none),
    .beat_addr_o   (beat_addr),
    .beat_pos_o    (beat_pos),
    .beat_shift_o  (shift),
    .beat_bytes_o  (unused_bytes),
    .beat_stop_o   (beat_stop),
    .beat_slice_o  (beat_slice),
    .beat_more_o   (beat_more),
    .beat_last_o   (beat_last)
  );

  assign beat_ready = op_valid && !op.none &&
      (dropped ? !beat_last || (idle && passed) : read_room && (&bank_room) && may_begin);
  assign beat_go    = beat_valid && beat_ready && !dropped;
  assign none_done  = op_valid && idle && passed &&
      (op.none || (dropped && beat_valid && beat_last));
  assign op_take    = none_done || (beat_go && beat_last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
    end else if (beat_go) begin
      begun_q <= !beat_last;
    end
  end

  // Read of the register: one or two rows for each beat. Row r is in bank r[0]; if r is odd, row r
  // + 1 is of the next row pair. Each bank reads its rows independently, and the beats wait for
  // them. A row that several beats need is read once; the last of these beats removes it.
  // Bits of a beat that go on to the port.
  localparam int unsigned BeatW = 1 + TagW + 2 * L0mW + LaneW + PortW + 1 + 1 + LaneW;
  // Shift from a word to its row, if both end together.
  localparam tl_pkg::lane_t WholeLane = LaneW'(Lanes - tl_pkg::PortBytes);

  tl_pkg::row_t             row;         // of the first byte
  logic                     whole;       // the beat reaches the end of its word; this arrives last
  logic [LaneW+2-1:0]       part_stop;   // otherwise: lane behind its last byte
  logic                     spill;       // the next row is needed too
  logic                     row_ends;    // a row ends with the beat
  logic [1:0]               banks;       // banks of these rows
  logic [1:0]               keeps;       // the bank whose row the next beat also needs
  logic [1:0]               kept_q;      // the bank whose row the previous beat also needed
  tl_pkg::bank_addr_t [1:0] addr;
  logic [BeatW-1:0]         beat;
  logic [1:0]               push;
  logic                     rows_here;
  logic                     rows_go;
  logic [1:0]               rows_banks;
  logic [1:0]               rows_done;   // banks of these whose row no later beat needs
  // Of the beat that was taken, like the signals below.
  logic                     rows_odd;    // the row of the first byte is odd
  tl_pkg::lane_t            rows_lane;   // of the first byte
  // bank of each lane; lanes below the first byte belong to the next row
  logic [Lanes-1:0]         rows_bank;
  logic [1:0][Lanes-1:0]    rows_pick;   // lanes of each bank
  logic                     word_free;
  // a bank has a row of the beat; otherwise the beat is zeros
  logic                     any_q;
  logic [1:0]               rows_valid;  // the oldest row of each bank is here
  logic [1:0]               rows_take;
  logic [1:0][tl_pkg::RowBits-1:0]  rows;  // rows of the beat that was taken
  logic                   sent_last;
  logic                   waiting_last;
  tl_pkg::tag_t           waiting_tag;
  tl_pkg::l0m_addr_t      sent_slice;
  tl_pkg::l0m_addr_t      sent_addr;
  tl_pkg::l0m_addr_t      waiting_slice;
  tl_pkg::lane_t          sent_shift;
  logic [PortW+1-1:0]     sent_stop;

  assign row       = beat_pos[tl_pkg::ByteW-1:LaneW];
  assign whole     = beat_stop[PortW];
  assign part_stop = {shift[LaneW], shift} + (LaneW + 2)'(beat_stop[PortW-1:0]);
  assign spill     = whole ? !shift[LaneW] && (shift[LaneW-1:0] > WholeLane)
                           : part_stop > (LaneW + 2)'(Lanes);
  assign row_ends  = whole ? shift[LaneW-1:0] == WholeLane : part_stop[LaneW-1:0] == '0;
  assign banks     = op.src.zero ? 2'b00 : {row[0] || spill, !row[0] || spill};
  assign addr[0]   = tl_pkg::bank_addr(op.src.phys, row[RowW-1:1] + (RowW - 1)'(row[0]));
  assign addr[1]   = tl_pkg::bank_addr(op.src.phys, row[RowW-1:1]);
  assign beat      = {beat_last, op.tag, beat_slice, beat_addr, shift[LaneW-1:0], beat_stop,
      row[0], beat_pos[LaneW-1:0]};
  assign keeps     = {row[0] ^ spill, !(row[0] ^ spill)} & banks & {2{beat_more && !row_ends}};
  assign push      = banks & ~kept_q & {2{beat_go}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= '0;
    else if (beat_go) kept_q <= keeps;
  end

  tl_fifo #(
    .Width (4 + BeatW),
    .Depth (2 * tl_pkg::BankQueue),
    .RamW  (BeatW)
  ) u_reads (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (beat_go),
    .ready_o (read_room),
    .data_i  ({banks & ~keeps, banks, beat}),
    .valid_o (rows_here),
    .ready_i (rows_go),
    .data_o  ({rows_done, rows_banks, sent_last, l0m_tag_o, sent_slice, sent_addr, sent_shift,
        sent_stop, rows_odd, rows_lane})
  );

  // Zeros come from no bank.
  assign rows_bank = {Lanes{!rows_odd}} ^ ({Lanes{1'b1}} << rows_lane);
  assign rows_pick = {rows_bank, ~rows_bank} & {2 * Lanes{any_q}};

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    tl_store_bank u_bank (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .push_i       (push[b]),
      .addr_i       (addr[b]),
      .room_o       (bank_room[b]),
      .read_valid_o (rf_read_o.valid[b]),
      .read_addr_o  (rf_read_o.addr[b]),
      .read_gnt_i   (rf_read_gnt_i[b]),
      .rdata_i      (rf_rdata_i[b]),
      .valid_o      (rows_valid[b]),
      .take_i       (rows_take[b]),
      .read_i       (word_free),
      .row_o        (rows[b])
    );
  end

  // The word of a beat, and the port.
  localparam int unsigned InfoW = L0mW + TagW + 1;  // slice, tag, last

  logic                   word_valid_q;
  logic                   sent;
  logic                   waiting_valid;
  logic                   waiting_room;

  assign word_free = !word_valid_q || sent;
  assign rows_go   = ((rows_banks & ~rows_valid) == 2'b00) && word_free;
  assign rows_take = rows_done & {2{rows_here && rows_go}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_valid_q <= 1'b0;
    end else if (word_free) begin
      word_valid_q <= rows_here && rows_go;
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_free) any_q <= rows_banks != '0;
  end

  tl_store_align u_align (
    .clk_i     (clk_i),
    .rows_i    (rows),
    .pick_i    (rows_pick),
    .shift_i   (sent_shift),
    .offset_i  (sent_addr[PortW-1:0]),
    .stop_i    (sent_stop),
    .mx_owns_i (mx_owns_i),
    .mx_take_i (mx_take_i),
    .mx_line_i (mx_line_i),
    .mx_turn_i (mx_turn_i),
    .mx_be_i   (mx_be_i),
    .be_o      (l0m_be_o),
    .wdata_o   (l0m_wdata_o)
  );

  tl_fifo #(
    .Width (InfoW),
    .Depth (tl_pkg::Outstanding)
  ) u_waiting (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (sent),
    .ready_o (waiting_room),
    .data_i  ({sent_slice, l0m_tag_o, sent_last}),
    .valid_o (waiting_valid),
    .ready_i (l0m_rvalid_i),
    .data_o  ({waiting_slice, waiting_tag, waiting_last})
  );

  assign l0m_req_o  = word_valid_q && waiting_room;
  assign l0m_addr_o = 32'({sent_addr[L0mW-1:PortW], PortW'(0)});
  assign sent       = l0m_req_o && l0m_gnt_i;

  // Responses. Beats are sent in the order of their slices, so the first error of a store is that
  // of its lowest slice.
  logic              failed_q;        // a response of this store had an error
  tl_pkg::l0m_addr_t failed_slice_q;
  logic              done_valid;
  logic              done_valid_q;
  tl_pkg::tag_t      done_tag_q;
  tl_pkg::cause_e    done_cause_q;
  tl_pkg::host_t     done_tval_q;

  assign idle       = !rows_here && !word_valid_q && !waiting_valid;
  assign done_valid = none_done || (l0m_rvalid_i && waiting_last);
  assign done_o     = {done_valid_q, done_tag_q, done_cause_q, done_tval_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      failed_q     <= 1'b0;
      done_valid_q <= 1'b0;
    end else begin
      done_valid_q <= done_valid;
      if (l0m_rvalid_i) failed_q <= (failed_q || l0m_err_i) && !waiting_last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!failed_q) failed_slice_q <= waiting_slice;
    if (none_done) begin
      done_tag_q   <= op.tag;
      done_cause_q <= op.cause;
      done_tval_q  <= op.tval;
    end else begin
      done_tag_q   <= waiting_tag;
      done_cause_q <= failed_q || l0m_err_i ? tl_pkg::CauseStoreFault : tl_pkg::CauseNone;
      done_tval_q  <= failed_q ? tl_pkg::Xlen'(failed_slice_q) : tl_pkg::Xlen'(waiting_slice);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!cmd_valid_i || $past(cmd_soon_o && !cmd_valid_i))
      else $error("tl_store: a command came that it was not ready for");
    end
  end
`endif

endmodule
