// SPDX-License-Identifier: Apache-2.0
// From a trap to the resumption: nothing is executed, what is younger is undone once each, youngest first, and what
// trapped last; then the younger are answered.
// Assumed of tl_retire: the head stays while results are held, results retire in order, and a trap that is taken was seen.
module tl_recover_facts (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         resume_i,
  input logic         refuse_o,
  input logic         waiting_i,
  input logic         open_o,
  input logic         kill_o,
  input logic         give_up_o,
  input logic         empty_i,
  input tl_pkg::tag_t head_i,
  input tl_pkg::tag_t tail_i,
  input logic         trap_seen_i,
  input logic         trap_retires_i,
  input logic         all_done_i,
  input logic         hold_o,
  input logic         killed_o,
  input logic         walk_o,
  input logic         walk_second_o,
  input logic         walk_soon_o,
  input tl_pkg::tag_t walk_tag_o
);

  localparam logic [1:0] StateRun   = 2'd0;
  localparam logic [1:0] StateDrain = 2'd1;

  logic         running_q;
  logic         seen_q;      // a trap was seen and is not resolved
  logic         taken_q;     // its result was taken, and the host has not been answered yet
  logic         resumed_q;
  logic         hold_q;
  tl_pkg::tag_t head_q;
  tl_pkg::tag_t tail_q;
  logic         soon_q;      // it was said that this cycle is one of the walk
  tl_pkg::tag_t at_q;        // and for which slot
  tl_pkg::tag_t walk_q;      // the slot of the cycle before
  logic         walking_q;
  logic         second_q;
  tl_pkg::tag_t younger;     // in flight

  assign younger = tail_i - head_i;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    // Nothing is in flight.
    if (!rst_ni) assume (!trap_seen_i && !trap_retires_i);
    hold_q    <= rst_ni && hold_o;
    head_q    <= head_i;
    tail_q    <= tail_i;
    soon_q    <= rst_ni && walk_soon_o;
    at_q      <= walk_tag_o;
    walk_q    <= at_q;
    walking_q <= rst_ni && walk_o;
    second_q  <= walk_second_o;
    if (!rst_ni) begin
      seen_q    <= 1'b0;
      taken_q   <= 1'b0;
      resumed_q <= 1'b0;
    end else begin
      seen_q    <= trap_seen_i || (seen_q && !(taken_q && (tl_recover.state_d == StateRun)));
      taken_q   <= trap_retires_i || (taken_q && (tl_recover.state_d != StateRun));
      resumed_q <= (resumed_q || resume_i) && (taken_q || trap_retires_i);
      // tl_retire and tl_dispatch.
      if (trap_retires_i) assume (seen_q && !hold_o && !killed_o);
      if (hold_o && hold_q) assume (head_i == head_q && tail_i == tail_q);
      if (hold_o) assume (!trap_retires_i);
      if (taken_q) assume (!trap_seen_i || (tl_recover.state_q == StateDrain));
      assume (!empty_i || (younger == '0));
      // Nothing is executed from the cycle behind the first trap on, until the host has resumed and all is answered.
      if (seen_q) assert (!open_o);
      if (taken_q) assert (!open_o);
      assert (!(open_o && (kill_o || killed_o || hold_o)));
      if (killed_o) assert (taken_q && !hold_o);
      if (hold_o) assert (taken_q && !kill_o);
      if (refuse_o) assert (resumed_q);
      if (give_up_o) assert (hold_o && !walk_o);
      // Each that is in flight is undone in two cycles, from the youngest to the oldest, and then what trapped.
      if (walk_o) assert (hold_o);
      assert (walk_o == soon_q);
      if (walk_o && !walking_q) assert ((at_q == tl_ring_pkg::prior(tail_i)) && !walk_second_o);
      if (walk_o && walking_q && !second_q) assert ((at_q == walk_q) && walk_second_o);
      if (walk_o && walking_q && second_q) assert ((at_q == tl_ring_pkg::prior(walk_q)) && !walk_second_o);
      if (walking_q && !walk_o) assert (second_q && (walk_q == tl_ring_pkg::prior(head_q)) && killed_o);
      // Why.
      if (walk_o) assert (at_q == tl_recover.walk_q);
      assert (taken_q == (tl_recover.state_q != StateRun));
      if (seen_q && !taken_q) assert (tl_recover.seen_q);
    end
  end

endmodule

bind tl_recover tl_recover_facts u_facts (.*);
