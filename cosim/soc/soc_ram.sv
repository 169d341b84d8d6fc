// SPDX-License-Identifier: Apache-2.0

// Memory with one port, of which each byte can be written for itself. A word that is read is there in the next cycle.
module soc_ram #(
  parameter int unsigned Bytes = 4,    // in a word, a power of two
  parameter int unsigned Size  = 1024, // bytes, a power of two
  parameter              Init  = ""    // file with its words at the start, in hexadecimal; none: any
) (
  input  logic               clk_i,
  input  logic               req_i,
  input  logic [Bytes-1:0]   we_i,
  input  logic [31:0]        addr_i,   // in bytes; those beyond the size begin at 0 again
  input  logic [8*Bytes-1:0] wdata_i,
  output logic [8*Bytes-1:0] rdata_o
);

  localparam int unsigned Depth  = Size / Bytes;
  localparam int unsigned ShiftW = $clog2(Bytes);
  localparam int unsigned IndexW = $clog2(Depth);

  logic [8*Bytes-1:0] mem [Depth];
  logic [IndexW-1:0]  index;
  logic               unused_addr;

  assign index       = addr_i[ShiftW+:IndexW];
  assign unused_addr = ^addr_i;

  if (Init != "") begin : gen_init
    initial $readmemh(Init, mem);
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Bytes; i++) begin
      if (req_i && we_i[i]) mem[index][8*i+:8] <= wdata_i[8*i+:8];
    end
    if (req_i) rdata_o <= mem[index];
  end

endmodule
