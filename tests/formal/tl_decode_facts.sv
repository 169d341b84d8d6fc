// SPDX-License-Identifier: Apache-2.0
// What dispatch is shown: one kind of instruction, the same while it waits.
module tl_decode_facts (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_o,
  input logic               ready_i,
  input tl_pkg::issue_t     entry_o,
  input tl_pkg::decoded_t   decoded_o,
  input tl_pkg::csr_instr_t csr_o
);

  logic               running_q;
  logic               waits_q;    // it waited in the cycle before
  tl_pkg::issue_t     entry_q;
  tl_pkg::decoded_t   decoded_q;
  tl_pkg::csr_instr_t csr_q;
  logic [3:0]         kinds;

  assign kinds = {decoded_o.is_xpose, decoded_o.is_move, decoded_o.is_store, decoded_o.is_load};

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    waits_q   <= rst_ni && valid_o && !ready_i;
    entry_q   <= entry_o;
    decoded_q <= decoded_o;
    csr_q     <= csr_o;
    if (rst_ni) begin
      if (valid_o) assert ($onehot0(kinds) && (decoded_o.is_tensor == (kinds != '0)) && !(decoded_o.is_tensor && csr_o.ours));
      if (waits_q) assert (valid_o && (entry_o == entry_q) && (decoded_o == decoded_q) && (csr_o == csr_q));
    end
  end

endmodule

bind tl_decode tl_decode_facts u_facts (.*);
