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

    m.section(
        "The map. tl0 has no storage; after reset every TLReg reads as zeros. Entries have a power of two of bits, so \
         that an index is a multiplexer and not a multiplication.",
    );
    m.signal("map_q", Ty::bits(8).packed(32), "{zero, physical register}");
    m.signal("entry1", Ty::bits(8), "");
    m.signal("entry2", Ty::bits(8), "");
    m.signal("entry_old", Ty::bits(8).packed(2), "");
    m.signal("take_valid", Ty::bits(2), "");
    m.signal("unused_entry", Ty::bit(), "");
    m.text(
        r#"
        assign entry1      = map_q[rs1_i];
        assign entry2      = map_q[rs2_i];
        assign src1_o.zero = entry1[7];
        assign src1_o.phys = entry1[PhysW-1:0];
        assign src2_o.zero = entry2[7];
        assign src2_o.phys = entry2[PhysW-1:0];
        assign take_valid  = take_i & results_o.valid;

        always_comb begin
          for (int unsigned i = 0; i < 32; i++) begin
            map_zero_o[i] = map_q[i][7];
            map_phys_o[i] = map_q[i][PhysW-1:0];
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            busy_o <= '0;
            for (int unsigned i = 0; i < 32; i++) begin
              map_q[i] <= i == 0 ? 8'h80 : 8'h80 + 8'(i - 1);
            end
          end else begin
            busy_o <= busy_o & ~complete_i;
            for (int unsigned i = 0; i < 32; i++) begin
              if (restore_i && (restore_rd_i == 5'(i))) begin
                map_q[i] <= {restore_old_i.zero, 7'(restore_old_i.phys)};
              end
              for (int unsigned r = 0; r < 2; r++) begin
                if (take_valid[r] && (rd_i[r] == 5'(i))) begin
                  map_q[i]  <= {1'b0, 7'(results_o.fresh[r])};
                  busy_o[i] <= 1'b1;
                end
              end
            end
          end
        end

        assign unused_entry = ^{entry1, entry2, entry_old};
        "#,
    );
    m.section(
        "Fresh registers: a ring of the spares. What is taken was mapped or released before, so it never overflows.",
    );
    m.signal("ring_q", Ty::bits(8).packed("NumSpare"), "");
    m.signal("first", Ty::named("phys_t"), "");
    m.signal("second", Ty::named("phys_t"), "");
    m.signal("unused_ring", Ty::bit(), "");
    m.signal("head_q", Ty::bits(2), "");
    m.signal("head2", Ty::bits(2), "slot behind the head");
    m.signal("tail", Ty::bits(2), "first free slot");
    m.signal("tail2", Ty::bits(2), "slot of the second register released");
    m.signal("taken", Ty::bits(3), "");
    m.signal("released", Ty::bits(3), "");
    m.text(
        r#"
        assign head2    = head_q + 2'd1;
        assign tail     = head_q + free_o[1:0];
        assign tail2    = tail + 2'(release_i[0]);
        assign taken    = 3'(take_valid[0]) + 3'(take_valid[1]);
        assign released = 3'(release_i[0]) + 3'(release_i[1]);

        assign first       = PhysW'(ring_q[head_q]);
        assign second      = PhysW'(ring_q[head2]);
        assign unused_ring = ^ring_q;

        always_comb begin
          for (int unsigned r = 0; r < 2; r++) begin
            entry_old[r]          = map_q[rd_i[r]];
            results_o.valid[r]    = rd_i[r] != 5'd0;
            results_o.old_zero[r] = entry_old[r][7];
            results_o.old_phys[r] = entry_old[r][PhysW-1:0];
          end
          results_o.rd       = rd_i;
          results_o.fresh[0] = first;
          // The second result of a pair whose first one is tl0 takes the head.
          results_o.fresh[1] = rd_i[0] == 5'd0 ? first : second;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q <= '0;
            free_o <= 3'(NumSpare);
            for (int unsigned i = 0; i < NumSpare; i++) begin
              ring_q[i] <= 8'(31 + i);
            end
          end else begin
            head_q <= head_q + taken[1:0];
            free_o <= free_o - taken + released;
            for (int unsigned i = 0; i < NumSpare; i++) begin
              if (release_i[0] && (tail == 2'(i))) ring_q[i] <= 8'(release_phys_i[0]);
              if (release_i[1] && (tail2 == 2'(i))) ring_q[i] <= 8'(release_phys_i[1]);
            end
          end
        end
        "#,
    );
    m
}
