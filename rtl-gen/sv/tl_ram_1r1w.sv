// SPDX-License-Identifier: Apache-2.0

// Memory with one write port and one registered read port. Replace it by a macro of the target
// technology.
// Contents are not reset. A read of the word that is written in the same cycle returns an undefined
// value.
module tl_ram_1r1w #(
  parameter int unsigned Width = 32,            // bits of a word
  parameter int unsigned Depth = 16             // words
) (
  input  logic                     clk_i,
  input  logic                     we_i,     // write enable
  input  logic [$clog2(Depth)-1:0] waddr_i,  // word to write
  input  logic [Width-1:0]         wdata_i,
  input  logic                     re_i,     // read enable; rdata_o holds its value otherwise
  input  logic [$clog2(Depth)-1:0] raddr_i,  // word to read
  output logic [Width-1:0]         rdata_o   // the word read in the previous cycle
);

  // The unit never uses the result of such a read, so a block RAM needs no bypass.
  (* no_rw_check *)
  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (re_i) rdata_o <= mem[raddr_i];
  end

endmodule
