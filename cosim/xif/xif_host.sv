// SPDX-License-Identifier: Apache-2.0
// A core with the extension interface CV-X-IF 1.0, on the issue and result ports of the bench. It issues what the bench
// issues, and speculates: operands come late, what is offered is taken back, runs of instructions are killed and issued again,
// wrong paths are issued and killed, ids are reused in any order, another hart commits and kills the same ids, operands that
// are not valid are wrong. An instruction that the adapter does not accept is a trap of its own: all that is younger is killed,
// and issued again where traps are not precise. Between the instructions of the bench it executes CSR instructions on the CSRs
// of the adapter. What the adapter must not do is an error.
//
// options_i, one bit each: 0: the opcode SYSTEM is never offered; 1: nothing is killed, each instruction is committed with its
// offer, and what is behind one that was rejected executes (not with precise traps: it would have to be killed);
// 2: the third operand is not x[11:7].
module xif_host #(
  parameter int unsigned IdWidth = 4,
  parameter int unsigned NumRs = 3,
  parameter int unsigned Precise = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [2:0]         options_i,

  // The bench
  input  logic               issue_valid_i,
  output logic               issue_ready_o,
  input  logic [31:0]        issue_instr_i,
  input  tl_pkg::host_t      issue_rs_i,
  input  tl_pkg::host_t      issue_rs2_i,
  input  logic [7:0]         issue_id_i,
  output logic               result_valid_o,
  input  logic               result_ready_i,
  output logic [7:0]         result_id_o,
  output logic               result_trap_o,
  output logic [4:0]         result_cause_o,
  output tl_pkg::host_t      result_tval_o,
  output logic               result_we_o,
  output logic [4:0]         result_rd_o,
  output tl_pkg::host_t      result_data_o,
  output logic               result_killed_o,
  input  logic               resume_i,
  output logic               busy_o,
  output logic               local_o,

  // The adapter
  output logic               x_valid_o,
  input  logic               x_ready_i,
  output logic [31:0]        x_instr_o,
  output logic [IdWidth-1:0] x_id_o,
  input  logic               x_accept_i,
  input  logic               x_writeback_i,
  input  logic [2:0]         x_reads_i,
  output tl_pkg::host_t      x_rs1_o,
  output tl_pkg::host_t      x_rs2_o,
  output tl_pkg::host_t      x_rs3_o,
  output logic [2:0]         x_rs_valid_o,
  output logic               x_commit_o,
  output logic               x_commit_other_o,  // by another hart
  output logic [IdWidth-1:0] x_commit_id_o,
  output logic               x_kill_o,
  input  logic               x_result_i,
  output logic               x_taken_o,
  input  logic [IdWidth-1:0] x_result_id_i,
  input  tl_pkg::host_t      x_data_i,
  input  logic [4:0]         x_rd_i,
  input  logic               x_we_i,
  input  logic               x_hart_ok_i,
  input  logic               fault_i,
  input  logic               x_busy_i,

  // The result port of the unit: the interface has no traps
  input  logic               unit_busy_i,
  input  logic               unit_ready_i,
  input  logic               unit_valid_i,
  input  logic               unit_trap_i,
  input  logic [4:0]         unit_cause_i,
  input  tl_pkg::host_t      unit_tval_i,
  input  logic               unit_killed_i
);

  localparam int unsigned Depth = 16;
  localparam logic [31:0] System = 32'h73;
  localparam logic [31:0] Unit   = {2'(tl_pkg::EngineId), 30'h5b};

  // CSR instructions on the CSRs of the adapter: funct3, ttval and not tcause, field rs1, rd. Under SYSTEM, where csr_base
  // moves their numbers, or the unit's opcode, where it does not.
  localparam logic [31:0] Tcause = {tl_pkg::CsrBase + 12'h018, 20'd0};

  function automatic logic [31:0] csr_word(logic [2:0] funct3, logic is_tval, logic [4:0] rs1, logic [4:0] rd);
    logic [31:0] operands;
    operands = {11'd0, is_tval, rs1, 3'd0, rd, 7'd0};
    if (options_i[0]) return Unit | operands | {3'd0, funct3[2], 8'h18, 5'd0, 1'b1, funct3[1:0], 12'd0};
    return System | Tcause | operands | {17'd0, funct3, 12'd0};
  endfunction

  typedef struct packed {
    logic [31:0]        word;
    tl_pkg::host_t      rs;
    tl_pkg::host_t      rs2;
    logic [7:0]         id;        // the bench's
    logic               own;       // not the bench's: it is for the CSRs of the adapter
    logic               foreign;   // not offered to the adapter, which would take it
    logic               accepted;
    logic               writes;
    logic               named;     // it has an id
    logic [IdWidth-1:0] x_id;
  } entry_t;

  // Instructions from the oldest without a result on: [head, commit) committed, [commit, next) issued, [next, tail) not yet.
  entry_t      entries [Depth];
  int unsigned head, commit, next, tail;

  function automatic int unsigned at(int unsigned number);
    return number % Depth;
  endfunction

  // Chance. The state is any at the start, and so depends on the seed of the case.
  logic [31:0] draw;
  logic [1:0]  manner;  // 0 hurries, 3 waits

  function automatic logic [31:0] random();
    if (draw == 0) draw = 32'd1;
    draw = draw ^ (draw << 13);
    draw = draw ^ (draw >> 17);
    draw = draw ^ (draw << 5);
    return draw;
  endfunction

  function automatic logic chance(int unsigned of);
    return random() % of == 0;
  endfunction

  // What is offered: the next instruction, or one of a wrong path.
  logic               wrong;          // it is on a wrong path
  logic               wrong_named;    // one of it was taken
  logic [IdWidth-1:0] wrong_id;       // the first
  logic               fixed;          // what is offered is committed: it cannot be taken back
  logic               doomed;         // it was killed
  tl_pkg::host_t      rs1, rs2, rs3;
  logic [2**IdWidth-1:0] used, wrong_used;

  // Traps.
  logic        trapped, squash, drain, clearing;
  tl_pkg::host_t cause, tval;           // what the CSRs of the adapter hold
  logic        of_unit;               // the oldest result comes from the adapter
  logic        local_valid, local_killed;
  entry_t      oldest;
  logic        busy;

  assign local_o = local_valid;

  assign result_valid_o  = local_valid || (of_unit && !oldest.own && x_result_i);
  assign x_taken_o       = of_unit && (oldest.own || result_ready_i);
  assign result_id_o     = oldest.id;
  assign result_killed_o = local_valid ? local_killed : unit_killed_i;
  assign result_trap_o   = local_valid ? !local_killed : unit_trap_i;
  assign result_cause_o  = local_valid ? (local_killed ? 5'd0 : 5'd2) : unit_cause_i;
  assign result_tval_o   = local_valid ? (local_killed ? '0 : tl_pkg::Xlen'(oldest.word)) : unit_tval_i;
  assign result_we_o     = !local_valid && x_we_i && !unit_killed_i;
  assign result_rd_o     = result_we_o ? x_rd_i : 5'd0;
  assign result_data_o   = local_valid ? '0 : x_data_i;
  assign busy_o          = unit_busy_i || busy;

  // An id that nothing in flight has. One that was just taken back would be the same offer.
  function automatic logic free_id(output logic [IdWidth-1:0] id);
    id = chance(4) ? IdWidth'(random()) : x_id_o + 1'b1;
    for (int unsigned i = 0; i < 2**IdWidth; i++) begin
      if (!used[id] && !wrong_used[id] && !(x_valid_o && id == x_id_o)) return 1'b1;
      id = id + 1'b1;
    end
    return 1'b0;
  endfunction

  // The entries from this number on are not issued any more.
  function automatic void unissue(int unsigned from);
    for (int unsigned e = from; e < next; e++) begin
      if (entries[at(e)].named) used[entries[at(e)].x_id] = 1'b0;
      entries[at(e)].named    = 1'b0;
      entries[at(e)].accepted = 1'b0;
    end
    next = from;
    if (commit > from) commit = from;
  endfunction

  function automatic void append(logic [31:0] word, tl_pkg::host_t rs, logic own);
    entries[at(tail)] = '{word: word, rs: rs, own: own, default: '0};
    tail++;
  endfunction

  // Any instruction on the CSRs of the adapter, or on ttval alone; x0 is 0.
  function automatic void append_any(logic only_tval);
    logic [31:0]   bits;
    tl_pkg::host_t rs;
    bits = random();
    if (bits[1:0] == 2'd0) bits[1:0] = 2'd1;
    if (bits[4]) bits[9:5] = '0;
    rs = (bits[9:5] == '0) ? '0 : tl_pkg::Xlen'({2{random()}});
    if (bits[10]) rs[4:0] = '0;
    append(csr_word(bits[2:0], bits[3] || only_tval, bits[9:5], bits[11] ? 5'd0 : bits[16:12]), rs, 1'b1);
  endfunction

  // csrrs of both with x0, and csrrwi of tcause with 0.
  function automatic void append_clear();
    append(csr_word(3'b010, 1'b1, 5'd0, 5'd5), '0, 1'b1);
    append(csr_word(3'b010, 1'b0, 5'd0, 5'd5), '0, 1'b1);
    append(csr_word(3'b101, 1'b0, 5'd0, 5'd5), '0, 1'b1);
  endfunction

  // What the oldest instruction, of the host's own, leaves in the CSRs of the adapter; its result is `value`.
  function automatic void execute(tl_pkg::host_t value, logic we);
    tl_pkg::host_t operand;
    logic          is_tval, immediate;
    is_tval   = oldest.word[20];
    immediate = (oldest.word[6:0] == System[6:0]) ? oldest.word[14] : oldest.word[28];
    operand   = immediate ? tl_pkg::Xlen'(oldest.word[19:15]) : oldest.rs;
    assert (!we || value == (is_tval ? tval : cause)) else $error("X-IF: a CSR of the adapter");
    value = is_tval ? tval : cause;
    if (oldest.word[13:12] == 2'b01) value = operand;
    else if (oldest.word[12]) value &= ~operand;
    else value |= operand;
    if (is_tval) tval = value;
    else cause = tl_pkg::Xlen'(value[4:0]);
  endfunction

  // The next instruction of the path is offered from now on; `word` and operands are those of the wrong path.
  function automatic void offer(output logic valid, output logic [31:0] word, output logic [IdWidth-1:0] id);
    entry_t entry;
    valid = free_id(id);
    rs1   = tl_pkg::Xlen'({2{random()}});
    rs2   = tl_pkg::Xlen'({2{random()}});
    rs3   = tl_pkg::Xlen'({2{random()}});
    if (wrong) begin
      word = entries[random() % Depth].word;
      if (chance(3)) word[random() % 32] ^= 1'b1;
      if (chance(2)) rs3 = rs3 % 512;
    end else begin
      entry = entries[at(next)];
      word  = entry.word;
      if ((word[6:0] == 7'b1011011) && !word[14] && !options_i[2]) rs3 = entry.rs;
      else rs1 = entry.rs;
      rs2 = entry.rs2;
    end
    fixed  = 1'b0;
    doomed = 1'b0;
  endfunction

  // What an instruction has done before it was taken is compared, and what was promised is kept.
  logic                never;      // it kills
  logic                held;
  logic [IdWidth+tl_pkg::Xlen+6:0] held_result;
  int unsigned         limit, number;
  logic                kill, valid, exception, found;
  logic [31:0]         word;
  logic [IdWidth-1:0]  id, kill_id;
  logic [2:0]          operands;   // that are valid

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head         = 0;
      commit       = 0;
      next         = 0;
      tail         = 0;
      wrong        = 1'b0;
      wrong_named  = 1'b0;
      fixed        = 1'b0;
      doomed       = 1'b0;
      used         = '0;
      wrong_used   = '0;
      trapped      = 1'b0;
      squash       = 1'b0;
      drain        = 1'b0;
      clearing     = 1'b0;
      cause        = '0;
      tval         = '0;
      manner       = 2'(random());
      held         <= 1'b0;
      local_valid  <= 1'b0;
      local_killed <= 1'b0;
      oldest        <= '0;
      of_unit       <= 1'b0;
      busy          <= 1'b0;
      issue_ready_o <= 1'b0;
      x_valid_o    <= 1'b0;
      x_id_o       <= '0;
      {x_commit_o, x_commit_other_o, x_kill_o} <= 3'b000;
      x_rs_valid_o <= '0;
    end else begin
      if (chance(64)) manner = 2'(random());
      never     = options_i[1] && (Precise == 0);
      exception = 1'b0;
      kill      = 1'b0;

      // Results.
      held   <= x_result_i && !x_taken_o;
      held_result <= {x_result_id_i, x_data_i, x_rd_i, x_we_i, x_hart_ok_i};
      assert (!held || (x_result_i && {x_result_id_i, x_data_i, x_rd_i, x_we_i, x_hart_ok_i} == held_result))
      else $error("X-IF: a result has changed");
      assert (fault_i == (cause != 0)) else $error("X-IF: the interrupt line");
      assert (!x_result_i || x_busy_i) else $error("X-IF: not busy");
      if (x_result_i) begin
        // Where nothing is killed, one may be there before the core has taken an older trap of its own.
        assert (of_unit ? head < commit && oldest.x_id == x_result_id_i && x_hart_ok_i : never)
        else $error("X-IF: a result of no committed instruction, or of another one");
        assert (!of_unit || (x_we_i == oldest.writes && (!x_we_i || x_rd_i == oldest.word[11:7])))
        else $error("X-IF: a result does not write what was promised");
      end
      if (x_result_i && x_taken_o) begin
        if (oldest.own) begin
          execute(x_data_i, x_we_i);
        end else begin
          assert (unit_valid_i && !(unit_trap_i && unit_cause_i == 5'd2)) else $error("X-IF: accepted, and illegal");
          assert (!unit_killed_i || x_data_i == 0) else $error("X-IF: a killed instruction with a value");
          if (unit_trap_i) begin
            if (cause == 0) {cause, tval} = {tl_pkg::Xlen'(unit_cause_i), unit_tval_i};
            if (Precise != 0) trapped = 1'b1;
          end
        end
        used[oldest.x_id] = 1'b0;
        head++;
      end
      if (local_valid && result_ready_i) begin
        exception = 1'b1;
        if (Precise != 0 && !local_killed) begin
          trapped = 1'b1;
          squash  = 1'b1;
        end
        if (oldest.named) begin
          used[oldest.x_id] = 1'b0;
          kill    = (commit <= head) && !never;
          kill_id = oldest.x_id;
        end
        head++;
        if (commit < head) commit = head;
        if (next < head) next = head;
      end

      // What was offered was taken.
      if (x_valid_o && x_ready_i) begin
        assert (x_accept_i || (!x_writeback_i && x_reads_i == 0)) else $error("X-IF: rejected, with promises");
        assert ((x_reads_i & ~x_rs_valid_o) == 0) else $error("X-IF: taken without its operands");
        assert ((NumRs > 2) || !x_reads_i[2]) else $error("X-IF: taken with an operand that the core does not have");
        if (wrong) begin
          wrong_used[x_id_o] = 1'b1;
          if (!wrong_named) wrong_id = x_id_o;
          wrong_named = 1'b1;
        end else if (!doomed) begin
          number = at(next);
          used[x_id_o]             = 1'b1;
          entries[number].named    = 1'b1;
          entries[number].x_id     = x_id_o;
          entries[number].accepted = x_accept_i;
          entries[number].writes   = x_writeback_i;
          next++;
          if (fixed) commit = next;
        end
      end
      valid = x_valid_o && !x_ready_i;
      if (x_ready_i && x_valid_o) {fixed, doomed} = 2'b00;
      if (!valid) doomed = 1'b0;

      // The bench.
      if (issue_valid_i && issue_ready_o) begin
        append(issue_instr_i, issue_rs_i, 1'b0);
        number = at(tail - 1);
        entries[number].rs2     = issue_rs2_i;
        entries[number].id      = issue_id_i;
        entries[number].foreign = issue_instr_i[6:0] == System[6:0] &&
            (options_i[0] || (issue_instr_i[13:12] != 2'b00 && issue_instr_i[31:21] == Tcause[31:21]));
      end
      if (Precise == 0 && chance(64) && (tail - head) < Depth - 8) begin
        if (cause != 0 && chance(2)) append_clear();
        else append_any(1'b0);
      end
      // Behind a trap what the unit has not begun is still to be killed.
      if (Precise != 0 && cause != 0 && !squash && !drain && !clearing && chance(8) && (tail - head) < Depth - 4) begin
        append_any(1'b1);
      end
      if (resume_i && trapped) drain = 1'b1;
      // Order of accesses counts on it: the unit is not busy any more, although tcause is not 0.
      if (drain && head == tail && !x_busy_i) begin
        trapped = 1'b0;
        squash  = 1'b0;
        drain   = 1'b0;
        if (cause != 0) begin
          clearing = 1'b1;
          repeat (2) if (chance(2)) append_any(1'b0);
        end
      end
      if (clearing && head == tail) begin
        if (cause != 0) append_clear();
        else if (!fault_i && unit_ready_i) clearing = 1'b0;
      end
      if (clearing || drain) manner = 2'd0;

      // A trap that the core takes itself: what is younger is killed.
      if (exception && !never) begin
        if (!kill && (next > head || wrong_named)) begin
          for (int unsigned e = head; e < next; e++) begin
            if (entries[at(e)].named && !kill) begin
              kill    = 1'b1;
              kill_id = entries[at(e)].x_id;
            end
          end
          if (!kill && wrong_named) begin
            kill    = 1'b1;
            kill_id = wrong_id;
          end
        end
        unissue(head);
        wrong       = 1'b0;
        wrong_named = 1'b0;
        wrong_used  = '0;
        if (kill && valid) doomed = 1'b1;
        else valid = 1'b0;
      end else if (wrong && (clearing || drain || chance(12))) begin
        // The wrong path ends.
        kill        = wrong_named;
        kill_id     = wrong_id;
        wrong       = 1'b0;
        wrong_named = 1'b0;
        wrong_used  = '0;
        if (kill && valid) doomed = 1'b1;
        else valid = 1'b0;
      end else if (!never && !wrong && !fixed && next > commit && manner != 0 && chance(24)) begin
        // A run of the right one is killed, too.
        number = commit + random() % (next - commit);
        if (entries[at(number)].named) begin
          kill    = 1'b1;
          kill_id = entries[at(number)].x_id;
          unissue(number);
          if (valid) doomed = 1'b1;
        end
      end

      // Commits, up to the first instruction that was not accepted.
      limit = head;
      while (limit < next && entries[at(limit)].accepted) limit++;
      {x_commit_o, x_commit_other_o, x_kill_o} <= {kill, 1'b0, kill};
      x_commit_id_o <= kill_id;
      if (!kill && commit < limit && (manner == 0 || chance(4))) begin
        number = manner == 0 ? limit - 1 : commit + random() % (limit - commit);
        x_commit_o    <= 1'b1;
        x_commit_id_o <= entries[at(number)].x_id;
        commit = number + 1;
      end else if (!kill && chance(4) && x_result_i && !x_taken_o) begin
        // Once more, for the one whose result waits: it does not matter.
        x_commit_o    <= 1'b1;
        x_commit_id_o <= entries[at(head)].x_id;
      end else if (!kill && manner != 0 && chance(head < Depth ? 2 : 8)) begin
        // What another hart does with the same id does not matter. A place of the adapter that was not used since reset must
        // not be named.
        {x_commit_o, x_commit_other_o, x_kill_o} <= {2'b11, chance(2)};
        x_commit_id_o <= (next == head) ? IdWidth'(random()) : entries[at(head + random() % (next - head))].x_id;
      end

      // What is offered in the next cycle. What is killed in it may stay, be taken back, or be taken.
      if (valid && !fixed && manner != 0 && chance(doomed ? 3 : 12)) valid = 1'b0;
      operands = x_rs_valid_o;
      if (valid) operands |= manner == 0 ? 3'b111 : 3'(random() & random());
      if (!valid && !kill && manner != 0 && !wrong && !clearing && !never && chance(16)) wrong = 1'b1;
      while (!squash && next < tail && entries[at(next)].foreign) begin
        if (never && (commit == next)) commit++;
        next++;
      end
      if (!valid && !kill && !squash && (wrong || next < tail) && (manner != 3 || chance(3))) begin
        offer(valid, word, id);
        if (valid) begin
          x_instr_o    <= word;
          x_id_o       <= id;
          operands = manner == 0 ? 3'b111 : 3'(random());
        end
      end else begin
        id = x_id_o;
      end
      x_valid_o <= valid;
      x_rs_valid_o <= operands;
      x_rs1_o      <= operands[0] ? rs1 : ~rs1;
      x_rs2_o      <= operands[1] ? rs2 : ~rs2;
      x_rs3_o      <= operands[2] ? rs3 : ~rs3;
      // Committed before it is taken, or when it is.
      if (valid && !wrong && !doomed && !fixed && commit == next && !kill && (never || (limit == next && chance(3)))) begin
        fixed = 1'b1;
        {x_commit_o, x_commit_other_o, x_kill_o} <= 3'b100;
        x_commit_id_o <= id;
      end

      // Results of the core itself.
      if (!local_valid || result_ready_i) begin
        local_valid  <= (squash && head < tail) || (head < next && !entries[at(head)].accepted);
        local_killed <= squash || (Precise != 0 && cause != 0);
      end
      oldest        <= entries[at(head)];
      of_unit       <= head < next && entries[at(head)].accepted;
      // What it does for itself is no concern of the bench.
      found = drain || clearing;
      for (int unsigned e = head; e < tail; e++) found = found || !entries[at(e)].own;
      busy          <= found;
      issue_ready_o <= (tail - head) < Depth - 4 && !drain && !clearing;
    end
  end

endmodule
