// SPDX-License-Identifier: Apache-2.0
// A physical register is in one place: in the map, in the ring of fresh registers, or with an instruction in flight, which
// gives it back. One is followed: any one, which `any` chooses. tl0 reads as zeros, always.
// Assumed of tl_dispatch, proven there: results are renamed when the map is ready and nothing is on its way. Of tl_retire:
// it gives back what it was given, once; a result that is void is put back while its TLReg is busy.
module tl_rename_facts (
  input logic                clk_i,
  input logic                rst_ni,
  input tl_pkg::decoded_t    decoded_i,
  input logic                take_i,
  input logic                map_ready_o,
  input tl_pkg::src_t        src1_o,
  input tl_pkg::src_t        src2_o,
  input logic                busy_o,
  input tl_pkg::results_t    results_o,
  input logic                fresh_o,
  input logic                restore_i,
  input logic [4:0]          restore_rd_i,
  input tl_pkg::src_t        restore_old_i,
  input logic [1:0]          release_i,
  input tl_pkg::phys_t [1:0] release_phys_i
);

  localparam int unsigned NumSpare = tl_pkg::NumSpare;
  localparam int unsigned SpareW   = $clog2(NumSpare);

  tl_pkg::phys_t any;  // free

  logic             running_q;
  tl_pkg::phys_t    phys_q;      // the one that is followed
  logic             out_q;       // it is with an instruction in flight
  logic [5:0]       count_q;     // registers that are with instructions in flight
  logic             took_q;
  logic             ready_q;
  tl_pkg::decoded_t decoded_q;

  // Where it is.
  logic [31:0][tl_pkg::PhysW-1:0] map;  // as it is when the entries that wait are written
  logic [31:0]                    in_map;     // TLRegs that have it
  logic [NumSpare-1:0]            in_ring;    // slots of fresh registers that have it
  logic [1:0]                     in_release; // it is on its way to the ring
  logic [1:0]                     released;   // to the ring, in this cycle

  always_comb begin
    in_map  = '0;
    in_ring = '0;
    for (int unsigned i = 0; i < 32; i++) begin
      map[i] = tl_rename.zero_q[i] ? tl_pkg::phys_t'(i - 1) : tl_rename.u_map_rd.mem[i];
      for (int unsigned r = 0; r < 2; r++) begin
        if (tl_rename.wait_q[r] && (tl_rename.wait_rd_q[r] == 5'(i))) map[i] = tl_rename.wait_phys_q[r];
      end
      in_map[i] = (i != 0) && (map[i] == phys_q);
    end
    for (int unsigned i = 0; i < NumSpare; i++) begin
      in_ring[i] = (32'(SpareW'(SpareW'(i) - tl_rename.head_q)) < 32'(tl_rename.free_q))
                   && (tl_pkg::phys_t'(tl_rename.ring_q[i]) == phys_q);
    end
    for (int unsigned r = 0; r < 2; r++) begin
      in_release[r] = tl_rename.release_q[r] && (tl_rename.release_phys_q[r] == phys_q);
    end
  end

  assign released = 2'(release_i[0]) + 2'(release_i[1]);

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    took_q    <= rst_ni && take_i;
    ready_q   <= rst_ni && map_ready_o;
    decoded_q <= decoded_i;
    if (!rst_ni) begin
      phys_q  <= any;
      out_q   <= 1'b0;
      count_q <= '0;
      assume (32'(any) < tl_pkg::NumPhys);
    end else begin
      // tl_dispatch.
      if (take_i) assume (ready_q && !took_q && !busy_o && fresh_o && (decoded_i == decoded_q));
      if (take_i && (results_o.valid == 2'b11)) assume (results_o.rd[0] != results_o.rd[1]);
      // tl_retire.
      for (int unsigned r = 0; r < 2; r++) begin
        if (release_i[r] && (release_phys_i[r] == phys_q)) assume (out_q);
      end
      assume (!((release_i == 2'b11) && (release_phys_i[0] == release_phys_i[1])));
      assume (6'(released) <= count_q);
      if (restore_i) begin
        assume (restore_rd_i != '0);
        if (restore_old_i.phys == phys_q) assume (out_q && !(release_i[0] && (release_phys_i[0] == phys_q)));
        if (restore_old_i.phys == phys_q) assume (!(release_i[1] && (release_phys_i[1] == phys_q)));
        assume (!restore_old_i.zero || (restore_old_i.phys == tl_pkg::phys_t'(restore_rd_i - 5'd1)));
        assume (map[restore_rd_i] != restore_old_i.phys);
        for (int unsigned r = 0; r < 2; r++) begin
          assume (!(tl_rename.wait_q[r] && (tl_rename.wait_rd_q[r] == restore_rd_i)));
          assume (!(take_i && results_o.valid[r] && (results_o.rd[r] == restore_rd_i)));
        end
      end

      count_q <= count_q + (take_i ? 6'(results_o.valid[0]) + 6'(results_o.valid[1]) : '0) - 6'(released);
      for (int unsigned r = 0; r < 2; r++) begin
        if (release_i[r] && (release_phys_i[r] == phys_q)) out_q <= 1'b0;
        if (take_i && results_o.valid[r] && (results_o.old_phys[r] == phys_q)) out_q <= 1'b1;
      end
      if (restore_i && (restore_old_i.phys == phys_q)) out_q <= 1'b0;
      if (restore_i && (map[restore_rd_i] == phys_q)) out_q <= 1'b1;

      // As many are fresh as are not with instructions, and on their way back.
      assert (6'(tl_rename.free_q) + count_q + 6'(tl_rename.release_q[0]) + 6'(tl_rename.release_q[1]) == 6'(NumSpare));
      // tl0.
      assert (tl_rename.zero_q[0]);
      if (ready_q && (decoded_q.rs1 == '0)) assert (src1_o.zero);
      if (ready_q && (decoded_q.rs2 == '0)) assert (src2_o.zero);
      for (int unsigned r = 0; r < 2; r++) begin
        if (take_i && results_o.valid[r]) assert ((results_o.rd[r] != '0) && (results_o.old_phys[r] == map[results_o.rd[r]]));
      end
      // Why. What the map said in the cycle before still holds.
      if (ready_q && !took_q) begin
        assert (tl_rename.wait_q == '0);
        for (int unsigned r = 0; r < 2; r++) begin
          if (results_o.valid[r]) assert ((results_o.rd[r] != '0) && (results_o.old_phys[r] == map[results_o.rd[r]]));
        end
        if (fresh_o) assert (results_o.fresh[0] == tl_pkg::phys_t'(tl_rename.ring_q[tl_rename.head_q]));
        if (fresh_o && (results_o.valid == 2'b11)) assert (results_o.fresh[1] == tl_pkg::phys_t'(tl_rename.ring_q[SpareW'(tl_rename.head_q + 1'b1)]));
        if (results_o.valid == 2'b10) assert (results_o.fresh[1] == results_o.fresh[0]);
        if (fresh_o) assert (32'(tl_rename.free_q) >= 32'd1 + 32'(results_o.valid == 2'b11));
      end
      assert ((count_q <= 6'(NumSpare)) && (6'(tl_rename.free_q) <= 6'(NumSpare)));
      assert (tl_rename.tail_q == SpareW'(tl_rename.head_q + tl_rename.free_q));
      for (int unsigned r = 0; r < 2; r++) if (tl_rename.wait_q[r]) assert (tl_rename.wait_rd_q[r] != '0);
      if (tl_rename.wait_q == 2'b11) assert (tl_rename.wait_rd_q[0] != tl_rename.wait_rd_q[1]);
      for (int unsigned i = 0; i < 32; i++) begin
        if (!tl_rename.zero_q[i]) assert (tl_rename.u_map_rs2.mem[i] == tl_rename.u_map_rd.mem[i]);
      end
    end
  end

endmodule

bind tl_rename tl_rename_facts u_facts (.*);
