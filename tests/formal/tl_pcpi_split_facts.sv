// SPDX-License-Identifier: Apache-2.0
// The splitter of PCPI: a word goes to one unit or is one of the trap CSRs, and the core gets one answer, that of whoever has it; the
// trap CSRs hold the last trap of any unit. Assumed of the core: a word stays until its answer, or until the core gives up, and goes in the
// cycle after its answer. Of the units (pcpi): they answer and trap for what they are shown only, and answer it in that cycle.
module tl_pcpi_split_facts #(
  parameter int unsigned Units = 2,
  parameter logic [2*Units-1:0] EngineIds = '0,
  parameter logic [Units-1:0] HighCsrs = '0,
  parameter logic [Units-1:0] Matrix = '0
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   pcpi_valid_i,
  input logic [31:0]            pcpi_insn_i,
  input logic [31:0]            pcpi_rs1_i,
  input logic                   pcpi_wr_o,
  input logic [31:0]            pcpi_rd_o,
  input logic                   pcpi_wait_o,
  input logic                   pcpi_ready_o,
  input logic [Units-1:0]       u_valid_o,
  input logic [Units-1:0]       u_wr_i,
  input logic [Units-1:0][31:0] u_rd_i,
  input logic [Units-1:0]       u_wait_i,
  input logic [Units-1:0]       u_ready_i,
  input logic [Units-1:0]       u_trap_i,
  input logic [Units-1:0][4:0]  u_trap_cause_i,
  input logic [Units-1:0][31:0] u_trap_tval_i
);

  logic             running_q;
  logic             asked_q;     // the core offered a word in the cycle before
  logic             ready_q;     // and got its answer
  logic             answered_q;  // the word of now has had its answer
  logic [63:0]      offer_q;
  logic             is_trap_csr;
  logic [Units-1:0] whose;
  logic             trapped_q;   // a unit trapped while mtvec was not 0
  logic [36:0]      trap_q;
  logic [36:0]      trap;
  logic             local_q;     // one of the trap CSRs is executed, with this value
  logic [31:0]      old_q;

  assign is_trap_csr = (pcpi_insn_i[6:0] == 7'h73) && (pcpi_insn_i[13:12] != '0) &&
      ((pcpi_insn_i[31:20] == 12'h305) || ((pcpi_insn_i[31:20] >= 12'h340) && (pcpi_insn_i[31:20] <= 12'h343)));

  always_comb begin
    whose = Units'(1);
    trap  = '0;
    for (int u = Units - 1; u >= 0; u--) begin
      if (pcpi_insn_i[6:0] == 7'h5b && pcpi_insn_i[31:30] == EngineIds[2*u+:2]) whose = Units'(1) << u;
      if (pcpi_insn_i[6:0] == 7'h2b && Matrix[u]) whose = Units'(1) << u;
      if (pcpi_insn_i[6:0] == 7'h73 &&
          HighCsrs[u] == ((pcpi_insn_i[31:20] & (pcpi_insn_i[30] ? 12'h020 : 12'h080)) != '0)) whose = Units'(1) << u;
      if (u_trap_i[u]) trap = {u_trap_cause_i[u], u_trap_tval_i[u]};
    end
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q    <= rst_ni && pcpi_valid_i;
    ready_q    <= rst_ni && pcpi_ready_o;
    offer_q    <= {pcpi_insn_i, pcpi_rs1_i};
    answered_q <= rst_ni && pcpi_valid_i && (answered_q || pcpi_ready_o);
    trapped_q  <= rst_ni && (u_trap_i != '0) && (tl_pcpi_split.u_trap_csr.mtvec_q != '0);
    trap_q     <= trap;
    local_q    <= rst_ni && pcpi_valid_i && is_trap_csr && !answered_q && !pcpi_ready_o;
    old_q      <= tl_pcpi_split.u_trap_csr.rdata_o;
    if (rst_ni) begin
      // The core.
      if (ready_q) assume (!pcpi_valid_i);
      if (asked_q && pcpi_valid_i) assume ({pcpi_insn_i, pcpi_rs1_i} == offer_q);
      // A core that gives up does so after 16 cycles without an answer; one of the trap CSRs is answered in the next one.
      if (local_q) assume (pcpi_valid_i);
      // The units.
      assume (((u_wait_i | u_ready_i | u_trap_i) & ~u_valid_o) == '0);
      if (answered_q) assume (((u_wait_i | u_ready_i | u_trap_i)) == '0);

      assert (u_valid_o == ((pcpi_valid_i && !is_trap_csr) ? whose : '0));
      assert ($onehot0({local_q, u_ready_i}));
      // One answer, that of the unit, or of a trap CSR in the cycle after.
      assert (pcpi_ready_o == (local_q || (u_ready_i != '0)));
      for (int unsigned u = 0; u < Units; u++) if (u_ready_i[u]) assert ({pcpi_wr_o, pcpi_rd_o} == {u_wr_i[u], u_rd_i[u]});
      if (local_q) assert (pcpi_wr_o && (pcpi_rd_o == old_q));
      if (pcpi_ready_o) assert (pcpi_valid_i && !answered_q);
      if (answered_q) assert (!pcpi_wait_o && !pcpi_ready_o);
      for (int unsigned u = 0; u < Units; u++) if (u_wait_i[u]) assert (pcpi_wait_o);
      if (pcpi_wait_o) assert ((u_wait_i != '0) || (is_trap_csr && !answered_q));
      if (trapped_q) begin
        assert ((tl_pcpi_split.u_trap_csr.mcause_q == 32'(trap_q[36:32])) && (tl_pcpi_split.u_trap_csr.mtval_q == trap_q[31:0]));
      end
      // Why.
      assert (tl_pcpi_split.ready_q == local_q);
      if (local_q) assert (asked_q && !answered_q && tl_pcpi_split.done_q && is_trap_csr);
      if (tl_pcpi_split.done_q) assert (asked_q && (local_q || answered_q));
      if (answered_q) assert (asked_q && ready_q);
    end
  end

endmodule

bind tl_pcpi_split tl_pcpi_split_facts #(
  .Units (Units), .EngineIds (EngineIds), .HighCsrs (HighCsrs), .Matrix (Matrix)
) u_facts (.*);
