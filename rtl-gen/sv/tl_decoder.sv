// SPDX-License-Identifier: Apache-2.0

// Decodes one instruction word. Purely combinational. The number of a register that the instruction
// does not have is 0.
module tl_decoder #(
  parameter bit CsrOp = tl_pkg::CsrOp != 0      // CSR instructions under our own opcode
) (
  input  logic [31:0]        instr_i,
  input  logic [31:0]        rs_i,       // value of the GPR that it names
  output logic               ours_o,     // the word has opcode custom-2 and our EngineID
  output logic               illegal_o,  // the word is ours, but no instruction
  output tl_pkg::op_e        op_o,
  output logic [4:0]         rd_o,       // TLReg written
  output logic [4:0]         rs1_o,      // first TLReg read
  output logic [4:0]         rs2_o,      // second TLReg read
  output logic [4:0]         gpr_o,      // GPR of a load, a store or xpose
  // signed immediate; without meaning for instructions that have none
  output logic [7:0]         imm_o,
  output logic [1:0]         dim_o,      // dimension of concat and merge, else without meaning
  output logic [1:0]         p_o,        // dim0 of xpose, else without meaning
  output logic [1:0]         q_o,        // dim1 of xpose, else without meaning
  output tl_pkg::csr_instr_t csr_o       // a CSR instruction, with either opcode
);

  logic        second;    // the word has the second encoding (`gpr_rs1`)
  logic [31:0] instr;     // the first encoding of the same instruction

  assign ours_o    = (instr_i[6:0] == 7'b1011011) && (instr_i[31:30] == tl_pkg::EngineId);
  assign illegal_o = ours_o && (op_o == tl_pkg::OpNone) && !(csr_o.ours && csr_o.legal);
  assign second    = (tl_pkg::GprRs1 != 0) && (instr_i[14:12] == 3'b100 ||
      (instr_i[14:12] == 3'b101 && instr_i[29]));

  // The second encoding has GPR and TLReg the other way round.
  always_comb begin
    instr = instr_i;
    if (second) begin
      instr[29]    = instr_i[29] && !instr_i[12];
      instr[14:12] = instr_i[12] ? 3'b011 : {1'b0, instr_i[29], 1'b0};
      instr[19:15] = instr_i[11:7];
      instr[11:7]  = instr_i[19:15];
    end
  end

  tl_csr_decoder #(
    .CsrOp (CsrOp)
  ) u_csr_decoder (
    .instr_i (instr_i),
    .rs_i    (rs_i),
    .csr_o   (csr_o)
  );

  always_comb begin
    op_o  = tl_pkg::OpNone;
    rd_o  = '0;
    rs1_o = '0;
    rs2_o = '0;
    gpr_o = '0;
    imm_o = instr[27:20];
    dim_o = instr[26:25];
    p_o   = instr[26:25];
    q_o   = instr[28:27];
    unique casez ({instr[31:30] ^ tl_pkg::EngineId, instr[29:0]})
      // tl.load tlrd, imm(rs)
      32'b00_0_0_????????_?????_000_?????_1011011: begin
        op_o  = tl_pkg::OpLoad;
        rd_o  = instr[19:15];
        gpr_o = instr[11:7];
        imm_o = instr[27:20];
      end
      // tl.mload tlrd, imm(rs)
      32'b00_0_1_????????_?????_000_?????_1011011: begin
        op_o  = tl_pkg::OpMload;
        rd_o  = instr[19:15];
        gpr_o = instr[11:7];
        imm_o = instr[27:20];
      end
      // tl.store tlrs, imm(rs)
      32'b00_1_0_????????_?????_010_?????_1011011: begin
        op_o  = tl_pkg::OpStore;
        rs1_o = instr[19:15];
        gpr_o = instr[11:7];
        imm_o = instr[27:20];
      end
      // tl.mstore tlrs, imm(rs)
      32'b00_1_1_????????_?????_010_?????_1011011: begin
        op_o  = tl_pkg::OpMstore;
        rs1_o = instr[19:15];
        gpr_o = instr[11:7];
        imm_o = instr[27:20];
      end
      // tl.addi tlrd, tlrs, imm
      32'b00_0_0_????????_?????_010_?????_1011011: begin
        op_o  = tl_pkg::OpAddi;
        rd_o  = instr[11:7];
        rs1_o = instr[19:15];
        imm_o = instr[27:20];
      end
      // tl.concat.d tlrd, tlrs1, tlrs2
      32'b00_000_0?_?????_?????_001_?????_1011011,
      32'b00_000_10_?????_?????_001_?????_1011011: begin
        op_o  = tl_pkg::OpConcat;
        rd_o  = instr[11:7];
        rs1_o = instr[19:15];
        rs2_o = instr[24:20];
        dim_o = instr[26:25];
      end
      // tl.merge.d tlrd, tlrs1, tlrs2
      32'b00_001_0?_?????_?????_001_?????_1011011,
      32'b00_001_10_?????_?????_001_?????_1011011: begin
        op_o  = tl_pkg::OpMerge;
        rd_o  = instr[11:7];
        rs1_o = instr[19:15];
        rs2_o = instr[24:20];
        dim_o = instr[26:25];
      end
      // tl.xpose.pq tlrs1, tlrs2, rs
      32'b00_0_??_??_?????_?????_011_?????_1011011: begin
        op_o  = tl_pkg::OpXpose;
        rs1_o = instr[19:15];
        rs2_o = instr[24:20];
        gpr_o = instr[11:7];
        p_o   = instr[26:25];
        q_o   = instr[28:27];
      end
      default: ;
    endcase
  end

endmodule
