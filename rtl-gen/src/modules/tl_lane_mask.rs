// SPDX-License-Identifier: Apache-2.0
//! `tl_lane_mask`: which granules of a row belong to selected slices.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_lane_mask",
        "Granules of a row that belong to selected slices, in the cycle after the row is given.\n\
         Lane 0 and those up to before_i are in a slice that began earlier or begins there; the others start at lane \
         before_i + 1, before_i + 1 + inner, and so on. First the slices are laid out from lane 0 on: a carry runs \
         from the start of a selected slice up to the next start. Then they move up.",
    );
    m.input("clk_i", Ty::bit(), "");
    m.input("before_i", Ty::named("gran_lane_t"), "last lane of the slice with lane 0");
    m.input("inner_i", Ty::bits("GranLanes-1"), "[d-1]: a slice has d granules; none: a row or more");
    m.input("sel_i", Ty::named("lane_mask_t"), "[k]: selected, the k-th slice of the row");
    m.input("top_i", Ty::named("gran_lane_t"), "last lane of the block");
    m.input("none_i", Ty::bit(), "the row is behind the block");
    m.output("mask_o", Ty::named("lane_mask_t"), "");
    m.signal("starts", Ty::named("lane_mask_t"), "where slices start");
    m.signal("picked", Ty::named("lane_mask_t"), "starts of selected slices");
    m.signal("filled_q", Ty::bits("GranLanes-1"), "lanes of selected slices, laid out from lane 0 on");
    m.signal("block_q", Ty::named("lane_mask_t"), "");
    m.signal("before_q", Ty::named("gran_lane_t"), "");
    m.signal("sel_q", Ty::bit(), "");
    m.text(
        r#"
        // The k-th slice from here on starts k slice lengths away.
        always_comb begin
          starts    = '0;
          picked    = '0;
          starts[0] = 1'b1;
          picked[0] = sel_i[1];
          for (int unsigned d = 1; d < GranLanes; d++) begin
            for (int unsigned k = 1; k + 1 < GranLanes && k * d < GranLanes; k++) begin
              starts[k*d] = starts[k*d] || inner_i[d-1];
              picked[k*d] = picked[k*d] || (inner_i[d-1] && sel_i[k+1]);
            end
          end
        end

        // A lane makes a carry where a selected slice starts, passes it on where none starts.
        always_ff @(posedge clk_i) begin
          filled_q <= ~starts[GranLanes-1:1] ^
              (GranLanes - 1)'(((picked | ~starts) + picked) >> 1);
          before_q <= before_i;
          sel_q    <= sel_i[0];
          block_q  <= none_i ? '0 : up_to(top_i);
        end

        assign mask_o = block_q &
            GranLanes'(({filled_q, {GranLanes{sel_q}}} << before_q) >> (GranLanes - 1));
        "#,
    );
    m
}
