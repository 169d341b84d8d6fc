// SPDX-License-Identifier: Apache-2.0

// Checks of tl.xpose that need only its word and the sizes in its GPR. The product of the sizes has
// to be a fixed power of two, so each size has to be a power of two, and their logarithms add up.
// Purely combinational.
module tl_xpose_sizes (
  input  logic [31:0]     sizes_i,      // D0 to D3, a byte each
  input  logic [4:0]      rs1_i,        // TLReg of the first half
  input  logic [4:0]      rs2_i,        // TLReg of the second half
  output logic            powers_o,     // two registers; powers of two, the first not 1
  output logic [3:0][2:0] log2_size_o,  // [i] = log2(D_i)
  output logic [1:0][3:0] log2_sum_o    // log2 of D0 * D1 [0], of D2 * D3 [1]
);

  logic [3:0] powers;  // size i is a power of two

  // For a power of two, the number of the bit that is set.
  always_comb begin
    powers      = '0;
    log2_size_o = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned b = 0; b < 8; b++) begin
        if (sizes_i[8*i+:8] == 8'd1 << b) powers[i] = 1'b1;
        log2_size_o[i] = log2_size_o[i] | ({3{sizes_i[8*i+b]}} & 3'(b));
      end
    end
    for (int unsigned i = 0; i < 2; i++) begin
      log2_sum_o[i] = 4'(log2_size_o[2*i]) + 4'(log2_size_o[2*i+1]);
    end
  end

  assign powers_o = (powers == '1) && !sizes_i[0] && (rs1_i != rs2_i);

endmodule
