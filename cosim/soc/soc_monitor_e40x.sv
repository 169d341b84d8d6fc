// SPDX-License-Identifier: Apache-2.0

// What CV32E40X executes first, and for a trap while mtvec has its value of reset: the program goes on behind the instruction,
// as docs/isa.md says of a host without a handler. An interrupt (11) is acknowledged. A word in the highest addresses keeps x1.
//
// The comments are the program (a test assembles them).
module soc_monitor_e40x (
  input  logic        clk_i,
  input  logic [6:0]  index_i,
  output logic [31:0] rdata_o  // in the next cycle
);

  logic [31:0] word;

  always_comb begin
    unique case (index_i)
      7'd0:    word = 32'h000010b7;  // lui x1, 1
      7'd1:    word = 32'h80008093;  // addi x1, x1, -2048
      7'd2:    word = 32'h30409073;  // csrrw x0, 0x304, x1
      7'd3:    word = 32'h30046073;  // csrrsi x0, 0x300, 8
      7'd4:    word = 32'h00000093;  // addi x1, x0, 0
      7'd5:    word = 32'h00000067;  // jalr x0, 0(x0)
      7'd64:   word = 32'hfe102e23;  // trap: sw x1, -4(x0)
      7'd65:   word = 32'h341020f3;  // csrrs x1, mepc, x0
      7'd66:   word = 32'h00408093;  // addi x1, x1, 4
      7'd67:   word = 32'h34109073;  // csrrw x0, mepc, x1
      7'd68:   word = 32'hffc02083;  // lw x1, -4(x0)
      7'd69:   word = 32'h30200073;  // mret
      7'd75:   word = 32'hfe002c23;  // interrupt: sw x0, -8(x0)
      7'd76:   word = 32'h30200073;  // mret
      default: word = '0;
    endcase
  end

  always_ff @(posedge clk_i) rdata_o <= word;

endmodule
