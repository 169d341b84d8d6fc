// SPDX-License-Identifier: Apache-2.0
// For simulation alone: what tl_map_system and tl_owner_system assume of neighbours, and no other module here asserts. A result
// is not complete before the map has it; one without a trap is told to the map; a transposition has two registers; a result that
// retires replaces what has retired before it.
module tl_top_facts (
  input logic clk_i,
  input logic rst_ni
);

  localparam int unsigned TagW = tl_pkg::TagW;

  logic [31:0][tl_pkg::PhysW-1:0] home_q;   // where the TLRegs are, by what has retired
  logic [TagW-1:0]                named_q;  // the last that was renamed
  logic [3:0]                     valid;    // completions
  logic [3:0][TagW-1:0]           tag;
  tl_pkg::flight_t                retired;
  tl_pkg::flight_t                flight;
  logic                           good;     // the oldest retires, and changes the state

  assign valid   = {tl_top.xpose_done.valid, tl_top.move_done.valid, tl_top.store_done.valid, tl_top.load_done.valid};
  assign tag     = {tl_top.xpose_done.tag, tl_top.move_done.tag, tl_top.store_done.tag, tl_top.load_done.tag};
  assign retired = tl_top.u_retire.result_o;
  assign good    = tl_top.u_retire.result_valid_o && tl_top.u_retire.result_ready_i && !tl_top.u_retire.killed_i &&
      (tl_top.u_retire.result_cause_o == tl_pkg::CauseNone);

  always_ff @(posedge clk_i) begin
    if (tl_top.u_rename.take_i) named_q <= tl_top.u_retire.tag_o;
    if (!rst_ni) begin
      for (int unsigned i = 0; i < 32; i++) home_q[i] <= tl_pkg::PhysW'(i - 1);
    end else begin
      for (int unsigned e = 0; e < 4; e++) begin
        if (valid[e] && (tl_top.u_rename.wait_q != '0)) assume (tag[e] != named_q);
      end
      flight = tl_top.u_retire.flight_q[tl_top.load_done.tag];
      if (tl_top.load_done.valid && (tl_top.load_done.cause == tl_pkg::CauseNone) && (flight.results.valid != '0)) begin
        assume (tl_top.load_ok.valid);
      end
      if (tl_top.u_rename.take_i && tl_top.decoded.is_xpose) begin
        assume ((tl_top.decoded.rs1 == tl_top.decoded.rd) && (tl_top.decoded.rs2 != tl_top.decoded.rs1));
      end
      if (good && (retired.results.valid == 2'b11)) assume (retired.results.rd[0] != retired.results.rd[1]);
      for (int unsigned r = 0; r < 2; r++) begin
        if (good && retired.results.valid[r]) begin
          assume ((retired.results.rd[r] != '0) && (retired.results.old_phys[r] == home_q[retired.results.rd[r]]));
          home_q[retired.results.rd[r]] <= retired.results.fresh[r];
        end
      end
    end
  end

endmodule

bind tl_top tl_top_facts u_facts (.*);
