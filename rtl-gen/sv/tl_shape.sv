// SPDX-License-Identifier: Apache-2.0

// Computes what instructions need from the type, shape, width and mask CSRs: element width,
// legality, slice sizes. It works in short stages, so no product is on the path of an instruction.
// `settled_o` is 0 in the six cycles after a change; while it is 1, the outputs are those of the
// CSRs.
module tl_shape (
  input  logic                       clk_i,
  input  logic                       rst_ni,            // asynchronous assert, synchronous release

  // CSRs
  // a CSR below changes at the next clock edge; settled_o falls one cycle later
  input  logic                       change_i,
  input  logic [11:0]                ttype_i,
  input  logic [23:0]                tshape_i,
  input  logic [31:0]                tmask_load_i,
  input  logic [31:0]                tmask_store_i,
  input  logic [31:0]                tmask_concat_1_i,
  input  logic [31:0]                tmask_concat_2_i,
  input  logic [31:0]                tload_width_i,
  input  logic [31:0]                tstore_width_i,
  input  logic [15:0]                tload_pitch_i,
  input  logic [15:0]                tstore_pitch_i,
  // written since reset: load, store, concat_1, concat_2
  input  logic [3:0]                 mask_init_i,

  // Derived, valid while settled
  output logic                       settled_o,
  // exactly one type is selected, with a width that is built in
  output logic                       type_ok_o,
  output logic                       int_type_o,        // one of the integer types
  output tl_pkg::ewidth_t            ewidth_o,          // width of an element
  output tl_pkg::ls_shape_t          ls_o,              // loads and stores
  output tl_pkg::dim_shape_t         dims_o,            // concat and merge
  output logic [tl_pkg::GranW+1-1:0] block_o            // granules of the block
);

  localparam int unsigned ByteW  = tl_pkg::ByteW;
  localparam int unsigned LaneW  = tl_pkg::LaneW;
  localparam int unsigned GranW  = tl_pkg::GranW;
  localparam int unsigned PitchW = tl_pkg::PitchW;
  localparam bit HasPitch        = tl_pkg::Pitch != 0;

  // Element type: the eight fields of ttype are tint4 to tint32, then tfp4 to tfp32.
  logic [7:0]      fields;     // non-zero fields
  logic            one_field;
  tl_pkg::ewidth_t ewidth;
  logic            type_ok;

  assign fields    = {|ttype_i[11:10], |ttype_i[9:8], |ttype_i[7:6], |ttype_i[5:4], ttype_i[3:0]};
  assign one_field = (fields != 8'd0) && ((fields & (fields - 8'd1)) == 8'd0);
  assign ewidth[0] = fields[1] | fields[3] | fields[5] | fields[7];
  assign ewidth[1] = fields[2] | fields[3] | fields[6] | fields[7];
  assign type_ok   = one_field && tl_pkg::WidthMask[ewidth];

  // Products. One multiplier computes four of them in steps after a change: D1 * D2, the elements
  // of the block, the nibbles of the slices of a load, and the nibbles of the slices of a store.
  // Step i is the cycle of settling_q[i]. If steps of two changes coincide, the later change has
  // priority.
  localparam int unsigned WidthCap = 2 * tl_pkg::RegBytes;  // nibbles of a register
  localparam int unsigned WidthW   = $clog2(WidthCap + 2);
  localparam int unsigned SizeW    = WidthW + 3;

  logic [5:0]               settling_q;  // [i]: a change came i + 1 cycles ago
  logic [2:0][7:0]          size;        // D0, D1, D2
  logic [WidthW-1:0]        left;
  logic [7:0]               right;
  logic [7:0][WidthW-1:0]   part;        // left, for each bit of right that is set
  logic [3:0][WidthW+2-1:0] pair;        // sums of two parts
  logic [1:0][WidthW+4-1:0] quad;        // sums of four parts
  logic [1:0][WidthW+4-1:0] quad_q;
  logic [WidthW+8-1:0]      product;     // product of the operands of the previous cycle
  // nibbles of a slice in the register; in earlier steps D1 * D2
  logic [SizeW-1:0]         slice_q;

  assign size  = {tshape_i[7:0], tshape_i[15:8], tshape_i[23:16]};
  assign left  = settling_q[0] ? WidthW'(size[1]) : slice_q[WidthW-1:0];
  assign right = settling_q[0] ? size[2] : size[0];

  // The multiplier is built from adders: it is too small to spend a hardware multiplier on. The
  // lowest bits of each sum are those of its lower summand.
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      part[i] = left & {WidthW{right[i]}};
    end
    for (int unsigned i = 0; i < 4; i++) begin
      pair[i] = {(WidthW + 1)'(part[2*i+1]) + (WidthW + 1)'(part[2*i][WidthW-1:1]), part[2*i][0]};
    end
    for (int unsigned i = 0; i < 2; i++) begin
      quad[i] = {(WidthW + 2)'(pair[2*i+1]) + (WidthW + 2)'(pair[2*i][WidthW+1:2]), pair[2*i][1:0]};
    end
  end

  always_ff @(posedge clk_i) begin
    quad_q <= quad;
  end

  assign product = {(WidthW + 4)'(quad_q[1]) + (WidthW + 4)'(quad_q[0][WidthW+3:4]),
                    quad_q[0][3:0]};

  // Sizes of slices in elements and nibbles. A size above the nibbles of a register is never legal,
  // so sizes saturate there.
  logic                   type_ok_q;
  logic                   int_type_q;
  logic                   dims_set_q;
  tl_pkg::ewidth_t        ewidth_q;
  logic [WidthW-1:0]      d12;
  logic [WidthW-1:0]      d12_q;
  logic [1:0][31:0]       width_csr;   // store, load
  logic [1:0][WidthW-1:0] width_q;     // elements per slice; 0: a whole slice
  logic [WidthW-1:0]      width;       // elements per slice, with the default applied
  logic [WidthW-1:0]      whole;       // elements of a slice in the register
  logic [1:0][15:0]       pitch_csr;   // store, load
  logic [1:0]             pitched_q;   // it is not 0
  logic                   pitched;     // pitched_q of the direction of width
  logic                   wide_q;      // more elements than a slice has
  logic [SizeW-1:0]       moved_q;     // nibbles of a slice that are moved
  logic [SizeW-1:0]       moved;
  logic [1:0]             gran_shift;  // log2(granules of an element)

  // The number, or, if it is too large, one that is never legal.
  function automatic logic [WidthW-1:0] capped(logic [31:0] number);
    capped = number > WidthCap ? WidthW'(WidthCap + 1) : number[WidthW-1:0];
  endfunction

  assign width_csr  = {tstore_width_i, tload_width_i};
  assign gran_shift = ewidth_q - 2'($clog2(tl_pkg::Gran / 4));
  assign pitch_csr  = {tstore_pitch_i, tload_pitch_i};
  assign d12        = capped(32'(product[15:0]));
  assign pitched    = settling_q[2] ? pitched_q[0] : pitched_q[1];
  assign moved      = HasPitch ? moved_q : slice_q;

  always_comb begin
    width = settling_q[2] ? width_q[0] : width_q[1];
    if (width == '0) width = d12_q;
    whole = pitched ? d12_q : width;
  end

  always_ff @(posedge clk_i) begin
    type_ok_q  <= type_ok;
    int_type_q <= type_ok && (fields[3:0] != 4'd0);
    ewidth_q   <= ewidth;
    dims_set_q <= (size[0] != 8'd0) && (size[1] != 8'd0) && (size[2] != 8'd0);
    for (int unsigned s = 0; s < 2; s++) begin
      width_q[s]   <= capped(width_csr[s]);
      pitched_q[s] <= HasPitch && (pitch_csr[s] != '0);
    end
    if (settling_q[1]) d12_q <= d12;
    slice_q    <= settling_q[1] ? SizeW'(d12) : SizeW'(whole) << ewidth_q;
    moved_q    <= SizeW'(width) << ewidth_q;
    wide_q     <= pitched && (width > d12_q);
  end

  // Do the sizes fit into a register?
  logic               fits_q;   // the block does
  logic [ByteW+1-1:0] bytes_q;  // bytes of a slice that are moved
  tl_pkg::byte_idx_t  whole_q;  // of a slice in the register
  logic               part_q;   // bytes_q and whole_q differ: slices are moved in part
  logic               sparse_q; // they differ by a row or more
  logic               ls_q;     // a slice does

  always_ff @(posedge clk_i) begin
    if (settling_q[3]) begin
      fits_q  <= dims_set_q && (32'(product) <= (WidthCap >> ewidth_q));
      block_o <= (GranW + 1)'(product) << gran_shift;
    end
    bytes_q  <= moved[ByteW+1:1];
    whole_q  <= slice_q[ByteW:1];
    part_q   <= HasPitch && (slice_q != moved);
    sparse_q <= HasPitch && (slice_q - moved >= SizeW'(2 * tl_pkg::Lanes));
    ls_q     <= type_ok_q && (32'(slice_q) <= WidthCap) && (size[0] <= 8'd32) && !slice_q[0] &&
        !moved[0] && !wide_q;
  end

  // The values that instructions use.
  logic [31:0] mask;        // selected slices along D0
  logic [2:0]  merge_ok_q;
  logic [1:0]  turn_q;      // the dimension that is computed in this cycle
  logic [5:0]  turn_size;
  logic [31:0] turn_all;    // its slices

  always_comb begin
    unique case (turn_q)
      2'd0:    turn_size = size[0][5:0];
      2'd1:    turn_size = size[1][5:0];
      default: turn_size = size[2][5:0];
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= '0;
    end else begin
      turn_q <= turn_q == 2'd2 ? 2'd0 : turn_q + 2'd1;
    end
  end

  assign turn_all = tl_pkg::below(turn_size);

  // Step 4 is for loads, step 5 for stores.
  assign mask = (settling_q[4] ? tmask_load_i : tmask_store_i) & ls_o.all;

  always_ff @(posedge clk_i) begin
    type_ok_o  <= type_ok_q;
    int_type_o <= int_type_q;
    ewidth_o   <= ewidth_q;
    if (turn_q == 2'd0) ls_o.all <= turn_all;
    if (settling_q[4]) ls_o.sparse <= sparse_q;
    if (settling_q[5]) ls_o.pitched <= pitched_q[1];
    for (int unsigned s = 0; s < 2; s++) begin
      ls_o.mask_init[s] <= mask_init_i[s];
      if (settling_q[4+s]) begin
        ls_o.ok[s]        <= ls_q && fits_q && (32'(product) <= WidthCap);
        ls_o.mask[s]      <= mask;
        ls_o.mask_all[s]  <= mask == ls_o.all;
        ls_o.mask_none[s] <= mask == '0;
        ls_o.bytes[s]     <= bytes_q;
        ls_o.block[s]     <= {product[ByteW+1:LaneW+1], product[LaneW:1] & {LaneW{!part_q}}};
        ls_o.whole[s]     <= HasPitch ? whole_q : '0;
        ls_o.pitch[s]     <= '0;
        if (HasPitch) ls_o.pitch[s] <= pitched_q[s] ? PitchW'(pitch_csr[s]) : PitchW'(bytes_q);
      end
    end
    for (int unsigned d = 0; d < 3; d++) begin
      merge_ok_q[d] <= type_ok_q && fits_q && (size[d] <= 8'd32) && mask_init_i[2];
    end
  end

  // Concat is legal if it selects at most as many slices as the result has. The dimensions take
  // turns all the time, in three stages.
  logic [1:0]           count_turn_q;
  logic [1:0]           fits_turn_q;
  logic [31:0]          mask1_q;       // selected slices
  logic [31:0]          mask2_q;
  logic [5:0]           count_size_q;
  logic [5:0]           fits_size_q;
  logic [6:0]           count1_q;
  logic [6:0]           count2_q;
  logic [6:0]           both;
  logic [2:0][1:0][5:0] counts_q;
  logic [2:0]           concat_ok_q;

  always_ff @(posedge clk_i) begin
    mask1_q      <= tmask_concat_1_i & turn_all;
    mask2_q      <= tmask_concat_2_i & turn_all;
    count_turn_q <= turn_q;
    count_size_q <= turn_size;
    count1_q     <= tl_pkg::ones(mask1_q);
    count2_q     <= tl_pkg::ones(mask2_q);
    fits_turn_q  <= count_turn_q;
    fits_size_q  <= count_size_q;
    for (int unsigned d = 0; d < 3; d++) begin
      if (fits_turn_q == 2'(d)) begin
        concat_ok_q[d] <= both <= 7'(fits_size_q);
        counts_q[d]    <= {both[5:0], count1_q[5:0]};
      end
    end
  end

  assign both = count1_q + count2_q;

  always_comb begin
    dims_o.merge_ok  = merge_ok_q;
    dims_o.concat_ok = concat_ok_q & merge_ok_q & {3{mask_init_i[3]}};
    dims_o.inner     = {(GranW + 1)'(1), (GranW + 1)'(size[2]), (GranW + 1)'(d12_q)};
    dims_o.counts    = counts_q;
    for (int unsigned d = 0; d < 3; d++) begin
      dims_o.size[d] = size[d][5:0];
    end
  end

  // A change takes six cycles to reach all outputs.
  assign settled_o = settling_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      settling_q <= '1;
    end else begin
      settling_q <= {settling_q[4:0], change_i};
    end
  end

endmodule
