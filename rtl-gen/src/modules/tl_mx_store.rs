// SPDX-License-Identifier: Apache-2.0
//! `tl_mx_store`: a register into the words of a matrix store.

use crate::modules::tl_fifo;
use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_mx_store",
        "Reads the register of a matrix store, once, and writes its lines to L0M, a beat per cycle: select the line, send \
         it. tl_store turns it to its lanes in between, as it does with its own beats.",
    );
    m.clocked();
    m.group("Beats");
    m.input("beat_valid_i", Ty::bit(), "");
    m.output("beat_ready_o", Ty::bit(), "");
    m.input("beat_i", Ty::named("mx_beat_t"), "");
    m.group("Register");
    m.output("read_o", Ty::bit(), "");
    m.output("read_md_o", Ty::bits(3), "");
    m.input("tile_i", Ty::bits("8*MxRowBytes").packed("MxRows"), "from the cycle after read_o on, until the next one");
    m.group("L0M");
    m.output("l0m_req_o", Ty::bit(), "");
    m.input("l0m_gnt_i", Ty::bit(), "");
    m.output("l0m_addr_o", Ty::bits(32), "");
    m.input("l0m_rvalid_i", Ty::bit(), "");
    m.input("l0m_err_i", Ty::bit(), "");
    m.output("l0m_tag_o", Ty::named("tag_t"), "instruction of the request");
    m.group("Its data, which are turned and kept by tl_store");
    m.output("word_take_o", Ty::bit(), "a word may come; else the one before stays");
    m.output("word_line_o", Ty::bits("8*PortBytes"), "");
    m.output("word_turn_o", Ty::named("port_off_t"), "lanes to rotate it to the left");
    m.output("word_be_o", Ty::bits("PortBytes"), "rotated already");
    m.group("Completion");
    m.output("idle_o", Ty::bit(), "no store is on its way");
    m.output("done_o", Ty::named("ls_done_t"), "");

    m.section("The beat whose line is selected. The register is read with the first beat of its store.");
    m.signals(&["beat_valid_q", "line_free", "request_free"], Ty::bit());
    m.signal("beat_q", Ty::named("mx_beat_t"), "");
    m.text(
        r#"
        assign beat_ready_o = !beat_valid_q || line_free;
        assign read_o       = beat_valid_i && beat_ready_o && beat_i.first;
        assign read_md_o    = beat_i.md;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            beat_valid_q <= 1'b0;
          end else if (beat_ready_o) begin
            beat_valid_q <= beat_valid_i;
          end
        end

        always_ff @(posedge clk_i) begin
          if (beat_ready_o) beat_q <= beat_i;
        end
        "#,
    );

    m.section(
        "The line: a row, or a column of the element size when the access is transposed. An element is at a multiple of \
         its size, so of each row a word is chosen, then a half or a byte of that. What is chosen is known with the \
         beat: one-hot, from flip-flops.",
    );
    m.text("localparam int unsigned RowWords = MxRowBytes / 4;");
    m.signal("shift", Ty::named("mx_idx_t"), "first byte of the column in its rows");
    m.signal("row_q", Ty::bits("MxRows"), "the row; none of a column");
    m.signal("word_q", Ty::bits("RowWords"), "the word of a column; none of a row");
    m.signal("whole_q", Ty::bit(), "the element is a word");
    m.signal("half_q", Ty::bits(2), "the half that the element is; none of other sizes");
    m.signal("byte_q", Ty::bits(4), "the byte that it is");
    m.signal("words", Ty::bits(32).packed("MxRows"), "element of each row, or what has it; 0 of a row");
    m.signal("line", Ty::named("mx_row_t"), "");
    m.text(
        r#"
        assign shift = beat_i.line << beat_i.d_size;

        always_ff @(posedge clk_i) begin
          if (beat_ready_o) begin
            for (int unsigned r = 0; r < MxRows; r++) begin
              row_q[r] <= !beat_i.trans && (32'(beat_i.line) == r);
            end
            for (int unsigned w = 0; w < RowWords; w++) begin
              word_q[w] <= beat_i.trans && ((32'(shift) >> 2) == w);
            end
            whole_q <= beat_i.d_size == 2'd2;
            for (int unsigned h = 0; h < 2; h++) begin
              half_q[h] <= (beat_i.d_size == 2'd1) && (shift[1] == 1'(h));
            end
            for (int unsigned b = 0; b < 4; b++) begin
              byte_q[b] <= (beat_i.d_size == 2'd0) && (shift[1:0] == 2'(b));
            end
          end
        end

        always_comb begin
          line  = '0;
          words = '0;
          for (int unsigned r = 0; r < MxRows; r++) begin
            line = line | (tile_i[r] & {(8 * MxRowBytes){row_q[r]}});
            for (int unsigned w = 0; w < RowWords; w++) begin
              words[r] = words[r] | (tile_i[r][32*w+:32] & {32{word_q[w]}});
            end
            line[32*r+:32] = line[32*r+:32] | (words[r] & {32{whole_q}});
            for (int unsigned h = 0; h < 2; h++) begin
              line[16*r+:16] = line[16*r+:16] | (words[r][16*h+:16] & {16{half_q[h]}});
            end
            for (int unsigned b = 0; b < 4; b++) begin
              line[8*r+:8] = line[8*r+:8] | (words[r][8*b+:8] & {8{byte_q[b]}});
            end
          end
        end
        "#,
    );

    m.section(
        "What is kept of it: byte i of the line is for lane (i + offset - pos) mod PortBytes, so bytes that meet there are one. The byte \
         enables are turned before they wait: what is sent next is chosen by the memory, late.",
    );
    m.text(
        r#"
        localparam int unsigned KeptBytes = MxRowBytes < PortBytes ? MxRowBytes : PortBytes;
        localparam int unsigned LineW = 8 * KeptBytes + PortBytes + PortW + TagW + MxMemW + 1;
        "#,
    );
    m.signal("window_q", Ty::named("mx_mask_t"), "bytes of the line that are in the beat");
    m.signal("folded", Ty::bits("8*KeptBytes"), "");
    m.signal("enabled", Ty::bits("PortBytes"), "");
    m.signal("be", Ty::bits("PortBytes"), "");
    m.signals(&["line_valid", "line_taken"], Ty::bit());
    m.signal("out_line", Ty::bits("8*KeptBytes"), "the line whose beat is sent next");
    m.signal("out_tag", Ty::named("tag_t"), "");
    m.signal("out_addr", Ty::bits("MxMemW"), "");
    m.signal("out_last", Ty::bit(), "");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          if (beat_ready_o) window_q <= mx_window(beat_i.pos, beat_i.stop);
        end

        always_comb begin
          folded  = '0;
          enabled = '0;
          for (int unsigned i = 0; i < MxRowBytes; i++) begin
            if (window_q[i]) enabled[i%PortBytes] = 1'b1;
            // Of bytes that meet in a lane, one is in the beat.
            if (MxRowBytes <= PortBytes || window_q[i]) begin
              folded[8*(i%PortBytes)+:8] = line[8*i+:8];
            end
          end
        end

        assign be = PortBytes'(({enabled, enabled} << beat_q.turn) >> PortBytes);
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_line",
        &[("Width", "LineW"), ("Depth", "2")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "beat_valid_q"),
            ("ready_o", "line_free"),
            ("data_i", "{folded, be, beat_q.turn, beat_q.tag, beat_q.addr, beat_q.last}"),
            ("valid_o", "line_valid"),
            ("ready_i", "line_taken"),
            ("data_o", "{out_line, word_be_o, word_turn_o, out_tag, out_addr, out_last}"),
        ],
    );
    m.text(
        r#"
        assign line_taken  = request_free;
        assign word_take_o = request_free;
        assign word_line_o = (8 * PortBytes)'(out_line);
        "#,
    );

    m.section("The request, and those that wait for their response.");
    m.text("localparam int unsigned WaitW = TagW + MxMemW + 1;");
    m.signals(&["request_q", "room", "sent", "last_q"], Ty::bit());
    m.signal("addr_q", Ty::bits("MxMemW"), "of its first byte");
    m.signals(&["waiting_valid", "waiting_last"], Ty::bit());
    m.signal("waiting_tag", Ty::named("tag_t"), "");
    m.signal("waiting_addr", Ty::bits("MxMemW"), "");
    m.signal("unused_waiting", Ty::bit(), "");
    m.text(
        r#"
        assign request_free = !request_q || sent;
        assign l0m_req_o    = request_q && room;
        assign l0m_addr_o   = 32'({addr_q[MxMemW-1:PortW], PortW'(0)});
        assign sent         = l0m_req_o && l0m_gnt_i;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            request_q <= 1'b0;
          end else if (request_free) begin
            request_q <= line_valid;
          end
        end

        always_ff @(posedge clk_i) begin
          if (request_free) begin
            l0m_tag_o <= out_tag;
            addr_q    <= out_addr;
            last_q    <= out_last;
          end
        end
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_waiting",
        &[("Width", "WaitW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "sent"),
            ("ready_o", "room"),
            ("data_i", "{l0m_tag_o, addr_q, last_q}"),
            ("valid_o", "waiting_valid"),
            ("ready_i", "l0m_rvalid_i"),
            ("data_o", "{waiting_tag, waiting_addr, waiting_last}"),
        ],
    );

    m.section("Responses. The first error decides. A store is complete in the cycle after its last response.");
    m.signal("failed_q", Ty::bit(), "a response of this store had an error");
    m.signal("tval_q", Ty::bits("MxMemW"), "first byte of its beat");
    m.signal("accept", Ty::bit(), "");
    m.signal("beats_q", Ty::bits(4), "beats on their way: one, two lines, a request, and what waits for its response");
    m.signal("done_valid_q", Ty::bit(), "");
    m.signal("done_tag_q", Ty::named("tag_t"), "");
    m.signal("done_failed_q", Ty::bit(), "");
    m.signal("done_tval_q", Ty::bits("MxMemW"), "");
    m.text(
        r#"
        // A response comes only when one is due.
        assign unused_waiting = ^{waiting_valid, beat_q};

        // In a flip-flop: who asks whether a store is on its way does much with the answer.
        assign accept = beat_valid_i && beat_ready_o;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            beats_q <= '0;
            idle_o  <= 1'b1;
          end else begin
            beats_q <= beats_q + 4'(accept) - 4'(l0m_rvalid_i);
            idle_o  <= !accept && (idle_o || (l0m_rvalid_i && (beats_q == 4'd1)));
          end
        end

        always_comb begin
          done_o.valid = done_valid_q;
          done_o.tag   = done_tag_q;
          done_o.cause = done_failed_q ? CauseStoreFault : CauseNone;
          done_o.tval  = 32'(done_tval_q);
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            failed_q     <= 1'b0;
            done_valid_q <= 1'b0;
          end else begin
            done_valid_q <= l0m_rvalid_i && waiting_last;
            if (l0m_rvalid_i) failed_q <= (failed_q || l0m_err_i) && !waiting_last;
          end
        end

        always_ff @(posedge clk_i) begin
          done_tag_q    <= waiting_tag;
          done_failed_q <= failed_q || l0m_err_i;
          done_tval_q   <= failed_q ? tval_q : waiting_addr;
          if (!failed_q) tval_q <= waiting_addr;
        end
        "#,
    );
    m
}
