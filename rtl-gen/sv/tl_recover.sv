// SPDX-License-Identifier: Apache-2.0

// Precise traps. From the cycle in which a trap is known, nothing is dispatched. When the host has
// taken the result of the trap, younger instructions in flight run to their end; stores that have
// not begun give up. Then the rename map and the CSRs are restored: the changes of the youngest
// instruction are undone first, those of the trapped one last. After that, every instruction in the
// queue and every new one is answered as killed, until the host resumes.
module tl_recover (
  input  logic         clk_i,
  input  logic         rst_ni,          // asynchronous assert, synchronous release

  // From the host
  input  logic         resume_i,        // the host has seen the trap: stop killing
  // the host has resumed: accept no instruction until all before are answered
  output logic         refuse_o,

  // Instructions
  input  logic         csr_ready_i,     // the CSRs have their values after reset
  input  logic         waiting_i,       // an instruction waits for dispatch
  output logic         open_o,          // dispatch may execute instructions
  output logic         kill_o,          // dispatch answers instructions

  // Engines
  output logic         give_up_o,       // accesses that have not begun have no effect

  // Instructions in flight: tl_retire
  input  logic         empty_i,         // no instruction is in flight
  input  tl_pkg::tag_t head_i,          // slot of the oldest instruction
  input  tl_pkg::tag_t tail_i,          // slot of the next instruction
  input  logic         trap_seen_i,     // an instruction traps; known in this cycle
  input  logic         trap_retires_i,  // the host takes the result of an instruction that trapped
  input  logic         all_done_i,      // all instructions in flight are complete
  output logic         hold_o,          // give no results now
  output logic         killed_o,        // results are of killed instructions
  // undo the instruction that walk_tag_o named in the previous cycle
  output logic         walk_o,
  output logic         walk_second_o,   // undo its second result, else its CSR and first result
  output logic         walk_soon_o,     // value of walk_o in the next cycle
  output tl_pkg::tag_t walk_tag_o       // slot that is undone in the next cycle
);

  typedef enum logic [1:0] {
    StateRun,     // instructions are executed
    StateDrain,   // the host took the trap: instructions in flight run to their end
    StateWalk,    // they are undone, then the one that trapped
    StateAnswer   // they, and new ones, are answered as killed
  } state_e;

  state_e       state_q;
  state_e       state_d;
  logic         open_q;
  logic         seen_q;    // a trap is known
  logic         resume_q;  // the host has resumed
  logic         second_q;
  tl_pkg::tag_t walk_q;
  tl_pkg::tag_t walk_d;
  tl_pkg::tag_t behind;    // the slot behind the next one to be undone

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StateRun:   if (trap_retires_i) state_d = StateDrain;
      StateDrain: if (all_done_i) state_d = StateWalk;
      StateWalk:  if (second_q && (tl_pkg::next_tag(walk_q) == head_i)) state_d = StateAnswer;
      default:    if (resume_q && empty_i && !waiting_i) state_d = StateRun;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StateRun;
      open_q   <= 1'b0;
      seen_q   <= 1'b0;
      resume_q <= 1'b0;
      second_q <= 1'b0;
    end else begin
      state_q  <= state_d;
      open_q   <= csr_ready_i && (state_d == StateRun) && !(seen_q && (state_q == StateRun)) &&
                  !trap_seen_i;
      seen_q   <= (seen_q || trap_seen_i) && (state_q == StateRun);
      resume_q <= (resume_q || resume_i) && (state_d != StateRun);
      second_q <= walk_o && !second_q;
    end
  end

  assign behind = walk_o ? walk_q : tail_i;

  always_comb begin
    walk_d = walk_q;
    if (!walk_o || second_q) begin
      walk_d = behind == '0 ? tl_pkg::TagW'(tl_pkg::QueueEntries - 1) : behind - 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    walk_q <= walk_d;
  end

  assign refuse_o      = resume_q;
  assign open_o        = open_q;
  assign kill_o        = state_q == StateAnswer;
  assign give_up_o     = state_q == StateDrain;
  assign hold_o        = (state_q == StateDrain) || (state_q == StateWalk);
  assign killed_o      = state_q == StateAnswer;
  assign walk_o        = state_q == StateWalk;
  assign walk_second_o = second_q;
  assign walk_tag_o    = walk_d;
  assign walk_soon_o   = state_d == StateWalk;

endmodule
