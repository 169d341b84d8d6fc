// SPDX-License-Identifier: Apache-2.0
// Where traps are precise, there is room for a store that comes in the cycle after the one in which the engine has said that one may,
// if none came then.
module tl_store_room (
  input logic clk_i,
  input logic rst_ni,
  input logic cmd_valid_i,
  input logic cmd_soon_o,
  input logic held_room
);

  logic running_q;
  logic soon_q;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    soon_q    <= rst_ni && cmd_soon_o && !cmd_valid_i;
    if (rst_ni && soon_q && (tl_pkg::Precise != 0)) assert (held_room);
  end

endmodule

bind tl_store tl_store_room u_room (.*);
