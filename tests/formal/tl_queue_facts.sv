// SPDX-License-Identifier: Apache-2.0
// An instruction of the issue queue is followed on its way: any one, which `watch` chooses.
module tl_queue_facts (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           valid_i,
  input logic           ready_o,
  input logic           empty_o,
  input tl_pkg::issue_t entry_i,
  input logic           valid_o,
  input logic           ready_i,
  input tl_pkg::issue_t entry_o
);

  localparam int unsigned QueueEntries = tl_pkg::QueueEntries;
  localparam int unsigned CountW       = $clog2(QueueEntries) + 1;

  // Without matrix instructions rs2, the highest bits, is not kept.
  localparam int unsigned KeptBits = $bits(entry_i) - (tl_pkg::Matrix != 0 ? 0 : $bits(entry_i.rs2));

  logic watch;  // free

  logic                running_q;
  logic                watched_q;  // it is in the queue
  logic [CountW-1:0]   before_q;   // instructions before it
  tl_pkg::tag_t        slot_q;     // where it is
  logic [KeptBits-1:0] word_q;
  logic [CountW-1:0]   words_q;
  logic                push;
  logic                pop;

  tl_pkg::issue_t      oldest;     // as it is in the memory

  assign oldest = $bits(oldest)'(tl_queue.kept);

  assign push = valid_i && ready_o;
  assign pop  = valid_o && ready_i;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    if (!rst_ni) begin
      words_q   <= '0;
      watched_q <= 1'b0;
    end else begin
      words_q <= words_q + CountW'(push) - CountW'(pop);
      if (push && watch && !watched_q && !(pop && (words_q == '0))) begin
        watched_q <= 1'b1;
        word_q    <= KeptBits'(entry_i);
        before_q  <= words_q - CountW'(pop);
        slot_q    <= tl_queue.tail_q;
      end else if (watched_q && pop) begin
        watched_q <= before_q != '0;
        before_q  <= before_q - 1'b1;
      end
      assert (empty_o == (words_q == '0));
      assert (words_q <= CountW'(QueueEntries));
      // It takes one when there is room, but for the cycle after it was full.
      if (ready_o) begin
        assert (words_q < CountW'(QueueEntries));
      end else begin
        assert (words_q == CountW'(QueueEntries));
      end
      if (words_q == '0) begin
        assert (entry_o == entry_i && valid_o == valid_i);
      end else begin
        assert (valid_o);
      end
      if (watched_q) assert (before_q < words_q);
      if (watched_q && (before_q == '0)) assert (KeptBits'(entry_o) == word_q);
      // Why: the slots from the head on are used.
      assert (tl_queue.tail_q == tl_ring_pkg::ahead(tl_queue.head_q, 32'(words_q)));
      if (words_q != '0) assert (tl_queue.one_q == (words_q == CountW'(1)));
      if (watched_q) assert ((slot_q == tl_ring_pkg::ahead(tl_queue.head_q, 32'(before_q))) && (32'(slot_q) < QueueEntries));
      if (watched_q) assert (tl_queue.entries[slot_q] == word_q);
      assert (32'(tl_queue.head_q) < QueueEntries);
      assert (tl_queue.behind_q == tl_pkg::next_tag(tl_queue.head_q));
      if (!empty_o) assert (tl_queue.instr_q == oldest.instr);
    end
  end

endmodule

bind tl_queue tl_queue_facts u_facts (.*);
