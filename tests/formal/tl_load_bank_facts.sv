// SPDX-License-Identifier: Apache-2.0
// A row that waits for its bank is followed: any row, which `watch` chooses. Assumed of tl_load: how its sweep goes on.
module tl_load_bank_facts (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         push_i,
  input logic                         room_o,
  input tl_pkg::load_slot_t           slot_i,
  input tl_pkg::phys_t                phys_i,
  input logic [tl_pkg::RowW-1-1:0]    pair_i,
  input logic [tl_pkg::RowBits-1:0]   row_i,
  input logic [tl_pkg::LoadSlots-1:0] zero_todo_i,
  input logic                         zero_valid_i,
  input tl_pkg::load_slot_t           zero_slot_i,
  input logic [tl_pkg::RowW-1:0]      zero_pair_i,
  input logic                         zero_step_i,
  input logic                         zero_over_i,
  input logic                         meets_o,
  input logic                         valid_o,
  input tl_pkg::load_slot_t           slot_o,
  input logic                         here_o,
  input logic                         blank_o,
  input tl_pkg::bank_addr_t           addr_o,
  input logic [tl_pkg::RowBits-1:0]   row_o,
  input logic                         gnt_i
);

  localparam int unsigned Depth  = tl_pkg::BankQueue;
  localparam int unsigned CountW = $clog2(Depth) + 1;
  localparam int unsigned RowW   = tl_pkg::RowW;

  logic watch;  // free

  logic                       running_q;
  logic                       watched_q;  // it is waiting
  logic [CountW-1:0]          before_q;   // rows before it
  logic [CountW-2:0]          place_q;
  logic                       written_q;  // the row of slot_q and pair_q has been written
  tl_pkg::load_slot_t         slot_q;
  tl_pkg::phys_t              phys_q;
  logic [RowW-1-1:0]          pair_q;
  logic [tl_pkg::RowBits-1:0] row_q;
  logic [CountW-1:0]          rows_q;
  logic                       pop;
  logic                       popped_q;   // it was taken in the cycle before

  // The sweep in the cycle before.
  logic                         known_q;     // there was one, without reset
  logic                         sweeping_q;
  logic                         step_q;
  logic                         over_q;
  logic [tl_pkg::LoadSlots-1:0] todo_q;
  tl_pkg::load_slot_t           zero_slot_q;
  logic [RowW-1:0]              zero_pair_q;

  assign pop = here_o && gnt_i;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    // Rows come from flip-flops with a reset.
    if (!rst_ni) assume (!push_i);
    known_q     <= rst_ni;
    sweeping_q  <= zero_valid_i;
    step_q      <= zero_step_i;
    over_q      <= zero_over_i;
    todo_q      <= zero_todo_i;
    zero_slot_q <= zero_slot_i;
    zero_pair_q <= zero_pair_i;
    if (rst_ni) begin
      assume (zero_step_i == (zero_valid_i && !zero_pair_i[RowW-1] && (blank_o || meets_o) && gnt_i));
      if (zero_over_i) assume (zero_valid_i && (zero_pair_i[RowW-1] || (zero_step_i && (&zero_pair_i[RowW-2:0]))));
      if (zero_valid_i) assume (zero_todo_i[zero_slot_i]);
    end
    if (rst_ni && known_q) begin
      if (over_q) begin
        assume ((zero_slot_i == zero_slot_q + 1'b1) && (zero_valid_i == todo_q[zero_slot_i]));
      end else if (sweeping_q) begin
        assume (zero_valid_i && (zero_slot_i == zero_slot_q) && (zero_pair_i == zero_pair_q + RowW'(step_q)));
      end
      for (int unsigned i = 0; i < tl_pkg::LoadSlots; i++) begin
        if (todo_q[i]) assume (zero_todo_i[i] == !(over_q && (zero_slot_q == tl_pkg::load_slot_t'(i))));
        // A command is accepted when no row is left of the one in its slot before.
        if (!todo_q[i] && (slot_q == tl_pkg::load_slot_t'(i))) assume (!zero_todo_i[i] || !(watched_q || written_q));
      end
    end
    if (!rst_ni) begin
      rows_q    <= '0;
      watched_q <= 1'b0;
      written_q <= 1'b0;
      popped_q  <= 1'b0;
    end else begin
      assume (!push_i || room_o);
      rows_q <= rows_q + CountW'(push_i) - CountW'(pop);
      popped_q <= watched_q && (before_q == '0) && pop;
      if (popped_q) assert (row_o == row_q);
      if (watched_q && (before_q == '0) && pop) written_q <= 1'b1;
      else if (!zero_todo_i[slot_q]) written_q <= 1'b0;
      // No zeros come behind the data of a row.
      if (written_q && zero_todo_i[slot_q]) begin
        assert (zero_valid_i && (zero_slot_i == slot_q) && ({1'b0, pair_q} < zero_pair_i));
      end
      if (push_i && watch && !watched_q) begin
        watched_q <= 1'b1;
        before_q  <= rows_q - CountW'(pop);
        place_q   <= tl_load_bank.tail_q;
        written_q <= 1'b0;
        slot_q    <= slot_i;
        phys_q    <= phys_i;
        pair_q    <= pair_i;
        row_q     <= row_i;
      end else if (watched_q && pop) begin
        watched_q <= before_q != '0;
        before_q  <= before_q - 1'b1;
      end
      assert (valid_o == (rows_q != '0));
      assert (room_o == (rows_q != CountW'(Depth)));
      assert (blank_o == !here_o);
      if (here_o) assert (valid_o);
      if (watched_q) assert (before_q < rows_q);
      if (watched_q && (before_q == '0)) begin
        assert (slot_o == slot_q);
        assert (addr_o == tl_pkg::bank_addr(phys_q, pair_q));
        if (here_o && zero_todo_i[slot_q]) begin
          assert (zero_valid_i && (zero_slot_i == slot_q) && ({1'b0, pair_q} <= zero_pair_i));
        end
        // Why: it is held beside the queue, too.
        assert ({tl_load_bank.phys_q, tl_load_bank.pair_q} == {phys_q, pair_q});
      end
      // Why: the places from the head on are used.
      assert (rows_q <= CountW'(Depth));
      if (valid_o) assert (tl_load_bank.one_q == (rows_q == CountW'(1)));
      assert (tl_load_bank.tail_q == (CountW - 1)'(tl_load_bank.head_q + rows_q));
      if (watched_q) begin
        assert (place_q == (CountW - 1)'(tl_load_bank.head_q + before_q));
        assert (tl_load_bank.dests[place_q] == {slot_q, phys_q, pair_q});
        assert (tl_load_bank.u_rows.mem[place_q] == row_q);
      end
    end
  end

endmodule

bind tl_load_bank tl_load_bank_facts u_facts (.*);
