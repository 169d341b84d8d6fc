// SPDX-License-Identifier: Apache-2.0
// Write master of AXI4, for beats as wide as the port: its channels keep the rules, and each word that the unit was granted
// gets one response. Assumed of the other side: an answer comes for a burst whose address and last beat were accepted only.
module tl_axi_write_facts #(
  parameter int unsigned AxiBytes = tl_pkg::PortBytes,
  parameter int unsigned BurstWords = 4,
  parameter int unsigned Bursts = 16
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  l0m_req_i,
  input logic                  l0m_gnt_o,
  input logic                  l0m_rvalid_o,
  input logic                  axi_awvalid_o,
  input logic                  axi_awready_i,
  input logic [31:0]           axi_awaddr_o,
  input logic [7:0]            axi_awlen_o,
  input logic                  axi_wvalid_o,
  input logic                  axi_wready_i,
  input logic [8*AxiBytes-1:0] axi_wdata_o,
  input logic [AxiBytes-1:0]   axi_wstrb_o,
  input logic                  axi_wlast_o,
  input logic                  axi_bvalid_i,
  input logic                  axi_bready_o
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;
  localparam int unsigned CountW    = 7;
  localparam int unsigned SlotW     = $clog2(Bursts);

  logic                  running_q;
  logic                  aw_asked_q;   // an address was offered, and not taken
  logic                  w_asked_q;    // a beat was offered, and not taken
  logic [39:0]           aw_q;
  logic [9*AxiBytes:0]   w_q;
  logic [9*AxiBytes:0]   w;
  logic [CountW-1:0]     due_q;        // words without a response
  logic [CountW-1:0]     addressed_q;  // bursts whose address was accepted, without an answer
  logic [CountW-1:0]     written_q;    // bursts whose beats were accepted, without an answer
  logic [CountW-1:0]     beat_q;       // beats of the burst that is written
  logic                  aw_take;
  logic                  w_take;
  logic                  b_take;
  logic [7:0]            length;       // of the burst that is written

  logic [CountW-1:0] noted;    // words of the bursts that wait for answers
  logic [CountW-1:0] in_run;
  logic [Bursts-1:0][7:0] lengths;  // of the bursts in u_answer
  logic              fine;     // bursts are inside of their blocks
  logic              marked;   // the last beats of bursts are marked, and no others
  logic [CountW-1:0] burst;    // of a beat that waits
  logic [CountW-1:0] place;    // of the beat in its burst
  logic              ends;
  logic [SlotW-1:0]  at;
  logic [1:0]        at_aw;
  logic [2:0]        at_beat;

  always_comb begin
    noted = '0;
    fine  = 1'b1;
    at    = '0;
    at_aw = '0;
    for (int unsigned i = 0; i < Bursts; i++) begin
      at = tl_axi_write.u_answer.head_q + SlotW'(i);
      if ((SlotW + 1)'(i) < tl_axi_write.u_answer.u_state.count) begin
        noted = noted + CountW'(lengths[at]) + CountW'(1);
        fine  = fine && (32'(lengths[at]) < BurstWords);
      end
    end
    for (int unsigned i = 0; i < 4; i++) begin
      at_aw = tl_axi_write.u_aw.head_q + 2'(i);
      if (3'(i) < tl_axi_write.u_aw.u_state.count) begin
        fine = fine && (tl_axi_write.u_aw.words[at_aw][31:0] % PortBytes == '0)
               && (tl_axi_write.u_aw.words[at_aw][31:0] / PortBytes % BurstWords
                   + 32'(tl_axi_write.u_aw.words[at_aw][39:32]) < BurstWords);
      end
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < Bursts; i++) lengths[i] = tl_axi_write.u_answer.words[i];
  end

  // The beats that wait are the rest of the burst that is written, those behind it, and those of the run that is open, but
  // for its last one.
  always_comb begin
    marked  = 1'b1;
    burst   = written_q;
    place   = beat_q;
    ends    = 1'b0;
    at_beat = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      at_beat = tl_axi_write.u_beat.head_q + 3'(i);
      if (4'(i) < tl_axi_write.u_beat.u_state.count) begin
        ends   = (burst < CountW'(tl_axi_write.u_answer.u_state.count))
                 && (place == CountW'(lengths[SlotW'(tl_axi_write.u_answer.head_q + burst)]));
        marked = marked && (tl_axi_write.u_beat.words[at_beat][9*AxiBytes] == ends);
        burst  = burst + CountW'(ends);
        place  = ends ? '0 : place + CountW'(1);
      end
    end
    marked = marked && (burst == CountW'(tl_axi_write.u_answer.u_state.count))
             && (place == (in_run == '0 ? '0 : in_run - CountW'(1)));
  end

  // The words of a run are in one block: proven with tl_axi_run.
  assign in_run = tl_axi_write.u_run.open_o ? CountW'(tl_axi_write.u_run.last_q / PortBytes % BurstWords)
                  - CountW'(tl_axi_write.u_run.first_q / PortBytes % BurstWords) + CountW'(1) : '0;

  assign w       = {axi_wlast_o, axi_wstrb_o, axi_wdata_o};
  assign aw_take = axi_awvalid_o && axi_awready_i;
  assign w_take  = axi_wvalid_o && axi_wready_i;
  assign b_take  = axi_bvalid_i && axi_bready_o;
  assign length  = lengths[SlotW'(tl_axi_write.u_answer.head_q + written_q)];

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    aw_asked_q <= rst_ni && axi_awvalid_o && !axi_awready_i;
    w_asked_q  <= rst_ni && axi_wvalid_o && !axi_wready_i;
    aw_q       <= {axi_awlen_o, axi_awaddr_o};
    w_q        <= w;
    if (!rst_ni) begin
      due_q       <= '0;
      addressed_q <= '0;
      written_q   <= '0;
      beat_q      <= '0;
    end else begin
      due_q       <= due_q + CountW'(l0m_req_i && l0m_gnt_o) - CountW'(l0m_rvalid_o);
      addressed_q <= addressed_q + CountW'(aw_take) - CountW'(b_take);
      written_q   <= written_q + CountW'(w_take && axi_wlast_o) - CountW'(b_take);
      if (w_take) beat_q <= axi_wlast_o ? '0 : beat_q + CountW'(1);
      if (axi_bvalid_i) assume ((addressed_q != '0) && (written_q != '0));
      if (aw_asked_q) assert (axi_awvalid_o && ({axi_awlen_o, axi_awaddr_o} == aw_q));
      if (w_asked_q) assert (axi_wvalid_o && (w == w_q));
      if (axi_awvalid_o) begin
        assert (axi_awaddr_o % PortBytes == '0);
        assert (32'(axi_awlen_o) < BurstWords);
        assert (32'(axi_awaddr_o[11:0]) + (32'(axi_awlen_o) + 32'd1) * PortBytes <= 32'd4096);
      end
      // The last beat is where the length of the burst says; beats come once their address is
      // in the queue of addresses, which may be before it is on the channel.
      if (axi_wvalid_o) assert (axi_wlast_o == (beat_q == CountW'(length)));
      if (axi_wvalid_o) assert (written_q < addressed_q + CountW'(tl_axi_write.u_aw.u_state.count));
      if (l0m_rvalid_o) assert (due_q != '0);
      // Each word that was granted is in the run, in a burst, or among those that get their responses now.
      assert (due_q == noted + in_run + CountW'(tl_axi_write.left_q));
      // Why.
      assert (fine && marked && (32'(tl_axi_write.left_q) <= BurstWords));
      assert (written_q + CountW'(tl_axi_write.ended_q) == CountW'(tl_axi_write.u_answer.u_state.count));
      assert (addressed_q + CountW'(tl_axi_write.u_aw.u_state.count) == CountW'(tl_axi_write.u_answer.u_state.count));
      if (w_asked_q) assert (tl_axi_write.ended_q != '0);
    end
  end

endmodule

bind tl_axi_write tl_axi_write_facts #(.AxiBytes (AxiBytes), .BurstWords (BurstWords), .Bursts (Bursts)) u_facts (.*);
