// SPDX-License-Identifier: Apache-2.0
// In place of the generated file: the wrapper around a macro. The self-test's inputs are off here; what inserts the self-test
// connects them.
module tl_ram_1r1w #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16
) (
  input  logic                     clk_i,
  input  logic                     we_i,
  input  logic [$clog2(Depth)-1:0] waddr_i,
  input  logic [Width-1:0]         wdata_i,
  input  logic                     re_i,
  input  logic [$clog2(Depth)-1:0] raddr_i,
  output logic [Width-1:0]         rdata_o
);

  sram_1r1w #(
    .Words (Depth),
    .Bits  (Width)
  ) u_sram (
    .CLK   (clk_i),
    .WCEN  (!we_i),
    .WEN   ('0),
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
