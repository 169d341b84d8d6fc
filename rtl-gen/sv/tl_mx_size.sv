// SPDX-License-Identifier: Apache-2.0

// Holds the tile sizes mtilem, mtilen and mtilek. For the matrix instruction in the dispatch stage
// it decides whether the instruction is legal with these sizes, and computes its memory access.
// Only the sizes that an instruction uses count.
module tl_mx_size (
  input  logic              clk_i,
  input  logic              rst_ni,        // asynchronous assert, synchronous release

  // The instruction in the dispatch stage
  input  tl_pkg::mx_instr_t mx_i,
  input  tl_pkg::host_t     rs_i,          // x[rs1]
  input  tl_pkg::host_t     rs2_i,         // x[rs2]
  input  tl_pkg::tag_t      tag_i,         // its slot in tl_retire
  input  logic              exec_i,        // the instruction is dispatched and legal
  output logic              legal_o,       // the instruction is legal
  // the instruction names L1M [0], L0M [1], even if it is illegal or its tile is empty
  output logic [1:0]        uses_o,
  output logic              load_o,        // legal and not empty: accesses L1M
  output logic              store_o,       // legal and not empty: accesses L0M
  output tl_pkg::mx_cmd_t   cmd_o,         // the access
  // the instruction sets mtilek [2], mtilen [1], mtilem [0]
  output logic [2:0]        sets_o,

  // Undoing
  input  logic [2:0]        undo_i,        // as sets_o
  input  logic [31:0]       undo_value_i,  // the old size

  // State
  output logic [31:0]       mtilem_o,
  output logic [31:0]       mtilen_o,
  output logic [31:0]       mtilek_o,

  // Which sizes are legal, from flip-flops, as in meaning_t
  output logic [1:0]        rows_ok_o,     // mtilem [0], mtilen [1]
  output logic [2:0]        k_ok_o,        // columns of a tile register: elements of 8, 16, 32 bits
  output logic [2:0]        n_ok_o         // of an accumulation register
);

  // Tile sizes are stored as they are written. They are compared with the size of a register when
  // they are set; an access uses the results for its own sizes.
  logic [2:0]       set;
  logic [31:0]      value;
  logic [2:0]       none_q;    // mtilem, mtilen, mtilek are 0
  logic [2:0][31:0] values;    // values that may be set: imm, x[rs1], the old value
  logic [2:0]       chosen;    // one-hot: which of these values is set
  logic             none;
  logic             rows_fit;
  // the size fits as columns of a tile register, with elements of 8, 16, 32 bits
  logic [2:0]       tr_fit;
  logic [2:0]       acc_fit;   // of an accumulation register

  assign sets_o[0] = mx_i.op == tl_pkg::MxSetM;
  assign sets_o[1] = mx_i.op == tl_pkg::MxSetN;
  assign sets_o[2] = mx_i.op == tl_pkg::MxSetK;
  assign set       = undo_i | (sets_o & {3{exec_i}});

  assign values = {undo_value_i, rs_i[31:0], 32'(mx_i.imm)};
  assign chosen = undo_i != '0 ? 3'b100 : mx_i.use_imm ? 3'b001 : 3'b010;

  // Timing: undo_i arrives late, so every candidate is compared before one is chosen.
  always_comb begin
    value    = '0;
    none     = 1'b0;
    rows_fit = 1'b0;
    tr_fit   = '0;
    acc_fit  = '0;
    for (int unsigned v = 0; v < 3; v++) begin
      value    = value | (values[v] & {32{chosen[v]}});
      none     = none || (chosen[v] && (values[v] == '0));
      rows_fit = rows_fit || (chosen[v] && (values[v] <= tl_pkg::MxRows));
      for (int unsigned i = 0; i < 3; i++) begin
        tr_fit[i]  = tr_fit[i] || (chosen[v] && (values[v] <= tl_pkg::MxTrBytes >> i));
        acc_fit[i] = acc_fit[i] || (chosen[v] && (values[v] <= tl_pkg::MxAccBytes >> i));
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mtilem_o <= '0;
      mtilen_o <= '0;
      mtilek_o <= '0;
      rows_ok_o <= '1;
      k_ok_o    <= '1;
      n_ok_o    <= '1;
      none_q    <= '1;
    end else begin
      if (set[0]) mtilem_o <= value;
      if (set[1]) mtilen_o <= value;
      if (set[2]) mtilek_o <= value;
      if (set[0]) rows_ok_o[0] <= rows_fit;
      if (set[1]) rows_ok_o[1] <= rows_fit;
      if (set[1]) n_ok_o <= acc_fit;
      if (set[2]) k_ok_o <= tr_fit;
      for (int unsigned i = 0; i < 3; i++) begin
        if (set[i]) none_q[i] <= none;
      end
    end
  end

  logic unused_ours;  // tl_dispatch uses it

  assign unused_ours = mx_i.ours;

  // The tile of the access, in elements. An empty one is legal and does nothing.
  tl_pkg::mx_len_t rows;
  tl_pkg::mx_len_t columns;
  logic            fits;
  logic            empty;
  tl_pkg::mx_len_t lines;
  tl_pkg::mx_len_t length;

  assign fits    = tl_pkg::mx_fits(mx_i.form == tl_pkg::MxB, mx_i.form == tl_pkg::MxC,
      mx_i.d_size, rows_ok_o, k_ok_o, n_ok_o);
  assign empty   = (mx_i.form == tl_pkg::MxB ? none_q[1] : none_q[0]) ||
      (mx_i.form == tl_pkg::MxC ? none_q[1] : none_q[2]);
  assign uses_o  = mx_i.uses;
  assign legal_o = mx_i.legal && ((uses_o == '0) || fits);
  assign load_o  = mx_i.legal && uses_o[0] && fits && !empty;
  assign store_o = mx_i.legal && uses_o[1] && fits && !empty;

  // Used only if the tile fits.
  assign rows    = (tl_pkg::MxByteW + 1)'(mx_i.form == tl_pkg::MxB ? mtilen_o : mtilem_o);
  assign columns = (tl_pkg::MxByteW + 1)'(mx_i.form == tl_pkg::MxC ? mtilen_o : mtilek_o);
  assign lines   = mx_i.trans ? columns : rows;
  assign length  = mx_i.trans ? rows : columns;

  always_comb begin
    cmd_o.tag    = tag_i;
    cmd_o.store  = mx_i.op == tl_pkg::MxStore;
    cmd_o.trans  = mx_i.trans;
    cmd_o.d_size = mx_i.d_size;
    cmd_o.md     = mx_i.md;
    cmd_o.lines  = lines;
    cmd_o.bytes  = length << mx_i.d_size;
    cmd_o.base   = rs_i;
    cmd_o.stride = rs2_i;
  end

endmodule
