// SPDX-License-Identifier: Apache-2.0
// A load alone in tl_load, by docs/isa.md: from its command to the rows that it writes. Addresses, masks, sizes, the
// contents of L1M and the words with an error have any values, and any byte of the result is followed. tl_slice_walk is
// free; what is assumed of it is in tl_slices_spec. L1M and the register file answer at once.
module tl_load_spec (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           cmd_valid_i,
  input tl_pkg::load_cmd_t              cmd_i,
  input tl_pkg::ls_done_t               done_o,
  input tl_pkg::rf_write_t              rf_write_o,
  input logic [1:0]                     rf_blank_o,
  input logic [1:0]                     rf_write_gnt_i,
  input logic                           l1m_req_o,
  input logic                           l1m_gnt_i,
  input logic [31:0]                    l1m_addr_o,
  input logic                           l1m_rvalid_i,
  input logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input logic                           l1m_err_i,
  input logic                           accept,
  input logic                           walk_start,
  input logic                           walk_valid,
  input logic                           walk_ready,
  input logic                           walk_probe,
  input logic                           walk_none,
  input logic                           walk_joins,
  input logic                           walk_last,
  input logic                           walk_misaligned,
  input logic                           walk_outside,
  input tl_pkg::host_t                  walk_addr,
  input tl_pkg::byte_idx_t              walk_pos,
  input logic [tl_pkg::ByteW:0]         walk_bytes
);

  localparam int unsigned ByteW = tl_pkg::ByteW;
  localparam int unsigned LaneW = tl_pkg::LaneW;
  localparam int unsigned PortW = tl_pkg::PortW;
  localparam int unsigned AddrW = $clog2(tl_pkg::L1mBytes);
  localparam int unsigned Words = tl_pkg::L1mBytes / tl_pkg::PortBytes;
  // Cycles from reset in which it is done.
  localparam int unsigned Cycles = `CYCLES;

  // Free, and the same from reset on.
  typedef struct packed {
    tl_pkg::load_cmd_t cmd;
    logic [5:0]        d0;      // slices of the block
    logic [Words-1:0]  errors;  // words that L1M answers with an error
    logic              fails;   // the load traps, and `slice` is the first one that fails
    logic [4:0]        slice;   // otherwise it is the one that has the byte
    tl_pkg::host_t     addr;    // of this slice
    tl_pkg::byte_idx_t index;   // of the byte that is followed
    logic [7:0]        value;   // what L1M holds for it
  } any_t;

  any_t                any;
  any_t                any_q;
  tl_pkg::load_cmd_t   cmd;
  logic [7:0]          time_q;
  logic                commanded_q;
  logic                slice;       // the walk gives one: its number, and whether it is misaligned or outside
  logic [4:0]          now;
  logic                astray;
  logic                broken;      // a word of the slice has an error
  logic                fails;
  logic                selected;    // `slice` is
  logic [ByteW:0]      whole;       // bytes from slice to slice in the register; 0 in the command is all of it
  logic [ByteW+6:0]    start;       // of `slice` in the register
  logic                loaded;      // the byte is in a slice that is loaded
  logic [AddrW-1:0]    place;       // of the byte in L1M
  logic [7:0]          expected;
  logic [AddrW-1:0]    answer;      // address of the word of the response
  logic                wrote_q;     // the row of the byte
  logic [1:0]          pick;        // it is written: in each bank
  logic [1:0]          pick_q;
  logic [1:0]          blank_q;
  logic [7:0]          value_q;     // of the byte, as last written
  logic                done_q;
  logic                ended_q;     // one cycle later: what was written is in value_q

  assign cmd        = any_q.cmd;
  assign whole      = tl_pkg::Pitch == 0 ? cmd.bytes : {cmd.whole == '0, cmd.whole};
  assign fails      = astray || broken;
  assign selected   = (6'(any_q.slice) < any_q.d0) && cmd.mask[any_q.slice];
  assign start      = (ByteW + 7)'(any_q.slice) * (ByteW + 7)'(whole);
  assign loaded     = selected && ((ByteW + 7)'(any_q.index) >= start) &&
      ((ByteW + 7)'(any_q.index) < start + (ByteW + 7)'(cmd.bytes));
  assign place      = AddrW'(any_q.addr) + AddrW'(any_q.index - start[ByteW-1:0]);
  assign expected   = loaded ? any_q.value : '0;

  always_comb begin
    broken = 1'b0;
    for (int unsigned w = 0; w < Words; w++) begin
      if (any_q.errors[w] && (32'(walk_addr[AddrW-1:PortW]) <= w) &&
          ((32'(walk_addr[AddrW-1:0]) + 32'(cmd.bytes) - 32'd1) >> PortW >= w)) broken = 1'b1;
    end
  end

  tl_slices_spec #(
    .MemBytes (tl_pkg::L1mBytes)
  ) u_slices (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .start_i         (accept),
    .mask_i          (cmd.mask),
    .ewidth_i        (cmd.ewidth),
    .moved_i         (cmd.bytes),
    .whole_i         (whole),
    .probe_i         (1'b0),
    .walk_start      (walk_start),
    .walk_valid      (walk_valid),
    .walk_ready      (walk_ready),
    .walk_probe      (walk_probe),
    .walk_none       (walk_none),
    .walk_joins      (walk_joins),
    .walk_last       (walk_last),
    .walk_misaligned (walk_misaligned),
    .walk_outside    (walk_outside),
    .walk_addr       (walk_addr),
    .walk_pos        (walk_pos),
    .walk_bytes      (walk_bytes),
    .slice_o         (slice),
    .index_o         (now),
    .fails_o         (astray)
  );

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    tl_pkg::phys_t phys;
    tl_pkg::row_t  row;

    assign {phys, row} = {rf_write_o.addr[b], 1'(b)};
    assign pick[b]     = rf_write_o.valid[b] && (row == any_q.index[ByteW-1:LaneW]);

    always_ff @(posedge clk_i) begin
      pick_q[b]  <= rst_ni && pick[b];
      blank_q[b] <= rf_blank_o[b];
      // No other register is written.
      if (rst_ni && rf_write_o.valid[b]) assert (commanded_q && !done_q && !cmd.dst.drop && (phys == cmd.dst.phys));
    end
  end

  tl_memory_spec #(
    .Bytes (tl_pkg::L1mBytes)
  ) u_l1m (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .errors_i (any_q.errors),
    .req_i    (l1m_req_o),
    .gnt_i    (l1m_gnt_i),
    .addr_i   (l1m_addr_o),
    .rvalid_i (l1m_rvalid_i),
    .err_i    (l1m_err_i),
    .answer_o (answer)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q       <= any;
      time_q      <= '0;
      commanded_q <= 1'b0;
      wrote_q     <= 1'b0;
      done_q      <= 1'b0;
      ended_q     <= 1'b0;
    end else begin
      time_q <= time_q + 8'd1;
      // The command, as tl_shape and tl_dispatch make it.
      assume ((cmd_i == cmd) && (cmd_valid_i == (time_q == 8'd1)));
      assume ((any_q.d0 >= 6'd1) && (any_q.d0 <= 6'd`SLICES));
      assume ((cmd.bytes != '0) && (cmd.bytes <= whole) && (32'(whole) * 32'(any_q.d0) <= tl_pkg::RegBytes));
      assume ((cmd.mask & ~tl_pkg::below(any_q.d0)) == '0);
      assume (cmd.none == (cmd.mask == '0));
      assume (tl_pkg::WidthMask[cmd.ewidth]);
      assume (cmd.dst.phys < tl_pkg::NumPhys);
`ifdef BYTES
      assume (cmd.bytes == `BYTES);
`endif
      assume (32'(cmd.block) == (whole == cmd.bytes ? 32'(whole) * 32'(any_q.d0) :
          (32'(whole) * 32'(any_q.d0)) / tl_pkg::Lanes * tl_pkg::Lanes));
      assume (cmd.all == ((cmd.mask == tl_pkg::below(any_q.d0)) && (32'(whole - cmd.bytes) < tl_pkg::Lanes)));
      if (accept) commanded_q <= 1'b1;
      // `slice` is the first one that fails, or none does.
      if (slice) begin
        if (now == any_q.slice) assume (walk_addr == any_q.addr);
        if (!any_q.fails || (now <= any_q.slice)) assume (fails == (any_q.fails && (now == any_q.slice)));
      end
      assume (!any_q.fails || selected);
      if (!any_q.fails && (32'(any_q.index) < 32'(whole) * 32'(any_q.d0))) begin
        assume (((ByteW + 7)'(any_q.index) >= start) && ((ByteW + 7)'(any_q.index) < start + (ByteW + 7)'(whole)));
      end
      // L1M.
      if (l1m_rvalid_i && (answer[AddrW-1:PortW] == place[AddrW-1:PortW])) begin
        assume (l1m_rdata_i[8*place[PortW-1:0]+:8] == any_q.value);
      end
      // The register file.
      assume (rf_write_gnt_i == rf_write_o.valid);
      if (pick != '0) wrote_q <= 1'b1;
      for (int unsigned b = 0; b < 2; b++) begin
        if (pick_q[b]) value_q <= blank_q[b] ? '0 : rf_write_o.data[b][8*any_q.index[LaneW-1:0]+:8];
      end
      // The result.
      if (done_o.valid) begin
        assert (commanded_q && !done_q && (done_o.tag == cmd.tag));
        assert (any_q.fails || (done_o.cause == tl_pkg::CauseNone));
        done_q <= 1'b1;
      end
      if (done_o.valid && any_q.fails) begin
        assert (done_o.tval == any_q.addr);
        assert (done_o.cause == (((cmd.ewidth == 2'd2) && any_q.addr[0]) ||
            ((cmd.ewidth == 2'd3) && (any_q.addr[1:0] != '0)) ? tl_pkg::CauseLoadMisaligned : tl_pkg::CauseLoadFault));
      end
      ended_q <= done_q;
      if (ended_q && !any_q.fails && !cmd.dst.drop) assert (wrote_q && (value_q == expected));
      if (time_q == 8'(Cycles)) assert (done_q);
    end
  end

endmodule

bind tl_load tl_reset_spec u_reset (.*);
bind tl_load tl_load_spec u_spec (.*);
