// SPDX-License-Identifier: Apache-2.0

// What a CSR instruction does: csrrw, csrrs, csrrc and their immediate forms. Purely combinational.
// CSR numbers that are not here are illegal.
module tl_csr_decoder #(
  parameter bit CsrOp = tl_pkg::CsrOp != 0      // CSR instructions under the unit's own opcode, too
) (
  input  logic [31:0]        instr_i,
  input  logic [31:0]        rs_i,     // x[rs1]
  // what the word does; field `ours` is 0 if it is no CSR instruction
  output tl_pkg::csr_instr_t csr_o
);

  localparam bit          HasMatrix = tl_pkg::Matrix != 0;

  logic [31:0]        instr;
  logic               known;
  logic               read_only;
  logic               write;
  logic               load_stride;
  logic               store_stride;
  // a writable CSR that is no stride; their numbers are consecutive
  logic               writable;
  logic [14:0]        select;        // the CSR, one-hot
  logic [1:0]         pitch;         // tload_pitch, tstore_pitch
  logic               init;          // tmask_init
  logic               unused_rd;

  assign instr = tl_pkg::csr_word(instr_i, CsrOp);

  assign select[0] = writable && (instr[22:20] == 3'd0);  // ttype
  assign select[1] = writable && (instr[22:20] == 3'd1);  // tshape
  assign select[2] = writable && (instr[22:20] == 3'd2);  // tmask_load
  assign select[3] = writable && (instr[22:20] == 3'd3);  // tmask_store
  assign select[4] = writable && (instr[22:20] == 3'd4);  // tmask_concat_1
  assign select[5] = writable && (instr[22:20] == 3'd5);  // tmask_concat_2
  assign select[6] = writable && (instr[22:20] == 3'd6);  // tload_width
  assign select[7] = writable && (instr[22:20] == 3'd7);  // tstore_width
  assign select[8] = instr[31:20] == 12'hcd0;  // tlenb
  assign select[9] = HasMatrix && (instr[31:20] == 12'h803);  // mtilem
  assign select[10] = HasMatrix && (instr[31:20] == 12'h804);  // mtilen
  assign select[11] = HasMatrix && (instr[31:20] == 12'h805);  // mtilek
  assign select[12] = HasMatrix && (instr[31:20] == 12'hcc1);  // xtlenb
  assign select[13] = HasMatrix && (instr[31:20] == 12'hcc2);  // xtrlenb
  assign select[14] = HasMatrix && (instr[31:20] == 12'hcc3);  // xalenb

  assign unused_rd = ^instr[11:7];

  assign csr_o.ours         = instr[6:0] == 7'b1110011;
  assign csr_o.legal        = known && (instr[13:12] != 2'b00) && !(read_only && write);
  assign csr_o.write        = write;
  assign csr_o.sets         = instr[13:12] == 2'b10;
  assign csr_o.clears       = instr[13:12] == 2'b11;
  assign csr_o.modifies     = instr[13];
  assign csr_o.load_stride  = load_stride;
  assign csr_o.store_stride = store_stride;
  // CSRs of an option that is off have no bit.
  assign csr_o.select       = tl_pkg::Pitch != 0 ?
      tl_pkg::NumCsrs'({init, pitch, select[tl_pkg::PitchCsr-1:0]}) :
      tl_pkg::NumCsrs'({init, select[tl_pkg::PitchCsr-1:0]});
  assign csr_o.index        = instr[24:20];
  assign csr_o.operand      = instr[14] ? 32'(instr[19:15]) : rs_i;

  assign write        = (instr[13:12] == 2'b01) || (instr[19:15] != 5'd0);
  assign load_stride  = instr[31:25] == 7'h42;
  assign store_stride = instr[31:25] == 7'h43;

  assign writable     = instr[31:23] == 9'h102;
  assign pitch[0]     = (tl_pkg::Pitch != 0) && (instr[31:20] == 12'h81a);
  assign pitch[1]     = (tl_pkg::Pitch != 0) && (instr[31:20] == 12'h81b);
  assign init         = (tl_pkg::MaskInit != 0) && (instr[31:20] == 12'h81c);
  assign read_only    = select[14:8] != '0;
  assign known        = load_stride || store_stride || writable || read_only || (pitch != '0) ||
      init;

endmodule
