// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose_stage`: the staging memory of the transpose engine.

use crate::sv::{Module, Ty};

/// The module, from the networks that it instantiates; the same text for every configuration.
pub fn module(xor_net: &Module, lane_swap: &Module) -> Module {
    let mut m = Module::new(
        "tl_xpose_stage",
        "Staging memory: a bank for each granule of a row, 2^XposeRingW words deep.\n\
         A row is written across the banks, in an order that flip gives. A bank takes its word at depth, with the \
         bits inverted for which the bank number and skew have odd parity. A row is read in the same way, so it can \
         hold one granule of each of the rows that were written.",
    );
    let row = Ty::bits("Gran").packed("GranLanes");
    let skew = Ty::bits("GranLaneW").packed("XposeRingW");
    m.input("clk_i", Ty::bit(), "");
    m.group("Write port.");
    m.input("we_i", Ty::bit(), "");
    m.input("wdepth_i", Ty::bits("XposeRingW"), "");
    m.input("wskew_i", skew.clone(), "");
    m.input("wflip_i", Ty::bits("GranLaneW"), "granule g goes to bank g ^ wflip_i");
    m.input("wrow_i", row.clone(), "");
    m.group("Read port: row_o is the row read last, through flip_i and swap_i as they are now.");
    m.input("re_i", Ty::bit(), "");
    m.input("rdepth_i", Ty::bits("XposeRingW"), "");
    m.input("rskew_i", skew, "");
    m.input("flip_i", Ty::bits("GranLaneW"), "granule g comes from bank g ^ flip_i");
    m.input("swap_i", Ty::bits("XposeLaneSwaps"), "layers of the permutation of the lane bits");
    m.output("row_o", row.clone(), "");
    m.signals(&["wbanks", "rbanks", "flipped"], row);
    m.instance(xor_net, "u_write_net", &[], &[("flip_i", "wflip_i"), ("row_i", "wrow_i"), ("row_o", "wbanks")]);
    m.text(
        r#"
        for (genvar b = 0; b < GranLanes; b++) begin : gen_bank
          logic [XposeRingW-1:0] waddr;
          logic [XposeRingW-1:0] raddr;

          always_comb begin
            for (int unsigned j = 0; j < XposeRingW; j++) begin
              waddr[j] = wdepth_i[j] ^ (^(wskew_i[j] & GranLaneW'(b)));
              raddr[j] = rdepth_i[j] ^ (^(rskew_i[j] & GranLaneW'(b)));
            end
          end

          tl_ram_1r1w #(
            .Width(Gran),
            .Depth(2 ** XposeRingW)
          ) u_ram (
            .clk_i   (clk_i),
            .we_i    (we_i),
            .waddr_i (waddr),
            .wdata_i (wbanks[b]),
            .re_i    (re_i),
            .raddr_i (raddr),
            .rdata_o (rbanks[b])
          );
        end
        "#,
    );
    m.instance(xor_net, "u_read_net", &[], &[("flip_i", "flip_i"), ("row_i", "rbanks"), ("row_o", "flipped")]);
    m.instance(lane_swap, "u_lane_swap", &[], &[("swap_i", "swap_i"), ("row_i", "flipped"), ("row_o", "row_o")]);
    m
}
