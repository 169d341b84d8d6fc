// SPDX-License-Identifier: Apache-2.0

// Issue queue: a FIFO of QueueEntries instructions. If it is empty, an instruction is at the output
// in the cycle in which it comes. The word of the oldest one is in flip-flops, because much logic
// decodes it.
module tl_queue (
  input  logic           clk_i,
  input  logic           rst_ni,   // asynchronous assert, synchronous release

  // From the host
  input  logic           valid_i,
  output logic           ready_o,  // there is room
  output logic           empty_o,  // from a flip-flop
  input  tl_pkg::issue_t entry_i,

  // To the decode stage
  output logic           valid_o,
  input  logic           ready_i,  // the entry is taken in this cycle
  output tl_pkg::issue_t entry_o   // the oldest entry; entry_i while the queue is empty
);

  // Without matrix instructions nothing reads rs2, the highest bits of an entry, so it is not
  // stored.
  localparam int unsigned KeptBits = $bits(entry_i) - (tl_pkg::Matrix != 0 ? 0 : tl_pkg::Xlen);

  logic [KeptBits-1:0] entries [tl_pkg::QueueEntries];

  logic [KeptBits-1:0] kept;           // the oldest instruction, as the memory has it
  tl_pkg::issue_t      oldest;
  tl_pkg::issue_t      second;         // the instruction behind the oldest one
  logic [31:0]         instr_q;        // word of the oldest
  tl_pkg::tag_t        head_q;
  tl_pkg::tag_t        behind_q;       // slot behind the head
  tl_pkg::tag_t        tail_q;
  logic                one_q;          // there is one instruction
  logic                two;            // there are two
  logic                last_free;      // there is room for exactly one
  logic                unused_second;
  logic                enter;
  logic                push;           // into the FIFO
  logic                pop;            // out of the FIFO

  assign valid_o       = !empty_o || valid_i;
  assign kept          = entries[head_q];
  assign second        = $bits(second)'(entries[behind_q]);
  assign entry_o       = empty_o ? entry_i : oldest;
  assign two           = tail_q == tl_pkg::next_tag(behind_q);
  assign last_free     = head_q == tl_pkg::next_tag(tail_q);
  assign unused_second = ^second;
  assign enter         = valid_i && ready_o;
  assign push          = enter && !(empty_o && ready_i);
  assign pop           = !empty_o && ready_i;

  always_comb begin
    oldest       = $bits(oldest)'(kept);
    oldest.instr = instr_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q   <= '0;
      behind_q <= tl_pkg::next_tag('0);
      tail_q   <= '0;
      ready_o  <= 1'b1;
      empty_o  <= 1'b1;
    end else begin
      if (push) tail_q <= tl_pkg::next_tag(tail_q);
      if (pop) begin
        head_q   <= behind_q;
        behind_q <= tl_pkg::next_tag(behind_q);
      end
      // Timing: the result of decode arrives late; all other terms are early.
      ready_o <= (ready_o && !(enter && last_free)) || ready_i;
      empty_o <= ready_i ? empty_o || (one_q && !enter) : empty_o && !enter;
    end
  end

  always_ff @(posedge clk_i) begin
    // Valid while the queue holds an instruction.
    one_q <= ready_i ? (enter ? one_q : two) : (enter ? empty_o : one_q);
    if (ready_o) entries[tail_q] <= KeptBits'(entry_i);
    if (empty_o || ready_i) instr_q <= empty_o || one_q ? entry_i.instr : second.instr;
  end

endmodule
