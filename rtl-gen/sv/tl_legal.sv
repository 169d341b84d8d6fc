// SPDX-License-Identifier: Apache-2.0

// Decides whether a tensor instruction is legal with the current CSRs. Purely combinational. Used
// by tl_dispatch, and by an adapter that has to know earlier.
module tl_legal (
  input  tl_pkg::op_e      op_i,        // tl.addi, tl.concat and so on
  input  logic [1:0]       dim_i,       // of concat and merge
  input  logic             powers_i,    // of tl.xpose: see tl_xpose_sizes
  input  logic [1:0][3:0]  log2_sum_i,  // of tl.xpose: see tl_xpose_sizes
  input  tl_pkg::meaning_t meaning_i,   // has to be settled
  output logic             legal_o      // op_i is a tensor instruction, and legal
);

  // log2 of the nibbles of two registers
  localparam int unsigned Log2Nibbles = $clog2(4 * tl_pkg::RegBytes);

  logic       merge_ok;
  logic       concat_ok;
  logic       log2_ok;   // the tensor of tl.xpose fills both registers
  logic [4:0] log2_sum;  // log2 of its elements
  logic       unused_settled;

  assign log2_sum       = 5'(log2_sum_i[0]) + 5'(log2_sum_i[1]);
  assign unused_settled = meaning_i.settled;

  always_comb begin
    log2_ok = 1'b0;
    for (int unsigned e = 0; e < 4; e++) begin
      if (meaning_i.ewidth == tl_pkg::ewidth_t'(e) && log2_sum == 5'(Log2Nibbles - e)) begin
        log2_ok = 1'b1;
      end
    end
  end

  always_comb begin
    unique case (dim_i)
      2'd0:    {merge_ok, concat_ok} = {meaning_i.merge_ok[0], meaning_i.concat_ok[0]};
      2'd1:    {merge_ok, concat_ok} = {meaning_i.merge_ok[1], meaning_i.concat_ok[1]};
      default: {merge_ok, concat_ok} = {meaning_i.merge_ok[2], meaning_i.concat_ok[2]};
    endcase
    unique case (op_i)
      tl_pkg::OpLoad:   legal_o = meaning_i.ls_ok[0];
      tl_pkg::OpMload:  legal_o = meaning_i.ls_ok[0] && meaning_i.mask_init[0];
      tl_pkg::OpStore:  legal_o = meaning_i.ls_ok[1];
      tl_pkg::OpMstore: legal_o = meaning_i.ls_ok[1] && meaning_i.mask_init[1];
      tl_pkg::OpConcat: legal_o = concat_ok;
      tl_pkg::OpMerge:  legal_o = merge_ok;
      tl_pkg::OpXpose:  legal_o = meaning_i.type_ok && powers_i && log2_ok;
      default:  legal_o = tl_pkg::SumOps[op_i] && meaning_i.int_type;
    endcase
  end

endmodule
