// SPDX-License-Identifier: Apache-2.0
//! `tl_store`: the store engine.

use crate::Config;
use crate::modules::{tl_fifo, tl_store_align, tl_store_beats, tl_store_check};
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_store",
        "Store engine: tl.store and tl.mstore. Slice i of the register goes to base + (tstore_stride_i + imm) * bytes \
         in L0M, in ascending order, one memory word per cycle. Nothing is requested before all slices of the store \
         have been checked.",
    );
    m.clocked();
    m.group("Commands");
    m.input("cmd_valid_i", Ty::bit(), "");
    m.output("cmd_ready_o", Ty::bit(), "");
    m.input("cmd_i", Ty::named("store_cmd_t"), "");
    m.group("Strides");
    m.output("stride_idx_o", Ty::bits(5), "");
    m.input("stride_i", Ty::bits(32), "tstore_stride[stride_idx_o]");
    m.input("strides_i", Ty::bits(32).packed(32), "all of them");
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
    m.group("Completion");
    m.output("done_o", Ty::named("ls_done_t"), "");

    m.section("Check.");
    m.signals(&["op_valid", "op_ready", "slice_valid", "slice_take"], Ty::bit());
    m.signal("op", Ty::named("store_op_t"), "");
    m.signal("slice", Ty::named("store_slice_t"), "");
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
            ("strides_i", "strides_i"),
            ("strides_busy_o", "strides_busy_o"),
            ("op_valid_o", "op_valid"),
            ("op_ready_i", "op_ready"),
            ("op_o", "op"),
            ("slice_valid_o", "slice_valid"),
            ("slice_take_i", "slice_take"),
            ("slice_o", "slice"),
        ],
    );

    m.section("The store whose slices are taken. One that stores nothing waits until all before it are complete.");
    m.signal("op_valid_q", Ty::bit(), "");
    m.signal("op_q", Ty::named("store_op_t"), "");
    m.signal("op_taken", Ty::bit(), "");
    m.signal("none_done", Ty::bit(), "");
    m.signal("idle", Ty::bit(), "no beat is on its way");
    m.text(
        r#"
        assign none_done = op_valid_q && op_q.none && idle;
        assign op_ready  = !op_valid_q || op_taken || none_done;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            op_valid_q <= 1'b0;
          end else if (op_ready) begin
            op_valid_q <= op_valid;
          end
        end

        always_ff @(posedge clk_i) begin
          if (op_ready) op_q <= op;
        end
        "#,
    );

    m.section("Beats.");
    m.signals(&["beat_valid", "beat_ready", "beats_busy"], Ty::bit());
    m.signal("beat", Ty::named("store_beat_t"), "");
    m.instance(
        &tl_store_beats::module(),
        "u_beats",
        &[],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("op_valid_i", "op_valid_q && !op_q.none"),
            ("tag_i", "op_q.tag"),
            ("src_i", "op_q.src"),
            ("bytes_i", "op_q.bytes"),
            ("op_taken_o", "op_taken"),
            ("slice_valid_i", "slice_valid"),
            ("slice_take_o", "slice_take"),
            ("slice_i", "slice"),
            ("beat_valid_o", "beat_valid"),
            ("beat_ready_i", "beat_ready"),
            ("beat_o", "beat"),
            ("busy_o", "beats_busy"),
        ],
    );

    m.section(
        "Read of the register, one or two rows. Rows cannot wait, so a beat has its place in the FIFO before it is \
         read.",
    );
    m.signal("held_q", Ty::bits(3), "beats that are read and not sent: 0 to 4");
    m.signals(&["credit", "sent"], Ty::bit());
    m.signal("row", Ty::named("row_t"), "of the first byte");
    m.signal("spill", Ty::bit(), "the next row is needed too");
    m.signal("read", Ty::bit(), "");
    m.signal("read_valid_q", Ty::bit(), "the rows of read_q are here");
    m.signal("read_q", Ty::named("store_beat_t"), "");
    m.text(
        r#"
        assign credit     = held_q != 3'd4;
        assign row        = beat.pos[ByteW-1:LaneW];
        assign spill      = 32'(beat.pos[LaneW-1:0]) + 32'(beat.bytes) > Lanes;
        assign read       = beat_valid && credit && !beat.src.zero;
        assign beat_ready = credit && (beat.src.zero || rf_read_gnt_i);

        // Row r is in bank r[0]; when r is odd, row r + 1 is of the next pair.
        always_comb begin
          rf_read_o.valid[0] = read && (!row[0] || spill);
          rf_read_o.valid[1] = read && (row[0] || spill);
          rf_read_o.addr[0]  = bank_addr(beat.src.phys, row[RowW-1:1] + (RowW - 1)'(row[0]));
          rf_read_o.addr[1]  = bank_addr(beat.src.phys, row[RowW-1:1]);
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            read_valid_q <= 1'b0;
            held_q       <= '0;
          end else begin
            read_valid_q <= beat_valid && beat_ready;
            held_q       <= held_q + 3'(beat_valid && beat_ready) - 3'(sent);
          end
        end

        always_ff @(posedge clk_i) begin
          read_q <= beat;
        end
        "#,
    );

    m.section("Beats with data, then the port.");
    m.signal("be", Ty::bits("PortBytes"), "");
    m.signal("wdata", Ty::bits("8*PortBytes"), "");
    m.signals(&["unused_phys", "unused_room"], Ty::bit());
    m.instance(
        &tl_store_align::module(),
        "u_align",
        &[],
        &[
            ("rows_i", "rf_rdata_i"),
            ("zero_i", "read_q.src.zero"),
            ("bank_i", "read_q.pos[LaneW]"),
            ("lane_i", "read_q.pos[LaneW-1:0]"),
            ("offset_i", "read_q.addr[PortW-1:0]"),
            ("bytes_i", "read_q.bytes"),
            ("be_o", "be"),
            ("wdata_o", "wdata"),
        ],
    );
    m.text(
        r#"
        localparam int unsigned WordW = L0mW - PortW;  // of the address of a memory word
        localparam int unsigned InfoW = L0mW + TagW + 1;  // slice, tag, last
        "#,
    );
    m.signals(&["ready_valid", "ready_room", "waiting_valid", "waiting_room"], Ty::bit());
    m.signals(&["sent_last", "waiting_last"], Ty::bit());
    m.signal("word", Ty::bits("WordW"), "");
    m.signals(&["sent_slice", "waiting_slice"], Ty::bits("L0mW"));
    m.signal("waiting_tag", Ty::named("tag_t"), "");
    m.text(
        r#"
        assign unused_phys = ^{read_q.src.phys, read_q.pos[ByteW-1:LaneW]};
        assign unused_room = ready_room;
        assign l0m_req_o   = ready_valid && waiting_room;
        assign l0m_addr_o  = 32'({word, PortW'(0)});
        assign sent        = l0m_req_o && l0m_gnt_i;
        "#,
    );
    let fifo = tl_fifo::module();
    m.instance(
        &fifo,
        "u_ready",
        &[("Width", "9 * PortBytes + WordW + InfoW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "read_valid_q"),
            ("ready_o", "ready_room"),
            (
                "data_i",
                "{be, wdata, read_q.addr[L0mW-1:PortW], read_q.slice, read_q.tag,\n                       read_q.last}",
            ),
            ("valid_o", "ready_valid"),
            ("ready_i", "sent"),
            ("data_o", "{l0m_be_o, l0m_wdata_o, word, sent_slice, l0m_tag_o, sent_last}"),
        ],
    );
    m.instance(
        &fifo,
        "u_waiting",
        &[("Width", "InfoW"), ("Depth", "4")],
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

    m.section(
        "Responses. Beats are sent in the order of their slices, so the first error of a store has the lowest slice.",
    );
    m.signal("failed_q", Ty::bit(), "a response of this store had an error");
    m.signal("failed_slice_q", Ty::bits("L0mW"), "");
    m.text(
        r#"
        assign idle = !beats_busy && (held_q == 3'd0) && !waiting_valid;

        always_comb begin
          done_o.valid = l0m_rvalid_i && waiting_last;
          done_o.tag   = waiting_tag;
          done_o.cause = CauseNone;
          done_o.tval  = failed_q ? 32'(failed_slice_q) : 32'(waiting_slice);
          if (failed_q || l0m_err_i) done_o.cause = CauseStoreFault;
          if (none_done) begin
            done_o.valid = 1'b1;
            done_o.tag   = op_q.tag;
            done_o.cause = op_q.cause;
            done_o.tval  = op_q.tval;
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            failed_q <= 1'b0;
          end else if (l0m_rvalid_i) begin
            failed_q <= (failed_q || l0m_err_i) && !waiting_last;
          end
        end

        always_ff @(posedge clk_i) begin
          if (!failed_q) failed_slice_q <= waiting_slice;
        end
        "#,
    );
    m
}
