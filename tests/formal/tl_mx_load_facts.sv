// SPDX-License-Identifier: Apache-2.0
// The read port of matrix loads: requests are stable until they are granted, at most 4 are without a response, and each word
// that comes finds the beat that asked for it. A load completes once, and writes its register or traps. Assumed of tl_beats: a
// beat stays until it is taken; of the memory: a response comes for a request only, in a later cycle.
module tl_mx_load_facts (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             beat_valid_i,
  input logic             beat_ready_o,
  input tl_pkg::mx_beat_t beat_i,
  input logic             l1m_req_o,
  input logic             l1m_gnt_i,
  input logic [31:0]      l1m_addr_o,
  input logic             l1m_rvalid_i,
  input logic             l1m_err_i,
  input logic             write_o,
  input logic             idle_o,
  input tl_pkg::ls_done_t done_o
);

  logic             running_q;
  logic             asked_q;    // there was a request, which was not granted
  logic [31:0]      addr_q;
  tl_pkg::mx_beat_t beat_q;
  logic [2:0]       pending_q;  // requests without a response
  logic [2:0]       due_q;      // last beats whose load has not completed
  logic [2:0]       lasts;      // those among the beats that wait for their word
  logic [1:0]       at;
  logic             error_q;    // a word of the load that is gathered had an error
  logic             late_q;     // there was a response in the cycle before, with an error, and it was the last one
  logic             wrong_q;
  logic             last_q;
  tl_pkg::mx_beat_t note;

  always_comb begin
    lasts = 3'(tl_mx_load.note_valid_q && tl_mx_load.note_q.last);
    at    = '0;
    note  = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      at   = tl_mx_load.u_notes.head_q + 2'(i);
      note = tl_mx_load.u_notes.words[at];
      if ((3'(i) < tl_mx_load.u_notes.u_state.count) && note.last) lasts = lasts + 3'd1;
    end
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q   <= rst_ni && l1m_req_o && !l1m_gnt_i;
    addr_q    <= l1m_addr_o;
    beat_q    <= beat_i;
    late_q    <= rst_ni && l1m_rvalid_i;
    wrong_q   <= l1m_err_i;
    last_q    <= tl_mx_load.note_q.last;
    pending_q <= rst_ni ? pending_q + 3'(l1m_req_o && l1m_gnt_i) - 3'(l1m_rvalid_i) : '0;
    due_q     <= rst_ni ? due_q + 3'(l1m_req_o && l1m_gnt_i && beat_i.last) - 3'(done_o.valid) : '0;
    error_q   <= rst_ni && ((error_q && !done_o.valid) || (late_q && wrong_q));
    if (rst_ni) begin
      if (asked_q) assume (beat_valid_i && (beat_i == beat_q));
      if (l1m_rvalid_i) assume (pending_q != '0);
      if (asked_q) assert (l1m_req_o && (l1m_addr_o == addr_q));
      assert (l1m_addr_o % tl_pkg::PortBytes == '0);
      assert (pending_q <= 3'd5);
      if (l1m_rvalid_i) assert (tl_mx_load.note_valid_q);
      // A beat is taken with the grant of its request, and not later than the memory grants when there is room.
      assert ((beat_valid_i && beat_ready_o) == (l1m_req_o && l1m_gnt_i));
      if (beat_valid_i && (pending_q < 3'd4)) assert (l1m_req_o);
      // One completion for each load: it writes when no word had an error, and traps else.
      if (done_o.valid) assert (due_q != '0);
      assert (write_o == (done_o.valid && (done_o.cause == tl_pkg::CauseNone)));
      if (done_o.valid) assert ((done_o.cause != tl_pkg::CauseNone) == error_q);
      assert (idle_o == !(tl_mx_load.note_valid_q || tl_mx_load.word_valid_q || tl_mx_load.over_q));
      if (idle_o) assert ((pending_q == '0) && (due_q == '0));
      // Why: each word has its beat.
      assert (tl_mx_load.u_notes.u_state.count + 3'(tl_mx_load.note_valid_q) == pending_q);
      if (!tl_mx_load.note_valid_q) assert (tl_mx_load.u_notes.u_state.count == '0);
      assert (tl_mx_load.word_valid_q == late_q);
      if (late_q) assert ((tl_mx_load.word_err_q == wrong_q) && (tl_mx_load.word_beat_q.last == last_q));
      assert (tl_mx_load.failed_q == error_q);
      assert (due_q == lasts + 3'(tl_mx_load.over) + 3'(tl_mx_load.over_q));
    end
  end

endmodule

bind tl_mx_load tl_mx_load_facts u_facts (.*);
