// SPDX-License-Identifier: Apache-2.0
// Results come once each, in the order of dispatch, and stay until they are taken. An instruction is followed on its way: any
// one, which `watch` chooses. Assumed of the engines: they complete what they were given, once, two cycles after dispatch or
// later; of dispatch: nothing enters without room; of tl_recover: it holds results back only behind a trap.
module tl_retire_facts (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            room_o,
  input logic            empty_o,
  input tl_pkg::tag_t    tag_o,
  input logic            enter_i,
  input logic            enter_done_i,
  input tl_pkg::flight_t entry_i,
  input tl_pkg::ls_done_t load_done_i,
  input tl_pkg::ls_done_t store_done_i,
  input tl_pkg::done_t   load_ok_i,
  input tl_pkg::done_t   store_ok_i,
  input tl_pkg::done_t   move_done_i,
  input tl_pkg::done_t   xpose_done_i,
  input logic            trap_retires_o,
  input tl_pkg::tag_t    head_o,
  input logic            hold_i,
  input logic            killed_i,
  input logic            walk_i,
  input logic            walk_soon_i,
  input tl_pkg::tag_t    walk_tag_i,
  input logic            result_valid_o,
  input logic            result_ready_i,
  input tl_pkg::flight_t result_o,
  input tl_pkg::cause_e  result_cause_o,
  input tl_pkg::host_t   result_tval_o,
  input logic [31:0]     result_value_o
);

  localparam int unsigned QueueEntries = tl_pkg::QueueEntries;
  localparam int unsigned TagW         = tl_pkg::TagW;
  localparam int unsigned ShownW       = $bits({result_o, result_cause_o, result_tval_o, result_value_o});

  logic watch;  // free

  logic                            running_q;
  logic                            watched_q;   // it is in flight
  tl_pkg::tag_t                    slot_q;      // where it is
  logic [$bits(tl_pkg::flight_t)-1:0] entry_q;
  logic                            waits_q;     // a result was not taken
  logic [ShownW-1:0]               shown_q;
  logic [ShownW-1:0]               shown;
  logic                            hold_q;
  logic                            killed_q;
  logic                            soon_q;      // an instruction is undone in this cycle
  tl_pkg::tag_t                    walk_q;      // this one
  logic                            trapped_q;   // the result of a trap was taken in the cycle before
  logic [QueueEntries-1:0]         given_q;     // the engines have these, from the second cycle on
  logic [TagW:0]                   count;
  logic                            retire;
  tl_pkg::tag_t                    place;

  assign retire = result_valid_o && result_ready_i;
  assign shown  = {result_o, result_cause_o, result_tval_o, result_value_o};
  assign count  = tl_retire.count_q;
  assign place  = tl_pkg::tag_t'(tl_ring_pkg::distance(head_o, slot_q));

  initial running_q = 1'b0;

  // Completions of this cycle.
  logic [3:0]              valid;
  logic [3:0][TagW-1:0]    tag;
  logic [QueueEntries-1:0] completes;

  assign valid = {xpose_done_i.valid, move_done_i.valid, store_done_i.valid, load_done_i.valid};
  assign tag   = {xpose_done_i.tag, move_done_i.tag, store_done_i.tag, load_done_i.tag};

  // The engine of each of them, by what entered: load or store.
  tl_pkg::flight_t [3:0] done_flight;
  tl_pkg::flight_t       entry;
  logic [3:0][1:0]       kind;

  assign entry = entry_i;

  always_comb begin
    for (int unsigned e = 0; e < 4; e++) begin
      done_flight[e] = tl_retire.flight_q[tag[e]];
      kind[e]        = {done_flight[e].by_store, done_flight[e].by_load};
    end
  end

  always_comb begin
    completes = '0;
    for (int unsigned e = 0; e < 4; e++) if (valid[e]) completes[tag[e]] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    hold_q    <= rst_ni && hold_i;
    killed_q  <= rst_ni && killed_i;
    soon_q    <= rst_ni && walk_soon_i;
    walk_q    <= walk_tag_i;
    trapped_q <= rst_ni && trap_retires_o;
    waits_q   <= rst_ni && result_valid_o && !result_ready_i;
    shown_q   <= shown;
    if (!rst_ni) begin
      // All neighbours are reset, too.
      assume (!enter_i && !load_done_i.valid && !store_done_i.valid && !move_done_i.valid && !xpose_done_i.valid);
      watched_q <= 1'b0;
      given_q   <= '0;
    end else begin
      // The engines.
      for (int unsigned e = 0; e < 4; e++) begin
        if (valid[e]) assume ((32'(tag[e]) < QueueEntries) && given_q[tag[e]]);
        if (valid[e]) assume (kind[e] == {e == 1, e == 0});
        for (int unsigned f = 0; f < e; f++) assume (!(valid[e] && valid[f] && (tag[e] == tag[f])));
      end
      if (load_ok_i.valid) assume (load_done_i.valid && (load_ok_i.tag == load_done_i.tag) && (load_done_i.cause == tl_pkg::CauseNone));
      if (store_ok_i.valid) assume (store_done_i.valid && (store_ok_i.tag == store_done_i.tag) && (store_done_i.cause == tl_pkg::CauseNone));
      given_q <= given_q & ~completes;
      if (tl_retire.enter_q && !tl_retire.enter_done_q) given_q[tl_retire.enter_tag_q] <= 1'b1;
      // Dispatch, tl_recover.
      if (enter_i) assume (room_o && !hold_i);
      if (enter_i && enter_done_i) assume (!entry.by_load && !entry.by_store);
      if (hold_i) assume (hold_q || trapped_q);
      if (killed_i != killed_q) assume (hold_q || empty_o);
      if (killed_i && enter_i) assume (enter_done_i);
      if (walk_i) assume (hold_i);
      if (walk_soon_i) assume (32'(walk_tag_i) < QueueEntries);
      assume (walk_i == soon_q);
      // One behind the other.
      if (enter_i && watch && !watched_q) begin
        watched_q <= 1'b1;
        slot_q    <= tag_o;
        entry_q   <= entry_i;
      end else if (watched_q && retire && (head_o == slot_q)) begin
        watched_q <= 1'b0;
      end
      if (watched_q) assert ((32'(place) < 32'(count)) && (32'(slot_q) < QueueEntries));
      assert (32'(head_o) < QueueEntries);
      if (watched_q && result_valid_o && (head_o == slot_q)) assert (result_o == entry_q);
      if (result_valid_o) assert (count != '0);
      if (result_valid_o) assert (!given_q[head_o] || completes[head_o]);
      assert (32'(count) <= QueueEntries);
      assert (room_o == (32'(count) != QueueEntries));
      assert (empty_o == (count == '0));
      // No result waits for anything but its engine, the instructions before it, and the recovery from a trap.
      if ((count != '0) && !hold_i && !given_q[head_o] && !(tl_retire.enter_q && (tl_retire.enter_tag_q == head_o))) begin
        assert (result_valid_o);
      end
      // A result stays until it is taken.
      if (waits_q) assert (result_valid_o && (shown == shown_q));
      // Why.
      assert (tag_o == tl_ring_pkg::ahead(head_o, 32'(count)));
      assert (tl_retire.full_q == (32'(count) == QueueEntries));
      if (watched_q) assert (tl_retire.flight_q[slot_q] == entry_q);
      assert (tl_retire.current_q == (soon_q ? walk_q : head_o));
      assert (tl_retire.next_q == tl_pkg::next_tag(head_o));
      if (count != '0) assert (tl_retire.head_done_q == tl_retire.done_q[head_o]);
      assert ((tl_retire.done_q & given_q) == '0);
      if (tl_retire.enter_q) assert ((tl_retire.enter_tag_q == tl_ring_pkg::prior(tag_o)) && (count != '0));
      if (tl_retire.enter_q) assert (!tl_retire.done_q[tl_retire.enter_tag_q] && !given_q[tl_retire.enter_tag_q]);
      if (tl_retire.enter_done_q) assert (tl_retire.enter_q);
      assert ((tl_retire.done_q | given_q | (QueueEntries'(tl_retire.enter_q) << tl_retire.enter_tag_q)) == '1);
      if (waits_q) assert (tl_retire.done_q[head_o]);
      if (waits_q && !hold_i) assert (!hold_q);
      for (int unsigned i = 0; i < QueueEntries; i++) begin
        if (given_q[i]) assert (tl_ring_pkg::distance(head_o, TagW'(i)) < 32'(count));
      end
    end
  end

  // A trap that is kept is of an instruction in flight that is complete.
  if (tl_pkg::Precise != 0) begin : gen_trap
    for (genvar g = 0; g < 2; g++) begin : gen_kind
      tl_pkg::tag_t trap_tag;

      assign trap_tag = tl_retire.gen_oldest_trap.gen_kind[g].tag_q;

      always_ff @(posedge clk_i) begin
        if (rst_ni && tl_retire.gen_oldest_trap.gen_kind[g].trapped_q) begin
          assert ((32'(trap_tag) < QueueEntries) && tl_retire.done_q[trap_tag] && (tl_ring_pkg::distance(head_o, trap_tag) < 32'(count)));
        end
      end
    end
  end

endmodule

bind tl_retire tl_retire_facts u_facts (.*);
