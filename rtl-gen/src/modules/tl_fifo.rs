// SPDX-License-Identifier: Apache-2.0
//! `tl_fifo`: a small first-in first-out buffer.

use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_fifo",
        "First-in first-out buffer. A word that enters is at the output in the next cycle; both handshakes depend on \
         state only.",
    );
    m.param("Width", "32", "bits of a word");
    m.param("Depth", "4", "words, a power of two");
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
    m.signals(&["head_q", "tail_q"], Ty::bits("IndexW+1"));
    m.text(
        r#"
        // The indexes have one bit more than they need, which tells full from empty.
        assign valid_o = head_q != tail_q;
        assign ready_o = tail_q != (head_q ^ {1'b1, IndexW'(0)});
        assign data_o  = words[head_q[IndexW-1:0]];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q <= '0;
            tail_q <= '0;
          end else begin
            if (valid_o && ready_i) head_q <= head_q + 1'b1;
            if (valid_i && ready_o) tail_q <= tail_q + 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (valid_i && ready_o) words[tail_q[IndexW-1:0]] <= data_i;
        end
        "#,
    );
    m
}
