// SPDX-License-Identifier: Apache-2.0
//! `tl_dispatch`: decides about one instruction per cycle, in program order.

use crate::Config;
use crate::modules::tl_decoder;
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_dispatch",
        "Takes the oldest instruction, decides whether it is legal, waits for what it needs and sends it to its \
         engine. CSR instructions are executed here.",
    );
    m.group("The instruction");
    m.input("valid_i", Ty::bit(), "");
    m.output("ready_o", Ty::bit(), "it is dispatched in this cycle");
    m.input("entry_i", Ty::named("issue_t"), "");
    m.group("CSR file and what the CSRs mean");
    m.output("csr_exec_o", Ty::bit(), "");
    m.output("csr_change_o", Ty::bit(), "a CSR changes that tl_shape looks at");
    m.input("csr_legal_i", Ty::bit(), "");
    m.input("csr_rdata_i", Ty::bits(32), "");
    m.input("csr_ready_i", Ty::bit(), "the CSRs have their values after reset");
    m.input("csr_is_load_stride_i", Ty::bit(), "");
    m.input("csr_is_store_stride_i", Ty::bit(), "");
    m.input("csr_shape_we_i", Ty::bit(), "");
    m.input("settled_i", Ty::bit(), "");
    m.input("type_ok_i", Ty::bit(), "");
    m.input("int_type_i", Ty::bit(), "");
    m.input("ewidth_i", Ty::named("ewidth_t"), "");
    m.input("ls_i", Ty::named("ls_shape_t"), "");
    m.input("dims_i", Ty::named("dim_shape_t"), "");
    m.input("block_i", Ty::bits("GranW+1"), "");
    m.group("Rename map");
    m.output("rs1_o", Ty::bits(5), "");
    m.output("rs2_o", Ty::bits(5), "");
    m.output("rd_o", Ty::bits(5).packed(2), "0 for a result that is not there");
    m.output("take_o", Ty::bits(2), "");
    m.input("src1_i", Ty::named("src_t"), "");
    m.input("src2_i", Ty::named("src_t"), "");
    m.input("busy_i", Ty::bits(32), "");
    m.input("results_i", Ty::named("results_t"), "");
    m.input("free_i", Ty::bits(3), "");
    m.group("Instructions in flight");
    m.input("room_i", Ty::bit(), "");
    m.input("tag_i", Ty::named("tag_t"), "");
    m.output("enter_done_o", Ty::bit(), "complete at once");
    m.output("flight_o", Ty::named("flight_t"), "");
    m.output("cause_o", Ty::named("cause_e"), "");
    m.output("value_o", Ty::bits(32), "");
    m.group("Engines");
    m.input("load_strides_busy_i", Ty::bit(), "");
    m.input("store_strides_busy_i", Ty::bit(), "");
    for (engine, ty) in
        [("load", "load_cmd_t"), ("store", "store_cmd_t"), ("move", "move_cmd_t"), ("xpose", "xpose_cmd_t")]
    {
        m.output(&format!("{engine}_valid_o"), Ty::bit(), "");
        m.input(&format!("{engine}_ready_i"), Ty::bit(), "");
        m.output(&format!("{engine}_cmd_o"), Ty::named(ty), "");
    }

    if config.matrix {
        m.group("Matrix instructions");
        m.input("mx_ours_i", Ty::bit(), "");
        m.input("mx_legal_i", Ty::bit(), "");
        m.input("mx_load_i", Ty::bit(), "it accesses L1M");
        m.input("mx_store_i", Ty::bit(), "it accesses L0M");
        m.output("mx_valid_o", Ty::bit(), "to the engine");
        m.input("mx_ready_i", Ty::bit(), "");
        m.output("mx_exec_o", Ty::bit(), "it is dispatched and legal");
        m.group("Whose the memory ports are: [0] L1M, [1] L0M");
        m.input("tensor_ok_i", Ty::bits(2), "");
        m.input("matrix_ok_i", Ty::bits(2), "");
        m.output("tensor_o", Ty::bits(2), "an instruction that uses the port is dispatched");
        m.output("matrix_o", Ty::bits(2), "");
    }

    m.section("Decode.");
    m.signals(&["ours", "undefined", "is_csr"], Ty::bit());
    m.signal("op", Ty::named("op_e"), "");
    m.signals(&["rd", "gpr"], Ty::bits(5));
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
            ("rs1_o", "rs1_o"),
            ("rs2_o", "rs2_o"),
            ("gpr_o", "gpr"),
            ("imm_o", "imm"),
            ("dim_o", "dim"),
            ("p_o", "p"),
            ("q_o", "q"),
        ],
    );
    m.signal("unused_decode", Ty::bit(), "");
    let rs2 = if config.matrix { ", entry_i.rs2" } else { "" };
    m.text(&format!(
        r#"
        assign is_csr = entry_i.instr[6:0] == 7'b1110011;
        // The host has looked at the GPR number already; what is not ours is illegal here too.
        assign unused_decode = ^{{gpr, ours, undefined{rs2}}};
        "#
    ));

    let total = (4 * config.reg_bytes).ilog2();
    m.section(
        "Sizes of tl.xpose: their product is fixed and a power of two, so each is one, and their logarithms add up.",
    );
    m.signal("powers", Ty::bits(4), "size i is a power of two");
    m.signal("log2_size", Ty::bits(3).packed(4), "[i] = log2(D_i)");
    m.signal("log2_sum", Ty::bits(5), "log2 of the bytes of the tensor, times two");
    m.signal("xpose_ok", Ty::bit(), "");
    m.text(&format!(
        r#"
        always_comb begin
          powers    = '0;
          log2_size = '0;
          for (int unsigned i = 0; i < 4; i++) begin
            for (int unsigned b = 0; b < 8; b++) begin
              if (entry_i.rs[8*i+:8] == 8'd1 << b) begin
                powers[i]    = 1'b1;
                log2_size[i] = 3'(b);
              end
            end
          end
        end

        assign log2_sum = 5'(log2_size[0]) + 5'(log2_size[1]) + 5'(log2_size[2]) +
            5'(log2_size[3]) + 5'(ewidth_i);
        assign xpose_ok = type_ok_i && (rs1_o != rs2_o) && (powers == '1) &&
            (log2_size[0] != 3'd0) && (log2_sum == 5'd{total});
        "#
    ));

    m.section("Legality.");
    m.signals(&["legal", "masked", "is_store", "concat_ok", "merge_ok"], Ty::bit());
    let other = if config.matrix { "mx_ours_i ? mx_legal_i : is_csr && csr_legal_i" } else { "is_csr && csr_legal_i" };
    m.text(&format!(
        r#"
        assign masked    = (op == OpMload) || (op == OpMstore);
        assign is_store  = (op == OpStore) || (op == OpMstore);
        assign concat_ok = dims_i.concat_ok[dim];
        assign merge_ok  = dims_i.merge_ok[dim];

        always_comb begin
          unique case (op)
            OpLoad, OpMload, OpStore, OpMstore: begin
              legal = ls_i.ok[is_store] && (!masked || ls_i.mask_init[is_store]);
            end
            OpAddi:   legal = int_type_i;
            OpConcat: legal = concat_ok;
            OpMerge:  legal = merge_ok;
            OpXpose:  legal = xpose_ok;
            default:  legal = {other};
          endcase
        end
        "#
    ));

    m.section(
        "What the instruction waits for: the meaning of the CSRs, its operands, the results that it replaces, fresh \
         registers, its engine. A stride is not written while an engine may still read it.",
    );
    m.signal("is_xpose", Ty::bit(), "");
    m.signal("operands_ready", Ty::bit(), "");
    m.signal("fresh_ready", Ty::bit(), "");
    m.signal("strides_free", Ty::bit(), "");
    m.signal("able", Ty::bit(), "everything but the engine is ready");
    m.signal("engine_ready", Ty::bit(), "");
    let (port_ok, if_matrix, mx_default, mx_valid) = if config.matrix {
        (
            " && port_ok",
            "if (mx_ours_i) begin\n            able = (!mx_load_i || matrix_ok_i[0]) && (!mx_store_i || matrix_ok_i[1]);\n          end else ",
            "          mx_valid_o    = 1'b0;\n",
            "          if (mx_load_i || mx_store_i) begin\n            mx_valid_o   = able;\n            \
             engine_ready = mx_ready_i;\n          end\n",
        )
    } else {
        ("", "", "", "")
    };
    if config.matrix {
        m.signal("is_load", Ty::bit(), "");
        m.signal("port_ok", Ty::bit(), "the tensor engine may use the memory port");
        m.text(
            r#"
            assign is_load = (op == OpLoad) || (op == OpMload);
            assign port_ok = (!is_load || tensor_ok_i[0]) && (!is_store || tensor_ok_i[1]);
            "#,
        );
    }
    m.text(&format!(
        r#"
        assign is_xpose       = op == OpXpose;
        assign rd_o[0]        = is_xpose ? rs1_o : rd;
        assign rd_o[1]        = is_xpose ? rs2_o : 5'd0;
        assign operands_ready = !busy_i[rs1_o] && !busy_i[rs2_o] && !busy_i[rd_o[0]] && !busy_i[rd_o[1]];
        assign fresh_ready    = free_i >= 3'(results_i.valid[0]) + 3'(results_i.valid[1]);
        assign strides_free   = !(csr_is_load_stride_i && load_strides_busy_i) &&
            !(csr_is_store_stride_i && store_strides_busy_i);

        always_comb begin
          {if_matrix}if (is_csr) begin
            able = strides_free || !legal;
          end else if (legal) begin
            able = settled_i && operands_ready && fresh_ready{port_ok};
          end else begin
            able = settled_i;
          end
          if (!valid_i || !room_i || !csr_ready_i) able = 1'b0;
        end

        always_comb begin
          load_valid_o  = 1'b0;
          store_valid_o = 1'b0;
          move_valid_o  = 1'b0;
          xpose_valid_o = 1'b0;
          engine_ready  = 1'b1;
{mx_default}          if (legal) begin
            unique case (op)
              OpLoad, OpMload: begin
                load_valid_o = able;
                engine_ready = load_ready_i;
              end
              OpStore, OpMstore: begin
                store_valid_o = able;
                engine_ready  = store_ready_i;
              end
              OpAddi, OpConcat, OpMerge: begin
                move_valid_o = able;
                engine_ready = move_ready_i;
              end
              OpXpose: begin
                xpose_valid_o = able;
                engine_ready  = xpose_ready_i;
              end
              default: ;
            endcase
          end
{mx_valid}        end

        assign ready_o      = able && engine_ready;
        assign csr_exec_o   = ready_o && legal && is_csr;
        assign csr_change_o = csr_exec_o && csr_shape_we_i;
        assign take_o       = {{2{{ready_o && legal}}}};
        "#
    ));
    if config.matrix {
        m.text(
            r#"
            assign mx_exec_o = ready_o && legal && mx_ours_i;
            assign matrix_o  = {mx_store_i, mx_load_i} & {2{ready_o}};
            assign tensor_o  = {is_store, is_load} & {2{ready_o && legal}};
            "#,
        );
    }

    m.section("The entry of the instruction in flight.");
    let at_once = if config.matrix { " || (mx_ours_i && !mx_load_i && !mx_store_i)" } else { "" };
    m.text(&format!(
        r#"
        always_comb begin
          enter_done_o    = is_csr || !legal{at_once};
          cause_o         = legal ? CauseNone : CauseIllegal;
          value_o         = legal ? csr_rdata_i : entry_i.instr;
          flight_o.id     = entry_i.id;
          flight_o.gpr_we = legal && is_csr && (entry_i.instr[11:7] != 5'd0);
          flight_o.gpr    = entry_i.instr[11:7];
          flight_o.results = results_i;
          if (!legal) flight_o.results.valid = '0;
        end
        "#
    ));

    m.section("Commands.");
    m.text(
        r#"
        always_comb begin
          load_cmd_o.tag      = tag_i;
          load_cmd_o.dst.drop = !results_i.valid[0];
          load_cmd_o.dst.phys = results_i.fresh[0];
          load_cmd_o.ewidth   = ewidth_i;
          load_cmd_o.base     = entry_i.rs;
          load_cmd_o.imm      = imm;
          load_cmd_o.block    = ls_i.block[0];
          load_cmd_o.all      = !masked || ls_i.mask_all[0];
          load_cmd_o.none     = masked && ls_i.mask_none[0];
          load_cmd_o.bytes    = ls_i.bytes[0];
          load_cmd_o.mask     = masked ? ls_i.mask[0] : ls_i.all;
        end

        always_comb begin
          store_cmd_o.tag    = tag_i;
          store_cmd_o.src    = src1_i;
          store_cmd_o.ewidth = ewidth_i;
          store_cmd_o.base   = entry_i.rs;
          store_cmd_o.imm    = imm;
          store_cmd_o.bytes  = ls_i.bytes[1];
          store_cmd_o.mask   = masked ? ls_i.mask[1] : ls_i.all;
          store_cmd_o.none   = masked && ls_i.mask_none[1];
        end

        always_comb begin
          unique case (op)
            OpConcat: move_cmd_o.op = MoveConcat;
            OpMerge:  move_cmd_o.op = MoveMerge;
            default:  move_cmd_o.op = MoveAddi;
          endcase
          move_cmd_o.tag      = tag_i;
          move_cmd_o.dst.drop = !results_i.valid[0];
          move_cmd_o.dst.phys = results_i.fresh[0];
          move_cmd_o.src1     = src1_i;
          move_cmd_o.src2     = src2_i;
          move_cmd_o.ewidth   = ewidth_i;
          move_cmd_o.imm      = imm;
          move_cmd_o.dim      = dims_i.size[dim];
          move_cmd_o.inner    = dims_i.inner[dim];
          move_cmd_o.block    = block_i;
          move_cmd_o.mask1    = dims_i.mask1[dim];
          move_cmd_o.mask2    = dims_i.mask2[dim];
        end

        always_comb begin
          xpose_cmd_o.tag       = tag_i;
          xpose_cmd_o.dst1.drop = !results_i.valid[0];
          xpose_cmd_o.dst1.phys = results_i.fresh[0];
          xpose_cmd_o.dst2.drop = !results_i.valid[1];
          xpose_cmd_o.dst2.phys = results_i.fresh[1];
          xpose_cmd_o.src1      = src1_i;
          xpose_cmd_o.src2      = src2_i;
          xpose_cmd_o.ewidth    = ewidth_i;
          xpose_cmd_o.p         = p;
          xpose_cmd_o.q         = q;
          xpose_cmd_o.log2_size = log2_size;
        end
        "#,
    );
    m
}
