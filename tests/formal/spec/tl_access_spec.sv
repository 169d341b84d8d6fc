// SPDX-License-Identifier: Apache-2.0
// A load or store alone, or with BEHIND = 1 behind any one instruction, from its word at the issue queue to the command of
// its engine, by docs/isa.md: it traps as an illegal instruction, or the command says what isa.md says of slices. Its
// word, registers and CSRs have any values. Bound into tl_top, where decoding and dispatch are real. The other modules
// are free; what is assumed of them is in tl_environment_spec, and as csr-does and shape-does say. The engines take a
// command at once.
`ifndef BEHIND
`define BEHIND 0
`endif

module tl_access_spec
  import tl_spec_pkg::*;
(
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       queued_valid,
  input logic                       queued_ready,
  input tl_pkg::issue_t             queued,
  input logic                       entry_valid,
  input logic                       entry_ready,
  input logic                       enter_trap,
  input tl_pkg::cause_e             cause,
  input logic                       csr_ready,
  input logic                       csr_change,
  input logic                       settled,
  input logic                       type_ok,
  input logic                       int_type,
  input tl_pkg::ewidth_t            ewidth,
  input tl_pkg::ls_shape_t          ls_shape,
  input tl_pkg::dim_shape_t         dim_shape,
  input logic [5:0]                 store_dense,
  input logic                       map_ready,
  input logic                       busy,
  input logic                       fresh,
  input logic [1:0]                 awaited,
  input logic [tl_pkg::NumPhys-1:0] pending,
  input tl_pkg::src_t               src1,
  input tl_pkg::results_t           results,
  input logic                       room,
  input logic                       undo,
  input tl_pkg::tag_t               tag,
  input logic                       load_valid,
  input logic                       load_soon,
  input tl_pkg::load_cmd_t          load_cmd,
  input logic                       store_valid,
  input logic                       store_soon,
  input tl_pkg::store_cmd_t         store_cmd,
  input logic                       move_valid,
  input logic                       move_soon,
  input logic                       xpose_valid,
  input logic                       xpose_soon,
  input logic                       load_strides_busy,
  input logic                       store_strides_busy
);

  // Cycles from reset in which it is dispatched.
  localparam int unsigned Cycles = `BEHIND ? 14 : 8;

  // Free, and the same from reset on.
  typedef struct packed {
    tl_pkg::issue_t   issue;
    tl_pkg::issue_t   first;    // with BEHIND = 1 the instruction in front of it
    logic [11:0]      ttype;
    logic [23:0]      tshape;
    logic [1:0][31:0] masks;    // tmask_load and tmask_store
    logic [1:0]       inits;    // their "initialised" bits
    logic [1:0][31:0] widths;
    logic [1:0][15:0] pitches;
    tl_pkg::src_t     src;
    tl_pkg::phys_t    target;
    tl_pkg::tag_t     tag;
  } any_t;

  any_t             any;
  any_t             any_q;
  logic [4:0]       time_q;
  logic [2:0]       entered;
  logic             now;         // the instruction in front of it has executed or trapped
  tensor_t          does;
  logic             store;
  type_t            kind;
  logic             shape;
  logic             legal;
  logic [31:0]      all;         // slices of the block
  logic [31:0]      selected;    // those that are moved
  logic [1:0][36:0] bits;        // of a slice: of loads and of stores

  assign does     = tensor_of(any_q.issue.instr);
  assign now      = entered >= 3'(`BEHIND);
  assign store    = does.op == Store;
  assign shape    = kind.legal && shape_legal(any_q.tshape, kind.width);
  assign all      = ~({32{1'b1}} << any_q.tshape[23:16]);
  assign selected = does.masked ? any_q.masks[store] & all : all;
  assign legal    = ls_shape.ok[store] && (!does.masked || any_q.inits[store]);

  for (genvar s = 0; s < 2; s++) begin : gen_bits
    assign bits[s] = slice_bits(any_q.tshape, kind.width, any_q.widths[s]);
  end

  tl_issue_spec #(
    .Count (`BEHIND + 1)
  ) u_issue (
    .issues_i  ({any_q.issue, {`BEHIND{any_q.first}}}),
    .ttype_i   (any_q.ttype),
    .keeps_i   (1'b0),
    .entered_o (entered),
    .kind_o    (kind),
    .*
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q     <= any;
      time_q    <= '0;
    end else begin
      time_q <= time_q + 5'd1;
      // The instruction.
      assume (ours(any_q.issue.instr) && (does.op inside {Load, Store}));
      if (`BEHIND) assume (ours(any_q.first.instr) || (any_q.first.instr[6:0] == 7'b1110011));
      // CSRs, and what they mean.
      if (tl_pkg::Pitch == 0) assume (any_q.pitches == '0);
      if (now && settled) begin
        for (int unsigned t = 0; t < 2; t++) begin
          assume (ls_shape.ok[t] == (shape && slices_legal(any_q.tshape, kind.width, any_q.widths[t], any_q.pitches[t])));
          assume ((ls_shape.mask_init[t] == any_q.inits[t]) && (ls_shape.mask[t] == (any_q.masks[t] & all)));
          assume (ls_shape.mask_all[t] == (ls_shape.mask[t] == all));
          assume (ls_shape.mask_none[t] == (ls_shape.mask[t] == '0));
          if (ls_shape.ok[t]) assume (37'(ls_shape.bytes[t]) == bits[t] >> 3);
        end
        assume (ls_shape.all == all);
        assume ((ls_shape.pitched == (any_q.pitches[1] != '0)) && (dim_shape.size[0] == any_q.tshape[21:16]));
      end
      // Registers, and engines.
      assume (load_soon && store_soon && move_soon && xpose_soon && !load_strides_busy && !store_strides_busy);
      if (now) begin
        assume ((tag == any_q.tag) && (src1 == any_q.src) && (results.fresh[0] == any_q.target));
        assume (results.valid == {1'b0, !store && (does.rd != 5'd0)});
      end

      if (now) assert (!move_valid && !xpose_valid);
      if (load_valid || store_valid) assert (entry_valid && entry_ready);
      if (now && entry_valid && entry_ready) begin
        assert (enter_trap == !legal);
        assert ({store_valid, load_valid} == {legal && store, legal && !store});
        if (!legal) assert (cause == tl_pkg::CauseIllegal);
      end
      if (now && load_valid) begin
        assert ((load_cmd.tag == any_q.tag) && (load_cmd.dst.drop == (does.rd == 5'd0)));
        assert (load_cmd.dst.drop || (load_cmd.dst.phys == any_q.target));
        assert ((load_cmd.ewidth == kind.width) && (load_cmd.base == any_q.issue.rs) && (load_cmd.imm == does.imm8));
        assert ((load_cmd.mask == selected) && (load_cmd.none == (selected == '0)));
        assert (37'(load_cmd.bytes) == bits[0] >> 3);
        assert (load_cmd.all == ((selected == all) && !ls_shape.sparse));
        // As tl_shape has them.
        assert ((load_cmd.block == ls_shape.block[0]) && (load_cmd.pitch == ls_shape.pitch[0]));
        assert (load_cmd.whole == ls_shape.whole[0]);
      end
      if (now && store_valid) begin
        assert ((store_cmd.tag == any_q.tag) && (store_cmd.src == any_q.src));
        assert ((store_cmd.ewidth == kind.width) && (store_cmd.base == any_q.issue.rs) && (store_cmd.imm == does.imm8));
        assert ((store_cmd.mask == selected) && (store_cmd.none == (selected == '0)));
        assert (37'(store_cmd.bytes) == bits[1] >> 3);
        assert ((store_cmd.block == ls_shape.block[1]) && (store_cmd.pitch == ls_shape.pitch[1]));
        assert (store_cmd.whole == ls_shape.whole[1]);
        assert (store_cmd.dense == ((selected == all) && (any_q.pitches[1] == '0) &&
            (any_q.tshape[23:16] <= 8'(store_dense))));
      end
      if (time_q == 5'(Cycles)) assert (entered == 3'(`BEHIND + 1));
    end
  end

endmodule

bind tl_top tl_reset_spec u_reset (.*);
bind tl_top tl_access_spec u_access_spec (.*);
