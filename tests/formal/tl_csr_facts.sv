// SPDX-License-Identifier: Apache-2.0
// Strides: 32 cycles after reset each is its own number, and from then on what was written last; the bound is not less than any of
// the stores, and those below store_dense_o are their own numbers. An instruction that is executed has the value of its
// stride. A stride is followed: any one. Assumed of tl_dispatch: nothing is executed before strides are ready, and what
// accesses a stride was there, executed nothing and was free to read it in the cycle before; of the decoder: a stride is no
// other CSR.
module tl_csr_facts (
  input logic               clk_i,
  input logic               rst_ni,
  input tl_pkg::csr_instr_t csr_i,
  input logic               exec_i,
  input logic               undo_i,
  input logic               load_busy_i,
  input logic               load_read_i,
  input logic [4:0]         load_idx_i,
  input logic [31:0]        load_stride_o,
  input logic               store_read_i,
  input logic [4:0]         store_idx_i,
  input logic [31:0]        store_stride_o,
  input logic [31:0]        rdata_o,
  input logic [31:0]        store_bound_o,
  input logic [5:0]         store_dense_o,
  input logic               ready_o
);

  logic [4:0] watch;  // free

  logic        running_q;
  logic [4:0]  watch_q;   // the stride that is followed
  logic [5:0]  cycles_q;  // since reset, at most 32
  logic [31:0] load_q;    // what it has
  logic [31:0] store_q;

  // In the cycle before: the instruction, and whether its stride could be read.
  tl_pkg::csr_instr_t csr_q;
  logic               readable_q;

  logic [31:0] bound;     // with what was written in the cycle before

  // What was read of the stride in the cycle before: by the engine of loads, that of stores, an instruction.
  logic [3:0]  read_q;
  logic [31:0] load_old_q;
  logic [31:0] store_old_q;
  logic [5:0]  scanned;   // strides that the scan has passed, of this round

  assign scanned = (tl_csr.scanned_q && tl_csr.scan_last_q) ? 6'd31 : 6'(tl_csr.scan_q) - 6'(tl_csr.scanned_q);

  assign bound = store_bound_o | (tl_csr.wrote_q ? tl_csr.wrote_data_q : '0);

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    if (!rst_ni) begin
      watch_q  <= watch;
      cycles_q <= '0;
      read_q   <= '0;
      readable_q <= 1'b0;
    end else begin
      load_old_q  <= load_q;
      store_old_q <= store_q;
      read_q      <= {csr_i.store_stride && (csr_i.index == watch_q) && !tl_csr.store_we,
          csr_i.load_stride && (csr_i.index == watch_q) && !load_busy_i && !tl_csr.load_we,
          store_read_i && (store_idx_i == watch_q), load_busy_i && load_read_i && (load_idx_i == watch_q)} &
          {4{ready_o}};
      if (cycles_q != 6'd32) cycles_q <= cycles_q + 6'd1;
      if (exec_i || undo_i) assume (ready_o);
      csr_q      <= csr_i;
      readable_q <= ready_o && !exec_i && !undo_i && !(csr_i.load_stride && load_busy_i);
      if (exec_i && (csr_i.load_stride || csr_i.store_stride)) begin
        assume (readable_q && (csr_q == csr_i));
        if (csr_i.load_stride && (csr_i.index == watch_q)) assert (rdata_o == load_q);
        if (csr_i.store_stride && (csr_i.index == watch_q)) assert (rdata_o == store_q);
      end
      assume (!csr_i.load_stride || !csr_i.store_stride);
      if (tl_csr.write && (tl_csr.is_load_stride || tl_csr.is_store_stride)) assume ((tl_csr.select == '0) && (tl_csr.pitch == '0));
      if (tl_csr.write && (tl_csr.index == watch_q)) begin
        if (tl_csr.is_load_stride) load_q <= tl_csr.wdata;
        if (tl_csr.is_store_stride) store_q <= tl_csr.wdata;
      end
      if (cycles_q == 6'(watch_q)) {load_q, store_q} <= {2{32'(watch_q)}};
      assert (ready_o == (cycles_q == 6'd32));
      if (cycles_q > 6'(watch_q)) begin
        assert (tl_csr.u_load_strides.mem[watch_q] == load_q);
        assert (tl_csr.u_store_strides.mem[watch_q] == store_q);
        assert (tl_csr.u_store_copy.mem[watch_q] == store_q);
        assert (store_q <= bound);
        if (6'(watch_q) < store_dense_o) assert (store_q == 32'(watch_q));
      end
      if (read_q[0]) assert (load_stride_o == load_old_q);
      if (read_q[1]) assert (store_stride_o == store_old_q);
      if (read_q[2]) assert (rdata_o == load_old_q);
      if (read_q[3]) assert (rdata_o == store_old_q);
      // Why: the bound has every bit of a stride; the scan has passed those below scan_q.
      assert (tl_csr.init_q == cycles_q);
      // Before the strides are ready it is the OR of those that were written.
      if (cycles_q == '0) assert (bound == '0);
      if (!ready_o && (cycles_q != '0)) assert ((bound < 32'd32) && (tl_csr.scan_q == '0) && !tl_csr.scanned_q);
      if (!ready_o && (cycles_q > 6'(watch_q))) assert ((store_q & ~bound) == '0);
      if (!ready_o && (cycles_q > 6'(watch_q))) assert (store_q == 32'(watch_q));
      if (ready_o) begin
        assert ((store_q & ~bound) == '0);
        if (6'(watch_q) < scanned) assert ((store_q & ~tl_csr.scan_or_q) == '0);
        if (tl_csr.scanned_q) assert (tl_csr.scan_last_q == (tl_csr.scan_q == '0));
        if (tl_csr.scanned_q && (watch_q == 5'(tl_csr.scan_q - 5'd1))) assert (tl_csr.store_stride == store_q);
      end
    end
  end

endmodule

bind tl_csr tl_csr_facts u_facts (.*);
