// SPDX-License-Identifier: Apache-2.0
//! `tl_bank_arb`: who may use the two banks in this cycle.

use crate::sv::{Module, Ty};

/// The arbiter; the same for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_bank_arb",
        "Grants the two banks to three requesters. Requesters 1 and 2 get all of the banks that they ask for or none, \
         and take turns where they clash. Requester 0 has a queue for each bank and gets what they leave, so an engine \
         that stays in one bank for many rows holds nobody up as long as the queues last. When it has waited for a bank \
         it goes before the others once; who is denied for that is not denied for it again in the next cycle.",
    );
    m.clocked();
    m.input("valid_i", Ty::bits(2).packed(3), "banks that each requester asks for");
    m.output("gnt_o", Ty::bits(2).packed(3), "banks that each requester has");
    m.signal("waited_q", Ty::bits(4).packed(2), "cycles in which requester 0 was denied the bank");
    m.signal("urgent_q", Ty::bits(2), "they are 16 or more");
    m.signal("first_q", Ty::bits(2), "banks that requester 0 gets before the others");
    m.signal("second_q", Ty::bit(), "requester 2 goes before requester 1");
    m.signal("yields", Ty::bits(2), "[0] requester 1, [1] requester 2 is denied for that");
    m.signal("asks", Ty::bits(2), "is not denied for that");
    m.signal("clash", Ty::bit(), "");
    m.signal("late", Ty::bits(2), "banks that requester 0 has waited for long enough");
    m.text(
        r#"
        assign clash = (valid_i[1] & valid_i[2]) != 2'b00;

        always_comb begin
          for (int unsigned e = 0; e < 2; e++) begin
            yields[e] = (valid_i[e+1] & first_q) != 2'b00;
            asks[e]   = (valid_i[e+1] != 2'b00) && !yields[e];
          end
          gnt_o[1] = valid_i[1] & {2{asks[0] && !(clash && asks[1] && second_q)}};
          gnt_o[2] = valid_i[2] & {2{asks[1] && !(clash && asks[0] && !second_q)}};
          gnt_o[0] = valid_i[0] & ~(gnt_o[1] | gnt_o[2]);
          for (int unsigned b = 0; b < 2; b++) begin
            late[b] = valid_i[0][b] && !gnt_o[0][b] && (urgent_q[b] || (&waited_q[b]));
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            second_q <= 1'b0;
          end else if (clash && asks == 2'b11) begin
            second_q <= !second_q;
          end
        end

        // In reset nobody asks.
        always_ff @(posedge clk_i) begin
          urgent_q <= late;
          first_q  <= late & {2{yields == 2'b00}};
          for (int unsigned b = 0; b < 2; b++) begin
            waited_q[b] <= (valid_i[0][b] && !gnt_o[0][b]) ? waited_q[b] + 1'b1 : '0;
          end
        end
        "#,
    );
    m
}
