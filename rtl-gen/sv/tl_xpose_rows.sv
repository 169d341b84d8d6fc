// SPDX-License-Identifier: Apache-2.0

// Walks the rows of an operation in the order of its plan: the row index is a counter with its bits
// permuted. When the counter steps, its bits 0 to t change, and so do t + 1 bits of the row index,
// which mask t of the plan names. Mask t is first needed when the count is 2^t - 1, so the plan may
// be written while the walk runs.
module tl_xpose_rows (
  input  logic                         clk_i,
  input  logic                         rst_ni,   // asynchronous assert, synchronous release

  // Plan, for an operation in each slot.
  input  logic                         we_i,
  input  tl_pkg::xpose_slot_t          wslot_i,  // slot of the operation
  input  tl_pkg::xpose_step_t          wbit_i,   // count bit t
  // bits of the row index that change with count bits 0 to t
  input  logic [tl_pkg::XposeRowW-1:0] wmask_i,

  // Walk. The slots take turns.
  input  logic                         step_i,
  output logic [tl_pkg::XposeRowW-1:0] count_o,  // steps of the operation so far
  // row of the tensor for this step; top bit: second register
  output logic [tl_pkg::XposeRowW-1:0] row_o
);

  localparam int unsigned XposeRowW  = tl_pkg::XposeRowW;
  localparam int unsigned XposeStepW = tl_pkg::XposeStepW;

  tl_pkg::xpose_slot_t slot_q;
  tl_pkg::xpose_step_t carry;   // the highest count bit that changes

  logic [XposeRowW-1:0] masks [2**(tl_pkg::XposeSlotW+XposeStepW)];

  // Number of low bits of the count that are all 1. After the last row all bits change.
  always_comb begin
    carry = XposeStepW'(XposeRowW - 1);
    for (int unsigned j = XposeRowW - 1; j > 0; j--) begin
      if (!count_o[j-1]) carry = XposeStepW'(j - 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (we_i) masks[{wslot_i, wbit_i}] <= wmask_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q  <= '0;
      count_o <= '0;
      row_o   <= '0;
    end else if (step_i) begin
      if (&count_o) slot_q <= slot_q + 1'b1;
      count_o <= count_o + 1'b1;
      row_o   <= row_o ^ masks[{slot_q, carry}];
    end
  end

endmodule
