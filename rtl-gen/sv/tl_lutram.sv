// SPDX-License-Identifier: Apache-2.0

// Small memory with one write port and one read port without a register: distributed RAM of an
// FPGA, a latch or flip-flop array elsewhere. Contents are not reset.
module tl_lutram #(
  parameter int unsigned Width = 32,            // bits of a word
  parameter int unsigned Depth = 16             // words, a power of two
) (
  input  logic                     clk_i,
  input  logic                     we_i,     // write enable
  input  logic [$clog2(Depth)-1:0] waddr_i,
  input  logic [Width-1:0]         wdata_i,
  input  logic [$clog2(Depth)-1:0] raddr_i,
  output logic [Width-1:0]         rdata_o   // the word at raddr_i, before the write of this cycle
);

  logic [Width-1:0] mem [Depth];

  assign rdata_o = mem[raddr_i];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

endmodule
