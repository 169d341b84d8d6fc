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
    m.output("uses_o", Ty::bits(2), "it is to access L1M [0], L0M [1]: legal or not, empty or not");
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
    m.group("Which of them are legal, from flip-flops, as in meaning_t");
    m.output("rows_ok_o", Ty::bits(2), "mtilem [0], mtilen [1]");
    m.output("k_ok_o", Ty::bits(3), "columns of a tile register: elements of 8, 16, 32 bits");
    m.output("n_ok_o", Ty::bits(3), "of an accumulation register");

    m.section(
        "Tile sizes are stored as they are, and compared with what registers hold when they are set; an access looks at \
         those that it uses.",
    );
    m.signal("set", Ty::bits(3), "");
    m.signal("value", Ty::bits(32), "");
    m.signal("none_q", Ty::bits(3), "mtilem, mtilen, mtilek are 0");
    m.signal("values", Ty::bits(32).packed(3), "what may be set: imm, x[rs1], what was there before");
    m.signal("chosen", Ty::bits(3), "of them, one-hot");
    m.signals(&["none", "rows_fit"], Ty::bit());
    m.signal("tr_fit", Ty::bits(3), "as columns of a tile register: elements of 8, 16, 32 bits");
    m.signal("acc_fit", Ty::bits(3), "of an accumulation register");
    m.text(
        r#"
        assign sets_o[0] = mx_i.op == MxSetM;
        assign sets_o[1] = mx_i.op == MxSetN;
        assign sets_o[2] = mx_i.op == MxSetK;
        assign set       = undo_i | (sets_o & {3{exec_i}});

        assign values = {undo_value_i, rs_i, 32'(mx_i.imm)};
        assign chosen = undo_i != '0 ? 3'b100 : mx_i.use_imm ? 3'b001 : 3'b010;

        // That something is undone is late: each is compared before one is chosen.
        always_comb begin
          value    = '0;
          none     = 1'b0;
          rows_fit = 1'b0;
          tr_fit   = '0;
          acc_fit  = '0;
          for (int unsigned v = 0; v < 3; v++) begin
            value    = value | (values[v] & {32{chosen[v]}});
            none     = none || (chosen[v] && (values[v] == '0));
            rows_fit = rows_fit || (chosen[v] && (values[v] <= MxRows));
            for (int unsigned i = 0; i < 3; i++) begin
              tr_fit[i]  = tr_fit[i] || (chosen[v] && (values[v] <= MxTrBytes >> i));
              acc_fit[i] = acc_fit[i] || (chosen[v] && (values[v] <= MxAccBytes >> i));
            end
          end
        end

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            mtilem_o <= '0;
            mtilen_o <= '0;
            mtilek_o <= '0;
            rows_ok_o <= '1;
            k_ok_o    <= '1;
            n_ok_o    <= '1;
            none_q    <= '1;
          end else begin
            if (set[0]) mtilem_o <= value;
            if (set[1]) mtilen_o <= value;
            if (set[2]) mtilek_o <= value;
            if (set[0]) rows_ok_o[0] <= rows_fit;
            if (set[1]) rows_ok_o[1] <= rows_fit;
            if (set[1]) n_ok_o <= acc_fit;
            if (set[2]) k_ok_o <= tr_fit;
            for (int unsigned i = 0; i < 3; i++) begin
              if (set[i]) none_q[i] <= none;
            end
          end
        end
        "#,
    );

    m.signal("unused_ours", Ty::bit(), "tl_dispatch looks at it");
    m.text("assign unused_ours = mx_i.ours;");
    m.section("The tile of the access, in elements. An empty one is legal and does nothing.");
    m.signals(&["rows", "columns"], Ty::named("mx_len_t"));
    m.signals(&["k_of", "n_of"], Ty::bits(4));
    m.signals(&["rows_ok", "columns_ok", "fits", "empty"], Ty::bit());
    m.signals(&["lines", "length"], Ty::named("mx_len_t"));
    m.text(
        r#"
        assign k_of       = {1'b0, k_ok_o};
        assign n_of       = {1'b0, n_ok_o};
        assign rows_ok    = mx_i.form == MxB ? rows_ok_o[1] : rows_ok_o[0];
        assign columns_ok = mx_i.form == MxC ? n_of[mx_i.d_size] : k_of[mx_i.d_size];
        assign fits       = rows_ok && columns_ok;
        assign empty      = (mx_i.form == MxB ? none_q[1] : none_q[0]) ||
            (mx_i.form == MxC ? none_q[1] : none_q[2]);
        assign uses_o     = mx_i.uses;
        assign legal_o    = mx_i.legal && ((uses_o == '0) || fits);
        assign load_o     = mx_i.legal && uses_o[0] && fits && !empty;
        assign store_o    = mx_i.legal && uses_o[1] && fits && !empty;

        // Only read when the tile fits.
        assign rows    = (MxByteW + 1)'(mx_i.form == MxB ? mtilen_o : mtilem_o);
        assign columns = (MxByteW + 1)'(mx_i.form == MxC ? mtilen_o : mtilek_o);
        assign lines   = mx_i.trans ? columns : rows;
        assign length  = mx_i.trans ? rows : columns;

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
