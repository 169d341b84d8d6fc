// SPDX-License-Identifier: Apache-2.0

// Connects the unit's write port to the write channels of AXI4. All bursts have the same id, so
// their responses arrive in order. The response of a burst, with its error, is passed on for each
// word of the burst.
module tl_axi_write #(
  parameter int unsigned AxiBytes = tl_pkg::PortBytes,  // bytes of a beat: PortBytes to 64
  parameter int unsigned BurstWords = 4,        // words of a burst at most
  parameter int unsigned Bursts = 16            // outstanding bursts at most: 2, 4, 8 ...
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,         // asynchronous assert, synchronous release

  // To tl_top
  input  logic                           l0m_req_i,
  output logic                           l0m_gnt_o,
  input  logic [31:0]                    l0m_addr_i,     // a multiple of PortBytes
  input  logic [tl_pkg::PortBytes-1:0]   l0m_be_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_i,
  output logic                           l0m_rvalid_o,
  output logic                           l0m_err_o,      // SLVERR or DECERR of the burst

  // AXI4, write channels
  output logic                           axi_awvalid_o,
  input  logic                           axi_awready_i,
  output logic [31:0]                    axi_awaddr_o,
  output logic [7:0]                     axi_awlen_o,    // beats of the burst, less 1
  output logic                           axi_wvalid_o,
  input  logic                           axi_wready_i,
  output logic [8*AxiBytes-1:0]          axi_wdata_o,
  output logic [AxiBytes-1:0]            axi_wstrb_o,
  output logic                           axi_wlast_o,
  input  logic                           axi_bvalid_i,
  output logic                           axi_bready_o,
  input  logic [1:0]                     axi_bresp_i     // bit 1: SLVERR or DECERR
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;

  if (AxiBytes < PortBytes || AxiBytes > 64 ||
      AxiBytes != 2 ** $clog2(AxiBytes)) begin : gen_bad_axi_bytes
    $error("tl_axi_write: AxiBytes = %0d is not allowed; allowed: a power of two, PortBytes to 64",
        AxiBytes);
  end

  if (BurstWords > 256 || BurstWords * PortBytes > 4096 ||
      BurstWords != 2 ** $clog2(BurstWords)) begin : gen_bad_burst_words
    $error("tl_axi_write: BurstWords = %0d is not allowed; allowed: 2^n to 256, 4096 / PortBytes",
        BurstWords);
  end

  if (Bursts < 2 || Bursts != 2 ** $clog2(Bursts)) begin : gen_bad_bursts
    $error("tl_axi_write: Bursts = %0d is not allowed; allowed: a power of two, 2 or more", Bursts);
  end

  // words of a beat
  localparam int unsigned Words = AxiBytes > PortBytes ? AxiBytes / PortBytes : 1;
  localparam int unsigned WordW = (Words > 1) ? $clog2(Words) : 1;
  // beats of two bursts, which the buffer holds
  localparam int unsigned Beats = (BurstWords > Words) ? 2 * BurstWords / Words : 2;

  // Requests: runs of words become bursts.
  logic        room;
  logic        word;
  logic        joins;
  logic        open;
  logic        run_end;
  logic        aw_ready;
  logic        beat_ready;
  logic        answer_ready;
  logic        unused_resp;
  logic [31:0] run_addr;
  logic [7:0]  run_len;
  logic [7:0]  unused_first;
  logic [7:0]  run_words;

  assign room        = aw_ready && beat_ready && answer_ready;
  assign word        = l0m_req_i && room;
  assign l0m_gnt_o   = room;
  assign unused_resp = axi_bresp_i[0];

  tl_axi_run #(
    .AxiBytes   (AxiBytes),
    .BurstWords (BurstWords)
  ) u_run (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .word_i  (word),
    .addr_i  (l0m_addr_i),
    .joins_o (joins),
    .open_o  (open),
    .room_i  (room),
    .end_o   (run_end),
    .addr_o  (run_addr),
    .len_o   (run_len),
    .first_o (unused_first),
    .words_o (run_words)
  );

  tl_fifo #(
    .Width (40)
  ) u_aw (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (run_end),
    .ready_o (aw_ready),
    .data_i  ({run_len, run_addr}),
    .valid_o (axi_awvalid_o),
    .ready_i (axi_awready_i),
    .data_o  ({axi_awlen_o, axi_awaddr_o})
  );

  // Beats. The last beat of a run is filled here until a word begins the next beat or the run ends.
  // The beats of a run are sent when the run has ended. They do not wait for its address, which may
  // queue behind addresses that the memory has not accepted yet.
  logic                              next_beat;
  logic                              beat_valid;
  logic                              sent;
  logic [7:0]                        index;       // of the word within its beat
  logic [Words-1:0][PortBytes-1:0]   strb_q;
  logic [Words-1:0][8*PortBytes-1:0] data_q;
  logic [$clog2(Beats)+1-1:0]        ended_q;     // ended runs whose beats are not all sent

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

  tl_fifo #(
    .Width (9*AxiBytes+1),
    .Depth (Beats)
  ) u_beat (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (run_end || (open && word && next_beat)),
    .ready_o (beat_ready),
    .data_i  ({run_end, strb_q, data_q}),
    .valid_o (beat_valid),
    .ready_i (axi_wready_i && (ended_q != '0)),
    .data_o  ({axi_wlast_o, axi_wstrb_o, axi_wdata_o})
  );

  // Responses, one for each word.
  logic [7:0] answer_words;
  logic [8:0] left_q;         // words of the answered burst that still need their response
  logic       err_q;
  logic       take;
  logic       unused_answer;

  tl_fifo #(
    .Width (8),
    .Depth (Bursts)
  ) u_answer (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (run_end),
    .ready_o (answer_ready),
    .data_i  (run_words),
    .valid_o (unused_answer),
    .ready_i (take),
    .data_o  (answer_words)
  );

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

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!$past(axi_awvalid_o && !axi_awready_i) ||
          (axi_awvalid_o && $stable({axi_awaddr_o, axi_awlen_o})))
      else $error("tl_axi_write: a burst changed before it was taken");
      assert (!$past(axi_wvalid_o && !axi_wready_i) ||
          (axi_wvalid_o && $stable({axi_wstrb_o, axi_wlast_o})))
      else $error("tl_axi_write: a beat changed before it was taken");
    end
  end
`endif

endmodule
