// SPDX-License-Identifier: Apache-2.0

// Memory with one write port with byte enables and one registered read port. Replace it by a macro
// of the target technology.
// Contents are not reset. A read of the word that is written in the same cycle returns an undefined
// value.
module tl_ram_1r1w_be #(
  parameter int unsigned Bytes = 4,             // bytes of a word; a multiple of 4
  parameter int unsigned Depth = 16             // words
) (
  input  logic                     clk_i,
  input  logic [Bytes-1:0]         be_i,     // bytes to be written
  input  logic [$clog2(Depth)-1:0] waddr_i,  // word to write
  input  logic [8*Bytes-1:0]       wdata_i,
  input  logic                     re_i,     // read enable; rdata_o holds its value otherwise
  input  logic [$clog2(Depth)-1:0] raddr_i,  // word to read
  output logic [8*Bytes-1:0]       rdata_o   // the word read in the previous cycle
);

  // The unit never reads a word in the cycle in which it writes it, so the memory needs no bypass.
  (* no_rw_check *)
  logic [8*Bytes-1:0] mem [Depth];

  // One write port has to be one process. It has two loops, because some tools unroll at most 64
  // iterations of a loop.
  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < Bytes; w += 4) begin
      for (int unsigned b = w; b < w + 4; b++) begin
        if (be_i[b]) mem[waddr_i][8*b+:8] <= wdata_i[8*b+:8];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
  end

endmodule
