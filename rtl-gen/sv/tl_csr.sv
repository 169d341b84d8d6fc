// SPDX-License-Identifier: Apache-2.0

// CSR file, and execution of csrrw, csrrs, csrrc and their immediate forms on it. All other CSR
// numbers are illegal here. The new value is visible in the cycle after `exec_i`.
module tl_csr (
  input  logic               clk_i,
  input  logic               rst_ni,            // asynchronous assert, synchronous release

  // The CSR instruction in the dispatch stage
  input  tl_pkg::csr_instr_t csr_i,
  // execute it now; an instruction with csr_i.modifies has to be here for a cycle before
  input  logic               exec_i,
  output logic [31:0]        rdata_o,           // old value of the CSR of csr_i, one cycle later

  // Undo. changed_o names the CSR that the previous cycle changed; rdata_o has its old value then
  output tl_pkg::csr_undo_t  changed_o,         // names no CSR if nothing was changed
  input  logic               undo_i,            // write undo_value_i to undo_csr_i
  input  tl_pkg::csr_undo_t  undo_csr_i,
  input  logic [31:0]        undo_value_i,

  // Tile sizes, which CSR instructions only read
  input  logic [31:0]        mtilem_i,
  input  logic [31:0]        mtilen_i,
  input  logic [31:0]        mtilek_i,
  // the instruction in the dispatch stage sets one of them, if it is executed: k [2], n [1], m [0]
  input  logic [2:0]         sets_size_i,

  // State
  output logic [11:0]        ttype_o,
  output logic [23:0]        tshape_o,
  output logic [31:0]        tmask_load_o,
  output logic [31:0]        tmask_store_o,
  output logic [31:0]        tmask_concat_1_o,
  output logic [31:0]        tmask_concat_2_o,
  output logic [31:0]        tload_width_o,
  output logic [31:0]        tstore_width_o,
  output logic [15:0]        tload_pitch_o,
  output logic [15:0]        tstore_pitch_o,
  // the mask has been written: load, store, concat_1, concat_2
  output logic [3:0]         mask_init_o,

  // Strides: each output has the stride of the latest read, from the cycle after the read on. That
  // of loads holds only while load_busy_i is 1
  input  logic               load_busy_i,
  input  logic               load_read_i,       // read load_idx_i
  input  logic [4:0]         load_idx_i,
  output logic [31:0]        load_stride_o,
  input  logic               store_read_i,      // read store_idx_i
  input  logic [4:0]         store_idx_i,
  output logic [31:0]        store_stride_o,
  // upper bound of all store strides, not always the lowest
  output logic [31:0]        store_bound_o,
  // the store strides below this one are their own numbers, as after reset; not always the most
  output logic [5:0]         store_dense_o,
  output logic               ready_o            // 1 from when the strides have their reset values
);

  // Bits of ttype that can be 1: the two-bit field of a floating-point type is there when its
  // width is.
  localparam logic [11:0] TtypeBits = {{2{tl_pkg::WidthMask[3]}}, {2{tl_pkg::WidthMask[2]}},
      {2{tl_pkg::WidthMask[1]}}, {2{tl_pkg::WidthMask[0]}}, 4'b1111};

  logic [7:0]  select;           // the CSR that is written, one-hot
  logic [1:0]  pitch;            // tload_pitch, tstore_pitch is written
  logic        init;             // tmask_init is written
  logic [4:0]  index;            // of a stride
  logic [31:0] wdata;
  logic [31:0] value;
  // the stride that an instruction, else the scan, read in the previous cycle
  logic [31:0] store_stride;
  logic        is_load_stride;
  logic        is_store_stride;
  logic        write;
  logic        unused_instr;

  assign select          = undo_i ? undo_csr_i.select[7:0] : csr_i.select[7:0];
  assign pitch           = tl_pkg::pitch_csrs(undo_i ? undo_csr_i.select : csr_i.select);
  assign init            = tl_pkg::init_csr(undo_i ? undo_csr_i.select : csr_i.select);
  assign index           = undo_i ? undo_csr_i.index : csr_i.index;
  assign is_load_stride  = undo_i ? undo_csr_i.load_stride : csr_i.load_stride;
  assign is_store_stride = undo_i ? undo_csr_i.store_stride : csr_i.store_stride;
  assign write           = undo_i || (exec_i && csr_i.write);
  assign unused_instr    = ^{csr_i, undo_csr_i};

  always_comb begin
    wdata = csr_i.operand;
    if (csr_i.sets) wdata = rdata_o | csr_i.operand;
    if (csr_i.clears) wdata = rdata_o & ~csr_i.operand;
    if (undo_i) wdata = undo_value_i;
  end

  // Read. Writable CSRs other than strides are read from a memory, which is a copy of the
  // registers: it costs less than a multiplexer of all of them.
  logic [31:0] copy;
  logic [6:0]  constant;  // read-only CSRs, one-hot; without matrix instructions tlenb alone

  assign constant = 7'(csr_i.select[tl_pkg::PitchCsr-1:8]);

  always_comb begin
    value = copy;
    if (tl_pkg::init_csr(csr_i.select)) value = 32'(mask_init_o);
    if (constant[0]) value = tl_pkg::RegBytes;
    if (constant[1] || sets_size_i[0]) value = mtilem_i;
    if (constant[2] || sets_size_i[1]) value = mtilen_i;
    if (constant[3] || sets_size_i[2]) value = mtilek_i;
    if (constant[4]) value = tl_pkg::MxRows * tl_pkg::MxTrBytes;
    if (constant[5]) value = tl_pkg::MxTrBytes;
    if (constant[6]) value = tl_pkg::MxRows * tl_pkg::MxAccBytes;
  end

  // The value that was read in the previous cycle.
  logic [31:0] value_q;
  logic        load_stride_q;
  logic        store_stride_q;

  assign rdata_o = load_stride_q ? load_stride_o : store_stride_q ? store_stride : value_q;

  always_ff @(posedge clk_i) begin
    value_q            <= value;
    load_stride_q      <= csr_i.load_stride;
    store_stride_q     <= csr_i.store_stride;
    changed_o.index    <= csr_i.index;
    changed_o.was_init <= (csr_i.select[5:2] & mask_init_o) != '0;
    if (exec_i && csr_i.write) begin
      changed_o.load_stride  <= csr_i.load_stride;
      changed_o.store_stride <= csr_i.store_stride;
      changed_o.select       <= csr_i.select;
    end else begin
      changed_o.load_stride  <= 1'b0;
      changed_o.store_stride <= 1'b0;
      changed_o.select       <= tl_pkg::NumCsrs'({sets_size_i, 9'd0});
    end
  end

  // Write.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ttype_o        <= 12'h2;
      tshape_o       <= 24'h0;
      tmask_load_o   <= 32'h0;
      tmask_store_o  <= 32'h0;
      tmask_concat_1_o <= 32'h0;
      tmask_concat_2_o <= 32'h0;
      tload_width_o  <= 32'h0;
      tstore_width_o <= 32'h0;
      tload_pitch_o  <= 16'h0;
      tstore_pitch_o <= 16'h0;
      mask_init_o    <= '0;
    end else if (write) begin
      if (select[0]) ttype_o <= wdata[11:0] & TtypeBits;
      if (select[1]) tshape_o <= wdata[23:0];
      if (select[2]) tmask_load_o <= wdata;
      if (select[2]) mask_init_o[0] <= !undo_i || undo_csr_i.was_init;
      if (select[3]) tmask_store_o <= wdata;
      if (select[3]) mask_init_o[1] <= !undo_i || undo_csr_i.was_init;
      if (select[4]) tmask_concat_1_o <= wdata;
      if (select[4]) mask_init_o[2] <= !undo_i || undo_csr_i.was_init;
      if (select[5]) tmask_concat_2_o <= wdata;
      if (select[5]) mask_init_o[3] <= !undo_i || undo_csr_i.was_init;
      if (select[6]) tload_width_o <= wdata;
      if (select[7]) tstore_width_o <= wdata;
      if (pitch[0]) tload_pitch_o <= wdata[15:0];
      if (pitch[1]) tstore_pitch_o <= wdata[15:0];
      if (init) mask_init_o <= wdata[3:0];
    end
  end

  // Strides, in memories. After reset stride i is i, so a dense block needs no set-up. Setting them
  // takes one cycle per stride.
  logic [5:0]  init_q;        // next stride to be set after reset; 32: all are set
  logic        load_we;
  logic        store_we;
  logic [4:0]  stride_waddr;
  logic [4:0]  load_raddr;
  logic [4:0]  store_raddr;
  logic        load_re;
  logic        store_re;
  logic [31:0] stride_wdata;
  logic [31:0] kept;          // bits that the CSR implements
  logic [4:0]  scan_q;

  assign ready_o      = init_q[5];
  assign load_we      = !ready_o || (write && is_load_stride);
  assign store_we     = !ready_o || (write && is_store_stride);
  assign stride_waddr = ready_o ? index : init_q[4:0];
  assign stride_wdata = ready_o ? wdata & kept : 32'(init_q);
  assign load_raddr   = load_busy_i ? load_idx_i : csr_i.index;
  assign store_raddr  = csr_i.store_stride ? csr_i.index : scan_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q <= '0;
    end else if (!ready_o) begin
      init_q <= init_q + 6'd1;
    end
  end

  // An instruction is here for a cycle before it writes, so its old value is already read.
  assign load_re  = load_busy_i ? load_read_i : !load_we;
  assign store_re = !store_we;

  tl_ram_1r1w #(
    .Width (32),
    .Depth (32)
  ) u_load_strides (
    .clk_i   (clk_i),
    .we_i    (load_we),
    .waddr_i (stride_waddr),
    .wdata_i (stride_wdata),
    .re_i    (load_re),
    .raddr_i (load_raddr),
    .rdata_o (load_stride_o)
  );

  tl_ram_1r1w #(
    .Width (32),
    .Depth (32)
  ) u_store_strides (
    .clk_i   (clk_i),
    .we_i    (store_we),
    .waddr_i (stride_waddr),
    .wdata_i (stride_wdata),
    .re_i    (store_re),
    .raddr_i (store_raddr),
    .rdata_o (store_stride)
  );

  tl_ram_1r1w #(
    .Width (32),
    .Depth (32)
  ) u_store_copy (
    .clk_i   (clk_i),
    .we_i    (store_we),
    .waddr_i (stride_waddr),
    .wdata_i (stride_wdata),
    .re_i    (store_read_i),
    .raddr_i (store_idx_i),
    .rdata_o (store_stride_o)
  );

  // The OR of all store strides is not less than any of them. A written stride is added to it one
  // cycle later, before the next store can start. While no instruction reads a stride, a scan of
  // all strides repeats, and removes bits that no stride has any more.
  logic        scanned_q;     // store_stride has the stride that the scan read
  logic        scan_last_q;   // it is the last stride of the scan
  logic [31:0] scan_or_q;     // OR of the strides that the scan has read
  logic [31:0] scan_or;
  logic        wrote_q;       // a stride was written in the cycle before
  logic [31:0] wrote_data_q;

  assign scan_or = scan_or_q | store_stride;

  always_ff @(posedge clk_i) begin
    if (store_we) begin
      scan_q    <= '0;
      scan_or_q <= '0;
      scanned_q <= 1'b0;
    end else begin
      if (!csr_i.store_stride) scan_q <= scan_q + 5'd1;
      if (scanned_q) scan_or_q <= scan_or;
      scanned_q <= !csr_i.store_stride;
    end
    scan_last_q <= scan_q == 5'd31;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wrote_q <= 1'b0;
    else wrote_q <= store_we;
  end

  always_ff @(posedge clk_i) begin
    wrote_data_q <= stride_wdata;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_bound_o <= '0;
    end else if (wrote_q) begin
      store_bound_o <= store_bound_o | wrote_data_q;
    end else if (ready_o && scanned_q && scan_last_q) begin
      store_bound_o <= scan_or;
    end
  end

  // A write ends the run of strides that are their own numbers, whatever it writes. The scan
  // lengthens it again.
  logic [4:0] dense_next;

  assign dense_next = store_dense_o[4:0] + 5'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_dense_o <= 6'd32;
    end else if (store_we) begin
      if (ready_o && (6'(index) < store_dense_o)) store_dense_o <= 6'(index);
    end else if (scanned_q && (scan_q == dense_next) && (store_stride == 32'(store_dense_o))) begin
      store_dense_o <= store_dense_o + 6'd1;
    end
  end

  // The copy. It is initialised while the strides are; bits that are not implemented stay 0.
  localparam int unsigned CopyW = tl_pkg::Pitch != 0 ? 4 : 3;

  logic        copy_we;
  logic [31:0] copy_wdata;
  logic [31:0] copy_reset;  // reset value of the CSR that is written

  assign copy_we    = !ready_o || (write && ((select != '0) || (pitch != '0)));
  assign copy_wdata = ready_o ? stride_wdata : copy_reset;

  always_comb begin
    copy_reset = '0;
    if (init_q[CopyW-1:0] == '0) copy_reset = 32'h2;  // ttype
  end

  always_comb begin
    kept = '1;
    if (select[0]) kept = 32'(TtypeBits);
    if (select[1]) kept = 32'h00ffffff;
    if (pitch != '0) kept = 32'h0000ffff;
  end

  tl_lutram #(
    .Width (32),
    .Depth (2 ** CopyW)
  ) u_copy (
    .clk_i   (clk_i),
    .we_i    (copy_we),
    .waddr_i (stride_waddr[CopyW-1:0]),
    .wdata_i (copy_wdata),
    .raddr_i (csr_i.index[CopyW-1:0]),
    .rdata_o (copy)
  );

endmodule
