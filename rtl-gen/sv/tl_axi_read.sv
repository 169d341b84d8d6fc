// SPDX-License-Identifier: Apache-2.0

// Connects the unit's read port to the read channels of AXI4. All bursts have the same id, so their
// beats arrive in order. An error on a beat is reported for each word of the beat.
module tl_axi_read #(
  parameter int unsigned AxiBytes = tl_pkg::PortBytes,  // bytes of a beat: PortBytes to 64
  parameter int unsigned BurstWords = 8,        // words of a burst at most
  parameter int unsigned Bursts = 16            // outstanding bursts at most: 2, 4, 8 ...
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,         // asynchronous assert, synchronous release

  // To tl_top
  input  logic                           l1m_req_i,
  output logic                           l1m_gnt_o,
  input  logic [31:0]                    l1m_addr_i,     // a multiple of PortBytes
  output logic                           l1m_rvalid_o,
  output logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_o,
  output logic                           l1m_err_o,      // SLVERR or DECERR of the beat

  // AXI4, read channels
  output logic                           axi_arvalid_o,
  input  logic                           axi_arready_i,
  output logic [31:0]                    axi_araddr_o,
  output logic [7:0]                     axi_arlen_o,    // beats of the burst, less 1
  input  logic                           axi_rvalid_i,
  output logic                           axi_rready_o,
  input  logic [8*AxiBytes-1:0]          axi_rdata_i,
  input  logic [1:0]                     axi_rresp_i     // bit 1: SLVERR or DECERR
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;

  if (AxiBytes < PortBytes || AxiBytes > 64 ||
      AxiBytes != 2 ** $clog2(AxiBytes)) begin : gen_bad_axi_bytes
    $error("tl_axi_read: AxiBytes = %0d is not allowed; allowed: a power of two, PortBytes to 64",
        AxiBytes);
  end

  if (BurstWords > 256 || BurstWords * PortBytes > 4096 ||
      BurstWords != 2 ** $clog2(BurstWords)) begin : gen_bad_burst_words
    $error("tl_axi_read: BurstWords = %0d is not allowed; allowed: 2^n to 256, 4096 / PortBytes",
        BurstWords);
  end

  if (Bursts < 2 || Bursts != 2 ** $clog2(Bursts)) begin : gen_bad_bursts
    $error("tl_axi_read: Bursts = %0d is not allowed; allowed: a power of two, 2 or more", Bursts);
  end

  // words of a beat
  localparam int unsigned Words = AxiBytes > PortBytes ? AxiBytes / PortBytes : 1;
  localparam int unsigned WordW = (Words > 1) ? $clog2(Words) : 1;

  // Requests: runs of words become bursts.
  logic        room;
  logic        word;
  logic        run_end;
  logic        ar_ready;
  logic        answer_ready;
  logic        answer_valid;
  logic        answer_last;
  logic        unused_joins;
  logic        unused_open;
  logic        unused_resp;
  logic [31:0] run_addr;
  logic [7:0]  run_len;
  logic [7:0]  run_first;
  logic [7:0]  run_words;

  assign room        = ar_ready && answer_ready;
  assign word        = l1m_req_i && room;
  assign l1m_gnt_o   = room;
  assign unused_resp = axi_rresp_i[0];

  tl_axi_run #(
    .AxiBytes   (AxiBytes),
    .BurstWords (BurstWords)
  ) u_run (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .word_i  (word),
    .addr_i  (l1m_addr_i),
    .joins_o (unused_joins),
    .open_o  (unused_open),
    .room_i  (room),
    .end_o   (run_end),
    .addr_o  (run_addr),
    .len_o   (run_len),
    .first_o (run_first),
    .words_o (run_words)
  );

  tl_fifo #(
    .Width (40)
  ) u_ar (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (run_end),
    .ready_o (ar_ready),
    .data_i  ({run_len, run_addr}),
    .valid_o (axi_arvalid_o),
    .ready_i (axi_arready_i),
    .data_o  ({axi_arlen_o, axi_araddr_o})
  );

  // Responses: a beat stays until the unit has received every word of it that was requested.
  logic [7:0] answer_first;
  logic [7:0] answer_words;
  logic [7:0] done_q;        // words of the burst that the unit has
  logic [7:0] index;
  logic [7:0] index_q;
  logic       beat_last;

  tl_fifo #(
    .Width (16),
    .Depth (Bursts)
  ) u_answer (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (run_end),
    .ready_o (answer_ready),
    .data_i  ({run_words, run_first}),
    .valid_o (answer_valid),
    .ready_i (l1m_rvalid_o && answer_last),
    .data_o  ({answer_words, answer_first})
  );

  logic [Words-1:0][8*PortBytes-1:0] words;

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

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!$past(axi_arvalid_o && !axi_arready_i) ||
          (axi_arvalid_o && $stable({axi_araddr_o, axi_arlen_o})))
      else $error("tl_axi_read: a burst changed before it was taken");
      assert (!axi_rvalid_i || answer_valid)
      else $error("tl_axi_read: a beat that was not asked for");
    end
  end
`endif

endmodule
