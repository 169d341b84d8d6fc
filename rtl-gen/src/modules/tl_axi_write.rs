// SPDX-License-Identifier: Apache-2.0
//! `tl_axi_write`: L0M behind AXI4.

use super::{tl_axi_run, tl_fifo};
use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_axi_write",
        "Between the write port of the unit and the write channels of AXI4. All bursts have one id, so that their answers come \
         in order. An answer is one to each word of its burst, and so is an error.",
    );
    m.param("AxiBytes", "PortBytes", "bytes of a beat: PortBytes to 64");
    m.param("BurstWords", "4", "words of a burst at most");
    m.param("Bursts", "16", "most without an answer, a power of two");
    m.clocked();
    m.group("To tl_top");
    m.input("l0m_req_i", Ty::bit(), "");
    m.output("l0m_gnt_o", Ty::bit(), "");
    m.input("l0m_addr_i", Ty::bits(32), "");
    m.input("l0m_be_i", Ty::bits("PortBytes"), "");
    m.input("l0m_wdata_i", Ty::bits("8*PortBytes"), "");
    m.output("l0m_rvalid_o", Ty::bit(), "");
    m.output("l0m_err_o", Ty::bit(), "");
    m.group("AXI4, write channels");
    m.output("axi_awvalid_o", Ty::bit(), "");
    m.input("axi_awready_i", Ty::bit(), "");
    m.output("axi_awaddr_o", Ty::bits(32), "");
    m.output("axi_awlen_o", Ty::bits(8), "");
    m.output("axi_wvalid_o", Ty::bit(), "");
    m.input("axi_wready_i", Ty::bit(), "");
    m.output("axi_wdata_o", Ty::bits("8*AxiBytes"), "");
    m.output("axi_wstrb_o", Ty::bits("AxiBytes"), "");
    m.output("axi_wlast_o", Ty::bit(), "");
    m.input("axi_bvalid_i", Ty::bit(), "");
    m.output("axi_bready_o", Ty::bit(), "");
    m.input("axi_bresp_i", Ty::bits(2), "");
    m.text(
        r#"
        localparam int unsigned Words = AxiBytes / PortBytes;  // of a beat
        localparam int unsigned WordW = (Words > 1) ? $clog2(Words) : 1;
        // of two bursts
        localparam int unsigned Beats = (BurstWords > Words) ? 2 * BurstWords / Words : 2;
        "#,
    );
    m.section("Requests: runs of words become bursts.");
    m.signals(&["room", "word", "joins", "open", "run_end"], Ty::bit());
    m.signals(&["aw_ready", "beat_ready", "answer_ready", "unused_resp"], Ty::bit());
    m.signal("run_addr", Ty::bits(32), "");
    m.signals(&["run_len", "unused_first"], Ty::bits(8));
    m.signal("run_words", Ty::bits(8), "");
    m.text(
        r#"
        assign room        = aw_ready && beat_ready && answer_ready;
        assign word        = l0m_req_i && room;
        assign l0m_gnt_o   = room;
        assign unused_resp = axi_bresp_i[0];
        "#,
    );
    m.instance(
        &tl_axi_run::module(),
        "u_run",
        &[("AxiBytes", "AxiBytes"), ("BurstWords", "BurstWords")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("word_i", "word"),
            ("addr_i", "l0m_addr_i"),
            ("joins_o", "joins"),
            ("open_o", "open"),
            ("room_i", "room"),
            ("end_o", "run_end"),
            ("addr_o", "run_addr"),
            ("len_o", "run_len"),
            ("first_o", "unused_first"),
            ("words_o", "run_words"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_aw",
        &[("Width", "40")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "run_end"),
            ("ready_o", "aw_ready"),
            ("data_i", "{run_len, run_addr}"),
            ("valid_o", "axi_awvalid_o"),
            ("ready_i", "axi_awready_i"),
            ("data_o", "{axi_awlen_o, axi_awaddr_o}"),
        ],
    );
    m.section(
        "Beats. The last one of the run is filled here, until a word begins the next one or the run ends. Those of a run \
         go out when it has ended, with its address or behind it; they wait for no handshake of the address.",
    );
    m.signals(&["next_beat", "beat_valid", "sent"], Ty::bit());
    m.signal("index", Ty::bits(8), "of the word within its beat");
    m.signal("strb_q", Ty::bits("PortBytes").packed("Words"), "");
    m.signal("data_q", Ty::bits("8*PortBytes").packed("Words"), "");
    m.signal("ended_q", Ty::bits("$clog2(Beats)+1"), "runs that have ended, and whose beats are here");
    m.text(
        r#"
        assign index        = 8'(l0m_addr_i % AxiBytes / PortBytes);
        assign next_beat    = !joins || (index == '0);
        assign axi_wvalid_o = beat_valid && (ended_q != '0);
        assign sent         = axi_wvalid_o && axi_wready_i && axi_wlast_o;

        always_ff @(posedge clk_i) begin
          if (word) begin
            if (next_beat) strb_q <= '0;
            for (int unsigned i = 0; i < Words; i++) begin
              if (WordW'(index) == WordW'(i)) begin
                strb_q[i] <= l0m_be_i;
                data_q[i] <= l0m_wdata_i;
              end
            end
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            ended_q <= '0;
          end else begin
            if (run_end && !sent) ended_q <= ended_q + 1'b1;
            if (sent && !run_end) ended_q <= ended_q - 1'b1;
          end
        end
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_beat",
        &[("Width", "9*AxiBytes+1"), ("Depth", "Beats")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "run_end || (open && word && next_beat)"),
            ("ready_o", "beat_ready"),
            ("data_i", "{run_end, strb_q, data_q}"),
            ("valid_o", "beat_valid"),
            ("ready_i", "axi_wready_i && (ended_q != '0)"),
            ("data_o", "{axi_wlast_o, axi_wstrb_o, axi_wdata_o}"),
        ],
    );
    m.section("Answers, one to each word.");
    m.signal("answer_words", Ty::bits(8), "");
    m.signal("left_q", Ty::bits(9), "words of a burst that is done");
    m.signals(&["err_q", "take", "unused_answer"], Ty::bit());
    m.instance(
        &tl_fifo::module(),
        "u_answer",
        &[("Width", "8"), ("Depth", "Bursts")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "run_end"),
            ("ready_o", "answer_ready"),
            ("data_i", "run_words"),
            ("valid_o", "unused_answer"),
            ("ready_i", "take"),
            ("data_o", "answer_words"),
        ],
    );
    m.text(
        r#"
        assign axi_bready_o = left_q <= 9'd1;
        assign take         = axi_bvalid_i && axi_bready_o;
        assign l0m_rvalid_o = left_q != '0;
        assign l0m_err_o    = err_q;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            left_q <= '0;
          end else begin
            if (take) left_q <= 9'(answer_words) + 9'd1;
            else if (left_q != '0) left_q <= left_q - 1'b1;
          end
        end

        always_ff @(posedge clk_i) begin
          if (take) err_q <= axi_bresp_i[1];
        end
        "#,
    );
    m
}
