// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose_rows`: the order in which the transpose engine reads or writes rows.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_xpose_rows",
        "Walks the rows of an operation in the order of its plan: the bits of the row index are those of a counter, \
         permuted. When the counter goes up its bits 0 to t change, and so do t + 1 bits of the row index: mask t of \
         the plan has them. Mask t is needed when the count is 2^t - 1, so a plan may be written while the walk is on.",
    );
    m.clocked();
    m.group("Plan, for an operation in each slot.");
    m.input("we_i", Ty::bit(), "");
    m.input("wslot_i", Ty::named("xpose_slot_t"), "");
    m.input("wbit_i", Ty::named("xpose_step_t"), "count bit t");
    m.input("wmask_i", Ty::bits("XposeRowW"), "bits of the row index that count bits 0 to t are");
    m.group("Walk. The slots take turns.");
    m.input("step_i", Ty::bit(), "");
    m.output("count_o", Ty::bits("XposeRowW"), "");
    m.output("row_o", Ty::bits("XposeRowW"), "");
    m.signal("slot_q", Ty::named("xpose_slot_t"), "");
    m.signal("carry", Ty::named("xpose_step_t"), "the highest count bit that changes");
    m.text(
        r#"
        logic [XposeRowW-1:0] masks [2**(XposeSlotW+XposeStepW)];

        // Bits of the count that are set, from bit 0 on. Behind the last row all change.
        always_comb begin
          carry = XposeStepW'(XposeRowW - 1);
          for (int unsigned j = XposeRowW - 1; j > 0; j--) begin
            if (!count_o[j-1]) carry = XposeStepW'(j - 1);
          end
        end

        always_ff @(posedge clk_i) begin
          if (we_i) masks[{wslot_i, wbit_i}] <= wmask_i;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            slot_q  <= '0;
            count_o <= '0;
            row_o   <= '0;
          end else if (step_i) begin
            if (&count_o) slot_q <= slot_q + 1'b1;
            count_o <= count_o + 1'b1;
            row_o   <= row_o ^ masks[{slot_q, carry}];
          end
        end
        "#,
    );
    m
}
