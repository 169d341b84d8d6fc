// SPDX-License-Identifier: Apache-2.0

// Makes the result rows of concat. Each cycle, a compaction takes the selected granules of one
// operand row and appends them to the stream of that operand. Each cycle, a pass takes the granules
// of one operand that a result row needs from its stream and spreads them to their lanes.
// A stream is a ring of eight rows, a memory for each lane; granule n of the stream is in lane n
// modulo GranLanes. A stream continues from one operation to the next, so neither side waits for
// the other in between.
module tl_concat (
  input  logic                                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                                           rst_ni,

  // The oldest row of each operand.
  input  logic [1:0]                                     head_valid_i,   // with room for it
  // 1: do not take a row of operand 1 in this cycle
  input  logic                                           head_hold_i,
  output logic [1:0]                                     head_take_o,    // the row is taken
  // there is room for the next row, if no row is taken in this cycle
  output logic [1:0]                                     head_room_o,
  // there is room for the next row, even if one is taken in this cycle
  output logic [1:0]                                     head_more_o,
  // operands for whose rows a pass waits
  output logic [1:0]                                     head_wanted_o,
  // the operand whose row is taken, if a row is taken
  output logic                                           head_pick_o,
  input  tl_pkg::lane_mask_t [1:0]                       head_mask_i,    // selected granules
  // the taken row, one cycle after head_take_o
  input  logic [tl_pkg::RowBits-1:0]                     picked_row_i,

  // Passes of tl_concat_plan.
  input  logic                                           pass_valid_i,
  // one pass has read its granules; the passes are counted, not named
  output logic                                           pass_take_o,
  // granules of the result row to fill
  input  tl_pkg::lane_mask_t                             pass_mask_i,
  input  logic                                           pass_src_i,     // from this operand
  input  logic                                           pass_begin_i,   // first pass of the row
  input  logic                                           pass_end_i,     // last pass of the row
  input  tl_pkg::row_dest_t                              pass_dest_i,    // where the row goes

  // Rows of results.
  input  logic                                           out_room_i,
  output logic                                           out_begin_o,    // a row is begun
  // out_row_o has the granules of a pass
  output logic                                           out_valid_o,
  // zeros in lanes without a granule of the pass
  output logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0] out_row_o,
  output logic                                           out_end_o,      // the row is complete
  output tl_pkg::row_dest_t                              out_dest_o      // where the row goes
);

  localparam int unsigned Gran      = tl_pkg::Gran;
  localparam int unsigned GranLanes = tl_pkg::GranLanes;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;

  localparam int unsigned RingW = GranLaneW + 3;  // bits of a granule number in a ring
  localparam int unsigned PosW  = RingW + 2;  // bits of a position in a stream
  localparam int unsigned PassW = 4;  // bits of the number of a pass that waits

  typedef logic [PosW-1:0] pos_t;

  // What decides when a pass leaves, and the granules that it takes.
  typedef struct packed {
    pos_t first;  // granule of the stream
    pos_t stop;   // granule behind the last one
    logic src;
    logic begins;
  } pass_t;

  // What the pass does when it leaves.
  typedef struct packed {
    logic [GranLaneW-1:0][GranLanes/2-1:0] route;
    tl_pkg::lane_mask_t mask;
    logic       ends;
    tl_pkg::row_dest_t  dest;
  } effect_t;

  pass_t   pass_in;
  pass_t   pass_next;
  pass_t   pass_q;
  effect_t effect_in;
  effect_t effect;      // of the pass that was the oldest one in the previous cycle
  pos_t [1:0] tail_q;    // end of a stream
  pos_t [1:0] filled_q;  // end of the granules that are in the ring
  pos_t [1:0] freed_q;   // end of the granules that passes have taken
  pos_t [1:0] asked_q;   // end of the granules that waiting passes will take
  pos_t [1:0] kept;      // granules in a stream that no pass has taken
  pos_t [1:0] used;      // the same, plus the rows under way
  pos_t [1:0] behind;    // negative: the stream is too short for the last waiting pass
  pos_t       lacking;   // negative: the stream is too short for the oldest pass

  logic            pass_valid_q;
  logic            pass_take;
  logic            pass_move;  // the next pass may become the oldest one
  logic            next_valid;
  logic [1:0][1:0] coming;     // rows on their way

  // Compaction, step 1: pick a row. If both operands offer one, the priority is: first the stream
  // that is too short for the oldest pass; then a stream that is too short for waiting passes, if
  // the other one is not; else the streams alternate. A full stream never blocks the other one.
  logic                           pick_src;     // the operand whose row is picked, if there is one
  logic                           preferred_q;  // the operand to pick if both offer a row
  logic                           last_src_q;   // the operand that was picked last
  logic                           starved;      // the stream is too short for the oldest pass
  logic                           picked_valid_q;
  logic                           picked_src_q;
  logic                           row_valid_q;
  logic                           row_src_q;
  logic                           pick_valid;
  logic [1:0]                     offered;      // rows
  tl_pkg::lane_mask_t             picked_mask_q;
  logic [GranLanes-1:0][Gran-1:0] row_q;
  logic [GranLanes-1:0][Gran-1:0] switch_row_q;
  logic [GranLanes-1:0][Gran-1:0] compact;

  assign offered     = head_valid_i & {!head_hold_i, 1'b1};
  assign pick_src    = offered[1] && (preferred_q || !offered[0]);
  assign pick_valid  = offered != 2'b00;
  assign head_take_o = offered & {pick_src, !pick_src};
  assign head_pick_o = pick_src;
  assign lacking     = tail_q[pass_q.src] - pass_q.stop;
  assign starved     = pass_valid_q && lacking[PosW-1];

  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      coming[i] = 2'(row_valid_q && row_src_q == 1'(i)) +
          2'(picked_valid_q && picked_src_q == 1'(i));
      kept[i]   = tail_q[i] - freed_q[i];
      used[i]   = {kept[i][PosW-1:GranLaneW] + 5'(coming[i]), kept[i][GranLaneW-1:0]};
      behind[i] = tail_q[i] - asked_q[i];
      // Each row under way counts as a full row. The ring of eight rows is used for seven, because
      // the granules may begin in the middle of a row.
      head_room_o[i] = used[i] <= PosW'(6 * GranLanes);
      head_more_o[i] = used[i] <= PosW'(5 * GranLanes);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_src_q     <= 1'b1;
      picked_valid_q <= 1'b0;
      row_valid_q    <= 1'b0;
    end else begin
      if (pick_valid) last_src_q <= pick_src;
      picked_valid_q <= pick_valid;
      row_valid_q    <= picked_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    head_wanted_o <= starved ? {pass_q.src, !pass_q.src} : {behind[1][PosW-1], behind[0][PosW-1]};
    if (starved) begin
      preferred_q <= pass_q.src;
    end else if (behind[0][PosW-1] != behind[1][PosW-1]) begin
      preferred_q <= behind[1][PosW-1];
    end else begin
      preferred_q <= !(pick_valid ? pick_src : last_src_q);
    end
    picked_src_q  <= pick_src;
    picked_mask_q <= pick_src ? head_mask_i[1] : head_mask_i[0];
    row_src_q     <= picked_src_q;
    if (picked_valid_q) row_q <= picked_row_i;
  end

  // Compaction, steps 2 and 3: settings of the switches.
  logic [GranLaneW-1:0][GranLanes/2-1:0] row_route;
  logic [GranLaneW-1:0][GranLanes/2-1:0] switch_route_q;
  tl_pkg::lane_cnt_t                     row_count;
  logic                                  switch_valid_q;
  logic                                  switch_src_q;

  pos_t row_tail;
  pos_t row_stop;
  pos_t switch_stop_q;

  logic [RingW-1:0] switch_tail_q;

  assign row_tail = tail_q[row_src_q];
  assign row_stop = row_tail + PosW'(row_count);

  tl_route u_compact_route (
    .clk_i   (clk_i),
    .mask_i  (picked_mask_q),
    .first_i (row_tail[GranLaneW-1:0]),
    .route_o (row_route),
    .count_o (row_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q         <= '0;
      filled_q       <= '0;
      switch_valid_q <= 1'b0;
    end else begin
      switch_valid_q <= row_valid_q;
      for (int unsigned i = 0; i < 2; i++) begin
        if (row_valid_q && (row_src_q == 1'(i))) tail_q[i] <= row_stop;
        if (switch_valid_q && (switch_src_q == 1'(i))) filled_q[i] <= switch_stop_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (row_valid_q) begin
      switch_src_q   <= row_src_q;
      switch_tail_q  <= row_tail[RingW-1:0];
      switch_stop_q  <= row_stop;
      switch_route_q <= row_route;
      switch_row_q   <= row_q;
    end
  end

  // Compaction, step 4: write to the ring. Lanes behind the selected granules get wrong data here;
  // a later write replaces it.
  tl_butterfly #(
    .Expand (0)
  ) u_compact (
    .route_i (switch_route_q),
    .row_i   (switch_row_q),
    .row_o   (compact)
  );

  // Passes wait here with their settings; there is room for all passes that tl_concat_plan begins.
  // Flip-flops hold what decides when the oldest pass leaves. A wide memory with its own address
  // counter holds what the pass does; it is read when the pass leaves.
  tl_pkg::lane_cnt_t                     entry_count;
  logic [GranLaneW-1:0][GranLanes/2-1:0] entry_route;
  logic                                  entry_valid_q;
  logic                                  entry_src_q;
  logic                                  entry_begin_q;
  logic                                  entry_end_q;
  tl_pkg::lane_mask_t                    entry_mask_q;
  tl_pkg::row_dest_t                     entry_dest_q;
  logic                                  entry_room;  // always
  logic [PassW-1:0]                      effect_head_q;
  logic [PassW-1:0]                      effect_tail_q;

  pos_t entry_first;

  assign entry_first = asked_q[entry_src_q];

  tl_route u_expand_route (
    .clk_i   (clk_i),
    .mask_i  (pass_mask_i),
    .first_i (entry_first[GranLaneW-1:0]),
    .route_o (entry_route),
    .count_o (entry_count)
  );

  always_comb begin
    pass_in.first   = entry_first;
    pass_in.stop    = entry_first + PosW'(entry_count);
    pass_in.src     = entry_src_q;
    pass_in.begins  = entry_begin_q;
    effect_in.route = entry_route;
    effect_in.mask  = entry_mask_q;
    effect_in.ends  = entry_end_q;
    effect_in.dest  = entry_dest_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entry_valid_q <= 1'b0;
      asked_q       <= '0;
    end else begin
      entry_valid_q <= pass_valid_i;
      for (int unsigned i = 0; i < 2; i++) begin
        if (entry_valid_q && entry_room && (entry_src_q == 1'(i))) asked_q[i] <= pass_in.stop;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    entry_mask_q  <= pass_mask_i;
    entry_src_q   <= pass_src_i;
    entry_begin_q <= pass_begin_i;
    entry_end_q   <= pass_end_i;
    entry_dest_q  <= pass_dest_i;
  end

  tl_fifo #(
    .Width   ($bits(pass_in)),
    .Depth   (1<<PassW),
    .Refuses (0)
  ) u_passes (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (entry_valid_q),
    .ready_o (entry_room),
    .data_i  (pass_in),
    .valid_o (next_valid),
    .ready_i (pass_move),
    .data_o  (pass_next)
  );

  tl_ram_1r1w #(
    .Width ($bits(effect_in)),
    .Depth (1<<PassW)
  ) u_effects (
    .clk_i   (clk_i),
    .we_i    (entry_valid_q),
    .waddr_i (effect_tail_q),
    .wdata_i (effect_in),
    .re_i    (pass_valid_q),
    .raddr_i (effect_head_q),
    .rdata_o (effect)
  );

  assign pass_move = !pass_valid_q || pass_take;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pass_valid_q  <= 1'b0;
      effect_head_q <= '0;
      effect_tail_q <= '0;
    end else begin
      if (pass_move) pass_valid_q <= next_valid;
      if (pass_take) effect_head_q <= effect_head_q + 1'b1;
      if (entry_valid_q) effect_tail_q <= effect_tail_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pass_move) pass_q <= pass_next;
  end

  // Expansion, step 1: read the ring.
  // some granules of the pass are not in the ring yet
  logic                                  short;
  tl_pkg::lane_mask_t                    switch_same;
  tl_pkg::lane_mask_t                    pass_same;
  logic [GranLanes-1:0][Gran-1:0]        ring;
  logic [GranLanes-1:0][Gran-1:0]        ring_q;
  logic [GranLanes-1:0][Gran-1:0]        spread;
  logic                                  spread_any_q;    // a pass was there
  logic                                  spread_valid_q;  // a pass was taken

  pos_t ready;

  assign ready     = filled_q[pass_q.src] - pass_q.stop;
  assign short     = ready[PosW-1];
  assign pass_take = pass_valid_q && !short && (out_room_i || !pass_q.begins);

  // Lanes below that of the first granule are read from the next row of the ring.
  assign switch_same = {GranLanes{1'b1}} << switch_tail_q[GranLaneW-1:0];
  assign pass_same   = {GranLanes{1'b1}} << pass_q.first[GranLaneW-1:0];

  for (genvar l = 0; l < GranLanes; l++) begin : gen_lane
    logic [Gran-1:0] words [16];  // {stream, row of the ring}
    logic [3:0]      waddr;
    logic [3:0]      raddr;

    assign waddr = {switch_src_q, switch_tail_q[RingW-1:GranLaneW] + 3'(!switch_same[l])};
    assign raddr = {pass_q.src, pass_q.first[RingW-1:GranLaneW] +
        3'(!pass_same[l])};

    always_ff @(posedge clk_i) begin
      if (switch_valid_q) words[waddr] <= compact[l];
    end

    assign ring[l] = words[raddr];
  end

  // Timing: pass_take arrives late, so the lane masks do not depend on it. That is correct because
  // addi and merge have no row while a pass waits.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      freed_q        <= '0;
      spread_valid_q <= 1'b0;
    end else begin
      spread_valid_q <= pass_take;
      for (int unsigned i = 0; i < 2; i++) begin
        if (pass_take && (pass_q.src == 1'(i))) freed_q[i] <= pass_q.stop;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    spread_any_q <= pass_valid_q;
    if (pass_valid_q) ring_q <= ring;
  end

  // Expansion, step 2: move the granules to their lanes.
  tl_butterfly #(
    .Expand (1)
  ) u_expand (
    .route_i (effect.route),
    .row_i   (ring_q),
    .row_o   (spread)
  );

  always_comb begin
    for (int unsigned l = 0; l < GranLanes; l++) begin
      out_row_o[l] = spread_any_q && effect.mask[l] ? spread[l] : '0;
    end
  end

  assign pass_take_o = pass_take;
  assign out_begin_o = pass_take && pass_q.begins;
  assign out_valid_o = spread_valid_q;
  assign out_end_o   = spread_valid_q && effect.ends;
  assign out_dest_o  = effect.dest;

endmodule
