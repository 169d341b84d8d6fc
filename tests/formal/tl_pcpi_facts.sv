// SPDX-License-Identifier: Apache-2.0
// An instruction that PicoRV32 offers goes to the unit once at most and gets one answer, its own, while the core waits for it;
// one that traps gets none, and one that lacks its operand traps at once. Assumed of the core: an instruction stays until its answer, or for 16 cycles in which pcpi_wait_o is
// low, and goes in the cycle after its answer. Of the unit (tl_retire): results are of instructions that were issued before.
module tl_pcpi_facts (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        pcpi_valid_i,
  input logic [31:0] pcpi_insn_i,
  input logic [31:0] pcpi_rs1_i,
  input logic [31:0] pcpi_rs2_i,
  input logic        pcpi_wr_o,
  input logic [31:0] pcpi_rd_o,
  input logic        pcpi_wait_o,
  input logic        pcpi_ready_o,
  input logic        rvfi_valid_i,
  input logic        trap_o,
  input logic [4:0]  trap_cause_o,
  input logic [31:0] trap_tval_o,
  input logic        issue_valid_o,
  input logic        issue_ready_i,
  input logic [31:0] issue_instr_o,
  input logic [31:0] issue_rs_o,
  input logic [31:0] issue_rs2_o,
  input logic        result_valid_i,
  input logic        result_ready_o,
  input logic        result_trap_i,
  input logic        result_we_i,
  input logic [31:0] result_data_i,
  input logic        resume_o
);

  logic        running_q;
  logic        asked_q;     // the core offered an instruction in the cycle before
  logic [95:0] offer_q;
  logic [95:0] offer;
  logic        ready_q;
  logic [3:0]  quiet_q;     // cycles in which pcpi_wait_o was low, of 16
  logic        shown_q;     // it was shown to the unit, which did not take it
  logic [95:0] issue_q;
  logic        sent_q;      // the unit has it
  logic        once_q;      // the unit has had the instruction of now
  logic        answered_q;  // it had its answer, or has trapped
  logic        local_q;     // it was one of the adapter in the cycle before
  logic        taken_q;     // its result was taken in the cycle before, without a trap
  logic        lacking;     // a first encoding, of a unit with gpr_rs1
  logic        issue;
  logic        result;
  logic [32:0] value_q;

  assign lacking = (tl_pkg::GprRs1 != 0) && (pcpi_insn_i[6:0] == 7'h5b) &&
      ((pcpi_insn_i[14:12] == 3'd0) || (pcpi_insn_i[14:12] == 3'd3) || ((pcpi_insn_i[14:12] == 3'd2) && pcpi_insn_i[29]));
  assign offer  = {pcpi_insn_i, pcpi_rs1_i, pcpi_rs2_i};
  assign issue  = issue_valid_o && issue_ready_i;
  assign result = result_valid_i && result_ready_o;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q <= rst_ni && pcpi_valid_i;
    offer_q <= offer;
    ready_q <= rst_ni && pcpi_ready_o;
    shown_q <= rst_ni && issue_valid_o && !issue_ready_i;
    issue_q <= {issue_instr_o, issue_rs_o, issue_rs2_o};
    local_q <= rst_ni && tl_pcpi.csr_exec;
    taken_q <= rst_ni && result && !result_trap_i;
    value_q <= {result_we_i, result_data_i};
    if (!rst_ni) begin
      quiet_q    <= '0;
      sent_q     <= 1'b0;
      once_q     <= 1'b0;
      answered_q <= 1'b0;
    end else begin
      quiet_q    <= (!pcpi_valid_i || pcpi_wait_o) ? '0 : quiet_q + 4'(quiet_q != 4'd15);
      sent_q     <= (sent_q || issue) && !result;
      once_q     <= pcpi_valid_i && (once_q || issue);
      answered_q <= pcpi_valid_i && (answered_q || pcpi_ready_o || trap_o);
      // The core. It does not write registers while it waits.
      if (asked_q && !ready_q) assume (pcpi_valid_i || (quiet_q == 4'd15));
      if (ready_q) assume (!pcpi_valid_i);
      if (asked_q && pcpi_valid_i) assume (offer == offer_q);
      if (pcpi_valid_i) assume (!rvfi_valid_i);
      // The unit.
      if (result_valid_i) assume (sent_q);
      // Nothing goes to the unit when the core has not asked; what does stays until it is taken, and goes once.
      if (issue_valid_o) assert (pcpi_valid_i && !once_q && (issue_instr_o == pcpi_insn_i));
      if (shown_q) assert (issue_valid_o && ({issue_instr_o, issue_rs_o, issue_rs2_o} == issue_q));
      // Results are taken at once.
      if (sent_q) assert (pcpi_valid_i && result_ready_o);
      // One answer, while the core asks, and it is the result; none behind a trap.
      if (pcpi_ready_o) assert (pcpi_valid_i && !answered_q && (local_q || taken_q));
      if (taken_q) assert (pcpi_ready_o && ({pcpi_wr_o, pcpi_rd_o} == value_q));
      if (answered_q) assert (!pcpi_wait_o && !pcpi_ready_o && !issue_valid_o);
      assert (resume_o == (trap_o && once_q));
      if (trap_o) assert (pcpi_valid_i && !answered_q && (once_q ? result && result_trap_i : lacking));
      // One that lacks its operand never goes to the unit, and is an illegal instruction.
      if (pcpi_valid_i && lacking) assert (!issue_valid_o && !pcpi_wait_o && (trap_o || answered_q));
      if (trap_o && lacking) assert ((trap_cause_o == 5'd2) && (trap_tval_o == pcpi_insn_i));
      // The core is told to wait only when the unit has the instruction, is offered it, or the answer comes in the next cycle.
      if (pcpi_wait_o) assert (sent_q || issue_valid_o || tl_pcpi.csr_exec);
      // Why.
      assert (tl_pcpi.sent_q == sent_q);
      if (sent_q) assert (once_q && asked_q && !answered_q && !tl_pcpi.done_q && tl_pcpi.offered && (quiet_q == '0));
      if (once_q) assert (asked_q && (sent_q || tl_pcpi.done_q));
      if (answered_q) assert (tl_pcpi.done_q && asked_q);
      if (tl_pcpi.done_q) assert (asked_q && (answered_q || pcpi_ready_o));
      if (pcpi_ready_o) assert (tl_pcpi.done_q && (quiet_q == '0));
      if (local_q) assert (pcpi_ready_o);
    end
  end

endmodule

bind tl_pcpi tl_pcpi_facts u_facts (.*);
