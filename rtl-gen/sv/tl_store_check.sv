// SPDX-License-Identifier: Apache-2.0

// Takes stores, checks all slices of each, and passes it on with a verdict: it traps or not. The
// slices enter a FIFO while they are walked; they become visible at its output only when the
// verdict is known. Short slices that follow each other in memory without a gap are walked as one.
// The verdict comes from one or two probes that go through the walker before the slices. If the
// probes cannot decide, it comes from the walk, after the last slice. While the rest of tl_store
// moves the data of one store, the next ones are checked here.
module tl_store_check (
  input  logic                       clk_i,
  input  logic                       rst_ni,          // asynchronous assert, synchronous release

  // Commands
  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,     // a command may come
  // a command may come in the next cycle, unless one comes in this cycle
  output logic                       cmd_soon_o,
  input  tl_pkg::store_cmd_t         cmd_i,           // tl.store, tl.mstore

  // Strides
  output logic                       stride_read_o,
  output logic [4:0]                 stride_idx_o,    // number of the stride
  // tstore_stride[stride_idx_o], one cycle after the read, until the next read
  input  logic [31:0]                stride_i,
  input  logic [31:0]                bound_i,         // upper bound of all store strides
  output logic                       strides_busy_o,  // strides may still be read

  // The oldest store, with its verdict
  output logic                       op_valid_o,
  input  logic                       op_take_i,
  output tl_pkg::store_op_t          op_o,            // the store, and whether it traps

  // Slices of stores that do not trap, oldest first
  output logic                       slice_valid_o,
  input  logic                       slice_take_i,
  output tl_pkg::l0m_addr_t          slice_addr_o,    // address of its first byte
  output tl_pkg::byte_idx_t          slice_pos_o,     // first byte in the register
  output logic [tl_pkg::ByteW+1-1:0] slice_bytes_o,   // bytes of it that are moved
  // the slice is adjacent to the slice before it, in the register and in memory
  output logic                       slice_joins_o,
  output logic                       slice_last_o     // last slice of the store
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;
  localparam int unsigned ByteW     = tl_pkg::ByteW;

  // Stores that are here, and the walk.
  logic               accept;
  logic               accept_q;
  logic               op_room;
  logic               op_here;
  logic               walk_start;
  logic               walk_soon;
  logic               walk_valid;
  logic               walk_ready;
  logic               walk_probe;
  logic               walk_none;
  logic               walk_joins;
  logic               walk_misaligned;
  logic               walk_outside;
  logic               walk_last;
  tl_pkg::host_t      walk_addr;
  tl_pkg::byte_idx_t  walk_pos;
  logic [ByteW+1-1:0] walk_bytes;
  logic [1:0]         align;
  logic               bound_small;
  logic               tells;    // if the probes are good, all slices between them are good
  logic               far;      // the end of the memory is so far that no slice reaches it
  logic               merge;    // walk all slices as one
  logic [ByteW+1-1:0] bytes;    // of a slice that is walked
  // send probes: worth their cycles only if the walk does not limit the rate
  logic               probe;

  assign cmd_ready_o = walk_start && op_room;
  assign cmd_soon_o  = walk_soon && op_room && !accept_q;
  assign accept      = cmd_valid_i && cmd_ready_o;
  assign align       = {&cmd_i.ewidth, cmd_i.ewidth[1]};
  // With a bound of fewer bits no address of a probe wraps around.
  assign bound_small = bound_i[31:31-ByteW] == '0;
  // With a free pitch, a slice between two aligned ones may be misaligned, and the pitch may be
  // larger than a register.
  assign tells       = (tl_pkg::Pitch == 0) || ((cmd_i.pitch[1:0] & align) == '0 &&
      (32'(cmd_i.pitch) <= tl_pkg::RegBytes || bound_i[31:15] == '0));
  assign probe       = bound_small && tells && !cmd_i.none && !merge &&
      (!op_here || (cmd_i.bytes > (ByteW + 1)'(PortBytes)));

  // A trap names its slice, and the walk knows the address of each slice that it walks. So all are
  // walked as one only if the first one traps when any does: because it is misaligned, or before
  // the memory. Errors of L0M come later; tl_beats finds their slices.
  localparam int unsigned PartW = tl_pkg::PartW;
  localparam int unsigned L0mW  = tl_pkg::L0mW;
  // Bytes from the base to the end of the last slice, at most.
  localparam int unsigned Reach = 127 * (2 ** PartW - 1) + tl_pkg::RegBytes;
  localparam int unsigned NearW = $clog2(Reach);

  if (NearW < L0mW) begin : gen_far
    logic [L0mW-NearW-1:0] part;   // of the memory, in which the base is

    assign part = cmd_i.base[L0mW-1:NearW];
    assign far = (cmd_i.base[tl_pkg::Xlen-1:L0mW] == '0) && (part != '1);
  end else begin : gen_near
    assign far = 1'b0;
  end

  assign merge = cmd_i.dense && far && (cmd_i.bytes[ByteW:PartW] == '0);
  assign bytes = merge ? cmd_i.block : cmd_i.bytes;

  tl_slice_walk #(
    .MemBytes (tl_pkg::L0mBytes)
  ) u_walk (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .start_i      (accept),
    .ready_o      (walk_start),
    .soon_o       (walk_soon),
    .base_i       (cmd_i.base),
    .imm_i        (cmd_i.imm),
    .bytes_i      (bytes),
    .pitch_i      (tl_pkg::Pitch != 0 ? cmd_i.pitch : tl_pkg::PitchW'(cmd_i.bytes)),
    .whole_i      (merge ? bytes[ByteW-1:0] : cmd_i.whole),
    .mask_i       (merge ? 32'd1 : cmd_i.mask),
    .none_i       (cmd_i.none),
    .align_i      (align),
    .probe_i      (probe),
    .bound_i      (bound_i[30-ByteW:0]),
    .reading_o    (strides_busy_o),
    .stride_read_o (stride_read_o),
    .stride_idx_o (stride_idx_o),
    .stride_i     (stride_i),
    .valid_o      (walk_valid),
    .ready_i      (walk_ready),
    .probe_o      (walk_probe),
    .none_o       (walk_none),
    .addr_o       (walk_addr),
    .pos_o        (walk_pos),
    .bytes_o      (walk_bytes),
    .joins_o      (walk_joins),
    .misaligned_o (walk_misaligned),
    .outside_o    (walk_outside),
    .last_o       (walk_last)
  );

  // The verdict on the store that leaves the walk: at its last probe, its first failure, or its
  // end. Slices of a store that traps are removed one cycle later.
  logic           fails;
  logic           take;
  logic           doubt_q;    // a probe of this store was outside, or it has no probe
  logic           trap_q;     // a slice of this store failed
  logic           proven_q;   // the probes of this store were good
  logic           good;       // no slice fails; known in this cycle
  logic           trap;       // a slice fails; known in this cycle
  logic           undo_q;     // the slices of a store that traps have to be removed
  logic           verdict_q;
  logic           nothing_q;
  tl_pkg::cause_e cause_q;
  tl_pkg::host_t  addr_q;
  logic           push;
  logic           room_q;     // room for one more slice
  tl_pkg::cause_e cause;

  assign fails      = walk_misaligned || walk_outside;
  assign walk_ready = room_q;
  assign take       = walk_valid && walk_ready;
  assign push       = take && !walk_probe && !walk_none && !trap_q;
  assign trap       = take && !walk_probe && fails && !trap_q;
  assign good       = take && walk_last && !fails && (walk_probe ? !doubt_q : !proven_q && !trap_q);

  always_comb begin
    cause = tl_pkg::CauseNone;
    if (fails) cause = walk_misaligned ? tl_pkg::CauseStoreMisaligned : tl_pkg::CauseStoreFault;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      doubt_q   <= 1'b0;
      trap_q    <= 1'b0;
      proven_q  <= 1'b0;
      verdict_q <= 1'b0;
    end else begin
      verdict_q <= good || trap;
      if (take) begin
        doubt_q  <= !walk_last && fails;
        trap_q   <= (trap_q || trap) && !walk_last;
        proven_q <= (proven_q || good) && (walk_probe || !walk_last);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    undo_q    <= trap;
    nothing_q <= walk_none || fails;
    cause_q   <= cause;
    addr_q    <= walk_addr;
  end

  // Stores that wait for their verdict. A store enters here one cycle after the walk took it. That
  // is soon enough: a verdict takes longer, and the walk takes no other command in that cycle.
  tl_pkg::tag_t tag_q;
  tl_pkg::src_t src_q;
  tl_pkg::part_t part_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accept_q <= 1'b0;
    end else begin
      accept_q <= accept;
    end
  end

  always_ff @(posedge clk_i) begin
    tag_q <= cmd_i.tag;
    src_q <= cmd_i.src;
    part_q <= merge ? cmd_i.bytes[PartW-1:0] : '0;
  end

  logic         verdict_here;
  logic         verdict_room;
  logic         op_none;
  tl_pkg::tag_t op_tag;
  tl_pkg::src_t op_src;
  tl_pkg::part_t op_part;
  logic [2:0]   op_cause;
  tl_pkg::host_t op_tval;
  logic         unused_room;   // if there is room for the store, there is room for its verdict

  tl_fifo #(
    .Width (tl_pkg::TagW + 1 + tl_pkg::PhysW + PartW),
    .Depth (tl_pkg::StoreOps)
  ) u_ops (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (accept_q),
    .ready_o (op_room),
    .data_i  ({tag_q, src_q, part_q}),
    .valid_o (op_here),
    .ready_i (op_take_i),
    .data_o  ({op_tag, op_src, op_part})
  );

  tl_fifo #(
    .Width (tl_pkg::Xlen + 4),
    .Depth (tl_pkg::StoreOps)
  ) u_verdicts (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (verdict_q),
    .ready_o (verdict_room),
    .data_i  ({nothing_q, cause_q, addr_q}),
    .valid_o (verdict_here),
    .ready_i (op_take_i),
    .data_o  ({op_none, op_cause, op_tval})
  );

  assign unused_room = verdict_room;
  assign op_valid_o  = op_here && verdict_here;

  always_comb begin
    op_o.tag   = op_tag;
    op_o.src   = op_src;
    op_o.part  = op_part;
    op_o.none  = op_none;
    op_o.cause = tl_pkg::cause_e'(op_cause);
    op_o.tval  = op_tval;
  end

  // The slices. The FIFO can hold all slices of one store, which is the most that is walked before
  // a verdict. Slices of a store that traps are removed.
  logic [5:0] head_q;
  logic [5:0] tail_q;
  logic [5:0] place;   // slot for a new slice
  logic [5:0] tail_d;
  logic [5:0] seen_q;  // end of the visible slices, and start of those without a verdict

  localparam int unsigned SliceW = tl_pkg::L0mW + 2 * ByteW + 3;

  logic [SliceW-1:0] slices [32];
  logic [SliceW-1:0] slice;

  assign place         = undo_q ? seen_q : tail_q;
  assign tail_d        = place + 6'(push);
  assign slice         = {walk_addr[tl_pkg::L0mW-1:0], walk_pos, walk_bytes, walk_joins, walk_last};
  assign slice_valid_o = head_q != seen_q;

  assign {slice_addr_o, slice_pos_o, slice_bytes_o, slice_joins_o, slice_last_o} =
      slices[head_q[4:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      seen_q <= '0;
      room_q <= 1'b1;
    end else begin
      tail_q <= tail_d;
      // Registered, because the whole walk waits for it and slice_take_i arrives late.
      room_q <= slice_take_i || (tail_d != {!head_q[5], head_q[4:0]});
      if (good || proven_q) seen_q <= tail_d;
      if (slice_take_i) head_q <= head_q + 6'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) slices[place[4:0]] <= slice;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!(take && !walk_probe && proven_q && fails))
      else $error("tl_store_check: probes were good, and a slice fails");
    end
  end
`endif

endmodule
