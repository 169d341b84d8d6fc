// SPDX-License-Identifier: Apache-2.0
//! `tl_shape`: what the type, shape, width and mask CSRs mean, worked out once per change.

use crate::Config;
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_shape",
        "Works out what instructions need to know of the type, shape, width and mask CSRs: element width, legality, \
         slice sizes. Short stages, so that no product is on the path of an instruction; `settled_o` tells when a change \
         has come through.",
    );
    m.clocked();
    m.group("CSRs");
    m.input("change_i", Ty::bit(), "a CSR below changes with the coming clock edge");
    for (name, bits) in [
        ("ttype_i", 12),
        ("tshape_i", 24),
        ("tmask_load_i", 32),
        ("tmask_store_i", 32),
        ("tmask_concat_1_i", 32),
        ("tmask_concat_2_i", 32),
        ("tload_width_i", 32),
        ("tstore_width_i", 32),
    ] {
        m.input(name, Ty::bits(bits), "");
    }
    m.input("mask_init_i", Ty::bits(4), "written since reset: load, store, concat_1, concat_2");
    m.group("Derived, valid while settled");
    m.output("settled_o", Ty::bit(), "");
    m.output("type_ok_o", Ty::bit(), "exactly one type, of a width that is built in");
    m.output("int_type_o", Ty::bit(), "one of the integer types");
    m.output("ewidth_o", Ty::named("ewidth_t"), "");
    m.output("ls_o", Ty::named("ls_shape_t"), "loads and stores");
    m.output("dims_o", Ty::named("dim_shape_t"), "concat and merge");
    m.output("block_o", Ty::bits("GranW+1"), "granules of the block");

    let mask = config.element_widths.iter().fold(0, |m, w| m | 1 << (w.ilog2() - 2));
    m.section("Element type: the eight fields of ttype are tint4 to tint32, then tfp4 to tfp32.");
    m.signal("fields", Ty::bits(8), "non-zero fields");
    m.signal("one_field", Ty::bit(), "");
    m.signal("ewidth", Ty::named("ewidth_t"), "");
    m.signal("type_ok", Ty::bit(), "");
    m.text(&format!(
        r#"
        localparam logic [3:0] WidthsBuilt = 4'b{mask:04b};  // 32, 16, 8, 4 bits

        assign fields    = {{|ttype_i[11:10], |ttype_i[9:8], |ttype_i[7:6], |ttype_i[5:4], ttype_i[3:0]}};
        assign one_field = (fields != 8'd0) && ((fields & (fields - 8'd1)) == 8'd0);
        assign ewidth[0] = fields[1] | fields[3] | fields[5] | fields[7];
        assign ewidth[1] = fields[2] | fields[3] | fields[6] | fields[7];
        assign type_ok   = one_field && WidthsBuilt[ewidth];
        "#
    ));
    products(&mut m, config);
    legality(&mut m);
    selected(&mut m);
    settling(&mut m);
    m
}

/// Sizes of slices and blocks.
fn products(m: &mut Module, config: &Config) {
    m.section(
        "Products. One multiplier makes all four of them, in steps from a change on: D1 * D2, the elements of the block, \
         the nibbles of the slices of a load, and of those of a store. Step i is the cycle of settling_q[i]; of two \
         changes the later one goes first.",
    );
    m.text(&format!(
        r#"
        localparam int unsigned WidthCap = {};  // nibbles of a register
        localparam int unsigned WidthW   = $clog2(WidthCap + 2);
        localparam int unsigned SizeW    = WidthW + 3;
        "#,
        2 * config.reg_bytes
    ));
    m.signal("settling_q", Ty::bits(6), "a change has come i + 1 cycles ago");
    m.signal("size", Ty::bits(8).packed(3), "D0, D1, D2");
    m.signal("left", Ty::bits("WidthW"), "");
    m.signal("right", Ty::bits(8), "");
    m.signal("part", Ty::bits("WidthW").packed(8), "left, for each bit of right that is set");
    m.signal("pair", Ty::bits("WidthW+2").packed(4), "sums of two parts");
    m.signal("quad", Ty::bits("WidthW+4").packed(2), "of four");
    m.signal("quad_q", Ty::bits("WidthW+4").packed(2), "");
    m.signal("product", Ty::bits("WidthW+8"), "of the cycle before");
    m.signal("slice_q", Ty::bits("SizeW"), "nibbles of a slice; before, D1 * D2");
    m.text(
        r#"
        assign size  = {tshape_i[7:0], tshape_i[15:8], tshape_i[23:16]};
        assign left  = settling_q[0] ? WidthW'(size[1]) : slice_q[WidthW-1:0];
        assign right = settling_q[0] ? size[2] : size[0];

        // Sums, for a multiplier of the device is too good for them. The lowest bits of one are those
        // of its lower half.
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
        "#,
    );
    m.section("Sizes of slices in elements and nibbles. What is beyond the nibbles of a register is never legal; it saturates.");
    m.signals(&["type_ok_q", "int_type_q", "dims_set_q"], Ty::bit());
    m.signal("ewidth_q", Ty::named("ewidth_t"), "");
    m.signal("d12", Ty::bits("WidthW"), "");
    m.signal("d12_q", Ty::bits("WidthW"), "");
    m.signal("width_csr", Ty::bits(32).packed(2), "store, load");
    m.signal("width_q", Ty::bits("WidthW").packed(2), "elements per slice; 0: a whole slice");
    m.signal("width", Ty::bits("WidthW"), "with the default");
    m.signal("gran_shift", Ty::bits(2), "log2(granules of an element)");
    m.text(&format!(
        r#"
        // The number, or one that is never legal.
        function automatic logic [WidthW-1:0] capped(logic [31:0] number);
          capped = number > WidthCap ? WidthW'(WidthCap + 1) : number[WidthW-1:0];
        endfunction

        assign width_csr  = {{tstore_width_i, tload_width_i}};
        assign gran_shift = ewidth_q - 2'd{};
        assign d12        = capped(32'(product[15:0]));

        always_comb begin
          width = settling_q[2] ? width_q[0] : width_q[1];
          if (width == '0) width = d12_q;
        end

        always_ff @(posedge clk_i) begin
          type_ok_q  <= type_ok;
          int_type_q <= type_ok && (fields[3:0] != 4'd0);
          ewidth_q   <= ewidth;
          dims_set_q <= (size[0] != 8'd0) && (size[1] != 8'd0) && (size[2] != 8'd0);
          for (int unsigned s = 0; s < 2; s++) begin
            width_q[s] <= capped(width_csr[s]);
          end
          if (settling_q[1]) d12_q <= d12;
          slice_q    <= settling_q[1] ? SizeW'(d12) : SizeW'(width) << ewidth_q;
        end
        "#,
        config.granule_bits().ilog2() - 2
    ));
    m.section("Do they fit into a register?");
    m.signal("fits_q", Ty::bit(), "the block does");
    m.signal("bytes_q", Ty::bits("ByteW+1"), "of a slice");
    m.signal("ls_q", Ty::bit(), "a slice does");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          if (settling_q[3]) begin
            fits_q  <= dims_set_q && (32'(product) <= (WidthCap >> ewidth_q));
            block_o <= (GranW + 1)'(product) << gran_shift;
          end
          bytes_q <= slice_q[ByteW+1:1];
          ls_q    <= type_ok_q && (32'(slice_q) <= WidthCap) && (size[0] <= 8'd32) && !slice_q[0];
        end
        "#,
    );
}

/// What loads, stores and merge look at.
fn legality(m: &mut Module) {
    m.section("What the instructions use.");
    m.signal("mask", Ty::bits(32), "selected slices of those along D0");
    m.signal("merge_ok_q", Ty::bits(3), "");
    m.signal("turn_q", Ty::bits(2), "the dimension whose slices are looked at");
    m.signal("turn_size", Ty::bits(6), "");
    m.signal("turn_all", Ty::bits(32), "its slices");
    m.text(
        r#"
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

        assign turn_all = below(turn_size);

        // Step 4 is that of loads, step 5 that of stores.
        assign mask = (settling_q[4] ? tmask_load_i : tmask_store_i) & ls_o.all;

        always_ff @(posedge clk_i) begin
          type_ok_o  <= type_ok_q;
          int_type_o <= int_type_q;
          ewidth_o   <= ewidth_q;
          if (turn_q == 2'd0) ls_o.all <= turn_all;
          for (int unsigned s = 0; s < 2; s++) begin
            ls_o.mask_init[s] <= mask_init_i[s];
            if (settling_q[4+s]) begin
              ls_o.ok[s]        <= ls_q && fits_q && (32'(product) <= WidthCap);
              ls_o.mask[s]      <= mask;
              ls_o.mask_all[s]  <= mask == ls_o.all;
              ls_o.mask_none[s] <= mask == '0;
              ls_o.bytes[s]     <= bytes_q;
              ls_o.block[s]     <= product[ByteW+1:1];
            end
          end
          for (int unsigned d = 0; d < 3; d++) begin
            merge_ok_q[d] <= type_ok_q && fits_q && (size[d] <= 8'd32) && mask_init_i[2];
          end
        end
        "#,
    );
}

/// The slices that concat selects.
fn selected(m: &mut Module) {
    m.section(
        "Concat: at most as many selected slices as the result has. One dimension after the other, all the time, in \
         three stages.",
    );
    m.signal("count_turn_q", Ty::bits(2), "");
    m.signal("fits_turn_q", Ty::bits(2), "");
    m.signal("mask1_q", Ty::bits(32), "selected slices");
    m.signal("mask2_q", Ty::bits(32), "");
    m.signal("count_size_q", Ty::bits(6), "");
    m.signal("fits_size_q", Ty::bits(6), "");
    m.signal("count1_q", Ty::bits(7), "");
    m.signal("count2_q", Ty::bits(7), "");
    m.signal("both", Ty::bits(7), "");
    m.signal("counts_q", Ty::bits(6).packed(2).packed(3), "");
    m.signal("concat_ok_q", Ty::bits(3), "");
    m.text(
        r#"
        always_ff @(posedge clk_i) begin
          mask1_q      <= tmask_concat_1_i & turn_all;
          mask2_q      <= tmask_concat_2_i & turn_all;
          count_turn_q <= turn_q;
          count_size_q <= turn_size;
          count1_q     <= ones(mask1_q);
          count2_q     <= ones(mask2_q);
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
        "#,
    );
}

fn settling(m: &mut Module) {
    m.section("A change takes six cycles to come through.");
    m.text(
        r#"
        assign settled_o = settling_q == '0;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            settling_q <= '1;
          end else begin
            settling_q <= {settling_q[4:0], change_i};
          end
        end
        "#,
    );
}
