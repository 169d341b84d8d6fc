// SPDX-License-Identifier: Apache-2.0

// Rename map: the physical register of each TLReg, whether it reads as zeros, and whether its value
// is still to come. A result goes to a fresh register; the old one is free again when the
// instruction retires.
module tl_rename (
  input  logic                       clk_i,
  input  logic                       rst_ni,           // asynchronous assert, synchronous release

  // The instruction in the dispatch stage
  input  tl_pkg::decoded_t           decoded_i,
  input  logic                       take_i,           // rename its results now

  // What the map says of the instruction: from flip-flops, so for decoded_i of the previous cycle
  // of this cycle: the map has the changes of all instructions before
  output logic                       map_ready_o,
  output tl_pkg::src_t               src1_o,           // first operand
  output tl_pkg::src_t               src2_o,           // second operand
  output logic [1:0]                 awaited_o,  // the engine has to wait for the operand
  // dispatch has to wait for an operand or for the old result
  output logic                       busy_o,
  // new physical registers of its results, if it is renamed now
  output tl_pkg::results_t           results_o,
  output logic                       fresh_o,    // there are fresh registers for them

  // To the engines
  output logic [tl_pkg::NumPhys-1:0] pending_o,        // registers whose value is still to come

  // From tl_retire
  input  logic [2:0]                 complete_i,       // a value has come
  input  tl_pkg::mark_t [2:0]        complete_mark_i,  // marks of these values
  // restore the map entry of a result that is undone
  input  logic                       restore_i,
  input  logic [4:0]                 restore_rd_i,     // the TLReg
  input  tl_pkg::src_t               restore_old_i,    // the old entry of the map
  input  logic [1:0]                 release_i,        // registers that are free now
  input  tl_pkg::phys_t [1:0]        release_phys_i    // these registers
);

  localparam int unsigned Precise  = tl_pkg::Precise;
  localparam int unsigned NumSpare = tl_pkg::NumSpare;
  localparam int unsigned PhysW    = tl_pkg::PhysW;
  localparam int unsigned NumMarks = tl_pkg::NumMarks;
  localparam int unsigned MarkW    = tl_pkg::MarkW;

  localparam int unsigned SpareW = $clog2(NumSpare);  // bits of an index of the ring

  // The map: a memory of physical registers, each with a flag that says that it reads as zeros.
  // After reset every TLReg reads as zeros, and TLReg i has physical register i - 1; this is
  // written in the 32 cycles after reset, before the map is ready. The memory has one write port,
  // so changed entries wait for it.
  // A value that is still to come has a mark. With precise traps there is a mark for each physical
  // register. Otherwise a result waits for the one that it replaces, so no TLReg has two values to
  // come, and a mark for each TLReg is enough.
  logic                sweeps;       // the map is initialised after reset
  // initialisation after reset: number of the TLReg, then of the fresh register; NumPhys: done
  tl_pkg::phys_t       fill_q;
  tl_pkg::phys_t       fill_last_q;  // fill_q of the previous cycle
  logic [NumMarks-1:0] pending_q;    // marks of values that are still to come
  logic [1:0]          wait_q;       // results that wait to be written to the map
  logic [1:0][4:0]     wait_rd_q;
  tl_pkg::phys_t [1:0] wait_phys_q;
  logic                we;
  logic [4:0]          waddr;
  tl_pkg::phys_t       wdata;
  logic                wzero;
  tl_pkg::mark_t       mark;         // of a result
  logic [NumMarks-1:0] given;        // one-hot: the mark of a result
  logic [NumMarks-1:0] came;         // marks of values that have come
  logic [7:0]          given_low;
  logic [7:0]          given_high;
  logic [2:0][7:0]     came_low;
  logic [2:0][7:0]     came_high;

  assign sweeps      = fill_q < PhysW'(32);
  assign we          = sweeps || restore_i || (wait_q != '0);
  assign wzero       = sweeps || (restore_i && restore_old_i.zero);
  assign map_ready_o = !we;
  assign pending_o   = (Precise != 0) ? tl_pkg::NumPhys'(pending_q) : '0;

  // Each half of a mark number is decoded once.
  assign mark = tl_pkg::mark_of(wdata, waddr);

  always_comb begin
    for (int unsigned h = 0; h < 8; h++) begin
      given_low[h]  = (wait_q != '0) && !restore_i && (mark[2:0] == 3'(h));
      given_high[h] = mark[MarkW-1:3] == (MarkW - 3)'(h);
      for (int unsigned c = 0; c < 3; c++) begin
        came_low[c][h]  = complete_i[c] && (complete_mark_i[c][2:0] == 3'(h));
        came_high[c][h] = complete_mark_i[c][MarkW-1:3] == (MarkW - 3)'(h);
      end
    end
    for (int unsigned i = 0; i < NumMarks; i++) begin
      given[i] = given_low[i%8] && given_high[i/8];
      came[i]  = (came_low[0][i%8] && came_high[0][i/8]) ||
          (came_low[1][i%8] && came_high[1][i/8]) || (came_low[2][i%8] && came_high[2][i/8]);
    end
  end

  always_comb begin
    if (restore_i) begin
      waddr = restore_rd_i;
      wdata = restore_old_i.phys;
    end else if (wait_q[0]) begin
      waddr = wait_rd_q[0];
      wdata = wait_phys_q[0];
    end else if (sweeps) begin
      waddr = fill_q[4:0];
      wdata = fill_last_q;
    end else begin
      waddr = wait_rd_q[1];
      wdata = wait_phys_q[1];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= '0;
    end else begin
      if (take_i) begin
        wait_q <= results_o.valid;
      end else if (!restore_i) begin
        wait_q <= {wait_q[1] && wait_q[0], 1'b0};
      end
    end
  end

  // No reset: no instruction names a register before it was given.
  always_ff @(posedge clk_i) begin
    pending_q <= (pending_q & ~came) | given;
  end

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      wait_rd_q   <= results_o.rd;
      wait_phys_q <= results_o.fresh;
    end
  end

  // The registers of the instruction: two operands and the first result. The second result is
  // always an operand, too. With precise traps a trap restores the whole map, and an instruction
  // waits for its operands in the engine. Otherwise it waits here, also for the result that it
  // replaces: when a load traps, younger instructions read the old register.
  tl_pkg::phys_t       phys1;
  tl_pkg::phys_t       phys2;
  tl_pkg::phys_t       phys_rd;
  logic                zero1;
  logic                zero2;
  logic                zero_rd;
  logic [2:0]          awaited;  // still to come: operands [1:0], the old result [2]
  tl_pkg::mark_t [2:0] marks;    // of operands and old result
  logic                second;
  logic                need_two;
  tl_pkg::phys_t       first_fresh;
  tl_pkg::phys_t       second_fresh;
  logic [SpareW+1-1:0] free_q;   // fresh registers that are left

  tl_lutram #(
    .Width (PhysW + 1),
    .Depth (32),
    .Reads (3)
  ) u_map (
    .clk_i   (clk_i),
    .we_i    (we),
    .waddr_i (waddr),
    .wdata_i ({wzero, wdata}),
    .raddr_i ({decoded_i.rd, decoded_i.rs2, decoded_i.rs1}),
    .rdata_o ({zero_rd, phys_rd, zero2, phys2, zero1, phys1})
  );

  logic unused_decoded;

  assign second         = decoded_i.is_xpose && (decoded_i.rs2 != 5'd0);
  assign need_two       = second && (decoded_i.rd != 5'd0);
  assign unused_decoded = ^decoded_i;

  assign marks[0] = tl_pkg::mark_of(phys1, decoded_i.rs1);
  assign marks[1] = tl_pkg::mark_of(phys2, decoded_i.rs2);
  assign marks[2] = tl_pkg::mark_of(phys_rd, decoded_i.rd);

  assign awaited[0] = pending_q[marks[0]] && !zero1;
  assign awaited[1] = pending_q[marks[1]] && !zero2;
  assign awaited[2] = pending_q[marks[2]] && !zero_rd;

  always_ff @(posedge clk_i) begin
    src1_o.zero           <= zero1;
    src1_o.phys           <= phys1;
    src2_o.zero           <= zero2;
    src2_o.phys           <= phys2;
    results_o.valid       <= {second, decoded_i.rd != 5'd0};
    results_o.rd          <= {decoded_i.rs2, decoded_i.rd};
    results_o.old_zero    <= {zero2, zero_rd};
    results_o.old_phys    <= {phys2, phys_rd};
    // If the first of two results is tl0, the second one takes the head.
    results_o.fresh[0] <= first_fresh;
    results_o.fresh[1] <= decoded_i.rd == 5'd0 ? first_fresh : second_fresh;
    awaited_o          <= awaited[1:0] & {2{Precise != 0}};
    busy_o             <= (awaited != '0) && (Precise == 0);
    fresh_o            <= free_q >= (SpareW + 1)'(1) + (SpareW + 1)'(need_two);
  end

  // Fresh registers: a ring of the unused registers. It has a slot for each of them, so it never
  // overflows. Even slots are in one memory, odd slots in another one, so two adjacent slots can be
  // read, and written, in one cycle. After reset, the registers that no TLReg has enter the ring,
  // one in each cycle in which no register is released.
  logic [1:0]               release_q;
  tl_pkg::phys_t [1:0]      release_phys_q;
  // the first register that enters the ring comes from the initialisation after reset
  logic                     filled_q;
  tl_pkg::phys_t [1:0]      back_phys;       // registers that enter the ring
  logic [SpareW-1:0]        head_q;
  logic [SpareW-1:0]        head2;           // slot behind the head
  logic [SpareW-1:0]        tail_q;          // first free slot
  logic [SpareW-1:0]        tail2;           // slot of the second register released
  // registers that the instruction takes when it is renamed
  logic [1:0]               wanted;
  logic [1:0]               released;
  // fresh registers that are left in the next cycle, if none is taken
  logic [SpareW+1-1:0]      free_later;
  logic                     fills;
  logic                     comes;
  logic [1:0]               slot_we;
  logic [1:0]               slot_first;      // memory for the first register that enters, one-hot
  logic [1:0][SpareW-1-1:0] slot_waddr;
  logic [1:0][SpareW-1-1:0] slot_raddr;
  tl_pkg::phys_t [1:0]      slot_wdata;
  tl_pkg::phys_t [1:0]      slot;

  for (genvar b = 0; b < 2; b++) begin : gen_slots
    tl_lutram #(
      .Width (PhysW),
      .Depth (NumSpare / 2)
    ) u_slots (
      .clk_i   (clk_i),
      .we_i    (slot_we[b]),
      .waddr_i (slot_waddr[b]),
      .wdata_i (slot_wdata[b]),
      .raddr_i (slot_raddr[b]),
      .rdata_o (slot[b])
    );
  end

  assign head2      = head_q + SpareW'(1);
  assign tail2      = tail_q + SpareW'(release_q[0]);
  assign wanted     = 2'(results_o.valid[0]) + 2'(results_o.valid[1]);
  assign released   = 2'(release_q[0]) + 2'(release_q[1]);
  assign free_later = free_q + (SpareW + 1)'(released);
  assign slot_first = {release_q[0] && tail_q[0], release_q[0] && !tail_q[0]};
  assign slot_we    = slot_first | {release_q[1] && tail2[0], release_q[1] && !tail2[0]};

  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      slot_waddr[b] = slot_first[b] ? tail_q[SpareW-1:1] : tail2[SpareW-1:1];
      slot_wdata[b] = slot_first[b] ? back_phys[0] : back_phys[1];
      slot_raddr[b] = head_q[0] == 1'(b) ? head_q[SpareW-1:1] : head2[SpareW-1:1];
    end
  end

  assign first_fresh  = slot[head_q[0]];
  assign second_fresh = slot[head2[0]];
  assign back_phys    = {release_phys_q[1], filled_q ? fill_last_q : release_phys_q[0]};
  assign fills        = (fill_q != PhysW'(tl_pkg::NumPhys)) && (release_i == '0);
  assign comes        = fills && (fill_q >= PhysW'(31));

  always_ff @(posedge clk_i) begin
    release_phys_q <= release_phys_i;
    filled_q       <= fills;
    fill_last_q    <= fill_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      release_q <= '0;
      head_q    <= '0;
      tail_q    <= '0;
      free_q    <= '0;
      fill_q    <= '0;
    end else begin
      release_q <= {release_i[1], release_i[0] || comes};
      if (take_i) head_q <= head_q + SpareW'(wanted);
      tail_q    <= tail_q + SpareW'(released);
      free_q    <= take_i ? free_later - (SpareW + 1)'(wanted) : free_later;
      if (fills) fill_q <= fill_q + 1'b1;
    end
  end

endmodule
