// SPDX-License-Identifier: Apache-2.0
// CSRs and CSR instructions as docs/isa.md has them, written from that page alone: of tl_pkg only parameters are used.
package tl_spec_pkg;

  // A CSR of the unit.
  typedef struct packed {
    logic        known;
    logic        read_only;
    logic        mask;   // it has an "initialised" bit
    logic [31:0] reset;
    logic [31:0] kept;   // bits that are there
  } csr_t;

  // A word as a CSR instruction.
  typedef struct packed {
    logic        ours;   // of opcode SYSTEM, or of the unit's own CSR instructions
    logic        legal;
    logic        write;
    logic [1:0]  op;     // 1 csrrw, 2 csrrs, 3 csrrc, immediate or not
    logic [11:0] csr;    // its address for csr_base = 0x800
    logic [31:0] source;
    logic [4:0]  rd;
  } csr_op_t;

  // ttype: four bits of integers, then two bits for each floating-point width that the unit has.
  function automatic logic [31:0] ttype_bits();
    ttype_bits = 32'hf;
    for (int unsigned w = 0; w < 4; w++) if (tl_pkg::WidthMask[w]) ttype_bits[4+2*w+:2] = 2'b11;
  endfunction

  // The CSR at an address, for csr_base = 0x800.
  function automatic csr_t csr_at(logic [11:0] address);
    csr_at = '{known: 1'b1, kept: '1, default: '0};
    unique case (address) inside
      12'h810: csr_at.reset = 32'h2;
      12'h811: csr_at.kept  = 32'h00ff_ffff;
      [12'h812:12'h815]: csr_at.mask = 1'b1;
      12'h816, 12'h817: ;
      12'h81a, 12'h81b: begin
        csr_at.known = tl_pkg::Pitch != 0;
        csr_at.kept  = 32'h0000_ffff;
      end
      [12'h840:12'h87f]: csr_at.reset = 32'(address[4:0]);
      12'hcd0: begin
        csr_at.read_only = 1'b1;
        csr_at.reset     = tl_pkg::RegBytes;
      end
      default: csr_at.known = 1'b0;
    endcase
    if (address == 12'h810) csr_at.kept = ttype_bits();
  endfunction

  // The address for csr_base = 0x800 of a CSR number.
  function automatic logic [11:0] address_of(logic [11:0] number);
    address_of = number;
    if (tl_pkg::CsrBase == 12'h880) begin
      if (number[11:8] == 4'h8) address_of = number - 12'h080;
      if (number[11:8] == 4'hc) address_of = number - 12'h020;
    end
  endfunction

  function automatic csr_op_t csr_op(logic [31:0] word, logic [31:0] rs);
    logic own;
    logic immediate;
    csr_t csr;
    own = (tl_pkg::CsrOp != 0) && (word[6:0] == 7'b1011011) && (word[31:30] == tl_pkg::EngineId) && !word[29] &&
        (word[14:12] inside {3'b101, 3'b110, 3'b111});
    immediate     = own ? word[28] : word[14];
    csr_op.ours   = own || (word[6:0] == 7'b1110011);
    csr_op.op     = word[13:12];
    csr_op.csr    = !own ? address_of(word[31:20]) : word[27:20] < 8'hc0 ? 12'h800 + 12'(word[27:20]) :
        12'hcc0 + 12'(word[27:20] - 8'hc0);
    csr_op.source = immediate ? 32'(word[19:15]) : rs;
    csr_op.rd     = word[11:7];
    csr_op.write  = (csr_op.op == 2'd1) || (word[19:15] != 5'd0);
    csr           = csr_at(csr_op.csr);
    csr_op.legal  = csr_op.ours && (csr_op.op != 2'd0) && csr.known && !(csr.read_only && csr_op.write);
  endfunction

  // What the CSR holds after the instruction.
  function automatic logic [31:0] csr_result(csr_op_t does, logic [31:0] old);
    csr_t csr;
    csr = csr_at(does.csr);
    unique case (does.op)
      2'd1:    csr_result = does.source & csr.kept;
      2'd2:    csr_result = (old | does.source) & csr.kept;
      default: csr_result = (old & ~does.source) & csr.kept;
    endcase
    if (!does.write) csr_result = old;
  endfunction

endpackage
