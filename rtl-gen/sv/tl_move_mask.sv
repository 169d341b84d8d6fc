// SPDX-License-Identifier: Apache-2.0

// Computes which granules of a row are selected, for one row of one of the operands per cycle. The
// mask comes four cycles after take_i.
// For an operand that is read whole, it keeps the slice that lane 0 is in, modulo the period of the
// mask, and how much of this slice is left. The mask bits from that slice on are the mask, rotated
// within its period.
module tl_move_mask (
  input  logic               clk_i,
  input  logic               rst_ni,      // asynchronous assert, synchronous release

  // A new operation; it waits until begin_i.
  input  logic [1:0]         load_i,      // the operand to load it for
  input  tl_pkg::gran_len_t  inner_i,
  input  tl_pkg::slot_mask_t slots_i,     // selected slices, repeated
  input  tl_pkg::slot_cnt_t  period_i,    // more than half of MoveSlots
  input  tl_pkg::slot_cnt_t  turn_i,      // GranLanes / inner_i modulo period_i
  input  tl_pkg::lane_cnt_t  rem_i,       // GranLanes modulo inner_i
  // rows of the loaded operation come from the next cycle on
  input  logic [1:0]         begin_i,

  // The next row of an operand.
  input  logic [1:0]         take_i,      // a row of this operand is taken; one-hot or 0
  input  logic               by_slice_i,  // the mask is given by before_i and sel_i
  input  tl_pkg::gran_lane_t before_i,    // last lane of the first slice
  input  logic [1:0]         sel_i,       // [0]: lanes up to before_i; [1]: the others
  input  tl_pkg::gran_lane_t top_i,       // last lane of the block
  input  logic               none_i,      // the row is behind the block
  output tl_pkg::lane_mask_t mask_o       // selected granules of the row taken four cycles ago
);

  localparam int unsigned GranLanes = tl_pkg::GranLanes;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;
  localparam int unsigned GranW     = tl_pkg::GranW;
  localparam int unsigned MoveSlotW = tl_pkg::MoveSlotW;

  // Registered: the handshakes arrive late in the cycle.
  logic [1:0]         begin_q;
  logic [1:0]         walk_q;
  logic               s_q;
  logic               asked_by_slice_q;
  logic               asked_none_q;
  logic [1:0]         asked_sel_q;
  tl_pkg::gran_lane_t asked_before_q;
  tl_pkg::gran_lane_t asked_top_q;

  always_ff @(posedge clk_i) begin
    begin_q          <= begin_i;
    walk_q           <= take_i;
    s_q              <= take_i[1];
    asked_by_slice_q <= by_slice_i;
    asked_before_q   <= before_i;
    asked_sel_q      <= sel_i;
    asked_top_q      <= top_i;
    asked_none_q     <= none_i;
  end

  // State of the operands that are read whole. Rows that are read by slice advance it, too, but do
  // not use it.
  typedef struct packed {
    tl_pkg::slot_mask_t slots;
    tl_pkg::gran_len_t  lack;    // inner less rem
    tl_pkg::gran_lane_t inner;   // 0: a row or more
    tl_pkg::lane_cnt_t  rem;
    tl_pkg::slot_cnt_t  period;
    tl_pkg::slot_cnt_t  turn;
    tl_pkg::slot_cnt_t  less;    // turn less period: negative
  } slices_t;

  slices_t next;

  tl_pkg::gran_len_t [1:0]   before_q;  // granules behind lane 0 in its slice
  logic [1:0][MoveSlotW-1:0] phase_q;   // number of that slice, modulo the period
  tl_pkg::slot_mask_t [1:0]  slots_q;
  tl_pkg::slot_cnt_t [1:0]   period_q;
  tl_pkg::gran_lane_t [1:0]  inner_q;

  always_comb begin
    next.slots  = slots_i;
    next.lack   = inner_i - (GranW + 1)'(rem_i);
    next.inner  = (inner_i < (GranW + 1)'(GranLanes)) ? inner_i[GranLaneW-1:0] : '0;
    next.rem    = rem_i;
    next.period = period_i;
    next.turn   = turn_i;
    next.less   = turn_i - period_i;
  end

  for (genvar o = 0; o < 2; o++) begin : gen_operand
    slices_t              next_q;
    logic                 held_q;    // an operation is loaded, and its rows have not begun
    slices_t              slices_q;
    tl_pkg::gran_len_t            behind_q;  // granules of a slice behind its first one
    logic [GranW+1:0]     lead;    // before_q of the next row; negative if wrap is 1
    logic                 wrap;    // one slice more starts in this row
    logic [MoveSlotW-1:0] ahead;   // slice of lane 0 of the next row
    logic [MoveSlotW:0]   over;    // the same, minus a period

    assign lead  = {1'b0, before_q[o]} - (GranW + 2)'(slices_q.rem);
    assign wrap  = lead[GranW+1];
    assign ahead = MoveSlotW'({1'b0, phase_q[o]} + slices_q.turn + tl_pkg::slot_cnt_t'(wrap));
    assign over  = {1'b0, phase_q[o]} + slices_q.less + tl_pkg::slot_cnt_t'(wrap);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        held_q <= 1'b0;
      end else begin
        held_q <= load_i[o] || (held_q && !begin_q[o]);
      end
    end

    // Timing: load_i arrives late, so these registers follow their inputs until it comes.
    always_ff @(posedge clk_i) begin
      if (!held_q || begin_q[o]) begin
        next_q   <= next;
        behind_q <= inner_i - 1'b1;
      end
      if (begin_q[o]) begin
        slices_q    <= next_q;
        before_q[o] <= behind_q;
        phase_q[o]  <= '0;
      end else if (walk_q[o]) begin
        before_q[o] <= wrap ? before_q[o] + slices_q.lack : lead[GranW:0];
        phase_q[o]  <= over[MoveSlotW] ? ahead : MoveSlotW'(over);
      end
    end

    assign slots_q[o]  = slices_q.slots;
    assign period_q[o] = slices_q.period;
    assign inner_q[o]  = slices_q.inner;
  end

  // The row that was taken.
  logic                 by_slice_q;
  logic                 none_q;
  logic [1:0]           sel_q;
  tl_pkg::slot_mask_t   row_slots_q;
  logic [MoveSlotW-1:0] row_phase_q;
  tl_pkg::slot_cnt_t    row_rest_q;
  tl_pkg::gran_lane_t   row_before_q;
  tl_pkg::gran_lane_t   row_inner_q;
  tl_pkg::gran_lane_t   top_q;

  always_ff @(posedge clk_i) begin
    by_slice_q  <= asked_by_slice_q;
    sel_q       <= asked_sel_q;
    none_q      <= asked_none_q;
    top_q       <= asked_top_q;
    row_slots_q <= slots_q[s_q];
    row_phase_q <= phase_q[s_q];
    row_rest_q  <= period_q[s_q] - {1'b0, phase_q[s_q]};
    if (asked_by_slice_q) begin
      row_before_q <= asked_before_q;
      row_inner_q  <= '0;
    end else begin
      row_before_q <= (before_q[s_q] < (GranW + 1)'(GranLanes)) ? before_q[s_q][GranLaneW-1:0] : '1;
      row_inner_q  <= inner_q[s_q];
    end
  end

  // Its mask bits.
  tl_pkg::lane_mask_t     lane_sel_q;
  logic [GranLanes-1-1:0] lane_inner_q;
  tl_pkg::gran_lane_t     lane_before_q;
  tl_pkg::gran_lane_t     lane_top_q;
  logic                   lane_none_q;

  always_ff @(posedge clk_i) begin
    lane_sel_q    <= by_slice_q ? GranLanes'(sel_q) :
        GranLanes'((row_slots_q >> row_phase_q) | (row_slots_q << row_rest_q));
    lane_before_q <= row_before_q;
    lane_top_q    <= top_q;
    lane_none_q   <= none_q;
    for (int unsigned d = 1; d < GranLanes; d++) begin
      lane_inner_q[d-1] <= row_inner_q == GranLaneW'(d);
    end
  end

  tl_lane_mask u_lane_mask (
    .clk_i    (clk_i),
    .before_i (lane_before_q),
    .inner_i  (lane_inner_q),
    .sel_i    (lane_sel_q),
    .top_i    (lane_top_q),
    .none_i   (lane_none_q),
    .mask_o   (mask_o)
  );

endmodule
