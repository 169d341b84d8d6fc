// SPDX-License-Identifier: Apache-2.0
// Recovery ends: two cycles for each instruction that is undone, what trapped among them, from the cycle in which all are complete on; and instructions
// are executed again in the cycle after the host has resumed and all are answered. Assumed of tl_retire: the ring stands still
// while results are held.
module tl_recover_progress (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         csr_ready_i,
  input logic         waiting_i,
  input logic         open_o,
  input logic         empty_i,
  input tl_pkg::tag_t head_i,
  input tl_pkg::tag_t tail_i,
  input logic         trap_seen_i,
  input logic         trap_retires_i,
  input logic         all_done_i,
  input logic         hold_o,
  input logic         killed_o,
  input logic         walk_o,
  input logic         walk_second_o
);

  localparam int unsigned QueueEntries = tl_pkg::QueueEntries;
  localparam int unsigned TagW         = tl_pkg::TagW;

  logic          running_q;
  logic          hold_q;
  logic          due_q;      // all were complete in the cycle before, and nothing was undone yet
  logic          resumes_q;  // all was answered in the cycle before, and the host had resumed
  tl_pkg::tag_t  head_q;
  tl_pkg::tag_t  tail_q;
  logic [TagW+1:0] walked_q;   // cycles of undoing before this one
  tl_pkg::tag_t  gone;       // instructions that are undone
  tl_pkg::tag_t  younger;    // than what trapped

  assign gone     = tl_pkg::tag_t'(tl_ring_pkg::distance(tl_recover.walk_q, tl_ring_pkg::prior(tail_i)));
  assign younger  = tl_pkg::tag_t'(tl_ring_pkg::distance(head_i, tail_i));

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    hold_q    <= rst_ni && hold_o;
    head_q    <= head_i;
    tail_q    <= tail_i;
    due_q     <= rst_ni && hold_o && !walk_o && all_done_i;
    resumes_q <= rst_ni && csr_ready_i && killed_o && tl_recover.resume_q && empty_i && !waiting_i && !trap_seen_i;
    walked_q  <= rst_ni && walk_o ? walked_q + 1'b1 : '0;
    if (rst_ni) begin
      // tl_retire: slots are those of the ring. Nothing enters, nothing leaves.
      assume ((32'(head_i) < QueueEntries) && (32'(tail_i) < QueueEntries));
      if ((hold_o && hold_q) || walk_o) assume ((head_i == head_q) && (tail_i == tail_q));
      if (hold_o) assume (!trap_retires_i);
      // Who is complete is undone at once.
      if (due_q) assert (walk_o);
      // Two cycles for each, never more than there are.
      if (walk_o) assert (walked_q == {1'b0, gone, walk_second_o});
      if (walk_o) assert (gone <= younger);
      if (walk_o) assert (32'(walked_q) < 2 * QueueEntries);
      if (resumes_q) assert (open_o);
      // Why.
      assert (walk_second_o == tl_recover.second_q);
      if (walk_o) assert (32'(tl_recover.walk_q) < QueueEntries);
      if (walk_second_o) assert (walk_o);
      if (hold_o && !walk_o && hold_q) assert (tl_recover.walk_q == tl_ring_pkg::prior(tail_i));
    end
  end

endmodule

bind tl_recover tl_recover_progress u_progress (.*);
