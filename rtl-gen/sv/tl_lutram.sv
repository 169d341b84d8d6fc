// SPDX-License-Identifier: Apache-2.0

// Small memory with one write port and read ports without registers: distributed RAM of an FPGA,
// one for each read port; a latch or flip-flop array elsewhere. Contents are not reset.
module tl_lutram #(
  parameter int unsigned Width = 32,            // bits of a word
  parameter int unsigned Depth = 16,            // words, a power of two
  parameter int unsigned Reads = 1              // read ports
) (
  input  logic                                clk_i,
  input  logic                                we_i,     // write enable
  input  logic            [$clog2(Depth)-1:0] waddr_i,  // word to write
  input  logic                    [Width-1:0] wdata_i,
  input  logic [Reads-1:0][$clog2(Depth)-1:0] raddr_i,  // words to read
  // the words at raddr_i, before the write of this cycle
  output logic [Reads-1:0]        [Width-1:0] rdata_o
);

  logic [Width-1:0] mem [Depth];

  for (genvar r = 0; r < Reads; r++) begin : gen_read
    assign rdata_o[r] = mem[raddr_i[r]];
  end

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

endmodule
