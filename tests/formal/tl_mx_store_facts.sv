// SPDX-License-Identifier: Apache-2.0
// The write port of matrix stores: requests are stable until they are granted, at most 4 are without a response, and each beat
// becomes one request. A store completes once, in the cycle after its last response. Assumed of the memory: a response comes for a request
// only, in a later cycle.
module tl_mx_store_facts (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           beat_valid_i,
  input logic                           beat_ready_o,
  input tl_pkg::mx_beat_t               beat_i,
  input logic                           l0m_req_o,
  input logic                           l0m_gnt_i,
  input logic [31:0]                    l0m_addr_o,
  input logic                           word_take_o,
  input tl_pkg::tag_t                   l0m_tag_o,
  input logic                           l0m_rvalid_i,
  input logic                           idle_o,
  input tl_pkg::ls_done_t               done_o
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;
  localparam int unsigned ShownW    = 32 + tl_pkg::TagW;
  localparam int unsigned BeatW     = $bits(tl_pkg::mx_beat_t);

  logic              running_q;
  logic              asked_q;    // there was a request, which was not granted
  logic [ShownW-1:0] shown_q;    // what was on the port
  logic [ShownW-1:0] shown;
  logic [2:0]        pending_q;  // requests without a response
  logic [2:0]        inside_q;   // beats that were taken and not asked for yet
  logic [3:0]        due_q;      // last beats whose store has not completed
  logic [3:0]        lasts;      // those, as they are found inside
  logic [1:0]        at;
  logic              bit_at;
  tl_pkg::mx_beat_t  inner;

  assign shown = {l0m_addr_o, l0m_tag_o};

  always_comb begin
    lasts  = 4'(tl_mx_store.beat_valid_q && tl_mx_store.beat_q.last) + 4'(tl_mx_store.request_q && tl_mx_store.last_q) +
        4'(done_o.valid);
    at     = '0;
    inner  = '0;
    bit_at = 1'b0;
    for (int unsigned i = 0; i < 2; i++) begin
      bit_at = tl_mx_store.u_line.head_q[0] ^ 1'(i);
      inner  = tl_mx_store.u_line.words[bit_at][BeatW-1:0];
      if ((2'(i) < tl_mx_store.u_line.u_state.count) && inner.last) lasts = lasts + 4'd1;
    end
    for (int unsigned i = 0; i < 4; i++) begin
      at = tl_mx_store.u_waiting.head_q + 2'(i);
      if ((3'(i) < tl_mx_store.u_waiting.u_state.count) && tl_mx_store.u_waiting.words[at][0]) lasts = lasts + 4'd1;
    end
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q   <= rst_ni && l0m_req_o && !l0m_gnt_i;
    shown_q   <= shown;
    pending_q <= rst_ni ? pending_q + 3'(l0m_req_o && l0m_gnt_i) - 3'(l0m_rvalid_i) : '0;
    inside_q  <= rst_ni ? inside_q + 3'(beat_valid_i && beat_ready_o) - 3'(l0m_req_o && l0m_gnt_i) : '0;
    due_q     <= rst_ni ? due_q + 4'(beat_valid_i && beat_ready_o && beat_i.last) - 4'(done_o.valid) : '0;
    if (rst_ni) begin
      if (l0m_rvalid_i) assume (pending_q != '0);
      if (asked_q) assert (l0m_req_o && (shown == shown_q));
      // Its data, which tl_store keeps.
      if (l0m_req_o && !l0m_gnt_i) assert (!word_take_o);
      assert (l0m_addr_o % PortBytes == '0);
      assert (pending_q <= 3'd4);
      if (l0m_rvalid_i) assert (tl_mx_store.waiting_valid);
      // Each beat becomes one request; 4 are inside at most, and who waits with room inside is taken.
      assert (inside_q <= 3'd4);
      if (inside_q < 3'd3) assert (beat_ready_o);
      if (l0m_req_o) assert (inside_q != '0);
      // One completion for each store.
      if (done_o.valid) assert (due_q != '0);
      if (idle_o) assert ((pending_q == '0) && (inside_q == '0) && (due_q == 4'(done_o.valid)));
      // Why: what was taken is somewhere.
      assert (tl_mx_store.u_waiting.u_state.count == pending_q);
      assert (inside_q == 3'(tl_mx_store.beat_valid_q) + 3'(tl_mx_store.u_line.u_state.count) + 3'(tl_mx_store.request_q));
      assert (tl_mx_store.beats_q == 4'(inside_q) + 4'(pending_q));
      assert (idle_o == (tl_mx_store.beats_q == '0));
      assert (due_q == lasts);
      if (asked_q) assert (tl_mx_store.request_q && tl_mx_store.u_waiting.ready_o);
    end
  end

endmodule

bind tl_mx_store tl_mx_store_facts u_facts (.*);
