// SPDX-License-Identifier: Apache-2.0

// Plans a transposition: a permutation of the bits of the address {row, lane} of a granule. The
// address has five fields. From bit 0 on they are: what is inside dimension q, q, the dimensions
// between, p, and the dimensions above. Swapping p and q with p < q moves three of them: q,
// between, p.
// The engine applies the permutation in three steps. It reads the input rows in an order that is a
// permutation of the bits of a counter. It exchanges counter bits with lane bits. Then it permutes
// the lane bits and writes the rows in an order that is another permutation of the counter bits.
// The plan gives one counter bit per cycle, from bit 0 on, so the rows can be read while the plan
// is made.
module tl_xpose_plan (
  input  logic                                                 clk_i,
  // asynchronous assert, synchronous release
  input  logic                                                 rst_ni,
  // start a plan for the inputs of this cycle
  input  logic                                                 go_i,
  input  tl_pkg::ewidth_t                                      ewidth_i,      // width of an element
  // dimensions to swap, in any order; p = q is the identity
  input  logic [1:0]                                           p_i,
  input  logic [1:0]                                           q_i,
  // sizes of the dimensions; with the element they use GranW + 1 address bits in all
  input  logic [3:0][2:0]                                      log2_size_i,

  // Count bits that are exchanged. Valid until the next plan.
  // the first count bit is planned: exchange_o is valid
  output logic                                                 begin_o,
  // [j]: the lane bit of count bit j, or none
  output logic [tl_pkg::XposeExchW-1:0][tl_pkg::GranLaneW-1:0] exchange_o,

  // For one count bit per cycle: the bits of the row index that count bits 0 to this one stand for.
  output logic                                                 in_valid_o,
  output tl_pkg::xpose_step_t                                  in_bit_o,      // count bit
  // bits of the index of the input row
  output logic [tl_pkg::XposeRowW-1:0]                         in_mask_o,
  output logic                                                 out_valid_o,
  output tl_pkg::xpose_step_t                                  out_bit_o,     // count bit
  // bits of the index of the output row
  output logic [tl_pkg::XposeRowW-1:0]                         out_mask_o,

  // The layers of the sorting network of lane bits that swap.
  // the plan is complete
  output logic                                                 swap_valid_o,
  output tl_pkg::xpose_swaps_t                                 lane_swap_o    // which swap
);

  localparam int unsigned GranLaneW  = tl_pkg::GranLaneW;
  localparam int unsigned GranW      = tl_pkg::GranW;
  localparam int unsigned XposeRowW  = tl_pkg::XposeRowW;
  localparam int unsigned XposeStepW = tl_pkg::XposeStepW;
  localparam int unsigned XposeExchW = tl_pkg::XposeExchW;

  // Fields of the input address: their sizes, and the bits at which they begin and end.
  localparam int unsigned IdxW = $clog2(GranW + 2);  // a bit position, up to one past the last

  logic [1:0]      outer;     // p and q in order
  logic [1:0]      inner;
  logic [IdxW-1:0] sum_low;
  logic [IdxW-1:0] sum_m;
  // bits of the inner dimension q; if p = q, sizes are such that nothing moves
  logic [IdxW-1:0] size_q_q;
  logic [IdxW-1:0] size_m_q;  // bits of the dimensions between
  logic [IdxW-1:0] size_p_q;  // bits of the outer dimension
  logic [IdxW-1:0] start_q;   // first bit of q
  logic [IdxW-1:0] q_low_q;   // first bit of q, a cycle later
  logic [IdxW-1:0] m_low_q;   // first bit of the dimensions between
  logic [IdxW-1:0] p_low_q;   // first bit of p
  logic [IdxW-1:0] p_end_q;   // first bit above
  logic [IdxW-1:0] q_up_q;    // distance that bits move: q up, those between up or down, p down
  logic [IdxW-1:0] m_up_q;
  logic [IdxW-1:0] p_down_q;
  logic            sized_q;
  logic            placed_q;
  logic            aimed_q;

  assign outer = (p_i < q_i) ? p_i : q_i;
  assign inner = (p_i < q_i) ? q_i : p_i;

  always_comb begin
    sum_low = IdxW'(ewidth_i) - IdxW'($clog2(tl_pkg::Gran / 4));
    sum_m   = '0;
    for (int unsigned d = 1; d < 4; d++) begin
      if (2'(d) > inner) sum_low = sum_low + IdxW'(log2_size_i[d]);
      if (2'(d) > outer && 2'(d) < inner) sum_m = sum_m + IdxW'(log2_size_i[d]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (go_i) begin
      size_q_q <= IdxW'(log2_size_i[inner]);
      size_m_q <= sum_m;
      size_p_q <= (p_i == q_i) ? '0 : IdxW'(log2_size_i[outer]);
      start_q  <= sum_low;
    end
    // The sizes stay until the next plan, and so do all values computed from them.
    q_low_q  <= start_q;
    m_low_q  <= start_q + size_q_q;
    p_low_q  <= start_q + size_q_q + size_m_q;
    p_end_q  <= start_q + size_q_q + size_m_q + size_p_q;
    q_up_q   <= size_p_q + size_m_q;
    m_up_q   <= size_p_q - size_q_q;
    p_down_q <= size_q_q + size_m_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sized_q  <= 1'b0;
      placed_q <= 1'b0;
      aimed_q  <= 1'b0;
    end else begin
      sized_q  <= go_i;
      placed_q <= sized_q;
      aimed_q  <= placed_q;
    end
  end

  // Where each lane bit goes, and the row bits that go to the lanes.
  logic [GranLaneW-1:0][IdxW-1:0] target;
  logic [GranLaneW-1:0][IdxW-1:0] target_q;
  logic [XposeRowW-1:0]           enters;
  logic [XposeRowW-1:0]           enters_q;
  logic [XposeRowW-1:0]           lands;     // the row bit that becomes bit 0 of the row number
  logic [XposeRowW-1:0]           lands_q;

  always_comb begin
    for (int unsigned i = 0; i < GranLaneW; i++) begin
      target[i] = IdxW'(i);
      if (IdxW'(i) >= q_low_q && IdxW'(i) < p_end_q) begin
        if (IdxW'(i) < m_low_q) target[i] = IdxW'(i) + q_up_q;
        else if (IdxW'(i) < p_low_q) target[i] = IdxW'(i) + m_up_q;
        else target[i] = IdxW'(i) - p_down_q;
      end
    end
    // Bits of q move up, so no row bit of q enters the lanes.
    for (int unsigned i = 0; i < XposeRowW; i++) begin
      enters[i] = 1'b0;
      lands[i]  = i == 0;
      if (IdxW'(i + GranLaneW) >= m_low_q && IdxW'(i + GranLaneW) < p_end_q) begin
        if (IdxW'(i + GranLaneW) < p_low_q) begin
          enters[i] = (IdxW'(i + GranLaneW) + m_up_q) < IdxW'(GranLaneW);
          lands[i]  = (IdxW'(i) + m_up_q) == '0;
        end else begin
          enters[i] = IdxW'(i) < p_down_q;
          lands[i]  = IdxW'(i) == p_down_q;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    target_q <= target;
    enters_q <= enters;
    lands_q  <= lands;
  end

  // A lane bit that leaves the lanes is exchanged with a counter bit. The highest lane bit has the
  // fastest counter bit, as high lane bits leave most often.
  logic [GranLaneW-1:0]                 leaves;    // lane bits that go to the row number
  logic [XposeExchW-1:0][GranLaneW-1:0] exchange;

  always_comb begin
    for (int unsigned i = 0; i < GranLaneW; i++) begin
      leaves[i] = target_q[i] >= IdxW'(GranLaneW);
    end
  end

  always_ff @(posedge clk_i) begin
    exchange_o <= exchange;
  end

  if (tl_pkg::XposeAssigns != 0) begin : gen_assigned
    tl_pkg::xpose_exchange_t taken;   // counter bits that are exchanged
    logic                    served;

    // The two highest lane bits have fixed counter bits, because their stages have only one delay.
    // Each lower lane bit takes the lowest counter bit that is left, which gives the shortest
    // delay. There are always enough counter bits.
    always_comb begin
      exchange = '0;
      taken    = '0;
      served   = 1'b0;
      for (int unsigned j = 0; j < 2 && j < XposeExchW; j++) begin
        exchange[j][GranLaneW-1-j] = leaves[GranLaneW-1-j];
        taken[j]                   = leaves[GranLaneW-1-j];
      end
      for (int unsigned i = 2; i < GranLaneW; i++) begin
        served = !leaves[GranLaneW-1-i];
        for (int unsigned j = 0; j < XposeExchW; j++) begin
          if (!served && !taken[j]) begin
            exchange[j][GranLaneW-1-i] = 1'b1;
            taken[j]                   = 1'b1;
            served                     = 1'b1;
          end
        end
      end
    end
  end else begin : gen_own
    // There are few lane bits and counter bits, so a fixed counter bit for each is fast enough.
    always_comb begin
      exchange = '0;
      for (int unsigned j = 0; j < GranLaneW; j++) begin
        exchange[j][GranLaneW-1-j] = leaves[GranLaneW-1-j];
      end
    end
  end

  // One counter bit per cycle. A counter bit that is exchanged counts a row bit that enters the
  // lanes; any other one counts a row bit that stays in the row number. Each takes the lowest such
  // row bit that is left. Bit 0 of the row number is the bank, and the result must not stay in one
  // bank for long. Therefore the row bit that becomes bit 0 is counted last, and the first count
  // bit of a row bit that stays inverts it, too.
  logic                 step_q;
  tl_pkg::xpose_step_t  bit_q;   // counter bit
  logic [XposeRowW-1:0] left_q;  // row bits without a counter bit
  // lane bit that is exchanged with this counter bit, one-hot; 0: none
  logic [GranLaneW-1:0] lane;
  logic [XposeRowW-1:0] wanted;
  logic [XposeRowW-1:0] pick;
  logic [XposeRowW-1:0] others;
  logic [XposeRowW-1:0] stays;
  logic [XposeRowW-1:0] twist;   // the row bit that is inverted so; 0 if it is the first one anyway
  logic                 twists;  // count bits from this one on include the inversion
  logic                 twists_q;
  logic [IdxW-1:0]      picked;

  always_comb begin
    lane = '0;
    for (int unsigned j = 0; j < XposeExchW; j++) begin
      if (bit_q == XposeStepW'(j)) lane = lane | exchange_o[j];
    end
  end

  always_comb begin
    wanted = left_q & ((lane != '0) ? enters_q : ~enters_q);
    stays  = ~enters_q;
    twist  = lands_q & ~(stays & (~stays + 1'b1));
    others = wanted & ~twist;
    pick   = (others == '0) ? wanted : others & (~others + 1'b1);
    twists = twists_q || (lane == '0);
    picked = '0;
    for (int unsigned i = 0; i < XposeRowW; i++) begin
      if (pick[i]) picked = picked | IdxW'(i + GranLaneW);
    end
  end

  assign begin_o    = step_q && (bit_q == '0);
  assign in_valid_o = step_q;
  assign in_bit_o   = bit_q;
  assign in_mask_o  = (~left_q | pick) ^ (twist & {XposeRowW{twists}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= 1'b0;
    else step_q <= aimed_q || (step_q && bit_q != XposeStepW'(XposeRowW - 1));
  end

  always_ff @(posedge clk_i) begin
    if (step_q) begin
      bit_q  <= bit_q + 1'b1;
      left_q <= left_q & ~pick;
    end else begin
      bit_q  <= '0;
      left_q <= '1;
    end
    twists_q <= step_q && twists;
  end

  // Two cycles later: the targets of the row bit and of the lane bit. The counter bit then stands
  // for whichever of the two goes to the row number.
  logic                 picked_valid_q;
  logic                 moved_valid_q;
  tl_pkg::xpose_step_t  picked_bit_q;
  tl_pkg::xpose_step_t  moved_bit_q;
  logic [GranLaneW-1:0] picked_lane_q;
  logic [GranLaneW-1:0] moved_lane_q;
  logic [IdxW-1:0]      picked_q;        // row bit of the input
  logic [IdxW-1:0]      lane_target;
  logic [IdxW-1:0]      row_target_q;
  logic [IdxW-1:0]      out_target_q;
  logic [IdxW-1:0]      moved;           // target of the row bit
  logic [XposeRowW-1:0] out_mask;
  logic [XposeRowW-1:0] out_mask_q;
  logic                 picked_twist_q;
  logic                 moved_twist_q;

  always_comb begin
    lane_target = '0;
    for (int unsigned i = 0; i < GranLaneW; i++) begin
      if (picked_lane_q[i]) lane_target = lane_target | target_q[i];
    end
    moved = picked_q;
    if (picked_q >= q_low_q && picked_q < p_end_q) begin
      if (picked_q < m_low_q) moved = picked_q + q_up_q;
      else if (picked_q < p_low_q) moved = picked_q + m_up_q;
      else moved = picked_q - p_down_q;
    end
  end

  assign out_valid_o = moved_valid_q;
  assign out_bit_o   = moved_bit_q;

  always_comb begin
    out_mask = out_mask_q;
    for (int unsigned i = 0; i < XposeRowW; i++) begin
      if (out_target_q == IdxW'(i + GranLaneW)) out_mask[i] = 1'b1;
    end
    out_mask_o    = out_mask;
    out_mask_o[0] = out_mask[0] ^ moved_twist_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      picked_valid_q <= 1'b0;
      moved_valid_q  <= 1'b0;
    end else begin
      picked_valid_q <= step_q;
      moved_valid_q  <= picked_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    picked_bit_q  <= bit_q;
    picked_lane_q <= lane;
    picked_q      <= picked;
    moved_bit_q   <= picked_bit_q;
    moved_lane_q  <= picked_lane_q;
    row_target_q  <= moved;
    out_target_q  <= (picked_lane_q != '0) ? lane_target : moved;
    out_mask_q    <= moved_valid_q ? out_mask : '0;
    picked_twist_q <= twists && (twist != '0);
    moved_twist_q  <= picked_twist_q;
  end

  // After the exchange, each lane bit is labelled with the lane bit that its content has to become.
  // Sorting the labels gives the swaps. Digit s of the constants names the two bits of layer s, and
  // the cycle in which layer s is sorted.
  localparam int unsigned LabelW    = GranLaneW > 1 ? $clog2(GranLaneW) : 1;
  localparam int unsigned LastCycle = 32'(tl_pkg::XposeSortCycle[4*(tl_pkg::XposeLaneSwaps-1)+:4]);

  logic [GranLaneW-1:0][LabelW-1:0]                  label_q;        // of the lane bits
  logic [LastCycle+1-1:0]                            sort_q;         // [n]: cycle n of the sort
  logic [LastCycle+1-1:0][GranLaneW-1:0][LabelW-1:0] given_q;        // labels after cycle n - 1
  logic [LastCycle+1-1:0][GranLaneW-1:0][LabelW-1:0] sorted;         // labels after cycle n
  // a label on its way to another lane bit
  logic [LabelW-1:0]                                 held;
  logic                                              unused_sorted;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < GranLaneW; i++) begin
      if (aimed_q) label_q[i] <= target_q[i][LabelW-1:0];
      else if (moved_valid_q && moved_lane_q[i]) label_q[i] <= row_target_q[LabelW-1:0];
    end
  end

  // A result of one cycle does not change until the next plan, so at the end all swaps are valid.
  always_comb begin
    held        = '0;
    lane_swap_o = '0;
    for (int unsigned n = 0; n <= LastCycle; n++) begin
      sorted[n] = (n == 0) ? label_q : given_q[n];
      for (int unsigned s = 0; s < tl_pkg::XposeLaneSwaps; s++) begin
        if (32'(tl_pkg::XposeSortCycle[4*s+:4]) == n) begin
          lane_swap_o[s] = sorted[n][tl_pkg::XposeLowBit[4*s+:4]] >
              sorted[n][tl_pkg::XposeHighBit[4*s+:4]];
          if (lane_swap_o[s]) begin
            held                                      = sorted[n][tl_pkg::XposeLowBit[4*s+:4]];
            sorted[n][tl_pkg::XposeLowBit[4*s+:4]]  = sorted[n][tl_pkg::XposeHighBit[4*s+:4]];
            sorted[n][tl_pkg::XposeHighBit[4*s+:4]] = held;
          end
        end
      end
    end
  end

  assign swap_valid_o  = sort_q[LastCycle];
  assign unused_sorted = ^{sorted[LastCycle], given_q[0], row_target_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sort_q <= '0;
    else begin
      for (int unsigned n = 1; n <= LastCycle; n++) sort_q[n] <= sort_q[n-1];
      sort_q[0] <= moved_valid_q && (moved_bit_q == XposeStepW'(XposeExchW - 1));
    end
  end

  always_ff @(posedge clk_i) begin
    given_q[0] <= '0;
    for (int unsigned n = 1; n <= LastCycle; n++) given_q[n] <= sorted[n-1];
  end

endmodule
