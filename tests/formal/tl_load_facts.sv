// SPDX-License-Identifier: Apache-2.0
// The read port of tensor loads: requests are stable until they are granted, at most Outstanding are without a
// response, and there is room for each word that comes. Assumed of the memory: a response comes for a request only,
// in a later cycle. And the sweep of zeros: from which row pair on, and how it goes on.
module tl_load_facts #(
  parameter int unsigned Outstanding = 16
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        l1m_req_o,
  input logic        l1m_gnt_i,
  input logic [31:0] l1m_addr_o,
  input logic        l1m_rvalid_i
);

  localparam int unsigned IndexW = $clog2(Outstanding);
  localparam int unsigned OwedW  = IndexW + 1;  // bits of a number of requests
  localparam int unsigned DueW   = OwedW + 1;   // bits of their sum with the words that have come

  logic              running_q;
  logic              asked_q;    // there was a request, which was not granted
  logic [31:0]       addr_q;
  logic [OwedW-1:0]  pending_q;  // requests without a response
  // Why: of each place in the FIFO of notes how many words its note and those behind it have.
  logic [OwedW-1:0]                  notes;
  logic [OwedW-1:0]                  due_q;    // words of all notes
  logic [Outstanding-1:0][OwedW-1:0] words_q;

  localparam int unsigned RowW = tl_pkg::RowW;

  // The sweep in the cycle before.
  logic                         known_q;     // there was one, without reset
  logic                         sweeping_q;
  logic                         over_q;
  logic [1:0]                   step_q;
  logic [tl_pkg::LoadSlots-1:0] todo_q;
  tl_pkg::load_slot_t           slot_q;
  logic [1:0][RowW-1:0]         pair_q;
  logic [31:0]                  first_q;     // first row of the sweep that begins now, unless its block is too large
  logic                         fits_q;
  tl_pkg::load_slot_t           next;
  logic [31:0]                  block;

  assign next  = tl_load.zero_slot_q + tl_pkg::load_slot_t'(tl_load.zero_valid_q);
  assign block = 32'(tl_load.block[next]);

  assign notes = tl_load.u_notes.u_state.count;

  // Notes in front of a place.
  function automatic logic [OwedW-1:0] older(logic [IndexW-1:0] place);
    older = OwedW'(IndexW'(place - tl_load.u_notes.head_q));
  endfunction

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q   <= rst_ni && l1m_req_o && !l1m_gnt_i;
    addr_q    <= l1m_addr_o;
    pending_q <= rst_ni ? pending_q + OwedW'(l1m_req_o && l1m_gnt_i) - OwedW'(l1m_rvalid_i) : '0;
    due_q     <= rst_ni ? due_q + OwedW'(tl_load.req_push) - OwedW'(tl_load.word_taken) : '0;
    for (int unsigned i = 0; i < Outstanding; i++) begin
      if (tl_load.beat_go && (tl_load.u_notes.tail_q == IndexW'(i))) begin
        words_q[i] <= OwedW'(tl_load.req_push);
      end else begin
        words_q[i] <= words_q[i] + OwedW'(tl_load.req_push);
      end
    end
    known_q    <= rst_ni;
    sweeping_q <= tl_load.zero_valid_q;
    over_q     <= tl_load.zero_over;
    step_q     <= tl_load.zero_step;
    todo_q     <= tl_load.zero_todo_q;
    slot_q     <= tl_load.zero_slot_q;
    pair_q     <= tl_load.zero_pair_q;
    fits_q     <= block <= tl_pkg::RegBytes;
    first_q    <= tl_load.drop[next] ? tl_pkg::Rows :
        tl_load.all[next] ? (block + tl_pkg::Lanes - 1) / tl_pkg::Lanes : '0;
    if (rst_ni) begin
      for (int unsigned b = 0; b < 2; b++) begin
        assert (tl_load.zero_step[b] == (tl_load.zero_valid_q && !tl_load.zero_pair_q[b][RowW-1] &&
            (tl_load.rf_blank_o[b] || tl_load.u_rows.meets[b]) && tl_load.rf_write_gnt_i[b]));
        if (tl_load.zero_over) begin
          assert (tl_load.zero_pair_q[b][RowW-1] || (tl_load.zero_step[b] && (&tl_load.zero_pair_q[b][RowW-2:0])));
        end
      end
      if (tl_load.zero_over) assert (tl_load.zero_valid_q);
      if (tl_load.zero_valid_q) assert (tl_load.zero_todo_q[tl_load.zero_slot_q]);
    end
    if (rst_ni && known_q) begin
      for (int unsigned i = 0; i < tl_pkg::LoadSlots; i++) begin
        if (todo_q[i]) assert (tl_load.zero_todo_q[i] == !(over_q && (slot_q == tl_pkg::load_slot_t'(i))));
      end
      assert (tl_load.zero_slot_q == slot_q + tl_pkg::load_slot_t'(over_q));
      if (sweeping_q && !over_q) begin
        assert (tl_load.zero_valid_q);
        for (int unsigned b = 0; b < 2; b++) begin
          assert (tl_load.zero_pair_q[b] == pair_q[b] + RowW'(step_q[b]));
        end
      end else begin
        assert (tl_load.zero_valid_q == todo_q[tl_load.zero_slot_q]);
        // The even rows of bank 0 and the odd ones of bank 1.
        if (tl_load.zero_valid_q && fits_q) begin
          assert (32'(tl_load.zero_pair_q[0]) == (first_q + 1) / 2);
          assert (32'(tl_load.zero_pair_q[1]) == first_q / 2);
        end
      end
    end
    if (rst_ni) begin
      if (l1m_rvalid_i) assume (pending_q != '0);
      if (asked_q) assert (l1m_req_o && (l1m_addr_o == addr_q));
      assert (l1m_addr_o % tl_pkg::PortBytes == '0);
      assert (pending_q <= OwedW'(Outstanding));
      if (l1m_rvalid_i) assert (tl_load.u_words.ready_o);
      // Why: each word has its note, and there are at most as many words as notes.
      assert (DueW'(pending_q) + DueW'(tl_load.u_words.u_state.count) + DueW'(tl_load.u_requests.u_state.count) ==
          DueW'(due_q));
      assert (due_q == (notes == '0 ? '0 : words_q[tl_load.u_notes.head_q]));
      for (int unsigned i = 0; i < Outstanding; i++) begin
        if (older(IndexW'(i)) < notes) begin
          assert (words_q[i] <= notes - older(IndexW'(i)));
          assert (words_q[i] == OwedW'(!tl_load.u_notes.words[i][tl_load.NoteW-1]) +
              (older(IndexW'(i)) + 1'b1 == notes ? '0 : words_q[(i+1)%Outstanding]));
        end
      end
      if (asked_q) assert (tl_load.u_requests.u_state.count != '0);
      if (asked_q) assert (addr_q == 32'({tl_load.u_requests.words[tl_load.u_requests.head_q], tl_pkg::PortW'(0)}));
    end
  end

endmodule

bind tl_load tl_load_facts #(.Outstanding (tl_pkg::Outstanding)) u_facts (.*);
