// SPDX-License-Identifier: Apache-2.0
//! `tl_mx_size`: the tile sizes, and what a matrix instruction means with them.

use crate::sv::{Module, Ty};

/// The module; parametric in the package.
pub fn module() -> Module {
    let mut m = Module::new(
        "tl_mx_size",
        "Tile sizes mtilem, mtilen, mtilek, and the matrix instruction in the dispatch stage: whether it is legal with \
         them, and the memory access that it is. The sizes that an instruction does not use do not count.",
    );
    m.clocked();
    m.group("The instruction in the dispatch stage");
    m.input("mx_i", Ty::named("mx_instr_t"), "");
    m.input("rs_i", Ty::bits(32), "x[rs1]");
    m.input("rs2_i", Ty::bits(32), "x[rs2]");
    m.input("tag_i", Ty::named("tag_t"), "");
    m.input("exec_i", Ty::bit(), "it is dispatched");
    m.output("legal_o", Ty::bit(), "");
    m.output("load_o", Ty::bit(), "it accesses L1M");
    m.output("store_o", Ty::bit(), "it accesses L0M");
    m.output("cmd_o", Ty::named("mx_cmd_t"), "the access");
    m.output("sets_o", Ty::bits(3), "it sets mtilek, mtilen, mtilem");
    m.group("Undoing");
    m.input("undo_i", Ty::bits(3), "as sets_o");
    m.input("undo_value_i", Ty::bits(32), "");
    m.group("State");
    m.output("mtilem_o", Ty::bits(32), "");
    m.output("mtilen_o", Ty::bits(32), "");
    m.output("mtilek_o", Ty::bits(32), "");

    m.section("Tile sizes are stored as they are; an access checks those that it uses.");
    m.signal("set", Ty::bits(3), "");
    m.signal("value", Ty::bits(32), "");
    m.text(
        r#"
        assign sets_o[0] = mx_i.op == MxSetM;
        assign sets_o[1] = mx_i.op == MxSetN;
        assign sets_o[2] = mx_i.op == MxSetK;
        assign set       = undo_i | (sets_o & {3{exec_i}});

        always_comb begin
          value = mx_i.use_imm ? 32'(mx_i.imm) : rs_i;
          if (undo_i != '0) value = undo_value_i;
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            mtilem_o <= '0;
            mtilen_o <= '0;
            mtilek_o <= '0;
          end else begin
            if (set[0]) mtilem_o <= value;
            if (set[1]) mtilen_o <= value;
            if (set[2]) mtilek_o <= value;
          end
        end
        "#,
    );

    m.signal("unused_ours", Ty::bit(), "tl_dispatch looks at it");
    m.text("assign unused_ours = mx_i.ours;");
    m.section("The tile of the access, in elements. An empty one is legal and does nothing.");
    m.signals(&["rows", "columns", "columns_max"], Ty::bits(32));
    m.signals(&["access", "fits", "empty"], Ty::bit());
    m.signals(&["lines", "length"], Ty::named("mx_len_t"));
    m.text(
        r#"
        assign rows        = mx_i.form == MxB ? mtilen_o : mtilem_o;
        assign columns     = mx_i.form == MxC ? mtilen_o : mtilek_o;
        assign columns_max = (mx_i.form == MxC ? MxAccBytes : MxTrBytes) >> mx_i.d_size;
        assign access      = (mx_i.op == MxLoad) || (mx_i.op == MxStore);
        assign fits        = (rows <= MxRows) && (columns <= columns_max);
        assign empty       = (rows == '0) || (columns == '0);
        assign legal_o     = mx_i.legal && (!access || fits);
        assign load_o      = legal_o && (mx_i.op == MxLoad) && !empty;
        assign store_o     = legal_o && (mx_i.op == MxStore) && !empty;

        // Only read when the tile fits.
        assign lines  = mx_i.trans ? (MxByteW + 1)'(columns) : (MxByteW + 1)'(rows);
        assign length = mx_i.trans ? (MxByteW + 1)'(rows) : (MxByteW + 1)'(columns);

        always_comb begin
          cmd_o.tag    = tag_i;
          cmd_o.store  = mx_i.op == MxStore;
          cmd_o.trans  = mx_i.trans;
          cmd_o.d_size = mx_i.d_size;
          cmd_o.md     = mx_i.md;
          cmd_o.lines  = lines;
          cmd_o.bytes  = length << mx_i.d_size;
          cmd_o.base   = rs_i;
          cmd_o.stride = rs2_i;
        end
        "#,
    );
    m
}
