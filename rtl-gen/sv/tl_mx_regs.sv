// SPDX-License-Identifier: Apache-2.0

// Matrix registers tr0 to tr3 and acc0 to acc3. Each row number has its own memory, with one word
// per register. So one cycle reads a whole register, or writes any of its bytes, by rows or by
// columns. After reset, a sweep of 8 cycles clears the registers. Nothing is dispatched in that
// time, because tl_csr needs 32 cycles to initialise its strides.
module tl_mx_regs (
  input  logic                                                clk_i,
  // asynchronous assert, synchronous release
  input  logic                                                rst_ni,

  // Write
  input  logic                                                write_i,
  // number of the register
  input  logic [2:0]                                          write_md_i,
  // bytes to be written, of each row
  input  logic [tl_pkg::MxRows-1:0][tl_pkg::MxRowBytes-1:0]   write_be_i,
  // has to be 0 during the sweep after reset
  input  logic [tl_pkg::MxRows-1:0][8*tl_pkg::MxRowBytes-1:0] write_data_i,

  // Read. A read of the register that is written in the same cycle is not allowed
  input  logic                                                read_i,
  // number of the register
  input  logic [2:0]                                          read_md_i,
  // register of the latest read, from the cycle after read_i on
  output logic [tl_pkg::MxRows-1:0][8*tl_pkg::MxRowBytes-1:0] data_o
);

  localparam int unsigned MxRows     = tl_pkg::MxRows;
  localparam int unsigned MxRowBytes = tl_pkg::MxRowBytes;

  logic                              cleared;  // the sweep is over
  logic [3:0]                        clear_q;  // next register of the sweep; 8 when it is over
  logic [MxRows-1:0][MxRowBytes-1:0] be;
  logic [2:0]                        waddr;

  assign cleared = clear_q[3];
  assign waddr   = cleared ? write_md_i : clear_q[2:0];

  always_comb begin
    be = write_be_i & {(MxRows * MxRowBytes){write_i}};
    if (!cleared) be = '1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= '0;
    end else if (!cleared) begin
      clear_q <= clear_q + 4'd1;
    end
  end

  for (genvar r = 0; r < MxRows; r++) begin : gen_row
    tl_ram_1r1w_be #(
      .Bytes (MxRowBytes),
      .Depth (8)
    ) u_ram (
      .clk_i   (clk_i),
      .be_i    (be[r]),
      .waddr_i (waddr),
      .wdata_i (write_data_i[r]),
      .re_i    (read_i),
      .raddr_i (read_md_i),
      .rdata_o (data_o[r])
    );
  end

endmodule
