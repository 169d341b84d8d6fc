// SPDX-License-Identifier: Apache-2.0
//! `tl_top`: the unit.

mod front_end;

use front_end::front_end;

use crate::Config;
use crate::modules::tl_csr::FIRST_TILE_SIZE;
use crate::modules::{
    tl_csr, tl_decode, tl_dispatch, tl_load, tl_matrix, tl_mx_size, tl_port_owner, tl_queue, tl_recover, tl_regfile,
    tl_rename, tl_retire, tl_shape, tl_store,
};
use crate::sv::{Module, Ty};

const CLOCKED: [(&str, &str); 2] = [("clk_i", "clk_i"), ("rst_ni", "rst_ni")];

/// The unit of `config`; `others` are the modules that it is made of.
pub fn module(config: &Config, others: &[Module]) -> Module {
    let mut m = Module::new(
        "tl_top",
        "TensorLoad unit: 32 tensor registers, and the instructions that load, store, add to, concatenate, merge and \
         transpose blocks of tensors.",
    );
    ports(&mut m, config);
    front_end(&mut m, config);
    engines(&mut m, config, others);
    register_file(&mut m);
    m
}

fn ports(m: &mut Module, config: &Config) {
    m.clocked();
    m.group("Issue: every instruction that is accepted gives one result, in the same order");
    m.input("issue_valid_i", Ty::bit(), "");
    m.output("issue_ready_o", Ty::bit(), "");
    m.input("issue_instr_i", Ty::bits(32), "");
    if config.matrix {
        m.input("issue_rs_i", Ty::bits(32), "x[11:7], or x[19:15] for CSR and matrix instructions");
        m.input("issue_rs2_i", Ty::bits(32), "x[24:20] for matrix instructions");
    } else {
        m.input("issue_rs_i", Ty::bits(32), "x[11:7], or x[19:15] for CSR instructions");
    }
    m.input("issue_id_i", Ty::bits(8), "echoed with the result");
    m.group("Result");
    m.output("result_valid_o", Ty::bit(), "");
    m.input("result_ready_i", Ty::bit(), "");
    m.output("result_id_o", Ty::bits(8), "");
    m.output("result_trap_o", Ty::bit(), "");
    m.output("result_cause_o", Ty::bits(5), "exception code of a trap");
    m.output("result_tval_o", Ty::bits(32), "");
    m.output("result_we_o", Ty::bit(), "write result_data_o to x[result_rd_o]");
    m.output("result_rd_o", Ty::bits(5), "");
    m.output("result_data_o", Ty::bits(32), "");
    m.output("result_killed_o", Ty::bit(), "an older instruction trapped: this one has changed nothing");
    m.input("resume_i", Ty::bit(), "the host has seen the trap: no more kills");
    m.group("An instruction that was accepted has no result yet, or the unit still starts or recovers");
    m.output("busy_o", Ty::bit(), "");
    m.group("For tl_xif: which instructions are legal with what the CSRs hold");
    m.output("meaning_o", Ty::named("meaning_bits_t"), "a meaning_t");
    m.group("L1M: read port. A response for each granted request, in order, in a later cycle");
    m.output("l1m_req_o", Ty::bit(), "held until l1m_gnt_i");
    m.input("l1m_gnt_i", Ty::bit(), "");
    m.output("l1m_addr_o", Ty::bits(32), "multiple of PortBytes");
    m.input("l1m_rvalid_i", Ty::bit(), "");
    m.input("l1m_rdata_i", Ty::bits("8*PortBytes"), "");
    m.input("l1m_err_i", Ty::bit(), "");
    m.group("L0M: write port. A response for each granted request, in order, in a later cycle");
    m.output("l0m_req_o", Ty::bit(), "held until l0m_gnt_i");
    m.input("l0m_gnt_i", Ty::bit(), "");
    m.output("l0m_addr_o", Ty::bits(32), "multiple of PortBytes");
    m.output("l0m_be_o", Ty::bits("PortBytes"), "");
    m.output("l0m_wdata_o", Ty::bits("8*PortBytes"), "");
    m.input("l0m_rvalid_i", Ty::bit(), "");
    m.input("l0m_err_i", Ty::bit(), "");
}

fn connect<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    CLOCKED.iter().chain(pairs).copied().collect()
}

fn recovery(m: &mut Module, config: &Config) {
    if !config.precise {
        m.section("Traps are not precise: what is younger goes on.");
        m.signal("unused_recovery", Ty::bit(), "");
        m.text(
            r#"
            assign {open, kill}                  = {csr_ready, 1'b0};
            assign {refuse, give_up}             = 2'b00;
            assign {hold, killed}                = 2'b00;
            assign {walk, walk_second}           = 2'b00;
            assign {walk_soon, walk_tag}         = '0;
            assign unused_recovery               = ^{resume_i, trap_seen, trap_retires, all_done, oldest};
            "#,
        );
        return;
    }
    m.instance(
        &tl_recover::module(),
        "u_recover",
        &[],
        &connect(&[
            ("resume_i", "resume_i"),
            ("refuse_o", "refuse"),
            ("csr_ready_i", "csr_ready"),
            ("waiting_i", "!queue_empty || entry_valid"),
            ("open_o", "open"),
            ("kill_o", "kill"),
            ("give_up_o", "give_up"),
            ("empty_i", "nothing_in_flight"),
            ("head_i", "oldest"),
            ("tail_i", "tag"),
            ("trap_seen_i", "trap_seen"),
            ("trap_retires_i", "trap_retires"),
            ("all_done_i", "all_done"),
            ("hold_o", "hold"),
            ("killed_o", "killed"),
            ("walk_o", "walk"),
            ("walk_second_o", "walk_second"),
            ("walk_soon_o", "walk_soon"),
            ("walk_tag_o", "walk_tag"),
        ]),
    );
}

fn engines(m: &mut Module, config: &Config, others: &[Module]) {
    m.section("Engines.");
    m.signals(&["load_write", "move_write", "xpose_write"], Ty::named("rf_write_t"));
    m.signal("load_blank", Ty::bits(2), "");
    m.signals(&["store_read", "move_read", "xpose_read"], Ty::named("rf_read_t"));
    m.signals(&["read_gnt", "write_gnt"], Ty::bits(2).packed(3));
    m.signal("rdata", Ty::bits("RowBits").packed(2), "");
    // Where the matrix engine has a share in the memory ports, the tensor engines come before a choice.
    let mut words = ["matrix_owns[1]", "matrix_take", "matrix_line", "matrix_turn", "matrix_be"];
    let [l1m, l0m] = if config.matrix {
        matrix(m, config)
    } else {
        words = ["1'b0", "1'b0", "'0", "'0", "'0"];
        m.text("assign load_done  = tensor_load_done;\nassign store_done = tensor_store_done;");
        [UNSHARED_L1M, UNSHARED_L0M]
    };
    m.instance(
        &tl_load::module(config),
        "u_load",
        &[],
        &connect(&[
            ("cmd_valid_i", "load_valid"),
            ("cmd_soon_o", "load_soon"),
            ("cmd_i", "load_cmd"),
            ("stride_idx_o", "load_stride_idx"),
            ("stride_i", "load_stride"),
            ("strides_busy_o", "load_strides_busy"),
            ("rf_write_o", "load_write"),
            ("rf_blank_o", "load_blank"),
            ("rf_write_gnt_i", "write_gnt[0]"),
            ("l1m_req_o", l1m[0]),
            ("l1m_gnt_i", "l1m_gnt_i"),
            ("l1m_addr_o", l1m[1]),
            ("l1m_rvalid_i", l1m[2]),
            ("l1m_rdata_i", "l1m_rdata_i"),
            ("l1m_err_i", "l1m_err_i"),
            ("done_o", l1m[3]),
        ]),
    );
    m.instance(
        &tl_store::module(config),
        "u_store",
        &[],
        &connect(&[
            ("cmd_valid_i", "store_valid"),
            ("cmd_soon_o", "store_soon"),
            ("cmd_i", "store_cmd"),
            ("late_i", "late[0]"),
            ("stride_idx_o", "store_stride_idx"),
            ("stride_i", "store_stride"),
            ("bound_i", "store_bound"),
            ("strides_busy_o", "store_strides_busy"),
            ("rf_read_o", "store_read"),
            ("rf_read_gnt_i", "read_gnt[0]"),
            ("rf_rdata_i", "rdata"),
            ("l0m_req_o", l0m[0]),
            ("l0m_gnt_i", "l0m_gnt_i"),
            ("l0m_addr_o", l0m[1]),
            ("l0m_be_o", l0m[2]),
            ("l0m_wdata_o", l0m[3]),
            ("l0m_rvalid_i", l0m[4]),
            ("l0m_err_i", "l0m_err_i"),
            ("l0m_tag_o", l0m[5]),
            ("mx_owns_i", words[0]),
            ("mx_take_i", words[1]),
            ("mx_line_i", words[2]),
            ("mx_turn_i", words[3]),
            ("mx_be_i", words[4]),
            ("pending_i", "pending"),
            ("load_taken_i", "load_valid"),
            ("load_done_i", &format!("{}.valid", l1m[3])),
            ("load_trap_i", &format!("{0}.valid && ({0}.cause != CauseNone)", l1m[3])),
            ("give_up_i", "give_up"),
            ("done_o", l0m[6]),
        ]),
    );
    for (engine, port) in [("move", "1"), ("xpose", "2")] {
        let name = format!("tl_{engine}");
        let child = others.iter().find(|module| module.name() == name);
        let child = child.unwrap_or_else(|| panic!("no module {name}"));
        let label = format!("u_{engine}");
        let s = |suffix: &str| format!("{engine}_{suffix}");
        let (valid, soon, cmd, read, write, done) = (s("valid"), s("soon"), s("cmd"), s("read"), s("write"), s("done"));
        let (rgnt, wgnt) = (format!("read_gnt[{port}] != 2'b00"), format!("write_gnt[{port}] != 2'b00"));
        m.instance(
            child,
            &label,
            &[],
            &connect(&[
                ("cmd_valid_i", &valid),
                ("cmd_soon_o", &soon),
                ("cmd_i", &cmd),
                ("late_i", "late"),
                ("pending_i", "pending"),
                ("rf_read_o", &read),
                ("rf_read_gnt_i", &rgnt),
                ("rf_rdata_i", "rdata"),
                ("rf_write_o", &write),
                ("rf_write_gnt_i", &wgnt),
                ("done_o", &done),
            ]),
        );
    }
}

fn register_file(m: &mut Module) {
    m.section("Register file.");
    m.instance(
        &tl_regfile::module(),
        "u_regfile",
        &[],
        &connect(&[
            ("read_valid_i", "{xpose_read.valid, move_read.valid, store_read.valid}"),
            ("read_addr_i", "{xpose_read.addr, move_read.addr, store_read.addr}"),
            ("read_gnt_o", "read_gnt"),
            ("rdata_o", "rdata"),
            ("write_valid_i", "{xpose_write.valid, move_write.valid, load_write.valid}"),
            ("write_addr_i", "{xpose_write.addr, move_write.addr, load_write.addr}"),
            ("write_data_i", "{xpose_write.data, move_write.data, load_write.data}"),
            ("write_blank_i", "load_blank"),
            ("write_gnt_o", "write_gnt"),
        ]),
    );
}

/// What `tl_load` is connected to: request, address, response, completion.
const UNSHARED_L1M: &[&str] = &["l1m_req_o", "l1m_addr_o", "l1m_rvalid_i", "tensor_load_done"];
/// What `tl_store` is connected to: request, address, byte enables, data, response, tag, completion.
const UNSHARED_L0M: &[&str] =
    &["l0m_req_o", "l0m_addr_o", "l0m_be_o", "l0m_wdata_o", "l0m_rvalid_i", "store_tag", "tensor_store_done"];

/// The matrix engine and its share in the memory ports; gives what the tensor engines are connected to then.
fn matrix(m: &mut Module, config: &Config) -> [&'static [&'static str]; 2] {
    m.section("Matrix instructions.");
    m.instance(
        &tl_mx_size::module(),
        "u_mx_size",
        &[],
        &connect(&[
            ("mx_i", "mx"),
            ("rs_i", "entry.rs"),
            ("rs2_i", "entry.rs2"),
            ("tag_i", "tag"),
            ("exec_i", "mx_exec"),
            ("legal_o", "mx_legal"),
            ("uses_o", "mx_uses"),
            ("load_o", "mx_load"),
            ("store_o", "mx_store"),
            ("cmd_o", "mx_cmd"),
            ("sets_o", "sets_size"),
            ("undo_i", &format!("undo_csr.select[{}:{}] & {{3{{undo}}}}", FIRST_TILE_SIZE + 2, FIRST_TILE_SIZE)),
            ("undo_value_i", "undo_value"),
            ("mtilem_o", "mtilem"),
            ("mtilen_o", "mtilen"),
            ("mtilek_o", "mtilek"),
            ("rows_ok_o", "size_rows_ok"),
            ("k_ok_o", "size_k_ok"),
            ("n_ok_o", "size_n_ok"),
        ]),
    );
    m.signal("matrix_owns", Ty::bits(2), "[0] L1M, [1] L0M");
    m.signals(&["tensor_l1m_req", "matrix_l1m_req", "tensor_l0m_req", "matrix_l0m_req"], Ty::bit());
    m.signals(&["tensor_l1m_rvalid", "matrix_l1m_rvalid", "tensor_l0m_rvalid", "matrix_l0m_rvalid"], Ty::bit());
    m.signals(&["tensor_l1m_addr", "matrix_l1m_addr", "tensor_l0m_addr", "matrix_l0m_addr"], Ty::bits(32));
    m.signal("matrix_take", Ty::bit(), "");
    m.signal("matrix_line", Ty::bits("8*PortBytes"), "");
    m.signal("matrix_turn", Ty::named("port_off_t"), "");
    m.signal("matrix_be", Ty::bits("PortBytes"), "");
    m.signals(&["tensor_store_tag", "matrix_store_tag"], Ty::named("tag_t"));
    m.signals(&["matrix_load_done", "matrix_store_done"], Ty::named("ls_done_t"));
    m.signal("tile_write", Ty::bit(), "");
    m.signal("tile_md", Ty::bits(3), "");
    m.signal("unused_tile", Ty::bit(), "for a trace");
    m.instance(
        &tl_matrix::module(config),
        "u_matrix",
        &[],
        &connect(&[
            ("cmd_valid_i", "mx_valid"),
            ("cmd_i", "mx_cmd"),
            ("l1m_req_o", "matrix_l1m_req"),
            ("l1m_gnt_i", "l1m_gnt_i"),
            ("l1m_addr_o", "matrix_l1m_addr"),
            ("l1m_rvalid_i", "matrix_l1m_rvalid"),
            ("l1m_rdata_i", "l1m_rdata_i"),
            ("l1m_err_i", "l1m_err_i"),
            ("l0m_req_o", "matrix_l0m_req"),
            ("l0m_gnt_i", "l0m_gnt_i"),
            ("l0m_addr_o", "matrix_l0m_addr"),
            ("word_take_o", "matrix_take"),
            ("word_line_o", "matrix_line"),
            ("word_turn_o", "matrix_turn"),
            ("word_be_o", "matrix_be"),
            ("l0m_rvalid_i", "matrix_l0m_rvalid"),
            ("l0m_err_i", "l0m_err_i"),
            ("l0m_tag_o", "matrix_store_tag"),
            ("give_up_i", "give_up"),
            ("load_done_o", "matrix_load_done"),
            ("store_done_o", "matrix_store_done"),
            ("store_ok_o", "matrix_store_ok"),
            ("write_o", "tile_write"),
            ("write_md_o", "tile_md"),
        ]),
    );
    for (port, index, done) in [("l1m", "0", "load_done"), ("l0m", "1", "store_done")] {
        let [tensor_ok, matrix_ok, tensor, matrix, owns] =
            ["tensor_ok", "matrix_ok", "tensor_takes", "matrix_takes", "matrix_owns"].map(|s| format!("{s}[{index}]"));
        m.instance(
            &tl_port_owner::module(),
            &format!("u_{port}_owner"),
            &[],
            &connect(&[
                ("tensor_ok_o", &tensor_ok),
                ("matrix_ok_o", &matrix_ok),
                ("tensor_i", &tensor),
                ("matrix_i", &matrix),
                ("done_i", &format!("{done}.valid")),
                ("matrix_o", &owns),
            ]),
        );
    }
    m.text(
        r#"
        assign l1m_req_o          = matrix_owns[0] ? matrix_l1m_req : tensor_l1m_req;
        assign l1m_addr_o         = matrix_owns[0] ? matrix_l1m_addr : tensor_l1m_addr;
        assign load_done          = matrix_owns[0] ? matrix_load_done : tensor_load_done;
        assign tensor_l1m_rvalid  = l1m_rvalid_i && !matrix_owns[0];
        assign matrix_l1m_rvalid  = l1m_rvalid_i && matrix_owns[0];
        assign l0m_req_o          = matrix_owns[1] ? matrix_l0m_req : tensor_l0m_req;
        assign l0m_addr_o         = matrix_owns[1] ? matrix_l0m_addr : tensor_l0m_addr;
        assign store_tag          = matrix_owns[1] ? matrix_store_tag : tensor_store_tag;
        assign store_done         = matrix_owns[1] ? matrix_store_done : tensor_store_done;
        assign tensor_l0m_rvalid  = l0m_rvalid_i && !matrix_owns[1];
        assign matrix_l0m_rvalid  = l0m_rvalid_i && matrix_owns[1];
        assign unused_tile        = ^{tile_write, tile_md};
        "#,
    );
    [
        &["tensor_l1m_req", "tensor_l1m_addr", "tensor_l1m_rvalid", "tensor_load_done"],
        &[
            "tensor_l0m_req",
            "tensor_l0m_addr",
            "l0m_be_o",
            "l0m_wdata_o",
            "tensor_l0m_rvalid",
            "tensor_store_tag",
            "tensor_store_done",
        ],
    ]
}
