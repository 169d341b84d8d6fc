// SPDX-License-Identifier: Apache-2.0

// First-in first-out buffer. A word that enters an empty FIFO is at the output in the next cycle.
// valid_o and ready_o come from flip-flops.
module tl_fifo #(
  parameter int unsigned Width = 32,            // bits of a word
  parameter int unsigned Depth = 4,             // words, a power of two
  // 0: whoever writes never writes to a full FIFO; ready_o is always 1
  parameter int unsigned Refuses = 1,
  // number of low bits of a word that are in a memory with a registered read port, less than Width.
  // data_o has them only in the cycle after the word was taken, and until the next word is taken
  parameter int unsigned RamW = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,   // asynchronous assert, synchronous release
  input  logic             valid_i,
  output logic             ready_o,  // there is room; depends on state only
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o    // the oldest word
);

  if (Depth < 2 || Depth != 2 ** $clog2(Depth)) begin : gen_bad_depth
    $error("tl_fifo: Depth = %0d is not allowed; allowed: a power of two, 2 or more", Depth);
  end

  localparam int unsigned IndexW = $clog2(Depth);

  logic [Width-RamW-1:0] words [Depth];

  logic [IndexW-1:0] head_q;
  logic [IndexW-1:0] tail_q;
  logic              one_q;     // there is exactly one word
  logic              last_q;    // there is room for exactly one word
  logic              push;
  logic              pop;
  logic              two;       // exactly two words, if there is any
  logic              two_free;  // room for exactly two words, if there is any

  assign push     = valid_i && ready_o;
  assign pop      = valid_o && ready_i;
  assign data_o[Width-1:RamW] = words[head_q];
  assign two      = tail_q == head_q + IndexW'(2);
  assign two_free = tail_q == head_q - IndexW'(2);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      valid_o <= 1'b0;
      ready_o <= 1'b1;
      last_q  <= 1'b0;
    end else begin
      if (pop) head_q <= head_q + 1'b1;
      if (push) tail_q <= tail_q + 1'b1;
      // Timing: valid_i and ready_i arrive late, so each next state is one gate behind them.
      valid_o <= push || (valid_o && !(ready_i && one_q));
      ready_o <= (Refuses == 0) || pop || (ready_o && !(valid_i && last_q));
      last_q  <= pop ? (push ? last_q : !ready_o) : (push ? two_free : last_q);
    end
  end

  // Valid while the FIFO holds a word.
  always_ff @(posedge clk_i) begin
    one_q <= pop ? (push ? one_q : two) : (push ? !valid_o : one_q);
  end

  always_ff @(posedge clk_i) begin
    if (push) words[tail_q] <= data_i[Width-1:RamW];
  end

  if (RamW != 0) begin : gen_ram
    tl_ram_1r1w #(
      .Width (RamW),
      .Depth (Depth)
    ) u_ram (
      .clk_i   (clk_i),
      .we_i    (push),
      .waddr_i (tail_q),
      .wdata_i (data_i[RamW-1:0]),
      .re_i    (pop),
      .raddr_i (head_q),
      .rdata_o (data_o[RamW-1:0])
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!push || pop || !valid_o || (head_q != tail_q))
      else $error("tl_fifo: a word came when it was full");
    end
  end
`endif

endmodule
