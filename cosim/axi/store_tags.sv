// SPDX-License-Identifier: Apache-2.0
// The store of each word behind AXI4, for the bench: noted where the unit gives the word, needed where the memory writes it.
module store_tags (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       given_i,    // by the unit
  input  logic [7:0] tag_i,
  input  logic       written_i,  // by the memory
  output logic [7:0] tag_o       // of the next word that the memory writes
);

  logic [7:0] tags[$];

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tags.delete();
    end else begin
      if (written_i) void'(tags.pop_front());
      if (given_i) tags.push_back(tag_i);
      if (tags.size() != 0) tag_o <= tags[0];
    end
  end

endmodule
