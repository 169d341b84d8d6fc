// SPDX-License-Identifier: Apache-2.0

// TensorLoad unit: 32 tensor registers, and the instructions that load, store, add to, concatenate,
// merge and transpose blocks of tensors.
module tl_top #(
  parameter bit CsrOp = tl_pkg::CsrOp != 0      // CSR instructions under our own opcode
) (
  input  logic                           clk_i,
  // asynchronous assert, synchronous release
  input  logic                           rst_ni,

  // Issue: every instruction that is accepted gives one result, in the same order
  input  logic                           issue_valid_i,
  // accepted in this cycle; depends on state only
  output logic                           issue_ready_o,
  input  logic [31:0]                    issue_instr_i,
  // x[11:7] for opcode custom-2 with instr[14] = 0, else x[19:15]
  input  logic [tl_pkg::Xlen-1:0]        issue_rs_i,
  // x[24:20]: the stride of a matrix access; any value if the unit has no matrix instructions
  input  logic [tl_pkg::Xlen-1:0]        issue_rs2_i,
  input  logic [7:0]                     issue_id_i,       // echoed with the result

  // Result
  output logic                           result_valid_o,
  input  logic                           result_ready_i,   // taken in this cycle
  output logic [7:0]                     result_id_o,      // issue_id_i of the instruction
  output logic                           result_trap_o,    // it trapped
  output logic [4:0]                     result_cause_o,   // exception code of a trap
  output logic [tl_pkg::Xlen-1:0]        result_tval_o,    // value of a trap, else 0
  output logic                           result_we_o,      // write result_data_o to x[result_rd_o]
  output logic [4:0]                     result_rd_o,
  output logic [tl_pkg::Xlen-1:0]        result_data_o,
  // an older instruction trapped: this one has changed nothing
  output logic                           result_killed_o,
  // the host has seen the trap: instructions accepted after this cycle are executed
  input  logic                           resume_i,

  // 1 while an accepted instruction has no result yet, and while the unit starts or recovers
  output logic                           busy_o,

  // For tl_xif: what the CSRs mean for which instructions are legal
  output tl_pkg::meaning_bits_t          meaning_o,        // a meaning_t

  // L1M: read port. A response for each granted request, in order, in a later cycle
  output logic                           l1m_req_o,        // held until l1m_gnt_i
  input  logic                           l1m_gnt_i,
  output logic [31:0]                    l1m_addr_o,       // multiple of PortBytes
  input  logic                           l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input  logic                           l1m_err_i,        // there is no word

  // L0M: write port. A response for each granted request, in order, in a later cycle
  output logic                           l0m_req_o,        // held until l0m_gnt_i
  input  logic                           l0m_gnt_i,
  output logic [31:0]                    l0m_addr_o,       // multiple of PortBytes
  output logic [tl_pkg::PortBytes-1:0]   l0m_be_o,         // bytes to write
  output logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input  logic                           l0m_rvalid_i,
  input  logic                           l0m_err_i         // memory has not changed
);

  // Front end: issue queue, CSR file, dispatch, rename map, retirement.
  tl_pkg::issue_t issue;
  tl_pkg::issue_t queued;
  tl_pkg::issue_t entry;
  logic           refuse;
  logic           issue_valid;
  logic           queue_ready;
  logic           queue_empty;
  logic           queued_valid;
  logic           queued_ready;
  logic           entry_valid;
  logic           entry_ready;

  assign issue.instr = issue_instr_i;
  assign issue.rs    = issue_rs_i;
  assign issue.rs2   = issue_rs2_i;
  assign issue.id    = issue_id_i;

  assign issue_valid   = issue_valid_i && !refuse;
  assign issue_ready_o = queue_ready && !refuse;

  tl_queue u_queue (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (issue_valid),
    .ready_o (queue_ready),
    .empty_o (queue_empty),
    .entry_i (issue),
    .valid_o (queued_valid),
    .ready_i (queued_ready),
    .entry_o (queued)
  );

  tl_pkg::decoded_t   decoded;
  tl_pkg::csr_instr_t csr;
  tl_pkg::mx_instr_t  mx;

  tl_decode #(
    .CsrOp (CsrOp)
  ) u_decode (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .valid_i   (queued_valid),
    .ready_o   (queued_ready),
    .entry_i   (queued),
    .valid_o   (entry_valid),
    .ready_i   (entry_ready),
    .entry_o   (entry),
    .decoded_o (decoded),
    .csr_o     (csr),
    .mx_o      (mx)
  );

  logic              csr_exec;
  logic              csr_change;
  logic              csr_ready;
  logic [31:0]       csr_rdata;
  logic [31:0]       undo_value;
  tl_pkg::csr_undo_t csr_changed;
  tl_pkg::csr_undo_t undo_csr;
  logic              undo;
  logic [11:0]       ttype;
  logic [23:0]       tshape;
  logic [31:0]       tmask_load;
  logic [31:0]       tmask_store;
  logic [31:0]       tmask_concat_1;
  logic [31:0]       tmask_concat_2;
  logic [31:0]       tload_width;
  logic [31:0]       tstore_width;
  logic [15:0]       tload_pitch;
  logic [15:0]       tstore_pitch;
  logic [3:0]        mask_init;
  logic [31:0]       load_stride;
  logic [31:0]       store_stride;
  logic [31:0]       store_bound;
  logic [5:0]        store_dense;
  logic              load_strides_busy;
  logic              store_strides_busy;
  logic              load_stride_read;
  logic              store_stride_read;
  logic [4:0]        load_stride_idx;
  logic [4:0]        store_stride_idx;
  logic [31:0]       mtilem;
  logic [31:0]       mtilen;
  logic [31:0]       mtilek;
  logic [2:0]        sets_size;
  logic              mx_exec;

  tl_csr u_csr (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .csr_i            (csr),
    .exec_i           (csr_exec),
    .rdata_o          (csr_rdata),
    .changed_o        (csr_changed),
    .undo_i           (undo),
    .undo_csr_i       (undo_csr),
    .undo_value_i     (undo_value),
    .mtilem_i         (mtilem),
    .mtilen_i         (mtilen),
    .mtilek_i         (mtilek),
    .sets_size_i      (sets_size),
    .ttype_o          (ttype),
    .tshape_o         (tshape),
    .tmask_load_o     (tmask_load),
    .tmask_store_o    (tmask_store),
    .tmask_concat_1_o (tmask_concat_1),
    .tmask_concat_2_o (tmask_concat_2),
    .tload_width_o    (tload_width),
    .tstore_width_o   (tstore_width),
    .tload_pitch_o    (tload_pitch),
    .tstore_pitch_o   (tstore_pitch),
    .mask_init_o      (mask_init),
    .load_busy_i      (load_strides_busy),
    .load_read_i      (load_stride_read),
    .load_idx_i       (load_stride_idx),
    .load_stride_o    (load_stride),
    .store_read_i     (store_stride_read),
    .store_idx_i      (store_stride_idx),
    .store_stride_o   (store_stride),
    .store_bound_o    (store_bound),
    .store_dense_o    (store_dense),
    .ready_o          (csr_ready)
  );

  logic               settled;
  logic               type_ok;
  logic               int_type;
  tl_pkg::ewidth_t    ewidth;
  tl_pkg::ls_shape_t  ls_shape;
  tl_pkg::dim_shape_t dim_shape;
  logic [tl_pkg::GranW+1-1:0] block;

  tl_shape u_shape (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .change_i         (csr_change || undo),
    .ttype_i          (ttype),
    .tshape_i         (tshape),
    .tmask_load_i     (tmask_load),
    .tmask_store_i    (tmask_store),
    .tmask_concat_1_i (tmask_concat_1),
    .tmask_concat_2_i (tmask_concat_2),
    .tload_width_i    (tload_width),
    .tstore_width_i   (tstore_width),
    .tload_pitch_i    (tload_pitch),
    .tstore_pitch_i   (tstore_pitch),
    .mask_init_i      (mask_init),
    .settled_o        (settled),
    .type_ok_o        (type_ok),
    .int_type_o       (int_type),
    .ewidth_o         (ewidth),
    .ls_o             (ls_shape),
    .dims_o           (dim_shape),
    .block_o          (block)
  );

  tl_pkg::meaning_t meaning;

  assign meaning.settled   = settled;
  assign meaning.type_ok   = type_ok;
  assign meaning.int_type  = int_type;
  assign meaning.ewidth    = ewidth;
  assign meaning.ls_ok     = ls_shape.ok;
  assign meaning.mask_init = ls_shape.mask_init;
  assign meaning.merge_ok  = dim_shape.merge_ok;
  assign meaning.concat_ok = dim_shape.concat_ok;

  logic               take;
  logic               map_ready;
  logic               busy;
  logic               fresh;
  logic [1:0]         awaited;
  tl_pkg::src_t       src1;
  tl_pkg::src_t       src2;
  tl_pkg::results_t   results;
  logic               room;
  logic               nothing_in_flight;
  logic               enter_done;
  logic               enter_trap;
  logic               open;
  logic               kill;
  tl_pkg::tag_t       tag;
  tl_pkg::flight_t    flight;
  tl_pkg::cause_e     cause;
  logic               load_valid;
  logic               load_soon;
  logic               store_valid;
  logic               store_soon;
  logic               move_valid;
  logic               move_soon;
  logic               xpose_valid;
  logic               xpose_soon;
  tl_pkg::load_cmd_t  load_cmd;
  tl_pkg::store_cmd_t store_cmd;
  tl_pkg::move_cmd_t  move_cmd;
  tl_pkg::xpose_cmd_t xpose_cmd;
  logic [1:0]         mx_uses;
  logic               mx_legal;
  logic               mx_load;
  logic               mx_store;
  logic               mx_valid;
  logic [1:0]         tensor_ok;
  logic [1:0]         matrix_ok;
  logic [1:0]         tensor_takes;
  logic [1:0]         matrix_takes;

  tl_dispatch u_dispatch (
    .clk_i                (clk_i),
    .valid_i              (entry_valid),
    .ready_o              (entry_ready),
    .entry_i              (entry),
    .decoded_i            (decoded),
    .csr_i                (csr),
    .csr_exec_o           (csr_exec),
    .csr_change_o         (csr_change),
    .meaning_i            (meaning),
    .ls_i                 (ls_shape),
    .dims_i               (dim_shape),
    .block_i              (block),
    .tmask_concat_1_i     (tmask_concat_1),
    .tmask_concat_2_i     (tmask_concat_2),
    .store_dense_i        (store_dense),
    .take_o               (take),
    .map_ready_i          (map_ready),
    .src1_i               (src1),
    .src2_i               (src2),
    .busy_i               (busy),
    .results_i            (results),
    .fresh_i              (fresh),
    .open_i               (open),
    .kill_i               (kill),
    .room_i               (room),
    .tag_i                (tag),
    .enter_done_o         (enter_done),
    .flight_o             (flight),
    .cause_o              (cause),
    .trap_o               (enter_trap),
    .load_strides_busy_i  (load_strides_busy),
    .store_strides_busy_i (store_strides_busy),
    .load_valid_o         (load_valid),
    .load_soon_i          (load_soon),
    .load_cmd_o           (load_cmd),
    .store_valid_o        (store_valid),
    .store_soon_i         (store_soon),
    .store_cmd_o          (store_cmd),
    .move_valid_o         (move_valid),
    .move_soon_i          (move_soon),
    .move_cmd_o           (move_cmd),
    .xpose_valid_o        (xpose_valid),
    .xpose_soon_i         (xpose_soon),
    .xpose_cmd_o          (xpose_cmd),
    .mx_ours_i            (mx.ours),
    .mx_legal_i           (mx_legal),
    .mx_uses_i            (mx_uses),
    .mx_load_i            (mx_load),
    .mx_store_i           (mx_store),
    .mx_valid_o           (mx_valid),
    .mx_exec_o            (mx_exec),
    .tensor_ok_i          (tensor_ok),
    .matrix_ok_i          (matrix_ok),
    .tensor_o             (tensor_takes),
    .matrix_o             (matrix_takes)
  );

  tl_pkg::ls_done_t load_done;
  tl_pkg::ls_done_t store_done;
  tl_pkg::ls_done_t tensor_load_done;
  tl_pkg::ls_done_t tensor_store_done;
  tl_pkg::done_t    load_ok;
  tl_pkg::done_t    store_ok;
  tl_pkg::done_t    matrix_store_ok;

  assign load_ok.valid  = tensor_load_done.valid && (tensor_load_done.cause == tl_pkg::CauseNone);
  assign load_ok.tag    = tensor_load_done.tag;

  // One of them at most: the port has one owner.
  assign store_ok.valid = matrix_store_ok.valid ||
      (tensor_store_done.valid && (tensor_store_done.cause == tl_pkg::CauseNone));
  assign store_ok.tag   = matrix_store_ok.valid ? matrix_store_ok.tag : tensor_store_done.tag;

  tl_pkg::done_t       move_done;
  tl_pkg::done_t       xpose_done;
  logic [2:0]          complete;
  tl_pkg::mark_t [2:0] complete_mark;
  logic [tl_pkg::NumPhys-1:0]  pending;
  logic                restore;
  logic [4:0]          restore_rd;
  tl_pkg::src_t        restore_old;
  logic [1:0]          release_valid;
  tl_pkg::phys_t [1:0] release_phys;

  tl_rename u_rename (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .decoded_i       (decoded),
    .take_i          (take),
    .map_ready_o     (map_ready),
    .src1_o          (src1),
    .src2_o          (src2),
    .awaited_o       (awaited),
    .busy_o          (busy),
    .results_o       (results),
    .fresh_o         (fresh),
    .pending_o       (pending),
    .complete_i      (complete),
    .complete_mark_i (complete_mark),
    .restore_i       (restore),
    .restore_rd_i    (restore_rd),
    .restore_old_i   (restore_old),
    .release_i       (release_valid),
    .release_phys_i  (release_phys)
  );

  logic            trap_seen;
  logic            trap_retires;
  logic            all_done;
  logic            hold;
  logic            killed;
  logic            walk;
  logic            walk_second;
  logic            walk_soon;
  logic            give_up;
  tl_pkg::tag_t    oldest;
  tl_pkg::tag_t    walk_tag;
  tl_pkg::flight_t retired;
  tl_pkg::cause_e  retired_cause;
  logic [31:0]     retired_value;
  tl_pkg::tag_t    retired_tag;

  tl_retire u_retire (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .room_o          (room),
    .empty_o         (nothing_in_flight),
    .tag_o           (tag),
    .enter_i         (entry_ready),
    .enter_done_i    (enter_done),
    .entry_i         (flight),
    .cause_i         (cause),
    .trap_i          (enter_trap),
    .instr_i         (entry.instr),
    .csr_value_i     (csr_rdata),
    .changed_i       (csr_changed),
    .load_done_i     (load_done),
    .store_done_i    (store_done),
    .load_ok_i       (load_ok),
    .store_ok_i      (store_ok),
    .move_done_i     (move_done),
    .xpose_done_i    (xpose_done),
    .trap_seen_o     (trap_seen),
    .trap_retires_o  (trap_retires),
    .all_done_o      (all_done),
    .head_o          (oldest),
    .hold_i          (hold),
    .killed_i        (killed),
    .walk_i          (walk),
    .walk_second_i   (walk_second),
    .walk_soon_i     (walk_soon),
    .walk_tag_i      (walk_tag),
    .undo_o          (undo),
    .undo_csr_o      (undo_csr),
    .undo_value_o    (undo_value),
    .complete_o      (complete),
    .complete_mark_o (complete_mark),
    .restore_o       (restore),
    .restore_rd_o    (restore_rd),
    .restore_old_o   (restore_old),
    .release_o       (release_valid),
    .release_phys_o  (release_phys),
    .result_valid_o  (result_valid_o),
    .result_ready_i  (result_ready_i),
    .result_o        (retired),
    .result_cause_o  (retired_cause),
    .result_tval_o   (result_tval_o),
    .result_value_o  (retired_value),
    .result_tag_o    (retired_tag)
  );

  tl_pkg::tag_t store_tag;     // instruction of the beat on L0M
  logic         unused_trace;  // signals that only a trace uses

  assign result_id_o    = retired.id;
  assign result_trap_o  = retired_cause != tl_pkg::CauseNone;
  assign result_cause_o = 5'(retired_cause);
  assign result_we_o    = retired.gpr_we && !killed;
  assign result_rd_o    = result_we_o ? retired.gpr : '0;
  assign result_data_o  = result_we_o ? tl_pkg::Xlen'(retired_value) : '0;
  assign unused_trace   = ^{retired, retired_tag, store_tag};
  assign result_killed_o = killed;
  assign busy_o         = !queue_empty || entry_valid || !nothing_in_flight || !csr_ready ||
      hold || refuse;

  if (tl_pkg::Precise != 0) begin : gen_precise
    tl_recover u_recover (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .resume_i       (resume_i),
      .refuse_o       (refuse),
      .csr_ready_i    (csr_ready),
      .waiting_i      (!queue_empty || entry_valid),
      .open_o         (open),
      .kill_o         (kill),
      .give_up_o      (give_up),
      .empty_i        (nothing_in_flight),
      .head_i         (oldest),
      .tail_i         (tag),
      .trap_seen_i    (trap_seen),
      .trap_retires_i (trap_retires),
      .all_done_i     (all_done),
      .hold_o         (hold),
      .killed_o       (killed),
      .walk_o         (walk),
      .walk_second_o  (walk_second),
      .walk_soon_o    (walk_soon),
      .walk_tag_o     (walk_tag)
    );
  end else begin : gen_imprecise
    // Instructions younger than a trap are executed.
    logic unused_recovery;

    assign {open, kill}          = {csr_ready, 1'b0};
    assign {refuse, give_up}     = 2'b00;
    assign {hold, killed}        = 2'b00;
    assign {walk, walk_second}   = 2'b00;
    assign {walk_soon, walk_tag} = '0;
    assign unused_recovery       = ^{resume_i, trap_seen, trap_retires, all_done, oldest};
  end

  // Engines.
  tl_pkg::rf_write_t       load_write;
  tl_pkg::rf_write_t       move_write;
  tl_pkg::rf_write_t       xpose_write;
  logic [1:0]              load_blank;
  tl_pkg::rf_read_t        store_read;
  tl_pkg::rf_read_t        move_read;
  tl_pkg::rf_read_t        xpose_read;
  logic [2:0][1:0]         read_gnt;
  logic [1:0][1:0]         write_gnt;
  logic [1:0][tl_pkg::RowBits-1:0] rdata;

  // The memory ports, as the tensor engines use them, and what the matrix engine stores.
  logic                   tensor_l1m_req;
  logic                   tensor_l0m_req;
  logic                   tensor_l1m_rvalid;
  logic                   tensor_l0m_rvalid;
  logic [31:0]            tensor_l1m_addr;
  logic [31:0]            tensor_l0m_addr;
  tl_pkg::tag_t           tensor_store_tag;
  logic                   matrix_owns_l0m;
  logic                   matrix_take;
  logic [8*tl_pkg::PortBytes-1:0] matrix_line;
  tl_pkg::port_off_t      matrix_turn;
  logic [tl_pkg::PortBytes-1:0]   matrix_be;
  logic                   tile_write;         // for a trace
  logic [2:0]             tile_md;
  logic                   unused_tile;

  assign unused_tile = ^{tile_write, tile_md};

  if (tl_pkg::Matrix != 0) begin : gen_matrix
    tl_pkg::mx_meaning_t mx_meaning;
    tl_pkg::mx_cmd_t     mx_cmd;
    logic [1:0]          matrix_owns;        // [0] L1M, [1] L0M
    logic                matrix_l1m_req;
    logic                matrix_l1m_rvalid;
    logic [31:0]         matrix_l1m_addr;
    logic                matrix_l0m_req;
    logic                matrix_l0m_rvalid;
    logic [31:0]         matrix_l0m_addr;
    tl_pkg::tag_t        matrix_store_tag;   // instruction of the beat on L0M
    tl_pkg::ls_done_t    matrix_load_done;
    tl_pkg::ls_done_t    matrix_store_done;

    assign meaning_o = {meaning, mx_meaning};

    tl_mx_size u_mx_size (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .mx_i         (mx),
      .rs_i         (entry.rs),
      .rs2_i        (entry.rs2),
      .tag_i        (tag),
      .exec_i       (mx_exec),
      .legal_o      (mx_legal),
      .uses_o       (mx_uses),
      .load_o       (mx_load),
      .store_o      (mx_store),
      .cmd_o        (mx_cmd),
      .sets_o       (sets_size),
      .undo_i       (undo_csr.select[11:9] & {3{undo}}),
      .undo_value_i (undo_value),
      .mtilem_o     (mtilem),
      .mtilen_o     (mtilen),
      .mtilek_o     (mtilek),
      .rows_ok_o    (mx_meaning.rows_ok),
      .k_ok_o       (mx_meaning.k_ok),
      .n_ok_o       (mx_meaning.n_ok)
    );

    tl_matrix u_matrix (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .cmd_valid_i  (mx_valid),
      .cmd_i        (mx_cmd),
      .l1m_req_o    (matrix_l1m_req),
      .l1m_gnt_i    (l1m_gnt_i),
      .l1m_addr_o   (matrix_l1m_addr),
      .l1m_rvalid_i (matrix_l1m_rvalid),
      .l1m_rdata_i  (l1m_rdata_i),
      .l1m_err_i    (l1m_err_i),
      .l0m_req_o    (matrix_l0m_req),
      .l0m_gnt_i    (l0m_gnt_i),
      .l0m_addr_o   (matrix_l0m_addr),
      .l0m_rvalid_i (matrix_l0m_rvalid),
      .l0m_err_i    (l0m_err_i),
      .l0m_tag_o    (matrix_store_tag),
      .word_take_o  (matrix_take),
      .word_line_o  (matrix_line),
      .word_turn_o  (matrix_turn),
      .word_be_o    (matrix_be),
      .give_up_i    (give_up),
      .load_done_o  (matrix_load_done),
      .store_done_o (matrix_store_done),
      .store_ok_o   (matrix_store_ok),
      .write_o      (tile_write),
      .write_md_o   (tile_md)
    );

    tl_port_owner u_l1m_owner (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .tensor_ok_o (tensor_ok[0]),
      .matrix_ok_o (matrix_ok[0]),
      .tensor_i    (tensor_takes[0]),
      .matrix_i    (matrix_takes[0]),
      .done_i      (load_done.valid),
      .matrix_o    (matrix_owns[0])
    );

    tl_port_owner u_l0m_owner (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .tensor_ok_o (tensor_ok[1]),
      .matrix_ok_o (matrix_ok[1]),
      .tensor_i    (tensor_takes[1]),
      .matrix_i    (matrix_takes[1]),
      .done_i      (store_done.valid),
      .matrix_o    (matrix_owns[1])
    );

    assign l1m_req_o         = matrix_owns[0] ? matrix_l1m_req : tensor_l1m_req;
    assign l1m_addr_o        = matrix_owns[0] ? matrix_l1m_addr : tensor_l1m_addr;
    assign matrix_l1m_rvalid = l1m_rvalid_i && matrix_owns[0];
    assign tensor_l1m_rvalid = l1m_rvalid_i && !matrix_owns[0];
    assign load_done         = matrix_owns[0] ? matrix_load_done : tensor_load_done;
    assign l0m_req_o         = matrix_owns[1] ? matrix_l0m_req : tensor_l0m_req;
    assign l0m_addr_o        = matrix_owns[1] ? matrix_l0m_addr : tensor_l0m_addr;
    assign matrix_l0m_rvalid = l0m_rvalid_i && matrix_owns[1];
    assign tensor_l0m_rvalid = l0m_rvalid_i && !matrix_owns[1];
    assign store_done        = matrix_owns[1] ? matrix_store_done : tensor_store_done;
    assign store_tag         = matrix_owns[1] ? matrix_store_tag : tensor_store_tag;
    assign matrix_owns_l0m   = matrix_owns[1];
  end else begin : gen_no_matrix
    logic unused_matrix;

    assign meaning_o           = meaning;
    assign {mx_legal, mx_uses} = '0;
    assign {mx_load, mx_store} = '0;
    assign sets_size           = '0;
    assign mtilem              = '0;
    assign mtilen              = '0;
    assign mtilek              = '0;
    assign tensor_ok           = 2'b11;
    assign matrix_ok           = 2'b00;
    assign l1m_req_o           = tensor_l1m_req;
    assign l1m_addr_o          = tensor_l1m_addr;
    assign tensor_l1m_rvalid   = l1m_rvalid_i;
    assign load_done           = tensor_load_done;
    assign l0m_req_o           = tensor_l0m_req;
    assign l0m_addr_o          = tensor_l0m_addr;
    assign tensor_l0m_rvalid   = l0m_rvalid_i;
    assign store_done          = tensor_store_done;
    assign store_tag           = tensor_store_tag;
    assign matrix_store_ok     = '0;
    assign matrix_owns_l0m     = 1'b0;
    assign matrix_take         = 1'b0;
    assign matrix_line         = '0;
    assign matrix_turn         = '0;
    assign matrix_be           = '0;
    assign tile_write          = 1'b0;
    assign tile_md             = '0;
    assign unused_matrix       = ^{mx, mx_valid, mx_exec, tensor_takes, matrix_takes, entry.rs2};
  end

  tl_load u_load (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cmd_valid_i    (load_valid),
    .cmd_soon_o     (load_soon),
    .cmd_i          (load_cmd),
    .done_o         (tensor_load_done),
    .stride_read_o  (load_stride_read),
    .stride_idx_o   (load_stride_idx),
    .stride_i       (load_stride),
    .strides_busy_o (load_strides_busy),
    .rf_write_o     (load_write),
    .rf_blank_o     (load_blank),
    .rf_write_gnt_i (write_gnt[0]),
    .l1m_req_o      (tensor_l1m_req),
    .l1m_gnt_i      (l1m_gnt_i),
    .l1m_addr_o     (tensor_l1m_addr),
    .l1m_rvalid_i   (tensor_l1m_rvalid),
    .l1m_rdata_i    (l1m_rdata_i),
    .l1m_err_i      (l1m_err_i)
  );

  tl_store u_store (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cmd_valid_i    (store_valid),
    .cmd_soon_o     (store_soon),
    .cmd_i          (store_cmd),
    .awaited_i      (awaited[0]),
    .stride_read_o  (store_stride_read),
    .stride_idx_o   (store_stride_idx),
    .stride_i       (store_stride),
    .bound_i        (store_bound),
    .strides_busy_o (store_strides_busy),
    .rf_read_o      (store_read),
    .rf_read_gnt_i  (read_gnt[0]),
    .rf_rdata_i     (rdata),
    .l0m_req_o      (tensor_l0m_req),
    .l0m_gnt_i      (l0m_gnt_i),
    .l0m_addr_o     (tensor_l0m_addr),
    .l0m_be_o       (l0m_be_o),
    .l0m_wdata_o    (l0m_wdata_o),
    .l0m_rvalid_i   (tensor_l0m_rvalid),
    .l0m_err_i      (l0m_err_i),
    .l0m_tag_o      (tensor_store_tag),
    .mx_owns_i      (matrix_owns_l0m),
    .mx_take_i      (matrix_take),
    .mx_line_i      (matrix_line),
    .mx_turn_i      (matrix_turn),
    .mx_be_i        (matrix_be),
    .pending_i      (pending),
    .load_taken_i   (load_valid),
    .load_done_i    (tensor_load_done.valid),
    .load_trap_i    (tensor_load_done.valid && (tensor_load_done.cause != tl_pkg::CauseNone)),
    .give_up_i      (give_up),
    .done_o         (tensor_store_done)
  );

  tl_move u_move (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cmd_valid_i    (move_valid),
    .cmd_soon_o     (move_soon),
    .cmd_i          (move_cmd),
    .awaited_i      (awaited),
    .pending_i      (pending),
    .rf_read_o      (move_read),
    .rf_read_gnt_i  (read_gnt[1] != 2'b00),
    .rf_rdata_i     (rdata),
    .rf_write_o     (move_write),
    .rf_write_gnt_i (write_gnt[1] != 2'b00),
    .done_o         (move_done)
  );

  tl_xpose u_xpose (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .cmd_valid_i    (xpose_valid),
    .cmd_soon_o     (xpose_soon),
    .cmd_i          (xpose_cmd),
    .awaited_i      (awaited),
    .pending_i      (pending),
    .rf_read_o      (xpose_read),
    .rf_read_gnt_i  (read_gnt[2] != 2'b00),
    .rf_rdata_i     (rdata),
    .rf_write_o     (xpose_write),
    .done_o         (xpose_done)
  );

  // Register file.
  tl_regfile u_regfile (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .read_valid_i  ({xpose_read.valid, move_read.valid, store_read.valid}),
    .read_addr_i   ({xpose_read.addr, move_read.addr, store_read.addr}),
    .read_gnt_o    (read_gnt),
    .rdata_o       (rdata),
    .write_valid_i ({xpose_write.valid, move_write.valid, load_write.valid}),
    .write_addr_i  ({xpose_write.addr, move_write.addr, load_write.addr}),
    .write_data_i  ({xpose_write.data, move_write.data, load_write.data}),
    .write_blank_i (load_blank),
    .write_gnt_o   (write_gnt)
  );

`ifndef SYNTHESIS
  // Requests to L1M [0] and L0M [1] whose response is still to come.
  logic [1:0][7:0] due_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      due_q <= '0;
    end else begin
      due_q[0] <= due_q[0] + 8'(l1m_req_o && l1m_gnt_i) - 8'(l1m_rvalid_i);
      due_q[1] <= due_q[1] + 8'(l0m_req_o && l0m_gnt_i) - 8'(l0m_rvalid_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!$isunknown({issue_valid_i, l1m_rvalid_i, l0m_rvalid_i}))
      else $error("tl_top: an input that says what is valid is X");
      assert (!issue_valid_i || !$isunknown(issue_instr_i))
      else $error("tl_top: an instruction word is X");
      assert (!l1m_rvalid_i || (due_q[0] != '0))
      else $error("tl_top: a response of L1M without a request");
      assert (!l0m_rvalid_i || (due_q[1] != '0))
      else $error("tl_top: a response of L0M without a request");
      assert ($onehot0({load_valid, store_valid, move_valid, xpose_valid, mx_valid}))
      else $error("tl_top: a command to more than one engine");
      assert (!$past(l1m_req_o && !l1m_gnt_i) || (l1m_req_o && $stable(l1m_addr_o)))
      else $error("tl_top: a request to L1M changed before it was granted");
      assert (!$past(l0m_req_o && !l0m_gnt_i) ||
          (l0m_req_o && $stable({l0m_addr_o, l0m_be_o, l0m_wdata_o})))
      else $error("tl_top: a request to L0M changed before it was granted");
      assert (!$past(result_valid_o && !result_ready_i) || (result_valid_o &&
          $stable({result_id_o, result_trap_o, result_cause_o, result_tval_o, result_killed_o}) &&
          $stable({result_we_o, result_rd_o, result_data_o})))
      else $error("tl_top: a result changed before it was taken");
    end
  end
`endif

endmodule
