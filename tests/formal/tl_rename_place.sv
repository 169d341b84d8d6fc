// SPDX-License-Identifier: Apache-2.0
// The register that tl_rename_facts follows is in one place.
module tl_rename_place (
  input logic clk_i,
  input logic rst_ni
);

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert ($onehot({tl_rename.u_facts.in_map, tl_rename.u_facts.in_ring, tl_rename.u_facts.in_release, tl_rename.u_facts.out_q}));
    end
  end

endmodule

bind tl_rename tl_rename_place u_place (.*);
