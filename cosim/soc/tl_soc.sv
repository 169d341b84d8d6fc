// SPDX-License-Identifier: Apache-2.0

// PicoRV32, the unit as its co-processor, and memories: the host of docs/isa.md, as far as this core goes.
//
//   0x00000000  program memory, RamBytes; beyond them it begins anew, up to 0x0fffffff
//   0x10000000  L1M, which the unit reads
//   0x20000000  L0M, which the unit writes
//   0x30000000  a word that is stored here is the exit code; a byte at 0x30000004 is printed
//   0x40000000  the monitor, where the core starts, and where it goes for a trap
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

  localparam int unsigned Bytes  = tl_pkg::PortBytes;
  localparam int unsigned ShiftW = $clog2(Bytes);

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

  // Its memory interface: every access takes one cycle, and has its answer in the next. What is printed may have to wait.
  logic       req;
  logic [3:0] we;
  logic       is_ram;
  logic       is_l1m;
  logic       is_l0m;
  logic       is_exit;
  logic       is_print;
  logic       is_monitor;

  assign req           = mem_valid && !mem_ready;
  assign we            = mem_wstrb;
  assign is_ram        = mem_addr[31:28] == 4'h0;
  assign is_l1m        = (mem_addr[31:28] == 4'h1) && (mem_addr[27:0] < 28'(L1mBytes));
  assign is_l0m        = (mem_addr[31:28] == 4'h2) && (mem_addr[27:0] < 28'(L0mBytes));
  assign is_exit       = (mem_addr == 32'h3000_0000) && (we == 4'b1111);
  assign is_print      = (mem_addr == 32'h3000_0004) && we[0];
  assign is_monitor    = (mem_addr[31:9] == 23'h20_0000) && (we == '0);
  assign exit_valid_o  = req && is_exit;
  assign exit_code_o   = mem_wdata;
  assign print_valid_o = req && is_print;
  assign print_o       = mem_wdata[7:0];
  assign fault_o       = req && !(is_ram || is_l1m || is_l0m || is_exit || is_print || is_monitor);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mem_ready <= 1'b0;
    else mem_ready <= req && (!is_print || print_ready_i);
  end

  // The unit. The core goes first where both want a memory.
  logic               l1m_req;
  logic               l1m_gnt;
  logic [31:0]        l1m_addr;
  logic               l1m_rvalid_q;
  logic               l0m_req;
  logic               l0m_gnt;
  logic [31:0]        l0m_addr;
  logic [Bytes-1:0]   l0m_be;
  logic [8*Bytes-1:0] l0m_wdata;
  logic               l0m_rvalid_q;
  logic [8*Bytes-1:0] l1m_rdata;
  logic [8*Bytes-1:0] l0m_rdata;
  logic               core_l1m;
  logic               core_l0m;
  logic               unused_trap;
  logic               unused_busy;

  tl_pcpi_top u_tl (
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
    .trap_o          (unused_trap),
    .busy_o          (unused_busy),
    .l1m_req_o       (l1m_req),
    .l1m_gnt_i       (l1m_gnt),
    .l1m_addr_o      (l1m_addr),
    .l1m_rvalid_i    (l1m_rvalid_q),
    .l1m_rdata_i     (l1m_rdata),
    .l1m_err_i       (1'b0),
    .l0m_req_o       (l0m_req),
    .l0m_gnt_i       (l0m_gnt),
    .l0m_addr_o      (l0m_addr),
    .l0m_be_o        (l0m_be),
    .l0m_wdata_o     (l0m_wdata),
    .l0m_rvalid_i    (l0m_rvalid_q),
    .l0m_err_i       (1'b0)
  );

  assign core_l1m = req && is_l1m;
  assign core_l0m = req && is_l0m;
  assign l1m_gnt  = !core_l1m;
  assign l0m_gnt  = !core_l0m;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      l1m_rvalid_q <= 1'b0;
      l0m_rvalid_q <= 1'b0;
    end else begin
      l1m_rvalid_q <= l1m_req && l1m_gnt;
      l0m_rvalid_q <= l0m_req && l0m_gnt;
    end
  end

  // Memories. A word of the core is somewhere in one of L1M or L0M.
  logic [31:0]        ram_rdata;
  logic [31:0]        monitor_rdata;
  logic [Bytes-1:0]   core_we;
  logic [8*Bytes-1:0] core_wdata;
  logic [31:0]        place;  // of the word, in bytes

  assign place      = {mem_addr[31:2], 2'b00} & 32'(Bytes - 1);
  assign core_we    = Bytes'(we) << place;
  assign core_wdata = {(Bytes / 4) {mem_wdata}};

  soc_ram #(
    .Bytes(4),
    .Size (RamBytes),
    .Init (RamInit)
  ) u_ram (
    .clk_i   (clk_i),
    .req_i   (req && is_ram),
    .we_i    (we),
    .addr_i  (mem_addr),
    .wdata_i (mem_wdata),
    .rdata_o (ram_rdata)
  );

  soc_ram #(
    .Bytes(Bytes),
    .Size (L1mBytes)
  ) u_l1m (
    .clk_i   (clk_i),
    .req_i   (core_l1m || l1m_req),
    .we_i    (core_l1m ? core_we : '0),
    .addr_i  (core_l1m ? mem_addr : l1m_addr),
    .wdata_i (core_wdata),
    .rdata_o (l1m_rdata)
  );

  soc_ram #(
    .Bytes(Bytes),
    .Size (L0mBytes)
  ) u_l0m (
    .clk_i   (clk_i),
    .req_i   (core_l0m || l0m_req),
    .we_i    (core_l0m ? core_we : l0m_be),
    .addr_i  (core_l0m ? mem_addr : l0m_addr),
    .wdata_i (core_l0m ? core_wdata : l0m_wdata),
    .rdata_o (l0m_rdata)
  );

  soc_monitor u_monitor (
    .clk_i   (clk_i),
    .index_i (mem_addr[8:2]),
    .rdata_o (monitor_rdata)
  );

  always_comb begin
    unique case (1'b1)
      is_l1m:     mem_rdata = 32'(l1m_rdata >> {place[ShiftW:0], 3'b000});
      is_l0m:     mem_rdata = 32'(l0m_rdata >> {place[ShiftW:0], 3'b000});
      is_monitor: mem_rdata = monitor_rdata;
      default:    mem_rdata = ram_rdata;
    endcase
  end

endmodule
