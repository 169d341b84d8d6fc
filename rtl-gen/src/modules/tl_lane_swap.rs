// SPDX-License-Identifier: Apache-2.0
//! `tl_lane_swap`: permutes the bits of the lane index of a row.

use super::tl_xpose_plan::Geometry;
use crate::Config;
use crate::sv::{Module, Ty};

/// The module for `config`.
pub fn module(config: &Config) -> Module {
    let (low, high) = Geometry::new(config).network_digits();
    let mut m = Module::new(
        "tl_lane_swap",
        "Permutes the bits of the lane index: layer s swaps two of them when swap_i[s] is set, so that half of the \
         granules change places. Digit s of the two constants names the bits; tl_xpose_plan has the same network.",
    );
    let row = Ty::bits("Gran").packed("GranLanes");
    m.input("swap_i", Ty::bits("XposeLaneSwaps"), "");
    m.input("row_i", row.clone(), "");
    m.output("row_o", row.clone(), "");
    m.text(&format!(
        "
        localparam logic [4*XposeLaneSwaps-1:0] LowBit  = {low};
        localparam logic [4*XposeLaneSwaps-1:0] HighBit = {high};
        "
    ));
    m.signal("prev", row, "the row before a layer");
    m.text(
        r#"
        // The granule that lane g has after two bits of the lane index are swapped.
        function automatic int unsigned swapped(int unsigned g, int unsigned low, int unsigned high);
          swapped = (((g >> low) ^ (g >> high)) & 1) == 1 ? g ^ (1 << low) ^ (1 << high) : g;
        endfunction

        always_comb begin
          row_o  = row_i;
          prev = row_i;
          for (int unsigned s = 0; s < XposeLaneSwaps; s++) begin
            prev = row_o;
            for (int unsigned g = 0; g < GranLanes; g++) begin
              if (swap_i[s]) row_o[g] = prev[swapped(g, 32'(LowBit[4*s+:4]), 32'(HighBit[4*s+:4]))];
            end
          end
        end
        "#,
    );
    m
}
