// SPDX-License-Identifier: Apache-2.0

// Makes the rows of concat results. A compaction per cycle takes the selected granules of one
// operand row and appends them to the stream of that operand. A pass per cycle takes the granules
// that one operand has in a result row from its stream and spreads them to their lanes.
// A stream is a ring of eight rows, a memory for each lane; granule n of the stream is in lane n
// modulo GranLanes. Streams run on from one operation to the next, so neither side waits for the
// other at the seam.
module tl_concat (
  input  logic                                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                                           rst_ni,

  // The oldest row of each operand.
  input  logic [1:0]                                     head_valid_i,   // with room for it
  // no row of operand 1 is taken
  input  logic                                           head_hold_i,
  output logic [1:0]                                     head_take_o,
  // there is room for the next one, if none is taken now
  output logic [1:0]                                     head_room_o,
  output logic [1:0]                                     head_more_o,    // and if one is
  // operands whose rows passes wait for
  output logic [1:0]                                     head_wanted_o,
  // the operand that has a row taken, if one has
  output logic                                           head_pick_o,
  input  tl_pkg::lane_mask_t [1:0]                       head_mask_i,    // selected granules
  // the row that was taken, in the cycle after
  input  logic [tl_pkg::RowBits-1:0]                     picked_row_i,

  // Passes of tl_concat_plan.
  input  logic                                           pass_valid_i,
  output logic                                           pass_take_o,    // a pass is through
  input  tl_pkg::lane_mask_t                             pass_mask_i,
  input  logic                                           pass_src_i,
  input  logic                                           pass_begin_i,
  input  logic                                           pass_end_i,
  input  tl_pkg::row_dest_t                              pass_dest_i,

  // Rows of results.
  input  logic                                           out_room_i,
  output logic                                           out_begin_o,    // a row is begun
  // granules that a pass writes
  output tl_pkg::lane_mask_t                             out_we_o,
  // zeros where it writes none
  output logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0] out_row_o,
  output logic                                           out_end_o,      // the row is complete
  output tl_pkg::row_dest_t                              out_dest_o
);

  localparam int unsigned Gran      = tl_pkg::Gran;
  localparam int unsigned GranLanes = tl_pkg::GranLanes;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;

  localparam int unsigned RingW = GranLaneW + 3;  // bits of a granule number in a ring
  localparam int unsigned PosW  = RingW + 2;      // bits of a position in a stream
  localparam int unsigned PassW = 4;              // bits of the number of a pass that waits

  typedef logic [PosW-1:0] pos_t;

  // When a pass goes, and from where.
  typedef struct packed {
    pos_t first;  // granule of the stream
    pos_t stop;   // the one behind the last
    logic src;
    logic begins;
  } pass_t;

  // What it does then.
  typedef struct packed {
    logic [GranLaneW-1:0][GranLanes/2-1:0] route;
    tl_pkg::lane_mask_t mask;
    logic       begins;
    logic       ends;
    tl_pkg::row_dest_t  dest;
  } effect_t;

  pass_t   pass_in;
  pass_t   pass_next;
  pass_t   pass_q;
  effect_t effect_in;
  effect_t effect;
  pos_t [1:0] tail_q;    // end of a stream
  pos_t [1:0] filled_q;  // end of what is in the ring
  pos_t [1:0] freed_q;   // end of what passes took
  pos_t [1:0] asked_q;   // end of what passes will take
  pos_t [1:0] kept;      // granules that no pass took
  pos_t [1:0] used;      // with the rows on their way
  pos_t [1:0] behind;    // negative: passes wait for more than there is
  pos_t       lacking;   // negative: so does the oldest one

  logic            pass_valid_q;
  logic            pass_take;
  logic            pass_move;     // the next pass may become the oldest one
  logic            next_valid;
  logic [1:0][1:0] coming;        // rows on their way

  // Compaction, first step. Of two rows goes that of the stream that the oldest pass lacks, else of
  // the only one that passes wait for; else they take turns. A stream with room for a row never
  // blocks the other one.
  logic                           s;          // the stream that is served
  logic                           first_q;    // that of two that could be
  logic                           last_s_q;   // the one before
  logic                           lacks;      // the oldest pass does
  logic                           w_valid_q;
  logic                           w_s_q;
  logic                           x_valid_q;
  logic                           x_s_q;
  logic                           c_valid;
  logic [1:0]                     offered;    // rows
  tl_pkg::lane_mask_t             w_mask_q;
  logic [GranLanes-1:0][Gran-1:0] x_row_q;
  logic [GranLanes-1:0][Gran-1:0] y_row_q;
  logic [GranLanes-1:0][Gran-1:0] compact;

  assign offered     = head_valid_i & {!head_hold_i, 1'b1};
  assign s           = offered[1] && (first_q || !offered[0]);
  assign c_valid     = offered != 2'b00;
  assign head_take_o = offered & {s, !s};
  assign head_pick_o = s;
  assign lacking     = tail_q[pass_q.src] - pass_q.stop;
  assign lacks       = pass_valid_q && lacking[PosW-1];

  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      coming[i] = 2'(x_valid_q && x_s_q == 1'(i)) + 2'(w_valid_q && w_s_q == 1'(i));
      kept[i]   = tail_q[i] - freed_q[i];
      used[i]   = {kept[i][PosW-1:GranLaneW] + 5'(coming[i]), kept[i][GranLaneW-1:0]};
      behind[i] = tail_q[i] - asked_q[i];
      // Rows on their way count as full: eight rows hold seven and what they do not fill.
      head_room_o[i] = used[i] <= PosW'(6 * GranLanes);
      head_more_o[i] = used[i] <= PosW'(5 * GranLanes);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_s_q  <= 1'b1;
      w_valid_q <= 1'b0;
      x_valid_q <= 1'b0;
    end else begin
      if (c_valid) last_s_q <= s;
      w_valid_q <= c_valid;
      x_valid_q <= w_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    head_wanted_o <= lacks ? {pass_q.src, !pass_q.src} : {behind[1][PosW-1], behind[0][PosW-1]};
    if (lacks) begin
      first_q <= pass_q.src;
    end else if (behind[0][PosW-1] != behind[1][PosW-1]) begin
      first_q <= behind[1][PosW-1];
    end else begin
      first_q <= !(c_valid ? s : last_s_q);
    end
    w_s_q    <= s;
    w_mask_q <= s ? head_mask_i[1] : head_mask_i[0];
    x_s_q    <= w_s_q;
    x_row_q  <= picked_row_i;
  end

  // Second and third step: the switches.
  logic [GranLaneW-1:0][GranLanes/2-1:0] x_route;
  logic [GranLaneW-1:0][GranLanes/2-1:0] y_route_q;
  tl_pkg::lane_cnt_t                     x_count;
  logic                                  y_valid_q;
  logic                                  y_s_q;

  pos_t x_tail;
  pos_t x_stop;
  pos_t y_stop_q;

  logic [RingW-1:0] y_tail_q;

  assign x_tail = tail_q[x_s_q];
  assign x_stop = x_tail + PosW'(x_count);

  tl_route u_compact_route (
    .clk_i   (clk_i),
    .mask_i  (w_mask_q),
    .first_i (x_tail[GranLaneW-1:0]),
    .route_o (x_route),
    .count_o (x_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q    <= '0;
      filled_q  <= '0;
      y_valid_q <= 1'b0;
    end else begin
      y_valid_q <= x_valid_q;
      for (int unsigned i = 0; i < 2; i++) begin
        if (x_valid_q && (x_s_q == 1'(i))) tail_q[i] <= x_stop;
        if (y_valid_q && (y_s_q == 1'(i))) filled_q[i] <= y_stop_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    y_s_q     <= x_s_q;
    y_tail_q  <= x_tail[RingW-1:0];
    y_stop_q  <= x_stop;
    y_route_q <= x_route;
    y_row_q   <= x_row_q;
  end

  // Fourth step: into the ring. What is written behind the selected granules is written again.
  tl_butterfly #(
    .Expand (0)
  ) u_compact (
    .route_i (y_route_q),
    .row_i   (y_row_q),
    .row_o   (compact)
  );

  // Passes wait with their settings, as many as tl_concat_plan begins. The oldest one is in
  // flip-flops, but for what it does: that is read when it goes, from wide memories whose address
  // comes from a counter of their own.
  tl_pkg::lane_cnt_t                     e_count;
  logic [GranLaneW-1:0][GranLanes/2-1:0] e_route;
  logic                                  e_valid_q;
  logic                                  e_src_q;
  logic                                  e_begin_q;
  logic                                  e_end_q;
  tl_pkg::lane_mask_t                    e_mask_q;
  tl_pkg::row_dest_t                     e_dest_q;
  logic                                  e_room;         // always
  logic [PassW-1:0]                      effect_head_q;
  logic [PassW-1:0]                      effect_tail_q;

  pos_t e_first;

  assign e_first = asked_q[e_src_q];

  tl_route u_expand_route (
    .clk_i   (clk_i),
    .mask_i  (pass_mask_i),
    .first_i (e_first[GranLaneW-1:0]),
    .route_o (e_route),
    .count_o (e_count)
  );

  always_comb begin
    pass_in.first    = e_first;
    pass_in.stop     = e_first + PosW'(e_count);
    pass_in.src      = e_src_q;
    pass_in.begins   = e_begin_q;
    effect_in.route  = e_route;
    effect_in.mask   = e_mask_q;
    effect_in.begins = e_begin_q;
    effect_in.ends   = e_end_q;
    effect_in.dest   = e_dest_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      e_valid_q <= 1'b0;
      asked_q   <= '0;
    end else begin
      e_valid_q <= pass_valid_i;
      for (int unsigned i = 0; i < 2; i++) begin
        if (e_valid_q && e_room && (e_src_q == 1'(i))) asked_q[i] <= pass_in.stop;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    e_mask_q  <= pass_mask_i;
    e_src_q   <= pass_src_i;
    e_begin_q <= pass_begin_i;
    e_end_q   <= pass_end_i;
    e_dest_q  <= pass_dest_i;
  end

  tl_fifo #(
    .Width   ($bits(pass_in)),
    .Depth   (1<<PassW),
    .Refuses (0)
  ) u_passes (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (e_valid_q),
    .ready_o (e_room),
    .data_i  (pass_in),
    .valid_o (next_valid),
    .ready_i (pass_move),
    .data_o  (pass_next)
  );

  tl_lutram #(
    .Width ($bits(effect_in)),
    .Depth (1<<PassW)
  ) u_effects (
    .clk_i   (clk_i),
    .we_i    (e_valid_q),
    .waddr_i (effect_tail_q),
    .wdata_i (effect_in),
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
      if (e_valid_q) effect_tail_q <= effect_tail_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pass_move) pass_q <= pass_next;
  end

  // Expansion, first step: out of the ring.
  logic                                  short;      // granules are not in the ring yet
  tl_pkg::lane_mask_t                    y_same;
  tl_pkg::lane_mask_t                    pass_same;
  logic [GranLanes-1:0][Gran-1:0]        ring;
  logic [GranLanes-1:0][Gran-1:0]        ring_q;
  logic [GranLanes-1:0][Gran-1:0]        spread;
  logic [GranLaneW-1:0][GranLanes/2-1:0] z_route_q;
  tl_pkg::lane_mask_t                    z_mask_q;
  tl_pkg::lane_mask_t                    z_we_q;
  logic                                  z_valid_q;
  logic                                  z_end_q;
  tl_pkg::row_dest_t                     z_dest_q;

  pos_t ready;

  assign ready     = filled_q[pass_q.src] - pass_q.stop;
  assign short     = ready[PosW-1];
  assign pass_take = pass_valid_q && !short && (out_room_i || !pass_q.begins);

  // Lanes below the first granule are in the row of the ring behind.
  assign y_same    = {GranLanes{1'b1}} << y_tail_q[GranLaneW-1:0];
  assign pass_same = {GranLanes{1'b1}} << pass_q.first[GranLaneW-1:0];

  for (genvar l = 0; l < GranLanes; l++) begin : gen_lane
    logic [Gran-1:0] words [16];  // {stream, row of the ring}
    logic [3:0]      waddr;
    logic [3:0]      raddr;

    assign waddr = {y_s_q, y_tail_q[RingW-1:GranLaneW] + 3'(!y_same[l])};
    assign raddr = {pass_q.src, pass_q.first[RingW-1:GranLaneW] +
        3'(!pass_same[l])};

    always_ff @(posedge clk_i) begin
      if (y_valid_q) words[waddr] <= compact[l];
    end

    assign ring[l] = words[raddr];
  end

  // Whether a pass goes is late, so its lanes do not ask. Addi and merge have no row while a
  // pass waits.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      freed_q   <= '0;
      z_end_q   <= 1'b0;
    end else begin
      z_end_q   <= pass_take && effect.ends;
      for (int unsigned i = 0; i < 2; i++) begin
        if (pass_take && (pass_q.src == 1'(i))) freed_q[i] <= pass_q.stop;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    z_mask_q  <= pass_valid_q ? effect.mask : '0;
    z_we_q    <= effect.begins ? '1 : effect.mask;
    z_valid_q <= pass_take;
    z_route_q <= effect.route;
    z_dest_q  <= effect.dest;
    ring_q    <= ring;
  end

  // Second step: to their lanes.
  tl_butterfly #(
    .Expand (1)
  ) u_expand (
    .route_i (z_route_q),
    .row_i   (ring_q),
    .row_o   (spread)
  );

  always_comb begin
    for (int unsigned l = 0; l < GranLanes; l++) begin
      out_row_o[l] = z_mask_q[l] ? spread[l] : '0;
    end
  end

  assign pass_take_o = pass_take;
  assign out_begin_o = pass_take && pass_q.begins;
  assign out_we_o    = z_we_q & {GranLanes{z_valid_q}};
  assign out_end_o   = z_end_q;
  assign out_dest_o  = z_dest_q;

endmodule
