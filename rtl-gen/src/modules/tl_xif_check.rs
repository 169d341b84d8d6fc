// SPDX-License-Identifier: Apache-2.0
//! `tl_xif_check`: what a core wants to know of an instruction that it offers.

use super::{tl_csr, tl_decode, tl_decoder, tl_dispatch, tl_mx_decoder};
use crate::Config;
use crate::sv::{Module, Ty};

/// Number of the CSR with the cause of a fault; that with its value is the next one.
const TCAUSE: u32 = 0x818;

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_xif_check",
        "Of an instruction that a core offers: is it one of the unit, legal with what the CSRs hold, which registers does it \
         read and write? Purely combinational.",
    );
    m.input("instr_i", Ty::bits(32), "");
    m.input("rs3_i", Ty::bits(32), "x[11:7]");
    m.input("rs_valid_i", Ty::bits(3), "which operands are there: rs1, rs2, rs3");
    m.input("meaning_i", Ty::named("meaning_bits_t"), "of tl_top");
    m.input("calm_i", Ty::bit(), "no older instruction is still to change what the CSRs mean");
    m.output("known_o", Ty::bit(), "it can be told now, and the operands are there");
    m.output("legal_o", Ty::bit(), "");
    m.output("writes_o", Ty::bit(), "it writes x[11:7]");
    m.output("reads_o", Ty::bits(3), "rs1, rs2, rs3");
    m.output("address_o", Ty::bit(), "the unit wants x[11:7], and not x[19:15]");
    m.output("changes_o", Ty::bit(), "it changes what the CSRs mean");
    m.output("local_o", Ty::bit(), "it is for the CSRs of the adapter");
    m.signal("meaning", Ty::named("meaning_t"), "");
    m.signals(&["ours", "undefined", "unused_decode"], Ty::bit());
    m.signal("op", Ty::named("op_e"), "");
    m.signals(&["rd", "rs1", "rs2", "gpr"], Ty::bits(5));
    m.signal("imm", Ty::bits(8), "");
    m.signals(&["dim", "p", "q"], Ty::bits(2));
    m.signal("csr", Ty::named("csr_instr_t"), "");
    m.instance(
        &tl_decoder::module(config),
        "u_decoder",
        &[],
        &[
            ("instr_i", "instr_i"),
            ("ours_o", "ours"),
            ("illegal_o", "undefined"),
            ("op_o", "op"),
            ("rd_o", "rd"),
            ("rs1_o", "rs1"),
            ("rs2_o", "rs2"),
            ("gpr_o", "gpr"),
            ("imm_o", "imm"),
            ("dim_o", "dim"),
            ("p_o", "p"),
            ("q_o", "q"),
        ],
    );
    m.instance(
        &tl_csr::decoder(config),
        "u_csr_decoder",
        &[],
        &[("instr_i", "instr_i"), ("rs_i", "'0"), ("csr_o", "csr")],
    );
    let unused_mx = if config.matrix { ", mx_md, mx_imm, mx_trans" } else { "" };
    m.signal("is_set", Ty::bit(), "it sets a tile size");
    if config.matrix {
        matrix_part(&mut m);
    } else {
        m.text("assign is_set = 1'b0;");
    }
    m.section("TensorLoad instructions.");
    m.signals(&["powers", "merge_of", "concat_of"], Ty::bits(4));
    m.signal("log2_size", Ty::bits(3).packed(4), "of tl.xpose");
    m.signal("log2_sum", Ty::bits(5), "");
    m.signals(&["merge_ok", "concat_ok", "legal", "is_tensor", "is_memory"], Ty::bit());
    let legal = tl_dispatch::legality(
        "          ",
        "op",
        ["meaning.ls_ok", "meaning.mask_init", "meaning.int_type"],
        &format!(
            "meaning.type_ok && (rs1 != rs2) && (powers == '1) && !rs3_i[0] &&\n                (log2_sum == 5'd{})",
            tl_dispatch::log2_total(config)
        ),
    );
    let sizes = tl_decode::log2_sizes("        ", "rs3_i");
    m.text(&format!(
        r#"
        assign meaning       = meaning_i;
        assign unused_decode = ^{{ours, undefined, rd, gpr, imm, p, q, csr{unused_mx}}};
        assign is_tensor     = op != OpNone;
        assign is_memory     = (op == OpLoad) || (op == OpMload) ||
            (op == OpStore) || (op == OpMstore);
        assign merge_of      = 4'(meaning.merge_ok);
        assign concat_of     = 4'(meaning.concat_ok);
        assign merge_ok      = merge_of[dim];
        assign concat_ok     = concat_of[dim];
        assign log2_sum      = 5'(log2_size[0]) + 5'(log2_size[1]) +
            5'(log2_size[2]) + 5'(log2_size[3]) + 5'(meaning.ewidth);

{sizes}
        always_comb begin
{legal}        end
        "#
    ));
    m.section(
        "CSR instructions. Strides do not matter for what is legal, and of the masks of loads and stores only that they were \
         written.",
    );
    m.signals(&["is_csr", "is_change", "needs_state"], Ty::bit());
    let (mx_needs, mx_legal, mx_reads) = if !config.matrix {
        ("", "", "{is_memory || (op == OpXpose), 1'b0, is_csr && !instr_i[14]}")
    } else {
        (
            " || mx_access",
            " || (mx_ours && mx_legal)",
            "{is_memory || (op == OpXpose), mx_access,\n                          (is_csr && !instr_i[14]) || mx_access || (is_set && !mx_use_imm)}",
        )
    };
    m.text(&format!(
        r#"
        assign local_o     = (instr_i[6:0] == 7'b1110011) && (instr_i[13:12] != 2'b00) &&
            (instr_i[31:21] == 11'h{tcause:x});
        assign is_csr      = local_o || (csr.ours && csr.legal);
        assign is_change   = (csr.select[7:4] != '0) || (csr.select[1:0] != '0) ||
            ((csr.select[3:2] & ~(meaning.mask_init & {{2{{calm_i && meaning.settled}}}})) != '0);
        assign needs_state = is_tensor{mx_needs};

        assign reads_o   = {mx_reads};
        assign writes_o  = is_csr && (instr_i[11:7] != 5'd0);
        assign address_o = reads_o[2];
        assign changes_o = (is_csr && !local_o && csr.write && is_change) || is_set;
        assign legal_o   = is_csr || (is_tensor && legal){mx_legal};
        assign known_o   = ((reads_o & ~rs_valid_i) == '0) &&
            (!needs_state || (calm_i && meaning.settled));
        "#,
        tcause = TCAUSE >> 1,
    ));
    m
}

/// The matrix instructions: their accesses fit the tile sizes, or they are not legal.
fn matrix_part(m: &mut Module) {
    m.section("Matrix instructions.");
    m.signals(
        &["mx_ours", "mx_illegal", "mx_trans", "mx_use_imm", "mx_access", "mx_rows", "mx_columns", "mx_legal"],
        Ty::bit(),
    );
    m.signal("mx_op", Ty::named("mx_op_e"), "");
    m.signal("mx_form", Ty::named("mx_form_e"), "");
    m.signal("mx_d_size", Ty::bits(2), "");
    m.signal("mx_md", Ty::bits(3), "");
    m.signal("mx_imm", Ty::bits(10), "");
    m.signals(&["mx_k_of", "mx_n_of"], Ty::bits(4));
    m.instance(
        &tl_mx_decoder::module(),
        "u_mx_decoder",
        &[],
        &[
            ("instr_i", "instr_i"),
            ("ours_o", "mx_ours"),
            ("illegal_o", "mx_illegal"),
            ("op_o", "mx_op"),
            ("form_o", "mx_form"),
            ("trans_o", "mx_trans"),
            ("d_size_o", "mx_d_size"),
            ("md_o", "mx_md"),
            ("use_imm_o", "mx_use_imm"),
            ("imm_o", "mx_imm"),
        ],
    );
    m.text(
        r#"
        assign mx_access  = (mx_op == MxLoad) || (mx_op == MxStore);
        assign mx_k_of    = 4'(meaning.mx_k_ok);
        assign mx_n_of    = 4'(meaning.mx_n_ok);
        assign mx_rows    = mx_form == MxB ? meaning.mx_rows_ok[1] : meaning.mx_rows_ok[0];
        assign mx_columns = mx_form == MxC ? mx_n_of[mx_d_size] : mx_k_of[mx_d_size];
        assign mx_legal   = !mx_illegal && (!mx_access || (mx_rows && mx_columns));
        assign is_set     = (mx_op == MxSetM) || (mx_op == MxSetN) ||
            (mx_op == MxSetK);
        "#,
    );
}
