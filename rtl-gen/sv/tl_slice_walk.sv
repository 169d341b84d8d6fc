// SPDX-License-Identifier: Apache-2.0

// Walks the selected slices of a load or store in ascending order, one per cycle, and checks each.
// Slice i is at base + (stride[i] + imm) * pitch in memory, modulo 2^Xlen, and at i * whole in the
// register. The product is taken modulo 2^32 and sign-extended.
// The first slice is at the output five cycles after start_i. All stages wait while the output is
// not taken.
// With probe_i, probes go before the slices. A probe is a slice with the stride bound_i or 0; the
// one with stride 0 is left out if no slice can be below the base. If bound_i is an upper bound of
// all selected strides and the probes are inside the memory, all slices are inside.
module tl_slice_walk #(
  parameter int unsigned MemBytes = 262144      // size of the memory, at least RegBytes
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,        // asynchronous assert, synchronous release

  // Command; the walker keeps a copy
  input  logic                        start_i,       // only with ready_o
  output logic                        ready_o,
  // ready in the next cycle, unless a command starts in this cycle
  output logic                        soon_o,
  input  tl_pkg::host_t               base_i,        // x[rs]
  input  logic [7:0]                  imm_i,         // signed, in slices
  input  logic [tl_pkg::ByteW+1-1:0]  bytes_i,       // of a slice
  // bytes from one slot in memory to the next
  input  logic [tl_pkg::PitchW-1:0]   pitch_i,
  // bytes from slice to slice in the register, modulo the size of a register; without `pitch`,
  // bytes_i is used for it
  input  tl_pkg::byte_idx_t           whole_i,
  input  logic [31:0]                 mask_i,        // selected slices
  input  logic                        none_i,        // mask_i is 0: one output marked none
  input  logic [1:0]                  align_i,       // mask of address bits that have to be 0
  input  logic                        probe_i,       // send probes before the slices
  input  logic [31-tl_pkg::ByteW-1:0] bound_i,       // upper bound of all selected strides

  // Stride CSR: its value comes one cycle after the read, and stays until the next read
  output logic                        reading_o,     // strides may still be read
  output logic                        stride_read_o, // read stride_idx_o
  output logic [4:0]                  stride_idx_o,  // number of the stride
  input  logic [31:0]                 stride_i,      // the stride, a cycle after stride_read_o

  // Slices and probes
  output logic                        valid_o,
  input  logic                        ready_i,
  output logic                        probe_o,       // the output is a probe
  output logic                        none_o,        // the command has no slices
  output tl_pkg::host_t               addr_o,        // address of the first byte of the slice
  output tl_pkg::byte_idx_t           pos_o,         // first byte in the register
  output logic [tl_pkg::ByteW+1-1:0]  bytes_o,       // bytes of the slice that are moved
  // the slice is adjacent to the slice before it, in the register and in memory
  output logic                        joins_o,
  output logic                        misaligned_o,  // addr_o is not aligned
  output logic                        outside_o,     // a byte of the slice is outside the memory
  // a slice: no other slice follows; a probe: no other probe follows
  output logic                        last_o
);

  localparam int unsigned Xlen   = tl_pkg::Xlen;
  localparam int unsigned ByteW  = tl_pkg::ByteW;
  localparam int unsigned PitchW = tl_pkg::PitchW;
  localparam int unsigned LowW   = PitchW + 18 < 32 ? PitchW + 18 : 32;

  // Stage 0: the probes that are left, then the lowest slice that is left.
  logic                advance;
  logic                step;
  logic                more_q;
  logic [31:0]         mask_q;
  logic [31:0]         rest;          // mask_q without the lowest slice
  logic [4:0]          index;         // index of the lowest slice
  logic [7:0][1:0]     nibble_first;  // the lowest bit that is set in each nibble
  logic                last;
  logic [1:0]          probes_q;
  logic                low_q;         // a slice can be below the base
  logic                first_q;       // no slice of the command has left this stage
  logic                none_q;
  tl_pkg::host_t       base_q;
  logic [31-ByteW-1:0] bound_q;
  logic [7:0]          imm_q;
  logic [ByteW+1-1:0]  bytes_q;
  logic [PitchW-1:0]   pitch_q;
  tl_pkg::byte_idx_t   whole;         // modulo the size of a register
  tl_pkg::byte_idx_t   whole_q;
  logic                part_q;        // slices are moved in part
  logic [1:0]          align_q;

  localparam int unsigned AddrW = $clog2(MemBytes);

  assign whole   = tl_pkg::Pitch != 0 ? whole_i : bytes_i[ByteW-1:0];
  assign advance = !valid_o || ready_i;
  assign ready_o = !more_q;
  assign step    = more_q && advance;
  assign soon_o  = !more_q || (advance && last);
  assign rest    = mask_q & (mask_q - 32'd1);
  assign last    = (probes_q == '0) && !more_than_one(mask_q);

  // More than one slice is left. Computed in groups of four, because a carry through all of them
  // takes too long.
  function automatic logic more_than_one(logic [31:0] left);
    logic [7:0] any;
    logic [9:0] two;
    for (int unsigned g = 0; g < 8; g++) begin
      any[g] = left[4*g+:4] != '0;
      two[g] = |(tl_pkg::ones4(left[4*g+:4]) >> 1);
    end
    two[8]  = |(tl_pkg::ones4(any[3:0]) >> 1);
    two[9]  = |(tl_pkg::ones4(any[7:4]) >> 1);
    more_than_one = (two != '0) || ((any[3:0] != '0) && (any[7:4] != '0));
  endfunction

  always_comb begin
    index = '0;
    for (int unsigned g = 8; g > 0; g--) begin
      if (mask_q[4*(g-1)+:4] != '0) index[4:2] = 3'(g - 1);
    end
    for (int unsigned g = 0; g < 8; g++) begin
      nibble_first[g] = {mask_q[4*g+:2] == '0 && mask_q[4*g+2+:2] != '0,
          !mask_q[4*g] && (mask_q[4*g+1] || (mask_q[4*g+3] && !mask_q[4*g+2]))};
    end
    index[1:0] = nibble_first[index[4:2]];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      more_q <= 1'b0;
    end else if (start_i) begin
      more_q <= 1'b1;
    end else if (step && last) begin
      more_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!more_q) begin
      mask_q   <= mask_i;
      none_q   <= none_i;
      probes_q <= {probe_i, 1'b0};
      low_q    <= imm_i[7] || (base_i[Xlen-1:AddrW] != '0);
      first_q  <= 1'b1;
      base_q   <= base_i;
      bound_q  <= bound_i;
      imm_q    <= imm_i;
      bytes_q  <= bytes_i;
      pitch_q  <= pitch_i;
      whole_q  <= whole;
      part_q   <= bytes_i[ByteW-1:0] != whole;
      align_q  <= align_i;
    end else if (step) begin
      if (probes_q == '0) begin
        mask_q  <= rest;
        first_q <= 1'b0;
      end
      probes_q <= {1'b0, probes_q[1] && low_q};
    end
  end

  // Stage 1: the stride is here. From here on each stage has its own copy of the command, because
  // the next command may start.
  logic               read_valid_q;
  logic               read_last_q;
  logic               read_first_q;
  logic               read_none_q;
  logic [1:0]         read_probes_q;
  logic [4:0]         read_index_q;
  tl_pkg::host_t      read_base_q;
  logic [7:0]         read_imm_q;
  logic [ByteW+1-1:0] read_bytes_q;
  logic [ByteW+1-1:0] read_end_q;     // bytes less 1
  logic [PitchW-1:0]  read_pitch_q;
  tl_pkg::byte_idx_t  read_whole_q;
  logic               read_part_q;
  logic [1:0]         read_align_q;
  logic [31:0]        stride;

  assign stride_idx_o  = index;
  assign stride_read_o = advance;

  always_comb begin
    stride = stride_i;
    if (read_probes_q[0]) stride = '0;
    if (read_probes_q[1]) stride = 32'(bound_q);
  end

  always_ff @(posedge clk_i) begin
    if (advance) begin
      read_last_q   <= last || probes_q[0] || (probes_q[1] && !low_q);
      read_first_q  <= first_q;
      read_none_q   <= none_q && (probes_q == '0);
      read_probes_q <= probes_q;
      read_index_q  <= index;
      read_base_q   <= base_q;
      read_imm_q    <= imm_q;
      read_bytes_q  <= bytes_q;
      read_end_q    <= bytes_q - 1'b1;
      read_pitch_q  <= pitch_q;
      read_whole_q  <= whole_q;
      read_part_q   <= part_q;
      read_align_q  <= align_q;
    end
  end

  // Stage 2: (stride + imm), which stage 3 multiplies. A slice can join the one before it only if
  // their indices are consecutive.
  logic               sum_valid_q;
  logic               sum_last_q;
  logic               sum_next_q;
  logic               sum_none_q;
  logic               sum_probe_q;
  logic [31:0]        sum_q;
  logic [4:0]         sum_index_q;
  tl_pkg::byte_idx_t  sum_pos_q;    // whole times the low two bits of the index
  tl_pkg::host_t      sum_base_q;
  logic [31:0]        sum_end_q;    // last byte of a slice at the base
  logic [ByteW+1-1:0] sum_bytes_q;
  logic [PitchW-1:0]  sum_pitch_q;
  tl_pkg::byte_idx_t  sum_whole_q;
  logic               sum_part_q;
  logic [1:0]         sum_align_q;

  always_ff @(posedge clk_i) begin
    if (advance) begin
      sum_last_q  <= read_last_q;
      sum_next_q  <= !read_first_q && (read_index_q == sum_index_q + 5'd1);
      sum_none_q  <= read_none_q;
      sum_probe_q <= read_probes_q != '0;
      sum_q       <= stride + {{24{read_imm_q[7]}}, read_imm_q};
      sum_base_q  <= read_base_q;
      sum_end_q   <= read_base_q[31:0] + 32'(read_end_q);
      sum_bytes_q <= read_bytes_q;
      sum_pitch_q <= read_pitch_q;
      sum_whole_q <= read_whole_q;
      sum_part_q  <= read_part_q;
      sum_align_q <= read_align_q;
      sum_pos_q   <= (read_whole_q & {ByteW{read_index_q[0]}}) +
          ((read_whole_q & {ByteW{read_index_q[1]}}) << 1);
      if (read_valid_q) sum_index_q <= read_index_q;
    end
  end

  // Stage 3: the product, in two parts: for the low 18 bits of the sum, and for the others.
  logic                prod_valid_q;
  logic                prod_last_q;
  logic                prod_next_q;
  logic                prod_none_q;
  logic                prod_probe_q;
  logic [LowW-1:0]     prod_low_q;
  logic [13:0]         prod_high_q;      // modulo 2^14: higher bits do not count
  tl_pkg::byte_idx_t   prod_pos_low_q;   // index * whole, in two parts
  tl_pkg::byte_idx_t   prod_pos_high_q;
  tl_pkg::host_t       prod_base_q;
  logic [31:0]         prod_end_q;
  logic [ByteW+1-1:0]  prod_bytes_q;
  logic [1:0]          prod_align_q;

  always_ff @(posedge clk_i) begin
    if (advance) begin
      prod_last_q     <= sum_last_q;
      prod_next_q     <= sum_next_q && !sum_part_q;
      prod_none_q     <= sum_none_q;
      prod_probe_q    <= sum_probe_q;
      prod_low_q      <= LowW'(sum_q[17:0]) * LowW'(sum_pitch_q);
      prod_high_q     <= 14'(sum_q[31:18] * 14'(sum_pitch_q));
      prod_pos_low_q  <= sum_pos_q + ((sum_whole_q & {ByteW{sum_index_q[2]}}) << 2);
      prod_pos_high_q <= ((sum_whole_q & {ByteW{sum_index_q[3]}}) << 3) +
          ((sum_whole_q & {ByteW{sum_index_q[4]}}) << 4);
      prod_base_q     <= sum_base_q;
      prod_end_q      <= sum_end_q;
      prod_bytes_q    <= sum_bytes_q;
      prod_align_q    <= sum_align_q;
    end
  end

  // Output: the address of the slice, and that of its last byte. A slice has no more bytes than the
  // memory. So if its first byte is inside, one bit of the last address says whether the last byte
  // is outside.
  tl_pkg::host_t      addr;
  // high bits of the last address, without the low part of the product
  logic [13:0]        end_high;
  logic [31:0]        end_addr;      // the last byte
  logic               end_out_q;     // the last byte is outside; valid if the first one is inside
  logic               unused_end;
  logic               next_q;
  logic [1:0]         align_mask_q;
  // address behind the last byte; valid if the first byte is inside the memory
  logic [AddrW+1-1:0] stop;
  logic [AddrW+1-1:0] stop_q;        // stop of the slice before

  assign end_high   = prod_end_q[31:18] + prod_high_q;
  assign end_addr   = {end_high, prod_end_q[17:0]} + 32'(prod_low_q);
  assign unused_end = ^end_addr;

  if (Xlen == 32) begin : gen_addr
    logic [13:0] high;   // without the low part of the product

    assign high = prod_base_q[31:18] + prod_high_q;
    assign addr = {high, prod_base_q[17:0]} + 32'(prod_low_q);
  end else begin : gen_wide_addr
    logic [31:0] offset;

    assign offset = {prod_high_q, 18'd0} + 32'(prod_low_q);
    assign addr   = prod_base_q + {{(Xlen - 32) {offset[31]}}, offset};
  end

  always_ff @(posedge clk_i) begin
    if (advance) begin
      last_o       <= prod_last_q;
      none_o       <= prod_none_q;
      probe_o      <= prod_probe_q;
      addr_o       <= addr;
      pos_o        <= prod_pos_low_q + prod_pos_high_q;
      bytes_o      <= prod_bytes_q;
      end_out_q    <= end_addr[AddrW];
      next_q       <= prod_next_q;
      align_mask_q <= prod_none_q ? '0 : prod_align_q;
      if (valid_o) stop_q <= stop;
    end
  end

  assign stop         = {1'b0, addr_o[AddrW-1:0]} + (AddrW + 1)'(bytes_o);
  assign joins_o      = next_q && (addr_o[AddrW:0] == stop_q);
  assign misaligned_o = (addr_o[1:0] & align_mask_q) != 2'b00;
  assign outside_o    = !none_o && ((addr_o[Xlen-1:AddrW] != '0) || end_out_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_valid_q <= 1'b0;
      sum_valid_q  <= 1'b0;
      prod_valid_q <= 1'b0;
      valid_o      <= 1'b0;
    end else if (advance) begin
      read_valid_q <= more_q;
      sum_valid_q  <= read_valid_q;
      prod_valid_q <= sum_valid_q;
      valid_o      <= prod_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    reading_o <= start_i || more_q || (read_valid_q && !advance);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && start_i) begin
      assert (pitch_i != '0)
      else $error("tl_slice_walk: the pitch is 0, and not the bytes of a slice");
      assert (tl_pkg::Pitch == 0 || whole_i == '0 || bytes_i <= (ByteW + 1)'(whole_i))
      else $error("tl_slice_walk: more bytes than a slice has are moved");
    end
  end
`endif

endmodule
