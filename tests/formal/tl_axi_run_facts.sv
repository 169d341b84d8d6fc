// SPDX-License-Identifier: Apache-2.0
// A run is inside of a block of BurstWords words.
module tl_axi_run_facts #(
  parameter int unsigned BurstWords = 8
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        word_i,
  input logic        room_i,
  input logic        open_o,
  input logic [31:0] addr_i
);

  localparam int unsigned PortBytes = tl_pkg::PortBytes;

  logic [31:0] first;
  logic [31:0] last;

  assign first = tl_axi_run.first_q;
  assign last  = tl_axi_run.last_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assume (addr_i % PortBytes == '0);
      if (word_i) assert (room_i);
      if (open_o) begin
        assert ((first % PortBytes == '0) && (last % PortBytes == '0) && (first <= last));
        assert (first / PortBytes / BurstWords == last / PortBytes / BurstWords);
      end
    end
  end

endmodule

bind tl_axi_run tl_axi_run_facts #(.BurstWords (BurstWords)) u_facts (.*);
