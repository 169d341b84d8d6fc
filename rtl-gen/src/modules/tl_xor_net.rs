// SPDX-License-Identifier: Apache-2.0
//! `tl_xor_net`: an XOR butterfly over the granules of a row.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new("tl_xor_net", "XOR butterfly: granule g of the result is granule g ^ flip_i of the row.");
    let row = Ty::bits("Gran").packed("GranLanes");
    m.input("flip_i", Ty::bits("GranLaneW"), "");
    m.input("row_i", row.clone(), "");
    m.output("row_o", row.clone(), "");
    m.signal("prev", row, "the row before a layer");
    m.text(
        r#"
        always_comb begin
          row_o  = row_i;
          prev = row_i;
          for (int unsigned i = 0; i < GranLaneW; i++) begin
            prev = row_o;
            for (int unsigned g = 0; g < GranLanes; g++) begin
              row_o[g] = flip_i[i] ? prev[g^(1<<i)] : prev[g];
            end
          end
        end
        "#,
    );
    m
}
