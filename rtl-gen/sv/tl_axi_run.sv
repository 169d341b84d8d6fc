// SPDX-License-Identifier: Apache-2.0

// Joins words with consecutive addresses of a memory port into a run, which becomes one burst. A
// run ends in the first cycle without a word that continues it, so no word waits for one that may
// never come. It also ends at multiples of BurstWords words, so no burst crosses a 4-KiB boundary.
module tl_axi_run #(
  parameter int unsigned AxiBytes = tl_pkg::PortBytes,  // bytes of a beat, a power of two
  parameter int unsigned BurstWords = 8         // a power of two, to 256 and to 4096 / PortBytes
) (
  input  logic        clk_i,
  input  logic        rst_ni,   // asynchronous assert, synchronous release

  // Port of the unit
  input  logic        word_i,   // a word is taken in this cycle; only while room_i is 1
  input  logic [31:0] addr_i,   // its address
  output logic        joins_o,  // the word continues the run
  output logic        open_o,   // there is a run

  // The run, when it ends
  input  logic        room_i,   // a run may end
  output logic        end_o,    // it ends in this cycle
  output logic [31:0] addr_o,   // address of its first beat
  output logic [7:0]  len_o,    // number of its beats, less 1
  output logic [7:0]  first_o,  // index of its first word in the beat
  output logic [7:0]  words_o   // number of its words, less 1
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;

  logic [31:0] first_q;
  logic [31:0] last_q;

  assign joins_o = open_o && (addr_i == last_q + 32'(PortBytes))
                   && (addr_i / PortBytes % BurstWords != 32'd0);
  assign end_o   = open_o && room_i && !(word_i && joins_o);
  assign addr_o  = first_q / AxiBytes * AxiBytes;
  assign len_o   = 8'(last_q / AxiBytes - first_q / AxiBytes);
  assign first_o = 8'(first_q % AxiBytes / PortBytes);
  assign words_o = 8'((last_q - first_q) / PortBytes);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_o <= 1'b0;
    end else begin
      if (word_i) open_o <= 1'b1;
      else if (end_o) open_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_i) last_q <= addr_i;
    if (word_i && !joins_o) first_q <= addr_i;
  end

endmodule
