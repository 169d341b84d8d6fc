// SPDX-License-Identifier: Apache-2.0
//! `tl_top`, from the issue port to the engines: queue, decode, CSRs, rename, dispatch, retirement.

use super::*;

pub(super) fn front_end(m: &mut Module, config: &Config) {
    m.section("Front end: issue queue, CSR file, dispatch, rename map, retirement.");
    m.signals(&["issue", "queued", "entry"], Ty::named("issue_t"));
    m.signals(&["refuse", "issue_valid", "queue_ready", "queue_empty"], Ty::bit());
    m.signals(&["queued_valid", "queued_ready", "entry_valid", "entry_ready"], Ty::bit());
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
        ("store_idx_i", "store_stride_idx"),
        ("store_stride_o", "store_stride"),
        ("store_bound_o", "store_bound"),
        ("ready_o", "csr_ready"),
    ];
    pairs.extend(outputs.iter().map(|(p, s)| (p.as_str(), *s)));
    if config.matrix {
        m.signals(&["mtilem", "mtilen", "mtilek"], Ty::bits(32));
        m.signal("size_rows_ok", Ty::bits(2), "");
        m.signals(&["size_k_ok", "size_n_ok"], Ty::bits(3));
        m.signal("sets_size", Ty::bits(3), "");
        m.signal("mx_exec", Ty::bit(), "");
        pairs.extend([("mtilem_i", "mtilem"), ("mtilen_i", "mtilen"), ("mtilek_i", "mtilek")]);
        pairs.push(("sets_size_i", "sets_size"));
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
    m.signal("meaning", Ty::named("meaning_t"), "");
    m.text(
        r#"
        assign meaning.settled   = settled;
        assign meaning.type_ok   = type_ok;
        assign meaning.int_type  = int_type;
        assign meaning.ewidth    = ewidth;
        assign meaning.ls_ok     = ls_shape.ok;
        assign meaning.mask_init = ls_shape.mask_init;
        assign meaning.merge_ok  = dim_shape.merge_ok;
        assign meaning.concat_ok = dim_shape.concat_ok;
        assign meaning_o         = meaning;
        "#,
    );
    if config.matrix {
        m.text(
            r#"
            assign meaning.mx_rows_ok = size_rows_ok;
            assign meaning.mx_k_ok    = size_k_ok;
            assign meaning.mx_n_ok    = size_n_ok;
            "#,
        );
    }

    m.signals(&["take", "map_ready", "busy", "fresh"], Ty::bit());
    m.signal("late", Ty::bits(2), "");
    m.signals(&["src1", "src2"], Ty::named("src_t"));
    m.signal("results", Ty::named("results_t"), "");
    m.signals(&["room", "nothing_in_flight", "enter_done", "enter_trap", "open", "kill"], Ty::bit());
    m.signal("tag", Ty::named("tag_t"), "");
    m.signal("flight", Ty::named("flight_t"), "");
    m.signal("cause", Ty::named("cause_e"), "");
    m.signals(&["load_valid", "load_soon", "store_valid", "store_soon"], Ty::bit());
    m.signals(&["move_valid", "move_soon", "xpose_valid", "xpose_soon"], Ty::bit());
    m.signal("load_cmd", Ty::named("load_cmd_t"), "");
    m.signal("store_cmd", Ty::named("store_cmd_t"), "");
    m.signal("move_cmd", Ty::named("move_cmd_t"), "");
    m.signal("xpose_cmd", Ty::named("xpose_cmd_t"), "");
    if config.matrix {
        m.signal("mx_uses", Ty::bits(2), "");
        m.signals(&["mx_legal", "mx_load", "mx_store", "mx_valid"], Ty::bit());
        m.signal("mx_cmd", Ty::named("mx_cmd_t"), "");
        m.signals(&["tensor_ok", "matrix_ok", "tensor_takes", "matrix_takes"], Ty::bits(2));
    }
    let mut pairs = vec![
        ("clk_i", "clk_i"),
        ("valid_i", "entry_valid"),
        ("ready_o", "entry_ready"),
        ("entry_i", "entry"),
        ("decoded_i", "decoded"),
        ("csr_i", "csr"),
        ("csr_exec_o", "csr_exec"),
        ("csr_change_o", "csr_change"),
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
        ("trap_o", "enter_trap"),
        ("load_strides_busy_i", "load_strides_busy"),
        ("store_strides_busy_i", "store_strides_busy"),
        ("load_valid_o", "load_valid"),
        ("load_soon_i", "load_soon"),
        ("load_cmd_o", "load_cmd"),
        ("store_valid_o", "store_valid"),
        ("store_soon_i", "store_soon"),
        ("store_cmd_o", "store_cmd"),
        ("move_valid_o", "move_valid"),
        ("move_soon_i", "move_soon"),
        ("move_cmd_o", "move_cmd"),
        ("xpose_valid_o", "xpose_valid"),
        ("xpose_soon_i", "xpose_soon"),
        ("xpose_cmd_o", "xpose_cmd"),
    ];
    if config.matrix {
        pairs.extend([
            ("mx_ours_i", "mx.ours"),
            ("mx_legal_i", "mx_legal"),
            ("mx_uses_i", "mx_uses"),
            ("mx_load_i", "mx_load"),
            ("mx_store_i", "mx_store"),
            ("mx_valid_o", "mx_valid"),
            ("mx_exec_o", "mx_exec"),
            ("tensor_ok_i", "tensor_ok"),
            ("matrix_ok_i", "matrix_ok"),
            ("tensor_o", "tensor_takes"),
            ("matrix_o", "matrix_takes"),
        ]);
    }
    m.instance(&tl_dispatch::module(config), "u_dispatch", &[], &pairs);

    m.signals(&["load_done", "store_done", "tensor_load_done", "tensor_store_done"], Ty::named("ls_done_t"));
    m.signals(&["load_ok", "store_ok"], Ty::named("done_t"));
    m.text(
        r#"
        assign load_ok.valid  = tensor_load_done.valid && (tensor_load_done.cause == CauseNone);
        assign load_ok.tag    = tensor_load_done.tag;
        "#,
    );
    if config.matrix {
        m.signal("matrix_store_ok", Ty::named("done_t"), "");
        m.text(
            r#"
            // One of them at most: the port has one owner.
            assign store_ok.valid = matrix_store_ok.valid ||
                (tensor_store_done.valid && (tensor_store_done.cause == CauseNone));
            assign store_ok.tag   = matrix_store_ok.valid ? matrix_store_ok.tag : tensor_store_done.tag;
            "#,
        );
    } else {
        m.text(
            r#"
            assign store_ok.valid = tensor_store_done.valid && (tensor_store_done.cause == CauseNone);
            assign store_ok.tag   = tensor_store_done.tag;
            "#,
        );
    }
    m.signals(&["move_done", "xpose_done"], Ty::named("done_t"));
    m.signal("complete", Ty::bits(3), "");
    m.signal("complete_mark", Ty::named("mark_t").packed(3), "");
    m.signal("pending", Ty::bits("NumPhys"), "");
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
            ("late_o", "late"),
            ("busy_o", "busy"),
            ("pending_o", "pending"),
            ("results_o", "results"),
            ("fresh_o", "fresh"),
            ("complete_i", "complete"),
            ("complete_mark_i", "complete_mark"),
            ("restore_i", "restore"),
            ("restore_rd_i", "restore_rd"),
            ("restore_old_i", "restore_old"),
            ("release_i", "release_valid"),
            ("release_phys_i", "release_phys"),
        ]),
    );
    m.signals(
        &["trap_seen", "trap_retires", "all_done", "hold", "killed", "walk", "walk_second", "walk_soon", "give_up"],
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
            ("trap_i", "enter_trap"),
            ("instr_i", "entry.instr"),
            ("csr_value_i", "csr_rdata"),
            ("changed_i", "csr_changed"),
            ("load_done_i", "load_done"),
            ("store_done_i", "store_done"),
            ("load_ok_i", "load_ok"),
            ("store_ok_i", "store_ok"),
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
            ("walk_soon_i", "walk_soon"),
            ("walk_tag_i", "walk_tag"),
            ("undo_o", "undo"),
            ("undo_csr_o", "undo_csr"),
            ("undo_value_o", "undo_value"),
            ("complete_o", "complete"),
            ("complete_mark_o", "complete_mark"),
            ("restore_o", "restore"),
            ("restore_rd_o", "restore_rd"),
            ("restore_old_o", "restore_old"),
            ("release_o", "release_valid"),
            ("release_phys_o", "release_phys"),
            ("result_valid_o", "result_valid_o"),
            ("result_ready_i", "result_ready_i"),
            ("result_o", "retired"),
            ("result_cause_o", "retired_cause"),
            ("result_tval_o", "result_tval_o"),
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
        assign result_we_o    = retired.gpr_we && !killed;
        assign result_rd_o    = result_we_o ? retired.gpr : '0;
        assign result_data_o  = result_we_o ? retired_value : '0;
        assign unused_trace   = ^{retired, retired_tag, store_tag};
        assign result_killed_o = killed;
        assign busy_o         = !queue_empty || entry_valid || !nothing_in_flight || !csr_ready ||
            hold || refuse;
        "#,
    );
    recovery(m, config);
}
