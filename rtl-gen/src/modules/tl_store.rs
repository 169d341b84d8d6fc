// SPDX-License-Identifier: Apache-2.0
//! `tl_store`: the store engine.

use crate::Config;
use crate::modules::{tl_beats, tl_fifo, tl_store_align, tl_store_check};
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
    check(&mut m, config);
    gate(&mut m);
    beats(&mut m);
    read(&mut m);
    send(&mut m);
    responses(&mut m);
    m
}

fn ports(m: &mut Module) {
    m.clocked();
    m.group("Commands");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_ready_o", Ty::bit(), "");
    m.input("cmd_i", Ty::named("store_cmd_t"), "");
    m.group("Strides");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "tstore_stride[stride_idx_o]");
    m.input("bound_i", Ty::bits(32), "not less than any of them");
    m.output("strides_busy_o", Ty::bit(), "an accepted command may still read them");
    m.group("Register file");
    m.output("rf_read_o", Ty::named("rf_read_t"), "");
    m.input("rf_read_gnt_i", Ty::bit(), "");
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
    m.group("Precise traps");
    m.input("load_taken_i", Ty::bit(), "a load is dispatched");
    m.input("load_done_i", Ty::bit(), "a load is complete");
    m.input("load_trap_i", Ty::bit(), "and it trapped");
    m.input("give_up_i", Ty::bit(), "stores that have not begun are void");
    m.group("Completion");
    m.output("done_o", Ty::named("ls_done_t"), "");
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
            ("cmd_valid_i", "cmd_valid_i"),
            ("cmd_ready_o", "cmd_ready_o"),
            ("cmd_i", "cmd_i"),
            ("stride_idx_o", "stride_idx_o"),
            ("stride_i", "stride_i"),
            ("bound_i", "bound_i"),
            ("strides_busy_o", "strides_busy_o"),
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
         loads are complete, and its store is one of those that have passed.",
    );
    m.signals(&["loads_taken_q", "loads_done_q", "mark"], Ty::bits("TagW+1"));
    m.signal("ahead", Ty::bits("TagW+1"), "older loads that are not complete; negative: younger ones are");
    m.signals(&["mark_room", "mark_valid", "unused_mark", "pass"], Ty::bit());
    m.signal("passed_q", Ty::bits(3), "stores that have passed and are here");
    m.signal("any_passed_q", Ty::bit(), "the oldest has");
    m.signals(&["begun_q", "load_failed_q", "check_failed_q"], Ty::bit());
    m.signals(&["passed", "may_begin", "dropped", "none_done"], Ty::bit());
    m.signal("passed_d", Ty::bits(3), "");
    m.instance(
        &tl_fifo::module(),
        "u_marks",
        &[("Width", "TagW + 1"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "cmd_valid_i && cmd_ready_o"),
            ("ready_o", "mark_room"),
            ("data_i", "loads_taken_q"),
            ("valid_o", "mark_valid"),
            ("ready_i", "pass"),
            ("data_o", "mark"),
        ],
    );
    m.text(
        r#"
        assign unused_mark = mark_room;  // no more marks than stores in u_check
        assign ahead       = mark - loads_done_q;
        assign pass        = mark_valid && (give_up_i || (ahead == '0) || ahead[TagW]);
        assign passed_d    = passed_q + 3'(pass) - 3'(op_take);
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
            passed_q       <= passed_d;
            any_passed_q   <= passed_d != '0;
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
    m.signal("beat_bytes", Ty::bits("PortW+1"), "");
    m.signal("beat_slice", Ty::named("l0m_addr_t"), "");
    m.signal("read_room", Ty::bit(), "");
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
            ("beat_bytes_o", "beat_bytes"),
            ("beat_slice_o", "beat_slice"),
            ("beat_last_o", "beat_last"),
        ],
    );
    m.text(
        r#"
        assign beat_ready = op_valid && !op.none &&
            (dropped ? !beat_last || (idle && passed) : read_room && may_begin);
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
        "Read of the register, one or two rows. Row r is in bank r[0]; when r is odd, row r + 1 is of the next pair. \
         Rows cannot wait, so a beat has its place in the last FIFO before it is read.",
    );
    m.text(
        r#"
        // What goes on to the port.
        localparam int unsigned BeatW = 1 + TagW + 2 * L0mW + LaneW + 1 + PortW + 1;
        "#,
    );
    m.signal("row", Ty::named("row_t"), "of the first byte");
    m.signal("spill", Ty::bit(), "the next row is needed too");
    m.signal("banks", Ty::bits(2), "banks to be read");
    m.signal("addr", Ty::named("bank_addr_t").packed(2), "");
    m.signal("beat", Ty::bits("BeatW"), "");
    m.signals(&["read_here", "read_zero", "read_done", "read_go", "sent"], Ty::bit());
    m.signal("read_banks", Ty::bits(2), "");
    m.signal("read_addr", Ty::named("bank_addr_t").packed(2), "");
    m.signal("read_beat", Ty::bits("BeatW"), "");
    m.signal("held_q", Ty::bits(5), "beats that are read and not sent: 0 to 16");
    m.signals(&["asked_valid_q", "asked_zero_q"], Ty::bit());
    m.signal("asked_beat_q", Ty::bits("BeatW"), "");
    m.signals(&["rows_valid_q", "rows_zero_q", "word_valid_q"], Ty::bit());
    m.signal("rows_beat_q", Ty::bits("BeatW"), "");
    m.text(
        r#"
        assign row     = beat_pos[ByteW-1:LaneW];
        assign spill   = 32'(beat_pos[LaneW-1:0]) + 32'(beat_bytes) > Lanes;
        assign banks   = op.src.zero ? 2'b00 : {row[0] || spill, !row[0] || spill};
        assign addr[0] = bank_addr(op.src.phys, row[RowW-1:1] + (RowW - 1)'(row[0]));
        assign addr[1] = bank_addr(op.src.phys, row[RowW-1:1]);
        assign beat    = {beat_last, op.tag, beat_slice, beat_addr, beat_pos[LaneW:0], beat_bytes};
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_reads",
        &[("Width", "3 + 2 * BankAddrW + BeatW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "beat_go"),
            ("ready_o", "read_room"),
            ("data_i", "{op.src.zero, banks, addr, beat}"),
            ("valid_o", "read_here"),
            ("ready_i", "read_done"),
            ("data_o", "{read_zero, read_banks, read_addr, read_beat}"),
        ],
    );
    m.text(
        r#"
        assign read_go         = read_here && !held_q[4];
        assign rf_read_o.valid = read_banks & {2{read_go}};
        assign rf_read_o.addr  = read_addr;
        assign read_done       = read_go && (read_zero || rf_read_gnt_i);

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            asked_valid_q <= 1'b0;
            rows_valid_q  <= 1'b0;
            word_valid_q  <= 1'b0;
            held_q        <= '0;
          end else begin
            asked_valid_q <= read_done;
            rows_valid_q  <= asked_valid_q;
            word_valid_q  <= rows_valid_q;
            held_q        <= held_q + 5'(read_done) - 5'(sent);
          end
        end

        always_ff @(posedge clk_i) begin
          asked_zero_q <= read_zero;
          asked_beat_q <= read_beat;
          rows_zero_q  <= asked_zero_q;
          rows_beat_q  <= asked_beat_q;
        end
        "#,
    );
}

fn send(m: &mut Module) {
    m.section("Beats with data, then the port.");
    m.text(
        r#"
        localparam int unsigned WordW = L0mW - PortW;     // of the address of a memory word
        localparam int unsigned InfoW = L0mW + TagW + 1;  // slice, tag, last
        "#,
    );
    m.signals(&["rows_last", "rows_bank", "ready_valid", "ready_room"], Ty::bit());
    m.signals(&["waiting_valid", "waiting_room", "sent_last", "waiting_last"], Ty::bit());
    m.signals(&["rows_tag", "waiting_tag"], Ty::named("tag_t"));
    m.signals(&["rows_slice", "rows_addr", "sent_slice", "waiting_slice"], Ty::named("l0m_addr_t"));
    m.signal("rows_lane", Ty::named("lane_t"), "");
    m.signal("rows_bytes", Ty::bits("PortW+1"), "");
    m.signal("word_q", Ty::bits("WordW+InfoW"), "");
    m.signal("be", Ty::bits("PortBytes"), "");
    m.signal("wdata", Ty::bits("8*PortBytes"), "");
    m.signal("word", Ty::bits("WordW"), "");
    m.signal("unused_room", Ty::bit(), "held_q has kept it");
    m.text(
        r#"
        assign {rows_last, rows_tag, rows_slice, rows_addr} = rows_beat_q[BeatW-1:LaneW+PortW+2];
        assign {rows_bank, rows_lane, rows_bytes}           = rows_beat_q[LaneW+PortW+1:0];

        always_ff @(posedge clk_i) begin
          word_q <= {rows_addr[L0mW-1:PortW], rows_slice, rows_tag, rows_last};
        end
        "#,
    );
    m.instance(
        &tl_store_align::module(),
        "u_align",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rows_i", "rf_rdata_i"),
            ("zero_i", "rows_zero_q"),
            ("bank_i", "rows_bank"),
            ("lane_i", "rows_lane"),
            ("offset_i", "rows_addr[PortW-1:0]"),
            ("bytes_i", "rows_bytes"),
            ("be_o", "be"),
            ("wdata_o", "wdata"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_ready",
        &[("Width", "9 * PortBytes + WordW + InfoW"), ("Depth", "16")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "word_valid_q"),
            ("ready_o", "ready_room"),
            ("data_i", "{be, wdata, word_q}"),
            ("valid_o", "ready_valid"),
            ("ready_i", "sent"),
            ("data_o", "{l0m_be_o, l0m_wdata_o, word, sent_slice, l0m_tag_o, sent_last}"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_waiting",
        &[("Width", "InfoW"), ("Depth", "16")],
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
        assign unused_room = ready_room;
        assign l0m_req_o   = ready_valid && waiting_room;
        assign l0m_addr_o  = 32'({word, PortW'(0)});
        assign sent        = l0m_req_o && l0m_gnt_i;
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
        assign idle       = !read_here && (held_q == '0) && !waiting_valid;
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
