// SPDX-License-Identifier: Apache-2.0
//! `tl_mx_load`: the words of a matrix load into a register.

use crate::modules::tl_fifo;
use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_mx_load",
        "Requests the words of a matrix load and gathers them. The register is written in one cycle when all words are \
         there and none of them had an error, so that a load that traps changes nothing; meanwhile the next load is \
         gathered.",
    );
    m.clocked();
    m.group("Beats");
    m.input("beat_valid_i", Ty::bit(), "");
    m.output("beat_ready_o", Ty::bit(), "");
    m.input("beat_i", Ty::named("mx_beat_t"), "");
    m.group("L1M");
    m.output("l1m_req_o", Ty::bit(), "");
    m.input("l1m_gnt_i", Ty::bit(), "");
    m.output("l1m_addr_o", Ty::bits(32), "");
    m.input("l1m_rvalid_i", Ty::bit(), "");
    m.input("l1m_rdata_i", Ty::bits("8*PortBytes"), "");
    m.input("l1m_err_i", Ty::bit(), "");
    m.group("Register");
    m.output("write_o", Ty::bit(), "");
    m.output("write_md_o", Ty::bits(3), "");
    m.output("write_be_o", Ty::bits("MxRowBytes").packed("MxRows"), "");
    m.output("write_data_o", Ty::bits("8*MxRowBytes").packed("MxRows"), "0 until the first load");
    m.group("Completion");
    m.output("idle_o", Ty::bit(), "no load is on its way");
    m.output("done_o", Ty::named("ls_done_t"), "");

    m.section(
        "Requests. Each is noted until its word is there: the oldest in flip-flops, for its word is turned at once.",
    );
    m.text("localparam int unsigned NoteW = TagW + 9 + 3 * MxByteW + PortW + MxMemW;");
    m.signals(&["note_room", "note_valid_q", "note_free", "behind_valid", "requested"], Ty::bit());
    m.signal("behind_bits", Ty::bits("NoteW"), "the one behind it");
    m.signal("note_q", Ty::named("mx_beat_t"), "the beat whose word is due next");
    m.instance(
        &tl_fifo::module(),
        "u_notes",
        &[("Width", "NoteW"), ("Depth", "4")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "requested && (behind_valid || !note_free)"),
            ("ready_o", "note_room"),
            ("data_i", "beat_i"),
            ("valid_o", "behind_valid"),
            ("ready_i", "note_free"),
            ("data_o", "behind_bits"),
        ],
    );
    m.signal("unused_first", Ty::bit(), "");
    m.text(
        r#"
        assign note_free    = !note_valid_q || l1m_rvalid_i;
        assign l1m_req_o    = beat_valid_i && note_room;
        assign l1m_addr_o   = 32'({beat_i.addr[MxMemW-1:PortW], PortW'(0)});
        assign beat_ready_o = note_room && l1m_gnt_i;
        assign requested    = beat_valid_i && beat_ready_o;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            note_valid_q <= 1'b0;
          end else begin
            note_valid_q <= !note_free || behind_valid || requested;
          end
        end

        always_ff @(posedge clk_i) begin
          if (note_free) note_q <= behind_valid ? behind_bits : beat_i;
        end
        "#,
    );

    m.section(
        "Byte i of the line comes from lane (i + offset - pos) mod PortBytes of the word. A line is a row, or a column of \
         the element size when the access is transposed. Then row r has the element r of it, repeated: so a byte of the \
         register has two sources, for any element size.",
    );
    m.text("localparam int unsigned SpreadBytes = PortBytes > MxAccBytes ? PortBytes : MxAccBytes;");
    m.signal("turned", Ty::bits("8*PortBytes"), "byte i of the line is in lane i mod PortBytes");
    m.signal("spread", Ty::bits("8*SpreadBytes"), "of a column: four bytes for each row");
    m.signal("window", Ty::named("mx_mask_t"), "bytes of the line that are in the word");
    m.signal("row_in", Ty::bits("MxRows"), "rows that get bytes");
    m.signal("byte_in", Ty::named("mx_mask_t"), "bytes of them");
    m.signals(&["word_valid_q", "word_err_q"], Ty::bit());
    m.signal("spread_q", Ty::bits("8*SpreadBytes"), "");
    m.signal("row_in_q", Ty::bits("MxRows"), "none: there is no word");
    m.signal("byte_in_q", Ty::named("mx_mask_t"), "");
    m.signal("word_beat_q", Ty::named("mx_beat_t"), "the beat of the word");
    m.text(
        r#"
        assign turned = (8 * PortBytes)'({l1m_rdata_i, l1m_rdata_i} >> {note_q.turn, 3'b000});
        assign window = mx_window(note_q.pos, note_q.stop);

        always_comb begin
          for (int unsigned i = 0; i < SpreadBytes; i++) begin
            spread[8*i+:8] = turned[8*(i%PortBytes)+:8];
            if (note_q.trans && note_q.d_size == 2'd0) spread[8*i+:8] = turned[8*(i/4%PortBytes)+:8];
            if (note_q.trans && note_q.d_size == 2'd1) begin
              spread[8*i+:8] = turned[8*((2*(i/4)+i%2)%PortBytes)+:8];
            end
          end
          for (int unsigned r = 0; r < MxRows; r++) begin
            row_in[r] = note_q.trans ? window[MxByteW'(r<<note_q.d_size)] : 32'(note_q.line) == r;
          end
          for (int unsigned c = 0; c < MxRowBytes; c++) begin
            byte_in[c] = note_q.trans ? 32'(note_q.line) == c >> note_q.d_size : window[c];
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            word_valid_q <= 1'b0;
            row_in_q     <= '0;
          end else begin
            word_valid_q <= l1m_rvalid_i;
            row_in_q     <= row_in & {MxRows{l1m_rvalid_i}};
          end
        end

        always_ff @(posedge clk_i) begin
          spread_q    <= spread;
          byte_in_q   <= byte_in;
          word_err_q  <= l1m_err_i;
          word_beat_q <= note_q;
        end

        assign unused_first = ^word_beat_q;
        "#,
    );

    m.section("The register that is gathered. It is 0 after reset, for the sweep over the registers.");
    m.signals(&["staged_q", "bytes_in"], Ty::bits("MxRowBytes").packed("MxRows"));
    m.signal("data_q", Ty::bits("8*MxRowBytes").packed("MxRows"), "");
    m.text(
        r#"
        always_comb begin
          for (int unsigned r = 0; r < MxRows; r++) begin
            bytes_in[r] = byte_in_q & {MxRowBytes{row_in_q[r]}};
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            data_q <= '0;
          end else begin
            for (int unsigned r = 0; r < MxRows; r++) begin
              for (int unsigned c = 0; c < MxRowBytes; c++) begin
                if (bytes_in[r][c]) begin
                  data_q[r][8*c+:8] <= word_beat_q.trans ? spread_q[8*(4*r+c%4)+:8]
                                                         : spread_q[8*(c%PortBytes)+:8];
                end
              end
            end
          end
        end
        "#,
    );

    m.section("Completion, in the cycle after the last word is gathered. The first error decides.");
    m.signals(&["over", "over_q", "failed_q"], Ty::bit());
    m.signal("tval_q", Ty::bits("MxMemW"), "first byte of the first beat with an error");
    m.signal("tag_q", Ty::named("tag_t"), "");
    m.text(
        r#"
        assign over         = word_valid_q && word_beat_q.last;
        assign write_o      = over_q && !failed_q;
        assign write_be_o   = staged_q;
        assign write_data_o = data_q;

        always_comb begin
          done_o.valid = over_q;
          done_o.tag   = tag_q;
          done_o.cause = failed_q ? CauseLoadFault : CauseNone;
          done_o.tval  = 32'(tval_q);
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            over_q   <= 1'b0;
            failed_q <= 1'b0;
            staged_q <= '0;
            idle_o   <= 1'b1;
          end else begin
            over_q   <= over;
            // In a flip-flop: who asks whether a load is on its way does much with the answer.
            idle_o   <= note_free && !behind_valid && !requested && !l1m_rvalid_i && !over;
            failed_q <= (failed_q && !over_q) || (word_valid_q && word_err_q);
            staged_q <= (over_q ? '0 : staged_q) | bytes_in;
          end
        end

        always_ff @(posedge clk_i) begin
          // Looked at in the cycle after the last word alone.
          tag_q      <= word_beat_q.tag;
          write_md_o <= word_beat_q.md;
          if (!failed_q || over_q) tval_q <= word_beat_q.addr;
        end
        "#,
    );
    m
}
