// SPDX-License-Identifier: Apache-2.0
//! `tl_xpose_stage`: one exchange of the transpose engine.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_xpose_stage",
        "Exchanges bit Bit of the lane index with a bit of the count of the rows that pass, bit d where the delay is \
         2^d. The upper lanes (Bit set) are delayed in front of the exchange and the lower ones behind it: a row whose \
         count bit is set meets the upper lanes of the row 2^d before it. So all lanes leave with the same delay.\n\
         A row that nothing is exchanged with may have any delay that all rows in the stage have.",
    );
    let row = Ty::bits("Gran").packed("GranLanes");
    m.param("Bit", "0", "bit of the lane index");
    m.param("Depth", "4", "greatest delay, in steps; up to 2 it is the only one");
    m.clocked();
    m.input("delay_i", Ty::named("xpose_exchange_t"), "steps, 1 to Depth; changes when no row is in the stage");
    m.input("clear_i", Ty::bit(), "no row is in the stage");
    m.group("A step: a row, or nothing, in; a row, or nothing, out.");
    m.input("step_i", Ty::bit(), "");
    m.input("valid_i", Ty::bit(), "");
    m.input("swap_i", Ty::bits("GranLaneW"), "[i]: this row is exchanged at bit i");
    m.input("row_i", row.clone(), "");
    m.output("valid_o", Ty::bit(), "");
    m.output("swap_o", Ty::bits("GranLaneW"), "");
    m.output("row_o", row, "");
    m.text(
        r#"
        localparam int unsigned Half = GranLanes / 2;
        localparam int unsigned WordBits = RowBits + GranLaneW;

        // Lane number i of those whose Bit is as given.
        function automatic int unsigned lane(int unsigned i, int unsigned set);
          lane = ((i >> Bit) << (Bit + 1)) | (set << Bit) | (i & ((1 << Bit) - 1));
        endfunction
        "#,
    );
    let half = Ty::bits("Gran").packed("Half");
    m.signals(&["lower", "upper"], half.clone());
    m.signals(&["upper_late", "changed", "changed_late"], half);
    m.signal("swap_late", Ty::bits("GranLaneW"), "");
    m.signals(&["word", "late"], Ty::bits("WordBits"));
    m.signal("valid_q", Ty::bits("Depth"), "[d]: a row came d steps before the last one");
    m.text(
        r#"
        always_comb begin
          for (int unsigned i = 0; i < Half; i++) begin
            lower[i]         = row_i[lane(i, 0)];
            upper[i]         = row_i[lane(i, 1)];
            changed[i]       = swap_i[Bit] ? upper_late[i] : lower[i];
            row_o[lane(i, 0)] = changed_late[i];
            row_o[lane(i, 1)] = swap_i[Bit] ? lower[i] : upper_late[i];
          end
        end

        assign word                                  = {upper, changed, swap_i};
        assign {upper_late, changed_late, swap_late} = late;

        assign swap_o = swap_late;

        if (Depth <= 2) begin : gen_registers
          logic [Depth*WordBits-1:0] words_q;
          logic                      unused_delay;
          logic                      unused_reset;

          assign late         = words_q[(Depth-1)*WordBits+:WordBits];
          assign valid_o      = valid_q[Depth-1];
          assign unused_delay = ^delay_i;
          assign unused_reset = rst_ni;

          always_ff @(posedge clk_i) begin
            if (step_i) words_q <= (Depth * WordBits)'({words_q, word});
          end
        end else begin : gen_memory
          localparam int unsigned IndexW = $clog2(Depth);

          logic [WordBits-1:0] words [Depth];
          logic   [IndexW-1:0] index_q;
          logic   [IndexW-1:0] index_d;
          logic   [IndexW-1:0] read_q;   // of the word that is late by delay_i
          logic   [IndexW-1:0] newest;
          logic                unused_delay;

          // A word is read in the step in which its place is written again, at the latest.
          assign late         = words[read_q];
          assign index_d      = index_q + IndexW'(step_i);
          assign newest       = IndexW'(delay_i - 1'b1);
          assign valid_o      = valid_q[newest];
          assign unused_delay = ^delay_i;

          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) index_q <= '0;
            else index_q <= index_d;
          end

          always_ff @(posedge clk_i) begin
            // The delay does not change between a row and the one that comes delay_i steps later.
            read_q <= index_d - IndexW'(delay_i);
            if (step_i) words[index_q] <= word;
          end
        end

        // In reset the stages are empty.
        always_ff @(posedge clk_i) begin
          if (clear_i) valid_q <= '0;
          else if (step_i) valid_q <= Depth'({valid_q, valid_i});
        end
        "#,
    );
    m
}
