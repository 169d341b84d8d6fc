// SPDX-License-Identifier: Apache-2.0
//! `tl_queue`: the issue queue.

use crate::sv::{Module, Ty};

/// The queue; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_queue",
        "Issue queue: a FIFO of QueueEntries instructions and an output register, so that dispatch starts from \
         flip-flops. An instruction that finds it empty is at the output one cycle later.",
    );
    m.clocked();
    m.group("From the host");
    m.input("valid_i", Ty::bit(), "");
    m.output("ready_o", Ty::bit(), "there is room");
    m.input("entry_i", Ty::named("issue_t"), "");
    m.group("To the dispatch stage");
    m.output("valid_o", Ty::bit(), "");
    m.input("ready_i", Ty::bit(), "");
    m.output("entry_o", Ty::named("issue_t"), "the oldest entry");
    m.text("issue_bits_t entries [QueueEntries];");
    m.signal("head_q", Ty::named("tag_t"), "");
    m.signal("tail_q", Ty::named("tag_t"), "");
    m.signal("count_q", Ty::bits("TagW+1"), "");
    m.signal("empty", Ty::bit(), "");
    m.signal("advance", Ty::bit(), "the output register is free for the next entry");
    m.signal("push", Ty::bit(), "into the FIFO");
    m.signal("pop", Ty::bit(), "out of the FIFO");
    m.text(
        r#"
        assign ready_o = count_q != (TagW + 1)'(QueueEntries);
        assign empty   = count_q == '0;
        assign advance = !valid_o || ready_i;
        assign push    = valid_i && ready_o && !(empty && advance);
        assign pop     = !empty && advance;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q  <= '0;
            tail_q  <= '0;
            count_q <= '0;
            valid_o <= 1'b0;
          end else begin
            if (push) tail_q <= next_tag(tail_q);
            if (pop) head_q <= next_tag(head_q);
            if (push && !pop) count_q <= count_q + 1'b1;
            if (pop && !push) count_q <= count_q - 1'b1;
            if (advance) valid_o <= !empty || valid_i;
          end
        end

        always_ff @(posedge clk_i) begin
          if (push) entries[tail_q] <= entry_i;
          if (advance) entry_o <= empty ? entry_i : entries[head_q];
        end
        "#,
    );
    m
}
