// SPDX-License-Identifier: Apache-2.0
//! `tl_load`, the end of a command: its completion, and the zeros behind and between its slices.

use crate::sv::{Module, Ty};

/// When a command is complete, and with which trap.
pub(super) fn completion(m: &mut Module) {
    m.section(
        "Completion. The first slice that fails decides: an error of the memory is noted for the slice of the first \
         byte of its beat, and a slice that fails its checks comes behind the beats of those below it.",
    );
    m.signal("err_q", Ty::bit(), "the memory has answered with an error");
    m.signal("err_slice_q", Ty::bits("AddrW"), "address of the first slice with one");
    m.signal("full_q", Ty::bits("LoadSlots"), "all words of the slot are there");
    m.signal("cause", Ty::named("cause_e"), "of the command whose last beat is taken");
    m.signal("tval", Ty::bits(32), "");
    m.signal("fault", Ty::bit(), "it is the address of a slice that fails its checks; else in the memory");
    m.signals(&["last_taken", "beat_err", "done_valid_q"], Ty::bit());
    m.signal("done_tag_q", Ty::named("tag_t"), "");
    m.signal("done_cause_q", Ty::named("cause_e"), "");
    m.signal("done_tval_q", Ty::bits(32), "");
    m.text(
        r#"
        logic [2:0]  slot_cause [LoadSlots];
        logic [31:0] slot_tval  [LoadSlots];
        logic        slot_fault [LoadSlots];

        assign beat_err       = word_err && !note_none;
        assign last_taken     = note_taken && note_last;
        assign fault_reported = note_taken && note_none && note_slice[0];
        assign done_o         = {done_valid_q, done_tag_q, done_cause_q, done_tval_q};
        assign done           = full_q[done_slot_q] && !writing[done_slot_q] && !zero_todo_q[done_slot_q];

        // A command without slices ends in a beat without bytes too.
        always_comb begin
          cause = CauseNone;
          tval  = {fault_high_q, err_q ? err_slice_q : note_slice};
          fault = 1'b0;
          if (err_q || beat_err) begin
            cause = CauseLoadFault;
          end else if (note_none && note_slice[0]) begin
            cause   = fault_misaligned_q ? CauseLoadMisaligned : CauseLoadFault;
            tval[0] = fault_odd_q;
            fault   = 1'b1;
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            word_slot_q  <= '0;
            done_slot_q  <= '0;
            full_q       <= '0;
            err_q        <= 1'b0;
            done_valid_q <= 1'b0;
          end else begin
            done_valid_q <= done;
            if (done) done_slot_q <= done_slot_q + 1'b1;
            if (last_taken) word_slot_q <= word_slot_q + 1'b1;
            for (int unsigned i = 0; i < LoadSlots; i++) begin
              if (done && (done_slot_q == SlotW'(i))) full_q[i] <= 1'b0;
              if (ended && (ended_slot == SlotW'(i))) full_q[i] <= 1'b1;
            end
            if (note_taken) err_q <= (err_q || beat_err) && !note_last;
          end
        end

        always_ff @(posedge clk_i) begin
          done_tag_q   <= tag[done_slot_q];
          done_cause_q <= cause_e'(slot_cause[done_slot_q]);
          done_tval_q  <= slot_fault[done_slot_q] ? slot_tval[done_slot_q] :
              32'(slot_tval[done_slot_q][AddrW-1:0]);
          if (note_taken && !err_q) err_slice_q <= note_slice;
          if (last_taken) begin
            slot_cause[word_slot_q] <= cause;
            slot_tval[word_slot_q]  <= tval;
            slot_fault[word_slot_q] <= fault;
          end
        end
        "#,
    );
}

/// Rows that no slice is written to.
pub(super) fn zeros(m: &mut Module) {
    m.section(
        "Sweep of zeros: of the rows behind the block when all slices are selected, of all rows otherwise. It starts \
         with the command, long before its first word is there.",
    );
    m.signal("zero_row", Ty::bits("RowW+1"), "after this cycle");
    m.signal("zero_block", Ty::bits("ByteW+1"), "bytes of the block of zero_slot_q");
    m.signal("zero_start", Ty::bits("RowW+1"), "first row of its sweep");
    m.signal("zero_over", Ty::bit(), "");
    m.text(
        r#"
        assign zero_block = block[zero_slot_q];
        assign zero_start = zero_block[ByteW:LaneW] + (RowW + 1)'(zero_block[LaneW-1:0] != '0);

        always_comb begin
          if (zero_valid_q) begin
            zero_row = zero_row_q + (RowW + 1)'(zero_count);
          end else if (drop[zero_slot_q]) begin
            zero_row = (RowW + 1)'(Rows);
          end else begin
            zero_row = all[zero_slot_q] ? zero_start : '0;
          end
        end

        // The rows are counted in powers of two: the end is one bit.
        assign zero_over = zero_valid_q && zero_row_q[RowW];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            zero_todo_q  <= '0;
            zero_valid_q <= 1'b0;
            zero_slot_q  <= '0;
          end else begin
            for (int unsigned i = 0; i < LoadSlots; i++) begin
              if (accept && (accept_slot_q == SlotW'(i))) zero_todo_q[i] <= 1'b1;
              if (zero_over && (zero_slot_q == SlotW'(i))) zero_todo_q[i] <= 1'b0;
            end
            if (zero_over) zero_slot_q <= zero_slot_q + 1'b1;
            zero_valid_q <= zero_todo_q[zero_slot_q] && !zero_over;
          end
        end

        always_ff @(posedge clk_i) begin
          zero_row_q  <= zero_row;
          zero_phys_q <= phys[zero_slot_q];
        end
        "#,
    );
}
