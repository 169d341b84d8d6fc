// SPDX-License-Identifier: Apache-2.0
//! `tl_load`: the load engine.

use crate::Config;
use crate::modules::{tl_fifo, tl_load_beats, tl_load_rows, tl_slice_walk};
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_load",
        "tl.load, tl.mload: slices of memory to the rows of a register. The walker checks the slices, tl_load_beats \
         requests the words that hold them, tl_load_rows puts their bytes in place. Two commands are in work: while \
         one receives its words, the next one requests its own.\n\
         One word per cycle; two rows per cycle where zeros are written.",
    );
    ports(&mut m);
    commands(&mut m, config);
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
    m.output("cmd_ready_o", Ty::bit(), "");
    m.input("cmd_i", Ty::named("load_cmd_t"), "");
    m.output("done_o", Ty::named("ls_done_t"), "");
    m.group("Stride CSR, read in the same cycle");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "");
    m.output("strides_busy_o", Ty::bit(), "a command may still read strides");
    m.group("Register file");
    m.output("rf_write_o", Ty::named("rf_write_t"), "");
    m.input("rf_write_gnt_i", Ty::bit(), "");
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
        "Two slots for commands. They go round: a command is accepted into a slot, its beats are requested, it is \
         finished, each in program order.",
    );
    m.text(&format!(
        r#"
        localparam int unsigned MemBytes = {};
        localparam int unsigned AddrW = $clog2(MemBytes);
        "#,
        config.l1m_bytes
    ));
    m.signal("used_q", Ty::bits(2), "accepted, not done");
    m.signal("walk_q", Ty::bits(2), "accepted, not all beats are requested");
    m.signal("accept_slot_q", Ty::bit(), "next to be accepted");
    m.signal("beat_slot_q", Ty::bit(), "requests its beats");
    m.signal("word_slot_q", Ty::bit(), "receives its words");
    m.signals(&["accept", "beats_done", "done"], Ty::bit());
    m.signal("done_slot_q", Ty::bit(), "");
    m.signal("tag_q", Ty::named("tag_t").packed(2), "");
    m.signal("drop_q", Ty::bits(2), "");
    m.signal("phys_q", Ty::named("phys_t").packed(2), "");
    m.signal("bytes_q", Ty::bits("ByteW+1").packed(2), "of a slice");
    m.signal("slices_q", Ty::bits(6).packed(2), "D0");
    m.signal("empty_q", Ty::bits(2), "no slice is selected");
    m.signal("all_q", Ty::bits(2), "all slices are selected");
    m.text(
        r#"
        assign cmd_ready_o = !used_q[accept_slot_q] && !strides_busy_o;
        assign accept      = cmd_valid_i && cmd_ready_o;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            used_q        <= '0;
            walk_q        <= '0;
            accept_slot_q <= 1'b0;
            beat_slot_q   <= 1'b0;
          end else begin
            if (accept) begin
              used_q[accept_slot_q] <= 1'b1;
              walk_q[accept_slot_q] <= 1'b1;
              accept_slot_q         <= !accept_slot_q;
            end
            if (beats_done) begin
              walk_q[beat_slot_q] <= 1'b0;
              beat_slot_q         <= !beat_slot_q;
            end
            if (done) used_q[done_slot_q] <= 1'b0;
          end
        end

        always_ff @(posedge clk_i) begin
          if (accept) begin
            tag_q[accept_slot_q]    <= cmd_i.tag;
            drop_q[accept_slot_q]   <= cmd_i.dst.drop;
            phys_q[accept_slot_q]   <= cmd_i.dst.phys;
            bytes_q[accept_slot_q]  <= cmd_i.bytes;
            slices_q[accept_slot_q] <= cmd_i.slices;
            empty_q[accept_slot_q]  <= cmd_i.mask == '0;
            all_q[accept_slot_q]    <= cmd_i.mask == below(cmd_i.slices);
          end
        end
        "#,
    );
}

fn requests(m: &mut Module) {
    m.section("Slices. Elements of 4 and 8 bits need no alignment.");
    m.signals(&["slice_valid", "slice_ready", "slice_misaligned", "slice_outside", "slice_last"], Ty::bit());
    m.signal("slice_fault", Ty::bit(), "");
    m.signal("slice_addr", Ty::bits(32), "");
    m.signal("slice_pos", Ty::named("byte_idx_t"), "");
    m.signal("slice_idx", Ty::bits(5), "");
    m.signal("align", Ty::bits(2), "");
    m.signal("unused_busy", Ty::bit(), "the slots tell");
    m.text(
        r#"
        assign align       = cmd_i.ewidth[1] ? {cmd_i.ewidth[0], !cmd_i.ewidth[0]} : 2'd0;
        assign slice_fault = slice_misaligned || slice_outside;
        "#,
    );
    m.instance(
        &tl_slice_walk::module(),
        "u_walk",
        &[("MemBytes", "MemBytes")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("start_i", "accept"),
            ("base_i", "cmd_i.base"),
            ("imm_i", "cmd_i.imm"),
            ("bytes_i", "cmd_i.bytes"),
            ("mask_i", "cmd_i.mask"),
            ("align_i", "align"),
            ("reading_o", "strides_busy_o"),
            ("busy_o", "unused_busy"),
            ("stride_idx_o", "stride_idx_o"),
            ("stride_i", "stride_i"),
            ("valid_o", "slice_valid"),
            ("ready_i", "slice_ready"),
            ("addr_o", "slice_addr"),
            ("pos_o", "slice_pos"),
            ("idx_o", "slice_idx"),
            ("misaligned_o", "slice_misaligned"),
            ("outside_o", "slice_outside"),
            ("last_o", "slice_last"),
        ],
    );

    m.section("Beats. Each is noted until its word is there; the notes limit the number of requests in flight.");
    m.signals(&["beat_valid", "beat_ready", "beat_mem", "beat_fault", "beat_last"], Ty::bit());
    m.signal("beat_addr", Ty::bits("AddrW"), "");
    m.signal("beat_count", Ty::bits("PortW+1"), "");
    m.signal("beat_pos", Ty::named("byte_idx_t"), "");
    m.signal("beat_slice", Ty::bits("AddrW"), "");
    m.signals(&["walk_next", "fault_taken", "dropping"], Ty::bit());
    m.text("assign walk_next = walk_q[!beat_slot_q] && !empty_q[!beat_slot_q];");
    m.instance(
        &tl_load_beats::module(),
        "u_beats",
        &[("AddrW", "AddrW")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("cmd_valid_i", "walk_q[beat_slot_q]"),
            ("cmd_empty_i", "empty_q[beat_slot_q]"),
            ("cmd_bytes_i", "bytes_q[beat_slot_q]"),
            ("cmd_done_o", "beats_done"),
            ("next_valid_i", "walk_next"),
            ("next_bytes_i", "bytes_q[!beat_slot_q]"),
            ("slice_valid_i", "slice_valid"),
            ("slice_ready_o", "slice_ready"),
            ("slice_addr_i", "slice_addr"),
            ("slice_pos_i", "slice_pos"),
            ("slice_idx_i", "slice_idx"),
            ("slice_fault_i", "slice_fault"),
            ("slice_last_i", "slice_last"),
            ("beat_valid_o", "beat_valid"),
            ("beat_ready_i", "beat_ready"),
            ("beat_mem_o", "beat_mem"),
            ("beat_fault_o", "beat_fault"),
            ("beat_last_o", "beat_last"),
            ("beat_addr_o", "beat_addr"),
            ("beat_count_o", "beat_count"),
            ("beat_pos_o", "beat_pos"),
            ("beat_slice_o", "beat_slice"),
            ("fault_taken_i", "fault_taken"),
            ("dropping_o", "dropping"),
        ],
    );
    m.signal("req_q", Ty::bit(), "");
    m.signal("req_word_q", Ty::bits("AddrW-PortW"), "");
    m.signals(&["req_ready", "note_ready"], Ty::bit());
    m.text(
        r#"
        assign req_ready  = !req_q || l1m_gnt_i;
        assign beat_ready = note_ready && (req_ready || !beat_mem);
        assign l1m_req_o  = req_q;
        assign l1m_addr_o = 32'({req_word_q, PortW'(0)});

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            req_q <= 1'b0;
          end else if (req_ready) begin
            req_q <= beat_valid && beat_ready && beat_mem;
          end
        end

        always_ff @(posedge clk_i) begin
          if (req_ready) req_word_q <= beat_addr[AddrW-1:PortW];
        end
        "#,
    );
}

fn responses(m: &mut Module) {
    m.section("The beat whose word is due next.");
    m.text("localparam int unsigned NoteW = 3 + PortW + PortW + 1 + ByteW + AddrW;");
    m.signals(&["note_in", "note"], Ty::bits("NoteW"));
    m.signals(&["note_valid", "note_taken", "note_mem", "note_fault", "note_last"], Ty::bit());
    m.signal("note_offset", Ty::named("port_off_t"), "");
    m.signal("note_count", Ty::bits("PortW+1"), "");
    m.signal("note_pos", Ty::named("byte_idx_t"), "");
    m.signal("note_slice", Ty::bits("AddrW"), "");
    m.signal("note_we", Ty::bit(), "");
    m.text(
        r#"
        assign note_we = beat_valid && beat_ready;
        assign note_in = {
          beat_mem, beat_fault, beat_last, beat_addr[PortW-1:0], beat_count, beat_pos, beat_slice
        };
        assign {note_mem, note_fault, note_last, note_offset, note_count, note_pos, note_slice} = note;
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_notes",
        &[("Width", "NoteW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "note_we"),
            ("ready_o", "note_ready"),
            ("data_i", "note_in"),
            ("valid_o", "note_valid"),
            ("ready_i", "note_taken"),
            ("data_o", "note"),
        ],
    );

    m.section(
        "Its word: from the memory, or from the words that could not be used at once. There is room for one for each \
         note.",
    );
    m.text("localparam int unsigned WordW = 1 + 8 * PortBytes;");
    m.signals(&["word_in", "kept", "word"], Ty::bits("WordW"));
    m.signals(&["keep", "kept_ready", "kept_valid", "kept_taken", "word_valid", "word_err"], Ty::bit());
    m.text(
        r#"
        assign word_in    = {l1m_err_i, l1m_rdata_i};
        assign keep       = l1m_rvalid_i && (kept_valid || !note_taken || !note_mem);
        assign kept_taken = note_taken && note_mem;
        assign word       = kept_valid ? kept : word_in;
        assign word_valid = kept_valid || l1m_rvalid_i;
        assign word_err   = note_mem && word[WordW-1];
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_words",
        &[("Width", "WordW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "keep"),
            ("ready_o", "kept_ready"),
            ("data_i", "word_in"),
            ("valid_o", "kept_valid"),
            ("ready_i", "kept_taken"),
            ("data_o", "kept"),
        ],
    );

    m.section("Rows.");
    m.signals(&["rows_word_valid", "rows_write", "unused_room"], Ty::bit());
    m.signal("finishing_q", Ty::bit(), "a command has all its words and is not done");
    m.signal("rows_valid", Ty::bit(), "");
    m.signal("writing", Ty::bits(2), "");
    m.signal("zero_todo_q", Ty::bits(2), "slots whose sweep is not over");
    m.signals(&["zero_valid_q", "zero_slot_q"], Ty::bit());
    m.signal("zero_row_q", Ty::bits("RowW+1"), "");
    m.signal("zero_count", Ty::bits(2), "");
    m.text(
        r#"
        // Only one command at a time finishes.
        assign rows_valid      = note_valid && !(note_last && finishing_q);
        assign rows_write      = note_mem && !drop_q[word_slot_q];
        assign rows_word_valid = word_valid || !note_mem;
        assign unused_room     = kept_ready;
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
            ("beat_ready_o", "note_taken"),
            ("beat_write_i", "rows_write"),
            ("beat_last_i", "note_last"),
            ("beat_offset_i", "note_offset"),
            ("beat_count_i", "note_count"),
            ("beat_pos_i", "note_pos"),
            ("beat_slot_i", "word_slot_q"),
            ("word_valid_i", "rows_word_valid"),
            ("word_i", "word[8*PortBytes-1:0]"),
            ("phys_i", "phys_q"),
            ("writing_o", "writing"),
            ("zero_todo_i", "zero_todo_q"),
            ("zero_valid_i", "zero_valid_q"),
            ("zero_slot_i", "zero_slot_q"),
            ("zero_row_i", "zero_row_q"),
            ("zero_count_o", "zero_count"),
            ("rf_write_o", "rf_write_o"),
            ("rf_write_gnt_i", "rf_write_gnt_i"),
        ],
    );
}

fn completion(m: &mut Module) {
    m.section(
        "Completion. The first slice that fails decides: an error of the memory is noted for the slice of the first \
         byte of its beat, and a slice that fails its checks comes behind the beats of those below it.",
    );
    m.signal("err_q", Ty::bit(), "the memory has answered with an error");
    m.signal("err_slice_q", Ty::bits("AddrW"), "address of the first slice with one");
    m.signal("done_valid_q", Ty::bit(), "");
    m.signal("done_tag_q", Ty::named("tag_t"), "");
    m.signal("done_cause_q", Ty::named("cause_e"), "");
    m.signal("done_tval_q", Ty::bits(32), "");
    m.signal("last_taken", Ty::bit(), "");
    m.text(
        r#"
        assign last_taken  = note_taken && note_last;
        assign fault_taken = note_taken && note_fault;
        assign done        = finishing_q && !writing[done_slot_q] && !zero_todo_q[done_slot_q] &&
            !dropping;
        assign done_o      = {done_valid_q, done_tag_q, done_cause_q, done_tval_q};

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            finishing_q  <= 1'b0;
            word_slot_q  <= 1'b0;
            done_slot_q  <= 1'b0;
            err_q        <= 1'b0;
            done_valid_q <= 1'b0;
          end else begin
            done_valid_q <= done;
            if (done) finishing_q <= 1'b0;
            if (last_taken) begin
              finishing_q <= 1'b1;
              word_slot_q <= !word_slot_q;
              done_slot_q <= word_slot_q;
              err_q       <= 1'b0;
            end else if (note_taken && word_err) begin
              err_q <= 1'b1;
            end
          end
        end

        // The result stays until the next command has all its words: one cycle after done or later.
        always_ff @(posedge clk_i) begin
          if (note_taken && !err_q) err_slice_q <= note_slice;
          if (last_taken) begin
            done_tag_q <= tag_q[word_slot_q];
            if (err_q || word_err) begin
              done_cause_q <= CauseLoadFault;
              done_tval_q  <= err_q ? 32'(err_slice_q) : 32'(note_slice);
            end else if (note_fault) begin
              done_cause_q <= slice_misaligned ? CauseLoadMisaligned : CauseLoadFault;
              done_tval_q  <= slice_addr;
            end else begin
              done_cause_q <= CauseNone;
              done_tval_q  <= '0;
            end
          end
        end
        "#,
    );
}

fn zeros(m: &mut Module) {
    m.section(
        "Sweep of zeros: of the rows behind the block when all slices are selected, of all rows otherwise. It starts \
         with the command, long before its first word is there.",
    );
    m.signal("zero_row", Ty::bits("RowW+1"), "after this cycle");
    m.signal("zero_start", Ty::bits("RowW+1"), "first row of the sweep of zero_slot_q");
    m.signal("block", Ty::bits("ByteW+1"), "bytes of its block");
    m.signal("zero_over", Ty::bit(), "");
    m.text(
        r#"
        assign block      = (ByteW + 1)'(slices_q[zero_slot_q]) * bytes_q[zero_slot_q];
        assign zero_start = block[ByteW:LaneW] + (RowW + 1)'(block[LaneW-1:0] != '0);

        always_comb begin
          if (zero_valid_q) begin
            zero_row = zero_row_q + (RowW + 1)'(zero_count);
          end else if (drop_q[zero_slot_q]) begin
            zero_row = (RowW + 1)'(Rows);
          end else begin
            zero_row = all_q[zero_slot_q] ? zero_start : '0;
          end
        end

        assign zero_over = zero_todo_q[zero_slot_q] && (zero_row == (RowW + 1)'(Rows));

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            zero_todo_q  <= '0;
            zero_valid_q <= 1'b0;
            zero_slot_q  <= 1'b0;
          end else begin
            if (accept) zero_todo_q[accept_slot_q] <= 1'b1;
            if (zero_over) begin
              zero_todo_q[zero_slot_q] <= 1'b0;
              zero_slot_q              <= !zero_slot_q;
            end
            zero_valid_q <= zero_todo_q[zero_slot_q] && !zero_over;
          end
        end

        always_ff @(posedge clk_i) begin
          zero_row_q <= zero_row;
        end
        "#,
    );
}
