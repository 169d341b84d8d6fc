// SPDX-License-Identifier: Apache-2.0
// Fair and safe: each bank has one owner at most, requesters 1 and 2 get all that they ask for or nothing, and who keeps asking
// waits three cycles at most, two for one bank that it keeps asking for; requester 0, for a bank, seventeen. Where requester 2 is
// never denied, it has what it asks for, and the others have no such bound.
module tl_bank_arb_facts #(
  parameter int unsigned Denies = 1
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic [2:0][1:0] valid_i,
  input logic [2:0][1:0] gnt_o
);

  logic            running_q;
  logic [1:0][4:0] bank_waits_q;   // cycles in which requester 0 was denied the bank, one behind the other
  logic [2:1][2:0] waits_q;        // the same of the others
  logic [2:1][1:0] same_waits_q;   // with the same request for one bank
  logic [2:1][1:0] request_q;
  logic [2:1]      denied;
  logic [1:0]      owned;          // somebody has the bank

  initial running_q = 1'b0;

  always_comb begin
    owned = '0;
    for (int unsigned e = 0; e < 3; e++) owned |= gnt_o[e];
    for (int unsigned e = 1; e < 3; e++) denied[e] = (valid_i[e] != '0) && (gnt_o[e] == '0);
  end

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    // Requests come from flip-flops with a reset.
    if (!rst_ni) assume (valid_i == '0);
    for (int unsigned e = 1; e < 3; e++) begin
      if (!rst_ni || !denied[e]) waits_q[e] <= '0;
      else waits_q[e] <= waits_q[e] + 3'd1;
      if (!rst_ni || !denied[e] || !$onehot(valid_i[e])) same_waits_q[e] <= '0;
      else same_waits_q[e] <= (valid_i[e] == request_q[e]) ? same_waits_q[e] + 2'd1 : 2'd1;
      request_q[e] <= valid_i[e];
    end
    for (int unsigned b = 0; b < 2; b++) begin
      if (!rst_ni || !valid_i[0][b] || gnt_o[0][b]) bank_waits_q[b] <= '0;
      else bank_waits_q[b] <= bank_waits_q[b] + 5'd1;
    end
    if (rst_ni) begin
      if (Denies == 0) assert (gnt_o[2] == valid_i[2]);
      for (int unsigned b = 0; b < 2; b++) begin
        assert ($onehot0({gnt_o[2][b], gnt_o[1][b], gnt_o[0][b]}));
        if ((Denies != 0) && (bank_waits_q[b] == 5'd17)) assert (!valid_i[0][b] || gnt_o[0][b]);
      end
      for (int unsigned e = 0; e < 3; e++) assert ((gnt_o[e] & ~valid_i[e]) == '0);
      for (int unsigned e = 1; e < 3; e++) begin
        assert ((gnt_o[e] == valid_i[e]) || (gnt_o[e] == '0));
        if (Denies != 0) begin
          if (waits_q[e] == 3'd3) assert (!denied[e]);
          assert (same_waits_q[e] <= 2'd2);
          if ((same_waits_q[e] == 2'd2) && (valid_i[e] == request_q[e])) assert (!denied[e]);
        end
      end
      if ((valid_i != '0) && ((tl_bank_arb.first_q & ~valid_i[0]) == '0)) assert (owned != '0);
      // Why.
      for (int unsigned b = 0; (b < 2) && (Denies != 0); b++) begin
        assert (bank_waits_q[b] <= 5'd17);
        assert (tl_bank_arb.urgent_q[b] == (bank_waits_q[b] >= 5'd16));
        assert (tl_bank_arb.waited_q[b] == bank_waits_q[b][3:0]);
        if (tl_bank_arb.first_q[b]) assert (tl_bank_arb.urgent_q[b]);
        if (bank_waits_q[b] == 5'd17) assert (tl_bank_arb.first_q[b]);
      end
    end
  end

endmodule

bind tl_bank_arb tl_bank_arb_facts #(.Denies (Denies)) u_facts (.*);
