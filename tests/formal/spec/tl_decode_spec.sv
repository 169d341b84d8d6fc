// SPDX-License-Identifier: Apache-2.0
// What a word of the unit's opcode means, by the tables of docs/isa.md: of any word and any operand of the host.
module tl_decode_spec
  import tl_spec_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_o,
  input tl_pkg::issue_t     entry_o,
  input tl_pkg::decoded_t   decoded_o,
  input tl_pkg::csr_instr_t csr_o,
  input tl_pkg::mx_instr_t  mx_o
);

  logic        ours;
  tensor_t     does;
  tl_pkg::op_e op;
  logic        powers;  // each size of tl.xpose is a power of two

  assign ours = (entry_o.instr[6:0] == 7'b1011011) && (entry_o.instr[31:30] == tl_pkg::EngineId) &&
      !csr_op(entry_o.instr, '0).ours;
  assign does = ours ? tensor_of(entry_o.instr) : '{op: Undefined, default: '0};

  always_comb begin
    unique case (does.op)
      Load:    op = does.masked ? tl_pkg::OpMload : tl_pkg::OpLoad;
      Store:   op = does.masked ? tl_pkg::OpMstore : tl_pkg::OpStore;
      Addi:    op = tl_pkg::OpAddi;
      Concat:  op = tl_pkg::OpConcat;
      Merge:   op = tl_pkg::OpMerge;
      Xpose:   op = tl_pkg::OpXpose;
      default: op = tl_pkg::OpNone;
    endcase
    powers = 1'b1;
    for (int unsigned i = 0; i < 4; i++) if ($countones(entry_o.rs[8*i+:8]) != 1) powers = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && valid_o) begin
      assert ((decoded_o.op == op) && (decoded_o.is_tensor == (does.op != Undefined)));
      assert ((decoded_o.is_load == (does.op == Load)) && (decoded_o.is_store == (does.op == Store)));
      assert (decoded_o.is_move == (does.op inside {Addi, Concat, Merge}));
      assert ((decoded_o.is_xpose == (does.op == Xpose)) && (decoded_o.masked == does.masked));
      if (ours) assert (!csr_o.ours && !mx_o.ours && (decoded_o.at_once == (does.op == Undefined)));
      if (does.op inside {Load, Store, Addi}) assert (decoded_o.imm == does.imm8);
      if (does.op inside {Concat, Merge}) assert (decoded_o.dim == does.d);
      // Registers. The first result of tl.xpose is tlrs1, the second tlrs2.
      if (does.op inside {Load, Addi, Concat, Merge}) assert (decoded_o.rd == does.rd);
      if (does.op inside {Store, Addi, Concat, Merge, Xpose}) assert (decoded_o.rs1 == does.rs1);
      if (does.op inside {Concat, Merge, Xpose}) assert (decoded_o.rs2 == does.rs2);
      if (does.op == Store) assert (decoded_o.rd == '0);
      // Sizes of tl.xpose: with a legal product, which is a power of two, each size is one.
      if (does.op == Xpose) begin
        assert ((decoded_o.rd == does.rs1) && (decoded_o.p == does.d) && (decoded_o.q == does.q));
        assert (decoded_o.powers == (powers && !entry_o.rs[0] && (does.rs1 != does.rs2)));
        for (int unsigned i = 0; i < 4; i++) begin
          if (powers) assert (8'd1 << decoded_o.log2_size[i] == entry_o.rs[8*i+:8]);
        end
      end
    end
  end

endmodule

bind tl_decode tl_reset_spec u_reset (.*);
bind tl_decode tl_decode_spec u_spec (.*);
