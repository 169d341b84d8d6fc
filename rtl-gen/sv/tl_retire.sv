// SPDX-License-Identifier: Apache-2.0

// Instructions in flight: entered by dispatch in program order, completed by the engines in any
// order, retired in program order. The tag of an instruction is its slot.
module tl_retire (
  input  logic                clk_i,
  input  logic                rst_ni,           // asynchronous assert, synchronous release

  // From dispatch
  output logic                room_o,           // a slot is free
  output logic                empty_o,          // nothing is in flight
  output tl_pkg::tag_t        tag_o,            // slot of the next instruction
  input  logic                enter_i,          // an instruction is dispatched
  // it is already complete: a CSR instruction, illegal, killed, or a matrix instruction without
  // access
  input  logic                enter_done_i,
  input  tl_pkg::flight_t     entry_i,          // what is kept of the instruction
  input  tl_pkg::cause_e      cause_i,          // of an illegal instruction, else CauseNone
  // an illegal instruction enters; earlier than enter_i and cause_i
  input  logic                trap_i,
  input  logic [31:0]         instr_i,          // word of the instruction: tval if it is illegal

  // From the CSR file, in the cycle after dispatch
  input  logic [31:0]         csr_value_i,      // old value of a CSR
  input  tl_pkg::csr_undo_t   changed_i,        // the CSR that the instruction changed

  // From the engines
  input  tl_pkg::ls_done_t    load_done_i,      // a load is complete, tensor or matrix
  input  tl_pkg::ls_done_t    store_done_i,     // a store, tensor or matrix
  // a tensor load is complete without a trap: from flip-flops
  input  tl_pkg::done_t       load_ok_i,
  input  tl_pkg::done_t       store_ok_i,       // a store is complete without a trap
  input  tl_pkg::done_t       move_done_i,
  input  tl_pkg::done_t       xpose_done_i,

  // Recovery from a trap: tl_recover
  output logic                trap_seen_o,      // an instruction traps; known in this cycle
  // the host takes the result of an instruction that trapped
  output logic                trap_retires_o,
  output logic                all_done_o,       // all instructions in flight are complete
  output tl_pkg::tag_t        head_o,           // slot of the oldest
  input  logic                hold_i,           // give no results now
  input  logic                killed_i,         // the oldest is killed
  // undo the instruction of walk_tag_i of the previous cycle: its CSR and first result, or its
  // second result
  input  logic                walk_i,
  input  logic                walk_second_i,    // its second result
  input  logic                walk_soon_i,      // value of walk_i in the next cycle
  input  tl_pkg::tag_t        walk_tag_i,       // slot that is undone in the next cycle
  // one cycle after walk_i: write undo_value_o to undo_csr_o
  output logic                undo_o,
  output tl_pkg::csr_undo_t   undo_csr_o,       // write this CSR
  output logic [31:0]         undo_value_o,     // the old value

  // To the rename map
  output logic [2:0]          complete_o,       // a value has come
  output tl_pkg::mark_t [2:0] complete_mark_o,  // marks of these values
  // a result has no effect: of an instruction that is undone, or, without precise traps, of a load
  // that trapped
  output logic                restore_o,
  output logic [4:0]          restore_rd_o,     // the TLReg
  output tl_pkg::src_t        restore_old_o,    // the old entry of the map
  output logic [1:0]          release_o,        // registers that no instruction can read any more
  output tl_pkg::phys_t [1:0] release_phys_o,   // these registers

  // To the host
  output logic                result_valid_o,   // held until result_ready_i
  input  logic                result_ready_i,
  output tl_pkg::flight_t     result_o,         // what tl_dispatch gave
  output tl_pkg::cause_e      result_cause_o,   // CauseNone: no trap
  output tl_pkg::host_t       result_tval_o,    // of a trap, else 0
  output logic [31:0]         result_value_o,   // for the GPR
  output tl_pkg::tag_t        result_tag_o      // for the trace
);

  localparam int unsigned QueueEntries = tl_pkg::QueueEntries;
  localparam int unsigned TagW         = tl_pkg::TagW;
  localparam int unsigned Xlen         = tl_pkg::Xlen;

  // Plain bits, because arrays of structs are not portable.
  localparam int unsigned FlightW = $bits(entry_i);
  localparam int unsigned UndoW   = $bits(changed_i);

  logic [FlightW-1:0] flight_q [QueueEntries];

  // Cause, and tval or value.
  logic [34:0] entered_q [QueueEntries];

  // What is undone when an older instruction traps.
  logic [UndoW-1:0] changed_q [QueueEntries];

  // slot of the oldest instruction, or of the one that is undone
  tl_pkg::tag_t            current_q;
  // cause and tval that the engine reported for a load or store
  logic [Xlen+3-1:0]       report;
  logic [Xlen+3-1:0]       entered;        // cause and tval, or value, that it entered with
  logic [Xlen+3-1:0]       head;           // its cause and tval; both 0 without a trap
  logic [QueueEntries-1:0] done_q;         // of each slot: complete, or free
  logic                    enter_q;        // the cycle after dispatch
  logic                    enter_done_q;
  tl_pkg::tag_t            enter_tag_q;
  tl_pkg::cause_e          enter_cause_q;
  logic [31:0]             enter_instr_q;
  tl_pkg::tag_t            head_q;
  tl_pkg::tag_t            tail_q;
  logic [TagW+1-1:0]       count_q;
  logic                    full_q;
  logic                    retire;
  logic                    load_trap;
  logic                    store_trap;
  logic                    done_now;       // the oldest is complete in this cycle, without a trap
  logic [QueueEntries-1:0] done;
  tl_pkg::tag_t            next_q;         // slot behind the oldest
  tl_pkg::tag_t [1:0]      first;          // the slot of the oldest, and that of the one behind it
  logic [1:0]              ends;
  // there is no instruction in the slot of the oldest [0], in the one behind it [1]
  logic [1:0]              vacant;
  // done_q of the oldest, without a multiplexer of all slots
  logic                    head_done_q;
  // the oldest traps, and is not killed: [0] it is illegal, [1] a load or store
  logic [1:0]              traps;
  logic                    head_traps;

  assign empty_o        = count_q == '0;
  assign room_o         = !full_q;
  assign tag_o          = tail_q;
  assign head_o         = head_q;
  assign all_done_o     = done_q == '1;
  assign result_valid_o = !empty_o && (head_done_q || done_now) && !hold_i;
  assign done_now       =
      (load_ok_i.valid && (load_ok_i.tag == head_q)) ||
      (store_ok_i.valid && (store_ok_i.tag == head_q)) ||
      (move_done_i.valid && (move_done_i.tag == head_q)) ||
      (xpose_done_i.valid && (xpose_done_i.tag == head_q));
  assign result_o       = flight_q[current_q];
  assign result_cause_o = tl_pkg::cause_e'(head[Xlen+:3]);
  assign result_tval_o  = head[Xlen-1:0];
  assign result_value_o = entered_q[current_q][31:0];
  assign result_tag_o   = head_q;
  assign retire         = result_valid_o && result_ready_i;
  assign load_trap      = load_done_i.valid && (load_done_i.cause != tl_pkg::CauseNone);
  assign store_trap     = store_done_i.valid && (store_done_i.cause != tl_pkg::CauseNone);

  // An engine's report is here one cycle after the completion. An instruction that retires in the
  // cycle of its completion does not trap.
  localparam int unsigned TrapW = Xlen + 3;

  if (tl_pkg::Precise != 0) begin : gen_oldest_trap
    // For loads [0] and for stores [1], only the report of the oldest one that traps is kept:
    // younger ones are killed, and nothing enters before all are gone.
    logic [2*TrapW-1:0] kept;

    for (genvar g = 0; g < 2; g++) begin : gen_kind
      tl_pkg::tag_t     tag;      // of the instruction that completes
      logic [TrapW-1:0] trap;
      tl_pkg::tag_t     tag_q;
      logic [TrapW-1:0] trap_q;
      logic             trapped_q;
      logic             older;

      assign tag   = g == 0 ? load_done_i.tag : store_done_i.tag;
      assign trap  = g == 0 ? {load_done_i.cause, load_done_i.tval} :
          {store_done_i.cause, store_done_i.tval};
      assign older = (g == 0 ? load_trap : store_trap) && (!trapped_q ||
          ({tag < head_q, tag} < {tag_q < head_q, tag_q}));

      assign kept[TrapW*g+:TrapW] = trap_q & {TrapW{trapped_q && (tag_q == current_q)}};

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) trapped_q <= 1'b0;
        else trapped_q <= trapped_q ? !(retire && (tag_q == head_q)) : older;
      end

      always_ff @(posedge clk_i) begin
        if (older) begin
          tag_q  <= tag;
          trap_q <= trap;
        end
      end
    end

    assign report = kept[TrapW-1:0] | kept[TrapW+:TrapW];
  end else begin : gen_traps
    // One memory for each writer.
    logic [TrapW-1:0] load_trap_q  [QueueEntries];
    logic [TrapW-1:0] store_trap_q [QueueEntries];

    assign report = result_o.by_store ? store_trap_q[current_q] : load_trap_q[current_q];

    always_ff @(posedge clk_i) begin
      if (load_done_i.valid) begin
        load_trap_q[load_done_i.tag] <= {load_done_i.cause, load_done_i.tval};
      end
      if (store_done_i.valid) begin
        store_trap_q[store_done_i.tag] <= {store_done_i.cause, store_done_i.tval};
      end
    end
  end

  assign traps[0] = !killed_i && (entered_q[current_q][34:32] != tl_pkg::CauseNone);
  assign traps[1] = !killed_i && head_done_q && (result_o.by_load || result_o.by_store) &&
      (report[Xlen+:3] != tl_pkg::CauseNone);
  assign head_traps = traps != '0;
  assign head       = ({(Xlen + 3) {traps[0]}} & entered) | ({(Xlen + 3) {traps[1]}} & report);
  assign entered    = {entered_q[current_q][34:32], Xlen'(entered_q[current_q][31:0])};

  // What the engines say in this cycle.

  always_comb begin
    for (int unsigned i = 0; i < QueueEntries; i++) begin
      done[i] = done_q[i] ||
          (enter_done_q && (enter_tag_q == TagW'(i))) ||
          (load_done_i.valid && (load_done_i.tag == TagW'(i))) ||
          (store_done_i.valid && (store_done_i.tag == TagW'(i))) ||
          (move_done_i.valid && (move_done_i.tag == TagW'(i))) ||
          (xpose_done_i.valid && (xpose_done_i.tag == TagW'(i)));
    end
  end

  // The same for the instruction that is the oldest in the next cycle. It is in one of two slots;
  // both are compared.
  assign first = {next_q, head_q};
  // The next one to enter is vacant. For a slot without an instruction the value is not used.
  assign vacant = {tail_q == next_q, empty_o};

  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      ends[i] = done_q[first[i]] ||
          (enter_done_q && (enter_tag_q == first[i])) ||
          (load_done_i.valid && (load_done_i.tag == first[i])) ||
          (store_done_i.valid && (store_done_i.tag == first[i])) ||
          (move_done_i.valid && (move_done_i.tag == first[i])) ||
          (xpose_done_i.valid && (xpose_done_i.tag == first[i]));
    end
  end

  always_ff @(posedge clk_i) begin
    head_done_q <= retire ? ends[1] && !vacant[1] : ends[0] && !vacant[0];
  end

  assign trap_seen_o    = load_trap || store_trap || trap_i;
  assign trap_retires_o = retire && head_traps;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q    <= '1;
      head_q    <= '0;
      current_q <= '0;
      next_q    <= TagW'(1);
      tail_q    <= '0;
      count_q   <= '0;
      full_q    <= 1'b0;
    end else begin
      done_q <= done;
      for (int unsigned i = 0; i < QueueEntries; i++) begin
        if (enter_i && (tail_q == TagW'(i))) done_q[i] <= 1'b0;
      end
      if (enter_i) tail_q <= tl_pkg::next_tag(tail_q);
      if (retire) head_q <= next_q;
      current_q <= walk_soon_i ? walk_tag_i : retire ? next_q : head_q;
      if (retire) next_q <= tl_pkg::next_tag(next_q);
      if (enter_i && !retire) begin
        count_q <= count_q + 1'b1;
        full_q  <= count_q == (TagW + 1)'(QueueEntries - 1);
      end
      if (retire && !enter_i) begin
        count_q <= count_q - 1'b1;
        full_q  <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    enter_q       <= enter_i;
    enter_done_q  <= enter_i && enter_done_i;
    enter_tag_q   <= tail_q;
    enter_cause_q <= cause_i;
    enter_instr_q <= instr_i;
    if (enter_i) flight_q[tail_q] <= entry_i;
    if (enter_q) begin
      entered_q[enter_tag_q] <=
          {enter_cause_q, enter_cause_q != tl_pkg::CauseNone ? enter_instr_q : csr_value_i};
      changed_q[enter_tag_q] <= changed_i;
    end
  end

  // Complete results, which later instructions use as operands. Stores have no result.
  // Transpositions complete more than one cycle apart, so the second result of each uses the next
  // cycle.
  tl_pkg::flight_t     load_flight;
  tl_pkg::flight_t     move_flight;
  tl_pkg::flight_t     xpose_flight;
  tl_pkg::mark_t [1:0] xpose_mark;
  tl_pkg::mark_t       move_mark;
  tl_pkg::mark_t       load_mark;
  logic                second_q;       // the second result of a transposition comes in this cycle
  tl_pkg::mark_t       second_mark_q;
  logic                unused_flight;

  assign load_flight  = flight_q[load_done_i.tag];
  assign move_flight  = flight_q[move_done_i.tag];
  assign xpose_flight = flight_q[xpose_done_i.tag];

  always_comb begin
    for (int unsigned r = 0; r < 2; r++) begin
      xpose_mark[r] = tl_pkg::mark_of(xpose_flight.results.fresh[r], xpose_flight.results.rd[r]);
    end
  end

  assign move_mark = tl_pkg::mark_of(move_flight.results.fresh[0], move_flight.results.rd[0]);
  assign load_mark = tl_pkg::mark_of(load_flight.results.fresh[0], load_flight.results.rd[0]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      restore_o <= 1'b0;
      undo_o    <= 1'b0;
    end else begin
      restore_o <= walk_i ? result_o.results.valid[walk_second_i]
                          : (tl_pkg::Precise == 0) && load_trap &&
                            load_flight.results.valid[0];
      undo_o    <= walk_i && !walk_second_i;
    end
  end

  always_ff @(posedge clk_i) begin
    complete_o      <= {xpose_done_i.valid ? xpose_flight.results.valid[0] : second_q,
        move_flight.results.valid[0] && move_done_i.valid,
        load_flight.results.valid[0] && load_done_i.valid};
    second_q        <= xpose_done_i.valid && xpose_flight.results.valid[1];
    second_mark_q   <= xpose_mark[1];
    complete_mark_o <= {xpose_done_i.valid ? xpose_mark[0] : second_mark_q,
        move_mark, load_mark};
    undo_csr_o   <= changed_q[current_q];
    undo_value_o <= entered_q[current_q][31:0];
    if (walk_i) begin
      restore_rd_o       <= result_o.results.rd[walk_second_i];
      restore_old_o.zero <= result_o.results.old_zero[walk_second_i];
      restore_old_o.phys <= result_o.results.old_phys[walk_second_i];
    end else begin
      restore_rd_o       <= load_flight.results.rd[0];
      restore_old_o.zero <= load_flight.results.old_zero[0];
      restore_old_o.phys <= load_flight.results.old_phys[0];
    end
  end

  // A matrix load has no result in a TLReg. The other fields are used when the instruction retires.
  assign unused_flight = ^{load_flight, move_flight, xpose_flight};

  // When an instruction retires, no older instruction can read a register any more. So the register
  // that its result replaced is free; if it trapped or is killed, the new register is free instead.
  always_comb begin
    for (int unsigned r = 0; r < 2; r++) begin
      release_o[r]      = retire && result_o.results.valid[r];
      release_phys_o[r] = result_o.results.old_phys[r];
      if (killed_i || head_traps) begin
        release_phys_o[r] = result_o.results.fresh[r];
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!enter_i || room_o)
      else $error("tl_retire: an instruction entered when there was no room");
    end
  end
`endif

endmodule
