// SPDX-License-Identifier: Apache-2.0
//! `tl_route`: switch settings that compact the selected granules of a row.

use crate::sv::{Module, Ty};

/// Switch settings of `tl_butterfly`: `[s]` is the layer that exchanges lanes 2^s apart.
pub(super) fn settings() -> Ty {
    Ty::bits("GranLanes/2").packed("GranLaneW")
}

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_route",
        "Switch settings of tl_butterfly that move the selected granules of a row, in their order, to consecutive \
         lanes from first_i on, around the end of the row. The reverse network with the same settings moves them \
         back.\n\
         Behind layer s - 1 the granules of each group of 2^s lanes are where they belong modulo 2^s. So in layer s \
         only the place where those of the upper half begin decides, the lower half has what is left.",
    );
    m.input("clk_i", Ty::bit(), "");
    m.input("mask_i", Ty::named("lane_mask_t"), "selected granules");
    m.group("In the cycle after the mask.");
    m.input("first_i", Ty::named("gran_lane_t"), "lane for the first of them");
    m.output("route_o", settings(), "");
    m.output("count_o", Ty::named("lane_cnt_t"), "selected granules");
    m.signals(&["sum", "sum_q"], Ty::named("lane_cnt_t").packed("GranLanes"));
    m.signal("lower", Ty::named("lane_cnt_t"), "those of the lower half");
    m.signal("middle", Ty::named("gran_lane_t"), "lane for the first one of the upper half");
    m.signal("place", Ty::named("gran_lane_t"), "");
    m.signal("low", Ty::named("gran_lane_t"), "place modulo the half");
    m.text(
        r#"
        // Lanes whose sums are made from the mask alone: they are of one half of the row.
        localparam int unsigned Group = (GranLanes < 8) ? GranLanes / 2 : 4;

        // Selected granules up to each lane, from the beginning of its half of the row.
        always_comb begin
          for (int unsigned l = 0; l < GranLanes; l++) begin
            sum[l] = (GranLaneW + 1)'(
                ones4(4'(mask_i[(l/Group)*Group+:Group]) & 4'((2 << (l % Group)) - 1)));
          end
          for (int unsigned s = 2; s + 1 < GranLaneW; s++) begin
            for (int unsigned l = 0; l < GranLanes; l++) begin
              if (((l >> s) & 1) == 1) sum[l] = sum[l] + sum[((l>>s)<<s)-1];
            end
          end
        end

        always_ff @(posedge clk_i) begin
          sum_q <= sum;
        end

        assign lower   = sum_q[GranLanes/2-1];
        assign middle  = first_i + GranLaneW'(lower);
        assign count_o = lower + sum_q[GranLanes-1];

        // A switch crosses where the granule of the upper lane belongs into the lower half.
        always_comb begin
          route_o = '0;
          place   = '0;
          low     = '0;
          for (int unsigned s = 0; s < GranLaneW; s++) begin
            for (int unsigned l = 0; l < GranLanes; l++) begin
              if (((l >> s) & 1) == 1) begin
                place = (((l >> s) << s) > GranLanes / 2 ? middle : first_i) +
                    GranLaneW'(sum_q[((l>>s)<<s)-1]);
                low   = place & GranLaneW'((1 << s) - 1);
                route_o[s][((l>>(s+1))<<s)|(l&((1<<s)-1))] =
                    place[s] == ((l & ((1 << s) - 1)) < 32'(low));
              end
            end
          end
        end
        "#,
    );
    m
}
