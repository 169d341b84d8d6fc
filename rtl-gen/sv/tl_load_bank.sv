// SPDX-License-Identifier: Apache-2.0

// Queue of load rows that wait to be written to one bank, in order. If a sweep of zeros goes over
// the register of a row, the row waits until it is next in the sweep, or the sweep has passed it.
// This is decided one cycle before the row is offered.
module tl_load_bank (
  input  logic                         clk_i,
  input  logic                         rst_ni,        // asynchronous assert, synchronous release

  // Rows that are finished
  input  logic                         push_i,        // only while room_o is 1
  output logic                         room_o,        // there is room
  input  tl_pkg::load_slot_t           slot_i,        // of the command
  input  tl_pkg::phys_t                phys_i,        // register of the row
  input  logic [tl_pkg::RowW-1-1:0]    pair_i,        // row pair
  input  logic [tl_pkg::RowBits-1:0]   row_i,         // the row itself

  // Sweep of zeros over the rows of this bank, from pair zero_pair_i of a register on
  input  logic [tl_pkg::LoadSlots-1:0] zero_todo_i,   // slots whose sweep is not over
  input  logic                         zero_valid_i,  // a sweep is active
  input  tl_pkg::load_slot_t           zero_slot_i,   // of this command
  // next pair to be swept; Rows / 2: none is left
  input  logic [tl_pkg::RowW-1:0]      zero_pair_i,
  input  logic                         zero_step_i,   // that pair is written in this cycle
  input  logic                         zero_over_i,   // this cycle ends the sweep: the next begins
  output logic                         meets_o,       // the row of here_o is that pair

  // The oldest row
  output logic                         valid_o,       // there is a row
  output tl_pkg::load_slot_t           slot_o,        // slot of its command
  // the row may be written: the sweep has reached it
  output logic                         here_o,
  output logic                         blank_o,       // inverse of here_o
  output tl_pkg::bank_addr_t           addr_o,        // its address in the bank
  // data of the row that was the oldest in the previous cycle
  output logic [tl_pkg::RowBits-1:0]   row_o,
  // grant of the bank, for this row or for the sweep
  input  logic                         gnt_i
);

  localparam int unsigned RowW = tl_pkg::RowW;

  localparam int unsigned DestW = $bits({slot_i, phys_i, pair_i});

  logic [DestW-1:0]   dests [tl_pkg::BankQueue];

  tl_pkg::bank_place_t head_q;
  tl_pkg::bank_place_t behind;
  tl_pkg::bank_place_t tail_q;
  tl_pkg::bank_place_t next_tail;
  logic                one_q;      // there is one row
  logic                full_q;     // there is no room
  logic                pop;
  logic                step;       // the next row becomes the oldest one
  tl_pkg::phys_t       phys_q;     // of the oldest row
  logic [RowW-1-1:0]   pair_q;
  tl_pkg::load_slot_t  next_slot;  // slot of the next row, or of the row that is pushed
  tl_pkg::phys_t       next_phys;
  logic [RowW-1-1:0]   next_pair;
  logic                next_here;
  logic [RowW-1:0]     zero_then;  // next pair to be swept after a step

  // The sweep will have reached a row in the next cycle. Rows of a sweep that starts above its block
  // are below its first pair; another sweep starts with pair 0.
  function automatic logic reached(tl_pkg::load_slot_t slot, logic [RowW-1-1:0] pair);
    reached = !zero_todo_i[slot] ||
        (zero_valid_i && (zero_slot_i == slot) && (({1'b0, pair} <= zero_pair_i) ||
        (zero_step_i && ({1'b0, pair} == zero_then)))) ||
        (zero_over_i && (zero_slot_i + 1'b1 == slot) && (pair == '0));
  endfunction

  // Timing: the grant arrives late; everything else is prepared.
  assign pop       = here_o && gnt_i;
  assign step      = pop || !valid_o;
  assign behind    = head_q + 1'b1;
  assign next_tail = tail_q + 1'b1;
  assign zero_then = zero_pair_i + 1'b1;
  assign next_here = step ? reached(next_slot, next_pair) && (push_i || (valid_o && !one_q)) :
      here_o || (valid_o && reached(slot_o, pair_q));
  assign meets_o   = here_o && zero_valid_i && (zero_slot_i == slot_o) &&
      ({1'b0, pair_q} == zero_pair_i);
  assign addr_o    = tl_pkg::bank_addr(phys_q, pair_q);
  assign room_o    = !full_q;

  tl_ram_1r1w #(
    .Width (tl_pkg::RowBits),
    .Depth (tl_pkg::BankQueue)
  ) u_rows (
    .clk_i   (clk_i),
    .we_i    (push_i),
    .waddr_i (tail_q),
    .wdata_i (row_i),
    .re_i    (here_o),
    .raddr_i (head_q),
    .rdata_o (row_o)
  );

  always_comb begin
    {next_slot, next_phys, next_pair} = dests[behind];
    if (!valid_o || one_q) {next_slot, next_phys, next_pair} = {slot_i, phys_i, pair_i};
  end

  // one_q is valid while there is a row.
  always_ff @(posedge clk_i) begin
    one_q   <= (one_q && (push_i == pop)) || (push_i && !valid_o) ||
        (pop && !push_i && (tail_q == behind + 1'b1));
    blank_o <= !next_here;
  end

  always_ff @(posedge clk_i) begin
    if (push_i) dests[tail_q] <= {slot_i, phys_i, pair_i};
    if (step) begin
      slot_o <= next_slot;
      phys_q <= next_phys;
      pair_q <= next_pair;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      full_q  <= 1'b0;
      valid_o <= 1'b0;
      here_o  <= 1'b0;
    end else begin
      if (pop) head_q <= behind;
      if (push_i) tail_q <= next_tail;
      full_q  <= !pop && (full_q || (push_i && (next_tail == head_q)));
      valid_o <= push_i || (valid_o && !(pop && one_q));
      here_o  <= next_here;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!push_i || room_o)
      else $error("tl_load_bank: a row came when it was full");
    end
  end
`endif

endmodule
