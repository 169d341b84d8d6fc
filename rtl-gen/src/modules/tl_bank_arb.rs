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
    m.signal("first_q", Ty::bits(2), "requester with the highest precedence");
    m.signal("order", Ty::bits(2).packed(3), "requesters in the order of this cycle");
    m.signal("used", Ty::bits(2), "banks taken so far");
    m.signal("clash", Ty::bit(), "");
    m.signal("denied", Ty::bits(2), "in the second and in the third step");
    m.text(
        r#"
        always_comb begin
          unique case (first_q)
            2'd1:    order = {2'd0, 2'd2, 2'd1};
            2'd2:    order = {2'd1, 2'd0, 2'd2};
            default: order = {2'd2, 2'd1, 2'd0};
          endcase
        end

        always_comb begin
          gnt_o  = '0;
          used   = '0;
          denied = '0;
          clash  = 1'b0;
          for (int unsigned s = 0; s < 3; s++) begin
            clash           = (valid_i[order[s]] & used) != 2'b00;
            gnt_o[order[s]] = (valid_i[order[s]] != 2'b00) && !clash;
            denied          = {clash, denied[1]};
            if (!clash) used = used | valid_i[order[s]];
          end
        end

        // The first step is never denied.
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            first_q <= '0;
          end else if (denied[0]) begin
            first_q <= order[1];
          end else if (denied[1]) begin
            first_q <= order[2];
          end
        end
        "#,
    );
    m
}
