// SPDX-License-Identifier: Apache-2.0
//! `tl_lane_mask`: which granules of a row belong to selected slices.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_lane_mask",
        "Granules of a row that belong to selected slices.\n\
         Slices start at lanes next_i, next_i + inner, and so on. A set of lane ranges, as a number, is the sum of \
         their end lanes less the sum of their start lanes (each a power of two), so one subtraction fills all slices \
         that are selected; no lane needs the number of its slice.",
    );
    m.input("next_i", Ty::named("lane_cnt_t"), "lane of the first slice start; GranLanes: none");
    m.input("inner_i", Ty::named("gran_lane_t"), "granules of a slice; 0: a row or more");
    m.input("sel_i", Ty::bits("GranLanes+1"), "[0]: selected slice before next_i; [1+k]: k-th after it");
    m.output("mask_o", Ty::named("lane_mask_t"), "");
    m.signal("start", Ty::named("lane_mask_t"), "starts of selected slices, next_i lanes too low");
    m.signal("stop", Ty::named("lane_mask_t"), "their ends; one beyond the row drops out");
    m.text(
        r#"
        assign start[0] = sel_i[1];
        assign stop[0]  = 1'b0;

        // Lane j is a slice start for every slice length that divides it.
        for (genvar j = 1; j < GranLanes; j++) begin : gen_lane
          logic [j-1:0] starts;
          logic [j-1:0] stops;

          for (genvar d = 1; d <= j; d++) begin : gen_length
            if (j % d == 0) begin : gen_divisor
              assign starts[d-1] = (inner_i == GranLaneW'(d)) && sel_i[j/d+1];
              assign stops[d-1]  = (inner_i == GranLaneW'(d)) && sel_i[j/d];
            end else begin : gen_none
              assign starts[d-1] = 1'b0;
              assign stops[d-1]  = 1'b0;
            end
          end

          assign start[j] = |starts;
          assign stop[j]  = |stops;
        end

        assign mask_o = ((stop - start) << next_i) |
            (sel_i[0] ? ~({GranLanes{1'b1}} << next_i) : '0);
        "#,
    );
    m
}
