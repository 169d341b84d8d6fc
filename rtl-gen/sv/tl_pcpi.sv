// SPDX-License-Identifier: Apache-2.0

// Connects the co-processor interface of PicoRV32 (PCPI) to the unit. The core offers every
// instruction that it does not know, one at a time, and holds it until the answer. An instruction
// that traps gets no answer: 16 cycles after pcpi_wait_o has fallen, the core takes it as illegal.
// mcause and mtval have cause and value by then.
module tl_pcpi (
  input  logic        clk_i,
  input  logic        rst_ni,           // asynchronous assert, synchronous release

  // PCPI
  input  logic        pcpi_valid_i,     // held until pcpi_ready_o, or until the core gives up
  input  logic [31:0] pcpi_insn_i,      // the word that the core does not know
  input  logic [31:0] pcpi_rs1_i,       // x[19:15]
  input  logic [31:0] pcpi_rs2_i,       // x[24:20]
  output logic        pcpi_wr_o,        // write pcpi_rd_o to x[11:7]
  output logic [31:0] pcpi_rd_o,        // the result
  output logic        pcpi_wait_o,      // the answer may take longer than 16 cycles
  output logic        pcpi_ready_o,     // for one cycle: done

  // Register writes of the core, from its trace (RVFI)
  input  logic        rvfi_valid_i,
  input  logic [4:0]  rvfi_rd_addr_i,   // 0: none
  input  logic [31:0] rvfi_rd_wdata_i,

  // Trap of the unit, for one cycle
  output logic        trap_o,
  output logic [4:0]  trap_cause_o,
  output logic [31:0] trap_tval_o,

  // To tl_top
  output logic        issue_valid_o,
  input  logic        issue_ready_i,
  output logic [31:0] issue_instr_o,
  output logic [31:0] issue_rs_o,       // x[11:7] or x[19:15], as the instruction names it
  output logic [31:0] issue_rs2_o,      // unused if the unit has no matrix instructions
  input  logic        result_valid_i,
  output logic        result_ready_o,
  input  logic        result_trap_i,
  input  logic [4:0]  result_cause_i,
  input  logic [31:0] result_tval_i,
  input  logic        result_we_i,      // write a host register
  input  logic [31:0] result_data_i,
  // resumes at once: no younger instruction can be in the unit
  output logic        resume_o
);

  // PCPI gives x[19:15] and x[24:20], but some instructions need x[11:7]. So this module keeps a
  // copy of the core's registers. With `gpr_rs1` those instructions have a second encoding and
  // there is no copy; the first encoding is illegal here.
  logic        reads_rd;   // an instruction in the first encoding, which reads x[11:7]
  logic        lacking;    // a load, store or tl.xpose that needs x[11:7], but there is no copy
  logic [31:0] rd_value;
  logic [31:0] csr_rdata;

  assign reads_rd = (pcpi_insn_i[6:0] == 7'b1011011) && !pcpi_insn_i[14];

  if (tl_pkg::GprRs1 == 0) begin : gen_shadow
    logic [31:0] shadow;

    tl_lutram #(
      .Width (32),
      .Depth (32)
    ) u_shadow (
      .clk_i   (clk_i),
      .we_i    (rvfi_valid_i),
      .waddr_i (rvfi_rd_addr_i),
      .wdata_i (rvfi_rd_wdata_i),
      .raddr_i (pcpi_insn_i[11:7]),
      .rdata_o (shadow)
    );

    assign rd_value = (pcpi_insn_i[11:7] == 5'd0) ? '0 : shadow;
    assign lacking  = 1'b0;
  end else begin : gen_no_shadow
    logic unused_rvfi;

    assign unused_rvfi = ^{rvfi_valid_i, rvfi_rd_addr_i, rvfi_rd_wdata_i};
    assign rd_value    = pcpi_rs1_i;
    assign lacking     = reads_rd && (pcpi_insn_i[13:12] != 2'b01) &&
        ((pcpi_insn_i[13:12] != 2'b10) || pcpi_insn_i[29]);
  end

  logic ours;      // not one of the core: a multiplication, a division or mret
  logic is_csr;    // a trap CSR
  logic offered;   // an instruction waits for its answer
  logic sent_q;    // the unit has it
  logic done_q;    // the instruction has its answer, or has trapped
  logic csr_exec;
  logic result;
  logic refused;   // the instruction traps here, with the cause of an illegal instruction

  assign ours     = !((pcpi_insn_i[6:0] == 7'b0110011) && (pcpi_insn_i[31:25] == 7'd1))
                    && (pcpi_insn_i != 32'h30200073) && !lacking;
  assign offered  = pcpi_valid_i && ours && !done_q;
  assign csr_exec = offered && is_csr;
  assign result   = result_valid_i && sent_q;
  assign refused  = pcpi_valid_i && lacking && !done_q;

  assign pcpi_wait_o    = offered;
  assign issue_valid_o  = offered && !is_csr && !sent_q;
  assign issue_instr_o  = pcpi_insn_i;
  assign issue_rs_o     = reads_rd ? rd_value : pcpi_rs1_i;
  assign issue_rs2_o    = pcpi_rs2_i;
  assign result_ready_o = sent_q;
  assign trap_o         = (result && result_trap_i) || refused;
  assign resume_o       = result && result_trap_i;
  assign trap_cause_o   = refused ? 5'(tl_pkg::CauseIllegal) : result_cause_i;
  assign trap_tval_o    = refused ? pcpi_insn_i : result_tval_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sent_q       <= 1'b0;
      done_q       <= 1'b0;
      pcpi_ready_o <= 1'b0;
    end else begin
      sent_q       <= (sent_q || (issue_valid_o && issue_ready_i)) && !result;
      done_q       <= pcpi_valid_i && (done_q || csr_exec || result || refused);
      pcpi_ready_o <= csr_exec || (result && !result_trap_i);
    end
  end

  always_ff @(posedge clk_i) begin
    pcpi_wr_o <= csr_exec || result_we_i;
    pcpi_rd_o <= csr_exec ? csr_rdata : result_data_i;
  end

  tl_trap_csr u_trap_csr (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .instr_i (pcpi_insn_i),
    .rs_i    (pcpi_rs1_i),
    .ours_o  (is_csr),
    .exec_i  (csr_exec),
    .rdata_o (csr_rdata),
    .trap_i  (trap_o),
    .cause_i (trap_cause_o),
    .tval_i  (trap_tval_o)
  );

endmodule
