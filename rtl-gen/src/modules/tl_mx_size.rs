// SPDX-License-Identifier: Apache-2.0
//! `tl_mx_size`: the tile sizes, and what a matrix instruction means with them.

use crate::modules::tl_mx_decoder;
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
    m.input("entry_i", Ty::named("issue_t"), "");
    m.input("tag_i", Ty::named("tag_t"), "");
    m.input("exec_i", Ty::bit(), "it is dispatched");
    m.output("ours_o", Ty::bit(), "a word of the matrix opcode");
    m.output("legal_o", Ty::bit(), "");
    m.output("load_o", Ty::bit(), "it accesses L1M");
    m.output("store_o", Ty::bit(), "it accesses L0M");
    m.output("cmd_o", Ty::named("mx_cmd_t"), "the access");
    m.group("State");
    m.output("mtilem_o", Ty::bits(32), "");
    m.output("mtilen_o", Ty::bits(32), "");
    m.output("mtilek_o", Ty::bits(32), "");

    m.signals(&["illegal", "trans", "use_imm"], Ty::bit());
    m.signal("op", Ty::named("mx_op_e"), "");
    m.signal("form", Ty::named("mx_form_e"), "");
    m.signal("d_size", Ty::bits(2), "");
    m.signal("md", Ty::bits(3), "");
    m.signal("imm", Ty::bits(10), "");
    m.instance(
        &tl_mx_decoder::module(),
        "u_decoder",
        &[],
        &[
            ("instr_i", "entry_i.instr"),
            ("ours_o", "ours_o"),
            ("illegal_o", "illegal"),
            ("op_o", "op"),
            ("form_o", "form"),
            ("trans_o", "trans"),
            ("d_size_o", "d_size"),
            ("md_o", "md"),
            ("use_imm_o", "use_imm"),
            ("imm_o", "imm"),
        ],
    );

    m.section("Tile sizes are stored as they are; an access checks those that it uses.");
    m.signal("value", Ty::bits(32), "");
    m.text(
        r#"
        assign value = use_imm ? 32'(imm) : entry_i.rs;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            mtilem_o <= '0;
            mtilen_o <= '0;
            mtilek_o <= '0;
          end else if (exec_i) begin
            if (op == MxSetM) mtilem_o <= value;
            if (op == MxSetN) mtilen_o <= value;
            if (op == MxSetK) mtilek_o <= value;
          end
        end
        "#,
    );

    m.section("The tile of the access, in elements. An empty one is legal and does nothing.");
    m.signals(&["rows", "columns", "columns_max"], Ty::bits(32));
    m.signals(&["access", "fits", "empty"], Ty::bit());
    m.signals(&["lines", "length"], Ty::named("mx_len_t"));
    m.text(
        r#"
        assign rows        = form == MxB ? mtilen_o : mtilem_o;
        assign columns     = form == MxC ? mtilen_o : mtilek_o;
        assign columns_max = (form == MxC ? MxAccBytes : MxTrBytes) >> d_size;
        assign access      = (op == MxLoad) || (op == MxStore);
        assign fits        = (rows <= MxRows) && (columns <= columns_max);
        assign empty       = (rows == '0) || (columns == '0);
        assign legal_o     = ours_o && !illegal && (!access || fits);
        assign load_o      = legal_o && (op == MxLoad) && !empty;
        assign store_o     = legal_o && (op == MxStore) && !empty;

        // Only read when the tile fits.
        assign lines  = trans ? (MxByteW + 1)'(columns) : (MxByteW + 1)'(rows);
        assign length = trans ? (MxByteW + 1)'(rows) : (MxByteW + 1)'(columns);

        always_comb begin
          cmd_o.tag    = tag_i;
          cmd_o.store  = op == MxStore;
          cmd_o.trans  = trans;
          cmd_o.d_size = d_size;
          cmd_o.md     = md;
          cmd_o.lines  = lines;
          cmd_o.bytes  = length << d_size;
          cmd_o.base   = entry_i.rs;
          cmd_o.stride = entry_i.rs2;
        end
        "#,
    );
    m.signal("unused_entry", Ty::bit(), "");
    m.text("assign unused_entry = ^entry_i.id;");
    m
}
