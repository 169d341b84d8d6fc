// SPDX-License-Identifier: Apache-2.0
//! `tl_store`: the store engine.

use crate::Config;
use crate::modules::{tl_beats, tl_fifo, tl_store_align, tl_store_bank, tl_store_check};
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_store",
        "Store engine: tl.store and tl.mstore. Slice i of the register goes to base + (tstore_stride_i + imm) * bytes \
         in L0M, in ascending order, one memory word per cycle. Nothing is requested before all slices of the store \
         have been checked.",
    );
    ports(&mut m);
    commands(&mut m);
    check(&mut m, config);
    gate(&mut m);
    beats(&mut m);
    read(&mut m);
    send(&mut m, config);
    responses(&mut m);
    m
}

fn ports(m: &mut Module) {
    m.clocked();
    m.group("Commands");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_soon_o", Ty::bit(), "a command may come in the next cycle, unless one comes now");
    m.input("cmd_i", Ty::named("store_cmd_t"), "");
    m.input("late_i", Ty::bit(), "the value that is stored is still to come");
    m.group("Strides");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "tstore_stride[stride_idx_o]");
    m.input("bound_i", Ty::bits(32), "not less than any of them");
    m.output("strides_busy_o", Ty::bit(), "an accepted command may still read them");
    m.group("Register file");
    m.output("rf_read_o", Ty::named("rf_read_t"), "");
    m.input("rf_read_gnt_i", Ty::bits(2), "banks");
    m.input("rf_rdata_i", Ty::bits("RowBits").packed(2), "");
    m.group("L0M port");
    m.output("l0m_req_o", Ty::bit(), "");
    m.input("l0m_gnt_i", Ty::bit(), "");
    m.output("l0m_addr_o", Ty::bits(32), "");
    m.output("l0m_be_o", Ty::bits("PortBytes"), "");
    m.output("l0m_wdata_o", Ty::bits("8*PortBytes"), "");
    m.input("l0m_rvalid_i", Ty::bit(), "");
    m.input("l0m_err_i", Ty::bit(), "");
    m.output("l0m_tag_o", Ty::named("tag_t"), "command of the request");
    m.group("Lines of the matrix engine, which become be and wdata as a beat does");
    m.input("mx_owns_i", Ty::bit(), "the port is its own: no store is here that writes");
    m.input("mx_take_i", Ty::bit(), "a line may come; else be and wdata stay");
    m.input("mx_line_i", Ty::bits("8*PortBytes"), "");
    m.input("mx_turn_i", Ty::named("port_off_t"), "lanes to rotate it to the left");
    m.input("mx_be_i", Ty::bits("PortBytes"), "rotated already");
    m.group("Precise traps");
    m.input("pending_i", Ty::bits("NumPhys"), "registers whose value is still to come");
    m.input("load_taken_i", Ty::bit(), "a load is dispatched");
    m.input("load_done_i", Ty::bit(), "a load is complete");
    m.input("load_trap_i", Ty::bit(), "and it trapped");
    m.input("give_up_i", Ty::bit(), "stores that have not begun are void");
    m.group("Completion");
    m.output("done_o", Ty::named("ls_done_t"), "");
}

/// Commands on their way to the check.
fn commands(m: &mut Module) {
    m.section(
        "Commands. Where traps are precise, a store waits for its value here, and the check stops when it is full. Then \
         the next ones wait in front of it, so that dispatch need not.",
    );
    m.text("localparam int unsigned CmdW = TagW + PhysW + ByteW + 77;  // bits of a command");
    m.signals(&["check_valid", "check_ready", "check_soon", "check_reads"], Ty::bit());
    m.signal("check_cmd", Ty::named("store_cmd_t"), "");
    m.signals(&["held_valid", "held_room"], Ty::bit());
    m.signal("held_first", Ty::bit(), "one waits; one that comes stands behind it");
    m.signal("held", Ty::named("store_cmd_t"), "");
    m.instance(
        &tl_fifo::module(),
        "u_held",
        &[("Width", "CmdW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "cmd_valid_i && (held_first || !check_ready)"),
            ("ready_o", "held_room"),
            ("data_i", "cmd_i"),
            ("valid_o", "held_valid"),
            ("ready_i", "check_ready"),
            ("data_o", "held"),
        ],
    );
    m.text(
        r#"
        assign held_first     = held_valid && (Precise != 0);
        assign cmd_soon_o     = (Precise != 0) ? held_room : check_soon;
        assign check_valid    = held_first || cmd_valid_i;
        assign check_cmd      = held_first ? held : cmd_i;

        // A cycle longer than need be, from a flip-flop: what waits for it goes far.
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) strides_busy_o <= 1'b0;
          else strides_busy_o <= cmd_valid_i || held_first || check_reads;
        end
        "#,
    );
}

fn check(m: &mut Module, config: &Config) {
    m.section("Check.");
    m.signals(&["op_valid", "op_take", "slice_valid", "slice_take", "slice_joins", "slice_last"], Ty::bit());
    m.signal("op", Ty::named("store_op_t"), "");
    m.signal("slice_addr", Ty::named("l0m_addr_t"), "");
    m.signal("slice_pos", Ty::named("byte_idx_t"), "");
    m.signal("slice_bytes", Ty::bits("ByteW+1"), "");
    m.instance(
        &tl_store_check::module(config),
        "u_check",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("cmd_valid_i", "check_valid"),
            ("cmd_ready_o", "check_ready"),
            ("cmd_soon_o", "check_soon"),
            ("cmd_i", "check_cmd"),
            ("stride_idx_o", "stride_idx_o"),
            ("stride_i", "stride_i"),
            ("bound_i", "bound_i"),
            ("strides_busy_o", "check_reads"),
            ("op_valid_o", "op_valid"),
            ("op_take_i", "op_take"),
            ("op_o", "op"),
            ("slice_valid_o", "slice_valid"),
            ("slice_take_i", "slice_take"),
            ("slice_addr_o", "slice_addr"),
            ("slice_pos_o", "slice_pos"),
            ("slice_bytes_o", "slice_bytes"),
            ("slice_joins_o", "slice_joins"),
            ("slice_last_o", "slice_last"),
        ],
    );
}

fn gate(m: &mut Module) {
    m.section(
        "Precise traps: a store begins when nothing older can trap any more but by an answer of L0M. Older loads are \
         complete: they are counted when they are dispatched, with a mark for each store, and when they are complete, \
         which is in program order, up to one that traps. No older store has failed its check. A mark goes when its \
         loads are complete and the value that is stored has come, and its store is one of those that have passed.",
    );
    m.signals(&["loads_taken_q", "loads_done_q", "mark"], Ty::bits("TagW+1"));
    m.signal("ahead", Ty::bits("TagW+1"), "older loads that are not complete; negative: younger ones are");
    m.signal("mark_phys", Ty::named("phys_t"), "");
    m.signal("late", Ty::bit(), "the value that is stored is still to come");
    m.signals(&["mark_late", "mark_room", "mark_valid", "unused_mark", "pass"], Ty::bit());
    m.signal("loaded_q", Ty::bit(), "older loads are complete, and its value has come: known a cycle later");
    m.signal("passed_q", Ty::bits(4), "stores that have passed and are here");
    m.signal("any_passed_q", Ty::bit(), "the oldest has");
    m.signals(&["begun_q", "load_failed_q", "check_failed_q"], Ty::bit());
    m.signals(&["passed", "may_begin", "dropped", "none_done"], Ty::bit());
    m.instance(
        &tl_fifo::module(),
        "u_marks",
        &[("Width", "TagW + 2 + PhysW"), ("Depth", "8")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "cmd_valid_i"),
            ("ready_o", "mark_room"),
            ("data_i", "{loads_taken_q, late_i, cmd_i.src.phys}"),
            ("valid_o", "mark_valid"),
            ("ready_i", "pass"),
            ("data_o", "{mark, mark_late, mark_phys}"),
        ],
    );
    m.text(
        r#"
        assign unused_mark = mark_room;  // no more marks than stores here
        assign ahead       = mark - loads_done_q;
        assign late        = mark_late && pending_i[mark_phys];
        assign pass        = mark_valid && (give_up_i || loaded_q);
        assign passed      = unless_precise(any_passed_q);
        assign may_begin   = unless_precise(begun_q || (any_passed_q && !check_failed_q));
        assign dropped     = give_up_i && !begun_q;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            loads_taken_q  <= '0;
            loads_done_q   <= '0;
            load_failed_q  <= 1'b0;
            check_failed_q <= 1'b0;
            passed_q       <= '0;
            any_passed_q   <= 1'b0;
            loaded_q       <= 1'b0;
          end else begin
            if (load_taken_i) loads_taken_q <= loads_taken_q + 1'b1;
            if (give_up_i) begin
              loads_done_q <= loads_taken_q;
            end else if (load_done_i && !load_trap_i && !load_failed_q) begin
              loads_done_q <= loads_done_q + 1'b1;
            end
            load_failed_q  <= !give_up_i && (load_failed_q || load_trap_i);
            check_failed_q <= !give_up_i &&
                (check_failed_q || (none_done && (op.cause != CauseNone)));
            // That one passes is late.
            if (pass != op_take) passed_q <= passed_q + {{3{op_take}}, 1'b1};  // or less one
            loaded_q       <= mark_valid && !pass && (ahead == '0 || ahead[TagW]) && !late;
            any_passed_q   <= pass || passed_q > 4'(op_take);
          end
        end
        "#,
    );
}

fn beats(m: &mut Module) {
    m.section("Beats of the oldest store. One that stores nothing waits until all before it are complete, and one that is void gives its last beat then.");
    m.signals(&["beat_valid", "beat_ready", "beat_last", "beat_go", "unused_none"], Ty::bit());
    m.signal("beat_addr", Ty::named("l0m_addr_t"), "");
    m.signal("beat_pos", Ty::named("byte_idx_t"), "");
    m.signal("shift", Ty::bits("LaneW+1"), "lanes from the byte in the word to that in the row; may be negative");
    m.signal("unused_bytes", Ty::bits("PortW+1"), "");
    m.signal("beat_stop", Ty::bits("PortW+1"), "behind the last byte, in the memory word");
    m.signal("beat_slice", Ty::named("l0m_addr_t"), "");
    m.signal("read_room", Ty::bit(), "for a beat more");
    m.signal("bank_room", Ty::bits(2), "of each bank, for a row more");
    m.signal("idle", Ty::bit(), "no beat is on its way");
    m.instance(
        &tl_beats::module(),
        "u_beats",
        &[("AddrW", "L0mW")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("slice_valid_i", "slice_valid"),
            ("slice_take_o", "slice_take"),
            ("slice_none_i", "1'b0"),
            ("slice_addr_i", "slice_addr"),
            ("slice_pos_i", "slice_pos"),
            ("slice_bytes_i", "slice_bytes"),
            ("slice_joins_i", "slice_joins"),
            ("slice_last_i", "slice_last"),
            ("beat_valid_o", "beat_valid"),
            ("beat_ready_i", "beat_ready"),
            ("beat_none_o", "unused_none"),
            ("beat_addr_o", "beat_addr"),
            ("beat_pos_o", "beat_pos"),
            ("beat_shift_o", "shift"),
            ("beat_bytes_o", "unused_bytes"),
            ("beat_stop_o", "beat_stop"),
            ("beat_slice_o", "beat_slice"),
            ("beat_last_o", "beat_last"),
        ],
    );
    m.text(
        r#"
        assign beat_ready = op_valid && !op.none &&
            (dropped ? !beat_last || (idle && passed) : read_room && (&bank_room) && may_begin);
        assign beat_go    = beat_valid && beat_ready && !dropped;
        assign none_done  = op_valid && idle && passed &&
            (op.none || (dropped && beat_valid && beat_last));
        assign op_take    = none_done || (beat_go && beat_last);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            begun_q <= 1'b0;
          end else if (beat_go) begin
            begun_q <= !beat_last;
          end
        end
        "#,
    );
}

fn read(m: &mut Module) {
    m.section(
        "Read of the register, one or two rows for a beat. Row r is in bank r[0]; when r is odd, row r + 1 is of the next \
         pair. Each bank reads its rows on its own, and the beats wait for them.",
    );
    m.text(
        r#"
        // What goes on to the port.
        localparam int unsigned BeatW = 1 + TagW + 2 * L0mW + LaneW + PortW + 1;
        "#,
    );
    m.signal("row", Ty::named("row_t"), "of the first byte");
    m.signal("stop", Ty::bits("LaneW+2"), "behind the last byte, in lanes");
    m.signal("spill", Ty::bit(), "the next row is needed too");
    m.signal("banks", Ty::bits(2), "banks to be read");
    m.signal("bank", Ty::bits("Lanes"), "of each lane: below the first byte is the next row");
    m.signal("pick", Ty::bits("Lanes").packed(2), "lanes of each bank");
    m.signal("addr", Ty::named("bank_addr_t").packed(2), "");
    m.signal("beat", Ty::bits("BeatW"), "");
    m.signal("push", Ty::bits(2), "");
    m.signals(&["rows_here", "rows_go"], Ty::bit());
    m.signal("rows_banks", Ty::bits(2), "");
    m.signal("rows_pick", Ty::bits("Lanes").packed(2), "");
    m.signal("rows_beat", Ty::bits("BeatW"), "");
    m.signal("rows_valid", Ty::bits(2), "of each bank, the oldest row is here");
    m.signal("rows_take", Ty::bits(2), "");
    m.signal("rows", Ty::bits("RowBits").packed(2), "");
    m.text(
        r#"
        assign row     = beat_pos[ByteW-1:LaneW];
        assign stop    = {shift[LaneW], shift} + (LaneW + 2)'(beat_stop);
        assign spill   = stop > (LaneW + 2)'(Lanes);
        assign banks   = op.src.zero ? 2'b00 : {row[0] || spill, !row[0] || spill};
        assign addr[0] = bank_addr(op.src.phys, row[RowW-1:1] + (RowW - 1)'(row[0]));
        assign addr[1] = bank_addr(op.src.phys, row[RowW-1:1]);
        assign bank    = {Lanes{!row[0]}} ^ ({Lanes{1'b1}} << beat_pos[LaneW-1:0]);
        assign pick    = {bank, ~bank} & {2 * Lanes{!op.src.zero}};
        assign beat    = {beat_last, op.tag, beat_slice, beat_addr, shift[LaneW-1:0], beat_stop};
        assign push    = banks & {2{beat_go}};
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_reads",
        &[("Width", "2 + 2 * Lanes + BeatW"), ("Depth", "2 * BankQueue")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "beat_go"),
            ("ready_o", "read_room"),
            ("data_i", "{pick, banks, beat}"),
            ("valid_o", "rows_here"),
            ("ready_i", "rows_go"),
            ("data_o", "{rows_pick, rows_banks, rows_beat}"),
        ],
    );
    for bank in ["0", "1"] {
        let of = |name: &str| format!("{name}[{bank}]");
        m.instance(
            &tl_store_bank::module(),
            &format!("u_bank_{bank}"),
            &[],
            &[
                ("clk_i", "clk_i"),
                ("rst_ni", "rst_ni"),
                ("push_i", &of("push")),
                ("addr_i", &of("addr")),
                ("room_o", &of("bank_room")),
                ("read_valid_o", &of("rf_read_o.valid")),
                ("read_addr_o", &of("rf_read_o.addr")),
                ("read_gnt_i", &of("rf_read_gnt_i")),
                ("rdata_i", &of("rf_rdata_i")),
                ("valid_o", &of("rows_valid")),
                ("take_i", &of("rows_take")),
                ("row_o", &of("rows")),
            ],
        );
    }
}

fn send(m: &mut Module, config: &Config) {
    m.section("The word of a beat, and the port.");
    m.text(&format!(
        r#"
        localparam int unsigned WordW = L0mW - PortW;     // of the address of a memory word
        localparam int unsigned InfoW = L0mW + TagW + 1;  // slice, tag, last
        localparam int unsigned Outstanding = {};  // requests without an answer
        "#,
        config.outstanding
    ));
    m.signals(&["rows_last", "word_valid_q", "word_free", "sent"], Ty::bit());
    m.signals(&["waiting_valid", "waiting_room", "sent_last", "waiting_last"], Ty::bit());
    m.signals(&["rows_tag", "waiting_tag"], Ty::named("tag_t"));
    m.signals(&["rows_slice", "rows_addr", "sent_slice", "waiting_slice"], Ty::named("l0m_addr_t"));
    m.signal("rows_shift", Ty::named("lane_t"), "");
    m.signal("rows_stop", Ty::bits("PortW+1"), "");
    m.signal("word_q", Ty::bits("WordW+InfoW"), "");
    m.signal("word", Ty::bits("WordW"), "");
    m.text(
        r#"
        assign {rows_last, rows_tag, rows_slice, rows_addr} = rows_beat[BeatW-1:LaneW+PortW+1];
        assign {rows_shift, rows_stop}                      = rows_beat[LaneW+PortW:0];

        assign word_free = !word_valid_q || sent;
        assign rows_go   = ((rows_banks & ~rows_valid) == 2'b00) && word_free;
        assign rows_take = rows_banks & {2{rows_here && rows_go}};

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            word_valid_q <= 1'b0;
          end else if (word_free) begin
            word_valid_q <= rows_here && rows_go;
          end
        end

        // What is taken without its rows is no word.
        always_ff @(posedge clk_i) begin
          if (word_free) word_q <= {rows_addr[L0mW-1:PortW], rows_slice, rows_tag, rows_last};
        end
        "#,
    );
    m.instance(
        &tl_store_align::module(),
        "u_align",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("take_i", "word_free"),
            ("rows_i", "rows"),
            ("pick_i", "rows_pick"),
            ("shift_i", "rows_shift"),
            ("offset_i", "rows_addr[PortW-1:0]"),
            ("stop_i", "rows_stop"),
            ("mx_owns_i", "mx_owns_i"),
            ("mx_take_i", "mx_take_i"),
            ("mx_line_i", "mx_line_i"),
            ("mx_turn_i", "mx_turn_i"),
            ("mx_be_i", "mx_be_i"),
            ("be_o", "l0m_be_o"),
            ("wdata_o", "l0m_wdata_o"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_waiting",
        &[("Width", "InfoW"), ("Depth", "Outstanding")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "sent"),
            ("ready_o", "waiting_room"),
            ("data_i", "{sent_slice, l0m_tag_o, sent_last}"),
            ("valid_o", "waiting_valid"),
            ("ready_i", "l0m_rvalid_i"),
            ("data_o", "{waiting_slice, waiting_tag, waiting_last}"),
        ],
    );
    m.text(
        r#"
        assign {word, sent_slice, l0m_tag_o, sent_last} = word_q;

        assign l0m_req_o  = word_valid_q && waiting_room;
        assign l0m_addr_o = 32'({word, PortW'(0)});
        assign sent       = l0m_req_o && l0m_gnt_i;
        "#,
    );
}

fn responses(m: &mut Module) {
    m.section(
        "Responses. Beats are sent in the order of their slices, so the first error of a store has the lowest slice.",
    );
    m.signal("failed_q", Ty::bit(), "a response of this store had an error");
    m.signal("failed_slice_q", Ty::named("l0m_addr_t"), "");
    m.signals(&["done_valid", "done_valid_q"], Ty::bit());
    m.signal("done_tag_q", Ty::named("tag_t"), "");
    m.signal("done_cause_q", Ty::named("cause_e"), "");
    m.signal("done_tval_q", Ty::bits(32), "");
    m.text(
        r#"
        assign idle       = !rows_here && !word_valid_q && !waiting_valid;
        assign done_valid = none_done || (l0m_rvalid_i && waiting_last);
        assign done_o     = {done_valid_q, done_tag_q, done_cause_q, done_tval_q};

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            failed_q     <= 1'b0;
            done_valid_q <= 1'b0;
          end else begin
            done_valid_q <= done_valid;
            if (l0m_rvalid_i) failed_q <= (failed_q || l0m_err_i) && !waiting_last;
          end
        end

        always_ff @(posedge clk_i) begin
          if (!failed_q) failed_slice_q <= waiting_slice;
          if (none_done) begin
            done_tag_q   <= op.tag;
            done_cause_q <= op.cause;
            done_tval_q  <= op.tval;
          end else begin
            done_tag_q   <= waiting_tag;
            done_cause_q <= failed_q || l0m_err_i ? CauseStoreFault : CauseNone;
            done_tval_q  <= failed_q ? 32'(failed_slice_q) : 32'(waiting_slice);
          end
        end
        "#,
    );
}
