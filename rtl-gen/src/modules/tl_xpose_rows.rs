// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose_rows`: the rows that belong to a count of the transpose engine.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_xpose_rows",
        "The input row that is read at a count, and the output row that is written at the same count of the output. \
         Both are permutations of the count.",
    );
    m.input("count_i", Ty::bits("XposeRowW"), "");
    m.input("row_swap_i", Ty::bits("XposeRowW").packed("XposeRowSwaps"), "pairs of count bits");
    m.input("row_src_i", Ty::bits("XposeBitW").packed("XposeRowW"), "bits of {in_row_o, flip_i}");
    m.input("flip_i", Ty::bits("GranLaneW"), "count bits that are exchanged, at their lane bits");
    m.output("in_row_o", Ty::bits("XposeRowW"), "");
    m.output("out_row_o", Ty::bits("XposeRowW"), "");
    m.signal("address", Ty::bits("XposeW"), "");
    m.text(
        r#"
        // The bits of a pair trade places when they differ; the pairs are disjoint.
        always_comb begin
          in_row_o = count_i;
          for (int unsigned s = 0; s < XposeRowSwaps; s++) begin
            if (^(count_i & row_swap_i[s])) in_row_o = in_row_o ^ row_swap_i[s];
          end
        end

        assign address = {in_row_o, flip_i};

        always_comb begin
          for (int unsigned i = 0; i < XposeRowW; i++) begin
            out_row_o[i] = address[row_src_i[i]];
          end
        end
        "#,
    );
    m
}
