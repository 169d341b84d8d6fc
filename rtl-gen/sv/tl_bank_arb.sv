// SPDX-License-Identifier: Apache-2.0

// Grants the two banks to three requesters. Requesters 1 and 2 get all banks that they request, or
// none; where they clash they alternate. Requester 0 has a queue for each bank and gets the banks
// that the others leave. An engine that stays in one bank for many rows therefore delays no other
// engine until the queues are full. A requester 0 that has waited for a bank has priority once. The
// requester that is denied for that is not denied again in the next cycle.
module tl_bank_arb #(
  // 0: requester 2 is never denied. It must not stay in one bank.
  parameter int unsigned Denies = 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,   // asynchronous assert, synchronous release
  input  logic [2:0][1:0] valid_i,  // banks that each requester asks for
  output logic [2:0][1:0] gnt_o     // banks that each requester has
);

  logic [1:0][3:0] waited_q;  // cycles in which requester 0 was denied the bank
  logic [1:0]      urgent_q;  // they are 16 or more
  logic [1:0]      first_q;   // banks that requester 0 gets before the others
  logic            second_q;  // requester 2 goes before requester 1
  logic            second;
  logic [1:0]      yields;    // [0] requester 1, [1] requester 2 is denied for that
  logic [1:0]      asks;      // is not denied for that
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
