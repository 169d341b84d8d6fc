// SPDX-License-Identifier: Apache-2.0
//! `tl_fifo`: a small first-in first-out buffer.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_fifo",
        "First-in first-out buffer. A word that enters is at the output in the next cycle; both handshakes come \
         from flip-flops.",
    );
    m.param("Width", "32", "bits of a word");
    m.param("Depth", "4", "words, a power of two");
    m.param("Refuses", "1", "0: no word comes when it is full, so it is always ready");
    m.clocked();
    m.input("valid_i", Ty::bit(), "");
    m.output("ready_o", Ty::bit(), "");
    m.input("data_i", Ty::bits("Width"), "");
    m.output("valid_o", Ty::bit(), "");
    m.input("ready_i", Ty::bit(), "");
    m.output("data_o", Ty::bits("Width"), "");
    m.text(
        r#"
        localparam int unsigned IndexW = $clog2(Depth);

        logic [Width-1:0] words [Depth];
        "#,
    );
    m.signals(&["head_q", "tail_q"], Ty::bits("IndexW"));
    m.signal("one_q", Ty::bit(), "there is one word");
    m.signal("last_q", Ty::bit(), "there is room for one word");
    m.signals(&["push", "pop"], Ty::bit());
    m.signal("two", Ty::bit(), "if there is one word, there are two");
    m.signal("near", Ty::bit(), "if there is room, it is for two");
    m.text(
        r#"
        assign push   = valid_i && ready_o;
        assign pop    = valid_o && ready_i;
        assign data_o = words[head_q];
        assign two    = tail_q == head_q + IndexW'(2);
        assign near   = tail_q == head_q - IndexW'(2);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q  <= '0;
            tail_q  <= '0;
            valid_o <= 1'b0;
            ready_o <= 1'b1;
            last_q  <= 1'b0;
          end else begin
            if (pop) head_q <= head_q + 1'b1;
            if (push) tail_q <= tail_q + 1'b1;
            // Handshakes are late, ready_i most of all: all else is known before.
            valid_o <= push || (valid_o && !(ready_i && one_q));
            ready_o <= (Refuses == 0) || pop || (ready_o && !(valid_i && last_q));
            last_q  <= pop ? (push ? last_q : !ready_o) : (push ? near : last_q);
          end
        end

        // It counts when there is a word.
        always_ff @(posedge clk_i) begin
          one_q <= pop ? (push ? one_q : two) : (push ? !valid_o : one_q);
        end

        always_ff @(posedge clk_i) begin
          if (push) words[tail_q] <= data_i;
        end
        "#,
    );
    m
}
