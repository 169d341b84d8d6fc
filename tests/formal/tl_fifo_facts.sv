// SPDX-License-Identifier: Apache-2.0
// A word of the FIFO is followed on its way: any word, which `watch` chooses. Its late bits stay from the cycle after it is taken until
// the next one is.
module tl_fifo_facts #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 4,
  parameter int unsigned Refuses = 1,
  parameter int unsigned RamW = 0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_o,
  input logic [Width-1:0] data_i,
  input logic             valid_o,
  input logic             ready_i,
  input logic [Width-1:0] data_o
);

  localparam int unsigned CountW = $clog2(Depth) + 1;

  logic watch;  // free

  logic              running_q;
  logic              watched_q;  // it is in the FIFO
  logic [CountW-1:0] before_q;   // words before it
  logic [CountW-2:0] slot_q;     // where it is
  logic [Width-1:0]  word_q;
  logic [CountW-1:0] words_q;
  logic              taken_q;    // it was the last one that was taken
  logic [Width-1:0]  shown_q;    // and is this
  logic              push;
  logic              pop;

  assign push = valid_i && ready_o;
  assign pop  = valid_o && ready_i;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    if (!rst_ni) begin
      words_q   <= '0;
      watched_q <= 1'b0;
      taken_q   <= 1'b0;
    end else begin
      if (pop) begin
        taken_q <= watched_q && (before_q == '0);
        shown_q <= word_q;
      end
      words_q <= words_q + CountW'(push) - CountW'(pop);
      if (push && watch && !watched_q) begin
        watched_q <= 1'b1;
        word_q    <= data_i;
        before_q  <= words_q - CountW'(pop);
        slot_q    <= tl_fifo.tail_q;
      end else if (watched_q && pop) begin
        watched_q <= before_q != '0;
        before_q  <= before_q - 1'b1;
      end
      assert (valid_o == (words_q != '0));
      if (Refuses != 0) assert (ready_o == (words_q != CountW'(Depth)));
      assert (words_q <= CountW'(Depth));
      if (watched_q) assert (before_q < words_q);
      if (watched_q && (before_q == '0)) assert ((data_o >> RamW) == (word_q >> RamW));
      if (taken_q && (RamW != 0)) assert ((data_o << (Width - RamW)) == (shown_q << (Width - RamW)));
      // Why: the slots from the head on are used.
      assert (tl_fifo.u_state.count == words_q);
      if (watched_q) assert (slot_q == (CountW - 1)'(tl_fifo.head_q + before_q));
      if (watched_q) assert (tl_fifo.words[slot_q] == (Width - RamW)'(word_q >> RamW));
    end
  end

  if (RamW != 0) begin : gen_ram
    always_ff @(posedge clk_i) begin
      if (rst_ni && watched_q) assert (tl_fifo.gen_ram.u_ram.mem[slot_q] == word_q[RamW-1:0]);
    end
  end

endmodule

bind tl_fifo tl_fifo_facts #(.Width (Width), .Depth (Depth), .Refuses (Refuses), .RamW (RamW)) u_facts (.*);
