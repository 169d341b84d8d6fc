// SPDX-License-Identifier: Apache-2.0

// Checks a whole access before anything is requested, and then gives its beats. Each memory line
// has one beat for each memory word that holds a part of the line. One beat per cycle, without a
// gap between accesses.
module tl_mx_lines (
  input  logic             clk_i,
  input  logic             rst_ni,        // asynchronous assert, synchronous release

  // Commands: there is room for all instructions in flight
  input  logic             cmd_valid_i,
  input  tl_pkg::mx_cmd_t  cmd_i,         // load or store of a tile

  // Beats
  output logic             beat_valid_o,
  output logic             beat_store_o,  // of a store
  input  logic             beat_taken_i,  // there is a beat, and it is taken
  output tl_pkg::mx_beat_t beat_o,        // address, bytes and place in the tile

  // Accesses that trap
  // from the next cycle on, accesses that have not begun have no effect: they end as if they
  // trapped
  input  logic             give_up_i,
  output tl_pkg::ls_done_t trap_o,        // the oldest access that traps, held until it is taken
  output logic             trap_store_o,  // of a store
  input  logic             trap_ready_i   // trap_o is taken
);

  localparam int unsigned Xlen      = tl_pkg::Xlen;
  localparam int unsigned PortBytes = tl_pkg::PortBytes;
  localparam int unsigned PortW     = tl_pkg::PortW;
  localparam int unsigned MxByteW   = tl_pkg::MxByteW;
  localparam int unsigned MxMemW    = tl_pkg::MxMemW;

  // The check of an access takes two cycles; accesses wait in between. From line to line the
  // address changes by the same distance. If the second line is inside the memory, this distance is
  // less than its size. So all lines are inside if the first and the last one are, computed without
  // wrap-around.
  localparam int unsigned LenW = (PortW > MxByteW ? PortW : MxByteW) + 1;
  localparam int unsigned SpanW = MxMemW + MxByteW + 1;  // distance of the last line, signed

  logic                next_valid_q;
  tl_pkg::mx_cmd_t     next_q;
  logic                many_lines;   // more than one line
  logic [1:0]          align;        // address bits that must be 0
  logic                base_misaligned;
  logic                stride_misaligned;
  logic [31:0]         size;         // bytes of the memory
  logic                stride_fits;  // the second line is less than a memory away
  // distance from line to line, signed: the lowest bits of the stride
  logic [MxMemW+1-1:0] distance;
  tl_pkg::mx_idx_t     before_last_q;      // lines before the last one
  tl_pkg::mx_idx_t     to_last_q;          // bytes before the last one of a line
  logic [SpanW-1:0]    span;               // distance from the first line to the last, signed
  logic [Xlen+1-1:0]   first_last;         // the last byte of the first line
  logic                first_inside;       // the first line is inside
  // bytes from the start of the first line to the end of its memory word
  logic [LenW-1:0]     first_room;
  logic                first_over;         // the first line ends in that word
  tl_pkg::mx_len_t     first_stop;         // bytes of the line up to the end of the first beat
  localparam int unsigned CheckW = $bits({next_q, first_stop}) + 5;

  logic [CheckW-1:0]   check;
  logic [CheckW-1:0]   checked_bits;
  logic                unused_room;
  logic                checked_valid;
  logic                checked_ready;
  tl_pkg::mx_cmd_t     checked;
  logic                checked_base;    // its base is misaligned
  logic                checked_stride;  // its stride is misaligned
  logic                checked_many_lines;
  logic                checked_inside;
  logic                checked_over;
  tl_pkg::mx_len_t     checked_stop;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) next_valid_q <= 1'b0;
    else next_valid_q <= cmd_valid_i;
  end

  always_ff @(posedge clk_i) begin
    next_q        <= cmd_i;
    before_last_q <= MxByteW'(cmd_i.lines - 1'b1);
    to_last_q     <= MxByteW'(cmd_i.bytes - 1'b1);
  end

  assign many_lines        = next_q.lines != (MxByteW + 1)'(1);
  assign align             = {next_q.d_size[1], |next_q.d_size};
  assign base_misaligned   = (next_q.base[1:0] & align) != 2'b00;
  assign stride_misaligned = many_lines && ((next_q.stride[1:0] & align) != 2'b00);
  assign size              = next_q.store ? tl_pkg::L0mBytes : tl_pkg::L1mBytes;
  assign stride_fits       =
      (next_q.stride[Xlen-1:MxMemW] == '0) || (next_q.stride[Xlen-1:MxMemW] == '1);

  assign distance = next_q.stride[MxMemW:0];

  // Of a negative stride the top bit counts the other way round.
  assign span = SpanW'(distance[MxMemW-1:0]) * SpanW'(before_last_q) -
      (distance[MxMemW] ? SpanW'(before_last_q) << MxMemW : '0);

  assign first_last   = (Xlen + 1)'(next_q.base) + (Xlen + 1)'(to_last_q);
  assign first_inside = first_last < (Xlen + 1)'(size);
  assign first_room   = LenW'(PortBytes) - LenW'(next_q.base[PortW-1:0]);
  assign first_over   = LenW'(next_q.bytes) <= first_room;
  assign first_stop   = first_over ? next_q.bytes : (MxByteW + 1)'(first_room);

  assign check = {next_q, first_stop, first_inside, first_over, many_lines,
      base_misaligned, stride_misaligned};

  tl_fifo #(
    .Width   (CheckW),
    .Depth   (2 ** tl_pkg::TagW),
    .Refuses (0)
  ) u_checked (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (next_valid_q),
    .ready_o (unused_room),
    .data_i  (check),
    .valid_o (checked_valid),
    .ready_i (checked_ready),
    .data_o  (checked_bits)
  );

  assign {checked, checked_stop, checked_inside, checked_over, checked_many_lines,
      checked_base, checked_stride} = checked_bits;

  // The second cycle of the check. Its result is used in the same cycle if the access is the next
  // one to be walked.
  logic              second_valid_q;
  logic              many_lines_q;
  logic              stride_fits_q;
  logic              first_inside_q;
  logic              store_q;
  logic [MxMemW-1:0] start_q;        // first byte of its first line, if that is inside
  logic [MxMemW-1:0] first_last_q;   // last byte of the first line
  logic [SpanW-1:0]  span_q;
  logic [SpanW-1:0]  second_size;    // bytes of its memory
  logic [SpanW-1:0]  last_start;     // first byte of its last line, signed
  logic [SpanW-1:0]  last_byte;      // last byte of its last line
  logic              second_inside;  // all of its lines are inside
  tl_pkg::tag_t      inside_tail_q;  // where its result is stored
  tl_pkg::tag_t      inside_head_q;  // where the result of the next access to be walked is
  logic              in_memory;      // all lines of the next access to be walked are inside

  logic all_inside [2 ** tl_pkg::TagW];  // results of the waiting accesses

  always_ff @(posedge clk_i) begin
    many_lines_q   <= many_lines;
    stride_fits_q  <= stride_fits;
    first_inside_q <= first_inside;
    store_q        <= next_q.store;
    start_q        <= next_q.base[MxMemW-1:0];
    first_last_q   <= first_last[MxMemW-1:0];
    span_q         <= span;
  end

  assign second_size   = store_q ? SpanW'(tl_pkg::L0mBytes) : SpanW'(tl_pkg::L1mBytes);
  assign last_start    = SpanW'(start_q) + span_q;
  assign last_byte     = SpanW'(first_last_q) + span_q;
  assign second_inside = first_inside_q && (!many_lines_q ||
      (stride_fits_q && !last_start[SpanW-1] && (last_byte < second_size)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_valid_q <= 1'b0;
      inside_tail_q  <= '0;
      inside_head_q  <= '0;
    end else begin
      second_valid_q <= next_valid_q;
      if (second_valid_q) inside_tail_q <= inside_tail_q + 1'b1;
      if (checked_valid && checked_ready) inside_head_q <= inside_head_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (second_valid_q) all_inside[inside_tail_q] <= second_inside;
  end

  assign in_memory = (second_valid_q && (inside_tail_q == inside_head_q)) ?
      second_inside : all_inside[inside_head_q];

  // The access whose lines are walked. An access that traps gives no beats. If a line is outside,
  // the walk finds the first such line.
  logic              valid_q;
  logic              advance;          // the walk moves on, or the next access enters
  logic              to_next_access;   // when the walk moves, the next access enters
  // field base: address of this line; field lines: lines that are left
  tl_pkg::mx_cmd_t   cmd_q;
  logic              base_misaligned_q;
  logic              stride_misaligned_q;
  logic              in_memory_q;
  tl_pkg::mx_idx_t   line_q;
  tl_pkg::mx_idx_t   pos_q;            // bytes of the line before the beat
  tl_pkg::mx_len_t   stop_q;           // bytes of the line up to the end of the beat
  logic [MxMemW-1:0] addr_q;           // of the first byte of the beat
  logic              first_q;          // the beat is the first one
  logic              last_line_q;      // the beat is in the last line
  logic              line_over_q;      // the beat is the last one of its line
  logic              last_q;           // the beat is the last one of the access
  logic [31:0]       checked_size;     // bytes of the memory of the next access
  logic [31:0]       limit_q;          // bytes of the memory
  logic              traps_q;
  logic              misaligned;
  logic              start_outside_q;  // the line is outside from its first byte on
  logic              outside_q;        // some byte of the line is outside
  logic              give_up_q;
  logic              dropped;          // the access has not begun, and must not begin any more
  logic              traps;            // the access that enters traps
  logic              found;            // the access that is walked traps at this line
  // the same, registered because much logic follows
  logic              found_q;
  tl_pkg::ls_done_t  trap;
  tl_pkg::ls_done_t  trap_q;
  logic              line_over;
  logic              word_over;
  tl_pkg::host_t     next_base_q;          // address of the next line
  // bytes from the start of the next line to the end of its memory word
  logic [LenW-1:0]   line_room;
  // bytes of the line up to the end of the next memory word
  logic [LenW-1:0]   word_stop;

  assign checked_size = checked.store ? tl_pkg::L0mBytes : tl_pkg::L1mBytes;

  assign misaligned = base_misaligned_q || stride_misaligned_q;

  // A beat ends with its memory word or with its line: of the next line, and of the next word.
  assign line_room = LenW'(PortBytes) - LenW'(next_base_q[PortW-1:0]);
  assign line_over = LenW'(cmd_q.bytes) <= line_room;
  assign word_stop = LenW'(stop_q) + LenW'(PortBytes);
  assign word_over = LenW'(cmd_q.bytes) <= word_stop;

  always_comb begin
    beat_o.tag    = cmd_q.tag;
    beat_o.trans  = cmd_q.trans;
    beat_o.d_size = cmd_q.d_size;
    beat_o.md     = cmd_q.md;
    beat_o.line   = line_q;
    beat_o.pos    = pos_q;
    beat_o.stop   = stop_q;
    beat_o.turn   = cmd_q.base[PortW-1:0];
    beat_o.addr   = addr_q;
    beat_o.first  = first_q;
    beat_o.last   = last_q;
  end

  assign traps   = checked_base || checked_stride || !in_memory;
  assign dropped = give_up_q && !traps_q && first_q;

  assign found   = valid_q && (misaligned || (!in_memory_q && outside_q) || dropped);

  always_comb begin
    trap.valid = found;
    trap.tag   = cmd_q.tag;
    trap.tval  = cmd_q.base;
    if (misaligned) begin
      trap.cause = cmd_q.store ? tl_pkg::CauseStoreMisaligned : tl_pkg::CauseLoadMisaligned;
      if (!base_misaligned_q) trap.tval = next_base_q;
    end else begin
      trap.cause = cmd_q.store ? tl_pkg::CauseStoreFault : tl_pkg::CauseLoadFault;
      if (!start_outside_q) trap.tval = Xlen'(limit_q);
    end
    trap_o       = trap_q;
    trap_o.valid = found_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) found_q <= 1'b0;
    else found_q <= found && !(found_q && trap_ready_i);
  end

  always_ff @(posedge clk_i) begin
    trap_q <= trap;
  end

  assign trap_store_o = cmd_q.store;
  assign beat_store_o = cmd_q.store;

  // Timing: beat_taken_i arrives late; the next state is prepared for both values.
  assign to_next_access = !valid_q || found_q || (!traps_q && last_q);
  assign advance        = beat_taken_i ||
      !valid_q || (traps_q && !found) || (found_q && trap_ready_i);
  assign checked_ready = advance && to_next_access;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q      <= 1'b0;
      beat_valid_o <= 1'b0;
    end else if (checked_ready) begin
      valid_q      <= checked_valid;
      beat_valid_o <= checked_valid && !traps && !give_up_i;
    end else begin
      beat_valid_o <= !traps_q && !(give_up_i && first_q && !beat_taken_i);
    end
  end

  always_ff @(posedge clk_i) begin
    give_up_q <= give_up_i;
  end

  always_ff @(posedge clk_i) begin
    if (advance) begin
      if (to_next_access) begin
        cmd_q               <= checked;
        next_base_q         <= checked.base + checked.stride;
        start_outside_q     <= checked.base >= Xlen'(checked_size);
        outside_q           <= !checked_inside;
        base_misaligned_q   <= checked_base;
        stride_misaligned_q <= checked_stride;
        in_memory_q         <= in_memory;
        traps_q             <= traps;
        limit_q             <= checked_size;
        line_q              <= '0;
        pos_q               <= '0;
        stop_q              <= checked_stop;
        addr_q              <= checked.base[MxMemW-1:0];
        first_q             <= 1'b1;
        last_line_q         <= !checked_many_lines;
        line_over_q         <= checked_over;
        last_q              <= !checked_many_lines && checked_over;
      end else if (traps_q || line_over_q) begin
        cmd_q.base      <= next_base_q;
        next_base_q     <= next_base_q + cmd_q.stride;
        start_outside_q <= next_base_q >= Xlen'(limit_q);
        outside_q       <=
            (Xlen + 1)'(next_base_q) + (Xlen + 1)'(cmd_q.bytes) > (Xlen + 1)'(limit_q);
        cmd_q.lines     <= cmd_q.lines - 1'b1;
        line_q          <= line_q + 1'b1;
        pos_q           <= '0;
        stop_q          <= line_over ? cmd_q.bytes : (MxByteW + 1)'(line_room);
        addr_q          <= next_base_q[MxMemW-1:0];
        first_q         <= 1'b0;
        last_line_q     <= cmd_q.lines == (MxByteW + 1)'(2);
        line_over_q     <= line_over;
        last_q          <= line_over && (cmd_q.lines == (MxByteW + 1)'(2));
      end else begin
        pos_q       <= MxByteW'(stop_q);
        stop_q      <= word_over ? cmd_q.bytes : (MxByteW + 1)'(word_stop);
        addr_q      <= {addr_q[MxMemW-1:PortW] + 1'b1, PortW'(0)};
        first_q     <= 1'b0;
        line_over_q <= word_over;
        last_q      <= last_line_q && word_over;
      end
    end
  end

endmodule
