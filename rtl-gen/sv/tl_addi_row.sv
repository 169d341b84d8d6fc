// SPDX-License-Identifier: Apache-2.0

// Adds a signed number to every element of a row: clamp(unsigned(element) + imm, 0, 2^e - 1),
// one cycle later. If valid_i was 0, the result is zeros.
module tl_addi_row (
  input  logic                       clk_i,
  input  logic                       valid_i,   // a row is there
  input  logic [tl_pkg::RowBits-1:0] row_i,     // elements to add to
  input  tl_pkg::ewidth_t            ewidth_i,  // width of an element
  input  tl_pkg::addend_t            imm_i,     // signed
  output logic [tl_pkg::RowBits-1:0] row_o      // the sums of the row in the previous cycle
);

  localparam int unsigned Gran = tl_pkg::Gran;
  localparam int unsigned ImmW = tl_pkg::AddendW;

  localparam logic [3:0]  Widths   = tl_pkg::WidthMask;
  // the widest element
  localparam int unsigned WordBits = Widths[3] ? 32 : Widths[2] ? 16 : Widths[1] ? 8 : 4;
  localparam int unsigned Cells    = WordBits / Gran;    // granules of a word
  localparam int unsigned Words    = tl_pkg::RowBits / WordBits;

  logic [WordBits-1:0] addend;  // the immediate in every element of a word
  logic [Cells-1:0]    top;     // the highest granule of each element
  logic                beyond;  // the immediate alone is out of the range of an element

  // The same for each element width.
  logic [3:0][WordBits-1:0] addends;
  logic [3:0][Cells-1:0]    tops;

  always_comb begin
    addends = '0;
    tops    = '1;
    for (int unsigned e = 0; e < 4; e++) begin
      if (Widths[e]) begin
        for (int unsigned b = 0; b < WordBits; b++) begin
          addends[e][b] = imm_i[b%(4<<e) < ImmW ? b%(4<<e) : ImmW-1];
        end
        for (int unsigned c = 0; c < Cells; c++) begin
          tops[e][c] = (c + 1) * Gran % (4 << e) == 0;
        end
      end
    end
  end

  assign addend = addends[ewidth_i];
  assign top    = tops[ewidth_i];
  assign beyond = Widths[0] && (ewidth_i == 2'd0) && (imm_i[ImmW-1:4] != {(ImmW-4){imm_i[ImmW-1]}});

  // the addend, with a guard bit behind each granule
  logic [Cells*(Gran+1)-1:0]            summand;
  logic [Words-1:0][Cells*(Gran+1)-1:0] augend;
  logic [Words-1:0][Cells*(Gran+1)-1:0] sum;
  logic [Words-1:0][Cells*(Gran+1)-1:0] sum_q;
  logic [$clog2(Cells)+1-1:0]           span;
  logic [$clog2(Cells)+1-1:0]           span_q;
  logic                                 beyond_q;
  logic                                 down_q;
  logic [Words-1:0][Cells-1:0]          clip;      // granules whose element leaves its range

  // The guard bit of a granule passes the carry on, or keeps it at the top of an element.
  always_comb begin
    summand = '0;
    augend  = '0;
    for (int unsigned c = 0; c < Cells; c++) begin
      summand[c*(Gran+1)+:Gran] = addend[c*Gran+:Gran];
      for (int unsigned w = 0; w < Words; w++) begin
        augend[w][c*(Gran+1)+:Gran]  = row_i[w*WordBits+c*Gran+:Gran];
        augend[w][c*(Gran+1)+Gran+:1] = !top[c];
      end
    end
  end

  always_comb begin
    for (int unsigned w = 0; w < Words; w++) begin
      sum[w] = augend[w] + summand;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      sum_q    <= sum;
      beyond_q <= beyond;
      down_q   <= imm_i[ImmW-1];
    end else begin
      // Without a row the sum is 0, and is not clipped.
      sum_q    <= '0;
      beyond_q <= 1'b0;
      down_q   <= 1'b0;
    end
    span_q <= span;
  end

  // Granules of an element, less one: from the lowest granule up to its top.
  always_comb begin
    span = '0;
    for (int unsigned c = 0; c < Cells; c++) begin
      if (top[Cells-1-c]) span = ($clog2(Cells) + 1)'(Cells - 1 - c);
    end
  end

  // A sum with a negative immediate and no carry is below zero; one with a positive immediate and a
  // carry is above the maximum. The highest granule of the element of granule c is granule c |
  // span_q.
  always_comb begin
    clip = '0;
    for (int unsigned w = 0; w < Words; w++) begin
      for (int unsigned c = 0; c < Cells; c++) begin
        for (int unsigned t = c; t < Cells; t++) begin
          if (t == (c | 32'(span_q))) begin
            clip[w][c] = beyond_q || (sum_q[w][t*(Gran+1)+Gran+:1] != down_q);
          end
        end
      end
    end
  end

  always_comb begin
    for (int unsigned w = 0; w < Words; w++) begin
      for (int unsigned c = 0; c < Cells; c++) begin
        row_o[w*WordBits+c*Gran+:Gran] = clip[w][c] ?
            {Gran{!down_q}} : sum_q[w][c*(Gran+1)+:Gran];
      end
    end
  end

endmodule
