// SPDX-License-Identifier: Apache-2.0

// PicoRV32, the unit as its co-processor, and memories: the host of docs/isa.md, as far as this core goes. soc_bus has the map.
module tl_soc #(
  parameter int unsigned RamBytes = 262144,
  parameter int unsigned L1mBytes = 262144,
  parameter int unsigned L0mBytes = 262144,
  parameter              RamInit  = ""  // file with the words of program memory at the start; none: any
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
`define TL_UNIT soc_two_pcpi
  localparam int unsigned Bytes = second_pkg::PortBytes > tl_pkg::PortBytes ? second_pkg::PortBytes : tl_pkg::PortBytes;
`else
`define TL_UNIT tl_pcpi_top
  localparam int unsigned Bytes = tl_pkg::PortBytes;
`endif

  // The core.
  logic        mem_valid;
  logic        mem_ready;
  logic [31:0] mem_addr;
  logic [31:0] mem_wdata;
  logic [3:0]  mem_wstrb;
  logic [31:0] mem_rdata;
  logic        pcpi_valid;
  logic [31:0] pcpi_insn;
  logic [31:0] pcpi_rs1;
  logic [31:0] pcpi_rs2;
  logic        pcpi_wr;
  logic [31:0] pcpi_rd;
  logic        pcpi_wait;
  logic        pcpi_ready;

  picorv32 #(
    .BARREL_SHIFTER  (1),
    .ENABLE_PCPI     (1),
    .ENABLE_FAST_MUL (1),
    .ENABLE_DIV      (1),
    .ENABLE_IRQ      (1),
    .ENABLE_IRQ_TIMER(0),
    .ENABLE_COUNTERS (0),
    .PROGADDR_RESET  (32'h4000_0000),
    .PROGADDR_IRQ    (32'h4000_0100)
  ) u_core (
    .clk           (clk_i),
    .resetn        (rst_ni),
    .trap          (stopped_o),
    .mem_valid     (mem_valid),
    .mem_ready     (mem_ready),
    .mem_addr      (mem_addr),
    .mem_wdata     (mem_wdata),
    .mem_wstrb     (mem_wstrb),
    .mem_rdata     (mem_rdata),
    .pcpi_valid    (pcpi_valid),
    .pcpi_insn     (pcpi_insn),
    .pcpi_rs1      (pcpi_rs1),
    .pcpi_rs2      (pcpi_rs2),
    .pcpi_wr       (pcpi_wr),
    .pcpi_rd       (pcpi_rd),
    .pcpi_wait     (pcpi_wait),
    .pcpi_ready    (pcpi_ready),
    .irq           ('0),
    .rvfi_valid    (retire_valid_o),
    .rvfi_insn     (retire_instr_o),
    .rvfi_rd_addr  (retire_rd_o),
    .rvfi_rd_wdata (retire_data_o),
    .rvfi_pc_rdata (retire_pc_o)
  );

  // Its memory interface: an access has its answer in the next cycle. What is printed may have to wait.
  logic req;
  logic gnt;

  assign req = mem_valid && !mem_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mem_ready <= 1'b0;
    else mem_ready <= req && gnt;
  end

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
  logic               trap;
  logic               unused_busy;

  `TL_UNIT u_tl (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .pcpi_valid_i    (pcpi_valid),
    .pcpi_insn_i     (pcpi_insn),
    .pcpi_rs1_i      (pcpi_rs1),
    .pcpi_rs2_i      (pcpi_rs2),
    .pcpi_wr_o       (pcpi_wr),
    .pcpi_rd_o       (pcpi_rd),
    .pcpi_wait_o     (pcpi_wait),
    .pcpi_ready_o    (pcpi_ready),
    .rvfi_valid_i    (retire_valid_o),
    .rvfi_rd_addr_i  (retire_rd_o),
    .rvfi_rd_wdata_i (retire_data_o),
    .trap_o          (trap),
    .busy_o          (unused_busy),
    .l1m_req_o       (l1m_req),
    .l1m_gnt_i       (l1m_gnt),
    .l1m_addr_o      (l1m_addr),
    .l1m_rvalid_i    (l1m_rvalid),
    .l1m_rdata_i     (l1m_rdata),
    .l1m_err_i       (1'b0),
    .l0m_req_o       (l0m_req),
    .l0m_gnt_i       (l0m_gnt),
    .l0m_addr_o      (l0m_addr),
    .l0m_be_o        (l0m_be),
    .l0m_wdata_o     (l0m_wdata),
    .l0m_rvalid_i    (l0m_rvalid),
    .l0m_err_i       (1'b0)
  );

  logic trapped;  // in the cycle before

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trapped <= 1'b0;
    end else begin
      trapped <= trap;
      assert (pcpi_valid || !pcpi_ready) else $error("PCPI: an answer, and the core does not wait for one");
      assert (!trap || !trapped) else $error("PCPI: a trap of more than one cycle");
    end
  end

  // Memories.
  logic [31:0] monitor_rdata;

  soc_bus #(
    .RamBytes(RamBytes),
    .L1mBytes(L1mBytes),
    .L0mBytes(L0mBytes),
    .RamInit (RamInit),
    .Bytes   (Bytes)
  ) u_bus (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .req_i           (req),
    .gnt_o           (gnt),
    .is_data_i       (1'b1),
    .we_i            (mem_wstrb),
    .addr_i          (mem_addr),
    .wdata_i         (mem_wdata),
    .rdata_o         (mem_rdata),
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

  soc_monitor u_monitor (
    .clk_i   (clk_i),
    .index_i (mem_addr[8:2]),
    .rdata_o (monitor_rdata)
  );

endmodule
