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
         granules change places. Digit s of the two constants names the bits; tl_xpose_plan has the same network. \
         Flip-flops cut the layers in the middle.",
    );
    let row = Ty::bits("Gran").packed("GranLanes");
    m.input("clk_i", Ty::bit(), "");
    m.input("swap_i", Ty::named("xpose_swaps_t"), "");
    m.input("row_i", row.clone(), "");
    m.output("row_o", row.clone(), "of the cycle before");
    m.text(&format!(
        "
        localparam logic [4*XposeLaneSwaps-1:0] LowBit  = {low};
        localparam logic [4*XposeLaneSwaps-1:0] HighBit = {high};
        localparam int unsigned Cut = (XposeLaneSwaps + 1) / 2;
        "
    ));
    m.signal("prev", row.clone(), "the row before a layer");
    m.signal("rest", row.clone(), "");
    m.signals(&["half", "half_q"], row);
    m.signal("swap_q", Ty::named("xpose_swaps_t"), "");
    m.text(
        r#"
        // The granule that lane g has after two bits of the lane index are swapped.
        function automatic int unsigned swapped(int unsigned g, int unsigned low, int unsigned high);
          swapped = (((g >> low) ^ (g >> high)) & 1) == 1 ? g ^ (1 << low) ^ (1 << high) : g;
        endfunction

        always_comb begin
          half = row_i;
          prev = row_i;
          for (int unsigned s = 0; s < Cut; s++) begin
            prev = half;
            for (int unsigned g = 0; g < GranLanes; g++) begin
              if (swap_i[s]) half[g] = prev[swapped(g, 32'(LowBit[4*s+:4]), 32'(HighBit[4*s+:4]))];
            end
          end
        end

        always_ff @(posedge clk_i) begin
          half_q <= half;
          swap_q <= swap_i;
        end

        always_comb begin
          row_o = half_q;
          rest  = half_q;
          for (int unsigned s = Cut; s < XposeLaneSwaps; s++) begin
            rest = row_o;
            for (int unsigned g = 0; g < GranLanes; g++) begin
              if (swap_q[s]) row_o[g] = rest[swapped(g, 32'(LowBit[4*s+:4]), 32'(HighBit[4*s+:4]))];
            end
          end
        end
        "#,
    );
    m
}
