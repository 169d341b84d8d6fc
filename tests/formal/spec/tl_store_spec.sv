// SPDX-License-Identifier: Apache-2.0
// A store alone in tl_store, by docs/isa.md: from its command to the words that it writes. Base, strides, masks, sizes,
// the operand and the words with an error have any values, and any byte of L0M is followed. tl_slice_walk is free; what
// is assumed of it is in tl_slices_spec. L0M and the register file answer at once.
module tl_store_spec (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            cmd_valid_i,
  input tl_pkg::store_cmd_t              cmd_i,
  input tl_pkg::ls_done_t                done_o,
  input tl_pkg::rf_read_t                rf_read_o,
  input logic [1:0]                      rf_read_gnt_i,
  input logic [1:0][tl_pkg::RowBits-1:0] rf_rdata_i,
  input logic                            l0m_req_o,
  input logic                            l0m_gnt_i,
  input logic [31:0]                     l0m_addr_o,
  input logic [tl_pkg::PortBytes-1:0]    l0m_be_o,
  input logic [8*tl_pkg::PortBytes-1:0]  l0m_wdata_o,
  input logic                            l0m_rvalid_i,
  input logic                            l0m_err_i,
  input logic                            mx_owns_i,
  input logic                            mx_take_i,
  input logic                            give_up_i
);

  localparam int unsigned ByteW = tl_pkg::ByteW;
  localparam int unsigned LaneW = tl_pkg::LaneW;
  localparam int unsigned PortW = tl_pkg::PortW;
  localparam int unsigned L0mW  = tl_pkg::L0mW;
  localparam int unsigned Words = tl_pkg::L0mBytes / tl_pkg::PortBytes;
  // Cycles from reset in which it is done.
  localparam int unsigned Cycles = `CYCLES;

  // Free, and the same from reset on.
  typedef struct packed {
    tl_pkg::store_cmd_t cmd;
    logic [5:0]         d0;       // slices of the block
    logic [Words-1:0]   errors;   // words that L0M answers with an error
    logic               fails;    // `slice` is the first one that is misaligned or outside
    logic               breaks;   // or else the first one that has a byte in a word with an error
    logic               written;  // a slice has the byte
    logic [4:0]         slice;    // if none of them fails, the last one that has it
    tl_pkg::host_t      addr;     // of `slice`
    logic [L0mW-1:0]    place;    // of the byte that is followed
    logic [7:0]         value;    // what the register has for it
  } any_t;

  any_t               any;
  any_t               any_q;
  tl_pkg::store_cmd_t cmd;
  logic [7:0]         time_q;
  logic               slice;     // the walk gives one: its number, and whether it fails
  logic [4:0]         now;
  logic               fails;
  logic               trapped;
  logic               has;       // it has the byte
  logic               broken;    // it has a byte in a word with an error
  logic               selected;  // `slice` is
  logic [ByteW:0]     whole;     // bytes from slice to slice in the register; 0 in the command is all of it
  tl_pkg::byte_idx_t  index;     // of the byte in the register
  tl_pkg::rf_read_t   rows;      // that the register file gives
  logic [L0mW-1:0]    answer;    // address of the word of the response
  logic               here;      // the byte is in the request
  logic               wrote_q;   // it was written
  logic [7:0]         value_q;   // with this value
  logic               done_q;

  assign cmd      = any_q.cmd;
  assign whole    = tl_pkg::Pitch == 0 ? cmd.bytes : {cmd.whole == '0, cmd.whole};
  assign trapped  = any_q.fails || any_q.breaks;
  assign selected = (6'(any_q.slice) < any_q.d0) && cmd.mask[any_q.slice];
  assign has      = has_byte(tl_store.u_check.walk_addr[L0mW-1:0]);
  assign index    = ByteW'(any_q.slice) * whole[ByteW-1:0] + ByteW'(any_q.place - any_q.addr[L0mW-1:0]);
  assign here     = l0m_be_o[any_q.place[PortW-1:0]] && (l0m_addr_o == 32'(any_q.place >> PortW << PortW));

  function automatic logic has_byte(logic [L0mW-1:0] addr);
    has_byte = (any_q.place >= addr) && (32'(any_q.place - addr) < 32'(cmd.bytes));
  endfunction

  always_comb begin
    broken = 1'b0;
    for (int unsigned w = 0; w < Words; w++) begin
      if (any_q.errors[w] && (32'(tl_store.u_check.walk_addr[L0mW-1:PortW]) <= w) &&
          ((32'(tl_store.u_check.walk_addr[L0mW-1:0]) + 32'(cmd.bytes) - 32'd1) >> PortW >= w)) broken = 1'b1;
    end
  end

  tl_slices_spec #(
    .MemBytes (tl_pkg::L0mBytes)
  ) u_slices (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .start_i         (tl_store.u_check.accept),
    .mask_i          (cmd.mask),
    .ewidth_i        (cmd.ewidth),
    .moved_i         (cmd.bytes),
    .whole_i         (whole),
    .probe_i         (tl_store.u_check.probe),
    .walk_start      (tl_store.u_check.walk_start),
    .walk_valid      (tl_store.u_check.walk_valid),
    .walk_ready      (tl_store.u_check.walk_ready),
    .walk_probe      (tl_store.u_check.walk_probe),
    .walk_none       (tl_store.u_check.walk_none),
    .walk_joins      (tl_store.u_check.walk_joins),
    .walk_last       (tl_store.u_check.walk_last),
    .walk_misaligned (tl_store.u_check.walk_misaligned),
    .walk_outside    (tl_store.u_check.walk_outside),
    .walk_addr       (tl_store.u_check.walk_addr),
    .walk_pos        (tl_store.u_check.walk_pos),
    .walk_bytes      (tl_store.u_check.walk_bytes),
    .slice_o         (slice),
    .index_o         (now),
    .fails_o         (fails)
  );

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    tl_pkg::phys_t phys;
    tl_pkg::row_t  row;

    assign {phys, row} = {rows.addr[b], 1'(b)};

    always_ff @(posedge clk_i) begin
      if (rst_ni && rows.valid[b] && (phys == cmd.src.phys) && (row == index[ByteW-1:LaneW])) begin
        assume (rf_rdata_i[b][8*index[LaneW-1:0]+:8] == any_q.value);
      end
    end
  end

  tl_memory_spec #(
    .Bytes (tl_pkg::L0mBytes)
  ) u_l0m (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .errors_i (any_q.errors),
    .req_i    (l0m_req_o),
    .gnt_i    (l0m_gnt_i),
    .addr_i   (l0m_addr_o),
    .rvalid_i (l0m_rvalid_i),
    .err_i    (l0m_err_i),
    .answer_o (answer)
  );

  tl_rows_spec u_rows (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .read_i (rf_read_o),
    .row_o  (rows)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q     <= any;
      time_q    <= '0;
      wrote_q   <= 1'b0;
      done_q    <= 1'b0;
    end else begin
      time_q <= time_q + 8'd1;
      // The command, as tl_shape and tl_dispatch make it.
      assume ((cmd_i == cmd) && (cmd_valid_i == (time_q == 8'd1)));
      assume ((any_q.d0 >= 6'd1) && (any_q.d0 <= 6'd`SLICES));
      assume ((cmd.bytes != '0) && (cmd.bytes <= whole) && (32'(whole) * 32'(any_q.d0) <= tl_pkg::RegBytes));
      assume (((cmd.mask & ~tl_pkg::below(any_q.d0)) == '0) && (cmd.none == (cmd.mask == '0)));
      assume (tl_pkg::WidthMask[cmd.ewidth] && (cmd.src.phys < tl_pkg::NumPhys));
      assume (!mx_owns_i && !mx_take_i && !give_up_i);
`ifdef BYTES
      assume (cmd.bytes == `BYTES);
`endif
      // A case: how many probes there are. Each has its own timing.
      if (tl_store.u_check.accept) begin
        assume ((tl_store.u_check.probe == (`PROBES != 0)) && (u_slices.any_low == (`PROBES == 2)));
      end
      // What `slice` is.
      assume (!(trapped || any_q.written) || selected);
      if (slice) begin
        if (now == any_q.slice) assume (tl_store.u_check.walk_addr == any_q.addr);
        if (!any_q.fails || (now <= any_q.slice)) begin
          assume (fails == (any_q.fails && (now == any_q.slice)));
        end
        if (!any_q.fails && (!any_q.breaks || (now <= any_q.slice))) begin
          assume (broken == (any_q.breaks && (now == any_q.slice)));
        end
        if (!any_q.fails && !any_q.written) assume (!has);
        if (!trapped && any_q.written && (now >= any_q.slice)) assume (has == (now == any_q.slice));
      end
      // The register file, and L0M.
      assume (rf_read_gnt_i == rf_read_o.valid);
      if (l0m_req_o) begin
        assert (!done_q && !any_q.fails);
        if (here) begin
          wrote_q <= 1'b1;
          value_q <= l0m_wdata_o[8*any_q.place[PortW-1:0]+:8];
          assert (any_q.written);
        end
      end
      // The result.
      if (done_o.valid) begin
        assert ((time_q > 8'd1) && !done_q && (done_o.tag == cmd.tag));
        assert (trapped || (done_o.cause == tl_pkg::CauseNone));
        if (trapped) begin
          assert (done_o.tval == any_q.addr);
          assert (done_o.cause == (any_q.fails && (((cmd.ewidth == 2'd2) && any_q.addr[0]) || ((cmd.ewidth == 2'd3) &&
              (any_q.addr[1:0] != '0))) ? tl_pkg::CauseStoreMisaligned : tl_pkg::CauseStoreFault));
        end else if (any_q.written) begin
          assert (wrote_q && (value_q == (cmd.src.zero ? '0 : any_q.value)));
        end
        done_q <= 1'b1;
      end
      if (time_q == 8'(Cycles)) assert (done_q);
    end
  end

endmodule

bind tl_store tl_reset_spec u_reset (.*);
bind tl_store tl_store_spec u_spec (.*);
