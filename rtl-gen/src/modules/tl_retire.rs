// SPDX-License-Identifier: Apache-2.0
//! `tl_retire`: instructions in flight, results in program order.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_retire",
        "Instructions in flight: entered by dispatch in program order, completed by the engines in any order, retired \
         in program order. The tag of an instruction is its slot.",
    );
    m.clocked();
    m.group("From dispatch");
    m.output("room_o", Ty::bit(), "");
    m.output("empty_o", Ty::bit(), "nothing is in flight");
    m.output("tag_o", Ty::named("tag_t"), "slot of the next instruction");
    m.input("enter_i", Ty::bit(), "");
    m.input("enter_done_i", Ty::bit(), "it is complete already: CSR instruction or illegal");
    m.input("entry_i", Ty::named("flight_t"), "");
    m.input("cause_i", Ty::named("cause_e"), "of an illegal instruction, else CauseNone");
    m.input("trap_i", Ty::bit(), "an illegal instruction enters; earlier than enter_i and cause_i");
    m.input("instr_i", Ty::bits(32), "its tval");
    m.group("From the CSR file, in the cycle after dispatch");
    m.input("csr_value_i", Ty::bits(32), "old value of a CSR");
    m.input("changed_i", Ty::named("csr_undo_t"), "the CSR that the instruction changed");
    m.group("From the engines");
    m.input("load_done_i", Ty::named("ls_done_t"), "");
    m.input("store_done_i", Ty::named("ls_done_t"), "");
    m.input("load_ok_i", Ty::named("done_t"), "a tensor load is complete without a trap: from flip-flops");
    m.input("store_ok_i", Ty::named("done_t"), "");
    m.input("move_done_i", Ty::named("done_t"), "");
    m.input("xpose_done_i", Ty::named("done_t"), "");
    m.group("Recovery from a trap: tl_recover");
    m.output("trap_seen_o", Ty::bit(), "an instruction traps: known now");
    m.output("trap_retires_o", Ty::bit(), "the result of one that traps is taken");
    m.output("all_done_o", Ty::bit(), "all are complete");
    m.output("head_o", Ty::named("tag_t"), "slot of the oldest");
    m.input("hold_i", Ty::bit(), "no results now");
    m.input("killed_i", Ty::bit(), "the oldest is killed");
    m.input(
        "walk_i",
        Ty::bit(),
        "undo the instruction that the cycle before named: its CSR and first result, or its second one",
    );
    m.input("walk_second_i", Ty::bit(), "");
    m.input("walk_soon_i", Ty::bit(), "walk_i of the next cycle");
    m.input("walk_tag_i", Ty::named("tag_t"), "the slot that is undone then");
    m.output("undo_o", Ty::bit(), "to the CSR file, in the cycle after it");
    m.output("undo_csr_o", Ty::named("csr_undo_t"), "");
    m.output("undo_value_o", Ty::bits(32), "");
    m.group("To the rename map");
    m.output("complete_o", Ty::bits(3), "a value has come");
    m.output("complete_mark_o", Ty::named("mark_t").packed(3), "with this mark");
    m.output(
        "restore_o",
        Ty::bit(),
        "a result is void: of an instruction that is undone, or of a load that trapped where none is",
    );
    m.output("restore_rd_o", Ty::bits(5), "");
    m.output("restore_old_o", Ty::named("src_t"), "");
    m.output("release_o", Ty::bits(2), "registers that nobody can read any more");
    m.output("release_phys_o", Ty::named("phys_t").packed(2), "");
    m.group("To the host");
    m.output("result_valid_o", Ty::bit(), "");
    m.input("result_ready_i", Ty::bit(), "");
    m.output("result_o", Ty::named("flight_t"), "");
    m.output("result_cause_o", Ty::named("cause_e"), "CauseNone: no trap");
    m.output("result_tval_o", Ty::bits(32), "of a trap, else 0");
    m.output("result_value_o", Ty::bits(32), "for the GPR");
    m.output("result_tag_o", Ty::named("tag_t"), "for the trace");

    m.text(
        r#"
        // Bits: arrays of structs are not portable.
        localparam int unsigned FlightW = 4 * PhysW + 30;
        localparam int unsigned UndoW   = NumCsrs + 8;

        logic [FlightW-1:0] flight_q [QueueEntries];

        // Cause, and tval or value: one memory for each that writes.
        logic [34:0] entered_q    [QueueEntries];
        logic [34:0] load_trap_q  [QueueEntries];
        logic [34:0] store_trap_q [QueueEntries];

        // What is undone when an older instruction traps.
        logic [UndoW-1:0] changed_q [QueueEntries];
        "#,
    );
    m.signal("at_q", Ty::named("tag_t"), "the oldest, or the one that is undone");
    m.signal("report", Ty::bits(35), "what its engine says, of a load or store: cause and tval");
    m.signal("head", Ty::bits(35), "its cause and tval; 0 without a trap");
    m.signal("done_q", Ty::bits("QueueEntries"), "a slot that is free is done");
    m.signal("enter_q", Ty::bit(), "the cycle after dispatch");
    m.signal("enter_done_q", Ty::bit(), "");
    m.signal("enter_tag_q", Ty::named("tag_t"), "");
    m.signal("enter_cause_q", Ty::named("cause_e"), "");
    m.signal("enter_instr_q", Ty::bits(32), "");
    m.signal("head_q", Ty::named("tag_t"), "");
    m.signal("tail_q", Ty::named("tag_t"), "");
    m.signal("count_q", Ty::bits("TagW+1"), "");
    m.signal("full_q", Ty::bit(), "");
    m.signal("retire", Ty::bit(), "");
    m.signal("load_trap", Ty::bit(), "");
    m.signal("store_trap", Ty::bit(), "");
    m.signal("done_now", Ty::bit(), "the oldest is complete in this cycle, without a trap");
    m.signal("done", Ty::bits("QueueEntries"), "");
    m.signal("next_q", Ty::named("tag_t"), "behind the oldest");
    m.signal("first", Ty::named("tag_t").packed(2), "the slot of the oldest, and that of the one behind it");
    m.signal("ends", Ty::bits(2), "");
    m.signal("vacant", Ty::bits(2), "there is no instruction in the slot of the oldest, in the one behind it");
    m.signal("head_done_q", Ty::bit(), "of the oldest: known without a look into all slots");
    m.signal("traps", Ty::bits(2), "the oldest traps, and is not killed: [0] it is illegal, [1] a load or store");
    m.signal("head_traps", Ty::bit(), "");
    m.text(
        r#"
        assign empty_o        = count_q == '0;
        assign room_o         = !full_q;
        assign tag_o          = tail_q;
        assign head_o         = head_q;
        assign all_done_o     = done_q == '1;
        assign result_valid_o = !empty_o && (head_done_q || done_now) && !hold_i;
        assign done_now       =
            (load_ok_i.valid && (load_ok_i.tag == head_q)) ||
            (store_ok_i.valid && (store_ok_i.tag == head_q)) ||
            (move_done_i.valid && (move_done_i.tag == head_q)) ||
            (xpose_done_i.valid && (xpose_done_i.tag == head_q));
        assign result_o       = flight_q[at_q];
        assign result_cause_o = cause_e'(head[34:32]);
        assign result_tval_o  = head[31:0];
        assign result_value_o = entered_q[at_q][31:0];
        assign result_tag_o   = head_q;
        assign retire         = result_valid_o && result_ready_i;
        assign load_trap      = load_done_i.valid && (load_done_i.cause != CauseNone);
        assign store_trap     = store_done_i.valid && (store_done_i.cause != CauseNone);

        // What an engine says is in its memory a cycle after the completion. One that retires in the
        // cycle of its completion does not trap.
        assign report     = result_o.by_store ? store_trap_q[at_q] : load_trap_q[at_q];
        assign traps[0]   = !killed_i && (entered_q[at_q][34:32] != CauseNone);
        assign traps[1]   = !killed_i && head_done_q && (result_o.by_load || result_o.by_store) &&
            (report[34:32] != CauseNone);
        assign head_traps = traps != '0;
        assign head       = ({35{traps[0]}} & entered_q[at_q]) | ({35{traps[1]}} & report);

        // What the engines say in this cycle.

        always_comb begin
          for (int unsigned i = 0; i < QueueEntries; i++) begin
            done[i] = done_q[i] ||
                (enter_done_q && (enter_tag_q == TagW'(i))) ||
                (load_done_i.valid && (load_done_i.tag == TagW'(i))) ||
                (store_done_i.valid && (store_done_i.tag == TagW'(i))) ||
                (move_done_i.valid && (move_done_i.tag == TagW'(i))) ||
                (xpose_done_i.valid && (xpose_done_i.tag == TagW'(i)));
          end
        end

        // What that is for the next oldest, which is in one of two slots: these are compared.
        assign first = {next_q, head_q};
        // The next one to enter is: what this says of a slot in which there is none, nobody looks at.
        assign vacant = {tail_q == next_q, empty_o};

        always_comb begin
          for (int unsigned i = 0; i < 2; i++) begin
            ends[i] = done_q[first[i]] ||
                (enter_done_q && (enter_tag_q == first[i])) ||
                (load_done_i.valid && (load_done_i.tag == first[i])) ||
                (store_done_i.valid && (store_done_i.tag == first[i])) ||
                (move_done_i.valid && (move_done_i.tag == first[i])) ||
                (xpose_done_i.valid && (xpose_done_i.tag == first[i]));
          end
        end

        always_ff @(posedge clk_i) begin
          head_done_q <= retire ? ends[1] && !vacant[1] : ends[0] && !vacant[0];
        end

        assign trap_seen_o    = load_trap || store_trap || trap_i;
        assign trap_retires_o = retire && head_traps;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            done_q  <= '1;
            head_q  <= '0;
            at_q    <= '0;
            next_q  <= TagW'(1);
            tail_q  <= '0;
            count_q <= '0;
            full_q  <= 1'b0;
          end else begin
            done_q <= done;
            for (int unsigned i = 0; i < QueueEntries; i++) begin
              if (enter_i && (tail_q == TagW'(i))) done_q[i] <= 1'b0;
            end
            if (enter_i) tail_q <= next_tag(tail_q);
            if (retire) head_q <= next_q;
            at_q <= walk_soon_i ? walk_tag_i : retire ? next_q : head_q;
            if (retire) next_q <= next_tag(next_q);
            if (enter_i && !retire) begin
              count_q <= count_q + 1'b1;
              full_q  <= count_q == (TagW + 1)'(QueueEntries - 1);
            end
            if (retire && !enter_i) begin
              count_q <= count_q - 1'b1;
              full_q  <= 1'b0;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          enter_q       <= enter_i;
          enter_done_q  <= enter_i && enter_done_i;
          enter_tag_q   <= tail_q;
          enter_cause_q <= cause_i;
          enter_instr_q <= instr_i;
          if (enter_i) flight_q[tail_q] <= entry_i;
          if (enter_q) begin
            entered_q[enter_tag_q] <=
                {enter_cause_q, enter_cause_q != CauseNone ? enter_instr_q : csr_value_i};
            changed_q[enter_tag_q] <= changed_i;
          end
          if (load_done_i.valid) begin
            load_trap_q[load_done_i.tag] <= {load_done_i.cause, load_done_i.tval};
          end
          if (store_done_i.valid) begin
            store_trap_q[store_done_i.tag] <= {store_done_i.cause, store_done_i.tval};
          end
        end
        "#,
    );
    m.section("Results that are complete: operands of later instructions. Stores have none. Transpositions complete more than a cycle \
         apart, so their second results have a cycle of their own.");
    m.signal("load_flight", Ty::named("flight_t"), "");
    m.signal("move_flight", Ty::named("flight_t"), "");
    m.signal("xpose_flight", Ty::named("flight_t"), "");
    m.signal("xpose_mark", Ty::named("mark_t").packed(2), "");
    m.signals(&["move_mark", "load_mark"], Ty::named("mark_t"));
    m.signal("second_q", Ty::bit(), "the second one of a transposition is next");
    m.signal("second_mark_q", Ty::named("mark_t"), "");
    m.signal("unused_flight", Ty::bit(), "");
    m.text(
        r#"
        assign load_flight  = flight_q[load_done_i.tag];
        assign move_flight  = flight_q[move_done_i.tag];
        assign xpose_flight = flight_q[xpose_done_i.tag];

        always_comb begin
          for (int unsigned r = 0; r < 2; r++) begin
            xpose_mark[r] = mark_of(xpose_flight.results.fresh[r], xpose_flight.results.rd[r]);
          end
        end

        assign move_mark = mark_of(move_flight.results.fresh[0], move_flight.results.rd[0]);
        assign load_mark = mark_of(load_flight.results.fresh[0], load_flight.results.rd[0]);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            restore_o <= 1'b0;
            undo_o    <= 1'b0;
          end else begin
            restore_o <= walk_i ? result_o.results.valid[walk_second_i]
                                : (Precise == 0) && load_trap &&
                                  load_flight.results.valid[0];
            undo_o    <= walk_i && !walk_second_i;
          end
        end

        always_ff @(posedge clk_i) begin
          complete_o      <= {xpose_done_i.valid ? xpose_flight.results.valid[0] : second_q,
              move_flight.results.valid[0] && move_done_i.valid,
              load_flight.results.valid[0] && load_done_i.valid};
          second_q        <= xpose_done_i.valid && xpose_flight.results.valid[1];
          second_mark_q   <= xpose_mark[1];
          complete_mark_o <= {xpose_done_i.valid ? xpose_mark[0] : second_mark_q,
              move_mark, load_mark};
          undo_csr_o   <= changed_q[at_q];
          undo_value_o <= entered_q[at_q][31:0];
          if (walk_i) begin
            restore_rd_o       <= result_o.results.rd[walk_second_i];
            restore_old_o.zero <= result_o.results.old_zero[walk_second_i];
            restore_old_o.phys <= result_o.results.old_phys[walk_second_i];
          end else begin
            restore_rd_o       <= load_flight.results.rd[0];
            restore_old_o.zero <= load_flight.results.old_zero[0];
            restore_old_o.phys <= load_flight.results.old_phys[0];
          end
        end

        // A matrix load has no result here. The other fields are for retirement.
        assign unused_flight = ^{load_flight, move_flight, xpose_flight};
        "#,
    );
    m.section(
        "A retired instruction has no older reader behind it: the register that its result replaced is free, or the \
         fresh one when it trapped or is killed.",
    );
    m.text(
        r#"
        always_comb begin
          for (int unsigned r = 0; r < 2; r++) begin
            release_o[r]      = retire && result_o.results.valid[r];
            release_phys_o[r] = result_o.results.old_phys[r];
            if (killed_i || head_traps) begin
              release_phys_o[r] = result_o.results.fresh[r];
            end
          end
        end
        "#,
    );
    m
}
