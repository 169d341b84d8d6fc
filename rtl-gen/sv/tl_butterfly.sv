// SPDX-License-Identifier: Apache-2.0

// Butterfly network over the granules of a row: layer s exchanges lanes that are 2^s apart, where
// route_i[s] is set. Layers in ascending order compact, in descending order they expand.
module tl_butterfly #(
  parameter int unsigned Expand = 0             // 1: layers in descending order
) (
  input  logic [tl_pkg::GranLaneW-1:0][tl_pkg::GranLanes/2-1:0] route_i,  // settings, from tl_route
  input  logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0]        row_i,    // granules to move
  // granules in their new lanes, in the same cycle
  output logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0]        row_o
);

  localparam int unsigned Gran      = tl_pkg::Gran;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;

  for (genvar n = 0; n < GranLaneW; n++) begin : gen_layer
    localparam int unsigned S = (Expand != 0) ? GranLaneW - 1 - n : n;

    logic [tl_pkg::RowBits-1:0] from_row;
    logic [tl_pkg::RowBits-1:0] to_row;

    if (n == 0) begin : gen_first
      assign from_row = row_i;
    end else begin : gen_next
      assign from_row = gen_layer[n-1].to_row;
    end

    for (genvar l = 0; l < tl_pkg::GranLanes; l++) begin : gen_lane
      localparam int unsigned Partner = l ^ (1 << S);
      localparam int unsigned Switch  = ((l >> (S + 1)) << S) | (l & ((1 << S) - 1));

      assign to_row[l*Gran+:Gran] = route_i[S][Switch] ?
          from_row[Partner*Gran+:Gran] : from_row[l*Gran+:Gran];
    end
  end

  assign row_o = gen_layer[GranLaneW-1].to_row;

endmodule
