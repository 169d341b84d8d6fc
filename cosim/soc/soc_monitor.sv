// SPDX-License-Identifier: Apache-2.0

// What the core executes first, and for a trap. PicoRV32 has no machine mode: what it does not know, and what its
// co-processor does not answer, is an interrupt, with the next address in q0. Here this becomes the trap of docs/isa.md,
// with the CSRs of tl_trap_csr. Without a handler the program goes on behind the instruction.
//
// The comments are the program (a test assembles them). Registers q1 to q3 keep x1 to x3 in the meantime.
module soc_monitor (
  input  logic        clk_i,
  input  logic [6:0]  index_i,
  output logic [31:0] rdata_o  // in the next cycle
);

  logic [31:0] word;

  always_comb begin
    unique case (index_i)
      7'd0:   word = 32'hffd00093;  // addi x1, x0, -3
      7'd1:   word = 32'h0600800b;  // maskirq x0, x1
      7'd2:   word = 32'h00000093;  // addi x1, x0, 0
      7'd3:   word = 32'h00000113;  // addi x2, x0, 0
      7'd4:   word = 32'h00000193;  // addi x3, x0, 0
      7'd5:   word = 32'h00000213;  // addi x4, x0, 0
      7'd6:   word = 32'h00000293;  // addi x5, x0, 0
      7'd7:   word = 32'h00000313;  // addi x6, x0, 0
      7'd8:   word = 32'h00000393;  // addi x7, x0, 0
      7'd9:   word = 32'h00000413;  // addi x8, x0, 0
      7'd10:  word = 32'h00000493;  // addi x9, x0, 0
      7'd11:  word = 32'h00000513;  // addi x10, x0, 0
      7'd12:  word = 32'h00000593;  // addi x11, x0, 0
      7'd13:  word = 32'h00000613;  // addi x12, x0, 0
      7'd14:  word = 32'h00000693;  // addi x13, x0, 0
      7'd15:  word = 32'h00000713;  // addi x14, x0, 0
      7'd16:  word = 32'h00000793;  // addi x15, x0, 0
      7'd17:  word = 32'h00000813;  // addi x16, x0, 0
      7'd18:  word = 32'h00000893;  // addi x17, x0, 0
      7'd19:  word = 32'h00000913;  // addi x18, x0, 0
      7'd20:  word = 32'h00000993;  // addi x19, x0, 0
      7'd21:  word = 32'h00000a13;  // addi x20, x0, 0
      7'd22:  word = 32'h00000a93;  // addi x21, x0, 0
      7'd23:  word = 32'h00000b13;  // addi x22, x0, 0
      7'd24:  word = 32'h00000b93;  // addi x23, x0, 0
      7'd25:  word = 32'h00000c13;  // addi x24, x0, 0
      7'd26:  word = 32'h00000c93;  // addi x25, x0, 0
      7'd27:  word = 32'h00000d13;  // addi x26, x0, 0
      7'd28:  word = 32'h00000d93;  // addi x27, x0, 0
      7'd29:  word = 32'h00000e13;  // addi x28, x0, 0
      7'd30:  word = 32'h00000e93;  // addi x29, x0, 0
      7'd31:  word = 32'h00000f13;  // addi x30, x0, 0
      7'd32:  word = 32'h00000f93;  // addi x31, x0, 0
      7'd33:  word = 32'h00000067;  // jalr x0, 0(x0)
      7'd64:  word = 32'h0200808b;  // handler: setq q1, x1
      7'd65:  word = 32'h0201010b;  // setq q2, x2
      7'd66:  word = 32'h0201818b;  // setq q3, x3
      7'd67:  word = 32'h0000008b;  // getq x1, q0
      7'd68:  word = 32'hffc08093;  // addi x1, x1, -4
      7'd69:  word = 32'h0000a103;  // lw x2, 0(x1)
      7'd70:  word = 32'h302001b7;  // lui x3, 0x30200
      7'd71:  word = 32'h07318193;  // addi x3, x3, 0x73
      7'd72:  word = 32'h04310c63;  // beq x2, x3, return
      7'd73:  word = 32'h07300193;  // addi x3, x0, 0x73
      7'd74:  word = 32'h02310863;  // beq x2, x3, call
      7'd75:  word = 32'h001001b7;  // lui x3, 0x100
      7'd76:  word = 32'h07318193;  // addi x3, x3, 0x73
      7'd77:  word = 32'h02310663;  // beq x2, x3, break
      7'd78:  word = 32'h305021f3;  // trap: csrrs x3, mtvec, x0
      7'd79:  word = 32'h00018663;  // beq x3, x0, leave
      7'd80:  word = 32'h34109073;  // csrrw x0, mepc, x1
      7'd81:  word = 32'h0201800b;  // setq q0, x3
      7'd82:  word = 32'h0000808b;  // leave: getq x1, q1
      7'd83:  word = 32'h0001010b;  // getq x2, q2
      7'd84:  word = 32'h0001818b;  // getq x3, q3
      7'd85:  word = 32'h0400000b;  // retirq
      7'd86:  word = 32'h00b00193;  // call: addi x3, x0, 11
      7'd87:  word = 32'h0080006f;  // jal x0, cause
      7'd88:  word = 32'h00300193;  // break: addi x3, x0, 3
      7'd89:  word = 32'h30502173;  // cause: csrrs x2, mtvec, x0
      7'd90:  word = 32'hfe0100e3;  // beq x2, x0, leave
      7'd91:  word = 32'h34219073;  // csrrw x0, mcause, x3
      7'd92:  word = 32'h34301073;  // csrrw x0, mtval, x0
      7'd93:  word = 32'hfc5ff06f;  // jal x0, trap
      7'd94:  word = 32'h341020f3;  // return: csrrs x1, mepc, x0
      7'd95:  word = 32'h0200800b;  // setq q0, x1
      7'd96:  word = 32'hfc9ff06f;  // jal x0, leave
      default: word = '0;
    endcase
  end

  always_ff @(posedge clk_i) rdata_o <= word;

endmodule
