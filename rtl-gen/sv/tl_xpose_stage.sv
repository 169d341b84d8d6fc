// SPDX-License-Identifier: Apache-2.0

// Exchanges bit Bit of the lane index with a bit of the row count; for a delay of 2^d this is bit
// d. The upper lanes (with Bit set) are delayed before the exchange, the lower lanes after it. So a
// row whose count bit is set meets the upper lanes of the row 2^d before it, and all lanes leave
// with the same delay.
// A row without an exchange may have any delay, as long as all rows in the stage have the same.
module tl_xpose_stage #(
  parameter int unsigned Bit = 0,               // bit of the lane index
  // greatest delay, in steps; a depth of 1 or 2 is the only delay
  parameter int unsigned Depth = 4,
  // shortest delay; with 2 or more the memory has a registered read port
  parameter int unsigned Least = 1
) (
  input  logic                                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                                           rst_ni,
  // delay in steps, Least to Depth; may change only while no row is in the stage
  input  tl_pkg::xpose_exchange_t                        delay_i,
  input  logic                                           clear_i,  // no row is in the stage

  // A step: a row, or nothing, enters; a row, or nothing, leaves.
  input  logic                                           step_i,
  input  logic                                           valid_i,  // a row enters
  // [i]: this row is exchanged at bit i
  input  logic [tl_pkg::GranLaneW-1:0]                   swap_i,
  input  logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0] row_i,    // the row
  output logic                                           valid_o,  // a row leaves
  output logic [tl_pkg::GranLaneW-1:0]                   swap_o,   // swap_i of the row
  output logic [tl_pkg::GranLanes-1:0][tl_pkg::Gran-1:0] row_o     // the row, after the exchange
);

  localparam int unsigned Gran = tl_pkg::Gran;

  localparam int unsigned Half = tl_pkg::GranLanes / 2;
  localparam int unsigned WordBits = tl_pkg::RowBits + tl_pkg::GranLaneW;

  // Number of the i-th lane whose bit Bit has the given value.
  function automatic int unsigned lane(int unsigned i, int unsigned set);
    lane = ((i >> Bit) << (Bit + 1)) | (set << Bit) | (i & ((1 << Bit) - 1));
  endfunction

  logic [Half-1:0][Gran-1:0] lower;
  logic [Half-1:0][Gran-1:0] upper;
  logic [Half-1:0][Gran-1:0] upper_delayed;
  logic [Half-1:0][Gran-1:0] changed;
  logic [Half-1:0][Gran-1:0] changed_delayed;
  logic [tl_pkg::GranLaneW-1:0]      swap_delayed;
  logic [WordBits-1:0]       word;
  logic [WordBits-1:0]       delayed;
  logic [Depth-1:0]          valid_q;  // [d]: a row came d steps before the last one

  always_comb begin
    for (int unsigned i = 0; i < Half; i++) begin
      lower[i]         = row_i[lane(i, 0)];
      upper[i]         = row_i[lane(i, 1)];
      changed[i]       = swap_i[Bit] ? upper_delayed[i] : lower[i];
      row_o[lane(i, 0)] = changed_delayed[i];
      row_o[lane(i, 1)] = swap_i[Bit] ? lower[i] : upper_delayed[i];
    end
  end

  assign word                                  = {upper, changed, swap_i};
  assign {upper_delayed, changed_delayed, swap_delayed} = delayed;

  assign swap_o = swap_delayed;

  if (Depth <= 2) begin : gen_registers
    logic [Depth*WordBits-1:0] words_q;
    logic                      unused_delay;
    logic                      unused_reset;

    assign delayed      = words_q[(Depth-1)*WordBits+:WordBits];
    assign valid_o      = valid_q[Depth-1];
    assign unused_delay = ^delay_i;
    assign unused_reset = rst_ni;

    always_ff @(posedge clk_i) begin
      if (step_i) words_q <= (Depth * WordBits)'({words_q, word});
    end
  end else begin : gen_memory
    localparam int unsigned IndexW = $clog2(Depth);

    logic [IndexW-1:0] index_q;
    logic [IndexW-1:0] index_d;
    logic [IndexW-1:0] read;     // index of the word that is delay_i steps old in the next cycle
    logic [IndexW-1:0] newest;

    // A word is read at the latest in the step in which its place is written again.
    assign index_d = index_q + IndexW'(step_i);
    assign read    = index_d - IndexW'(delay_i);
    assign newest  = IndexW'(delay_i - 1'b1);
    assign valid_o = valid_q[newest];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) index_q <= '0;
      else index_q <= index_d;
    end

    if (Least > 1) begin : gen_registered
      tl_ram_1r1w #(
        .Width (WordBits),
        .Depth (Depth)
      ) u_words (
        .clk_i   (clk_i),
        .we_i    (step_i),
        .waddr_i (index_q),
        .wdata_i (word),
        .re_i    (step_i),
        .raddr_i (read),
        .rdata_o (delayed)
      );
    end else begin : gen_unregistered
      logic [IndexW-1:0] read_q;

      always_ff @(posedge clk_i) begin
        read_q <= read;
      end

      tl_lutram #(
        .Width (WordBits),
        .Depth (Depth)
      ) u_words (
        .clk_i   (clk_i),
        .we_i    (step_i),
        .waddr_i (index_q),
        .wdata_i (word),
        .raddr_i (read_q),
        .rdata_o (delayed)
      );
    end
  end

  // During reset the stages are empty.
  always_ff @(posedge clk_i) begin
    if (clear_i) valid_q <= '0;
    else if (step_i) valid_q <= Depth'({valid_q, valid_i});
  end

endmodule
