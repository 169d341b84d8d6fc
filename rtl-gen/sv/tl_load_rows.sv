// SPDX-License-Identifier: Apache-2.0

// Collects the bytes of the beats of a load in one row per bank, and writes finished rows. A beat
// touches at most two rows, which are in different banks; beats come in the order of the register's
// bytes. A sweep of zeros writes the rows that no beat touches, in each bank when it is free. If
// the sweep also goes over rows with data, such a row waits until it is next in the sweep, and is
// written in place of zeros. Its data may be late: then it is written once more.
module tl_load_rows (
  input  logic                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                           rst_ni,

  // Beat. Its memory word is at word_i one cycle later, and stays there until the next beat is
  // taken
  input  logic                           beat_valid_i,
  // a beat is taken in this cycle, if there is one
  output logic                           beat_ready_o,
  input  logic                           beat_write_i,    // its bytes are to be written
  input  logic                           beat_last_i,     // last beat of its command
  // lanes from the first byte in the word to that in the row
  input  tl_pkg::lane_t                  beat_turn_i,
  input  logic [tl_pkg::PortW+1-1:0]     beat_bytes_i,    // 1 to PortBytes
  input  tl_pkg::byte_idx_t              beat_pos_i,      // first byte in the register
  input  tl_pkg::load_slot_t             beat_slot_i,     // slot of its command
  input  tl_pkg::phys_t                  beat_phys_i,     // register that it goes to
  input  logic [8*tl_pkg::PortBytes-1:0] word_i,          // the memory word
  // slots with rows that are not written yet; younger ones may be missing, the oldest is not
  output logic [tl_pkg::LoadSlots-1:0]   writing_o,
  // the last beat of a command is here
  output logic                           ended_o,
  // slot of that command; if it still has rows, writing_o has it in the next cycle
  output tl_pkg::load_slot_t             ended_slot_o,

  // Sweep of zeros over the rows of each bank, from pair zero_pair_i of a register on
  input  logic [tl_pkg::LoadSlots-1:0]   zero_todo_i,     // slots whose sweep is not over
  input  logic                           zero_valid_i,    // a sweep is active
  input  tl_pkg::load_slot_t             zero_slot_i,     // of this command
  input  tl_pkg::phys_t                  zero_phys_i,     // register that is swept
  // next pair of each bank; Rows / 2: none is left
  input  logic [1:0][tl_pkg::RowW-1:0]   zero_pair_i,
  // banks in which the pair of the sweep is written, with zeros or data
  output logic [1:0]                     zero_step_o,
  input  logic                           zero_over_i,     // this cycle ends the sweep

  // Register file
  output tl_pkg::rf_write_t              rf_write_o,
  // banks to which zeros are written in place of the data
  output logic [1:0]                     rf_blank_o,
  input  logic [1:0]                     rf_write_gnt_i   // banks
);

  localparam int unsigned Lanes   = tl_pkg::Lanes;
  localparam int unsigned RowBits = tl_pkg::RowBits;
  localparam int unsigned RowW    = tl_pkg::RowW;
  localparam int unsigned LaneW   = tl_pkg::LaneW;

  // Moves the bytes of the word to their lanes, and says which bytes of which rows they are.
  logic [RowBits-1:0]    in_data;
  tl_pkg::lane_t         in_turn_q;
  tl_pkg::lane_t         lane;        // of the first byte
  logic [LaneW+1-1:0]    stop;        // lane behind the last byte; from Lanes on in the next row
  logic [Lanes-1:0]      low;         // bytes in the row of the first byte
  logic [Lanes-1:0]      high;        // bytes in the next row
  logic                  in_valid_q;
  logic                  in_last_q;
  logic [1:0][Lanes-1:0] in_bytes_q;  // bytes touched in each bank
  tl_pkg::load_slot_t    in_slot_q;
  tl_pkg::phys_t         in_phys_q;

  assign lane = beat_pos_i[LaneW-1:0];
  assign stop = (LaneW + 1)'(lane) + (LaneW + 1)'(beat_bytes_i);
  assign low  = ({Lanes{1'b1}} << lane) & (stop[LaneW] ? '1 : ~({Lanes{1'b1}} << stop[LaneW-1:0]));
  assign high = stop[LaneW] ? ~({Lanes{1'b1}} << stop[LaneW-1:0]) : '0;

  always_comb begin
    in_data = RowBits'(word_i);
    for (int unsigned s = 0; s < LaneW; s++) begin
      if (in_turn_q[s]) in_data = (in_data << (8 << s)) | (in_data >> (RowBits - (8 << s)));
    end
  end

  assign ended_o      = in_valid_q && in_last_q;
  assign ended_slot_o = in_slot_q;

  always_ff @(posedge clk_i) begin
    if (beat_ready_o) begin
      in_valid_q <= beat_valid_i;
      in_last_q  <= beat_last_i;
      in_bytes_q <= beat_pos_i[LaneW] ? {low, high} : {high, low};
      in_slot_q  <= beat_slot_i;
      in_phys_q  <= beat_phys_i;
      in_turn_q  <= beat_turn_i;
    end
  end

  // The row that each bank collects, or has finished and not yet handed on.
  logic [1:0]                 full_q;        // the bank has a row here
  logic [1:0]                 finished_q;    // no more bytes come
  tl_pkg::load_slot_t [1:0]   slot_q;        // slot of the command of each
  tl_pkg::phys_t [1:0]        phys_q;
  logic [1:0][RowW-1-1:0]     pair_q;        // row pair
  logic [1:0][Lanes-1:0][7:0] data_q;
  tl_pkg::row_t               first;         // row of the first byte of the beat that comes
  logic [1:0][RowW-1-1:0]     pair;          // row pair that it touches in each bank
  // row pair that each bank will have when the beat is here
  logic [1:0][RowW-1-1:0]     newest;
  logic [1:0][RowW-1-1:0]     in_pair_q;     // row pair that the beat touches in each bank
  logic [1:0]                 in_touched_q;  // banks that it touches, if there is a beat
  logic [1:0]                 in_same_q;     // the beat is in the row that the bank collects
  logic [1:0]                 in_ends_q;     // the beat fills the row up to its end
  logic [1:0]                 in_behind_q;   // the beat starts in another row
  logic [1:0]                 behind;        // the beat is in a later row
  logic [1:0]                 grows;         // the beat adds to the row
  logic [1:0]                 out_room;      // the queue of the bank has room for a row
  logic [1:0]                 hand_on;       // the row enters the queue of the bank
  logic [1:0]                 room;          // the bank can take its part of the beat
  // the bank takes its part; it repeats this until the whole beat is taken
  logic [1:0]                 enters;
  logic [1:0]                 space;         // the bank does not hold the beat up
  logic                       take;

  assign first   = beat_pos_i[tl_pkg::ByteW-1:LaneW];
  assign pair[1] = first[RowW-1:1];
  assign pair[0] = first[RowW-1:1] + (RowW - 1)'(first[0]);

  // A beat enters when the beat before it leaves, so the row that it will find is known.
  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      newest[b] = in_touched_q[b] ? in_pair_q[b] : pair_q[b];
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_ready_o) begin
      in_pair_q <= pair;
      for (int unsigned b = 0; b < 2; b++) begin
        in_touched_q[b] <= beat_valid_i && beat_write_i &&
            ((first[0] == 1'(b)) || (stop > (LaneW + 1)'(Lanes)));
        in_same_q[b]    <= newest[b] == pair[b];
        in_ends_q[b]    <= stop[LaneW] && (first[0] == 1'(b));
        in_behind_q[b]  <= {newest[b], 1'(b)} != first;
      end
    end
  end

  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      behind[b]  = in_valid_q && in_behind_q[b];
      grows[b]   = full_q[b] && !finished_q[b] && in_same_q[b];
      hand_on[b] = full_q[b] && (finished_q[b] || behind[b]) && out_room[b];
      room[b]    = !full_q[b] || grows[b] || hand_on[b];
      // The same as room, in shorter logic: a part that is not in the row of the bank is behind it.
      space[b]   = !in_touched_q[b] || !full_q[b] || out_room[b] ||
          (in_same_q[b] && !finished_q[b]);
      enters[b]  = in_touched_q[b] && room[b];
    end
  end

  assign beat_ready_o = space == '1;
  assign take         = in_valid_q && beat_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= '0;
    end else begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (beat_ready_o && in_touched_q[b]) full_q[b] <= 1'b1;
        else if (hand_on[b]) full_q[b] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 2; b++) begin
      if (beat_ready_o && in_touched_q[b]) finished_q[b] <= in_last_q || in_ends_q[b];
      else if (behind[b] || (take && in_last_q)) finished_q[b] <= 1'b1;
      if (enters[b]) begin
        slot_q[b] <= in_slot_q;
        phys_q[b] <= in_phys_q;
        pair_q[b] <= in_pair_q[b];
        for (int unsigned l = 0; l < Lanes; l++) begin
          if (in_bytes_q[b][l]) begin
            data_q[b][l] <= in_data[8*l+:8];
          end else if (!grows[b]) begin
            data_q[b][l] <= '0;
          end
        end
      end
    end
  end

  // Rows to be written.
  logic [1:0]               out_valid;  // banks with a row in the queue
  tl_pkg::load_slot_t [1:0] out_slot;   // slot of the oldest row of each bank
  logic [1:0]               here;       // banks whose oldest row may be written
  logic [1:0]               blank;      // the others
  logic [1:0]               meets;      // the row to be written is next in the sweep, too
  tl_pkg::bank_addr_t [1:0] out_addr;
  logic [1:0][RowBits-1:0]  out_data;

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    tl_load_bank u_bank (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .push_i       (hand_on[b]),
      .room_o       (out_room[b]),
      .slot_i       (slot_q[b]),
      .phys_i       (phys_q[b]),
      .pair_i       (pair_q[b]),
      .row_i        (data_q[b]),
      .zero_todo_i  (zero_todo_i),
      .zero_valid_i (zero_valid_i),
      .zero_slot_i  (zero_slot_i),
      .zero_pair_i  (zero_pair_i[b]),
      .zero_step_i  (zero_step_o[b]),
      .zero_over_i  (zero_over_i),
      .meets_o      (meets[b]),
      .valid_o      (out_valid[b]),
      .slot_o       (out_slot[b]),
      .here_o       (here[b]),
      .blank_o      (blank[b]),
      .addr_o       (out_addr[b]),
      .row_o        (out_data[b]),
      .gnt_i        (rf_write_gnt_i[b])
    );
  end

  // It is enough to look at the oldest rows: rows behind them are of the same or younger slots.
  always_comb begin
    for (int unsigned s = 0; s < tl_pkg::LoadSlots; s++) begin
      writing_o[s] = 1'b0;
      for (int unsigned b = 0; b < 2; b++) begin
        if (full_q[b] && slot_q[b] == tl_pkg::load_slot_t'(s)) writing_o[s] = 1'b1;
        if (out_valid[b] && out_slot[b] == tl_pkg::load_slot_t'(s)) writing_o[s] = 1'b1;
      end
    end
  end

  // Zeros are written to a bank whose oldest row may not be written.
  logic [1:0] sweeps;  // banks with rows of the sweep

  assign rf_blank_o  = blank;
  assign zero_step_o = sweeps & (blank | meets) & rf_write_gnt_i;

  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      sweeps[b]           = zero_valid_i && !zero_pair_i[b][RowW-1];
      rf_write_o.valid[b] = here[b] || sweeps[b];
      rf_write_o.addr[b]  = blank[b] ?
          tl_pkg::bank_addr(zero_phys_i, zero_pair_i[b][RowW-2:0]) : out_addr[b];
      rf_write_o.data[b]  = out_data[b];
    end
  end

endmodule
