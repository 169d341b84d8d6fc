// SPDX-License-Identifier: Apache-2.0

// Joins slices that are adjacent in the register and in memory into runs, and cuts the runs into
// beats. A beat is the part of a run that lies in one memory word. It is offered when its word is
// complete or its run has ended. One slice and one beat per cycle.
// A command without bytes has one slice marked none. Its beat is marked none too and causes no
// access.
module tl_beats #(
  parameter int unsigned AddrW = 18             // bits of a memory address
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,         // asynchronous assert, synchronous release

  // Slices
  input  logic                       slice_valid_i,
  output logic                       slice_take_o,   // the slice is taken
  // the command has no slices: one beat marked none
  input  logic                       slice_none_i,
  input  logic [AddrW-1:0]           slice_addr_i,   // address of its first byte
  input  tl_pkg::byte_idx_t          slice_pos_i,    // first byte in the register
  input  logic [tl_pkg::ByteW+1-1:0] slice_bytes_i,
  // it is adjacent to the slice before it: they form one run
  input  logic                       slice_joins_i,
  input  logic                       slice_last_i,   // last slice of the command
  // the slice of the beat stands for several, of this length; 0: for itself
  input  tl_pkg::part_t              part_i,

  // Beats
  output logic                       beat_valid_o,
  input  logic                       beat_ready_i,
  output logic                       beat_none_o,    // there are no bytes: it only ends the command
  output logic [AddrW-1:0]           beat_addr_o,    // address of its first byte
  output tl_pkg::byte_idx_t          beat_pos_o,     // of the first byte, in the register
  // from its lane in the memory word to that in its row; may be negative
  output logic [tl_pkg::LaneW+1-1:0] beat_shift_o,
  output logic [tl_pkg::PortW+1-1:0] beat_bytes_o,   // 1 to PortBytes
  // end of the beat in the memory word, exclusive; PortBytes or more: it reaches the end of the
  // word
  output logic [tl_pkg::PortW+1-1:0] beat_stop_o,
  output logic [AddrW-1:0]           beat_slice_o,   // address of the slice of the first byte
  output logic                       beat_more_o,    // the next beat is adjacent to this one
  output logic                       beat_last_o     // last beat of the command
);

  localparam int unsigned LaneW = tl_pkg::LaneW;
  localparam int unsigned ByteW = tl_pkg::ByteW;
  localparam int unsigned PortW = tl_pkg::PortW;

  // The run: its bytes that are known and not sent yet. A slice extends a run only while the run
  // has no complete word. The bytes behind the first word are therefore always of the newest slice.
  logic                     valid_q;
  logic                     none_q;
  logic                     last_q;     // the run has the last slice of the command
  logic [AddrW-1:0]         addr_q;     // of its first byte
  tl_pkg::byte_idx_t        pos_q;      // of its first byte in the register
  logic [LaneW+1-1:0]       shift_q;    // from its lane in the memory word to that in its row
  logic [AddrW-1:0]         slice_q;    // address of the slice of its first byte
  logic [AddrW-1:0]         newest_q;   // address of the slice taken last
  logic [AddrW-PortW-1:0]   next_word;
  tl_pkg::port_off_t        start_q;    // byte of the first word at which a slice of part_i starts
  tl_pkg::port_off_t        start;      // first byte of the next word at which one does
  // start for each start_q
  logic [tl_pkg::PortBytes-1:0][PortW-1:0] start_of;
  // complete words behind the first word; -1: the first is not complete
  logic [ByteW+1-PortW-1:0] behind_q;
  tl_pkg::port_off_t        tail_q;     // bytes of the end of the run in the word behind those
  logic                     full;       // the first word is complete
  logic                     fire;
  logic                     ends;       // no byte is behind the first word
  logic                     spent;      // no byte is left
  logic                     begin_run;  // the slice begins a run
  logic                     single_q;   // the first word is complete, no other one is
  logic [ByteW+1-1:0]       left;       // behind_q and tail_q when the slice is the end of the run

  assign full         = !behind_q[ByteW-PortW];
  assign ends         = !full || (single_q && tail_q == '0);
  assign beat_valid_o = valid_q && (full || last_q || (slice_valid_i && !slice_joins_i));
  assign fire         = beat_valid_o && beat_ready_i;
  assign spent        = !valid_q || (fire && ends);
  assign begin_run    = slice_valid_i && spent;
  // The slice begins a run or extends it. Timing: late signals are last in the logic.
  assign slice_take_o = slice_valid_i && (!valid_q || (full
      ? beat_ready_i && single_q && (slice_joins_i || tail_q == '0)
      : beat_ready_i || slice_joins_i));
  // A slice that extends the run begins where the run ends, so its own address names the word.
  assign left         = (slice_none_i ? '0 : slice_bytes_i) +
      {{(ByteW + 1 - PortW){1'b1}}, slice_addr_i[PortW-1:0]};

  assign beat_none_o  = none_q;
  assign beat_addr_o  = addr_q;
  assign beat_pos_o   = pos_q;
  assign beat_shift_o = shift_q;
  assign beat_slice_o = slice_q;
  assign beat_stop_o  = {full, tail_q};
  assign beat_bytes_o = {full, full ? PortW'(0) : tail_q} - {1'b0, addr_q[PortW-1:0]};
  assign beat_more_o  = !ends;
  assign beat_last_o  = last_q && ends;

  assign next_word    = addr_q[AddrW-1:PortW] + 1'b1;

  // Timing: a table, because a division by part_i is slow.
  localparam int unsigned Parts = 2 ** tl_pkg::PartW;
  localparam int unsigned Bytes = tl_pkg::PortBytes;

  // start, for each part_i and start_q
  function automatic logic [Parts*Bytes*PortW-1:0] starts();
    starts = '0;
    for (int unsigned p = 1; p < Parts; p++) begin
      for (int unsigned b = 0; b < Bytes; b++) begin
        starts[(p*Bytes+b)*PortW+:PortW] = PortW'((p - (Bytes - b) % p) % p);
      end
    end
  endfunction

  localparam logic [Parts*Bytes*PortW-1:0] Starts = starts();

  always_comb begin
    start_of = '0;
    for (int unsigned p = 1; p < Parts; p++) begin
      if (part_i == tl_pkg::PartW'(p)) start_of = Starts[p*Bytes*PortW+:Bytes*PortW];
    end
    start = start_of[start_q];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
    end else begin
      valid_q <= !spent || begin_run;
    end
  end

  always_ff @(posedge clk_i) begin
    if (slice_take_o) begin
      {behind_q, tail_q} <= left;
      single_q           <= left[ByteW:PortW] == '0;
      last_q             <= slice_last_i;
      newest_q           <= slice_addr_i;
    end else if (fire) begin
      behind_q <= behind_q - 1'b1;
      single_q <= behind_q == (ByteW + 1 - PortW)'(1);
    end
    if (begin_run) begin
      none_q  <= slice_none_i;
      addr_q  <= slice_addr_i;
      pos_q   <= slice_pos_i;
      shift_q <= {1'b0, slice_pos_i[LaneW-1:0]} - (LaneW + 1)'(slice_addr_i[PortW-1:0]);
      slice_q <= slice_addr_i;
      start_q <= slice_addr_i[PortW-1:0];
    end else if (fire) begin
      addr_q  <= {next_word, PortW'(0)};
      pos_q   <= pos_q + ByteW'(beat_bytes_o);
      shift_q <= {1'b0, shift_q[LaneW-1:0] + LaneW'(tl_pkg::PortBytes)};
      start_q <= start;
      slice_q <= newest_q;
      // Unless the next word starts with a slice, it starts with the rest of one.
      if (part_i != '0) begin
        slice_q <= start == '0 ? {next_word, PortW'(0)}
                               : {addr_q[AddrW-1:PortW], start - PortW'(part_i)};
      end
    end
  end

endmodule
