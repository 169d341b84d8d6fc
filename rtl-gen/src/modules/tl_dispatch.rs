// SPDX-License-Identifier: Apache-2.0
//! `tl_dispatch`: decides about one instruction per cycle, in program order.

use crate::Config;
use crate::sv::{Module, Ty};

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_dispatch",
        "Takes the oldest instruction, decides whether it is legal, waits for what it needs and sends it to its \
         engine. CSR instructions are executed here.\n\
         A tensor instruction is looked at in one cycle (the rename map, what the CSRs mean, what it waits for) and \
         dispatched in the next one or later, from flip-flops, as is a CSR instruction that accesses a stride or needs \
         the old value. Others need the first cycle not.",
    );
    ports(&mut m, config);
    look(&mut m, config);
    go(&mut m, config);
    flight(&mut m, config);
    commands(&mut m);
    m
}

fn ports(m: &mut Module, config: &Config) {
    m.input("clk_i", Ty::bit(), "");
    m.group("The instruction");
    m.input("valid_i", Ty::bit(), "");
    m.output("ready_o", Ty::bit(), "it is dispatched in this cycle");
    m.input("entry_i", Ty::named("issue_t"), "");
    m.input("decoded_i", Ty::named("decoded_t"), "");
    m.input("csr_i", Ty::named("csr_instr_t"), "");
    m.group("CSR file and what the CSRs mean");
    m.output("csr_exec_o", Ty::bit(), "");
    m.output("csr_change_o", Ty::bit(), "a CSR changes that tl_shape looks at");
    m.input("settled_i", Ty::bit(), "");
    m.input("type_ok_i", Ty::bit(), "");
    m.input("int_type_i", Ty::bit(), "");
    m.input("ewidth_i", Ty::named("ewidth_t"), "");
    m.input("ls_i", Ty::named("ls_shape_t"), "");
    m.input("dims_i", Ty::named("dim_shape_t"), "");
    m.input("block_i", Ty::bits("GranW+1"), "");
    m.input("tmask_concat_1_i", Ty::bits(32), "");
    m.input("tmask_concat_2_i", Ty::bits(32), "");
    m.group("Rename map");
    m.output("take_o", Ty::bit(), "rename the results now");
    m.input("map_ready_i", Ty::bit(), "the map is as the instructions before left it");
    m.input("src1_i", Ty::named("src_t"), "in the cycle after the instruction came, and later");
    m.input("src2_i", Ty::named("src_t"), "");
    m.input("busy_i", Ty::bit(), "it has to wait for an operand or an old result");
    m.input("results_i", Ty::named("results_t"), "");
    m.input("fresh_i", Ty::bit(), "there are fresh registers for them");
    m.group("Recovery from a trap");
    m.input("open_i", Ty::bit(), "instructions are executed");
    m.input("kill_i", Ty::bit(), "they are answered, and change nothing");
    m.group("Instructions in flight");
    m.input("room_i", Ty::bit(), "");
    m.input("tag_i", Ty::named("tag_t"), "");
    m.output("enter_done_o", Ty::bit(), "complete at once");
    m.output("flight_o", Ty::named("flight_t"), "");
    m.output("cause_o", Ty::named("cause_e"), "");
    m.output("trap_o", Ty::bit(), "it enters, and is illegal");
    m.group("Engines. They tell a cycle before that they are ready, as long as nothing is sent");
    m.input("load_strides_busy_i", Ty::bit(), "");
    m.input("store_strides_busy_i", Ty::bit(), "");
    for (engine, ty) in
        [("load", "load_cmd_t"), ("store", "store_cmd_t"), ("move", "move_cmd_t"), ("xpose", "xpose_cmd_t")]
    {
        m.output(&format!("{engine}_valid_o"), Ty::bit(), "");
        m.input(&format!("{engine}_soon_i"), Ty::bit(), "");
        m.output(&format!("{engine}_cmd_o"), Ty::named(ty), "");
    }
    if config.matrix {
        m.group("Matrix instructions");
        m.input("mx_ours_i", Ty::bit(), "");
        m.input("mx_legal_i", Ty::bit(), "");
        m.input("mx_uses_i", Ty::bits(2), "the port that it is to use, legal or not: L1M [0], L0M [1]");
        m.input("mx_load_i", Ty::bit(), "it accesses L1M");
        m.input("mx_store_i", Ty::bit(), "it accesses L0M");
        m.output("mx_valid_o", Ty::bit(), "to the engine");
        m.output("mx_exec_o", Ty::bit(), "it is dispatched and legal");
        m.group("Whose the memory ports are: [0] L1M, [1] L0M");
        m.input("tensor_ok_i", Ty::bits(2), "");
        m.input("matrix_ok_i", Ty::bits(2), "");
        m.output("tensor_o", Ty::bits(2), "an instruction that uses the port is dispatched");
        m.output("matrix_o", Ty::bits(2), "");
    }
}

/// log2 of the bytes of the tensor of `tl.xpose`, times two: what the logarithms of its sizes and of the element add up to.
pub(super) fn log2_total(config: &Config) -> u32 {
    (4 * config.reg_bytes).ilog2()
}

/// When the instruction `op` is `legal` with what the CSRs mean, indented; `xpose` is the condition for `tl.xpose`.
pub(super) fn legality(indent: &str, op: &str, [ls_ok, mask_init, int_type]: [&str; 3], xpose: &str) -> String {
    let lines = [
        format!("unique case ({op})"),
        format!("  OpLoad:   legal = {ls_ok}[0];"),
        format!("  OpMload:  legal = {ls_ok}[0] && {mask_init}[0];"),
        format!("  OpStore:  legal = {ls_ok}[1];"),
        format!("  OpMstore: legal = {ls_ok}[1] && {mask_init}[1];"),
        format!("  OpAddi:   legal = {int_type};"),
        "  OpConcat: legal = concat_ok;".into(),
        "  OpMerge:  legal = merge_ok;".into(),
        format!("  OpXpose:  legal = {xpose};"),
        "  default:  legal = 1'b0;".into(),
        "endcase".into(),
    ];
    lines.map(|line| format!("{indent}{line}\n")).concat()
}

/// The first cycle: legality of a tensor instruction.
fn look(m: &mut Module, config: &Config) {
    m.section("First cycle: is a tensor instruction legal?");
    m.signals(&["merge_ok", "concat_ok", "legal", "calm"], Ty::bit());
    m.signal("stays", Ty::bit(), "it will be here in the next cycle, too");
    m.signal("fit_q", Ty::bit(), "it was here in the cycle before, and is a tensor instruction that is legal");
    m.signal("unfit_q", Ty::bit(), "one that is not");
    m.signals(&["size", "size_q"], Ty::bits(6));
    m.signal("inner", Ty::bits("GranW+1"), "elements");
    m.signal("inner_q", Ty::bits("GranW+1"), "granules");
    m.signals(&["counts", "counts_q"], Ty::bits(6).packed(2));
    m.signal("unused_fields", Ty::bit(), "");
    m.signal("log2_sum", Ty::bits(5), "log2 of the elements of the tensor of tl.xpose");
    m.signal("log2_ok", Ty::bit(), "it fills both registers");
    let total = log2_total(config);
    let granule = config.granule_bits().ilog2() - 2;
    let legal = legality(
        "          ",
        "decoded_i.op",
        ["ls_i.ok", "ls_i.mask_init", "int_type_i"],
        "type_ok_i && decoded_i.powers && log2_ok",
    );
    m.text(&format!(
        r#"
        assign unused_fields = ^{{entry_i, decoded_i, csr_i}};

        assign stays = valid_i && !ready_o;

        // What the CSRs mean and the map are as the instructions before left them.
        assign calm = settled_i && map_ready_i;

        assign log2_sum = 5'(decoded_i.log2_sum[0]) + 5'(decoded_i.log2_sum[1]);

        always_comb begin
          log2_ok = 1'b0;
          for (int unsigned e = 0; e < 4; e++) begin
            if ((ewidth_i == ewidth_t'(e)) && (log2_sum == 5'({total} - e))) log2_ok = 1'b1;
          end
        end

        always_comb begin
          unique case (decoded_i.dim)
            2'd0: begin
              {{merge_ok, concat_ok}} = {{dims_i.merge_ok[0], dims_i.concat_ok[0]}};
              {{size, inner, counts}} = {{dims_i.size[0], dims_i.inner[0], dims_i.counts[0]}};
            end
            2'd1: begin
              {{merge_ok, concat_ok}} = {{dims_i.merge_ok[1], dims_i.concat_ok[1]}};
              {{size, inner, counts}} = {{dims_i.size[1], dims_i.inner[1], dims_i.counts[1]}};
            end
            default: begin
              {{merge_ok, concat_ok}} = {{dims_i.merge_ok[2], dims_i.concat_ok[2]}};
              {{size, inner, counts}} = {{dims_i.size[2], dims_i.inner[2], dims_i.counts[2]}};
            end
          endcase
{legal}        end

        always_ff @(posedge clk_i) begin
          fit_q    <= stays && calm && legal;
          unfit_q  <= stays && calm && decoded_i.is_tensor && !legal;
          size_q   <= size;
          inner_q  <= inner << (ewidth_i - 2'd{granule});
          counts_q <= counts;
        end
        "#
    ));
}

/// The second cycle: does it go?
fn go(m: &mut Module, config: &Config) {
    m.section(
        "Second cycle. What an instruction waits for: the meaning of the CSRs, its operands and the results that it \
         replaces unless traps are precise, fresh registers, its engine. A stride is neither read nor written while an engine may still read it.",
    );
    m.signals(&["able", "strides_free"], Ty::bit());
    m.signals(&["csr_able", "tensor_able", "go"], Ty::bit());
    m.signal("strides_seen_q", Ty::bit(), "strides were free in the cycle before, too, and it was here");
    m.signal("ready_q", Ty::bit(), "its engine, and ports, are ready: since the first cycle");
    m.signal("is_tensor", Ty::bit(), "");
    m.signal("good", Ty::bit(), "it is legal");
    let (load_ok, store_ok) = if config.matrix {
        (" && tensor_ok_i[0]", " &&\n              tensor_ok_i[1] && unless_precise(tensor_ok_i[0])")
    } else {
        ("", "")
    };
    m.text(&format!(
        r#"
        assign strides_free = !(csr_i.load_stride && load_strides_busy_i) &&
            !(csr_i.store_stride && store_strides_busy_i);

        always_ff @(posedge clk_i) begin
          strides_seen_q <= stays && strides_free;
          ready_q        <= (decoded_i.is_load && load_soon_i{load_ok}) ||
              (decoded_i.is_store && store_soon_i{store_ok}) ||
              (decoded_i.is_move && move_soon_i) || (decoded_i.is_xpose && xpose_soon_i);
        end

        assign able        = valid_i && room_i && open_i;
        assign is_tensor   = decoded_i.is_tensor;
        assign csr_able    = csr_i.ours && (decoded_i.at_once || strides_seen_q);
        assign tensor_able = fit_q && !busy_i && fresh_i && ready_q;

        assign load_valid_o  = able && tensor_able && decoded_i.is_load;
        assign store_valid_o = able && tensor_able && decoded_i.is_store;
        assign move_valid_o  = able && tensor_able && decoded_i.is_move;
        assign xpose_valid_o = able && tensor_able && decoded_i.is_xpose;
        "#
    ));
    let (mx_go, mx_good) = if config.matrix {
        m.signals(&["mx_go", "ports_ok"], Ty::bit());
        m.signal("ports", Ty::bits(2), "those that have to be the matrix engine's");
        m.text(
            r#"
            assign mx_go      = mx_ours_i && (decoded_i.at_once || ports_ok);
            assign ports      = mx_uses_i | {2{!unless_precise(1'b0)}};
            assign ports_ok   = (matrix_ok_i | ~ports) == 2'b11;
            assign mx_valid_o = able && mx_go && (mx_load_i || mx_store_i);
            assign mx_exec_o  = able && mx_go && mx_legal_i;
            assign matrix_o   = {mx_store_i, mx_load_i} & {2{mx_valid_o}};
            assign tensor_o   = {store_valid_o, load_valid_o};
            "#,
        );
        (" || mx_go", " || (mx_ours_i && mx_legal_i)")
    } else {
        ("", "")
    };
    m.text(&format!(
        r#"
        assign go   = decoded_i.at_once || csr_able || unfit_q || tensor_able{mx_go};
        assign good = (csr_i.ours && csr_i.legal) || fit_q{mx_good};

        assign ready_o      = (able && go) || (valid_i && room_i && kill_i);
        assign trap_o       = able && go && !good;
        assign csr_exec_o   = able && csr_able && csr_i.legal;
        assign csr_change_o = csr_exec_o && csr_i.write && !csr_i.load_stride && !csr_i.store_stride;
        assign take_o       = able && tensor_able && !decoded_i.is_store;
        "#
    ));
}

/// The entry of the instruction in flight.
fn flight(m: &mut Module, config: &Config) {
    m.section("The entry of the instruction in flight.");
    let mx_access = if config.matrix { " && !mx_load_i && !mx_store_i" } else { "" };
    let (by_load, by_store) = if config.matrix {
        ("(decoded_i.is_load || mx_load_i)", "(decoded_i.is_store || mx_store_i)")
    } else {
        ("decoded_i.is_load", "decoded_i.is_store")
    };
    m.text(&format!(
        r#"
        always_comb begin
          enter_done_o      = kill_i || !good || (!is_tensor{mx_access});
          cause_o           = kill_i || good ? CauseNone : CauseIllegal;
          flight_o.id       = entry_i.id;
          flight_o.gpr_we   = good && csr_i.ours && (entry_i.instr[11:7] != 5'd0);
          flight_o.gpr      = entry_i.instr[11:7];
          flight_o.by_load  = !enter_done_o && {by_load};
          flight_o.by_store = !enter_done_o && {by_store};
          flight_o.results  = results_i;
          if (kill_i || !fit_q) flight_o.results.valid = '0;
        end
        "#
    ));
}

fn commands(m: &mut Module) {
    m.section("Commands.");
    m.text(
        r#"
        always_comb begin
          load_cmd_o.tag      = tag_i;
          load_cmd_o.dst.drop = !results_i.valid[0];
          load_cmd_o.dst.phys = results_i.fresh[0];
          load_cmd_o.ewidth   = ewidth_i;
          load_cmd_o.base     = entry_i.rs;
          load_cmd_o.imm      = decoded_i.imm;
          load_cmd_o.block    = ls_i.block[0];
          load_cmd_o.all      = !decoded_i.masked || ls_i.mask_all[0];
          load_cmd_o.none     = decoded_i.masked && ls_i.mask_none[0];
          load_cmd_o.bytes    = ls_i.bytes[0];
          load_cmd_o.mask     = decoded_i.masked ? ls_i.mask[0] : ls_i.all;
        end

        always_comb begin
          store_cmd_o.tag    = tag_i;
          store_cmd_o.src    = src1_i;
          store_cmd_o.ewidth = ewidth_i;
          store_cmd_o.base   = entry_i.rs;
          store_cmd_o.imm    = decoded_i.imm;
          store_cmd_o.bytes  = ls_i.bytes[1];
          store_cmd_o.mask   = decoded_i.masked ? ls_i.mask[1] : ls_i.all;
          store_cmd_o.none   = decoded_i.masked && ls_i.mask_none[1];
        end

        always_comb begin
          unique case (decoded_i.op)
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
          move_cmd_o.imm      = decoded_i.imm;
          move_cmd_o.block    = block_i;
          move_cmd_o.dim      = size_q;
          move_cmd_o.inner    = inner_q;
          move_cmd_o.counts   = counts_q;
          move_cmd_o.mask1    = tmask_concat_1_i;
          move_cmd_o.mask2    = tmask_concat_2_i;
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
          xpose_cmd_o.p         = decoded_i.p;
          xpose_cmd_o.q         = decoded_i.q;
          xpose_cmd_o.log2_size = decoded_i.log2_size;
        end
        "#,
    );
}
