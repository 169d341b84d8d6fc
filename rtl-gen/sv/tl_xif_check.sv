// SPDX-License-Identifier: Apache-2.0

// Checks an instruction that a core offers: whether it is the unit's and legal with the current
// CSRs, and which registers it reads and writes. Purely combinational.
module tl_xif_check #(
  parameter int unsigned NumRs = 3              // operands that the core has: 2 or 3
) (
  input  logic [31:0]           instr_i,
  input  logic [31:0]           rs1_i,       // x[19:15]
  input  logic [31:0]           rs3_i,       // x[11:7]
  input  logic [2:0]            rs_valid_i,  // operands that are valid: rs1 [0], rs2 [1], rs3 [2]
  input  tl_pkg::meaning_bits_t meaning_i,   // of tl_top
  // no older instruction is left that changes what the CSRs mean
  input  logic                  calm_i,
  // the outputs are valid: meaning_i is known, and the operands are there
  output logic                  known_o,
  output logic                  legal_o,     // the instruction is legal; valid while known_o is 1
  output logic                  writes_o,    // it writes x[11:7]
  output logic [2:0]            reads_o,     // operands that it reads: rs1 [0], rs2 [1], rs3 [2]
  output logic                  address_o,   // the unit needs x[11:7] in place of x[19:15]
  output logic                  changes_o,   // it changes what the CSRs mean
  output logic                  local_o      // it accesses the CSRs of the adapter, tcause or ttval
);

  tl_pkg::meaning_t   meaning;     // of TensorLoad instructions
  logic [31:0]        word;        // a CSR instruction in the standard encoding
  logic               ours;
  logic               undefined;
  logic               unused_decode;
  tl_pkg::op_e        op;
  logic [4:0]         rd;
  logic [4:0]         rs1;
  logic [4:0]         rs2;
  logic [4:0]         gpr;
  logic [7:0]         imm;
  logic [1:0]         dim;
  logic [1:0]         p;
  logic [1:0]         q;
  tl_pkg::csr_instr_t csr;

  tl_decoder #(
    .CsrOp (1'b1)
  ) u_decoder (
    .instr_i   (instr_i),
    .rs_i      ('0),
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

  // Matrix instructions.
  logic mx_legal;
  logic mx_access;  // it accesses a memory
  logic mx_sets;    // it sets a tile size
  logic mx_gpr;     // it sets a tile size to the value of x[rs1]

  if (tl_pkg::Matrix != 0) begin : gen_matrix
    tl_pkg::mx_meaning_t mx_meaning;
    logic                mx_ours;
    logic                mx_illegal;
    logic                mx_trans;
    logic                mx_use_imm;
    logic                mx_fits;
    tl_pkg::mx_op_e      mx_op;
    tl_pkg::mx_form_e    mx_form;
    logic [1:0]          mx_d_size;
    logic [2:0]          mx_md;
    logic [9:0]          mx_imm;
    logic                unused_mx;

    tl_mx_decoder u_mx_decoder (
      .instr_i   (instr_i),
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

    assign mx_meaning = meaning_i[$bits(mx_meaning)-1:0];
    assign mx_access  = (mx_op == tl_pkg::MxLoad) || (mx_op == tl_pkg::MxStore);
    assign mx_fits    = tl_pkg::mx_fits(mx_form == tl_pkg::MxB, mx_form == tl_pkg::MxC, mx_d_size,
        mx_meaning.rows_ok, mx_meaning.k_ok, mx_meaning.n_ok);
    assign mx_legal   = mx_ours && !mx_illegal && (!mx_access || mx_fits);
    assign mx_sets    = (mx_op == tl_pkg::MxSetM) || (mx_op == tl_pkg::MxSetN) ||
        (mx_op == tl_pkg::MxSetK);
    assign mx_gpr     = mx_sets && !mx_use_imm;
    assign unused_mx  = ^{mx_md, mx_imm, mx_trans};
  end else begin : gen_no_matrix
    assign {mx_legal, mx_access, mx_sets, mx_gpr} = '0;
  end

  // TensorLoad instructions.
  logic            powers;     // of tl.xpose
  logic [3:0][2:0] log2_size;
  logic [1:0][3:0] log2_sum;
  logic            legal;
  logic            is_tensor;
  logic            is_memory;
  logic            uses_gpr;   // a load, a store or tl.xpose
  logic            first;      // with the GPR in [11:7], and not in [19:15] (`gpr_rs1`)

  assign meaning       = meaning_i[$bits(meaning_i)-1-:$bits(meaning)];
  assign unused_decode = ^{ours, undefined, rd, gpr, imm, p, q, csr, word, log2_size};
  assign is_tensor     = op != tl_pkg::OpNone;
  assign is_memory     = (op == tl_pkg::OpLoad) || (op == tl_pkg::OpMload) ||
      (op == tl_pkg::OpStore) || (op == tl_pkg::OpMstore);
  assign uses_gpr      = is_memory || (op == tl_pkg::OpXpose);
  assign first         = (tl_pkg::GprRs1 == 0) || !instr_i[14];

  tl_xpose_sizes u_xpose_sizes (
    .sizes_i     (first ? rs3_i : rs1_i),
    .rs1_i       (rs1),
    .rs2_i       (rs2),
    .powers_o    (powers),
    .log2_size_o (log2_size),
    .log2_sum_o  (log2_sum)
  );

  tl_legal u_legal (
    .op_i       (op),
    .dim_i      (dim),
    .powers_i   (powers),
    .log2_sum_i (log2_sum),
    .meaning_i  (meaning),
    .legal_o    (legal)
  );

  // CSR instructions. Strides have no influence on what is legal. Of the masks of loads and stores,
  // only whether they have been written counts.
  logic        is_csr;
  logic        is_change;
  logic        needs_state;
  logic        lacking;   // it reads x[11:7], and the core does not have it

  assign word        = tl_pkg::csr_word(instr_i, 1'b1);
  assign local_o     = (word[6:0] == 7'b1110011) && (word[13:12] != 2'b00) &&
      (word[31:21] == 11'h40c);
  assign is_csr      = local_o || (csr.ours && csr.legal);
  assign is_change   = (csr.select[7:4] != '0) || (csr.select[1:0] != '0) ||
      (tl_pkg::pitch_csrs(csr.select) != '0) || tl_pkg::init_csr(csr.select) ||
      ((csr.select[3:2] & ~(meaning.mask_init & {2{calm_i && meaning.settled}})) != '0);
  assign needs_state = is_tensor || mx_access;

  assign lacking   = (NumRs == 2) && uses_gpr && first;
  assign reads_o   = {uses_gpr && first && !lacking, mx_access,
                    (is_csr && !word[14]) || mx_access || mx_gpr || (uses_gpr && !first)};
  assign writes_o  = is_csr && (instr_i[11:7] != 5'd0);
  assign address_o = reads_o[2];
  assign changes_o = (is_csr && !local_o && csr.write && is_change) || mx_sets;
  assign legal_o   = is_csr || (is_tensor && legal && !lacking) || mx_legal;
  assign known_o   = ((reads_o & ~rs_valid_i) == '0) &&
      (!needs_state || (calm_i && meaning.settled));

endmodule
