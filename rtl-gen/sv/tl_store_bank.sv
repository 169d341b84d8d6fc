// SPDX-License-Identifier: Apache-2.0

// Reads ahead the rows of one bank that stores need, in order. At most BankQueue rows are requested
// and not taken, so there is always room for the data.
module tl_store_bank (
  input  logic                       clk_i,
  input  logic                       rst_ni,        // asynchronous assert, synchronous release

  // Rows that are needed
  input  logic                       push_i,
  input  tl_pkg::bank_addr_t         addr_i,        // row in the bank
  output logic                       room_o,        // one more row may be requested

  // Register file
  output logic                       read_valid_o,
  output tl_pkg::bank_addr_t         read_addr_o,   // the row that is requested
  input  logic                       read_gnt_i,    // the row is granted
  input  logic [tl_pkg::RowBits-1:0] rdata_i,       // two cycles after the grant

  // The oldest row
  output logic                       valid_o,
  input  logic                       take_i,        // the oldest row is not needed any more
  input  logic                       read_i,
  // the row that was the oldest in the last cycle with read_i
  output logic [tl_pkg::RowBits-1:0] row_o
);

  localparam int unsigned BankQueue = tl_pkg::BankQueue;

  logic                           unused_room;
  logic                           asked_q;
  logic                           comes_q;
  logic [$clog2(BankQueue)+1-1:0] used_q;       // rows that are requested and not taken
  logic [$clog2(BankQueue)+1-1:0] here_q;       // rows that are here
  tl_pkg::bank_place_t            head_q;
  tl_pkg::bank_place_t            tail_q;

  tl_fifo #(
    .Width   (tl_pkg::BankAddrW),
    .Depth   (BankQueue),
    .Refuses (0)
  ) u_addrs (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (push_i),
    .ready_o (unused_room),
    .data_i  (addr_i),
    .valid_o (read_valid_o),
    .ready_i (read_gnt_i),
    .data_o  (read_addr_o)
  );

  tl_ram_1r1w #(
    .Width (tl_pkg::RowBits),
    .Depth (BankQueue)
  ) u_rows (
    .clk_i   (clk_i),
    .we_i    (comes_q),
    .waddr_i (tail_q),
    .wdata_i (rdata_i),
    .re_i    (read_i && valid_o),
    .raddr_i (head_q),
    .rdata_o (row_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 1'b0;
      comes_q <= 1'b0;
      used_q  <= '0;
      here_q  <= '0;
      head_q  <= '0;
      tail_q  <= '0;
      valid_o <= 1'b0;
      room_o  <= 1'b1;
    end else begin
      asked_q <= read_gnt_i;
      comes_q <= asked_q;
      if (take_i) head_q <= head_q + 1'b1;
      if (comes_q) tail_q <= tail_q + 1'b1;
      // Up or down by one.
      if (comes_q != take_i) here_q <= here_q + {{$clog2(BankQueue){take_i}}, 1'b1};
      valid_o <= comes_q || (take_i ? here_q > ($clog2(BankQueue) + 1)'(1) : here_q != '0);
      if (push_i && !take_i) begin
        used_q <= used_q + 1'b1;
        room_o <= used_q < ($clog2(BankQueue) + 1)'(BankQueue - 1);
      end else if (take_i && !push_i) begin
        used_q <= used_q - 1'b1;
        room_o <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!push_i || room_o)
      else $error("tl_store_bank: a row was asked for when there was no room");
      assert (!take_i || valid_o)
      else $error("tl_store_bank: a row was taken when there was none");
      assert (!read_gnt_i || read_valid_o)
      else $error("tl_store_bank: a grant that it did not ask for");
    end
  end
`endif

endmodule
