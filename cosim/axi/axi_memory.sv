// SPDX-License-Identifier: Apache-2.0
// A memory behind AXI4, on the memory ports of the bench: a burst becomes words, words become beats. Its channels wait at
// random, each in a way of its own that changes from time to time; while calm_i is 1 none waits. A rule of AXI4 that the
// master breaks is an error, as is a burst that is longer than the master's parameters say, or one too many.
module axi_memory #(
  parameter int unsigned PortBytes  = 16,
  parameter int unsigned AxiBytes   = 16,
  parameter int unsigned ReadWords  = 8,   // words of a burst at most
  parameter int unsigned WriteWords = 4,
  parameter int unsigned Bursts     = 16   // of writes without an answer at most
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   calm_i,

  // AXI4, read channels
  input  logic                   arvalid_i,
  output logic                   arready_o,
  input  logic [31:0]            araddr_i,
  input  logic [7:0]             arlen_i,
  output logic                   rvalid_o,
  input  logic                   rready_i,
  output logic [8*AxiBytes-1:0]  rdata_o,
  output logic [1:0]             rresp_o,

  // AXI4, write channels
  input  logic                   awvalid_i,
  output logic                   awready_o,
  input  logic [31:0]            awaddr_i,
  input  logic [7:0]             awlen_i,
  input  logic                   wvalid_i,
  output logic                   wready_o,
  input  logic [8*AxiBytes-1:0]  wdata_i,
  input  logic [AxiBytes-1:0]    wstrb_i,
  input  logic                   wlast_i,
  output logic                   bvalid_o,
  input  logic                   bready_i,
  output logic [1:0]             bresp_o,

  // Ports of the bench
  output logic                   l1m_req_o,
  input  logic                   l1m_gnt_i,
  output logic [31:0]            l1m_addr_o,
  input  logic                   l1m_rvalid_i,
  input  logic [8*PortBytes-1:0] l1m_rdata_i,
  input  logic                   l1m_err_i,
  output logic                   l0m_req_o,
  input  logic                   l0m_gnt_i,
  output logic [31:0]            l0m_addr_o,
  output logic [PortBytes-1:0]   l0m_be_o,
  output logic [8*PortBytes-1:0] l0m_wdata_o,
  input  logic                   l0m_rvalid_i,
  input  logic                   l0m_err_i
);

  localparam int unsigned Words = AxiBytes / PortBytes;
  localparam int unsigned Channels = 5;  // AR, R, AW, W, B

  // Waiting. Of each channel: 0, 1 never, 2 every other cycle, 3 mostly. The ports of the bench wait in their own way.
  logic [31:0]         draw;  // xorshift; any at the start, so it depends on the seed of the case
  logic [1:0]          manner [Channels];
  logic [Channels-1:0] go;
  logic                decerr; // an error is DECERR, and not SLVERR
  logic [1:0]          order;  // 1: an address waits for its first beat; 2: beats wait for their address

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      if (draw == '0) draw = 32'd1;
      order <= 2'd0;
      go    <= '1;
      for (int unsigned i = 0; i < Channels; i++) manner[i] = 2'd0;
    end else begin
      for (int unsigned i = 0; i < Channels; i++) begin
        draw = draw ^ (draw << 13);
        draw = draw ^ (draw >> 17);
        draw = draw ^ (draw << 5);
        if (draw[5:0] == 6'd0) manner[i] = draw[7:6];
        go[i] <= calm_i || !manner[i][1] || (manner[i][0] ? draw[9:8] == 2'd0 : draw[8]);
      end
      decerr <= draw[20];
      if (calm_i) order <= 2'd0;
      else if (draw[17:12] == 6'd0) order <= draw[19:18];
    end
  end

  // Reads.
  logic [39:0]           ar[$];
  logic [8*AxiBytes:0]   r[$];
  logic [8*AxiBytes-1:0] beat;
  logic                  beat_err;
  int unsigned           asked, got;  // words of the burst, of the beat

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar.delete();
      r.delete();
      asked     = 0;
      got       = 0;
      beat_err  = 1'b0;
      arready_o <= 1'b0;
      rvalid_o  <= 1'b0;
      l1m_req_o <= 1'b0;
    end else begin
      if (arvalid_i && arready_o) ar.push_back({arlen_i, araddr_i});
      if (l1m_rvalid_i) begin
        beat[8*PortBytes*got+:8*PortBytes] = l1m_rdata_i;
        beat_err = beat_err || l1m_err_i;
        got++;
        if (got == Words) begin
          r.push_back({beat_err, beat});
          beat_err = 1'b0;
          got      = 0;
        end
      end
      if (!l1m_req_o || l1m_gnt_i) begin
        l1m_req_o <= ar.size() != 0;
        if (ar.size() != 0) begin
          l1m_addr_o <= ar[0][31:0] + asked * PortBytes;
          asked++;
          if (asked == (32'(ar[0][39:32]) + 1) * Words) begin
            void'(ar.pop_front());
            asked = 0;
          end
        end
      end
      if (rvalid_o && rready_i) void'(r.pop_front());
      if (!rvalid_o || rready_i) begin
        rvalid_o <= r.size() != 0 && go[1];
        if (r.size() != 0) begin
          rdata_o <= r[0][8*AxiBytes-1:0];
          rresp_o <= {r[0][8*AxiBytes], r[0][8*AxiBytes] && decerr};
        end
      end
      arready_o <= go[0];
    end
  end

  // Writes. A word without bytes is not written.
  logic [39:0]         aw[$];
  logic [9*AxiBytes:0] w[$];
  logic                last[$];  // the word is the last one of its burst
  logic                b[$];
  logic                b_err, found;
  int unsigned         beats, index;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw.delete();
      w.delete();
      last.delete();
      b.delete();
      b_err     = 1'b0;
      beats     = 0;
      index     = 0;
      awready_o <= 1'b0;
      wready_o  <= 1'b0;
      bvalid_o  <= 1'b0;
      l0m_req_o <= 1'b0;
    end else begin
      if (awvalid_i && awready_o) aw.push_back({awlen_i, awaddr_i});
      if (wvalid_i && wready_o) w.push_back({wlast_i, wstrb_i, wdata_i});
      if (l0m_rvalid_i) begin
        b_err = b_err || l0m_err_i;
        if (last.pop_front()) begin
          b.push_back(b_err);
          b_err = 1'b0;
        end
      end
      if (!l0m_req_o || l0m_gnt_i) begin
        l0m_req_o <= aw.size() != 0 && w.size() != 0;
        if (aw.size() != 0 && w.size() != 0) begin
          while (index < Words && w[0][8*AxiBytes+PortBytes*index+:PortBytes] == '0) index++;
          assert (index < Words) else $error("AXI: a beat without bytes");
          l0m_addr_o  <= aw[0][31:0] + beats * AxiBytes + index * PortBytes;
          l0m_be_o    <= w[0][8*AxiBytes+PortBytes*index+:PortBytes];
          l0m_wdata_o <= w[0][8*PortBytes*index+:8*PortBytes];
          found = 1'b0;
          for (int unsigned i = index + 1; i < Words; i++) begin
            found = found || w[0][8*AxiBytes+PortBytes*i+:PortBytes] != '0;
          end
          last.push_back(!found && w[0][9*AxiBytes]);
          index++;
          if (!found) begin
            assert (w[0][9*AxiBytes] == (beats == 32'(aw[0][39:32]))) else $error("AXI: wlast of another beat");
            beats++;
            index = 0;
            if (w[0][9*AxiBytes]) begin
              void'(aw.pop_front());
              beats = 0;
            end
            void'(w.pop_front());
          end
        end
      end
      if (bvalid_o && bready_i) void'(b.pop_front());
      if (!bvalid_o || bready_i) begin
        bvalid_o <= b.size() != 0 && go[4];
        if (b.size() != 0) bresp_o <= {b[0], b[0] && decerr};
      end
      awready_o <= go[2] && (order != 2'd1 || w.size() != 0 || wvalid_i);
      wready_o  <= go[3] && (order != 2'd2 || aw.size() != 0);
    end
  end

  // What holds on the channels of a master: a request stays as it is until it is taken, and no burst crosses 4 KiB.
  localparam int unsigned ReadBeats  = (ReadWords > Words) ? ReadWords / Words : 1;
  localparam int unsigned WriteBeats = (WriteWords > Words) ? WriteWords / Words : 1;

  int unsigned           unanswered;  // bursts of writes
  logic                  ar_waits, aw_waits, w_waits;
  logic [39:0]           ar_before, aw_before;
  logic [9*AxiBytes:0]   w_before;

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_waits   <= 1'b0;
      aw_waits   <= 1'b0;
      w_waits    <= 1'b0;
      unanswered <= 0;
    end else begin
      ar_waits  <= arvalid_i && !arready_o;
      aw_waits  <= awvalid_i && !awready_o;
      w_waits   <= wvalid_i && !wready_o;
      ar_before <= {arlen_i, araddr_i};
      aw_before <= {awlen_i, awaddr_i};
      w_before  <= {wlast_i, wstrb_i, wdata_i};
      assert (!ar_waits || (arvalid_i && {arlen_i, araddr_i} == ar_before)) else $error("AXI: AR has changed");
      assert (!aw_waits || (awvalid_i && {awlen_i, awaddr_i} == aw_before)) else $error("AXI: AW has changed");
      assert (!w_waits || (wvalid_i && {wlast_i, wstrb_i, wdata_i} == w_before)) else $error("AXI: W has changed");
      assert (!arvalid_i || (araddr_i % AxiBytes == 0
                             && 32'(araddr_i[11:0]) + (32'(arlen_i) + 1) * AxiBytes <= 4096))
      else $error("AXI: AR is not aligned, or crosses 4 KiB");
      assert (!awvalid_i || (awaddr_i % AxiBytes == 0
                             && 32'(awaddr_i[11:0]) + (32'(awlen_i) + 1) * AxiBytes <= 4096))
      else $error("AXI: AW is not aligned, or crosses 4 KiB");
      unanswered <= unanswered + 32'(awvalid_i && awready_o) - 32'(bvalid_o && bready_i);
      assert (!arvalid_i || 32'(arlen_i) < ReadBeats) else $error("AXI: AR is longer than ReadWords");
      assert (!awvalid_i || 32'(awlen_i) < WriteBeats) else $error("AXI: AW is longer than WriteWords");
      assert (unanswered <= Bursts) else $error("AXI: more than Bursts");
    end
  end

endmodule
