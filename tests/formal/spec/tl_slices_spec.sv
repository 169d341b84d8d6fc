// SPDX-License-Identifier: Apache-2.0
// What load-does and store-does assume of tl_slice_walk, which is free there. From the fifth cycle after start_i on it
// gives the selected slices, lowest first, one in each cycle in which it is taken: where the slice is in the register,
// at any address, and whether that is misaligned, outside of the memory, or, while none failed, adjacent to the slice
// before. Probes come first; if none of them fails, no slice fails.
module tl_slices_spec #(
  parameter int unsigned MemBytes = 64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,
  input  logic [31:0]            mask_i,
  input  tl_pkg::ewidth_t        ewidth_i,
  input  logic [tl_pkg::ByteW:0] moved_i,       // bytes of a slice
  input  logic [tl_pkg::ByteW:0] whole_i,       // from slice to slice in the register
  input  logic                   probe_i,
  input  logic                   walk_start,
  input  logic                   walk_valid,
  input  logic                   walk_ready,
  input  logic                   walk_probe,
  input  logic                   walk_none,
  input  logic                   walk_joins,
  input  logic                   walk_last,
  input  logic                   walk_misaligned,
  input  logic                   walk_outside,
  input  tl_pkg::host_t          walk_addr,
  input  tl_pkg::byte_idx_t      walk_pos,
  input  logic [tl_pkg::ByteW:0] walk_bytes,
  output logic                   slice_o,       // there is a slice
  output logic [4:0]             index_o,       // its number
  output logic                   fails_o        // it is misaligned or outside
);

  localparam int unsigned ByteW = tl_pkg::ByteW;
  localparam int unsigned AddrW = $clog2(MemBytes);
  localparam logic [2:0]  Delay = 3'd5;

  logic          any_low;     // free: there is a second probe
  logic          here_q;      // it was started
  logic [2:0]    delay_q;
  logic [1:0]    probes_q;    // that are still to come
  logic          proven_q;    // all probes were good
  logic          none_q;      // the output of a command without slices is still to come
  logic [31:0]   left_q;      // slices that are still to come
  logic          first_q;
  logic          failed_q;    // a slice failed
  logic [4:0]    before_q;    // the slice before, and the address behind it
  tl_pkg::host_t behind_q;
  logic          held_q;      // the output was not taken, and stays
  tl_pkg::host_t held_addr_q;
  logic          misaligned;
  logic          outside;
  logic          last;

  assign misaligned = ((ewidth_i == 2'd2) && walk_addr[0]) || ((ewidth_i == 2'd3) && (walk_addr[1:0] != '0));
  assign outside    = (walk_addr >= MemBytes) || (32'(walk_addr[AddrW-1:0]) + 32'(moved_i) > MemBytes);
  assign last       = (left_q & (left_q - 32'd1)) == '0;
  assign slice_o    = walk_valid && !walk_probe && !walk_none;
  assign fails_o    = misaligned || outside;

  always_comb begin
    index_o = '0;
    for (int unsigned i = 32; i > 0; i--) if (left_q[i-1]) index_o = 5'(i - 1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      here_q   <= 1'b0;
      held_q   <= 1'b0;
      delay_q  <= '0;
      probes_q <= '0;
      none_q   <= 1'b0;
      left_q   <= '0;
    end else begin
      if (start_i) begin
        here_q   <= 1'b1;
        delay_q  <= Delay - 3'd1;
        probes_q <= {probe_i && any_low, probe_i};
        proven_q <= probe_i;
        none_q   <= mask_i == '0;
        left_q   <= mask_i;
        first_q  <= 1'b1;
        failed_q <= 1'b0;
      end else if (delay_q != '0) begin
        delay_q <= delay_q - 3'd1;
      end
      assume (walk_start);
      assume (walk_valid == (here_q && (delay_q == '0) && ((probes_q != '0) || none_q || (left_q != '0))));
      if (walk_valid) begin
        assume ((walk_probe == (probes_q != '0)) && (walk_none == (none_q && !walk_probe)));
        assume (walk_last == (walk_probe ? !probes_q[1] : last));
        assume (walk_bytes == moved_i);
        if (held_q) assume (walk_addr == held_addr_q);
        held_q      <= !walk_ready;
        held_addr_q <= walk_addr;
        if (walk_none) begin
          assume (!walk_misaligned && !walk_outside);
        end else begin
          assume ((walk_misaligned == misaligned) && (walk_outside == outside));
        end
        if (slice_o) begin
          assume (walk_pos == ByteW'(ByteW'(index_o) * whole_i[ByteW-1:0]));
          if (!fails_o && !failed_q) begin
            assume (walk_joins == (!first_q && (index_o == before_q + 5'd1) && (whole_i == moved_i) &&
                (walk_addr == behind_q)));
          end
          assume (!proven_q || !fails_o);
        end
      end
      if (walk_valid && walk_ready) begin
        probes_q <= {1'b0, probes_q[1]};
        if (walk_probe) begin
          proven_q <= proven_q && !fails_o;
        end else begin
          none_q   <= 1'b0;
          left_q   <= left_q & (left_q - 32'd1);
          first_q  <= 1'b0;
          failed_q <= failed_q || fails_o;
          before_q <= index_o;
          behind_q <= walk_addr + tl_pkg::Xlen'(moved_i);
        end
      end
    end
  end

endmodule
