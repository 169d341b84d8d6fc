// SPDX-License-Identifier: Apache-2.0
// What the instruction in front of dispatch waits for, for `cosim run --profile` (docs/profile.md). The bench binds it into tl_top; not for synthesis.
module tl_profile (
  input  logic               clk_i,

  // The instruction in front of dispatch
  input  logic               valid_i,
  input  logic               ready_i,         // it is dispatched
  input  tl_pkg::decoded_t   decoded_i,
  input  tl_pkg::csr_instr_t csr_i,
  input  logic               at_once_i,       // it is complete when it is dispatched

  // What it waits for
  input  logic               open_i,
  input  logic               kill_i,
  input  logic               room_i,
  input  logic               busy_i,
  input  logic               csr_ready_i,
  input  logic               settled_i,
  input  logic               strides_free_i,
  input  logic               strides_seen_i,  // they were in the cycle before, too
  input  logic               fresh_i,
  input  logic [3:0]         engine_soon_i,   // ready in the next cycle: load, store, move, xpose
  input  logic               engine_go_i,     // it was, and the port is the engine's
  input  logic               mx_uses_i,       // a matrix load or store
  input  logic               mx_go_i
);

  logic [3:0]  engine;     // the one that the instruction needs
  logic [3:0]  ready_q;
  logic        settled_q;
  logic        csr_ready_q;
  logic        seen_q;     // it was there in the cycle before, too
  logic        strides;    // a stride is in use
  logic [10:0] stage;
  logic        unused_fields;

  always_ff @(posedge clk_i) seen_q <= valid_i && !ready_i;

  // Dispatch goes by what the CSRs meant in the cycle before.
  always_ff @(posedge clk_i) settled_q <= settled_i;

  // It is open when they had their values then.
  always_ff @(posedge clk_i) csr_ready_q <= csr_ready_i;

  // And by what engines said of this one.
  always_ff @(posedge clk_i) ready_q <= engine_soon_i;

  assign engine  = {decoded_i.is_xpose, decoded_i.is_move, decoded_i.is_store, decoded_i.is_load};
  assign strides = csr_i.ours && (!strides_free_i || (csr_i.modifies && seen_q && !strides_seen_i));

  assign stage[0]  = valid_i;
  assign stage[1]  = (!open_i && csr_ready_q) || kill_i;
  assign stage[2]  = !room_i;
  assign stage[3]  = (decoded_i.is_tensor || (csr_i.ours && csr_i.modifies)) && !seen_q;
  assign stage[4]  = decoded_i.is_tensor && busy_i;
  assign stage[5]  = !csr_ready_i || (!open_i && !csr_ready_q) || (decoded_i.is_tensor && !settled_q);
  assign stage[6]  = strides;
  assign stage[7]  = decoded_i.is_tensor && !fresh_i;
  assign stage[8]  = (engine & ~ready_q) != '0;
  assign stage[9]  = ((engine & ready_q) != '0 && !engine_go_i) || (mx_uses_i && !mx_go_i);
  assign stage[10] = at_once_i;

  assign unused_fields = ^{decoded_i, csr_i, stage};

endmodule

bind tl_top tl_profile u_profile (
  .clk_i            (clk_i),
  .valid_i          (entry_valid),
  .ready_i          (entry_ready),
  .decoded_i        (decoded),
  .csr_i            (csr),
  .at_once_i        (enter_done),
  .open_i           (open),
  .kill_i           (kill),
  .room_i           (room),
  .busy_i           (busy),
  .csr_ready_i      (csr_ready),
  .settled_i        (settled),
  .strides_free_i   (u_dispatch.strides_free),
  .strides_seen_i   (u_dispatch.strides_seen_q),
  .fresh_i          (fresh),
  .engine_soon_i    ({xpose_soon, move_soon, store_soon, load_soon}),
  .engine_go_i      (u_dispatch.ready_q),
`ifdef MATRIX
  .mx_uses_i        (mx_uses != '0),
  .mx_go_i          (u_dispatch.mx_go)
`else
  .mx_uses_i        (1'b0),
  .mx_go_i          (1'b0)
`endif
);
