// SPDX-License-Identifier: Apache-2.0
//! `tl_axi_run`: words that follow each other, as one burst.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_axi_run",
        "Words of a memory port that follow each other are a run, which becomes one burst. A run ends in the first cycle \
         without a word that continues it, so no word waits for one that may never come, and at the multiples of \
         BurstWords, so a burst crosses no 4-KiB boundary.",
    );
    m.param("AxiBytes", "PortBytes", "bytes of a beat, a power of two");
    m.param("BurstWords", "8", "a power of two, to 256 and to 4096 / PortBytes");
    m.clocked();
    m.group("Port of the unit");
    m.input("word_i", Ty::bit(), "a word is taken in this cycle; not without room_i");
    m.input("addr_i", Ty::bits(32), "its address");
    m.output("joins_o", Ty::bit(), "it belongs to the run");
    m.output("open_o", Ty::bit(), "there is a run");
    m.group("The run, when it ends");
    m.input("room_i", Ty::bit(), "a run may end");
    m.output("end_o", Ty::bit(), "");
    m.output("addr_o", Ty::bits(32), "address of its first beat");
    m.output("len_o", Ty::bits(8), "its beats, without the first");
    m.output("first_o", Ty::bits(8), "its first word, as index within the beat");
    m.output("words_o", Ty::bits(8), "its words, without the first");
    m.signals(&["first_q", "last_q"], Ty::bits(32));
    m.text(
        r#"
        assign joins_o = open_o && (addr_i == last_q + 32'(PortBytes))
                         && (addr_i / PortBytes % BurstWords != 32'd0);
        assign end_o   = open_o && room_i && !(word_i && joins_o);
        assign addr_o  = first_q / AxiBytes * AxiBytes;
        assign len_o   = 8'(last_q / AxiBytes - first_q / AxiBytes);
        assign first_o = 8'(first_q % AxiBytes / PortBytes);
        assign words_o = 8'((last_q - first_q) / PortBytes);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            open_o <= 1'b0;
          end else begin
            if (word_i) open_o <= 1'b1;
            else if (end_o) open_o <= 1'b0;
          end
        end

        always_ff @(posedge clk_i) begin
          if (word_i) last_q <= addr_i;
          if (word_i && !joins_o) first_q <= addr_i;
        end
        "#,
    );
    m
}
