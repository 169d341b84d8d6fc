// SPDX-License-Identifier: Apache-2.0
//! `tl_load_bank`: rows that loads write to one bank.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_load_bank",
        "Rows of loads that wait to be written to one bank, in order. Where zeros are swept over the register of a row \
         before, the row waits until the sweep is past it, which is looked at in the cycle before.",
    );
    m.param("Bank", "0", "0: even rows, 1: odd rows");
    m.clocked();
    m.group("Rows that are finished");
    m.input("push_i", Ty::bit(), "not without room");
    m.output("room_o", Ty::bit(), "");
    m.input("slot_i", Ty::named("load_slot_t"), "of the command");
    m.input("phys_i", Ty::named("phys_t"), "");
    m.input("pair_i", Ty::bits("RowW-1"), "row pair");
    m.input("row_i", Ty::bits("RowBits"), "");
    m.group("Sweep: rows from zero_row_i on of a register");
    m.input("zero_todo_i", Ty::bits("LoadSlots"), "slots whose sweep is not over");
    m.input("zero_valid_i", Ty::bit(), "one is on");
    m.input("zero_slot_i", Ty::named("load_slot_t"), "");
    m.input("zero_row_i", Ty::bits("RowW+1"), "Rows: none is left");
    m.group("The oldest row");
    m.output("valid_o", Ty::bit(), "there is one");
    m.output("slot_o", Ty::named("load_slot_t"), "");
    m.output("here_o", Ty::bit(), "it may be written");
    m.output("blank_o", Ty::bit(), "not so");
    m.output("addr_o", Ty::named("bank_addr_t"), "");
    m.output("row_o", Ty::bits("RowBits"), "");
    m.input("gnt_i", Ty::bit(), "of the bank, in a cycle in which something is written there");
    m.text(
        r#"
        localparam int unsigned DestW = SlotW + PhysW + RowW - 1;

        logic [DestW-1:0]   dests [BankQueue];
        logic [RowBits-1:0] rows  [BankQueue];
        "#,
    );
    m.signals(&["head_q", "behind", "tail_q", "next_tail"], Ty::named("bank_place_t"));
    m.signal("one_q", Ty::bit(), "there is one row");
    m.signal("full_q", Ty::bit(), "there is no room");
    m.signal("pop", Ty::bit(), "");
    m.signal("step", Ty::bit(), "the row behind the oldest one becomes that");
    m.signal("phys_q", Ty::named("phys_t"), "of the oldest row");
    m.signal("pair_q", Ty::bits("RowW-1"), "");
    m.signal("next_slot", Ty::named("load_slot_t"), "of the row behind it, or of one that comes");
    m.signal("next_phys", Ty::named("phys_t"), "");
    m.signal("next_pair", Ty::bits("RowW-1"), "");
    m.signal("next_past", Ty::bit(), "the sweep is past it");
    m.signal("next_here", Ty::bit(), "");
    m.text(
        r#"
        // Whether the sweep is past a row.
        function automatic logic past(load_slot_t slot, logic [RowW-1-1:0] pair);
          past = !zero_todo_i[slot] ||
              (zero_valid_i && (zero_slot_i == slot) && ({1'b0, pair, 1'(Bank)} < zero_row_i));
        endfunction

        // The grant is late: all else is known before.
        assign pop       = here_o && gnt_i;
        assign step      = pop || !valid_o;
        assign behind    = head_q + 1'b1;
        assign next_tail = tail_q + 1'b1;
        assign next_past = past(next_slot, next_pair);
        assign next_here = step ? next_past && (push_i || (valid_o && !one_q)) :
            here_o || (valid_o && past(slot_o, pair_q));
        assign addr_o    = bank_addr(phys_q, pair_q);
        assign row_o     = rows[head_q];
        assign room_o    = !full_q;

        always_comb begin
          {next_slot, next_phys, next_pair} = dests[behind];
          if (!valid_o || one_q) {next_slot, next_phys, next_pair} = {slot_i, phys_i, pair_i};
        end

        // one_q counts when there is a row.
        always_ff @(posedge clk_i) begin
          one_q   <= (one_q && (push_i == pop)) || (push_i && !valid_o) ||
              (pop && !push_i && (tail_q == behind + 1'b1));
          blank_o <= !next_here;
        end

        always_ff @(posedge clk_i) begin
          if (push_i) begin
            dests[tail_q] <= {slot_i, phys_i, pair_i};
            rows[tail_q]  <= row_i;
          end
          if (step) begin
            slot_o <= next_slot;
            phys_q <= next_phys;
            pair_q <= next_pair;
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            head_q  <= '0;
            tail_q  <= '0;
            full_q  <= 1'b0;
            valid_o <= 1'b0;
            here_o  <= 1'b0;
          end else begin
            if (pop) head_q <= behind;
            if (push_i) tail_q <= next_tail;
            full_q  <= !pop && (full_q || (push_i && (next_tail == head_q)));
            valid_o <= push_i || (valid_o && !(pop && one_q));
            here_o  <= next_here;
          end
        end
        "#,
    );
    m
}
