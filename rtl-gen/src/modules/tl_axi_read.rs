// SPDX-License-Identifier: Apache-2.0
//! `tl_axi_read`: L1M behind AXI4.

use super::{tl_axi_run, tl_fifo};
use crate::sv::{Module, Ty};

/// The module; the same text for every configuration.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_axi_read",
        "Between the read port of the unit and the read channels of AXI4. All bursts have one id, so that their beats come \
         in order. An error of a beat is one of each of its words.",
    );
    m.param("AxiBytes", "PortBytes", "bytes of a beat: PortBytes to 64");
    m.param("BurstWords", "8", "words of a burst at most");
    m.param("Bursts", "16", "most without an answer, a power of two");
    m.clocked();
    m.group("To tl_top");
    m.input("l1m_req_i", Ty::bit(), "");
    m.output("l1m_gnt_o", Ty::bit(), "");
    m.input("l1m_addr_i", Ty::bits(32), "");
    m.output("l1m_rvalid_o", Ty::bit(), "");
    m.output("l1m_rdata_o", Ty::bits("8*PortBytes"), "");
    m.output("l1m_err_o", Ty::bit(), "");
    m.group("AXI4, read channels");
    m.output("axi_arvalid_o", Ty::bit(), "");
    m.input("axi_arready_i", Ty::bit(), "");
    m.output("axi_araddr_o", Ty::bits(32), "");
    m.output("axi_arlen_o", Ty::bits(8), "");
    m.input("axi_rvalid_i", Ty::bit(), "");
    m.output("axi_rready_o", Ty::bit(), "");
    m.input("axi_rdata_i", Ty::bits("8*AxiBytes"), "");
    m.input("axi_rresp_i", Ty::bits(2), "");
    m.text(
        r#"
        localparam int unsigned Words = AxiBytes / PortBytes;  // of a beat
        localparam int unsigned WordW = (Words > 1) ? $clog2(Words) : 1;
        "#,
    );
    m.section("Requests: runs of words become bursts.");
    m.signals(&["room", "word", "run_end"], Ty::bit());
    m.signals(&["ar_ready", "answer_ready", "answer_valid", "answer_last"], Ty::bit());
    m.signals(&["unused_joins", "unused_open", "unused_resp"], Ty::bit());
    m.signal("run_addr", Ty::bits(32), "");
    m.signals(&["run_len", "run_first"], Ty::bits(8));
    m.signal("run_words", Ty::bits(8), "");
    m.text(
        r#"
        assign room        = ar_ready && answer_ready;
        assign word        = l1m_req_i && room;
        assign l1m_gnt_o   = room;
        assign unused_resp = axi_rresp_i[0];
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
            ("addr_i", "l1m_addr_i"),
            ("joins_o", "unused_joins"),
            ("open_o", "unused_open"),
            ("room_i", "room"),
            ("end_o", "run_end"),
            ("addr_o", "run_addr"),
            ("len_o", "run_len"),
            ("first_o", "run_first"),
            ("words_o", "run_words"),
        ],
    );
    m.instance(
        &tl_fifo::module(),
        "u_ar",
        &[("Width", "40")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "run_end"),
            ("ready_o", "ar_ready"),
            ("data_i", "{run_len, run_addr}"),
            ("valid_o", "axi_arvalid_o"),
            ("ready_i", "axi_arready_i"),
            ("data_o", "{axi_arlen_o, axi_araddr_o}"),
        ],
    );
    m.section("Answers: a beat stays until the unit has had each of its words that it asked for.");
    m.signals(&["answer_first", "answer_words"], Ty::bits(8));
    m.signal("done_q", Ty::bits(8), "words of the burst that the unit has");
    m.signals(&["index", "index_q"], Ty::bits(8));
    m.signal("beat_last", Ty::bit(), "");
    m.instance(
        &tl_fifo::module(),
        "u_answer",
        &[("Width", "16"), ("Depth", "Bursts")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "run_end"),
            ("ready_o", "answer_ready"),
            ("data_i", "{run_words, run_first}"),
            ("valid_o", "answer_valid"),
            ("ready_i", "l1m_rvalid_o && answer_last"),
            ("data_o", "{answer_words, answer_first}"),
        ],
    );
    m.signal("words", Ty::bits("8*PortBytes").packed("Words"), "");
    m.text(
        r#"
        assign words        = axi_rdata_i;
        assign index        = (done_q == '0) ? answer_first : index_q;
        assign answer_last  = done_q == answer_words;
        assign beat_last    = answer_last || (index == 8'(Words - 1));
        assign axi_rready_o = answer_valid && beat_last;
        assign l1m_rvalid_o = answer_valid && axi_rvalid_i;
        assign l1m_rdata_o  = words[WordW'(index)];
        assign l1m_err_o    = axi_rresp_i[1];

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            done_q  <= '0;
            index_q <= '0;
          end else if (l1m_rvalid_o) begin
            done_q  <= answer_last ? '0 : done_q + 1'b1;
            index_q <= beat_last ? '0 : index + 1'b1;
          end
        end
        "#,
    );
    m
}
