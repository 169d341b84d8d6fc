// SPDX-License-Identifier: Apache-2.0

// The bench observes the unit through this module. It is bound into tl_top; not for synthesis. All
// values are of the current cycle.
module tl_probe (
  input  logic             clk_i,
  input  tl_pkg::issue_t   entry_i,
  input  logic             entry_ready_i,
  input  tl_pkg::tag_t     tag_i,
  input  logic             result_valid_i,
  input  logic             result_ready_i,
  input  tl_pkg::flight_t  retired_i,
  input  tl_pkg::cause_e   retired_cause_i,
  input  tl_pkg::tag_t     retired_tag_i,
  input  logic [11:0]      ttype_i,
  input  logic [23:0]      tshape_i,
  input  logic [31:0]      tmask_load_i,
  input  logic [31:0]      tmask_store_i,
  input  logic [31:0]      tmask_concat_1_i,
  input  logic [31:0]      tmask_concat_2_i,
  input  logic [31:0]      tload_width_i,
  input  logic [31:0]      tstore_width_i,
  input  logic [15:0]      tload_pitch_i,
  input  logic [15:0]      tstore_pitch_i,
  input  logic [3:0]       mask_init_i,
  input  tl_pkg::tag_t     store_tag_i,
  input  logic [31:0]      mtilem_i,
  input  logic [31:0]      mtilen_i,
  input  logic [31:0]      mtilek_i,
  input  logic             tile_write_i,
  input  logic [2:0]       tile_md_i,
  input  tl_pkg::ls_done_t load_done_i,        // matrix loads, too
  input  tl_pkg::ls_done_t store_done_i,       // matrix stores, too
  input  tl_pkg::done_t    move_done_i,
  input  tl_pkg::done_t    xpose_done_i,
  input  logic             csr_op_i
);

  localparam int unsigned PhysW = tl_pkg::PhysW;

  // The instruction words in flight, which the unit itself does not keep.
  logic [tl_pkg::QueueEntries-1:0][31:0] word_q;

  always_ff @(posedge clk_i) begin
    if (entry_ready_i) word_q[tag_i] <= entry_i.instr;
  end

  // For the bench.
  logic [31:0]       cfg_lanes;
  logic [31:0]       cfg_port_bytes;
  logic [31:0]       cfg_reg_bytes;
  logic [3:0]        cfg_width_mask;
  logic [1:0]        cfg_engine_id;
  logic [11:0]       cfg_csr_base;
  logic [3:0]        cfg_options;
  logic [31:0]       cfg_l1m_bytes;
  logic [31:0]       cfg_l0m_bytes;
  logic [31:0]       cfg_tlen;
  logic [31:0]       cfg_trlen;
  logic              exec_valid;
  logic [7:0]        exec_tag;
  logic [3:0]        done_valid;
  logic [3:0][7:0]   done_tag;
  logic              reg_write;
  logic              retire_valid;
  logic [7:0]        retire_tag;
  logic [31:0]       retire_word;
  logic [1:0]        retire_dst_valid;
  logic [31:0]       csr_ttype;
  logic [31:0]       csr_tshape;
  logic [31:0]       csr_tmask_load;
  logic [31:0]       csr_tmask_store;
  logic [31:0]       csr_tmask_concat_1;
  logic [31:0]       csr_tmask_concat_2;
  logic [31:0]       csr_tload_width;
  logic [31:0]       csr_tstore_width;
  logic [31:0]       csr_tload_pitch;
  logic [31:0]       csr_tstore_pitch;
  logic [3:0]        csr_mask_init;
  logic [7:0]        store_tag;
  logic [1:0][4:0]   retire_dst_arch;
  logic              unused_probe;
  logic [31:0]       csr_mtilem;
  logic [31:0]       csr_mtilen;
  logic [31:0]       csr_mtilek;
  logic              tile_valid;
  logic [7:0]        tile_tag;
  logic [2:0]        tile_md;
  logic              unused_done;
  logic              trapped;
  logic [1:0][7:0]   retire_dst_phys;
  logic [31:0]       map_zero;
  logic [31:0][7:0]  map_phys;
  logic [31:0][31:0] csr_tload_stride;
  logic [31:0][31:0] csr_tstore_stride;

  assign trapped = retired_cause_i != tl_pkg::CauseNone;

  assign cfg_lanes          = tl_pkg::Lanes;
  assign cfg_port_bytes     = tl_pkg::PortBytes;
  assign cfg_reg_bytes      = tl_pkg::RegBytes;
  assign cfg_width_mask     = tl_pkg::WidthMask;
  assign cfg_engine_id      = tl_pkg::EngineId;
  assign cfg_csr_base       = tl_pkg::CsrBase;
  // pitch, csr_op, gpr_rs1, mask_init
  assign cfg_options        = {tl_pkg::MaskInit != 0, tl_pkg::GprRs1 != 0, csr_op_i,
                              tl_pkg::Pitch != 0};
  assign cfg_l1m_bytes      = tl_pkg::L1mBytes;
  assign cfg_l0m_bytes      = tl_pkg::L0mBytes;
  assign cfg_tlen           = tl_pkg::MxRows * cfg_trlen;
  // 0: no matrix instructions
  assign cfg_trlen          = tl_pkg::Matrix != 0 ? 8 * tl_pkg::MxTrBytes : 0;
  assign exec_valid         = entry_ready_i;
  assign exec_tag           = 8'(tag_i);
  assign done_valid         = {xpose_done_i.valid, move_done_i.valid, store_done_i.valid,
      load_done_i.valid};
  assign done_tag           = {8'(xpose_done_i.tag), 8'(move_done_i.tag), 8'(store_done_i.tag),
      8'(load_done_i.tag)};
  // a row of a register, by tl_load, tl_move or tl_xpose
  assign reg_write          = (tl_top.u_regfile.write_gnt_o != '0) ||
      (tl_top.u_regfile.write_valid_i[2] != '0);
  assign retire_valid       = result_valid_i && result_ready_i;
  assign retire_tag         = 8'(retired_tag_i);
  assign retire_word        = word_q[retired_tag_i];
  assign retire_dst_valid   = retired_i.results.valid & {2{!trapped}};
  assign csr_ttype          = 32'(ttype_i);
  assign csr_tshape         = 32'(tshape_i);
  assign csr_tmask_load     = tmask_load_i;
  assign csr_tmask_store    = tmask_store_i;
  assign csr_tmask_concat_1 = tmask_concat_1_i;
  assign csr_tmask_concat_2 = tmask_concat_2_i;
  assign csr_tload_width    = tload_width_i;
  assign csr_tstore_width   = tstore_width_i;
  assign csr_tload_pitch    = 32'(tload_pitch_i);
  assign csr_tstore_pitch   = 32'(tstore_pitch_i);
  assign csr_mask_init      = mask_init_i;
  assign store_tag          = 8'(store_tag_i);
  assign retire_dst_arch    = retired_i.results.rd;
  assign unused_probe       = ^{retired_i, entry_i};
  assign csr_mtilem         = mtilem_i;
  assign csr_mtilen         = mtilen_i;
  assign csr_mtilek         = mtilek_i;
  assign tile_valid         = tile_write_i;
  assign tile_tag           = 8'(load_done_i.tag);
  assign tile_md            = tile_md_i;
  assign unused_done        = ^{load_done_i, store_done_i};

  always_comb begin
    for (int unsigned r = 0; r < 2; r++) begin
      retire_dst_phys[r] = 8'(retired_i.results.fresh[r]);
    end
    for (int unsigned i = 0; i < 32; i++) begin
      map_zero[i]          = tl_top.u_rename.sweeps || tl_top.u_rename.u_map.mem[i][PhysW];
      map_phys[i]          = 8'(tl_top.u_rename.u_map.mem[i][PhysW-1:0]);
      csr_tload_stride[i]  = tl_top.u_csr.u_load_strides.mem[i];
      csr_tstore_stride[i] = tl_top.u_csr.u_store_strides.mem[i];
    end
  end

endmodule

bind tl_top tl_probe u_probe (
  .clk_i (clk_i),
  .entry_i (entry),
  .entry_ready_i (entry_ready),
  .tag_i (tag),
  .result_valid_i (result_valid_o),
  .result_ready_i (result_ready_i),
  .retired_i (retired),
  .retired_cause_i (retired_cause),
  .retired_tag_i (retired_tag),
  .ttype_i (ttype),
  .tshape_i (tshape),
  .tmask_load_i (tmask_load),
  .tmask_store_i (tmask_store),
  .tmask_concat_1_i (tmask_concat_1),
  .tmask_concat_2_i (tmask_concat_2),
  .tload_width_i (tload_width),
  .tstore_width_i (tstore_width),
  .tload_pitch_i (tload_pitch),
  .tstore_pitch_i (tstore_pitch),
  .mask_init_i (mask_init),
  .store_tag_i (store_tag),
  .mtilem_i (mtilem),
  .mtilen_i (mtilen),
  .mtilek_i (mtilek),
  .tile_write_i (tile_write),
  .tile_md_i (tile_md),
  .load_done_i (load_done),
  .store_done_i (store_done),
  .move_done_i (move_done),
  .xpose_done_i (xpose_done),
  .csr_op_i (CsrOp)
);
