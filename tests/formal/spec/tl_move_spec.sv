// SPDX-License-Identifier: Apache-2.0
// One tensor instruction, `MOVE_OP of tl_spec_pkg, by docs/isa.md, from its word at the issue queue to the rows that it
// writes: alone, or with BEHIND = 1 behind any one, but with CALM = 1 not behind a concat or merge. Its word, registers,
// CSRs and operands have any values, and any element of the result is followed, with the one of an operand that it comes
// from. Bound into tl_top, where decoding, dispatch and tl_move are real. The other modules are free; assumed of them is
// - tl_queue: the instruction is there after reset until it is taken, and no other one comes;
// - tl_csr, tl_shape: what csr-does and shape-does say of CSRs that stay;
// - tl_rename, tl_retire: nothing else is in flight, and the result gets a register that is no operand;
// - tl_regfile: accesses are granted at once, and a row that is read is that of the operand.
`ifndef BEHIND
`define BEHIND 0
`endif
`ifndef CALM
`define CALM 0
`endif

module tl_move_spec
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
  input logic [31:0]                     tmask_concat_1,
  input logic [31:0]                     tmask_concat_2,
  input logic                            settled,
  input logic                            type_ok,
  input logic                            int_type,
  input tl_pkg::ewidth_t                 ewidth,
  input tl_pkg::dim_shape_t              dim_shape,
  input logic [tl_pkg::GranW:0]          block,
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
  input logic                            xpose_soon,
  input logic                            load_strides_busy,
  input logic                            store_strides_busy,
  input logic                            load_valid,
  input logic                            store_valid,
  input logic                            move_valid,
  input logic                            xpose_valid,
  input tl_pkg::rf_read_t                move_read,
  input tl_pkg::rf_write_t               move_write,
  input logic [2:0][1:0]                 read_gnt,
  input logic [1:0][1:0]                 write_gnt,
  input logic [1:0][tl_pkg::RowBits-1:0] rdata,
  input tl_pkg::done_t                   move_done
);

  localparam int unsigned RowBits   = tl_pkg::RowBits;
  localparam int unsigned RegBits   = 8 * tl_pkg::RegBytes;
  localparam int unsigned BitW      = $clog2(RegBits);
  localparam logic [1:0]  Narrowest = 2'($clog2(tl_pkg::Gran / 4));
  // Cycles from reset in which it is done.
  localparam int unsigned Cycles    = `CYCLES;

  // Free, and the same from reset on.
  typedef struct packed {
    tl_pkg::issue_t          issue;
    tl_pkg::issue_t          first;    // with BEHIND = 1 the instruction in front of it
    tl_pkg::phys_t           other;    // its result
    tl_pkg::tag_t            other_tag;
    logic [11:0]             ttype;
    logic [23:0]             tshape;
    logic [1:0][31:0]        masks;    // tmask_concat_1 and 2
    logic [1:0]              inits;    // their "initialised" bits
    tl_pkg::src_t [1:0]      src;
    logic [31:0]             value;    // of the element that it comes from
    tl_pkg::phys_t           target;
    tl_pkg::tag_t            tag;
    logic [BitW-1:0]         element;  // the one that is followed
    logic [2:0][7:0]         at;       // its index in the block
    logic [4:0]              slice;    // of tl.concat.d: that it comes from
  } any_t;

  any_t             any;
  any_t             any_q;
  logic [5:0]       time_q;
  logic [2:0]       entered;
  logic             now;         // the instruction in front of it has executed or trapped
  logic             keeps;       // CSRs have their values: it has, or writes none
  logic             commanded_q;
  logic             wrote_q;     // the row of the element
  logic             done_q;
  tl_pkg::rf_read_t rows;        // that the register file gives
  logic [1:0]       write;       // the row of the element is written: in each bank
  logic [1:0]       write_q;
  tensor_t          does;
  tensor_t          prior;       // the instruction in front of it
  type_t            kind;
  logic             shape;
  logic [2:0][7:0]  sizes;
  logic             legal;
  logic             in_block;    // the element is in the block
  logic [15:0]      index;
  logic [31:0]      element_mask;
  logic [BitW-1:0]  place;       // lowest bit of the element in the register
  logic [31:0]      value;       // of the element that it comes from
  logic [31:0]      expected;
  logic             second;      // it is one of the second operand
  logic [BitW-1:0]  from;        // its lowest bit there
  // Of tl.concat.d.
  logic [2:0][1:0][5:0] sums;    // slices that each mask selects, along each dimension
  logic [1:0][5:0]  ones;        // along its own
  logic             given;       // the element comes from an operand, and is not 0
  logic [2:0][7:0]  origin;      // its index there

  assign now          = entered >= 3'(`BEHIND);
  assign keeps        = now || !csr_op(any_q.first.instr, '0).ours;
  assign prior        = tensor_of(any_q.first.instr);
  assign does         = tensor_of(any_q.issue.instr);
  assign shape        = kind.legal && shape_legal(any_q.tshape, kind.width);
  assign in_block     = 32'(any_q.element) < elements(any_q.tshape);
  assign index        = (16'(any_q.at[0]) * 16'(sizes[1]) + 16'(any_q.at[1])) * 16'(sizes[2]) + 16'(any_q.at[2]);
  assign element_mask = ~({32{1'b1}} << (4 << kind.width));
  assign place        = any_q.element << (kind.width + 2);

  always_comb begin
    for (int unsigned d = 0; d < 3; d++) begin
      for (int unsigned s = 0; s < 2; s++) sums[d][s] = ones_below(any_q.masks[s], sizes[d]);
    end
    ones           = sums[does.d];
    second         = any_q.at[does.d] >= 8'(ones[0]);
    if (does.op == Merge) second = !any_q.masks[0][any_q.at[does.d][4:0]];
    if (does.op == Addi) second = 1'b0;
    given          = any_q.at[does.d] < 8'(ones[0]) + 8'(ones[1]);
    origin         = any_q.at;
    origin[does.d] = 8'(any_q.slice);
  end

  assign from  = does.op != Concat ? place : BitW'((16'(origin[0]) * 16'(sizes[1]) + 16'(origin[1])) * 16'(sizes[2]) +
      16'(origin[2])) << (kind.width + 2);
  assign value = any_q.src[second].zero ? '0 : any_q.value & element_mask;

  always_comb begin
    for (int unsigned d = 0; d < 3; d++) sizes[d] = size_of(any_q.tshape, 2'(d));
    legal    = kind.legal && kind.integer_type;
    expected = addi(value, does.imm8, kind.width);
    if (does.op == Merge) begin
      legal    = shape && (sizes[does.d] <= 8'd32) && any_q.inits[0];
      expected = in_block ? value : '0;
    end
    if (does.op == Concat) begin
      legal    = shape && (sizes[does.d] <= 8'd32) && (any_q.inits == 2'b11) &&
          (8'(ones[0]) + 8'(ones[1]) <= sizes[does.d]);
      expected = in_block && given ? value : '0;
    end
  end

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    tl_pkg::phys_t read_phys;
    tl_pkg::row_t  read_row;
    tl_pkg::phys_t write_phys;
    tl_pkg::row_t  write_row;

    assign {read_phys, read_row}   = {rows.addr[b], 1'(b)};
    assign {write_phys, write_row} = {move_write.addr[b], 1'(b)};
    assign write[b]                = move_write.valid[b] && (write_phys == any_q.target) && (write_row == tl_pkg::RowW'(place / RowBits));

    always_ff @(posedge clk_i) begin
      write_q[b] <= rst_ni && write[b];
      if (rst_ni) begin
        for (int unsigned s = 0; s < 2; s++) begin
          if (rows.valid[b] && (second == 1'(s)) && (read_phys == any_q.src[s].phys) &&
              (read_row == tl_pkg::RowW'(from / RowBits))) begin
            assume ((32'(rdata[b] >> from[$clog2(RowBits)-1:0]) & element_mask) == (any_q.value & element_mask));
          end
        end
        // No other register is written.
        if (move_write.valid[b] && !(`BEHIND && (write_phys == any_q.other))) begin
          assert (commanded_q && !done_q && (does.rd != 5'd0) && (write_phys == any_q.target));
        end
        if (write_q[b]) assert ((32'(move_write.data[b] >> place[$clog2(RowBits)-1:0]) & element_mask) == expected);
      end
    end
  end

  tl_issue_spec #(
    .Count (`BEHIND + 1)
  ) u_issue (
    .issues_i  ({any_q.issue, {`BEHIND{any_q.first}}}),
    .ttype_i   (any_q.ttype),
    .keeps_i   (keeps),
    .entered_o (entered),
    .kind_o    (kind),
    .*
  );

  tl_rows_spec u_rows (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .read_i (move_read),
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
      time_q <= time_q + 6'd1;
      // The instruction.
      assume (ours(any_q.issue.instr) && (does.op == `MOVE_OP));
      if (`BEHIND) begin
        assume (csr_op(any_q.first.instr, '0).ours || ours(any_q.first.instr));
        assume (!`CALM || csr_op(any_q.first.instr, '0).ours || !(prior.op inside {Merge, Concat}));
        assume ((any_q.other != any_q.target) && (any_q.other_tag != any_q.tag));
        if (!now) assume ((results.fresh[0] == any_q.other) && (tag == any_q.other_tag));
      end
      assume (load_soon && store_soon && xpose_soon && !load_strides_busy && !store_strides_busy);
      // CSRs, and what they mean.
      if (keeps) assume ({tmask_concat_2, tmask_concat_1} == any_q.masks);
      if (keeps && settled) begin
        for (int unsigned d = 0; d < 3; d++) begin
          assume (dim_shape.merge_ok[d] == (shape && (sizes[d] <= 8'd32) && any_q.inits[0]));
          if (dim_shape.merge_ok[d]) begin
            assume ((8'(dim_shape.size[d]) == sizes[d]) && (16'(dim_shape.inner[d]) == inner_of(any_q.tshape, 2'(d))));
          end
        end
        if ((does.op == Concat) || (`BEHIND && !`CALM && (prior.op == Concat))) begin
          for (int unsigned d = 0; d < 3; d++) begin
            assume (dim_shape.concat_ok[d] == (shape && (sizes[d] <= 8'd32) && (any_q.inits == 2'b11) &&
                (8'(sums[d][0]) + 8'(sums[d][1]) <= sizes[d])));
            if (dim_shape.concat_ok[d]) assume (dim_shape.counts[d] == {sums[d][0] + sums[d][1], sums[d][0]});
          end
        end
        if (dim_shape.merge_ok != '0) assume (32'(block) == elements(any_q.tshape) << (kind.width - Narrowest));
      end
      // Registers.
      if (now) begin
        assume (tag == any_q.tag);
        assume ({src2, src1} == any_q.src);
        assume ((any_q.target < tl_pkg::NumPhys) && (results.fresh[0] == any_q.target));
        assume (results.valid == {1'b0, does.rd != 5'd0});
        assume (((does.rs1 != 5'd0) || src1.zero) && ((does.rs2 != 5'd0) || src2.zero));
        for (int unsigned s = 0; s < 2; s++) begin
          assume (any_q.src[s].zero || ((any_q.src[s].phys < tl_pkg::NumPhys) && (any_q.src[s].phys != any_q.target)));
        end
      end
      assume ((read_gnt[1] == move_read.valid) && (write_gnt[1] == move_write.valid));
      // The element.
      assume ((BitW + 5)'(any_q.element) << (kind.width + 2) < (BitW + 5)'(RegBits));
      if (shape && in_block) begin
        assume (index == 16'(any_q.element));
        for (int unsigned d = 0; d < 3; d++) assume (any_q.at[d] < sizes[d]);
      end
      // Of tl.concat.d it is in the slice with as many selected ones before it as the operand has given before.
      if ((does.op == Concat) && legal && in_block && given) begin
        assume ((8'(any_q.slice) < sizes[does.d]) && any_q.masks[second][any_q.slice]);
        assume (8'(ones_below(any_q.masks[second], 8'(any_q.slice))) == any_q.at[does.d] - (second ? 8'(ones[0]) : '0));
      end
`ifdef SHAPE
      assume (any_q.tshape == `SHAPE);
`endif
`ifdef DIM
      assume (does.d == `DIM);
`endif

      // It traps, or is sent to the engine.
      if (now) assert (!load_valid && !store_valid && !xpose_valid && !(move_valid && commanded_q));
      if (now && entry_valid && entry_ready) assert ((enter_trap == !legal) && (move_valid == legal));
      if (now && move_valid) commanded_q <= 1'b1;
      // Each row is written once.
      if (write != '0) begin
        assert (!wrote_q);
        wrote_q <= 1'b1;
      end
      if (move_done.valid && !(`BEHIND && (move_done.tag == any_q.other_tag))) begin
        assert (commanded_q && !done_q && (move_done.tag == any_q.tag) && (wrote_q || (does.rd == 5'd0)));
        done_q <= 1'b1;
      end
      if ((time_q == 6'(Cycles)) && legal) assert (done_q);
    end
  end

endmodule

bind tl_top tl_reset_spec u_reset (.*);
bind tl_top tl_move_spec u_move_spec (.*);
