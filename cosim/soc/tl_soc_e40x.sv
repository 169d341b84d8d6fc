// SPDX-License-Identifier: Apache-2.0

// CV32E40X, the unit as its co-processor, and memories: tl_soc with another core. soc_bus has the map. Two words of this
// module are at the highest addresses: the last one keeps what is stored, a store to the other one acknowledges an interrupt.
module tl_soc_e40x #(
  parameter int unsigned RamBytes = 262144,
  parameter int unsigned L1mBytes = 262144,
  parameter int unsigned L0mBytes = 262144
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        exit_valid_o,   // for one cycle
  output logic [31:0] exit_code_o,
  output logic        print_valid_o,  // held until print_ready_i
  input  logic        print_ready_i,
  output logic [7:0]  print_o,
  output logic        fault_o,        // for one cycle: the core reaches for something that is not there
  output logic        stopped_o,      // the core has given up

  // The instruction that the core has done, for whoever watches
  output logic        retire_valid_o,
  output logic [31:0] retire_pc_o,
  output logic [31:0] retire_instr_o,
  output logic [4:0]  retire_rd_o,    // 0: none
  output logic [31:0] retire_data_o
);

`ifdef TL_SECOND
`define TL_UNIT soc_two_xif
  localparam int unsigned Bytes = second_pkg::PortBytes > tl_pkg::PortBytes ? second_pkg::PortBytes : tl_pkg::PortBytes;
`else
`define TL_UNIT tl_xif_top
  localparam int unsigned Bytes = tl_pkg::PortBytes;
`endif
  localparam int unsigned IdWidth = 4;

  // Bit 0: memories are late at random; bit 1: there are interrupts. For the bench.
  logic [1:0] disturb;

  // The core.
  logic        instr_req;
  logic        instr_gnt;
  logic        instr_rvalid;
  logic [31:0] instr_addr;
  logic [31:0] instr_rdata;
  logic        data_req;
  logic        data_gnt;
  logic        data_rvalid;
  logic [31:0] data_addr;
  logic [3:0]  data_be;
  logic        data_we;
  logic [31:0] data_wdata;
  logic [31:0] data_rdata;
  logic        fence_req;
  logic        irq_q;
  logic        x_busy;
  logic        x_fault;
  logic        unused;

  if_xif #(
    .X_NUM_RS(2)
  ) xif ();

  cv32e40x_core #(
    .X_EXT   (1'b1),
    .X_NUM_RS(2)
  ) u_core (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .scan_cg_en_i       (1'b0),
    .boot_addr_i        (32'h4000_0000),
    .dm_exception_addr_i('0),
    .dm_halt_addr_i     ('0),
    .mhartid_i          ('0),
    .mimpid_patch_i     ('0),
    .mtvec_addr_i       (32'h4000_0100),
    .instr_req_o        (instr_req),
    .instr_gnt_i        (instr_gnt),
    .instr_rvalid_i     (instr_rvalid),
    .instr_addr_o       (instr_addr),
    .instr_rdata_i      (instr_rdata),
    .instr_err_i        (1'b0),
    .data_req_o         (data_req),
    .data_gnt_i         (data_gnt),
    .data_rvalid_i      (data_rvalid),
    .data_addr_o        (data_addr),
    .data_be_o          (data_be),
    .data_we_o          (data_we),
    .data_wdata_o       (data_wdata),
    .data_rdata_i       (data_rdata),
    .data_err_i         (1'b0),
    .data_exokay_i      (1'b0),
    .xif_compressed_if  (xif),
    .xif_issue_if       (xif),
    .xif_commit_if      (xif),
    .xif_mem_if         (xif),
    .xif_mem_result_if  (xif),
    .xif_result_if      (xif),
    .irq_i              ({20'd0, irq_q, 11'd0}),
    .wu_wfe_i           (1'b0),
    .clic_irq_i         (1'b0),
    .clic_irq_id_i      ('0),
    .clic_irq_level_i   ('0),
    .clic_irq_priv_i    ('0),
    .clic_irq_shv_i     (1'b0),
    .fencei_flush_req_o (fence_req),
    .fencei_flush_ack_i (fence_req && !x_busy),
    .debug_req_i        (1'b0),
    .fetch_enable_i     (1'b1),
    .core_sleep_o       (stopped_o)
  );

  // What the core does, as its trace for verification (cv32e40x_rvfi) has it.
  assign retire_valid_o = u_core.wb_valid && u_core.last_op_wb;
  assign retire_pc_o    = u_core.ex_wb_pipe.pc;
  assign retire_instr_o = u_core.ex_wb_pipe.instr.bus_resp.rdata;
  assign retire_rd_o    = u_core.rf_we_wb ? u_core.rf_waddr_wb : '0;
  assign retire_data_o  = u_core.rf_wdata_wb;

  // The interfaces that the unit does not use.
  assign xif.compressed_ready = 1'b1;
  assign xif.compressed_resp  = '0;
  assign xif.mem_valid        = 1'b0;
  assign xif.mem_req          = '0;

  // The extension interface.
  logic               x_issue_valid;
  logic               x_issue_ready;
  logic               x_issue_accept;
  logic               x_issue_writeback;
  logic [2:0]         x_issue_register_read;
  logic               x_commit_valid;
  logic               x_commit_kill;
  logic [IdWidth-1:0] x_commit_id;
  logic               x_result_hartid;
  logic               glue_req;
  logic               glue_gnt;

  tl_xif_e40x #(
    .IdWidth(IdWidth)
  ) u_glue (
    .clk_i               (clk_i),
    .rst_ni              (rst_ni),
    .issue_valid_i       (xif.issue_valid),
    .issue_ready_o       (xif.issue_ready),
    .issue_opcode_i      (xif.issue_req.instr[6:0]),
    .issue_id_i          (xif.issue_req.id),
    .commit_valid_i      (xif.commit_valid),
    .commit_id_i         (xif.commit.id),
    .commit_kill_i       (xif.commit.commit_kill),
    .result_ready_i      (xif.result_ready),
    .data_req_i          (data_req),
    .data_gnt_o          (data_gnt),
    .data_rvalid_i       (data_rvalid),
    .x_issue_valid_o     (x_issue_valid),
    .x_issue_ready_i     (x_issue_ready),
    .x_issue_accept_i    (x_issue_accept),
    .x_issue_writeback_i (x_issue_writeback),
    .x_commit_valid_o    (x_commit_valid),
    .x_commit_id_o       (x_commit_id),
    .x_commit_kill_o     (x_commit_kill),
    .x_result_valid_i    (xif.result_valid),
    .data_req_o          (glue_req),
    .data_gnt_i          (glue_gnt)
  );

  assign xif.issue_resp.accept    = x_issue_accept;
  assign xif.issue_resp.writeback = x_issue_writeback;
  assign xif.issue_resp.dualwrite = 1'b0;
  assign xif.issue_resp.dualread  = '0;
  assign xif.issue_resp.loadstore = 1'b0;
  assign xif.issue_resp.ecswrite  = 1'b0;
  assign xif.issue_resp.exc       = 1'b0;
  assign xif.result.ecsdata       = '0;
  assign xif.result.ecswe         = '0;
  assign xif.result.exc           = 1'b0;
  assign xif.result.exccode       = '0;
  assign xif.result.err           = 1'b0;
  assign xif.result.dbg           = 1'b0;

  // The unit.
  logic               l1m_req;
  logic               l1m_gnt;
  logic [31:0]        l1m_addr;
  logic               l1m_rvalid;
  logic [8*Bytes-1:0] l1m_rdata;
  logic               l0m_req;
  logic               l0m_gnt;
  logic [31:0]        l0m_addr;
  logic [Bytes-1:0]   l0m_be;
  logic [8*Bytes-1:0] l0m_wdata;
  logic               l0m_rvalid;

  `TL_UNIT #(
    .IdWidth(IdWidth),
    .NumRs  (2)
  ) u_tl (
    .clk_i                   (clk_i),
    .rst_ni                  (rst_ni),
    .x_issue_valid_i         (x_issue_valid),
    .x_issue_ready_o         (x_issue_ready),
    .x_issue_instr_i         (xif.issue_req.instr),
    .x_issue_hartid_i        (1'b0),
    .x_issue_id_i            (xif.issue_req.id),
    .x_issue_accept_o        (x_issue_accept),
    .x_issue_writeback_o     (x_issue_writeback),
    .x_issue_register_read_o (x_issue_register_read),
    .x_rs1_i                 (xif.issue_req.rs[0]),
    .x_rs2_i                 (xif.issue_req.rs[1]),
    .x_rs3_i                 ('0),
    .x_rs_valid_i            ({1'b0, xif.issue_req.rs_valid}),
    .x_commit_valid_i        (x_commit_valid),
    .x_commit_hartid_i       (1'b0),
    .x_commit_id_i           (x_commit_id),
    .x_commit_kill_i         (x_commit_kill),
    .x_result_valid_o        (xif.result_valid),
    .x_result_ready_i        (xif.result_ready),
    .x_result_hartid_o       (x_result_hartid),
    .x_result_id_o           (xif.result.id),
    .x_result_data_o         (xif.result.data),
    .x_result_rd_o           (xif.result.rd),
    .x_result_we_o           (xif.result.we),
    .fault_o                 (x_fault),
    .x_busy_o                (x_busy),
    .l1m_req_o               (l1m_req),
    .l1m_gnt_i               (l1m_gnt),
    .l1m_addr_o              (l1m_addr),
    .l1m_rvalid_i            (l1m_rvalid),
    .l1m_rdata_i             (l1m_rdata),
    .l1m_err_i               (1'b0),
    .l0m_req_o               (l0m_req),
    .l0m_gnt_i               (l0m_gnt),
    .l0m_addr_o              (l0m_addr),
    .l0m_be_o                (l0m_be),
    .l0m_wdata_o             (l0m_wdata),
    .l0m_rvalid_i            (l0m_rvalid),
    .l0m_err_i               (1'b0)
  );

  assign unused = ^{x_issue_register_read, x_result_hartid, x_fault};

  // Order of the core's accesses to L1M and L0M and of the unit's.
  logic guarded_req;
  logic guarded_gnt;

  tl_window_guard u_guard (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .busy_i     (x_busy),
    .window_i   ((data_addr[31:28] == 4'h1) || (data_addr[31:28] == 4'h2)),
    .core_req_i (glue_req),
    .core_gnt_o (glue_gnt),
    .mem_req_o  (guarded_req),
    .mem_gnt_i  (guarded_gnt)
  );

  // Both ports of the core to one bus; data go first.
  logic        data_bus_req;
  logic        data_bus_gnt;
  logic        instr_bus_req;
  logic        is_local;
  logic        is_local_q;
  logic [31:0] kept_q;
  logic        gnt;
  logic [31:0] bus_addr;
  logic [31:0] bus_rdata;
  logic [31:0] monitor_rdata;

  soc_stall u_data (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .on_i        (disturb[0]),
    .req_i       (guarded_req),
    .gnt_o       (guarded_gnt),
    .rvalid_o    (data_rvalid),
    .rdata_o     (data_rdata),
    .bus_req_o   (data_bus_req),
    .bus_gnt_i   (data_bus_gnt),
    .bus_rdata_i (is_local_q ? kept_q : bus_rdata)
  );

  soc_stall u_instr (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .on_i        (disturb[0]),
    .req_i       (instr_req),
    .gnt_o       (instr_gnt),
    .rvalid_o    (instr_rvalid),
    .rdata_o     (instr_rdata),
    .bus_req_o   (instr_bus_req),
    .bus_gnt_i   (!data_bus_req || is_local),
    .bus_rdata_i (bus_rdata)
  );

  assign is_local     = data_bus_req && (data_addr[31:3] == '1);
  assign data_bus_gnt = is_local || gnt;
  assign bus_addr     = data_bus_req && !is_local ? data_addr : instr_addr;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      irq_q <= 1'b0;
    end else if (is_local && data_we && !data_addr[2]) begin
      irq_q <= 1'b0;
    end else if (disturb[1] && (u_data.draw_q[31:26] == '0)) begin
      irq_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    is_local_q <= is_local;
    if (is_local && data_we && data_addr[2]) kept_q <= data_wdata;
  end

  soc_bus #(
    .RamBytes(RamBytes),
    .L1mBytes(L1mBytes),
    .L0mBytes(L0mBytes),
    .Bytes   (Bytes)
  ) u_bus (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .req_i           ((data_bus_req && !is_local) || instr_bus_req),
    .gnt_o           (gnt),
    .is_data_i       (data_bus_req && !is_local),
    .we_i            (data_bus_req && !is_local && data_we ? data_be : '0),
    .addr_i          (bus_addr),
    .wdata_i         (data_wdata),
    .rdata_o         (bus_rdata),
    .monitor_rdata_i (monitor_rdata),
    .exit_valid_o    (exit_valid_o),
    .exit_code_o     (exit_code_o),
    .print_valid_o   (print_valid_o),
    .print_ready_i   (print_ready_i),
    .print_o         (print_o),
    .fault_o         (fault_o),
    .l1m_req_i       (l1m_req),
    .l1m_gnt_o       (l1m_gnt),
    .l1m_addr_i      (l1m_addr),
    .l1m_rvalid_o    (l1m_rvalid),
    .l1m_rdata_o     (l1m_rdata),
    .l0m_req_i       (l0m_req),
    .l0m_gnt_o       (l0m_gnt),
    .l0m_addr_i      (l0m_addr),
    .l0m_be_i        (l0m_be),
    .l0m_wdata_i     (l0m_wdata),
    .l0m_rvalid_o    (l0m_rvalid)
  );

  soc_monitor_e40x u_monitor (
    .clk_i   (clk_i),
    .index_i (bus_addr[8:2]),
    .rdata_o (monitor_rdata)
  );

endmodule
