// SPDX-License-Identifier: Apache-2.0

// Queue of result rows. A row may come in two parts; each part is zeros in the granules of the
// other one. A row reserves its place in the queue before it is made, so the stages that make it
// never wait.
module tl_move_out (
  input  logic                                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                                           rst_ni,

  // Rows.
  // there is room for a row that begins in this cycle
  output logic                                           room_o,
  // a row begins: it reserves its place
  input  logic                                           begin_i,
  input  logic                                           valid_i,         // a part of a row
  // zeros where another part has its granules
  input  logic [tl_pkg::RowBits-1:0]                     row_i,
  // this part completes the row
  input  logic                                           end_i,
  // where the row goes; valid with each part
  input  tl_pkg::row_dest_t                              dest_i,

  // Register file.
  output tl_pkg::rf_write_t                              rf_write_o,
  input  logic                                           rf_write_gnt_i,  // the row is granted
  // a result is complete: its last row is granted
  output tl_pkg::done_t                                  done_o
);

  localparam int unsigned PlaceW = 3;

  logic [PlaceW+1-1:0] head_q;
  logic [PlaceW+1-1:0] tail_q;
  logic [PlaceW+1-1:0] begun_q;
  logic [PlaceW+1-1:0] behind;
  tl_pkg::row_dest_t   dest_q;   // of the oldest row
  tl_pkg::row_dest_t   dest;     // destination of the next row
  logic [tl_pkg::RowBits-1:0]  part_q;   // first part of a row that needs another one
  logic [tl_pkg::RowBits-1:0]  row;      // the row that was the oldest in the previous cycle
  logic                valid_q;  // there is a complete row
  logic [1:0]          write_q;  // the bank that it goes to
  logic                another;
  logic                pop;

  logic [$bits(dest)-1:0] dests [1<<PlaceW];

  // Timing: the grant arrives late, so the request comes from flip-flops.
  assign behind  = head_q + 1'b1;
  assign another = valid_q && (behind != tail_q);
  assign dest    = another ? dests[behind[PlaceW-1:0]] : dest_i;

  always_ff @(posedge clk_i) begin
    if (end_i) dests[tail_q[PlaceW-1:0]] <= dest_i;
    if (pop || !valid_q) dest_q <= dest;
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && !end_i) part_q <= row_i;
    else if (valid_i || begun_q == head_q) part_q <= '0;
  end

  tl_ram_1r1w #(
    .Width (tl_pkg::RowBits),
    .Depth (1 << PlaceW)
  ) u_rows (
    .clk_i   (clk_i),
    .we_i    (end_i),
    .waddr_i (tail_q[PlaceW-1:0]),
    .wdata_i (row_i | part_q),
    .re_i    (valid_q),
    .raddr_i (head_q[PlaceW-1:0]),
    .rdata_o (row)
  );

  assign pop = valid_q && (dest_q.dst.drop || rf_write_gnt_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      begun_q <= '0;
      valid_q <= 1'b0;
    end else begin
      valid_q <= (valid_q && !pop) || another || end_i;
      if (pop) head_q <= head_q + 1'b1;
      if (end_i) tail_q <= tail_q + 1'b1;
      if (begin_i) begun_q <= begun_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop || !valid_q) begin
      write_q <= {2{(another || end_i) && !dest.dst.drop}} & {dest.row[0], !dest.row[0]};
    end
    // A row that begins in this cycle does not count yet.
    room_o <= (begun_q - head_q) < (PlaceW + 1)'((1 << PlaceW) - 1);
  end

  always_comb begin
    rf_write_o.valid = write_q;
    rf_write_o.addr  = {2{tl_pkg::bank_addr(dest_q.dst.phys, dest_q.row[tl_pkg::RowW-1:1])}};
    rf_write_o.data  = {2{row}};
  end

  always_ff @(posedge clk_i) begin
    done_o.valid <= pop && dest_q.last;
    done_o.tag   <= dest_q.tag;
  end

endmodule
