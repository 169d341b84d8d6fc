// SPDX-License-Identifier: Apache-2.0

// Decodes one instruction word. Purely combinational. Registers that an instruction does not have
// are 0.
module tl_decoder (
  input  logic [31:0] instr_i,
  output logic        ours_o,     // opcode custom-2 and our EngineID
  output logic        illegal_o,  // ours, but no instruction
  output tl_pkg::op_e op_o,
  output logic [4:0]  rd_o,       // TLReg written
  output logic [4:0]  rs1_o,      // first TLReg read
  output logic [4:0]  rs2_o,      // second TLReg read
  output logic [4:0]  gpr_o,      // GPR named by bits 11:7
  output logic [7:0]  imm_o,      // signed immediate, of any instruction
  output logic [1:0]  dim_o,      // dimension of concat and merge, of any instruction
  output logic [1:0]  p_o,        // dim0 of xpose, of any instruction
  output logic [1:0]  q_o         // dim1 of xpose, of any instruction
);

  assign ours_o    = (instr_i[6:0] == 7'b1011011) && (instr_i[31:30] == tl_pkg::EngineId);
  assign illegal_o = ours_o && (op_o == tl_pkg::OpNone);

  always_comb begin
    op_o  = tl_pkg::OpNone;
    rd_o  = '0;
    rs1_o = '0;
    rs2_o = '0;
    gpr_o = '0;
    imm_o = instr_i[27:20];
    dim_o = instr_i[26:25];
    p_o   = instr_i[26:25];
    q_o   = instr_i[28:27];
    unique casez ({instr_i[31:30] ^ tl_pkg::EngineId, instr_i[29:0]})
      // tl.load tlrd, imm(rs)
      32'b00_0_0_????????_?????_000_?????_1011011: begin
        op_o  = tl_pkg::OpLoad;
        rd_o  = instr_i[19:15];
        gpr_o = instr_i[11:7];
        imm_o = instr_i[27:20];
      end
      // tl.mload tlrd, imm(rs)
      32'b00_0_1_????????_?????_000_?????_1011011: begin
        op_o  = tl_pkg::OpMload;
        rd_o  = instr_i[19:15];
        gpr_o = instr_i[11:7];
        imm_o = instr_i[27:20];
      end
      // tl.store tlrs, imm(rs)
      32'b00_1_0_????????_?????_010_?????_1011011: begin
        op_o  = tl_pkg::OpStore;
        rs1_o = instr_i[19:15];
        gpr_o = instr_i[11:7];
        imm_o = instr_i[27:20];
      end
      // tl.mstore tlrs, imm(rs)
      32'b00_1_1_????????_?????_010_?????_1011011: begin
        op_o  = tl_pkg::OpMstore;
        rs1_o = instr_i[19:15];
        gpr_o = instr_i[11:7];
        imm_o = instr_i[27:20];
      end
      // tl.addi tlrd, tlrs, imm
      32'b00_0_0_????????_?????_010_?????_1011011: begin
        op_o  = tl_pkg::OpAddi;
        rd_o  = instr_i[11:7];
        rs1_o = instr_i[19:15];
        imm_o = instr_i[27:20];
      end
      // tl.concat.d tlrd, tlrs1, tlrs2
      32'b00_000_0?_?????_?????_001_?????_1011011,
      32'b00_000_10_?????_?????_001_?????_1011011: begin
        op_o  = tl_pkg::OpConcat;
        rd_o  = instr_i[11:7];
        rs1_o = instr_i[19:15];
        rs2_o = instr_i[24:20];
        dim_o = instr_i[26:25];
      end
      // tl.merge.d tlrd, tlrs1, tlrs2
      32'b00_001_0?_?????_?????_001_?????_1011011,
      32'b00_001_10_?????_?????_001_?????_1011011: begin
        op_o  = tl_pkg::OpMerge;
        rd_o  = instr_i[11:7];
        rs1_o = instr_i[19:15];
        rs2_o = instr_i[24:20];
        dim_o = instr_i[26:25];
      end
      // tl.xpose.pq tlrs1, tlrs2, rs
      32'b00_0_??_??_?????_?????_011_?????_1011011: begin
        op_o  = tl_pkg::OpXpose;
        rs1_o = instr_i[19:15];
        rs2_o = instr_i[24:20];
        gpr_o = instr_i[11:7];
        p_o   = instr_i[26:25];
        q_o   = instr_i[28:27];
      end
      default: ;
    endcase
  end

endmodule
