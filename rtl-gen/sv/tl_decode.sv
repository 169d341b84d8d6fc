// SPDX-License-Identifier: Apache-2.0

// Decode stage: everything about an instruction that depends on no state. The outputs are
// flip-flops, one cycle later.
module tl_decode #(
  parameter bit CsrOp = tl_pkg::CsrOp != 0  // CSR instructions under our own opcode
) (
  input  logic               clk_i,
  input  logic               rst_ni,     // asynchronous assert, synchronous release

  // From the queue
  input  logic               valid_i,
  output logic               ready_o,
  input  tl_pkg::issue_t     entry_i,    // the instruction with its operands

  // To the dispatch stage
  output logic               valid_o,
  input  logic               ready_i,
  // the same instruction, one cycle later or when dispatch is ready
  output tl_pkg::issue_t     entry_o,
  output tl_pkg::decoded_t   decoded_o,
  output tl_pkg::csr_instr_t csr_o,
  output tl_pkg::mx_instr_t  mx_o
);

  logic        ours;
  logic        undefined;
  logic        unused_decode;
  tl_pkg::op_e op;
  logic [4:0]  rd;
  logic [4:0]  rs1;
  logic [4:0]  rs2;
  logic [4:0]  gpr;
  logic [7:0]  imm;
  logic [1:0]  dim;
  logic [1:0]  p;
  logic [1:0]  q;

  tl_pkg::csr_instr_t csr;

  tl_decoder #(
    .CsrOp (CsrOp)
  ) u_decoder (
    .instr_i   (entry_i.instr),
    .rs_i      (entry_i.rs[31:0]),
    .ours_o    (ours),
    .illegal_o (undefined),
    .op_o      (op),
    .rd_o      (rd),
    .rs1_o     (rs1),
    .rs2_o     (rs2),
    .gpr_o     (gpr),
    .imm_o     (imm),
    .dim_o     (dim),
    .p_o       (p),
    .q_o       (q),
    .csr_o     (csr)
  );

  tl_pkg::mx_instr_t mx;

  if (tl_pkg::Matrix != 0) begin : gen_matrix
    logic             mx_ours;
    logic             mx_illegal;
    logic             mx_trans;
    logic             mx_use_imm;
    tl_pkg::mx_op_e   mx_op;
    tl_pkg::mx_form_e mx_form;
    logic [1:0]       mx_d_size;
    logic [2:0]       mx_md;
    logic [9:0]       mx_imm;

    tl_mx_decoder u_mx_decoder (
      .instr_i   (entry_i.instr),
      .ours_o    (mx_ours),
      .illegal_o (mx_illegal),
      .op_o      (mx_op),
      .form_o    (mx_form),
      .trans_o   (mx_trans),
      .d_size_o  (mx_d_size),
      .md_o      (mx_md),
      .use_imm_o (mx_use_imm),
      .imm_o     (mx_imm)
    );

    always_comb begin
      mx.ours    = mx_ours;
      mx.legal   = mx_ours && !mx_illegal;
      mx.op      = mx_op;
      mx.uses    = {mx_op == tl_pkg::MxStore, mx_op == tl_pkg::MxLoad};
      mx.form    = mx_form;
      mx.trans   = mx_trans;
      mx.d_size  = mx_d_size;
      mx.md      = mx_md;
      mx.use_imm = mx_use_imm;
      mx.imm     = mx_imm;
    end
  end else begin : gen_no_matrix
    assign mx = '0;
  end

  // Sizes of tl.xpose.
  logic             powers;
  logic [3:0][2:0]  log2_size;
  logic [1:0][3:0]  log2_sum;
  tl_pkg::decoded_t decoded;

  // The host has used the GPR number already. A word that is none of ours is illegal here, too.
  assign unused_decode = ^{gpr, ours, undefined};

  tl_xpose_sizes u_xpose_sizes (
    .sizes_i     (entry_i.rs[31:0]),
    .rs1_i       (rs1),
    .rs2_i       (rs2),
    .powers_o    (powers),
    .log2_size_o (log2_size),
    .log2_sum_o  (log2_sum)
  );

  always_comb begin
    decoded.op        = op;
    decoded.is_load   = (op == tl_pkg::OpLoad) || (op == tl_pkg::OpMload);
    decoded.is_store  = (op == tl_pkg::OpStore) || (op == tl_pkg::OpMstore);
    decoded.is_xpose  = op == tl_pkg::OpXpose;
    decoded.is_move   = tl_pkg::SumOps[op] || (op == tl_pkg::OpConcat) ||
        (op == tl_pkg::OpMerge);
    decoded.is_tensor = op != tl_pkg::OpNone;
    decoded.at_once   = (op == tl_pkg::OpNone) && (mx.uses == '0) &&
        !(csr.ours && (csr.modifies || csr.load_stride || csr.store_stride));
    decoded.masked    = (op == tl_pkg::OpMload) || (op == tl_pkg::OpMstore);
    decoded.rs1       = rs1;
    decoded.rs2       = rs2;
    decoded.rd        = op == tl_pkg::OpXpose ? rs1 : rd;
    decoded.imm       = imm;
    decoded.dim       = dim;
    decoded.p         = p;
    decoded.q         = q;
    decoded.powers    = powers;
    decoded.log2_size = log2_size;
    decoded.log2_sum  = log2_sum;
  end

  assign ready_o = !valid_o || ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
    end else begin
      if (ready_o) valid_o <= valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      entry_o   <= entry_i;
      decoded_o <= decoded;
      csr_o     <= csr;
      mx_o      <= mx;
      // tl_csr uses this without valid_o: a 1 keeps its scan away from the memory of strides.
      csr_o.store_stride <= valid_i && csr.ours && csr.store_stride;
    end
  end

endmodule
