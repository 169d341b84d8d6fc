// SPDX-License-Identifier: Apache-2.0

// Physical registers: even rows are in bank 0, odd rows in bank 1. Each bank has one read port and
// one write port. Engines that use different banks, or that alternate between banks, run in
// parallel at full speed. A granted access reaches the bank one cycle later; no instruction can
// read a row before its write has reached the bank. A bank of more than 512 rows is two memories,
// one for registers 0 to 31 and one for the others, because the depth of a memory is a power of
// two.
module tl_regfile (
  input  logic                                 clk_i,
  // asynchronous assert, synchronous release
  input  logic                                 rst_ni,

  // Readers: tl_store, tl_move, tl_xpose
  input  logic [2:0][1:0]                      read_valid_i,   // banks that each reader asks for
  input  tl_pkg::bank_addr_t [2:0][1:0]        read_addr_i,    // of each reader, in each bank
  output logic [2:0][1:0]                      read_gnt_o,     // banks that each reader has
  // rows that were granted two cycles before
  output logic [1:0][tl_pkg::RowBits-1:0]      rdata_o,

  // Writers: tl_load, tl_move, tl_xpose
  input  logic [2:0][1:0]                      write_valid_i,  // banks that each writer asks for
  input  tl_pkg::bank_addr_t [2:0][1:0]        write_addr_i,   // of each writer, in each bank
  // of tl_load and tl_move: one cycle after the grant; of tl_xpose: with the request
  input  logic [2:0][1:0][tl_pkg::RowBits-1:0] write_data_i,
  // banks to which tl_load writes zeros in place of its data
  input  logic [1:0]                           write_blank_i,
  // banks that tl_load [0], tl_move [1] have
  output logic [1:0][1:0]                      write_gnt_o
);

  localparam int unsigned RowBits   = tl_pkg::RowBits;
  localparam int unsigned BankDepth = tl_pkg::BankDepth;
  localparam int unsigned BankAddrW = tl_pkg::BankAddrW;

  logic [1:0][2:0] rsel;  // of each bank, the reader that is granted, one-hot
  logic [1:0][2:0] wsel;  // of each bank, the writer that is granted, one-hot
  logic [2:0][1:0] write_gnt;

  assign write_gnt_o = write_gnt[1:0];

  tl_bank_arb u_read_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (read_valid_i),
    .gnt_o   (read_gnt_o)
  );

  // Rows of a transposition cannot wait, so its writes are never denied. They alternate enough
  // between the banks: half of the rows go to each.
  tl_bank_arb #(
    .Denies (0)
  ) u_write_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (write_valid_i),
    .gnt_o   (write_gnt)
  );

  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      for (int unsigned e = 0; e < 3; e++) begin
        rsel[b][e] = read_gnt_o[e][b];
        wsel[b][e] = write_gnt[e][b];
      end
    end
  end

  tl_pkg::bank_addr_t [1:0]      raddr;
  logic [1:0][1:0]               re_q;          // [bank][memory]
  tl_pkg::bank_addr_t [1:0]      raddr_q;
  logic [1:0][2:0]               wsel_q;
  // of each bank, the writer whose data are written; 0: zeros are written
  logic [1:0][2:0]               pick_q;
  tl_pkg::bank_addr_t [2:0][1:0] write_addr_q;
  logic [1:0][RowBits-1:0]       write_data_q;  // data of tl_xpose
  logic [1:0][1:0]               we;            // [bank][memory]
  tl_pkg::bank_addr_t [1:0]      waddr;
  logic [1:0][RowBits-1:0]       wdata;

  localparam bit          Two    = BankDepth > 512;
  // with two memories: the address bit that selects one
  localparam int unsigned Top    = BankAddrW - 1;
  localparam int unsigned Lower  = Two ? 1 << Top : BankDepth;  // rows of the first one
  localparam int unsigned LowerW = $clog2(Lower);

  // Without a request nothing is read or written, so two of the three selects are enough.
  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      raddr[b] = rsel[b][2] ? read_addr_i[2][b] :
          rsel[b][1] ? read_addr_i[1][b] : read_addr_i[0][b];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 2; b++) begin
      re_q[b]      <= {2{rsel[b] != '0}} & {Two && raddr[b][Top], !(Two && raddr[b][Top])};
      pick_q[b]    <= wsel[b];
      pick_q[b][0] <= wsel[b][0] && !write_blank_i[b];
    end
    wsel_q       <= wsel;
    raddr_q      <= raddr;
    for (int unsigned b = 0; b < 2; b++) begin
      for (int unsigned e = 0; e < 3; e++) begin
        if (write_valid_i[e][b]) write_addr_q[e][b] <= write_addr_i[e][b];
      end
      if (write_valid_i[2][b]) write_data_q[b] <= write_data_i[2][b];
    end
  end

  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      waddr[b] = wsel_q[b][2] ? write_addr_q[2][b] :
          wsel_q[b][1] ? write_addr_q[1][b] : write_addr_q[0][b];
      wdata[b] = ({RowBits{pick_q[b][0]}} & write_data_i[0][b]) |
          ({RowBits{pick_q[b][1]}} & write_data_i[1][b]) |
          ({RowBits{pick_q[b][2]}} & write_data_q[b]);
      we[b]    = {2{wsel_q[b] != '0}} & {Two && waddr[b][Top], !(Two && waddr[b][Top])};
    end
  end

  for (genvar b = 0; b < 2; b++) begin : gen_bank
    logic [RowBits-1:0] lower_row;

    tl_ram_1r1w #(
      .Width (RowBits),
      .Depth (Lower)
    ) u_lower (
      .clk_i   (clk_i),
      .we_i    (we[b][0]),
      .waddr_i (waddr[b][LowerW-1:0]),
      .wdata_i (wdata[b]),
      .re_i    (re_q[b][0]),
      .raddr_i (raddr_q[b][LowerW-1:0]),
      .rdata_o (lower_row)
    );

    if (Two) begin : gen_upper
      logic [RowBits-1:0] upper_row;
      logic               upper_q;    // the upper memory was read in the cycle before

      tl_ram_1r1w #(
        .Width (RowBits),
        .Depth (BankDepth - Lower)
      ) u_upper (
        .clk_i   (clk_i),
        .we_i    (we[b][1]),
        .waddr_i (waddr[b][$clog2(BankDepth-Lower)-1:0]),
        .wdata_i (wdata[b]),
        .re_i    (re_q[b][1]),
        .raddr_i (raddr_q[b][$clog2(BankDepth-Lower)-1:0]),
        .rdata_o (upper_row)
      );

      always_ff @(posedge clk_i) begin
        upper_q <= re_q[b][1];
      end

      assign rdata_o[b] = upper_q ? upper_row : lower_row;
    end

    if (!Two) begin : gen_whole
      logic unused_upper;

      assign rdata_o[b]   = lower_row;
      assign unused_upper = we[b][1] ^ re_q[b][1];
    end
  end

endmodule
