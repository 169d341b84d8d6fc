// SPDX-License-Identifier: Apache-2.0
// Matrix accesses do not stand still: in each cycle in which one is accepted and not complete, the engine goes on, or a memory owes it
// something, or it waits for the host's resumption behind a trap. Assumed: responses of the
// memories come for requests only; no more accesses are in flight than there are tags; the unit gives up until all that is in flight has ended.
module tl_matrix_progress (
  input logic clk_i,
  input logic rst_ni,
  input logic cmd_valid_i,
  input logic l1m_req_o,
  input logic l1m_gnt_i,
  input logic l1m_rvalid_i,
  input logic l0m_req_o,
  input logic l0m_gnt_i,
  input logic l0m_rvalid_i,
  input logic give_up_i
);

  logic       running_q;
  logic [2:0] loads_q;   // requests without a response
  logic [2:0] stores_q;
  logic       busy;
  logic       owed;
  logic       goes_on;

  assign busy = tl_matrix.u_lines.next_valid_q || tl_matrix.u_lines.checked_valid || tl_matrix.u_lines.valid_q ||
      !tl_matrix.load_idle || !tl_matrix.store_idle;

  assign owed = (l1m_req_o && !l1m_gnt_i) || ((loads_q != '0) && !l1m_rvalid_i) || (l0m_req_o && !l0m_gnt_i) ||
      ((stores_q != '0) && !l0m_rvalid_i) || (tl_matrix.stopped_q && !tl_matrix.give_up_q);

  always_comb begin
    goes_on = 1'b0;
    // Accesses and lines.
    if (tl_matrix.u_lines.next_valid_q) goes_on = 1'b1;
    if (tl_matrix.u_lines.checked_valid && tl_matrix.u_lines.checked_ready) goes_on = 1'b1;
    if (tl_matrix.u_lines.valid_q && tl_matrix.u_lines.advance) goes_on = 1'b1;
    // A trap is known a cycle after it was found.
    if (tl_matrix.u_lines.found && !tl_matrix.u_lines.found_q) goes_on = 1'b1;
    // Words of loads.
    if ((l1m_req_o && l1m_gnt_i) || l1m_rvalid_i || tl_matrix.u_load.word_valid_q || tl_matrix.u_load.over_q) goes_on = 1'b1;
    // Beats of stores.
    if (tl_matrix.u_store.beat_valid_q && tl_matrix.u_store.line_free) goes_on = 1'b1;
    if (tl_matrix.u_store.line_valid && tl_matrix.u_store.line_taken) goes_on = 1'b1;
    if ((l0m_req_o && l0m_gnt_i) || l0m_rvalid_i || tl_matrix.u_store.done_valid_q) goes_on = 1'b1;
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    loads_q  <= rst_ni ? loads_q + 3'(l1m_req_o && l1m_gnt_i) - 3'(l1m_rvalid_i) : '0;
    stores_q <= rst_ni ? stores_q + 3'(l0m_req_o && l0m_gnt_i) - 3'(l0m_rvalid_i) : '0;
    if (rst_ni) begin
      if (l1m_rvalid_i) assume (loads_q != '0);
      if (l0m_rvalid_i) assume (stores_q != '0);
      // tl_retire: all that are in flight have room.
      if (cmd_valid_i) assume (tl_matrix.u_lines.u_checked.u_state.count + (tl_pkg::TagW + 1)'(tl_matrix.u_lines.next_valid_q) < (tl_pkg::TagW + 1)'(2 ** tl_pkg::TagW));
      // tl_dispatch: nothing before tl_csr is filled, which takes longer.
      if (!tl_matrix.u_regs.cleared) assume (!cmd_valid_i);
      if (!tl_matrix.u_regs.cleared) assert (!busy);
      // tl_recover: it gives up until all that is in flight has ended.
      if (tl_matrix.u_lines.found && !tl_matrix.u_lines.traps_q) assume (give_up_i);
      if (tl_matrix.u_lines.found_q) assert (tl_matrix.u_lines.found);
      if (tl_matrix.beat_taken) assert (tl_matrix.beat_valid && !tl_matrix.u_lines.found);
      if (busy) assert (goes_on || owed);
      if (tl_matrix.u_lines.valid_q) begin
        assert (tl_matrix.u_lines.traps_q == (tl_matrix.u_lines.misaligned || !tl_matrix.u_lines.in_memory_q));
      end
      assert (tl_matrix.beat_valid == (tl_matrix.u_lines.valid_q && !tl_matrix.u_lines.traps_q && !tl_matrix.u_lines.dropped));
      if (tl_matrix.shown_q) assert (tl_matrix.load_valid && !tl_matrix.u_lines.give_up_q);
      // The verdict of an access that waits is in its place, or known in this cycle.
      assert (tl_pkg::TagW'(tl_matrix.u_lines.u_checked.u_state.count) ==
          tl_matrix.u_lines.inside_tail_q - tl_matrix.u_lines.inside_head_q + tl_pkg::TagW'(tl_matrix.u_lines.second_valid_q));
      if (tl_matrix.u_lines.second_valid_q) assert (tl_matrix.u_lines.checked_valid);
      // Why: a request that waits stays; each word has its beat.
      assert (tl_matrix.u_load.u_notes.u_state.count + 3'(tl_matrix.u_load.note_valid_q) == loads_q);
      if (!tl_matrix.u_load.note_valid_q) assert (tl_matrix.u_load.u_notes.u_state.count == '0);
      assert (tl_matrix.u_store.u_waiting.u_state.count == stores_q);
      assert (tl_matrix.u_store.beats_q == 4'(tl_matrix.u_store.beat_valid_q) + 4'(tl_matrix.u_store.u_line.u_state.count) +
          4'(tl_matrix.u_store.request_q) + 4'(stores_q));
      assert (tl_matrix.load_idle == !(tl_matrix.u_load.note_valid_q || tl_matrix.u_load.word_valid_q || tl_matrix.u_load.over_q));
      assert (tl_matrix.store_idle == (tl_matrix.u_store.beats_q == '0));
    end
  end

endmodule

bind tl_matrix tl_matrix_progress u_progress (.*);
