// SPDX-License-Identifier: Apache-2.0
// The sum of tl.addi, by docs/isa.md: of any row, element type and immediate, an element of it, any one.
module tl_addi_spec
  import tl_spec_pkg::*;
(
  input logic                       clk_i,
  input logic                       valid_i,
  input logic [tl_pkg::RowBits-1:0] row_i,
  input tl_pkg::ewidth_t            ewidth_i,
  input tl_pkg::addend_t            imm_i,
  input logic [tl_pkg::RowBits-1:0] row_o
);

  logic [$clog2(tl_pkg::RowBits)-1:0] any_bit;  // free

  logic                               began_q;
  logic [$clog2(tl_pkg::RowBits)-1:0] bit_q;    // the lowest bit of the element
  logic [31:0]                        mask;     // of an element
  logic [31:0]                        mask_q;
  logic [31:0]                        sum_q;

  assign mask = ~({32{1'b1}} << (4 << ewidth_i));

  initial began_q = 1'b0;

  always_ff @(posedge clk_i) begin
    began_q <= 1'b1;
    bit_q   <= any_bit;
    mask_q  <= mask;
    sum_q   <= valid_i ? addi(32'(row_i >> any_bit) & mask, imm_i, ewidth_i) : '0;
    assume ((32'(any_bit) % (4 << ewidth_i)) == 0);
    // tl_dispatch: a legal type.
    assume (tl_pkg::WidthMask[ewidth_i]);
    if (began_q) assert ((32'(row_o >> bit_q) & mask_q) == sum_q);
  end

endmodule

bind tl_addi_row tl_addi_spec u_spec (.*);
