// SPDX-License-Identifier: Apache-2.0
// What CSRs mean, by docs/isa.md: which instructions they make legal, and the lengths that engines get. Assumed: the
// CSRs hold only bits that are there (csr-does), and change when change_i says so (shape-ends). A change takes 6 steps,
// which begin in one of three phases, as reset does; registers without a reset have any value before. So 12 cycles show
// all.
module tl_shape_spec
  import tl_spec_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input logic               change_i,
  input logic [11:0]        ttype_i,
  input logic [23:0]        tshape_i,
  input logic [31:0]        tmask_load_i,
  input logic [31:0]        tmask_store_i,
  input logic [31:0]        tmask_concat_1_i,
  input logic [31:0]        tmask_concat_2_i,
  input logic [31:0]        tload_width_i,
  input logic [31:0]        tstore_width_i,
  input logic [15:0]        tload_pitch_i,
  input logic [15:0]        tstore_pitch_i,
  input logic [3:0]         mask_init_i,
  input logic               settled_o,
  input logic               type_ok_o,
  input logic               int_type_o,
  input tl_pkg::ewidth_t    ewidth_o,
  input tl_pkg::ls_shape_t  ls_o,
  input tl_pkg::dim_shape_t dims_o,
  input logic [tl_pkg::GranW:0] block_o
);

  localparam int unsigned CsrW = $bits({ttype_i, tshape_i, tmask_load_i, tmask_store_i, tmask_concat_1_i,
      tmask_concat_2_i, tload_width_i, tstore_width_i, tload_pitch_i, tstore_pitch_i, mask_init_i});
  localparam logic [1:0] Narrowest = 2'($clog2(tl_pkg::Gran / 4));

  logic             settled_q;
  logic             told_q;    // the CSRs change
  logic [CsrW-1:0]  csrs;
  logic [CsrW-1:0]  csrs_q;
  type_t            kind;
  logic             shape;
  logic [1:0][31:0] widths;
  logic [1:0][15:0] pitches;
  logic [1:0][31:0] masks;
  logic [1:0][36:0] bits;      // of a slice
  logic [1:0][36:0] wholes;    // from slice to slice in the register
  logic [1:0][23:0] blocks;    // bytes
  logic [31:0]      all;
  logic [2:0][7:0]  sizes;
  logic [2:0][1:0][5:0] ones;

  assign csrs    = {ttype_i, tshape_i, tmask_load_i, tmask_store_i, tmask_concat_1_i, tmask_concat_2_i, tload_width_i,
      tstore_width_i, tload_pitch_i, tstore_pitch_i, mask_init_i};
  assign kind    = type_of(ttype_i);
  assign shape   = kind.legal && shape_legal(tshape_i, kind.width);
  assign widths  = {tstore_width_i, tload_width_i};
  assign pitches = {tstore_pitch_i, tload_pitch_i};
  assign masks   = {tmask_store_i, tmask_load_i};
  assign all     = ~({32{1'b1}} << tshape_i[23:16]);

  always_comb begin
    for (int unsigned t = 0; t < 2; t++) begin
      bits[t]   = slice_bits(tshape_i, kind.width, widths[t]);
      wholes[t] = slice_bits(tshape_i, kind.width, pitches[t] == '0 ? widths[t] : '0);
      blocks[t] = 24'(tshape_i[23:16]) * 24'(wholes[t][15:0]) >> 3;
    end
    for (int unsigned d = 0; d < 3; d++) begin
      sizes[d] = size_of(tshape_i, 2'(d));
      ones[d]  = {ones_below(tmask_concat_2_i, sizes[d]), ones_below(tmask_concat_1_i, sizes[d])};
    end
  end

  always_ff @(posedge clk_i) begin
    csrs_q    <= csrs;
    settled_q <= rst_ni && settled_o;
    told_q    <= rst_ni && change_i;
    if (rst_ni) begin
      assume ((told_q || (csrs == csrs_q)) && ((32'(ttype_i) & ~ttype_bits()) == '0));
      if (tl_pkg::Pitch == 0) assume (pitches == '0);
      // In the first cycle in which it counts; the outputs stay until the next change.
      if (settled_o && !settled_q) begin
        assert (type_ok_o == kind.legal);
        assert (int_type_o == (kind.legal && kind.integer_type));
        if (kind.legal) assert (ewidth_o == kind.width);
        // Loads and stores.
        for (int unsigned t = 0; t < 2; t++) begin
          assert (ls_o.mask_init[t] == mask_init_i[t]);
          assert (ls_o.ok[t] == (shape && slices_legal(tshape_i, kind.width, widths[t], pitches[t])));
          if (ls_o.ok[t]) begin
            assert ((ls_o.mask[t] == (masks[t] & all)) && (37'(ls_o.bytes[t]) == bits[t] >> 3));
            assert ((ls_o.mask_all[t] == (ls_o.mask[t] == all)) && (ls_o.mask_none[t] == (ls_o.mask[t] == '0)));
            // In the register, as load-does and store-does assume it: from slice to slice, and the block. Whole rows of it
            // when less than the slices are moved.
            if (tl_pkg::Pitch != 0) assert ({ls_o.whole[t] == '0, ls_o.whole[t]} == wholes[t][tl_pkg::ByteW+3:3]);
            assert (24'(ls_o.block[t]) == (wholes[t] == bits[t] ? blocks[t] :
                blocks[t] / tl_pkg::Lanes * tl_pkg::Lanes));
          end
        end
        if (ls_o.ok != '0) assert (ls_o.all == all);
        if (ls_o.ok[0]) assert (ls_o.sparse == ((wholes[0] - bits[0]) >> 3 >= tl_pkg::Lanes));
        assert (ls_o.pitched == (pitches[1] != '0));
        // Concat and merge.
        for (int unsigned d = 0; d < 3; d++) begin
          assert (dims_o.merge_ok[d] == (shape && (sizes[d] <= 8'd32) && mask_init_i[2]));
          assert (dims_o.concat_ok[d] == (shape && (sizes[d] <= 8'd32) && (mask_init_i[3:2] == 2'b11) &&
              (8'(ones[d][0]) + 8'(ones[d][1]) <= sizes[d])));
          if (dims_o.concat_ok[d]) assert (dims_o.counts[d] == {ones[d][0] + ones[d][1], ones[d][0]});
          if (dims_o.merge_ok[d]) begin
            assert ((8'(dims_o.size[d]) == sizes[d]) && (16'(dims_o.inner[d]) == inner_of(tshape_i, 2'(d))));
          end
        end
        if (dims_o.merge_ok != '0) assert (32'(block_o) == elements(tshape_i) << (kind.width - Narrowest));
      end
    end
  end

endmodule

bind tl_shape tl_reset_spec u_reset (.*);
bind tl_shape tl_shape_spec u_spec (.*);
