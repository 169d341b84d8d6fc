// SPDX-License-Identifier: Apache-2.0
//! `tl_decode`: the decode stage.

use crate::Config;
use crate::modules::{tl_csr, tl_decoder, tl_mx_decoder};
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_decode",
        "Decode stage: what can be said of an instruction without any state, in flip-flops for the dispatch stage.",
    );
    m.clocked();
    m.group("From the queue");
    m.input("valid_i", Ty::bit(), "");
    m.output("ready_o", Ty::bit(), "");
    m.input("entry_i", Ty::named("issue_t"), "");
    m.group("To the dispatch stage");
    m.output("valid_o", Ty::bit(), "");
    m.input("ready_i", Ty::bit(), "");
    m.output("entry_o", Ty::named("issue_t"), "");
    m.output("decoded_o", Ty::named("decoded_t"), "");
    m.output("csr_o", Ty::named("csr_instr_t"), "");
    if config.matrix {
        m.output("mx_o", Ty::named("mx_instr_t"), "");
    }

    m.signals(&["ours", "undefined", "unused_decode"], Ty::bit());
    m.signal("op", Ty::named("op_e"), "");
    m.signals(&["rd", "rs1", "rs2", "gpr"], Ty::bits(5));
    m.signal("imm", Ty::bits(8), "");
    m.signals(&["dim", "p", "q"], Ty::bits(2));
    m.instance(
        &tl_decoder::module(config),
        "u_decoder",
        &[],
        &[
            ("instr_i", "entry_i.instr"),
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
    m.signal("csr", Ty::named("csr_instr_t"), "");
    m.instance(
        &tl_csr::decoder(config),
        "u_csr_decoder",
        &[],
        &[("instr_i", "entry_i.instr"), ("rs_i", "entry_i.rs"), ("csr_o", "csr")],
    );
    if config.matrix {
        m.signal("mx", Ty::named("mx_instr_t"), "");
        m.signals(&["mx_ours", "mx_illegal", "mx_trans", "mx_use_imm"], Ty::bit());
        m.signal("mx_op", Ty::named("mx_op_e"), "");
        m.signal("mx_form", Ty::named("mx_form_e"), "");
        m.signal("mx_d_size", Ty::bits(2), "");
        m.signal("mx_md", Ty::bits(3), "");
        m.signal("mx_imm", Ty::bits(10), "");
        m.instance(
            &tl_mx_decoder::module(),
            "u_mx_decoder",
            &[],
            &[
                ("instr_i", "entry_i.instr"),
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
            always_comb begin
              mx.ours    = mx_ours;
              mx.legal   = mx_ours && !mx_illegal;
              mx.op      = mx_op;
              mx.uses    = {mx_op == MxStore, mx_op == MxLoad};
              mx.form    = mx_form;
              mx.trans   = mx_trans;
              mx.d_size  = mx_d_size;
              mx.md      = mx_md;
              mx.use_imm = mx_use_imm;
              mx.imm     = mx_imm;
            end
            "#,
        );
    }
    m.section(
        "Sizes of tl.xpose: their product is fixed and a power of two, so each is one, and their logarithms add up.",
    );
    m.signal("powers", Ty::bits(4), "size i is a power of two");
    m.signal("log2_size", Ty::bits(3).packed(4), "[i] = log2(D_i)");
    m.signal("decoded", Ty::named("decoded_t"), "");
    let log2_sizes = log2_sizes("        ", "entry_i.rs");
    let no_access = if config.matrix { " && (mx.uses == '0)" } else { "" };
    let take_mx = if config.matrix { "            mx_o      <= mx;\n" } else { "" };
    m.text(&format!(
        r#"
        // The host has looked at the GPR number already; what is not ours is illegal here too.
        assign unused_decode = ^{{gpr, ours, undefined}};

{log2_sizes}
        always_comb begin
          decoded.op        = op;
          decoded.is_load   = (op == OpLoad) || (op == OpMload);
          decoded.is_store  = (op == OpStore) || (op == OpMstore);
          decoded.is_xpose  = op == OpXpose;
          decoded.is_move   = (op == OpAddi) || (op == OpConcat) ||
              (op == OpMerge);
          decoded.is_tensor = op != OpNone;
          decoded.at_once   = (op == OpNone){no_access} &&
              !(csr.ours && (csr.modifies || csr.load_stride || csr.store_stride));
          decoded.masked    = (op == OpMload) || (op == OpMstore);
          decoded.rs1       = rs1;
          decoded.rs2       = rs2;
          decoded.rd        = op == OpXpose ? rs1 : rd;
          decoded.imm       = imm;
          decoded.dim       = dim;
          decoded.p         = p;
          decoded.q         = q;
          decoded.powers    = (powers == '1) && !entry_i.rs[0] && (rs1 != rs2);
          decoded.log2_size = log2_size;
          for (int unsigned i = 0; i < 2; i++) begin
            decoded.log2_sum[i] = 4'(log2_size[2*i]) + 4'(log2_size[2*i+1]);
          end
        end

        assign ready_o = !valid_o || ready_i;

        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            valid_o <= 1'b0;
          end else begin
            if (ready_o) valid_o <= valid_i;
          end
        end

        always_ff @(posedge clk_i) begin
          if (ready_o) begin
            entry_o   <= entry_i;
            decoded_o <= decoded;
            csr_o     <= csr;
{take_mx}          end
        end
        "#
    ));
    m
}

/// The logarithms of the sizes of `tl.xpose` in the operand `rs`, and which of them are powers of two; indented.
pub(super) fn log2_sizes(indent: &str, rs: &str) -> String {
    let text = format!(
        r#"// Of a power of two, the number of its bit.
always_comb begin
  powers    = '0;
  log2_size = '0;
  for (int unsigned i = 0; i < 4; i++) begin
    for (int unsigned b = 0; b < 8; b++) begin
      if ({rs}[8*i+:8] == 8'd1 << b) powers[i] = 1'b1;
      log2_size[i] = log2_size[i] | ({{3{{{rs}[8*i+b]}}}} & 3'(b));
    end
  end
end
"#
    );
    text.lines().map(|line| format!("{indent}{line}\n")).collect()
}
