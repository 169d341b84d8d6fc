// SPDX-License-Identifier: Apache-2.0
//! `tl_queue`: the issue queue.

use crate::sv::{Module, Ty};

/// The queue; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_queue",
        "Issue queue: a FIFO of QueueEntries instructions. An instruction that finds it empty is at the output at once.",
    );
    m.clocked();
    m.group("From the host");
    m.input("valid_i", Ty::bit(), "");
    m.output("ready_o", Ty::bit(), "there is room");
    m.output("empty_o", Ty::bit(), "from a flip-flop");
    m.input("entry_i", Ty::named("issue_t"), "");
    m.group("To the decode stage");
    m.output("valid_o", Ty::bit(), "");
    m.input("ready_i", Ty::bit(), "");
    m.output("entry_o", Ty::named("issue_t"), "the oldest entry");
    m.text("logic [IssueW-1:0] entries [QueueEntries];");
    m.signal("oldest", Ty::named("issue_bits_t"), "");
    m.signal("head_q", Ty::named("tag_t"), "");
    m.signal("tail_q", Ty::named("tag_t"), "");
    m.signal("one_q", Ty::bit(), "there is one instruction");
    m.signal("two", Ty::bit(), "there are two");
    m.signal("near", Ty::bit(), "there is room for one");
    m.signal("enter", Ty::bit(), "");
    m.signal("push", Ty::bit(), "into the FIFO");
    m.signal("pop", Ty::bit(), "out of the FIFO");
    m.text(
        r#"
        assign valid_o = !empty_o || valid_i;
        assign oldest  = entries[head_q];
        assign two     = !empty_o && (tail_q == next_tag(next_tag(head_q)));
        assign near    = head_q == next_tag(tail_q);
        assign entry_o = empty_o ? entry_i : oldest;
        assign enter   = valid_i && ready_o;
        assign push    = enter && !(empty_o && ready_i);
        assign pop     = !empty_o && ready_i;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q  <= '0;
            tail_q  <= '0;
            ready_o <= 1'b1;
            empty_o <= 1'b1;
          end else begin
            if (push) tail_q <= next_tag(tail_q);
            if (pop) head_q <= next_tag(head_q);
            // What decode says is late: all else is known before.
            ready_o <= (ready_o && !(enter && near)) || ready_i;
            empty_o <= ready_i ? empty_o || (one_q && !enter) : empty_o && !enter;
          end
        end

        always_ff @(posedge clk_i) begin
          // It counts when there is an instruction.
          one_q <= ready_i ? (enter ? one_q : two) : (enter ? empty_o : one_q);
          if (ready_o) entries[tail_q] <= entry_i;
        end
        "#,
    );
    m
}
