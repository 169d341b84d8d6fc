// SPDX-License-Identifier: Apache-2.0
// In place of the generated file: the wrapper with byte enables around a macro with a mask of bits.
module tl_ram_1r1w_be #(
  parameter int unsigned Bytes = 4,
  parameter int unsigned Depth = 16
) (
  input  logic                     clk_i,
  input  logic [Bytes-1:0]         be_i,
  input  logic [$clog2(Depth)-1:0] waddr_i,
  input  logic [8*Bytes-1:0]       wdata_i,
  input  logic                     re_i,
  input  logic [$clog2(Depth)-1:0] raddr_i,
  output logic [8*Bytes-1:0]       rdata_o
);

  logic [8*Bytes-1:0] mask;

  always_comb begin
    for (int unsigned i = 0; i < Bytes; i++) mask[8*i+:8] = {8{!be_i[i]}};
  end

  sram_1r1w #(
    .Words (Depth),
    .Bits  (8 * Bytes)
  ) u_sram (
    .CLK   (clk_i),
    .WCEN  (be_i == '0),
    .WEN   (mask),
    .WA    (waddr_i),
    .D     (wdata_i),
    .RCEN  (!re_i),
    .RA    (raddr_i),
    .Q     (rdata_o),
    .BISTE (1'b0),
    .TWCEN (1'b1),
    .TWEN  ('1),
    .TWA   ('0),
    .TD    ('0),
    .TRCEN (1'b1),
    .TRA   ('0)
  );

endmodule
