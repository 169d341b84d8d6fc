// SPDX-License-Identifier: Apache-2.0
// The slices of a load or store, by docs/isa.md: which of them come, in which order, the address of each, and whether
// it is misaligned or has a byte outside of the memory. A copy of each slice goes through the stages of the walk with it.
module tl_slice_walk_spec #(
  parameter int unsigned MemBytes = 64
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic                      start_i,
  input logic                      ready_o,
  input tl_pkg::host_t             base_i,
  input logic [7:0]                imm_i,
  input logic [tl_pkg::ByteW:0]    bytes_i,
  input logic [tl_pkg::PitchW-1:0] pitch_i,
  input tl_pkg::byte_idx_t         whole_i,
  input logic [31:0]               mask_i,
  input logic                      none_i,
  input logic [1:0]                align_i,
  input logic                      stride_read_o,
  input logic [4:0]                stride_idx_o,
  input logic [31:0]               stride_i,
  input logic                      valid_o,
  input logic                      ready_i,
  input logic                      probe_o,
  input logic                      none_o,
  input tl_pkg::host_t             addr_o,
  input logic [tl_pkg::ByteW:0]    bytes_o,
  input logic                      joins_o,
  input logic                      misaligned_o,
  input logic                      outside_o,
  input logic                      last_o
);

  localparam int unsigned AddrW = $clog2(MemBytes);
  // The distance of a slice from the base is slot * pitch modulo 2^32: that of the low 18 bits of slot, and that of the
  // others. Said in these parts, since no solver finds that products of equal numbers are equal.
  localparam int unsigned LowW  = tl_pkg::PitchW + 18 < 32 ? tl_pkg::PitchW + 18 : 32;

  typedef struct packed {
    logic                      slice;     // not a probe, and not the output of a command without slices
    logic                      first;     // of its command
    logic                      last;
    logic [4:0]                index;
    logic                      next;      // its number follows that of the slice before
    logic                      part;      // slices are moved in part
    tl_pkg::host_t             base;
    logic [7:0]                imm;
    logic [tl_pkg::ByteW:0]    bytes;
    logic [tl_pkg::PitchW-1:0] pitch;
    logic [1:0]                align;
    logic [31:0]               slot;      // stride and imm8
    logic [LowW-1:0]           low;       // slot * pitch, in two parts
    logic [13:0]               high;
  } slice_t;

  slice_t             cmd_q;
  slice_t             enters;     // the slice that is left and has the lowest number
  slice_t [3:0]       stage_q;    // read, sum, product, output
  logic [3:0]         valid;
  logic [3:0]         final_one;  // it holds the last output of its command
  logic               alone_q;    // nothing was in the walk when the command came
  logic [2:0]         delay_q;    // cycles until its first output
  logic               ended_q;    // its last output was taken
  logic               first_q;    // none of its slices has entered
  logic [31:0]        left_q;     // slices of the command that have not entered
  logic [4:0]         before_q;   // the slice that entered last
  slice_t             prior_q;    // that was at the output before
  tl_pkg::host_t      addr;       // of the slice at the output
  logic [tl_pkg::Xlen:0] stop;    // behind it
  logic [tl_pkg::Xlen:0] prior_stop;

  function automatic tl_pkg::host_t address(slice_t slice);
    address = slice.base + tl_pkg::Xlen'($signed({slice.high, 18'd0} + 32'(slice.low)));
  endfunction

  assign valid      = {valid_o, tl_slice_walk.prod_valid_q, tl_slice_walk.sum_valid_q, tl_slice_walk.read_valid_q};
  assign final_one  = {last_o && !probe_o, tl_slice_walk.prod_last_q && !tl_slice_walk.prod_probe_q,
      tl_slice_walk.sum_last_q && !tl_slice_walk.sum_probe_q,
      tl_slice_walk.read_last_q && (tl_slice_walk.read_probes_q == '0)};
  assign addr       = address(stage_q[3]);
  assign stop       = (tl_pkg::Xlen + 1)'(addr) + (tl_pkg::Xlen + 1)'(stage_q[3].bytes);
  assign prior_stop = (tl_pkg::Xlen + 1)'(address(prior_q)) + (tl_pkg::Xlen + 1)'(prior_q.bytes);

  always_comb begin
    enters       = cmd_q;
    enters.slice = (tl_slice_walk.probes_q == '0) && (left_q != '0);
    enters.first = first_q;
    enters.last  = (left_q & (left_q - 32'd1)) == '0;
    for (int unsigned i = 32; i > 0; i--) if (left_q[i-1]) enters.index = 5'(i - 1);
    enters.next = !enters.first && (enters.index == before_q + 5'd1);
  end

  always_ff @(posedge clk_i) begin
    if (tl_slice_walk.advance) begin
      stage_q         <= {stage_q[2:0], enters};
      stage_q[1].slot <= stride_i + 32'($signed(stage_q[0].imm));
      // Below: sum_q is slot, and sum_pitch_q is pitch.
      stage_q[2].low  <= LowW'(tl_slice_walk.sum_q[17:0]) * LowW'(tl_slice_walk.sum_pitch_q);
      stage_q[2].high <= 14'(tl_slice_walk.sum_q[31:18] * 14'(tl_slice_walk.sum_pitch_q));
    end
    if (!rst_ni) begin
      alone_q <= 1'b0;
    end else if (start_i) begin
      alone_q <= valid == '0;
      delay_q <= 3'd4;
      ended_q <= 1'b0;
    end else begin
      if (delay_q != '0) delay_q <= delay_q - 3'd1;
      if (valid_o && ready_i && final_one[3]) ended_q <= 1'b1;
    end
    if (rst_ni) begin
      // The first output is there five cycles after start_i, and from then on there is one in each cycle.
      if (alone_q) assert (valid_o == ((delay_q == '0) && !ended_q));
      if (start_i) begin
        assume (ready_o && (bytes_i != '0) && (32'(bytes_i) <= tl_pkg::RegBytes) && (none_i == (mask_i == '0)));
        cmd_q <= '{base: base_i, imm: imm_i, bytes: bytes_i, align: align_i, pitch: pitch_i,
            part: (tl_pkg::Pitch != 0) && (bytes_i[tl_pkg::ByteW-1:0] != whole_i), default: '0};
        first_q <= 1'b1;
        left_q  <= mask_i;
      end else if (tl_slice_walk.step && enters.slice) begin
        left_q   <= left_q & (left_q - 32'd1);
        before_q <= enters.index;
        first_q  <= 1'b0;
      end
      if (tl_slice_walk.advance && valid_o) prior_q <= stage_q[3];
      // The stride that is read is that of the slice.
      if (tl_slice_walk.step && enters.slice) assert (stride_read_o && (stride_idx_o == enters.index));
      if (valid_o) assert (stage_q[3].slice == (!probe_o && !none_o));
      if (valid_o && stage_q[3].slice) begin
        assert ((addr_o == addr) && (bytes_o == stage_q[3].bytes) && (last_o == stage_q[3].last));
        assert (misaligned_o == ((addr[1:0] & stage_q[3].align) != '0));
        assert (outside_o == (stop > MemBytes));
        if (stage_q[3].first) assert (!joins_o);
        else if ((stop <= MemBytes) && (prior_stop <= MemBytes)) begin
          assert (joins_o == (stage_q[3].next && !stage_q[3].part && ((tl_pkg::Xlen + 1)'(addr) == prior_stop)));
        end
      end
      // Why.
      if (alone_q) begin
        assert (delay_q <= 3'd4);
        if (delay_q == 3'd4) assert (tl_slice_walk.more_q && (valid == '0));
        if ((delay_q != '0) && (delay_q != 3'd4)) assert (valid[3-delay_q] && (valid >> (3'd4 - delay_q) == '0));
        if (delay_q != '0) assert (!ended_q);
        if (ended_q) assert ((valid == '0) && !tl_slice_walk.more_q);
        for (int unsigned i = 0; i < 4; i++) begin
          if (valid[i] && final_one[i]) assert (!tl_slice_walk.more_q && ((valid & ~({4{1'b1}} << i)) == '0));
          if (valid[i] && !final_one[i]) assert (i == 0 ? tl_slice_walk.more_q : valid[(i+3)%4]);
        end
      end
      for (int unsigned i = 0; i < 4; i++) begin
        if (valid[i] && stage_q[i].slice && stage_q[i].first) assert (!stage_q[i].next);
      end
      // The slices of a command follow each other without a gap.
      if (tl_slice_walk.more_q && !first_q) begin
        assert (tl_slice_walk.read_valid_q && stage_q[0].slice && (tl_slice_walk.probes_q == '0));
      end
      if (tl_slice_walk.read_valid_q && stage_q[0].slice && !stage_q[0].first) begin
        assert (tl_slice_walk.sum_valid_q && stage_q[1].slice);
      end
      if (tl_slice_walk.sum_valid_q && stage_q[1].slice && !stage_q[1].first) begin
        assert (tl_slice_walk.prod_valid_q && stage_q[2].slice);
      end
      if (tl_slice_walk.prod_valid_q && stage_q[2].slice && !stage_q[2].first) begin
        assert (valid_o && stage_q[3].slice);
      end
      if (tl_slice_walk.more_q) begin
        assert ((tl_slice_walk.base_q == cmd_q.base) && (tl_slice_walk.imm_q == cmd_q.imm));
        assert ((tl_slice_walk.mask_q == left_q) && (tl_slice_walk.bytes_q == cmd_q.bytes));
        assert (tl_slice_walk.pitch_q == cmd_q.pitch);
        assert ((tl_slice_walk.align_q == cmd_q.align) && !cmd_q.slice && (tl_slice_walk.probes_q != 2'b11));
        assert ((cmd_q.bytes != '0) && (32'(cmd_q.bytes) <= tl_pkg::RegBytes));
        assert ((tl_slice_walk.part_q == cmd_q.part) && (first_q == tl_slice_walk.first_q));
        if (!first_q) begin
          assert (before_q == (tl_slice_walk.read_valid_q ? tl_slice_walk.read_index_q : tl_slice_walk.sum_index_q));
        end
        if (tl_slice_walk.none_q) assert (left_q == '0);
        else assert (left_q != '0);
      end
      if (tl_slice_walk.read_valid_q) begin
        assert (stage_q[0].slice == (!tl_slice_walk.read_none_q && (tl_slice_walk.read_probes_q == '0)));
        assert ((stage_q[0].bytes != '0) && (32'(stage_q[0].bytes) <= tl_pkg::RegBytes));
        if (stage_q[0].slice) begin
          assert ((tl_slice_walk.read_base_q == stage_q[0].base) && (tl_slice_walk.read_imm_q == stage_q[0].imm));
          assert ((tl_slice_walk.read_bytes_q == stage_q[0].bytes) && (tl_slice_walk.read_pitch_q == stage_q[0].pitch));
          assert ((tl_slice_walk.read_align_q == stage_q[0].align) && (tl_slice_walk.read_last_q == stage_q[0].last));
          assert ((tl_slice_walk.read_first_q == stage_q[0].first) && (tl_slice_walk.read_index_q == stage_q[0].index));
          assert (stage_q[0].next == (!stage_q[0].first && (stage_q[0].index == tl_slice_walk.sum_index_q + 5'd1)));
          assert (tl_slice_walk.read_part_q == stage_q[0].part);
          assert (tl_slice_walk.read_end_q == stage_q[0].bytes - 1'b1);
        end
      end
      if (tl_slice_walk.sum_valid_q) begin
        assert (stage_q[1].slice == (!tl_slice_walk.sum_none_q && !tl_slice_walk.sum_probe_q));
        assert ((stage_q[1].bytes != '0) && (32'(stage_q[1].bytes) <= tl_pkg::RegBytes));
        if (stage_q[1].slice) begin
          assert ((tl_slice_walk.sum_base_q == stage_q[1].base) && (tl_slice_walk.sum_pitch_q == stage_q[1].pitch));
          assert ((tl_slice_walk.sum_bytes_q == stage_q[1].bytes) && (tl_slice_walk.sum_last_q == stage_q[1].last));
          assert (tl_slice_walk.sum_q == stage_q[1].slot);
          assert (tl_slice_walk.sum_end_q == stage_q[1].base[31:0] + 32'(stage_q[1].bytes) - 32'd1);
          assert ((tl_slice_walk.sum_next_q == stage_q[1].next) && (tl_slice_walk.sum_part_q == stage_q[1].part));
          assert (tl_slice_walk.sum_align_q == stage_q[1].align);
        end
      end
      if (tl_slice_walk.prod_valid_q) begin
        assert (stage_q[2].slice == (!tl_slice_walk.prod_none_q && !tl_slice_walk.prod_probe_q));
        assert ((stage_q[2].bytes != '0) && (32'(stage_q[2].bytes) <= tl_pkg::RegBytes));
        if (stage_q[2].slice) begin
          assert ((tl_slice_walk.prod_base_q == stage_q[2].base) && (tl_slice_walk.prod_last_q == stage_q[2].last));
          assert ((tl_slice_walk.prod_bytes_q == stage_q[2].bytes) && (tl_slice_walk.prod_align_q == stage_q[2].align));
          assert ((tl_slice_walk.prod_high_q == stage_q[2].high) && (tl_slice_walk.prod_low_q == stage_q[2].low));
          assert (tl_slice_walk.prod_next_q == (stage_q[2].next && !stage_q[2].part));
          assert (tl_slice_walk.prod_end_q == stage_q[2].base[31:0] + 32'(stage_q[2].bytes) - 32'd1);
        end
      end
      if (valid_o && stage_q[3].slice) begin
        assert ((stage_q[3].bytes != '0) && (32'(stage_q[3].bytes) <= tl_pkg::RegBytes));
        assert (tl_slice_walk.next_q == (stage_q[3].next && !stage_q[3].part));
        if (!stage_q[3].first) begin
          assert (tl_slice_walk.stop_q == (AddrW + 1)'(AddrW'(address(prior_q))) + (AddrW + 1)'(prior_q.bytes));
        end
        assert (tl_slice_walk.align_mask_q == stage_q[3].align);
        assert (tl_slice_walk.end_out_q == 1'((addr + tl_pkg::Xlen'(stage_q[3].bytes) - tl_pkg::Xlen'(1)) >> AddrW));
      end
    end
  end

endmodule

bind tl_slice_walk tl_reset_spec u_reset (.*);
bind tl_slice_walk tl_slice_walk_spec #(.MemBytes (MemBytes)) u_spec (.*);
