// SPDX-License-Identifier: Apache-2.0

// Decodes one matrix instruction word. Purely combinational.
module tl_mx_decoder (
  input  logic [31:0]      instr_i,
  output logic             ours_o,     // opcode custom-1
  output logic             illegal_o,  // the word is ours, but no instruction
  output tl_pkg::mx_op_e   op_o,       // load, store, or setting a size
  output tl_pkg::mx_form_e form_o,     // matrix A, B or C: says which tile sizes apply
  output logic             trans_o,    // the lines in memory are the columns of the tile
  // log2 of the bytes of an element; without meaning unless a load or store
  output logic [1:0]       d_size_o,
  // tr0 to tr3, acc0 to acc3; without meaning unless a load or store
  output logic [2:0]       md_o,
  output logic             use_imm_o,  // the tile size is imm_o, not x[rs1]
  output logic [9:0]       imm_o       // tile size; without meaning unless use_imm_o
);

  assign ours_o    = instr_i[6:0] == 7'b0101011;
  assign illegal_o = ours_o && (op_o == tl_pkg::MxNone);

  always_comb begin
    op_o      = tl_pkg::MxNone;
    form_o    = tl_pkg::MxA;
    trans_o   = 1'b0;
    d_size_o  = instr_i[11:10];
    md_o      = instr_i[9:7];
    use_imm_o = 1'b0;
    imm_o     = instr_i[24:15];
    unique casez (instr_i)
      // mlae8/16/32 tr, (rs1), rs2
      32'b0000_01_0_?????_?????_000_0?_0??_0101011,
      32'b0000_01_0_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxLoad;
        form_o    = tl_pkg::MxA;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // mlbe8/16/32 tr, (rs1), rs2
      32'b0001_01_0_?????_?????_000_0?_0??_0101011,
      32'b0001_01_0_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxLoad;
        form_o    = tl_pkg::MxB;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // mlce8/16/32 acc, (rs1), rs2
      32'b0010_01_0_?????_?????_000_0?_1??_0101011,
      32'b0010_01_0_?????_?????_000_10_1??_0101011: begin
        op_o      = tl_pkg::MxLoad;
        form_o    = tl_pkg::MxC;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // mlate8/16/32 tr, (rs1), rs2
      32'b0100_01_0_?????_?????_000_0?_0??_0101011,
      32'b0100_01_0_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxLoad;
        form_o    = tl_pkg::MxA;
        trans_o   = 1'b1;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // mlbte8/16/32 tr, (rs1), rs2
      32'b0101_01_0_?????_?????_000_0?_0??_0101011,
      32'b0101_01_0_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxLoad;
        form_o    = tl_pkg::MxB;
        trans_o   = 1'b1;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // mlcte8/16/32 acc, (rs1), rs2
      32'b0110_01_0_?????_?????_000_0?_1??_0101011,
      32'b0110_01_0_?????_?????_000_10_1??_0101011: begin
        op_o      = tl_pkg::MxLoad;
        form_o    = tl_pkg::MxC;
        trans_o   = 1'b1;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // msae8/16/32 tr, (rs1), rs2
      32'b0000_01_1_?????_?????_000_0?_0??_0101011,
      32'b0000_01_1_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxStore;
        form_o    = tl_pkg::MxA;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // msbe8/16/32 tr, (rs1), rs2
      32'b0001_01_1_?????_?????_000_0?_0??_0101011,
      32'b0001_01_1_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxStore;
        form_o    = tl_pkg::MxB;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // msce8/16/32 acc, (rs1), rs2
      32'b0010_01_1_?????_?????_000_0?_1??_0101011,
      32'b0010_01_1_?????_?????_000_10_1??_0101011: begin
        op_o      = tl_pkg::MxStore;
        form_o    = tl_pkg::MxC;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // msate8/16/32 tr, (rs1), rs2
      32'b0100_01_1_?????_?????_000_0?_0??_0101011,
      32'b0100_01_1_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxStore;
        form_o    = tl_pkg::MxA;
        trans_o   = 1'b1;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // msbte8/16/32 tr, (rs1), rs2
      32'b0101_01_1_?????_?????_000_0?_0??_0101011,
      32'b0101_01_1_?????_?????_000_10_0??_0101011: begin
        op_o      = tl_pkg::MxStore;
        form_o    = tl_pkg::MxB;
        trans_o   = 1'b1;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // mscte8/16/32 acc, (rs1), rs2
      32'b0110_01_1_?????_?????_000_0?_1??_0101011,
      32'b0110_01_1_?????_?????_000_10_1??_0101011: begin
        op_o      = tl_pkg::MxStore;
        form_o    = tl_pkg::MxC;
        trans_o   = 1'b1;
        d_size_o  = instr_i[11:10];
        md_o      = instr_i[9:7];
      end
      // msettileki imm10
      32'b0001_00_0_?????_?????_000_00_000_0101011: begin
        op_o      = tl_pkg::MxSetK;
        use_imm_o = 1'b1;
        imm_o     = instr_i[24:15];
      end
      // msettilemi imm10
      32'b0010_00_0_?????_?????_000_00_000_0101011: begin
        op_o      = tl_pkg::MxSetM;
        use_imm_o = 1'b1;
        imm_o     = instr_i[24:15];
      end
      // msettileni imm10
      32'b0011_00_0_?????_?????_000_00_000_0101011: begin
        op_o      = tl_pkg::MxSetN;
        use_imm_o = 1'b1;
        imm_o     = instr_i[24:15];
      end
      // msettilek rs1
      32'b0001_00_1_00000_?????_000_00_000_0101011: begin
        op_o      = tl_pkg::MxSetK;
      end
      // msettilem rs1
      32'b0010_00_1_00000_?????_000_00_000_0101011: begin
        op_o      = tl_pkg::MxSetM;
      end
      // msettilen rs1
      32'b0011_00_1_00000_?????_000_00_000_0101011: begin
        op_o      = tl_pkg::MxSetN;
      end
      // mrelease
      32'b0000_00_0_00000_00000_000_00_000_0101011: begin
        op_o      = tl_pkg::MxRelease;
      end
      default: ;
    endcase
  end

endmodule
