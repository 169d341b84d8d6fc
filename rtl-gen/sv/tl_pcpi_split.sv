// SPDX-License-Identifier: Apache-2.0

// Between PicoRV32 and several units that differ in EngineID and CSR numbers. PCPI shows a word to
// all co-processors, and a unit answers one that is not its own with a trap: so the word says here
// who sees it, and the first unit also sees what is nobody's, which traps. The trap CSRs are here,
// for the traps of all units; those of the units are not used. Word, operands and register writes
// of the core go past this module.
module tl_pcpi_split #(
  parameter int unsigned Units = 2,             // 2 to 4
  // EngineID of unit i in bits 2*i+1 and 2*i: no two are the same
  parameter logic [2*Units-1:0] EngineIds = (2*Units)'(8'b11_10_01_00),
  // bit i: csr_base of unit i is 0x880. Of two units with one csr_base the lower one gets the
  // instructions of opcode SYSTEM; the CSR instructions of opcode custom-2 have an EngineID
  parameter logic [Units-1:0] HighCsrs = Units'(4'b1010),
  // bit i: unit i has the matrix instructions, which have no EngineID. One unit at most
  parameter logic [Units-1:0] Matrix = Units'(4'b0001)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,         // asynchronous assert, synchronous release

  // The core
  input  logic                   pcpi_valid_i,   // held until pcpi_ready_o, or until it gives up
  input  logic [31:0]            pcpi_insn_i,
  input  logic [31:0]            pcpi_rs1_i,
  output logic                   pcpi_wr_o,
  output logic [31:0]            pcpi_rd_o,
  output logic                   pcpi_wait_o,
  output logic                   pcpi_ready_o,   // for one cycle: done

  // The units: tl_pcpi_top
  output logic [Units-1:0]       u_valid_o,
  input  logic [Units-1:0]       u_wr_i,
  input  logic [Units-1:0][31:0] u_rd_i,
  input  logic [Units-1:0]       u_wait_i,
  input  logic [Units-1:0]       u_ready_i,
  input  logic [Units-1:0]       u_trap_i,       // for one cycle
  input  logic [Units-1:0][4:0]  u_trap_cause_i,
  input  logic [Units-1:0][31:0] u_trap_tval_i
);

  if (Units < 2 || Units > 4) begin : gen_bad_units
    $error("tl_pcpi_split: Units = %0d is not allowed; allowed: 2 to 4", Units);
  end

  for (genvar i = 0; i < Units; i++) begin : gen_unit
    for (genvar j = 0; j < i; j++) begin : gen_other
      if (EngineIds[2*i+:2] == EngineIds[2*j+:2] || (Matrix[i] && Matrix[j])) begin : gen_bad_units
        $error({"tl_pcpi_split: units %0d and %0d have one EngineID or both Matrix; ",
            "allowed: EngineIds that differ, and Matrix of one unit"}, j, i);
      end
    end
  end

  logic [Units-1:0] owner;
  logic             high;     // the CSR is one of csr_base 0x880
  logic             is_csr;   // a trap CSR
  logic             csr_exec;
  logic             done_q;   // it has its answer
  logic             ready_q;  // of a trap CSR
  logic [31:0]      rdata;
  logic [31:0]      rdata_q;
  logic [4:0]       cause;
  logic [31:0]      tval;

  assign high = pcpi_insn_i[30] ? pcpi_insn_i[25] : pcpi_insn_i[27];

  always_comb begin
    owner = '0;
    for (int unsigned i = 0; i < Units; i++) begin
      if (owner == '0) begin
        unique case (pcpi_insn_i[6:0])
          7'b1011011: owner[i] = pcpi_insn_i[31:30] == EngineIds[2*i+:2];
          7'b0101011: owner[i] = Matrix[i];
          7'b1110011: owner[i] = HighCsrs[i] == high;
          default:    owner[i] = 1'b0;
        endcase
      end
    end
  end

  assign csr_exec  = pcpi_valid_i && is_csr && !done_q;
  assign u_valid_o = (pcpi_valid_i && !is_csr) ?
      owner | {{(Units - 1) {1'b0}}, owner == '0} : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q  <= 1'b0;
      ready_q <= 1'b0;
    end else begin
      done_q  <= pcpi_valid_i && (done_q || csr_exec);
      ready_q <= csr_exec;
    end
  end

  always_ff @(posedge clk_i) begin
    rdata_q <= rdata;
  end

  // A unit answers what it was shown, and the core waits for the answer.
  always_comb begin
    pcpi_wr_o = ready_q;
    pcpi_rd_o = rdata_q;
    cause     = '0;
    tval      = '0;
    for (int unsigned i = 0; i < Units; i++) begin
      if (u_ready_i[i]) {pcpi_wr_o, pcpi_rd_o} = {u_wr_i[i], u_rd_i[i]};
      if (u_trap_i[i]) {cause, tval} = {u_trap_cause_i[i], u_trap_tval_i[i]};
    end
  end

  assign pcpi_wait_o  = csr_exec || (u_wait_i != '0);
  assign pcpi_ready_o = ready_q || (u_ready_i != '0);

  tl_trap_csr u_trap_csr (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .instr_i (pcpi_insn_i),
    .rs_i    (pcpi_rs1_i),
    .ours_o  (is_csr),
    .exec_i  (csr_exec),
    .rdata_o (rdata),
    .trap_i  (u_trap_i != '0),
    .cause_i (cause),
    .tval_i  (tval)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert ($onehot0({ready_q, u_ready_i}))
      else $error("tl_pcpi_split: two answers in one cycle");
      assert (((u_ready_i | u_trap_i | u_wait_i) & ~u_valid_o) == '0)
      else $error("tl_pcpi_split: a unit answers what it was not asked");
    end
  end
`endif

endmodule
