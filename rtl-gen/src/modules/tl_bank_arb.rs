// SPDX-License-Identifier: Apache-2.0
//! `tl_bank_arb`: who may use the two banks in this cycle.

use crate::sv::{Module, Ty};

/// The arbiter; the same for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_bank_arb",
        "Grants the two banks to three requesters, to each all of the banks that it asks for or none. The order of \
         precedence rotates: a requester that is denied is the first of the next cycle, so nobody starves.",
    );
    m.clocked();
    m.input("valid_i", Ty::bits(2).packed(3), "banks that each requester asks for");
    m.output("gnt_o", Ty::bits(3), "");
    m.output("bank_gnt_o", Ty::bits(3).packed(2), "of each bank, the requester that has it");
    m.signal("first_q", Ty::bits(3), "the requester with the highest precedence; those behind it follow in a ring");
    m.signal("clash", Ty::bits(3), "[e]: requesters e and e + 1 want the same bank");
    m.signal("denied", Ty::bits(3), "");
    m.text(
        r#"
        // The second is denied when it clashes with the first; the third when it does so, or when it
        // clashes with a second that is granted.
        always_comb begin
          for (int unsigned e = 0; e < 3; e++) begin
            clash[e] = (valid_i[e] & valid_i[(e+1)%3]) != 2'b00;
          end
          for (int unsigned e = 0; e < 3; e++) begin
            denied[e] = (first_q[(e+2)%3] && clash[(e+2)%3]) ||
                (first_q[(e+1)%3] && (clash[e] || (clash[(e+2)%3] && !clash[(e+1)%3])));
            gnt_o[e] = (valid_i[e] != 2'b00) && !denied[e];
            for (int unsigned b = 0; b < 2; b++) begin
              bank_gnt_o[b][e] = valid_i[e][b] && !denied[e];
            end
          end
        end

        // The first is never denied.
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            first_q <= 3'b001;
          end else begin
            for (int unsigned e = 0; e < 3; e++) begin
              if (denied[e] && (first_q[(e+2)%3] || !denied[(e+2)%3])) begin
                first_q    <= '0;
                first_q[e] <= 1'b1;
              end
            end
          end
        end
        "#,
    );
    m
}
