// SPDX-License-Identifier: Apache-2.0
//! `tl_rename`: which physical register holds each TLReg.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_rename",
        "Rename map: the physical register of each TLReg, whether it reads as zeros, and whether its value is still \
         to come. A result goes to a fresh register; the old one is free again when the instruction retires.",
    );
    m.clocked();
    m.group("Operands of the instruction in the dispatch stage");
    m.input("rs1_i", Ty::bits(5), "");
    m.input("rs2_i", Ty::bits(5), "");
    m.output("src1_o", Ty::named("src_t"), "");
    m.output("src2_o", Ty::named("src_t"), "");
    m.output("busy_o", Ty::bits(32), "TLRegs whose value is still to come");
    m.group("Its results");
    m.input("rd_i", Ty::bits(5).packed(2), "");
    m.output("results_o", Ty::named("results_t"), "as they would be renamed now");
    m.output("free_o", Ty::bits(3), "fresh registers that are left");
    m.input("take_i", Ty::bits(2), "rename these results now");
    m.group("From tl_retire");
    m.input("complete_i", Ty::bits(32), "TLRegs whose value has come");
    m.input("restore_i", Ty::bit(), "put back the map entry of a load that trapped");
    m.input("restore_rd_i", Ty::bits(5), "");
    m.input("restore_old_i", Ty::named("src_t"), "");
    m.input("release_i", Ty::bits(2), "registers that are free now");
    m.input("release_phys_i", Ty::named("phys_t").packed(2), "");
    m.group("For the trace");
    m.output("map_zero_o", Ty::bits(32), "");
    m.output("map_phys_o", Ty::named("phys_t").packed(32), "");

    m.section("The map. tl0 has no storage; after reset every TLReg reads as zeros.");
    m.signal("take_valid", Ty::bits(2), "");
    m.text(
        r#"
        assign src1_o.zero = map_zero_o[rs1_i];
        assign src1_o.phys = map_phys_o[rs1_i];
        assign src2_o.zero = map_zero_o[rs2_i];
        assign src2_o.phys = map_phys_o[rs2_i];
        assign take_valid  = take_i & results_o.valid;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            busy_o <= '0;
            for (int unsigned i = 0; i < 32; i++) begin
              map_zero_o[i] <= 1'b1;
              map_phys_o[i] <= i == 0 ? '0 : PhysW'(i - 1);
            end
          end else begin
            busy_o <= busy_o & ~complete_i;
            if (restore_i) begin
              map_zero_o[restore_rd_i] <= restore_old_i.zero;
              map_phys_o[restore_rd_i] <= restore_old_i.phys;
            end
            for (int unsigned r = 0; r < 2; r++) begin
              if (take_valid[r]) begin
                map_zero_o[rd_i[r]] <= 1'b0;
                map_phys_o[rd_i[r]] <= results_o.fresh[r];
                busy_o[rd_i[r]]     <= 1'b1;
              end
            end
          end
        end
        "#,
    );
    m.section(
        "Fresh registers: a ring of the spares. What is taken was mapped or released before, so it never overflows.",
    );
    m.signal("ring_q", Ty::named("phys_t").packed("NumSpare"), "");
    m.signal("head_q", Ty::bits(2), "");
    m.signal("head2", Ty::bits(2), "slot behind the head");
    m.signal("tail", Ty::bits(2), "first free slot");
    m.signal("taken", Ty::bits(3), "");
    m.signal("released", Ty::bits(3), "");
    m.text(
        r#"
        assign head2    = head_q + 2'd1;
        assign tail     = head_q + free_o[1:0];
        assign taken    = 3'(take_valid[0]) + 3'(take_valid[1]);
        assign released = 3'(release_i[0]) + 3'(release_i[1]);

        always_comb begin
          for (int unsigned r = 0; r < 2; r++) begin
            results_o.valid[r]    = rd_i[r] != 5'd0;
            results_o.old_zero[r] = map_zero_o[rd_i[r]];
            results_o.old_phys[r] = map_phys_o[rd_i[r]];
          end
          results_o.rd       = rd_i;
          results_o.fresh[0] = ring_q[head_q];
          // The second result of a pair whose first one is tl0 takes the head.
          results_o.fresh[1] = rd_i[0] == 5'd0 ? ring_q[head_q] : ring_q[head2];
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q <= '0;
            free_o <= 3'(NumSpare);
            for (int unsigned i = 0; i < NumSpare; i++) begin
              ring_q[i] <= PhysW'(31 + i);
            end
          end else begin
            head_q <= head_q + taken[1:0];
            free_o <= free_o - taken + released;
            if (release_i[0]) ring_q[tail] <= release_phys_i[0];
            if (release_i[1]) ring_q[tail + 2'(release_i[0])] <= release_phys_i[1];
          end
        end
        "#,
    );
    m
}
