// SPDX-License-Identifier: Apache-2.0
// Fair and safe: each bank has one owner at most, a grant is all that was asked for, and a requester that keeps asking waits
// two cycles at most.
module tl_bank_arb_facts (
  input logic            clk_i,
  input logic            rst_ni,
  input logic [2:0][1:0] valid_i,
  input logic [2:0]      gnt_o,
  input logic [1:0][2:0] bank_gnt_o
);

  logic            running_q;
  logic [2:0][1:0] waits_q;   // cycles in which it was denied, one behind the other
  logic [1:0]      asked;     // somebody asks for the bank

  initial running_q = 1'b0;

  always_comb begin
    asked = '0;
    for (int unsigned e = 0; e < 3; e++) asked |= valid_i[e];
  end

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    for (int unsigned e = 0; e < 3; e++) begin
      if (!rst_ni || gnt_o[e] || (valid_i[e] == '0)) waits_q[e] <= '0;
      else waits_q[e] <= waits_q[e] + 2'd1;
    end
    if (rst_ni) begin
      for (int unsigned b = 0; b < 2; b++) assert ($onehot0(bank_gnt_o[b]));
      for (int unsigned e = 0; e < 3; e++) begin
        assert ({bank_gnt_o[1][e], bank_gnt_o[0][e]} == (gnt_o[e] ? valid_i[e] : 2'b00));
        if (gnt_o[e]) assert (valid_i[e] != '0);
        if (waits_q[e] == 2'd2) assert (gnt_o[e] || (valid_i[e] == '0));
      end
      if (asked != '0) assert (gnt_o != '0);
      // Why.
      assert ($onehot(tl_bank_arb.first_q));
    end
  end

endmodule

bind tl_bank_arb tl_bank_arb_facts u_facts (.*);
