// SPDX-License-Identifier: Apache-2.0
// CSR instructions as docs/isa.md has them, in a unit without `precise`. One CSR is followed, any one, and one
// instruction from dispatch to its result: the one that tl_retire_facts follows. Bound into tl_top, where the queue,
// what the CSRs mean, the rename map and the engines are free. Assumed: engines as in tl_retire_facts; strides that no
// engine reads stay so until a command comes.
module tl_csr_spec
  import tl_spec_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input logic               entry_valid,
  input logic               entry_ready,
  input tl_pkg::issue_t     entry,
  input tl_pkg::decoded_t   decoded,
  input tl_pkg::csr_instr_t csr,
  input logic               csr_exec,
  input logic               csr_ready,
  input logic               take,
  input logic [31:0]        csr_rdata,
  input logic [11:0]        ttype,
  input logic [23:0]        tshape,
  input logic [31:0]        tmask_load,
  input logic [31:0]        tmask_store,
  input logic [31:0]        tmask_concat_1,
  input logic [31:0]        tmask_concat_2,
  input logic [31:0]        tload_width,
  input logic [31:0]        tstore_width,
  input logic [15:0]        tload_pitch,
  input logic [15:0]        tstore_pitch,
  input logic [3:0]         mask_init,
  input logic [31:0]        mtilem,
  input logic [31:0]        mtilen,
  input logic [31:0]        mtilek,
  input logic [31:0]        load_stride,
  input logic [31:0]        store_stride,
  input logic               load_strides_busy,
  input logic               store_strides_busy,
  input logic               load_stride_read,
  input logic               store_stride_read,
  input logic [4:0]         load_stride_idx,
  input logic [4:0]         store_stride_idx,
  input logic               load_valid,
  input logic               store_valid,
  input logic               move_valid,
  input logic               xpose_valid,
  input logic               result_valid_o,
  input logic [7:0]         result_id_o,
  input logic               result_trap_o,
  input logic [4:0]         result_cause_o,
  input tl_pkg::host_t      result_tval_o,
  input logic               result_we_o,
  input logic [4:0]         result_rd_o,
  input tl_pkg::host_t      result_data_o,
  input logic               result_killed_o
);

  logic [11:0] any_csr;  // free

  logic [11:0] csr_q;    // the CSR that is followed, by its address for csr_base = 0x800
  csr_t        row;
  logic        stride;   // it is one, of loads or stores
  logic        tile;     // it is a tile size
  logic [31:0] value_q;  // by isa.md
  logic        init_q;   // its "initialised" bit
  csr_op_t     does;     // the instruction in front of dispatch
  logic        enters;
  logic        names;    // it is a CSR instruction on the followed CSR
  logic [31:0] value;    // what the unit has
  logic        init;
  logic [1:0]  mask;     // the followed CSR, of the masks
  logic [31:0] kept;     // what a CSR instruction reads

  assign row    = csr_at(csr_q);
  assign stride = csr_q inside {[12'h840:12'h87f]};
  assign tile   = csr_q inside {[12'h803:12'h805]};
  assign does   = csr_op(entry.instr, entry.rs[31:0]);
  assign enters = entry_valid && entry_ready;
  assign names  = does.legal && (does.csr == csr_q);

  always_comb begin
    unique case (csr_q) inside
      12'h810: value = 32'(ttype);
      12'h811: value = 32'(tshape);
      12'h812: value = tmask_load;
      12'h813: value = tmask_store;
      12'h814: value = tmask_concat_1;
      12'h815: value = tmask_concat_2;
      12'h816: value = tload_width;
      12'h817: value = tstore_width;
      12'h81a: value = 32'(tload_pitch);
      12'h81b: value = 32'(tstore_pitch);
      12'h81c: value = 32'(mask_init);
      12'h803: value = mtilem;
      12'h804: value = mtilen;
      12'h805: value = mtilek;
      [12'h840:12'h85f]: value = tl_top.u_csr.u_load_strides.mem[csr_q[4:0]];
      [12'h860:12'h87f]: value = tl_top.u_csr.u_store_strides.mem[csr_q[4:0]];
      default: value = row.reset;
    endcase
    init = mask_init[mask];
  end

  assign mask = 2'(csr_q[2:0] - 3'd2);
  assign kept = !stride && (csr_q != 12'h81c) ? tl_top.u_csr.u_copy.mem[csr_q[2+32'(tl_pkg::Pitch != 0):0]] : value;

  // The place among those that are no stride.
  function automatic logic [31:0] select_of(logic [11:0] address);
    select_of = '0;
    if (address inside {[12'h810:12'h817]}) select_of[3'(address)] = 1'b1;
    if (address == 12'hcd0) select_of[8] = 1'b1;
    if (address inside {[12'h803:12'h805]}) select_of[9+32'(2'(address-12'h803))] = 1'b1;
    if (address inside {[12'hcc1:12'hcc3]}) select_of[12+32'(2'(address-12'hcc1))] = 1'b1;
    if (address == 12'h81c) select_of[tl_pkg::InitCsr] = 1'b1;
    if (address inside {12'h81a, 12'h81b}) select_of[tl_pkg::PitchCsr + 32'(address[0])] = 1'b1;
  endfunction

  // Whether an instruction sets mtilek, mtilen, mtilem: as decoded, and by isa.md.
  function automatic logic [2:0] sets_of(tl_pkg::mx_op_e op);
    sets_of = {op == tl_pkg::MxSetK, op == tl_pkg::MxSetN, op == tl_pkg::MxSetM};
  endfunction

  function automatic logic [2:0] sets_of_word(logic [31:0] word);
    sets_of_word = 3'(matrix_of(word).sets) << matrix_of(word).size;
  endfunction

  // What the result of the followed instruction has to be.
  typedef struct packed {
    logic        trap;   // it is illegal
    logic [31:0] tval;
    logic        we;
    logic [4:0]  rd;
    logic [31:0] data;
  } outcome_t;

  outcome_t outcome;
  outcome_t outcome_q;
  logic     known_q;     // it is that of a CSR instruction on the followed CSR, or of an illegal one
  logic     follows;
  logic     watched;
  tl_pkg::tag_t    slot;
  tl_pkg::flight_t result;

  assign slot    = tl_top.u_retire.u_facts.slot_q;
  assign result  = tl_top.u_retire.flight_q[slot];
  assign watched = tl_top.u_retire.u_facts.watched_q;
  assign follows = enters && tl_top.u_retire.u_facts.watch && !watched;

  always_comb begin
    outcome = '0;
    if (!does.legal) begin
      outcome.trap = 1'b1;
      outcome.tval = entry.instr;
    end else if (does.rd != 5'd0) begin
      outcome.we   = 1'b1;
      outcome.rd   = does.rd;
      outcome.data = value_q;
    end
  end

  // What an engine reads of the stride: in the cycle after it has asked.
  logic [1:0]  read_q;
  logic [31:0] old_q;
  logic [1:0]  free_q;    // no engine may still read strides, and no command came: of loads, of stores

  always_ff @(posedge clk_i) begin
    old_q  <= value_q;
    free_q <= {rst_ni, rst_ni} & ~{store_strides_busy || store_valid, load_strides_busy || load_valid};
    read_q <= {csr_q[5] && store_stride_read && (store_stride_idx == csr_q[4:0]),
               !csr_q[5] && load_strides_busy && load_stride_read && (load_stride_idx == csr_q[4:0])} &
              {2{rst_ni && csr_ready && stride}};
    if (!rst_ni) begin
      assume (csr_at(any_csr).known);
      csr_q   <= any_csr;
      value_q <= csr_at(any_csr).reset;
      init_q  <= 1'b0;
      known_q <= 1'b0;
    end else begin
      assume ((free_q & {store_strides_busy, load_strides_busy}) == '0);
      if (enters && names) begin
        value_q <= csr_result(does, value_q);
        init_q  <= init_q || does.write;
      end
      if (enters && tile && matrix_of(entry.instr).sets && (csr_q == 12'h803 + 12'(matrix_of(entry.instr).size))) begin
        value_q <= matrix_size(entry.instr, entry.rs[31:0]);
      end
      // tmask_init has the bits of all masks.
      if (enters && does.legal && (does.csr == 12'h81c)) init_q <= 1'(csr_result(does, 32'(init_q) << mask) >> mask);
      if (enters && does.legal && does.write && csr_at(does.csr).mask && (csr_q == 12'h81c)) value_q[2'(does.csr[2:0] - 3'd2)] <= 1'b1;
      if (follows) begin
        known_q   <= does.ours && (!does.legal || names);
        outcome_q <= outcome;
      end

      // The CSRs are what the instructions before have made of them, and no other instruction changes them.
      if (csr_ready) assert (value == value_q);
      if (row.mask) assert (init == init_q);
      for (int unsigned s = 0; s < 2; s++) if (read_q[s]) assert ((s == 0 ? load_stride : store_stride) == old_q);
      // A CSR instruction changes nothing else.
      if (enters && does.ours) assert (!take && !load_valid && !store_valid && !move_valid && !xpose_valid);
      // Its result.
      if (result_valid_o && watched && known_q && (slot == tl_top.u_retire.head_q)) begin
        assert ({result_trap_o, result_we_o, result_rd_o} == {outcome_q.trap, outcome_q.we, outcome_q.rd});
        if (outcome_q.trap) assert ({result_cause_o, result_tval_o} == {5'd2, tl_pkg::host_t'(outcome_q.tval)});
        if (outcome_q.we) assert (result_data_o == tl_pkg::host_t'(outcome_q.data));
        assert (!result_killed_o);
      end
      // Why. The CSRs that are no stride have a copy, which is set in the cycles in which the strides are.
      assert (row.known && !tl_top.undo);
      if (!csr_ready) assert (value_q == row.reset);
      if (!csr_ready && !stride) assert (value == row.reset);
      if (csr_ready || (tl_top.u_csr.init_q > 6'(csr_q[4:0]))) begin
        if (!row.read_only) assert (kept == value_q);
        if (stride) assert (value == value_q);
        if (stride && csr_q[5]) assert (tl_top.u_csr.u_store_copy.mem[csr_q[4:0]] == value_q);
      end
      assert ((value_q & ~row.kept) == '0);
      // What is decoded, and read of the CSR before the instruction executes.
      if (entry_valid) begin
        assert (tl_top.mx.ours == is_matrix(entry.instr));
        if (!tl_top.mx.ours) assert ((tl_top.mx.op == tl_pkg::MxNone) && !tl_top.mx.legal && (tl_top.mx.uses == '0));
        assert (sets_of(tl_top.mx.op) == sets_of_word(entry.instr));
        if (matrix_of(entry.instr).sets) begin
          assert (tl_top.mx.legal && (tl_top.mx.uses == '0) && (tl_top.mx.use_imm == matrix_of(entry.instr).immediate));
          if (tl_top.mx.use_imm) assert (tl_top.mx.imm == entry.instr[24:15]);
        end
        assert ((csr.ours == does.ours) && (decoded.is_tensor == (decoded.op != tl_pkg::OpNone)));
        if (tl_top.u_dispatch.fit_q || tl_top.u_dispatch.unfit_q) assert (decoded.is_tensor);
        if (does.ours) assert (csr.legal == does.legal);
        if (does.ours) assert (!decoded.is_tensor);
        if (does.ours) assert (decoded.at_once == !(csr.modifies || csr.load_stride || csr.store_stride));
        if (does.legal) begin
          assert ((csr.write == does.write) && (csr.operand == does.source) && (csr.index == does.csr[4:0]));
          assert ((csr.sets == (does.op == 2'd2)) && (csr.clears == (does.op == 2'd3)) && (csr.modifies == does.op[1]));
          assert (csr.load_stride == (does.csr inside {[12'h840:12'h85f]}));
          assert (csr.store_stride == (does.csr inside {[12'h860:12'h87f]}));
          assert (32'(csr.select) == select_of(does.csr));
        end
        if (tl_top.u_dispatch.strides_seen_q && names) begin
          assert (csr_rdata == value_q);
          assert ({tl_top.u_csr.load_stride_q, tl_top.u_csr.store_stride_q} == {csr.load_stride, csr.store_stride});
        end
        // Of tmask_init the bit of the followed mask.
        if (tl_top.u_dispatch.strides_seen_q && does.legal && (does.csr == 12'h81c) && row.mask) begin
          assert (csr_rdata[mask] == init_q);
          assert ({tl_top.u_csr.load_stride_q, tl_top.u_csr.store_stride_q} == '0);
        end
        if (tl_top.u_dispatch.strides_seen_q && names && stride) begin
          assert ((csr_q[5] ? !store_strides_busy : !load_strides_busy) && (csr_ready));
        end
      end
      // The entry of the instruction that is followed.
      if (watched && known_q) begin
        assert ((result.gpr_we == outcome_q.we) && (outcome_q.we ? !outcome_q.trap : outcome_q.rd == '0));
        if (outcome_q.we) assert (result.gpr == outcome_q.rd);
        assert (!result.by_load && !result.by_store);
        if (tl_top.u_retire.enter_q && (tl_top.u_retire.enter_tag_q == slot)) begin
          assert (tl_top.u_retire.enter_cause_q == (outcome_q.trap ? tl_pkg::CauseIllegal : tl_pkg::CauseNone));
          if (outcome_q.trap) assert (tl_top.u_retire.enter_instr_q == outcome_q.tval);
          if (outcome_q.we) assert (csr_rdata == outcome_q.data);
        end else begin
          assert (tl_top.u_retire.entered_q[slot][34:32] == (outcome_q.trap ? 3'd2 : 3'd0));
          if (outcome_q.trap) assert (tl_top.u_retire.entered_q[slot][31:0] == outcome_q.tval);
          if (outcome_q.we) assert (tl_top.u_retire.entered_q[slot][31:0] == outcome_q.data);
        end
      end
    end
  end

endmodule

bind tl_top tl_reset_spec u_reset (.*);
bind tl_top tl_csr_spec u_csr_spec (.*);
