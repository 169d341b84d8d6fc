// SPDX-License-Identifier: Apache-2.0

// Holds a command until operand 0, operand 1 and the back end of the move engine have taken it.
// Each takes it when it has finished the previous command; an operand also waits for its value.
// Meanwhile one multiplier computes the lengths of a concat, one product per cycle. The mask of an
// operand with narrow slices is repeated to fill slots_o; the repeated part doubles in each cycle.
module tl_move_setup (
  input  logic                       clk_i,
  input  logic                       rst_ni,          // asynchronous assert, synchronous release

  // Commands.
  input  logic                       cmd_valid_i,
  // a command may come in the next cycle, unless one comes in this cycle
  output logic                       cmd_soon_o,
  input  tl_pkg::move_cmd_t          cmd_i,           // addi, concat or merge
  input  logic [1:0]                 awaited_i,  // the value of the operand is still to come
  input  logic [tl_pkg::NumPhys-1:0] pending_i,  // registers whose value is still to come

  // The command, for each operand. An operand that the command does not use counts as taken at
  // once.
  output tl_pkg::move_cmd_t          cmd_o,
  output logic [1:0]                 walk_valid_o,    // the command is there for the operand
  input  logic [1:0]                 walk_take_i,     // the command is taken for the operand
  input  logic [1:0]                 walk_early_i,    // early version of the take above
  output logic                       by_slice_o,      // concat with slices of a row or more
  output tl_pkg::slot_mask_t         slots_o,         // selected slices of the operand, repeated
  output tl_pkg::slot_cnt_t          period_o,        // slots after which slots_o repeats
  output tl_pkg::slot_cnt_t          turn_o,          // slices in a row, modulo the period
  output tl_pkg::lane_cnt_t          rem_o,           // granules of a row, modulo inner
  output tl_pkg::row_t [1:0]         last_o,          // last row to read
  // last_o is now a better (lower) last row, and the operand has already taken the command
  output logic [1:0]                 trim_o,

  // For the back end.
  output logic                       direct_valid_o,  // addi or merge
  output logic                       plan_valid_o,    // concat
  input  logic                       back_take_i,     // the back end has taken the command
  input  logic                       back_early_i,    // early version of the take above
  output logic [1:0]                 copies_o,        // concat takes slices from the operand
  output tl_pkg::gran_len_t [1:0]    edge_o,          // end of the operand's slices in the span
  output tl_pkg::gran_len_t          span_o,          // granules of all slices of one outer index
  // a concat by slice has many rows before the first row of operand 1
  output logic                       many_0_o
);

  localparam int unsigned GranLanes = tl_pkg::GranLanes;
  localparam int unsigned RowW      = tl_pkg::RowW;
  localparam int unsigned GranLaneW = tl_pkg::GranLaneW;
  localparam int unsigned GranW     = tl_pkg::GranW;
  localparam int unsigned MoveSlots = tl_pkg::MoveSlots;
  localparam int unsigned MoveSlotW = tl_pkg::MoveSlotW;

  // The command.
  tl_pkg::move_cmd_t cmd_q;
  logic              valid_q;
  logic [2:0]        step_q;     // cycles since the command came, at most 7
  logic [2:0]        taken_q;
  logic [2:0]        take;
  logic              is_concat_q;
  logic              whole;
  logic [1:0]        skip_q;
  logic [1:0]        skip;
  logic [1:0]        copies;
  logic [1:0]        awaited_q;  // the value of the operand is still to come
  logic              settled;    // all lengths and masks are ready
  logic              done;

  // Many rows: a quarter of the rows of a register, and 8 at least. In granules:
  localparam int unsigned Many = GranLanes * (tl_pkg::Rows > 32 ? tl_pkg::Rows / 4 : 8);

  assign whole       = is_concat_q && !by_slice_o;
  assign skip        = skip_q & {2{valid_q}};
  assign take        = {back_take_i, skip | walk_take_i};
  assign settled     = !whole || (step_q == 3'd7);
  // Timing: early handshakes count in this cycle, the others in the next one.
  assign done        = ((taken_q | {back_early_i, skip | walk_early_i}) == 3'b111) && settled;
  assign cmd_o       = cmd_q;
  assign cmd_soon_o  = !valid_q || done;

  assign copies[0] = (cmd_i.counts[0] != '0) && !cmd_i.src1.zero;
  assign copies[1] = (cmd_i.counts[1] != cmd_i.counts[0]) && !cmd_i.src2.zero;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      many_0_o <= 1'b0;
    end else begin
      valid_q <= valid_q ? !done : cmd_valid_i;
      if (step_q == 3'd2) many_0_o <= by_slice_o && (32'(edge_o[0]) >= Many);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!valid_q) begin
      step_q  <= '0;
      taken_q <= '0;
    end else begin
      if (step_q != 3'd7) step_q <= step_q + 1'b1;
      taken_q <= taken_q | take;
    end
    // Unless traps are precise, dispatch has already waited for the operands.
    awaited_q <= {2{tl_pkg::Precise != 0}} &
        (valid_q ? awaited_q & {pending_i[cmd_q.src2.phys], pending_i[cmd_q.src1.phys]} :
        awaited_i);
    if (!valid_q) begin
      cmd_q       <= cmd_i;
      is_concat_q <= cmd_i.op == tl_pkg::MoveConcat;
      by_slice_o  <= (cmd_i.op == tl_pkg::MoveConcat) && (cmd_i.inner >= (GranW + 1)'(GranLanes));
      copies_o    <= copies;
      skip_q      <= (cmd_i.op == tl_pkg::MoveConcat) ? ~copies :
          {cmd_i.op == tl_pkg::MoveAddi, 1'b0};
    end
  end

  // Products with inner, of the factor that the step before left: the slices of operand 0, those of
  // both, all slices, and those of each operand behind the last one that is selected.
  logic [31:0]             mask;
  logic [31:0]             mask_q;       // of operand 0 if it is not skipped, then of operand 1
  logic                    fill_1;
  logic [5:0]              factor_q;
  logic [4:0]              last;
  logic [4:0]              after;
  logic [7:0][1:0]         nibble_last;  // the last bit that is set in each nibble of mask_q
  logic [1:0][4:0]         after_q;      // slices behind the last selected one
  tl_pkg::gran_len_t       thrice_q;     // 3 * inner
  tl_pkg::gran_len_t [2:0] digit;        // inner times two bits of the factor
  tl_pkg::gran_len_t       low;          // product with the low four bits of the factor
  tl_pkg::gran_len_t       product;
  tl_pkg::gran_len_t       product_q;
  tl_pkg::gran_len_t       ends_at;

  always_comb begin
    for (int unsigned i = 0; i < 3; i++) begin
      unique case (factor_q[2*i+:2])
        2'd1:    digit[i] = cmd_q.inner;
        2'd2:    digit[i] = cmd_q.inner << 1;
        2'd3:    digit[i] = thrice_q;
        default: digit[i] = '0;
      endcase
    end
  end

  assign mask    = tl_pkg::below(cmd_q.dim) &
      ((fill_1 || step_q != '0) ? cmd_q.mask2 : cmd_q.mask1);
  assign after   = cmd_q.dim[4:0] + ~last;  // dim - 1 - last

  always_comb begin
    last = '0;
    for (int unsigned g = 0; g < 8; g++) begin
      nibble_last[g] = {|mask_q[4*g+2+:2], mask_q[4*g+3] || (mask_q[4*g+1] && !mask_q[4*g+2])};
      if (mask_q[4*g+:4] != '0) last[4:2] = 3'(g);
    end
    last[1:0] = nibble_last[last[4:2]];
  end

  assign low     = {(GranW - 1)'(digit[0][GranW:2]) + (GranW - 1)'(digit[1]), digit[0][1:0]};
  assign product = {(GranW - 3)'(low[GranW:4]) + (GranW - 3)'(digit[2]), low[3:0]};
  assign ends_at = cmd_q.block - product_q;

  always_ff @(posedge clk_i) begin
    product_q <= product;
    mask_q    <= mask;
    unique case (step_q)
      3'd0: begin
        factor_q <= cmd_q.counts[0];
        thrice_q <= cmd_q.inner + (cmd_q.inner << 1);
      end
      3'd1: begin
        factor_q   <= cmd_q.counts[1];
        edge_o[0]  <= product;
        after_q[0] <= after;
      end
      3'd2: begin
        factor_q   <= cmd_q.dim;
        edge_o[1]  <= product;
        after_q[1] <= after;
      end
      3'd3: begin
        factor_q <= 6'(after_q[0]);
        span_o   <= product;
      end
      default: factor_q <= 6'(after_q[1]);
    endcase
  end

  // The last row to read: that of the last selected slice, once it is known; before, that of the
  // block.
  tl_pkg::row_t end_row;
  tl_pkg::row_t block_row;

  assign end_row   = RowW'(ends_at[GranW:GranLaneW] -
      (RowW + 1)'(ends_at[GranLaneW-1:0] == '0));
  assign block_row = RowW'(cmd_q.block[GranW:GranLaneW] -
      (RowW + 1)'(cmd_q.block[GranLaneW-1:0] == '0));
  assign trim_o[0] = valid_q && whole && (step_q >= 3'd6) && taken_q[0] && !skip[0];
  assign trim_o[1] = valid_q && whole && (step_q == 3'd7) && taken_q[1] && !skip[1];

  logic [1:0] near_q;  // last_q is valid for this command
  tl_pkg::row_t [1:0] last_q;

  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      last_o[s] = !is_concat_q ? '1 : near_q[s] ? last_q[s] : block_row;
    end
  end

  always_ff @(posedge clk_i) begin
    near_q <= {step_q >= 3'd6, step_q >= 3'd5} & {2{valid_q && is_concat_q}};
    if (step_q == 3'd5) last_q[0] <= end_row;
    if (step_q == 3'd6) last_q[1] <= end_row;
  end

  // The repeated mask of an operand: first of operand 0, then, once operand 0 is taken, of operand
  // 1.
  tl_pkg::slot_mask_t slots_q;
  tl_pkg::slot_cnt_t  period_q;
  logic               full_q;    // all of slots_q is filled
  logic               long;      // a period fills more than half of it
  logic [1:0]         fill_q;    // operand whose mask it is, one-hot
  tl_pkg::lane_cnt_t  starts_q;
  tl_pkg::lane_cnt_t  rem_q;
  tl_pkg::lane_cnt_t  starts;
  tl_pkg::lane_cnt_t  rem;

  always_comb begin
    starts = '0;
    rem    = '0;
    for (int unsigned d = 1; d < GranLanes; d++) begin
      if (cmd_q.inner[GranLaneW-1:0] == GranLaneW'(d)) begin
        starts = (GranLaneW + 1)'(GranLanes / d);
        rem    = (GranLaneW + 1)'(GranLanes % d);
      end
    end
  end

  assign long     = period_q > (MoveSlotW + 1)'(MoveSlots / 2);
  assign fill_1   = (step_q == '0) ? skip[0] : fill_q[0] && taken_q[0];
  assign slots_o  = slots_q;
  assign period_o = period_q;
  assign rem_o    = rem_q;
  assign turn_o   = (MoveSlotW + 1)'(starts_q) -
      ((GranLanes <= MoveSlots / 2 || (MoveSlotW + 1)'(starts_q) < period_q) ? '0 : period_q);

  always_ff @(posedge clk_i) begin
    starts_q <= starts;
    rem_q    <= rem;
    if (cmd_q.inner[GranW:GranLaneW] != '0) begin
      starts_q <= (GranLaneW + 1)'(cmd_q.inner == (GranW + 1)'(GranLanes));
      rem_q    <= (cmd_q.inner == (GranW + 1)'(GranLanes)) ? '0 : (GranLaneW + 1)'(GranLanes);
    end
    if (step_q == '0 || fill_1) begin
      fill_q   <= {fill_1, !fill_1};
      slots_q  <= MoveSlots'(mask);
      period_q <= (MoveSlotW + 1)'(cmd_q.dim);
      full_q   <= 1'b0;
    end else begin
      slots_q <= slots_q | (slots_q << period_q);
      full_q  <= long;
      if (!long) period_q <= period_q << 1;
    end
  end

  // An operation without lane masks of slices does not wait for them.
  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      walk_valid_o[s] = valid_q && !taken_q[s] && !skip[s] && !awaited_q[s] &&
          (by_slice_o || cmd_q.op == tl_pkg::MoveAddi || (s == 1 && !is_concat_q) ||
          (step_q != '0 && full_q && fill_q[s]));
    end
  end

  assign direct_valid_o = valid_q && !taken_q[2] && !is_concat_q;
  assign plan_valid_o   = valid_q && !taken_q[2] && is_concat_q && (step_q >= 3'd4);

endmodule
