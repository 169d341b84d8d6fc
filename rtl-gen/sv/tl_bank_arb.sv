// SPDX-License-Identifier: Apache-2.0

// Grants the two banks to three requesters, in the same cycle. Requesters 1 and 2 get all banks
// that they request, or none; when both request the same bank, they alternate. Requester 0 has a
// queue for each bank and gets the banks that the others leave. An engine that stays in one bank
// for many rows therefore delays no other engine until the queues are full. When requester 0 was
// denied a bank in 16 consecutive cycles, it has priority there in the next cycle. A requester that
// loses a cycle to this priority does not lose the next cycle to it.
module tl_bank_arb #(
  // 0: requester 2 is never denied. It must not stay in one bank.
  parameter int unsigned Denies = 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,   // asynchronous assert, synchronous release
  input  logic [2:0][1:0] valid_i,  // banks that each requester asks for
  output logic [2:0][1:0] gnt_o     // banks that each requester has
);

  logic [1:0][3:0] waited_q;  // consecutive cycles without a grant for requester 0, modulo 16
  logic [1:0]      urgent_q;  // requester 0 was denied the bank 16 times or more
  logic [1:0]      first_q;   // banks in which requester 0 has priority
  logic            second_q;  // requester 2 goes before requester 1
  logic            second;
  logic [1:0]      yields;    // requester 1 [0] or 2 [1] is denied because of that priority
  logic [1:0]      asks;      // it requests, and is not denied so
  logic            clash;
  logic [1:0]      overdue;   // banks that requester 0 has waited for long enough

  assign clash  = (valid_i[1] & valid_i[2]) != 2'b00;
  assign second = second_q || (Denies == 0);

  always_comb begin
    for (int unsigned e = 0; e < 2; e++) begin
      yields[e] = (e == 0 || Denies != 0) && ((valid_i[e+1] & first_q) != 2'b00);
      asks[e]   = (valid_i[e+1] != 2'b00) && !yields[e];
    end
    gnt_o[1] = valid_i[1] & {2{asks[0] && !(clash && asks[1] && second)}};
    gnt_o[2] = valid_i[2] & {2{asks[1] && !(clash && asks[0] && !second)}};
    gnt_o[0] = valid_i[0] & ~(gnt_o[1] | gnt_o[2]);
    for (int unsigned b = 0; b < 2; b++) begin
      overdue[b] = valid_i[0][b] && !gnt_o[0][b] && (urgent_q[b] || (&waited_q[b]));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
    end else if (clash && asks == 2'b11) begin
      second_q <= !second_q;
    end
  end

  // No reset: there are no requests during reset.
  always_ff @(posedge clk_i) begin
    urgent_q <= overdue;
    first_q  <= overdue & {2{yields == 2'b00}};
    for (int unsigned b = 0; b < 2; b++) begin
      waited_q[b] <= (valid_i[0][b] && !gnt_o[0][b]) ? waited_q[b] + 1'b1 : '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert ((gnt_o & ~valid_i) == '0)
      else $error("tl_bank_arb: a grant that nobody asked for");
      assert (((gnt_o[0] & gnt_o[1]) | (gnt_o[0] & gnt_o[2]) | (gnt_o[1] & gnt_o[2])) == 2'b00)
      else $error("tl_bank_arb: a bank has two owners");
      assert ((gnt_o[1] == 2'b00 || gnt_o[1] == valid_i[1]) &&
          (gnt_o[2] == 2'b00 || gnt_o[2] == valid_i[2]))
      else $error("tl_bank_arb: requester 1 or 2 got one of two banks");
    end
  end
`endif

endmodule
