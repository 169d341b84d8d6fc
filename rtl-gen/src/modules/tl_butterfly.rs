// SPDX-License-Identifier: Apache-2.0
//! `tl_butterfly`: exchanges granules of a row.

use super::tl_route::settings;
use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_butterfly",
        "Butterfly network over the granules of a row: layer s exchanges lanes that are 2^s apart, where route_i[s] \
         is set. Layers in ascending order compact, in descending order they expand.",
    );
    m.param("Expand", "0", "1: layers in descending order");
    m.input("route_i", settings(), "settings, from tl_route");
    m.input("row_i", Ty::bits("Gran").packed("GranLanes"), "");
    m.output("row_o", Ty::bits("Gran").packed("GranLanes"), "");
    m.text(
        r#"
        for (genvar n = 0; n < GranLaneW; n++) begin : gen_layer
          localparam int unsigned S = (Expand != 0) ? GranLaneW - 1 - n : n;

          logic [RowBits-1:0] from_row;
          logic [RowBits-1:0] to_row;

          if (n == 0) begin : gen_first
            assign from_row = row_i;
          end else begin : gen_next
            assign from_row = gen_layer[n-1].to_row;
          end

          for (genvar l = 0; l < GranLanes; l++) begin : gen_lane
            localparam int unsigned Partner = l ^ (1 << S);
            localparam int unsigned Switch  = ((l >> (S + 1)) << S) | (l & ((1 << S) - 1));

            assign to_row[l*Gran+:Gran] = route_i[S][Switch] ?
                from_row[Partner*Gran+:Gran] : from_row[l*Gran+:Gran];
          end
        end

        assign row_o = gen_layer[GranLaneW-1].to_row;
        "#,
    );
    m
}
