// SPDX-License-Identifier: Apache-2.0
//! `tl_shape`: what the type, shape, width and mask CSRs mean, worked out once per change.

use crate::Config;
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_shape",
        "Works out what instructions need to know of the type, shape, width and mask CSRs: element width, legality, \
         slice sizes. Three register stages, so that no product is on the path of an instruction; `settled_o` tells \
         when a change has come through.",
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

    let width_cap = 2 * config.reg_bytes;
    m.section(
        "Stage 1: the product of the inner dimensions, and the slice widths. A width beyond the nibbles of a register \
         is never legal; it saturates.",
    );
    m.signal("d0", Ty::bits(8), "");
    m.signal("d1", Ty::bits(8), "");
    m.signal("d2", Ty::bits(8), "");
    m.signal("d12_q", Ty::bits(16), "D1 * D2");
    m.signal("type_ok_q", Ty::bit(), "");
    m.signal("int_type_q", Ty::bit(), "");
    m.signal("dims_set_q", Ty::bit(), "no dimension is 0");
    m.signal("ewidth_q", Ty::named("ewidth_t"), "");
    m.signal("width_d", Ty::bits("WidthW").packed(2), "elements per slice: store, load; 0 = a whole slice");
    m.signal("width_q", Ty::bits("WidthW").packed(2), "");
    m.signal("width_csr", Ty::bits(32).packed(2), "");
    m.text(&format!(
        r#"
        localparam int unsigned WidthCap = {width_cap};
        localparam int unsigned WidthW   = $clog2(WidthCap + 2);

        assign d0        = tshape_i[23:16];
        assign d1        = tshape_i[15:8];
        assign d2        = tshape_i[7:0];
        assign width_csr = {{tstore_width_i, tload_width_i}};

        always_comb begin
          for (int unsigned s = 0; s < 2; s++) begin
            width_d[s] = width_csr[s] > WidthCap ? WidthW'(WidthCap + 1) : width_csr[s][WidthW-1:0];
          end
        end

        always_ff @(posedge clk_i) begin
          d12_q      <= 16'(d1) * 16'(d2);
          type_ok_q  <= type_ok;
          int_type_q <= type_ok && (fields[3:0] != 4'd0);
          dims_set_q <= (d0 != 8'd0) && (d1 != 8'd0) && (d2 != 8'd0);
          ewidth_q   <= ewidth;
          width_q    <= width_d;
        end
        "#
    ));
    let granule_log2 = config.granule_bits().ilog2() - 2;
    m.section(
        "Stage 2: sizes. Products that cannot be legal saturate: a slice or a block beyond the register is \
         illegal whatever its exact size.",
    );
    m.signal("d12_cap", Ty::bits("WidthW"), "");
    m.signal("width", Ty::bits("WidthW").packed(2), "with the default: store, load");
    m.signal("d012", Ty::bits(24), "");
    m.signal("gran_shift", Ty::bits(2), "log2(granules of an element)");
    m.signal("block_q", Ty::bits("GranW+1"), "granules of the block");
    m.signal("slice_q", Ty::bits("SizeW").packed(2), "nibbles of a slice: store, load");
    m.signal("inner_q", Ty::bits("GranW+1").packed(3), "granules of a slice along each dimension");
    m.signal("fits_q", Ty::bit(), "the shape is legal");
    m.text(&format!(
        r#"
        localparam int unsigned SizeW = WidthW + 3;  // nibbles of WidthCap + 1 elements of 32 bits

        assign gran_shift = ewidth_q - 2'd{granule_log2};
        assign d12_cap    = 32'(d12_q) > WidthCap ? WidthW'(WidthCap + 1) : WidthW'(d12_q);
        assign width[0]   = width_q[0] == '0 ? d12_cap : width_q[0];
        assign width[1]   = width_q[1] == '0 ? d12_cap : width_q[1];
        assign d012       = 24'(d12_q) * 24'(d0);

        always_ff @(posedge clk_i) begin
          block_q    <= (GranW + 1)'(d012) << gran_shift;
          slice_q[0] <= SizeW'(width[0]) << ewidth_q;
          slice_q[1] <= SizeW'(width[1]) << ewidth_q;
          inner_q[0] <= (GranW + 1)'(d12_q) << gran_shift;
          inner_q[1] <= (GranW + 1)'(d2) << gran_shift;
          inner_q[2] <= (GranW + 1)'(1) << gran_shift;
          fits_q     <= dims_set_q && ((32'(d012) << ewidth_q) <= 2 * RegBytes);
        end
        "#
    ));
    m.section("Stage 3: what the instructions use.");
    m.signal("masks", Ty::bits(32).packed(2), "store, load");
    m.signal("shape_ok", Ty::bit(), "");
    m.signal("span", Ty::bits(32).packed(2), "nibbles of D0 slices: store, load");
    m.signal("ls_d", Ty::named("ls_shape_t"), "");
    m.signal("dims_d", Ty::named("dim_shape_t"), "");
    m.signal("size", Ty::bits(8).packed(3), "");
    m.text(
        r#"
        assign shape_ok = type_ok_q && fits_q;
        assign masks    = {tmask_store_i, tmask_load_i};
        assign size     = {d2, d1, d0};

        always_comb begin
          ls_d.all = below(d0[5:0]);
          for (int unsigned s = 0; s < 2; s++) begin
            span[s]           = 32'(slice_q[s]) * 32'(d0[5:0]);
            ls_d.ok[s]        = shape_ok && (d0 <= 8'd32) && !slice_q[s][0] && (span[s] <= 2 * RegBytes);
            ls_d.mask_init[s] = mask_init_i[s];
            ls_d.mask[s]      = masks[s] & ls_d.all;
            ls_d.bytes[s]     = slice_q[s][ByteW+1:1];
            ls_d.block[s]     = span[s][ByteW+1:1];
            ls_d.mask_all[s]  = ls_d.mask[s] == ls_d.all;
            ls_d.mask_none[s] = ls_d.mask[s] == '0;
          end
        end

        always_comb begin
          for (int unsigned d = 0; d < 3; d++) begin
            dims_d.merge_ok[d]  = shape_ok && (size[d] <= 8'd32) && mask_init_i[2];
            dims_d.mask1[d]     = tmask_concat_1_i & below(size[d][5:0]);
            dims_d.mask2[d]     = tmask_concat_2_i & below(size[d][5:0]);
            dims_d.concat_ok[d] = dims_d.merge_ok[d] && mask_init_i[3] &&
                (ones(dims_d.mask1[d]) + ones(dims_d.mask2[d]) <= 7'(size[d]));
            dims_d.size[d]      = size[d][5:0];
            dims_d.inner[d]     = inner_q[d];
          end
        end

        always_ff @(posedge clk_i) begin
          type_ok_o  <= type_ok_q;
          int_type_o <= int_type_q;
          ewidth_o   <= ewidth_q;
          ls_o       <= ls_d;
          dims_o     <= dims_d;
          block_o    <= block_q;
        end
        "#,
    );
    m.section("A change takes three cycles to come through.");
    m.signal("settling_q", Ty::bits(3), "");
    m.text(
        r#"
        assign settled_o = settling_q == 3'd0;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            settling_q <= '1;
          end else begin
            settling_q <= {settling_q[1:0], change_i};
          end
        end
        "#,
    );
    m
}
