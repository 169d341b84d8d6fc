// SPDX-License-Identifier: Apache-2.0
// The count of fresh registers, what an instruction replaces and gets, and that it waits for operands that are still to come.
// tl0 reads as zeros, always. Assumed of tl_dispatch, proven there: results are renamed when the map is ready, and where traps
// are not precise, when nothing is on its way. Of tl_retire: it gives back as many as it was given; a result that is void is
// put back when its TLReg is not being renamed.
module tl_rename_facts (
  input logic                clk_i,
  input logic                rst_ni,
  input tl_pkg::decoded_t    decoded_i,
  input logic                take_i,
  input logic                map_ready_o,
  input tl_pkg::src_t        src1_o,
  input tl_pkg::src_t        src2_o,
  input logic [1:0]          awaited_o,
  input logic                busy_o,
  input tl_pkg::results_t    results_o,
  input logic                fresh_o,
  input logic                restore_i,
  input logic [4:0]          restore_rd_i,
  input tl_pkg::src_t        restore_old_i,
  input logic [1:0]          release_i
);

  localparam int unsigned NumSpare = tl_pkg::NumSpare;
  localparam int unsigned SpareW   = $clog2(NumSpare);

  logic             running_q;
  logic [5:0]       count_q;     // registers that are with instructions in flight
  logic             took_q;
  logic             ready_q;
  tl_pkg::decoded_t decoded_q;

  logic [31:0][tl_pkg::PhysW-1:0] map;  // as it is when the entries that wait are written
  logic [1:0]                     released;   // to the ring, in this cycle
  logic [5:0]                     left;       // registers that have not come yet after reset
  logic [1:0]                     pending;    // the value of the operand is still to come

  always_comb begin
    for (int unsigned i = 0; i < 32; i++) begin
      map[i] = tl_rename.sweeps ? tl_pkg::phys_t'(i - 1) : tl_rename.u_map.mem[i][tl_pkg::PhysW-1:0];
      for (int unsigned r = 0; r < 2; r++) begin
        if (tl_rename.wait_q[r] && (tl_rename.wait_rd_q[r] == 5'(i))) map[i] = tl_rename.wait_phys_q[r];
      end
    end
  end

  assign left     = tl_rename.fill_q < tl_pkg::phys_t'(31) ? 6'(tl_pkg::NumPhys - 31) : 6'(tl_pkg::NumPhys - 32'(tl_rename.fill_q));
  assign released = 2'(release_i[0]) + 2'(release_i[1]);

  assign pending[0] = !src1_o.zero && (32'(src1_o.phys) < tl_pkg::NumPhys) &&
      tl_rename.pending_q[(tl_pkg::Precise != 0) ? tl_pkg::MarkW'(src1_o.phys) : tl_pkg::MarkW'(decoded_q.rs1)];
  assign pending[1] = !src2_o.zero && (32'(src2_o.phys) < tl_pkg::NumPhys) &&
      tl_rename.pending_q[(tl_pkg::Precise != 0) ? tl_pkg::MarkW'(src2_o.phys) : tl_pkg::MarkW'(decoded_q.rs2)];

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    took_q    <= rst_ni && take_i;
    ready_q   <= rst_ni && map_ready_o;
    decoded_q <= decoded_i;
    if (!rst_ni) begin
      count_q <= '0;
    end else begin
      // tl_dispatch.
      if (take_i) assume (ready_q && !took_q && !busy_o && fresh_o && (decoded_i == decoded_q));
      if (take_i && (results_o.valid == 2'b11)) assume (results_o.rd[0] != results_o.rd[1]);
      // tl_retire.
      assume (6'(released) <= count_q);
      if (restore_i) begin
        assume (!tl_rename.sweeps);
        assume (restore_rd_i != '0);
        assume (!restore_old_i.zero || (restore_old_i.phys == tl_pkg::phys_t'(restore_rd_i - 5'd1)));
        for (int unsigned r = 0; r < 2; r++) begin
          assume (!(tl_rename.wait_q[r] && (tl_rename.wait_rd_q[r] == restore_rd_i)));
          assume (!(take_i && results_o.valid[r] && (results_o.rd[r] == restore_rd_i)));
        end
      end

      count_q <= count_q + (take_i ? 6'(results_o.valid[0]) + 6'(results_o.valid[1]) : '0) - 6'(released);

      // As many are fresh as are not with instructions, on their way back, or still to come after reset.
      assert (6'(tl_rename.free_q) + count_q + 6'(tl_rename.release_q[0]) + 6'(tl_rename.release_q[1]) + 6'(left) == 6'(NumSpare));
      assert (32'(tl_rename.fill_q) <= tl_pkg::NumPhys);
      // While the map is written after reset, nothing is renamed, and the register before it follows each TLReg.
      if (tl_rename.sweeps) begin
        assert ((count_q == '0) && (tl_rename.wait_q == '0) && !ready_q && !took_q);
        if (tl_rename.fill_q != '0) assert (tl_rename.fill_last_q == tl_rename.fill_q - 1'b1);
      end
      for (int unsigned i = 0; i < 32; i++) begin
        if (tl_rename.sweeps && (i < 32'(tl_rename.fill_q))) begin
          assert (tl_rename.u_map.mem[i][tl_pkg::PhysW]);
          if (i != 0) assert (tl_rename.u_map.mem[i][tl_pkg::PhysW-1:0] == tl_pkg::phys_t'(i - 1));
        end
      end
      // tl0.
      if (!tl_rename.sweeps) assert (tl_rename.u_map.mem[0][tl_pkg::PhysW]);
      if (ready_q && (decoded_q.rs1 == '0)) assert (src1_o.zero);
      if (ready_q && (decoded_q.rs2 == '0)) assert (src2_o.zero);
      for (int unsigned r = 0; r < 2; r++) begin
        if (take_i && results_o.valid[r]) assert ((results_o.rd[r] != '0) && (results_o.old_phys[r] == map[results_o.rd[r]]));
      end
      // Operands: waited for in the engine, or by dispatch.
      if (ready_q && (tl_pkg::Precise != 0)) assert ((pending & ~awaited_o) == '0);
      if (ready_q && (tl_pkg::Precise == 0)) assert ((pending == '0) || busy_o);
      // Why. What the map said in the cycle before still holds.
      if (ready_q && !took_q) begin
        assert (tl_rename.wait_q == '0);
        for (int unsigned r = 0; r < 2; r++) begin
          if (results_o.valid[r]) assert ((results_o.rd[r] != '0) && (results_o.old_phys[r] == map[results_o.rd[r]]));
        end
        if (fresh_o) assert (results_o.fresh[0] == tl_rename.first_fresh);
        if (fresh_o && (results_o.valid == 2'b11)) assert (results_o.fresh[1] == tl_rename.second_fresh);
        if (results_o.valid == 2'b10) assert (results_o.fresh[1] == results_o.fresh[0]);
        if (fresh_o) assert (32'(tl_rename.free_q) >= 32'd1 + 32'(results_o.valid == 2'b11));
      end
      assert ((count_q <= 6'(NumSpare)) && (6'(tl_rename.free_q) <= 6'(NumSpare)));
      assert (tl_rename.tail_q == SpareW'(tl_rename.head_q + tl_rename.free_q));
      for (int unsigned r = 0; r < 2; r++) if (tl_rename.wait_q[r]) assert (tl_rename.wait_rd_q[r] != '0);
      if (tl_rename.wait_q == 2'b11) assert (tl_rename.wait_rd_q[0] != tl_rename.wait_rd_q[1]);
    end
  end

endmodule

bind tl_rename tl_rename_facts u_facts (.*);
