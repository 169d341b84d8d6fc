// SPDX-License-Identifier: Apache-2.0
//! `tl_load`: the load engine.

mod completion;

use completion::{completion, zeros};

use crate::Config;
use crate::modules::{tl_beats, tl_fifo, tl_load_rows, tl_slice_walk};
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_load",
        "tl.load, tl.mload: slices of memory to the rows of a register. The walker checks the slices, tl_beats cuts \
         them into memory words, tl_load_rows puts their bytes in place. FIFOs stand between the steps, so that each \
         of them looks at its own state only; several commands are in work.\n\
         One word per cycle; two rows per cycle where zeros are written.",
    );
    ports(&mut m);
    commands(&mut m, config);
    slices(&mut m);
    requests(&mut m);
    responses(&mut m);
    completion(&mut m);
    zeros(&mut m);
    m
}

fn ports(m: &mut Module) {
    m.clocked();
    m.group("Command");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_soon_o", Ty::bit(), "a command may come in the next cycle, unless one comes now");
    m.input("cmd_i", Ty::named("load_cmd_t"), "");
    m.output("done_o", Ty::named("ls_done_t"), "");
    m.group("Stride CSR, read in the same cycle");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "");
    m.output("strides_busy_o", Ty::bit(), "a command may still read strides");
    m.group("Register file");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.output("rf_blank_o", Ty::bits(2), "banks to which zeros are written, whatever the data");
    m.input("rf_write_gnt_i", Ty::bits(2), "banks");
    m.group("L1M");
    m.output("l1m_req_o", Ty::bit(), "");
    m.input("l1m_gnt_i", Ty::bit(), "");
    m.output("l1m_addr_o", Ty::bits(32), "");
    m.input("l1m_rvalid_i", Ty::bit(), "");
    m.input("l1m_rdata_i", Ty::bits("8*PortBytes"), "");
    m.input("l1m_err_i", Ty::bit(), "");
}

fn commands(m: &mut Module, config: &Config) {
    m.section(
        "Slots for commands. They go round: a command is accepted into a slot, swept, filled with words, done, each in \
         program order.",
    );
    m.text(&format!(
        r#"
        localparam int unsigned MemBytes = {};
        localparam int unsigned AddrW = $clog2(MemBytes);
        localparam int unsigned Outstanding = {};  // requests without an answer
        "#,
        config.l1m_bytes, config.outstanding
    ));
    m.signal("used_q", Ty::bits("LoadSlots"), "accepted, not done");
    m.signal("accept_slot_q", Ty::named("load_slot_t"), "next to be accepted");
    m.signal("next_slot", Ty::named("load_slot_t"), "the one behind it");
    m.signal("free_q", Ty::bit(), "it can be used: it was free in the cycle before");
    m.signal("word_slot_q", Ty::named("load_slot_t"), "receives its words");
    m.signal("done_slot_q", Ty::named("load_slot_t"), "next to be done");
    m.signal("accept", Ty::bit(), "");
    m.signal("done", Ty::bit(), "");
    m.signals(&["walk_start", "walk_soon", "ready"], Ty::bit());
    m.text(
        r#"
        // Bits, not types: arrays of a named type are not portable.
        logic [TagW-1:0]   tag   [LoadSlots];
        logic              drop  [LoadSlots];
        logic [PhysW-1:0]  phys  [LoadSlots];
        logic [ByteW:0]    block [LoadSlots];  // bytes of D0 slices
        logic              all   [LoadSlots];  // all slices are selected

        assign cmd_soon_o = walk_soon && !used_q[accept_slot_q];
        assign ready      = walk_start && free_q;
        assign accept     = cmd_valid_i && ready;
        assign next_slot  = accept_slot_q + 1'b1;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            used_q        <= '0;
            accept_slot_q <= '0;
          end else begin
            if (accept) accept_slot_q <= next_slot;
            for (int unsigned i = 0; i < LoadSlots; i++) begin
              if (accept && (accept_slot_q == SlotW'(i))) used_q[i] <= 1'b1;
              if (done && (done_slot_q == SlotW'(i))) used_q[i] <= 1'b0;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          free_q <= !used_q[accept_slot_q];
          if (ready) begin
            tag[accept_slot_q]   <= cmd_i.tag;
            drop[accept_slot_q]  <= cmd_i.dst.drop;
            phys[accept_slot_q]  <= cmd_i.dst.phys;
            block[accept_slot_q] <= cmd_i.block;
            all[accept_slot_q]   <= cmd_i.all;
          end
        end
        "#,
    );
}

fn slices(m: &mut Module) {
    m.section(
        "Slices. Elements of 4 and 8 bits need no alignment. A slice that fails stands for its command from there on: \
         it becomes a slice without bytes, those behind it are dropped. Its address waits beside the FIFO, and \
         the walk with it, until it is reported.",
    );
    m.signals(&["walk_valid", "walk_ready", "walk_probe", "walk_none", "walk_joins", "walk_last"], Ty::bit());
    m.signals(&["walk_misaligned", "walk_outside", "walk_fails", "walk_push"], Ty::bit());
    m.signal("walk_addr", Ty::bits(32), "");
    m.signal("walk_pos", Ty::named("byte_idx_t"), "");
    m.signal("walk_bytes", Ty::bits("ByteW+1"), "");
    m.signal("align", Ty::bits(2), "");
    m.signal("dropping_q", Ty::bit(), "a slice of this command has failed");
    m.signal("fault_q", Ty::bit(), "a failure is not reported yet");
    m.signal("fault_misaligned_q", Ty::bit(), "");
    m.signal("fault_high_q", Ty::bits("32-AddrW"), "of its address; the rest is in its note, but for bit 0");
    m.signal("fault_odd_q", Ty::bit(), "");
    m.signal("fault_reported", Ty::bit(), "");
    m.signal("unused_probe", Ty::bit(), "loads have none");
    m.text("assign align = {&cmd_i.ewidth, cmd_i.ewidth[1]};\n");
    m.instance(
        &tl_slice_walk::module(),
        "u_walk",
        &[("MemBytes", "MemBytes")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("start_i", "accept"),
            ("ready_o", "walk_start"),
            ("soon_o", "walk_soon"),
            ("base_i", "cmd_i.base"),
            ("imm_i", "cmd_i.imm"),
            ("bytes_i", "cmd_i.bytes"),
            ("mask_i", "cmd_i.mask"),
            ("none_i", "cmd_i.none"),
            ("align_i", "align"),
            ("probe_i", "1'b0"),
            ("bound_i", "'0"),
            ("reading_o", "strides_busy_o"),
            ("stride_idx_o", "stride_idx_o"),
            ("stride_i", "stride_i"),
            ("valid_o", "walk_valid"),
            ("ready_i", "walk_ready"),
            ("probe_o", "walk_probe"),
            ("none_o", "walk_none"),
            ("addr_o", "walk_addr"),
            ("pos_o", "walk_pos"),
            ("bytes_o", "walk_bytes"),
            ("joins_o", "walk_joins"),
            ("misaligned_o", "walk_misaligned"),
            ("outside_o", "walk_outside"),
            ("last_o", "walk_last"),
        ],
    );
    m.signals(&["slice_room", "slice_valid", "slice_take"], Ty::bit());
    m.signals(&["slice_none", "slice_joins", "slice_last", "slice_none_d", "slice_joins_d", "slice_last_d"], Ty::bit());
    m.signal("slice_addr", Ty::bits("AddrW"), "");
    m.signal("slice_pos", Ty::named("byte_idx_t"), "");
    m.signal("slice_bytes", Ty::bits("ByteW+1"), "");
    m.signal("slice_addr_d", Ty::bits("AddrW"), "of a slice without bytes: odd when it has failed");
    m.text(
        r#"
        assign walk_fails   = walk_misaligned || walk_outside;
        assign walk_ready   = slice_room && !fault_q;
        assign walk_push    = walk_valid && walk_ready && !dropping_q;
        assign slice_none_d = walk_none || walk_fails;
        assign slice_joins_d = walk_joins && !walk_fails;
        assign slice_last_d = walk_last || walk_fails;
        assign slice_addr_d = {walk_addr[AddrW-1:1], slice_none_d ? walk_fails : walk_addr[0]};
        assign unused_probe = walk_probe;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            dropping_q <= 1'b0;
            fault_q    <= 1'b0;
          end else begin
            if (walk_valid && walk_ready) dropping_q <= (dropping_q || walk_fails) && !walk_last;
            if (walk_push && walk_fails) begin
              fault_q <= 1'b1;
            end else if (fault_reported) begin
              fault_q <= 1'b0;
            end
          end
        end

        always_ff @(posedge clk_i) begin
          if (walk_push && walk_fails) begin
            fault_misaligned_q <= walk_misaligned;
            fault_high_q       <= walk_addr[31:AddrW];
            fault_odd_q        <= walk_addr[0];
          end
        end
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_slices",
        &[("Width", "AddrW + 2 * ByteW + 4"), ("Depth", "16")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "walk_push"),
            ("ready_o", "slice_room"),
            ("data_i", "{slice_none_d, slice_joins_d, slice_last_d, slice_addr_d, walk_pos, walk_bytes}"),
            ("valid_o", "slice_valid"),
            ("ready_i", "slice_take"),
            ("data_o", "{slice_none, slice_joins, slice_last, slice_addr, slice_pos, slice_bytes}"),
        ],
    );
}

fn requests(m: &mut Module) {
    m.section("Beats: to the memory, and noted until the word is there.");
    m.signals(&["beat_valid", "beat_ready", "beat_none", "beat_last", "beat_go"], Ty::bit());
    m.signal("beat_addr", Ty::bits("AddrW"), "");
    m.signal("beat_bytes", Ty::bits("PortW+1"), "");
    m.signal("unused_stop", Ty::bits("PortW+1"), "");
    m.signal("unused_beat", Ty::bit(), "");
    m.signal("beat_pos", Ty::named("byte_idx_t"), "");
    m.signal("shift", Ty::bits("LaneW+1"), "lanes from the byte in the word to that in the row; may be negative");
    m.signal("beat_slice", Ty::bits("AddrW"), "");
    m.signals(&["req_room", "note_room"], Ty::bit());
    m.signal("req_word", Ty::bits("AddrW-PortW"), "");
    m.instance(
        &tl_beats::module(),
        "u_beats",
        &[("AddrW", "AddrW")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("slice_valid_i", "slice_valid"),
            ("slice_take_o", "slice_take"),
            ("slice_none_i", "slice_none"),
            ("slice_addr_i", "slice_addr"),
            ("slice_pos_i", "slice_pos"),
            ("slice_bytes_i", "slice_bytes"),
            ("slice_joins_i", "slice_joins"),
            ("slice_last_i", "slice_last"),
            ("beat_valid_o", "beat_valid"),
            ("beat_ready_i", "beat_ready"),
            ("beat_none_o", "beat_none"),
            ("beat_addr_o", "beat_addr"),
            ("beat_pos_o", "beat_pos"),
            ("beat_shift_o", "shift"),
            ("beat_bytes_o", "beat_bytes"),
            ("beat_stop_o", "unused_stop"),
            ("beat_slice_o", "beat_slice"),
            ("beat_last_o", "beat_last"),
        ],
    );
    m.text("localparam int unsigned NoteW = 2 + LaneW + PortW + 1 + ByteW + AddrW;");
    m.signals(&["req_push", "note_valid", "note_taken", "note_none", "note_last"], Ty::bit());
    m.signal("note_turn", Ty::named("lane_t"), "");
    m.signal("note_bytes", Ty::bits("PortW+1"), "");
    m.signal("note_pos", Ty::named("byte_idx_t"), "");
    m.signal("note_slice", Ty::bits("AddrW"), "");
    m.text(
        r#"
        assign beat_ready  = req_room && note_room;
        assign beat_go     = beat_valid && beat_ready;
        assign req_push    = beat_go && !beat_none;
        assign l1m_addr_o  = 32'({req_word, PortW'(0)});
        assign unused_beat = ^{shift[LaneW], beat_addr[PortW-1:0]};
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_requests",
        &[("Width", "AddrW - PortW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "req_push"),
            ("ready_o", "req_room"),
            ("data_i", "beat_addr[AddrW-1:PortW]"),
            ("valid_o", "l1m_req_o"),
            ("ready_i", "l1m_gnt_i"),
            ("data_o", "req_word"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_notes",
        &[("Width", "NoteW"), ("Depth", "Outstanding")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "beat_go"),
            ("ready_o", "note_room"),
            ("data_i", "{beat_none, beat_last, shift[LaneW-1:0], beat_bytes, beat_pos, beat_slice}"),
            ("valid_o", "note_valid"),
            ("ready_i", "note_taken"),
            ("data_o", "{note_none, note_last, note_turn, note_bytes, note_pos, note_slice}"),
        ],
    );
}

fn responses(m: &mut Module) {
    m.section("Words. There is room for one for each note.");
    m.text(
        r#"
        localparam int unsigned WordW = 1 + 8 * PortBytes;
        "#,
    );
    m.signal("word", Ty::bits("8*PortBytes"), "");
    m.signals(&["word_err", "word_valid", "word_taken", "unused_room"], Ty::bit());
    m.instance(
        &tl_fifo::module(),
        "u_words",
        &[("Width", "WordW"), ("Depth", "Outstanding"), ("Refuses", "0")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "l1m_rvalid_i"),
            ("ready_o", "unused_room"),
            ("data_i", "{l1m_err_i, l1m_rdata_i}"),
            ("valid_o", "word_valid"),
            ("ready_i", "word_taken"),
            ("data_o", "{word_err, word}"),
        ],
    );
    m.section("Rows.");
    m.signals(&["rows_valid", "rows_ready", "rows_write"], Ty::bit());
    m.signal("rows_phys", Ty::named("phys_t"), "");
    m.signal("writing", Ty::bits("LoadSlots"), "");
    m.signal("ended", Ty::bit(), "the last beat of a command is in u_rows");
    m.signal("ended_slot", Ty::named("load_slot_t"), "");
    m.signal("zero_todo_q", Ty::bits("LoadSlots"), "slots whose sweep is not over");
    m.signal("zero_valid_q", Ty::bit(), "");
    m.signal("zero_slot_q", Ty::named("load_slot_t"), "");
    m.signal("zero_phys_q", Ty::named("phys_t"), "");
    m.signal("zero_row_q", Ty::bits("RowW+1"), "");
    m.signal("zero_count", Ty::bits(2), "");
    m.text(
        r#"
        assign rows_valid = note_valid && (note_none || word_valid);
        assign rows_write = !note_none && !drop[word_slot_q];
        assign rows_phys  = phys[word_slot_q];
        assign note_taken = rows_valid && rows_ready;
        assign word_taken = note_taken && !note_none;
        "#,
    );
    m.instance(
        &tl_load_rows::module(),
        "u_rows",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("beat_valid_i", "rows_valid"),
            ("beat_ready_o", "rows_ready"),
            ("beat_write_i", "rows_write"),
            ("beat_last_i", "note_last"),
            ("beat_turn_i", "note_turn"),
            ("beat_bytes_i", "note_bytes"),
            ("beat_pos_i", "note_pos"),
            ("beat_slot_i", "word_slot_q"),
            ("beat_phys_i", "rows_phys"),
            ("word_i", "word"),
            ("writing_o", "writing"),
            ("ended_o", "ended"),
            ("ended_slot_o", "ended_slot"),
            ("zero_todo_i", "zero_todo_q"),
            ("zero_valid_i", "zero_valid_q"),
            ("zero_slot_i", "zero_slot_q"),
            ("zero_phys_i", "zero_phys_q"),
            ("zero_row_i", "zero_row_q"),
            ("zero_count_o", "zero_count"),
            ("rf_write_o", "rf_write_o"),
            ("rf_blank_o", "rf_blank_o"),
            ("rf_write_gnt_i", "rf_write_gnt_i"),
        ],
    );
}
