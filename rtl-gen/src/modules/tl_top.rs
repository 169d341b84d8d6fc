// SPDX-License-Identifier: Apache-2.0
//! `tl_top`: the unit.

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

fn front_end(m: &mut Module, config: &Config) {
    m.section("Front end: issue queue, CSR file, dispatch, rename map, retirement.");
    m.signals(&["issue", "queued", "entry"], Ty::named("issue_t"));
    m.signals(&["refuse", "issue_valid", "queue_ready", "queue_empty"], Ty::bit());
    m.signals(&["queued_valid", "queued_ready", "entry_valid", "entry_seen", "entry_ready"], Ty::bit());
    m.text(
        r#"
        assign issue.instr = issue_instr_i;
        assign issue.rs    = issue_rs_i;
        assign issue.id    = issue_id_i;

        assign issue_valid   = issue_valid_i && !refuse;
        assign issue_ready_o = queue_ready && !refuse;
        "#,
    );
    if config.matrix {
        m.text("assign issue.rs2   = issue_rs2_i;");
    }
    m.instance(
        &tl_queue::module(),
        "u_queue",
        &[],
        &connect(&[
            ("valid_i", "issue_valid"),
            ("ready_o", "queue_ready"),
            ("empty_o", "queue_empty"),
            ("entry_i", "issue"),
            ("valid_o", "queued_valid"),
            ("ready_i", "queued_ready"),
            ("entry_o", "queued"),
        ]),
    );
    m.signal("decoded", Ty::named("decoded_t"), "");
    m.signal("csr", Ty::named("csr_instr_t"), "");
    let mut pairs = vec![
        ("valid_i", "queued_valid"),
        ("ready_o", "queued_ready"),
        ("entry_i", "queued"),
        ("valid_o", "entry_valid"),
        ("seen_o", "entry_seen"),
        ("ready_i", "entry_ready"),
        ("entry_o", "entry"),
        ("decoded_o", "decoded"),
        ("csr_o", "csr"),
    ];
    if config.matrix {
        m.signal("mx", Ty::named("mx_instr_t"), "");
        pairs.push(("mx_o", "mx"));
    }
    m.instance(&tl_decode::module(config), "u_decode", &[], &connect(&pairs));
    m.signals(&["csr_exec", "csr_change", "csr_ready"], Ty::bit());
    m.signals(&["csr_rdata", "undo_value"], Ty::bits(32));
    m.signals(&["csr_changed", "undo_csr"], Ty::named("csr_undo_t"));
    m.signal("undo", Ty::bit(), "");
    m.signal("ttype", Ty::bits(12), "");
    m.signal("tshape", Ty::bits(24), "");
    m.signals(
        &["tmask_load", "tmask_store", "tmask_concat_1", "tmask_concat_2", "tload_width", "tstore_width"],
        Ty::bits(32),
    );
    m.signal("mask_init", Ty::bits(4), "");
    m.signals(&["load_stride", "store_stride", "store_bound"], Ty::bits(32));
    m.signals(&["load_strides_busy", "store_strides_busy"], Ty::bit());
    m.signals(&["load_stride_idx", "store_stride_idx"], Ty::bits(5));
    const CSRS: [(&str, &str); 9] = [
        ("ttype", "ttype"),
        ("tshape", "tshape"),
        ("tmask_load", "tmask_load"),
        ("tmask_store", "tmask_store"),
        ("tmask_concat_1", "tmask_concat_1"),
        ("tmask_concat_2", "tmask_concat_2"),
        ("tload_width", "tload_width"),
        ("tstore_width", "tstore_width"),
        ("mask_init", "mask_init"),
    ];
    let outputs: Vec<_> = CSRS.iter().map(|(p, s)| (format!("{p}_o"), *s)).collect();
    let mut pairs = vec![
        ("csr_i", "csr"),
        ("exec_i", "csr_exec"),
        ("rdata_o", "csr_rdata"),
        ("changed_o", "csr_changed"),
        ("undo_i", "undo"),
        ("undo_csr_i", "undo_csr"),
        ("undo_value_i", "undo_value"),
        ("load_busy_i", "load_strides_busy"),
        ("load_idx_i", "load_stride_idx"),
        ("load_stride_o", "load_stride"),
        ("store_busy_i", "store_strides_busy"),
        ("store_idx_i", "store_stride_idx"),
        ("store_stride_o", "store_stride"),
        ("store_bound_o", "store_bound"),
        ("ready_o", "csr_ready"),
    ];
    pairs.extend(outputs.iter().map(|(p, s)| (p.as_str(), *s)));
    if config.matrix {
        m.signals(&["mtilem", "mtilen", "mtilek"], Ty::bits(32));
        m.signal("sets_size", Ty::bits(3), "");
        m.signal("mx_exec", Ty::bit(), "");
        pairs.extend([("mtilem_i", "mtilem"), ("mtilen_i", "mtilen"), ("mtilek_i", "mtilek")]);
        pairs.extend([("sets_size_i", "sets_size"), ("size_exec_i", "mx_exec && (sets_size != '0)")]);
    }
    m.instance(&tl_csr::module(config), "u_csr", &[], &connect(&pairs));

    m.signals(&["settled", "type_ok", "int_type"], Ty::bit());
    m.signal("ewidth", Ty::named("ewidth_t"), "");
    m.signal("ls_shape", Ty::named("ls_shape_t"), "");
    m.signal("dim_shape", Ty::named("dim_shape_t"), "");
    m.signal("block", Ty::bits("GranW+1"), "");
    let inputs: Vec<_> = CSRS.iter().map(|(p, s)| (format!("{p}_i"), *s)).collect();
    let mut pairs = vec![
        ("change_i", "csr_change || undo"),
        ("settled_o", "settled"),
        ("type_ok_o", "type_ok"),
        ("int_type_o", "int_type"),
        ("ewidth_o", "ewidth"),
        ("ls_o", "ls_shape"),
        ("dims_o", "dim_shape"),
        ("block_o", "block"),
    ];
    pairs.extend(inputs.iter().map(|(p, s)| (p.as_str(), *s)));
    m.instance(&tl_shape::module(config), "u_shape", &[], &connect(&pairs));

    m.signals(&["take", "map_ready", "busy", "fresh"], Ty::bit());
    m.signals(&["src1", "src2"], Ty::named("src_t"));
    m.signal("results", Ty::named("results_t"), "");
    m.signals(&["room", "nothing_in_flight", "enter_done", "open", "kill"], Ty::bit());
    m.signal("tag", Ty::named("tag_t"), "");
    m.signal("flight", Ty::named("flight_t"), "");
    m.signal("cause", Ty::named("cause_e"), "");
    m.signals(&["load_valid", "load_ready", "store_valid", "store_ready"], Ty::bit());
    m.signals(&["move_valid", "move_ready", "xpose_valid", "xpose_ready"], Ty::bit());
    m.signal("load_cmd", Ty::named("load_cmd_t"), "");
    m.signal("store_cmd", Ty::named("store_cmd_t"), "");
    m.signal("move_cmd", Ty::named("move_cmd_t"), "");
    m.signal("xpose_cmd", Ty::named("xpose_cmd_t"), "");
    if config.matrix {
        m.signals(&["mx_legal", "mx_load", "mx_store", "mx_valid", "mx_ready"], Ty::bit());
        m.signal("mx_cmd", Ty::named("mx_cmd_t"), "");
        m.signals(&["tensor_ok", "matrix_ok", "tensor_takes", "matrix_takes"], Ty::bits(2));
    }
    let mut pairs = vec![
        ("clk_i", "clk_i"),
        ("valid_i", "entry_valid"),
        ("ready_o", "entry_ready"),
        ("entry_i", "entry"),
        ("seen_i", "entry_seen"),
        ("decoded_i", "decoded"),
        ("csr_i", "csr"),
        ("csr_exec_o", "csr_exec"),
        ("csr_change_o", "csr_change"),
        ("csr_ready_i", "csr_ready"),
        ("settled_i", "settled"),
        ("type_ok_i", "type_ok"),
        ("int_type_i", "int_type"),
        ("ewidth_i", "ewidth"),
        ("ls_i", "ls_shape"),
        ("dims_i", "dim_shape"),
        ("block_i", "block"),
        ("tmask_concat_1_i", "tmask_concat_1"),
        ("tmask_concat_2_i", "tmask_concat_2"),
        ("take_o", "take"),
        ("map_ready_i", "map_ready"),
        ("src1_i", "src1"),
        ("src2_i", "src2"),
        ("busy_i", "busy"),
        ("results_i", "results"),
        ("fresh_i", "fresh"),
        ("open_i", "open"),
        ("kill_i", "kill"),
        ("room_i", "room"),
        ("tag_i", "tag"),
        ("enter_done_o", "enter_done"),
        ("flight_o", "flight"),
        ("cause_o", "cause"),
        ("load_strides_busy_i", "load_strides_busy"),
        ("store_strides_busy_i", "store_strides_busy"),
        ("load_valid_o", "load_valid"),
        ("load_ready_i", "load_ready"),
        ("load_cmd_o", "load_cmd"),
        ("store_valid_o", "store_valid"),
        ("store_ready_i", "store_ready"),
        ("store_cmd_o", "store_cmd"),
        ("move_valid_o", "move_valid"),
        ("move_ready_i", "move_ready"),
        ("move_cmd_o", "move_cmd"),
        ("xpose_valid_o", "xpose_valid"),
        ("xpose_ready_i", "xpose_ready"),
        ("xpose_cmd_o", "xpose_cmd"),
    ];
    if config.matrix {
        pairs.extend([
            ("mx_ours_i", "mx.ours"),
            ("mx_legal_i", "mx_legal"),
            ("mx_load_i", "mx_load"),
            ("mx_store_i", "mx_store"),
            ("mx_valid_o", "mx_valid"),
            ("mx_ready_i", "mx_ready"),
            ("mx_exec_o", "mx_exec"),
            ("tensor_ok_i", "tensor_ok"),
            ("matrix_ok_i", "matrix_ok"),
            ("tensor_o", "tensor_takes"),
            ("matrix_o", "matrix_takes"),
        ]);
    }
    m.instance(&tl_dispatch::module(config), "u_dispatch", &[], &pairs);

    m.signals(&["load_done", "store_done"], Ty::named("ls_done_t"));
    m.signals(&["move_done", "xpose_done"], Ty::named("done_t"));
    m.signal("complete", Ty::bits(4), "");
    m.signal("complete_rd", Ty::bits(5).packed(4), "");
    m.signal("restore", Ty::bit(), "");
    m.signal("restore_rd", Ty::bits(5), "");
    m.signal("restore_old", Ty::named("src_t"), "");
    m.signal("release_valid", Ty::bits(2), "");
    m.signal("release_phys", Ty::named("phys_t").packed(2), "");
    m.instance(
        &tl_rename::module(),
        "u_rename",
        &[],
        &connect(&[
            ("decoded_i", "decoded"),
            ("take_i", "take"),
            ("map_ready_o", "map_ready"),
            ("src1_o", "src1"),
            ("src2_o", "src2"),
            ("busy_o", "busy"),
            ("results_o", "results"),
            ("fresh_o", "fresh"),
            ("complete_i", "complete"),
            ("complete_rd_i", "complete_rd"),
            ("restore_i", "restore"),
            ("restore_rd_i", "restore_rd"),
            ("restore_old_i", "restore_old"),
            ("release_i", "release_valid"),
            ("release_phys_i", "release_phys"),
        ]),
    );
    m.signals(
        &["trap_seen", "trap_retires", "all_done", "hold", "killed", "walk", "walk_second", "give_up"],
        Ty::bit(),
    );
    m.signals(&["oldest", "walk_tag"], Ty::named("tag_t"));
    m.signal("retired", Ty::named("flight_t"), "");
    m.signal("retired_cause", Ty::named("cause_e"), "");
    m.signal("retired_value", Ty::bits(32), "");
    m.signal("retired_tag", Ty::named("tag_t"), "");
    m.instance(
        &tl_retire::module(),
        "u_retire",
        &[],
        &connect(&[
            ("room_o", "room"),
            ("empty_o", "nothing_in_flight"),
            ("tag_o", "tag"),
            ("enter_i", "entry_ready"),
            ("enter_done_i", "enter_done"),
            ("entry_i", "flight"),
            ("cause_i", "cause"),
            ("instr_i", "entry.instr"),
            ("csr_value_i", "csr_rdata"),
            ("changed_i", "csr_changed"),
            ("load_done_i", "load_done"),
            ("store_done_i", "store_done"),
            ("move_done_i", "move_done"),
            ("xpose_done_i", "xpose_done"),
            ("trap_seen_o", "trap_seen"),
            ("trap_retires_o", "trap_retires"),
            ("all_done_o", "all_done"),
            ("head_o", "oldest"),
            ("hold_i", "hold"),
            ("killed_i", "killed"),
            ("walk_i", "walk"),
            ("walk_second_i", "walk_second"),
            ("walk_tag_i", "walk_tag"),
            ("undo_o", "undo"),
            ("undo_csr_o", "undo_csr"),
            ("undo_value_o", "undo_value"),
            ("complete_o", "complete"),
            ("complete_rd_o", "complete_rd"),
            ("restore_o", "restore"),
            ("restore_rd_o", "restore_rd"),
            ("restore_old_o", "restore_old"),
            ("release_o", "release_valid"),
            ("release_phys_o", "release_phys"),
            ("result_valid_o", "result_valid_o"),
            ("result_ready_i", "result_ready_i"),
            ("result_o", "retired"),
            ("result_cause_o", "retired_cause"),
            ("result_value_o", "retired_value"),
            ("result_tag_o", "retired_tag"),
        ]),
    );
    m.signal("store_tag", Ty::named("tag_t"), "of the beat on L0M");
    m.signal("unused_trace", Ty::bit(), "what only a trace looks at");
    m.text(
        r#"
        assign result_id_o    = retired.id;
        assign result_trap_o  = retired_cause != CauseNone;
        assign result_cause_o = 5'(retired_cause);
        assign result_tval_o  = result_trap_o ? retired_value : '0;
        assign result_we_o    = retired.gpr_we && !killed;
        assign result_rd_o    = result_we_o ? retired.gpr : '0;
        assign result_data_o  = result_we_o ? retired_value : '0;
        assign unused_trace   = ^{retired.results, retired_tag, store_tag};
        assign result_killed_o = killed;
        assign busy_o         = !queue_empty || entry_valid || !nothing_in_flight || !csr_ready ||
            hold || refuse;
        "#,
    );
    recovery(m, config);
}

fn recovery(m: &mut Module, config: &Config) {
    if !config.precise {
        m.section("Traps are not precise: what is younger goes on.");
        m.signal("unused_recovery", Ty::bit(), "");
        m.text(
            r#"
            assign {open, kill, refuse, give_up} = 4'b1000;
            assign {hold, killed}                = 2'b00;
            assign {walk, walk_second, walk_tag} = '0;
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
            ("walk_tag_o", "walk_tag"),
        ]),
    );
}

fn engines(m: &mut Module, config: &Config, others: &[Module]) {
    m.section("Engines.");
    m.signals(&["load_write", "move_write", "xpose_write"], Ty::named("rf_write_t"));
    m.signals(&["store_read", "move_read", "xpose_read"], Ty::named("rf_read_t"));
    m.signals(&["read_gnt", "write_gnt"], Ty::bits(3));
    m.signal("rdata", Ty::bits("RowBits").packed(2), "");
    // Where the matrix engine has a share in the memory ports, the tensor engines come before a choice.
    let [l1m, l0m] = if config.matrix { matrix(m, config) } else { [UNSHARED_L1M, UNSHARED_L0M] };
    m.instance(
        &tl_load::module(config),
        "u_load",
        &[],
        &connect(&[
            ("cmd_valid_i", "load_valid"),
            ("cmd_ready_o", "load_ready"),
            ("cmd_i", "load_cmd"),
            ("stride_idx_o", "load_stride_idx"),
            ("stride_i", "load_stride"),
            ("strides_busy_o", "load_strides_busy"),
            ("rf_write_o", "load_write"),
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
            ("cmd_ready_o", "store_ready"),
            ("cmd_i", "store_cmd"),
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
        let (valid, ready, cmd, read, write, done) =
            (s("valid"), s("ready"), s("cmd"), s("read"), s("write"), s("done"));
        let (rgnt, wgnt) = (format!("read_gnt[{port}]"), format!("write_gnt[{port}]"));
        m.instance(
            child,
            &label,
            &[],
            &connect(&[
                ("cmd_valid_i", &valid),
                ("cmd_ready_o", &ready),
                ("cmd_i", &cmd),
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
            ("write_gnt_o", "write_gnt"),
        ]),
    );
}

/// What `tl_load` is connected to: request, address, response, completion.
const UNSHARED_L1M: &[&str] = &["l1m_req_o", "l1m_addr_o", "l1m_rvalid_i", "load_done"];
/// What `tl_store` is connected to: request, address, byte enables, data, response, tag, completion.
const UNSHARED_L0M: &[&str] =
    &["l0m_req_o", "l0m_addr_o", "l0m_be_o", "l0m_wdata_o", "l0m_rvalid_i", "store_tag", "store_done"];

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
            ("load_o", "mx_load"),
            ("store_o", "mx_store"),
            ("cmd_o", "mx_cmd"),
            ("sets_o", "sets_size"),
            ("undo_i", &format!("undo_csr.select[{}:{}] & {{3{{undo}}}}", FIRST_TILE_SIZE + 2, FIRST_TILE_SIZE)),
            ("undo_value_i", "undo_value"),
            ("mtilem_o", "mtilem"),
            ("mtilen_o", "mtilen"),
            ("mtilek_o", "mtilek"),
        ]),
    );
    m.signal("matrix_owns", Ty::bits(2), "[0] L1M, [1] L0M");
    m.signals(&["tensor_l1m_req", "matrix_l1m_req", "tensor_l0m_req", "matrix_l0m_req"], Ty::bit());
    m.signals(&["tensor_l1m_rvalid", "matrix_l1m_rvalid", "tensor_l0m_rvalid", "matrix_l0m_rvalid"], Ty::bit());
    m.signals(&["tensor_l1m_addr", "matrix_l1m_addr", "tensor_l0m_addr", "matrix_l0m_addr"], Ty::bits(32));
    m.signals(&["tensor_l0m_be", "matrix_l0m_be"], Ty::bits("PortBytes"));
    m.signals(&["tensor_l0m_wdata", "matrix_l0m_wdata"], Ty::bits("8*PortBytes"));
    m.signals(&["tensor_store_tag", "matrix_store_tag"], Ty::named("tag_t"));
    m.signals(&["tensor_load_done", "matrix_load_done"], Ty::named("ls_done_t"));
    m.signals(&["tensor_store_done", "matrix_store_done"], Ty::named("ls_done_t"));
    m.signal("tile_write", Ty::bit(), "");
    m.signal("tile_md", Ty::bits(3), "");
    m.signal("unused_tile", Ty::bit(), "for a trace");
    m.instance(
        &tl_matrix::module(config),
        "u_matrix",
        &[],
        &connect(&[
            ("cmd_valid_i", "mx_valid"),
            ("cmd_ready_o", "mx_ready"),
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
            ("l0m_be_o", "matrix_l0m_be"),
            ("l0m_wdata_o", "matrix_l0m_wdata"),
            ("l0m_rvalid_i", "matrix_l0m_rvalid"),
            ("l0m_err_i", "l0m_err_i"),
            ("l0m_tag_o", "matrix_store_tag"),
            ("give_up_i", "give_up"),
            ("load_done_o", "matrix_load_done"),
            ("store_done_o", "matrix_store_done"),
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
        assign l0m_be_o           = matrix_owns[1] ? matrix_l0m_be : tensor_l0m_be;
        assign l0m_wdata_o        = matrix_owns[1] ? matrix_l0m_wdata : tensor_l0m_wdata;
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
            "tensor_l0m_be",
            "tensor_l0m_wdata",
            "tensor_l0m_rvalid",
            "tensor_store_tag",
            "tensor_store_done",
        ],
    ]
}
