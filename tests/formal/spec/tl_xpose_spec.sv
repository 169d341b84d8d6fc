// SPDX-License-Identifier: Apache-2.0
// tl.xpose.pq alone, by docs/isa.md: from its word at the issue queue to the rows that it writes. Word, operands
// and the CSRs have any values, and any element of the result is followed; a case fixes the four sizes. Bound into
// tl_top, where decoding, dispatch and tl_xpose are real. The other modules are free; what is assumed of them is as in
// tl_move_spec. With BEHIND = 1 any one instruction is in front of it; a tl.xpose there has sizes of the same case.
`ifndef BEHIND
`define BEHIND 0
`endif

module tl_xpose_spec
  import tl_spec_pkg::*;
(
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            queued_valid,
  input logic                            queued_ready,
  input tl_pkg::issue_t                  queued,
  input logic                            entry_valid,
  input logic                            entry_ready,
  input logic                            enter_trap,
  input logic                            csr_ready,
  input logic                            csr_change,
  input logic                            settled,
  input logic                            type_ok,
  input logic                            int_type,
  input tl_pkg::ewidth_t                 ewidth,
  input logic                            map_ready,
  input logic                            busy,
  input logic                            fresh,
  input logic [1:0]                      awaited,
  input logic [tl_pkg::NumPhys-1:0]      pending,
  input tl_pkg::src_t                    src1,
  input tl_pkg::src_t                    src2,
  input tl_pkg::results_t                results,
  input logic                            room,
  input logic                            undo,
  input tl_pkg::tag_t                    tag,
  input logic                            load_soon,
  input logic                            store_soon,
  input logic                            move_soon,
  input logic                            load_strides_busy,
  input logic                            store_strides_busy,
  input logic                            load_valid,
  input logic                            store_valid,
  input logic                            move_valid,
  input logic                            xpose_valid,
  input tl_pkg::rf_read_t                xpose_read,
  input tl_pkg::rf_write_t               xpose_write,
  input logic [2:0][1:0]                 read_gnt,
  input logic [1:0][tl_pkg::RowBits-1:0] rdata,
  input tl_pkg::done_t                   xpose_done
);

  localparam int unsigned RowBits = tl_pkg::RowBits;
  localparam int unsigned RegBits = 8 * tl_pkg::RegBytes;
  localparam int unsigned PairW   = $clog2(2 * RegBits);
  // Cycles from reset in which it is done.
  localparam int unsigned Cycles  = `CYCLES;

  // Free, and the same from reset on.
  typedef struct packed {
    tl_pkg::issue_t          issue;      // with the sizes in x[rs]
    tl_pkg::issue_t          first;      // with BEHIND = 1 the instruction in front of it
    tl_pkg::phys_t [1:0]     other;      // its results
    tl_pkg::tag_t            other_tag;
    logic [11:0]             ttype;
    tl_pkg::src_t [1:0]      src;
    tl_pkg::phys_t [1:0]     target;
    tl_pkg::tag_t            tag;
    logic [3:0][7:0]         at;      // indices of the element that is followed, in the tensor
    logic [31:0]             value;   // of this element
  } any_t;

  any_t                  any;
  any_t                  any_q;
  logic [7:0]            time_q;
  logic [2:0]            entered;
  logic                  now;          // the instruction in front of it has executed or trapped
  logic [31:0]           sizes;
  logic                  commanded_q;
  logic                  wrote_q;      // the row of the element
  logic                  done_q;
  tl_pkg::rf_read_t      rows;         // that the register file gives
  logic [1:0]            write;        // the row of the element is written: in each bank
  tensor_t               does;
  type_t                 kind;
  logic                  legal;
  logic [3:0][2:0]       powers;       // of the sizes, which are powers of two
  logic [3:0][2:0]       turned;       // of those of the result
  logic [3:0][7:0]       turned_at;
  logic [31:0]           element_mask;
  logic [PairW-1:0]      from;         // lowest bit of the element in both registers
  logic [PairW-1:0]      to;
  logic                  dropped;      // it goes to tl0
  logic [31:0]           expected;

  function automatic logic [PairW-1:0] place(logic [3:0][7:0] at, logic [3:0][2:0] logs, logic [1:0] width);
    logic [PairW-1:0] index;
    index = '0;
    for (int unsigned i = 0; i < 4; i++) index = (index << logs[i]) + PairW'(at[i]);
    place = index << (width + 2);
  endfunction

  assign now          = entered >= 3'(`BEHIND);
  assign does         = tensor_of(any_q.issue.instr);
  assign sizes        = any_q.issue.rs[31:0];
  assign legal        = kind.legal && (does.rd != does.rs2) && sizes_legal(sizes, kind.width);
  assign element_mask = ~({32{1'b1}} << (4 << kind.width));
  assign from         = place(any_q.at, powers, kind.width);
  assign to           = place(turned_at, turned, kind.width);
  assign dropped      = (to[PairW-1] ? does.rs2 : does.rd) == 5'd0;
  assign expected     = any_q.src[from[PairW-1]].zero ? '0 : any_q.value & element_mask;

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      powers[i] = '0;
      for (int unsigned b = 0; b < 8; b++) if (sizes[8*i+:8] == 8'd1 << b) powers[i] = 3'(b);
    end
    turned            = powers;
    turned[does.d]    = powers[does.q];
    turned[does.q]    = powers[does.d];
    turned_at         = any_q.at;
    turned_at[does.d] = any_q.at[does.q];
    turned_at[does.q] = any_q.at[does.d];
  end

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    tl_pkg::phys_t read_phys;
    tl_pkg::row_t  read_row;
    tl_pkg::phys_t write_phys;
    tl_pkg::row_t  write_row;
    logic          reads;       // the row of the element

    assign {read_phys, read_row}   = {rows.addr[b], 1'(b)};
    assign {write_phys, write_row} = {xpose_write.addr[b], 1'(b)};
    assign reads    = rows.valid[b] && (read_phys == any_q.src[from[PairW-1]].phys) &&
        (read_row == from[PairW-2-:tl_pkg::RowW]);
    assign write[b] = xpose_write.valid[b] && (write_phys == any_q.target[to[PairW-1]]) &&
        (write_row == to[PairW-2-:tl_pkg::RowW]);

    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        if (reads) assume ((32'(rdata[b] >> from[$clog2(RowBits)-1:0]) & element_mask) == (any_q.value & element_mask));
        // No other register is written.
        if (xpose_write.valid[b] && !(`BEHIND && ((write_phys == any_q.other[0]) || (write_phys == any_q.other[1])))) begin
          assert (commanded_q && !done_q);
          assert (((write_phys == any_q.target[0]) && (does.rd != 5'd0)) ||
              ((write_phys == any_q.target[1]) && (does.rs2 != 5'd0)));
        end
        if (write[b]) begin
          assert ((32'(xpose_write.data[b] >> to[$clog2(RowBits)-1:0]) & element_mask) == expected);
        end
      end
    end
  end

  tl_issue_spec #(
    .Count (`BEHIND + 1)
  ) u_issue (
    .issues_i  ({any_q.issue, {`BEHIND{any_q.first}}}),
    .ttype_i   (any_q.ttype),
    .keeps_i   (now || !csr_op(any_q.first.instr, '0).ours),
    .entered_o (entered),
    .kind_o    (kind),
    .*
  );

  tl_rows_spec u_rows (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .read_i (xpose_read),
    .row_o  (rows)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q       <= any;
      time_q      <= '0;
      commanded_q <= 1'b0;
      wrote_q     <= 1'b0;
      done_q      <= 1'b0;
    end else begin
      time_q <= time_q + 8'd1;
      // The instruction.
      assume (ours(any_q.issue.instr) && (does.op == Xpose));
`ifdef SIZES
      assume ((sizes == `SIZES) && ((tensor_of(any_q.first.instr).op != Xpose) || (any_q.first.rs[31:0] == `SIZES)));
`endif
      if (`BEHIND) begin
        assume (ours(any_q.first.instr) || (any_q.first.instr[6:0] == 7'b1110011));
        for (int unsigned i = 0; i < 2; i++) begin
          assume ((any_q.other[i] != any_q.target[0]) && (any_q.other[i] != any_q.target[1]));
        end
        assume (any_q.other_tag != any_q.tag);
        if (!now) assume ((results.fresh == any_q.other) && (tag == any_q.other_tag));
        // What dispatch waits for.
        assume (load_soon && store_soon && move_soon && !load_strides_busy && !store_strides_busy);
      end
      // Registers.
      if (now) begin
        assume (tag == any_q.tag);
        assume ({src2, src1} == any_q.src);
        assume ((any_q.target[0] < tl_pkg::NumPhys) && (any_q.target[1] < tl_pkg::NumPhys));
        assume ((any_q.target[0] != any_q.target[1]) && (results.fresh == any_q.target));
        assume (results.valid == {does.rs2 != 5'd0, does.rd != 5'd0});
        assume (((does.rd != 5'd0) || src1.zero) && ((does.rs2 != 5'd0) || src2.zero));
        for (int unsigned s = 0; s < 2; s++) begin
          assume (any_q.src[s].zero || ((any_q.src[s].phys < tl_pkg::NumPhys) &&
              (any_q.src[s].phys != any_q.target[0]) && (any_q.src[s].phys != any_q.target[1])));
        end
        if (does.rd != does.rs2) assume (src1.zero || src2.zero || (src1.phys != src2.phys));
      end
      assume (read_gnt[2] == xpose_read.valid);
      // The element.
      if (legal) for (int unsigned i = 0; i < 4; i++) assume (any_q.at[i] < 8'd1 << powers[i]);

      // It traps, or is sent to the engine.
      if (now) assert (!load_valid && !store_valid && !move_valid && !(xpose_valid && commanded_q));
      if (now && entry_valid && entry_ready) assert ((enter_trap == !legal) && (xpose_valid == legal));
      if (now && xpose_valid) commanded_q <= 1'b1;
      // Each row is written once.
      if (write != '0) begin
        assert (!wrote_q);
        wrote_q <= 1'b1;
      end
      if (xpose_done.valid && !(`BEHIND && (xpose_done.tag == any_q.other_tag))) begin
        assert (commanded_q && !done_q && (xpose_done.tag == any_q.tag) && (wrote_q || (write != '0) || dropped));
        done_q <= 1'b1;
      end
      if ((time_q == 8'(Cycles)) && legal) assert (done_q);
    end
  end

endmodule

bind tl_top tl_reset_spec u_reset (.*);
bind tl_top tl_xpose_spec u_xpose_spec (.*);
