// SPDX-License-Identifier: Apache-2.0

// mtvec, mscratch, mepc, mcause and mtval, for a core that has none: csrrw, csrrs, csrrc and their
// immediate forms on them. A trap writes its cause and value to mcause and mtval if mtvec is not 0,
// as docs/isa.md says. The software that the core jumps to writes mepc.
module tl_trap_csr (
  input  logic        clk_i,
  input  logic        rst_ni,   // asynchronous assert, synchronous release
  input  logic [31:0] instr_i,
  input  logic [31:0] rs_i,     // x[19:15]
  output logic        ours_o,   // instr_i is a CSR instruction on one of them
  input  logic        exec_i,   // execute it now
  output logic [31:0] rdata_o,  // old value
  input  logic        trap_i,   // a trap: cause_i, tval_i are written
  input  logic [4:0]  cause_i,
  input  logic [31:0] tval_i
);

  logic [4:0]  select;        // the CSR that instr_i names, one-hot
  logic [31:0] mtvec_q;
  logic [31:0] mscratch_q;
  logic [31:0] mepc_q;
  logic [31:0] mcause_q;
  logic [31:0] mtval_q;
  logic [31:0] operand;
  logic [31:0] value;
  logic        write;
  logic        unused_instr;

  assign unused_instr = ^instr_i[11:7];

  assign select[0] = instr_i[31:20] == 12'h305;  // mtvec
  assign select[1] = instr_i[31:20] == 12'h340;  // mscratch
  assign select[2] = instr_i[31:20] == 12'h341;  // mepc
  assign select[3] = instr_i[31:20] == 12'h342;  // mcause
  assign select[4] = instr_i[31:20] == 12'h343;  // mtval

  assign ours_o  = (instr_i[6:0] == 7'b1110011) && (instr_i[13:12] != 2'b00) && (select != '0);
  assign operand = instr_i[14] ? {27'd0, instr_i[19:15]} : rs_i;
  assign write   = exec_i && ((instr_i[13:12] == 2'b01) || (instr_i[19:15] != 5'd0));
  assign rdata_o = ({32{select[0]}} & mtvec_q)
                   | ({32{select[1]}} & mscratch_q)
                   | ({32{select[2]}} & mepc_q)
                   | ({32{select[3]}} & mcause_q)
                   | ({32{select[4]}} & mtval_q);

  always_comb begin
    unique case (instr_i[13:12])
      2'b10:   value = rdata_o | operand;
      2'b11:   value = rdata_o & ~operand;
      default: value = operand;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtvec_q    <= '0;
      mscratch_q <= '0;
      mepc_q     <= '0;
      mcause_q   <= '0;
      mtval_q    <= '0;
    end else begin
      if (write && select[0]) mtvec_q    <= value & ~32'd3;
      if (write && select[1]) mscratch_q <= value;
      if (write && select[2]) mepc_q     <= value & ~32'd3;
      if (write && select[3]) mcause_q   <= value;
      if (write && select[4]) mtval_q    <= value;
      if (trap_i && (mtvec_q != '0)) begin
        mcause_q <= 32'(cause_i);
        mtval_q  <= tval_i;
      end
    end
  end

endmodule
