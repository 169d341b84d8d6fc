// SPDX-License-Identifier: Apache-2.0
// Read master of AXI4, for beats as wide as the port: its channels keep the rules, and each word that the unit was granted
// gets one response. Assumed of the other side: a beat comes for a burst that was accepted only.
module tl_axi_read_facts #(
  parameter int unsigned BurstWords = 8,
  parameter int unsigned Bursts = 16
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        l1m_req_i,
  input logic        l1m_gnt_o,
  input logic        l1m_rvalid_o,
  input logic        axi_arvalid_o,
  input logic        axi_arready_i,
  input logic [31:0] axi_araddr_o,
  input logic [7:0]  axi_arlen_o,
  input logic        axi_rvalid_i,
  input logic        axi_rready_o
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;
  localparam int unsigned CountW    = 7;
  localparam int unsigned SlotW     = $clog2(Bursts);

  logic              running_q;
  logic              asked_q;    // an address was offered, and not taken
  logic [39:0]       shown_q;
  logic [CountW-1:0] due_q;      // words without a response
  logic [CountW-1:0] beats_q;    // beats of bursts that were accepted, and have not come
  logic [CountW-1:0] noted;      // words of the bursts that wait for answers
  logic [CountW-1:0] offered;    // beats of the bursts whose addresses wait
  logic [CountW-1:0] in_run;
  logic              fine;       // all of them are inside of their blocks
  logic [SlotW-1:0]  at;
  logic [1:0]        at_ar;

  always_comb begin
    noted   = '0;
    offered = '0;
    fine    = 1'b1;
    at      = '0;
    at_ar   = '0;
    for (int unsigned i = 0; i < Bursts; i++) begin
      at = tl_axi_read.u_answer.head_q + SlotW'(i);
      if ((SlotW + 1)'(i) < tl_axi_read.u_answer.u_state.count) begin
        noted = noted + CountW'(tl_axi_read.u_answer.words[at][15:8]) + CountW'(1);
        fine  = fine && (tl_axi_read.u_answer.words[at][7:0] == '0)
                && (32'(tl_axi_read.u_answer.words[at][15:8]) < BurstWords);
      end
    end
    for (int unsigned i = 0; i < 4; i++) begin
      at_ar = tl_axi_read.u_ar.head_q + 2'(i);
      if (3'(i) < tl_axi_read.u_ar.u_state.count) begin
        offered = offered + CountW'(tl_axi_read.u_ar.words[at_ar][39:32]) + CountW'(1);
        fine    = fine && (tl_axi_read.u_ar.words[at_ar][31:0] % PortBytes == '0)
                  && (tl_axi_read.u_ar.words[at_ar][31:0] / PortBytes % BurstWords
                      + 32'(tl_axi_read.u_ar.words[at_ar][39:32]) < BurstWords);
      end
    end
  end

  // The words of a run are in one block: proven with tl_axi_run.
  assign in_run = tl_axi_read.u_run.open_o ? CountW'(tl_axi_read.u_run.last_q / PortBytes % BurstWords)
                  - CountW'(tl_axi_read.u_run.first_q / PortBytes % BurstWords) + CountW'(1) : '0;

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    asked_q <= rst_ni && axi_arvalid_o && !axi_arready_i;
    shown_q <= {axi_arlen_o, axi_araddr_o};
    if (!rst_ni) begin
      due_q   <= '0;
      beats_q <= '0;
    end else begin
      due_q   <= due_q + CountW'(l1m_req_i && l1m_gnt_o) - CountW'(l1m_rvalid_o);
      beats_q <= beats_q + (axi_arvalid_o && axi_arready_i ? CountW'(axi_arlen_o) + CountW'(1) : '0)
                 - CountW'(axi_rvalid_i && axi_rready_o);
      if (axi_rvalid_i) assume (beats_q != '0);
      // Addresses stay until they are taken; bursts are inside of 4 KiB, and not longer than they may be.
      if (asked_q) assert (axi_arvalid_o && ({axi_arlen_o, axi_araddr_o} == shown_q));
      if (axi_arvalid_o) begin
        assert (axi_araddr_o % PortBytes == '0);
        assert (32'(axi_arlen_o) < BurstWords);
        assert (32'(axi_araddr_o[11:0]) + (32'(axi_arlen_o) + 32'd1) * PortBytes <= 32'd4096);
      end
      // A response for a word that waits for one; none is forgotten.
      if (l1m_rvalid_o) assert (due_q != '0);
      if (axi_rvalid_i) assert (l1m_rvalid_o && axi_rready_o);
      assert (due_q == beats_q + offered + in_run);
      // Why.
      if (asked_q) assert (tl_axi_read.u_ar.valid_o && (shown_q == tl_axi_read.u_ar.words[tl_axi_read.u_ar.head_q]));
      assert (32'(beats_q) + 32'(offered) <= Bursts * BurstWords);
      assert (due_q == noted + in_run - CountW'(tl_axi_read.done_q));
      assert (tl_axi_read.index_q == '0);
      if (tl_axi_read.done_q != '0) assert (tl_axi_read.u_answer.valid_o && (tl_axi_read.done_q <= tl_axi_read.answer_words));
      assert (fine);
    end
  end

endmodule

bind tl_axi_read tl_axi_read_facts #(.BurstWords (BurstWords), .Bursts (Bursts)) u_facts (.*);
