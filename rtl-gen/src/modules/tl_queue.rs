// SPDX-License-Identifier: Apache-2.0
//! `tl_queue`: the issue queue.

use crate::sv::{Module, Ty};

/// The queue; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_queue",
        "Issue queue: a FIFO of QueueEntries instructions. An instruction that finds it empty is at the output at once. The \
         word of the oldest one is in flip-flops, for much is decoded from it.",
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
    m.signal("kept", Ty::named("issue_bits_t"), "the oldest instruction, as it is in the memory");
    m.signal("oldest", Ty::named("issue_t"), "");
    m.signal("second", Ty::named("issue_t"), "the one behind it");
    m.signal("instr_q", Ty::bits(32), "word of the oldest");
    m.signal("head_q", Ty::named("tag_t"), "");
    m.signal("behind_q", Ty::named("tag_t"), "behind the head");
    m.signal("tail_q", Ty::named("tag_t"), "");
    m.signal("one_q", Ty::bit(), "there is one instruction");
    m.signal("two", Ty::bit(), "there are two");
    m.signal("near", Ty::bit(), "there is room for one");
    m.signal("unused_second", Ty::bit(), "");
    m.signal("enter", Ty::bit(), "");
    m.signal("push", Ty::bit(), "into the FIFO");
    m.signal("pop", Ty::bit(), "out of the FIFO");
    m.text(
        r#"
        assign valid_o = !empty_o || valid_i;
        assign kept    = entries[head_q];
        assign second  = entries[behind_q];
        assign entry_o = empty_o ? entry_i : oldest;
        assign two     = tail_q == next_tag(behind_q);
        assign near    = head_q == next_tag(tail_q);
        assign unused_second = ^second;
        assign enter   = valid_i && ready_o;
        assign push    = enter && !(empty_o && ready_i);
        assign pop     = !empty_o && ready_i;

        always_comb begin
          oldest       = kept;
          oldest.instr = instr_q;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q   <= '0;
            behind_q <= next_tag('0);
            tail_q  <= '0;
            ready_o <= 1'b1;
            empty_o <= 1'b1;
          end else begin
            if (push) tail_q <= next_tag(tail_q);
            if (pop) begin
              head_q   <= behind_q;
              behind_q <= next_tag(behind_q);
            end
            // What decode says is late: all else is known before.
            ready_o <= (ready_o && !(enter && near)) || ready_i;
            empty_o <= ready_i ? empty_o || (one_q && !enter) : empty_o && !enter;
          end
        end

        always_ff @(posedge clk_i) begin
          // It counts when there is an instruction.
          one_q <= ready_i ? (enter ? one_q : two) : (enter ? empty_o : one_q);
          if (ready_o) entries[tail_q] <= entry_i;
          if (empty_o || ready_i) instr_q <= empty_o || one_q ? entry_i.instr : second.instr;
        end
        "#,
    );
    m
}
