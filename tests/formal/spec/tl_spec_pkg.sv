// SPDX-License-Identifier: Apache-2.0
// CSRs, encodings, types, shapes and sums as docs/isa.md has them, written from that page alone: of tl_pkg only
// parameters are used.
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

  // A word of the matrix opcode.
  typedef struct packed {
    logic       sets;        // a tile size
    logic       release_op;
    logic       access;
    logic       store;
    logic       transposed;
    logic [1:0] form;        // A, B, C
    logic [1:0] size;        // 0 M, 1 N, 2 K
    logic       immediate;
  } matrix_t;

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
      12'h81c: begin
        csr_at.known = tl_pkg::MaskInit != 0;
        csr_at.kept  = 32'h0000_000f;
      end
      [12'h840:12'h87f]: csr_at.reset = 32'(address[4:0]);
      12'hcd0: begin
        csr_at.read_only = 1'b1;
        csr_at.reset     = tl_pkg::RegBytes;
      end
      [12'h803:12'h805], [12'hcc1:12'hcc3]: begin
        csr_at.known     = tl_pkg::Matrix != 0;
        csr_at.read_only = 1'b1;
        if (address == 12'hcc1) csr_at.reset = tl_pkg::MxRows * tl_pkg::MxTrBytes;
        if (address == 12'hcc2) csr_at.reset = tl_pkg::MxTrBytes;
        if (address == 12'hcc3) csr_at.reset = 4 * tl_pkg::MxRows * tl_pkg::MxRows;
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

  // Tensor instructions.
  typedef enum logic [2:0] {Undefined, Load, Store, Addi, Concat, Merge, Xpose} op_e;

  typedef struct packed {
    op_e        op;
    logic       masked;
    logic [4:0] rd;    // tlrd; of tl.xpose tlrs1
    logic [4:0] rs1;   // tlrs, tlrs1
    logic [4:0] rs2;
    logic [7:0] imm8;
    logic [1:0] d;     // of concat and merge; p of tl.xpose
    logic [1:0] q;
  } tensor_t;

  // A word of opcode custom-2 with the EngineID of the unit.
  function automatic logic ours(logic [31:0] word);
    ours = (word[6:0] == 7'b1011011) && (word[31:30] == 2'(tl_pkg::EngineId));
  endfunction

  // What such a word is, by the table of encodings.
  function automatic tensor_t tensor_of(logic [31:0] word);
    logic second;  // its encoding: host register and tensor register change places
    second         = (tl_pkg::GprRs1 != 0) && ((word[14:12] == 3'b100) || ((word[14:12] == 3'b101) && word[29]));
    tensor_of      = '{op: Undefined, default: '0};
    tensor_of.imm8 = word[27:20];
    tensor_of.d    = word[26:25];
    unique case (word[14:12])
      3'b000:  if (!word[29]) tensor_of.op = Load;
      3'b001:  if ((word[29:28] == 2'b00) && (word[26:25] != 2'd3)) tensor_of.op = word[27] ? Merge : Concat;
      3'b010:  if (word[29]) tensor_of.op = Store;
               else if (!word[28]) tensor_of.op = Addi;
      3'b011:  if (!word[29]) tensor_of.op = Xpose;
      3'b100:  if (second) tensor_of.op = word[29] ? Store : Load;
      default: if (second) tensor_of.op = Xpose;
    endcase
    tensor_of.masked = word[28] && (tensor_of.op inside {Load, Store});
    tensor_of.rd     = second ? word[11:7] : (tensor_of.op inside {Load, Xpose}) ? word[19:15] : word[11:7];
    tensor_of.rs1    = second ? word[11:7] : word[19:15];
    tensor_of.rs2    = word[24:20];
    tensor_of.q      = word[28:27];
  endfunction

  function automatic logic is_matrix(logic [31:0] word);
    is_matrix = (tl_pkg::Matrix != 0) && (word[6:0] == 7'b0101011);
  endfunction

  // What such a word is, by the tables of matrix encodings.
  function automatic matrix_t matrix_of(logic [31:0] word);
    matrix_of            = '0;
    matrix_of.store      = word[25];
    matrix_of.transposed = word[30];
    matrix_of.form       = word[29:28];
    matrix_of.immediate  = !word[25];
    matrix_of.size       = word[31:28] == 4'd1 ? 2'd2 : word[31:28] == 4'd2 ? 2'd0 : 2'd1;
    if (is_matrix(word) && (word[14:12] == 3'd0)) begin
      matrix_of.access     = (word[27:26] == 2'b01) && !word[31] && (word[29:28] != 2'd3) && (word[11:10] != 2'd3) &&
          (word[9] == (word[29:28] == 2'd2));
      matrix_of.sets       = (word[27:26] == 2'b00) && (word[31:28] inside {4'd1, 4'd2, 4'd3}) && (word[11:7] == '0) &&
          (!word[25] || (word[24:20] == '0));
      matrix_of.release_op = word[31:7] == '0;
    end
  endfunction

  // The tile size that it sets.
  function automatic logic [31:0] matrix_size(logic [31:0] word, logic [31:0] rs);
    matrix_size = matrix_of(word).immediate ? 32'(word[24:15]) : rs;
  endfunction

  // ttype: eight fields, of which a legal one has exactly one.
  typedef struct packed {
    logic       legal;
    logic       integer_type;
    logic [1:0] width;  // of an element: 4 << width bits
  } type_t;

  function automatic type_t type_of(logic [11:0] ttype);
    logic [7:0] fields;
    fields  = {|ttype[11:10], |ttype[9:8], |ttype[7:6], |ttype[5:4], ttype[3:0]};
    type_of = '0;
    for (int unsigned f = 0; f < 8; f++) begin
      if (fields == 8'd1 << f) type_of = '{legal: tl_pkg::WidthMask[f%4], integer_type: f < 4, width: 2'(f)};
    end
  endfunction

  // Elements of a block.
  function automatic int unsigned elements(logic [23:0] tshape);
    elements = 32'(24'(tshape[23:16]) * 24'(16'(tshape[15:8]) * 16'(tshape[7:0])));
  endfunction

  function automatic logic shape_legal(logic [23:0] tshape, logic [1:0] width);
    shape_legal = (tshape[23:16] != '0) && (tshape[15:8] != '0) && (tshape[7:0] != '0) &&
        ((elements(tshape) << (width + 2)) <= 8 * tl_pkg::RegBytes);
  endfunction

  // The sum of tl.addi, of one element.
  function automatic logic [31:0] addi(logic [31:0] element, logic [7:0] imm8, logic [1:0] width);
    logic signed [34:0] sum;
    logic signed [34:0] most;
    most = (35'sd1 <<< (4 << width)) - 35'sd1;
    sum  = $signed({3'b000, element}) + 35'($signed(imm8));
    addi = sum < 0 ? '0 : sum > most ? most[31:0] : sum[31:0];
  endfunction

  // The bits of a slice of a load or store.
  function automatic logic [36:0] slice_bits(logic [23:0] tshape, logic [1:0] width, logic [31:0] slice_width);
    slice_bits = (slice_width == '0 ? 37'(16'(tshape[15:8]) * 16'(tshape[7:0])) : 37'(slice_width)) << (width + 2);
  endfunction

  // With a legal shape: D0 is not 0. With a pitch a slice is within that of the block, else all D0 are in the register.
  function automatic logic slices_legal(logic [23:0] tshape, logic [1:0] width, logic [31:0] slice_width,
                                             logic [15:0] pitch);
    logic [36:0] bits;
    logic [36:0] whole;
    bits         = slice_bits(tshape, width, slice_width);
    whole        = slice_bits(tshape, width, '0);
    slices_legal = (tshape[23:16] <= 8'd32) && (bits[2:0] == '0) && (pitch == '0 ?
        (bits <= 37'(8 * tl_pkg::RegBytes)) && (24'(tshape[23:16]) * 24'(bits[15:0]) <= 24'(8 * tl_pkg::RegBytes)) :
        (whole[2:0] == '0) && (bits <= whole));
  endfunction

  // The size of a dimension of the block, and the elements of a slice along it.
  function automatic logic [7:0] size_of(logic [23:0] tshape, logic [1:0] d);
    size_of = d == 2'd0 ? tshape[23:16] : d == 2'd1 ? tshape[15:8] : tshape[7:0];
  endfunction

  function automatic logic [15:0] inner_of(logic [23:0] tshape, logic [1:0] d);
    inner_of = d == 2'd0 ? 16'(tshape[15:8]) * 16'(tshape[7:0]) : d == 2'd1 ? 16'(tshape[7:0]) : 16'd1;
  endfunction

  // Ones among the low `size` bits of a mask. They are added in an order that the solver finds in the RTL, too.
  function automatic logic [5:0] ones_below(logic [31:0] mask, logic [7:0] size);
    logic [31:0]     low;
    logic [2:0][3:0] nine;
    low  = mask & ~({32{1'b1}} << size);
    nine = '0;
    for (int unsigned i = 0; i < 27; i++) nine[i/9] = nine[i/9] + 4'(low[i]);
    ones_below = (6'(nine[0]) + 6'(nine[1]) + 6'(low[27])) +
        (6'(nine[2]) + 6'(low[28]) + 6'(low[29]) + 6'(low[30]) + 6'(low[31]));
  endfunction

  // tl.xpose: D0*D1*D2*D3*e is 16*reg_bytes, a power of two. So each size is one, and their logarithms are added.
  function automatic logic sizes_legal(logic [31:0] sizes, logic [1:0] width);
    int unsigned sum;
    logic [3:0]  powers;
    sum    = 32'(width) + 2;
    powers = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned b = 0; b < 8; b++) begin
        if (sizes[8*i+:8] == 8'd1 << b) begin
          powers[i] = 1'b1;
          sum       = sum + b;
        end
      end
    end
    sizes_legal = (powers == '1) && !sizes[0] && (sum == $clog2(16 * tl_pkg::RegBytes));
  endfunction

endpackage
