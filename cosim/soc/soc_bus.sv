// SPDX-License-Identifier: Apache-2.0

// The memories of a system, for a core with one access in each cycle and for the unit. The core goes first where both want
// one. The answer is there in the cycle after the grant.
//
//   0x00000000  program memory, RamBytes; beyond them it begins anew, up to 0x0fffffff
//   0x10000000  L1M, which the unit reads
//   0x20000000  L0M, which the unit writes
//   0x30000000  a word that is stored here is the exit code; a byte at 0x30000004 is printed
//   0x40000000  the monitor, where the core starts, and where it goes for a trap
module soc_bus #(
  parameter int unsigned RamBytes = 262144,
  parameter int unsigned L1mBytes = 262144,
  parameter int unsigned L0mBytes = 262144,
  parameter              RamInit  = "",  // file with the words of program memory at the start; none: any
  parameter int unsigned Bytes    = tl_pkg::PortBytes  // of a word of L1M or L0M
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // The core
  input  logic               req_i,
  output logic               gnt_o,
  input  logic               is_data_i,        // no fetch: it must not go to where nothing is
  input  logic [3:0]         we_i,
  input  logic [31:0]        addr_i,
  input  logic [31:0]        wdata_i,
  output logic [31:0]        rdata_o,
  input  logic [31:0]        monitor_rdata_i,  // what the monitor has at the address of the cycle before
  output logic               exit_valid_o,     // for one cycle
  output logic [31:0]        exit_code_o,
  output logic               print_valid_o,    // held until print_ready_i
  input  logic               print_ready_i,
  output logic [7:0]         print_o,
  output logic               fault_o,          // for one cycle: the core reaches for something that is not there

  // The unit
  input  logic               l1m_req_i,
  output logic               l1m_gnt_o,
  input  logic [31:0]        l1m_addr_i,
  output logic               l1m_rvalid_o,
  output logic [8*Bytes-1:0] l1m_rdata_o,
  input  logic               l0m_req_i,
  output logic               l0m_gnt_o,
  input  logic [31:0]        l0m_addr_i,
  input  logic [Bytes-1:0]   l0m_be_i,
  input  logic [8*Bytes-1:0] l0m_wdata_i,
  output logic               l0m_rvalid_o
);

  localparam int unsigned ShiftW = $clog2(Bytes);

  logic is_ram;
  logic is_l1m;
  logic is_l0m;
  logic is_exit;
  logic is_print;
  logic is_monitor;
  logic core_l1m;
  logic core_l0m;

  assign is_ram        = addr_i[31:28] == 4'h0;
  assign is_l1m        = (addr_i[31:28] == 4'h1) && (addr_i[27:0] < 28'(L1mBytes));
  assign is_l0m        = (addr_i[31:28] == 4'h2) && (addr_i[27:0] < 28'(L0mBytes));
  assign is_exit       = (addr_i == 32'h3000_0000) && (we_i == 4'b1111);
  assign is_print      = (addr_i == 32'h3000_0004) && we_i[0];
  assign is_monitor    = (addr_i[31:9] == 23'h20_0000) && (we_i == '0);
  assign gnt_o         = !is_print || print_ready_i;
  assign exit_valid_o  = req_i && is_exit;
  assign exit_code_o   = wdata_i;
  assign print_valid_o = req_i && is_print;
  assign print_o       = wdata_i[7:0];
  assign fault_o       = req_i && is_data_i && !(is_ram || is_l1m || is_l0m || is_exit || is_print || is_monitor);
  assign core_l1m      = req_i && is_l1m;
  assign core_l0m      = req_i && is_l0m;
  assign l1m_gnt_o     = !core_l1m;
  assign l0m_gnt_o     = !core_l0m;

  // A word of the core is somewhere in one of L1M or L0M.
  logic [31:0]        ram_rdata;
  logic [8*Bytes-1:0] l0m_rdata;
  logic [Bytes-1:0]   core_we;
  logic [8*Bytes-1:0] core_wdata;
  logic [31:0]        place;      // of the word, in bytes
  logic [ShiftW-1:0]  place_q;
  logic [3:0]         region_q;

  assign place      = {addr_i[31:2], 2'b00} & 32'(Bytes - 1);
  assign core_we    = Bytes'(we_i) << place;
  assign core_wdata = {(Bytes / 4) {wdata_i}};

  always_ff @(posedge clk_i) begin
    place_q  <= place[ShiftW-1:0];
    region_q <= addr_i[31:28];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      l1m_rvalid_o <= 1'b0;
      l0m_rvalid_o <= 1'b0;
    end else begin
      l1m_rvalid_o <= l1m_req_i && l1m_gnt_o;
      l0m_rvalid_o <= l0m_req_i && l0m_gnt_o;
    end
  end

  soc_ram #(
    .Bytes(4),
    .Size (RamBytes),
    .Init (RamInit)
  ) u_ram (
    .clk_i   (clk_i),
    .req_i   (req_i && is_ram),
    .we_i    (we_i),
    .addr_i  (addr_i),
    .wdata_i (wdata_i),
    .rdata_o (ram_rdata)
  );

  soc_ram #(
    .Bytes(Bytes),
    .Size (L1mBytes)
  ) u_l1m (
    .clk_i   (clk_i),
    .req_i   (core_l1m || l1m_req_i),
    .we_i    (core_l1m ? core_we : '0),
    .addr_i  (core_l1m ? addr_i : l1m_addr_i),
    .wdata_i (core_wdata),
    .rdata_o (l1m_rdata_o)
  );

  soc_ram #(
    .Bytes(Bytes),
    .Size (L0mBytes)
  ) u_l0m (
    .clk_i   (clk_i),
    .req_i   (core_l0m || l0m_req_i),
    .we_i    (core_l0m ? core_we : l0m_be_i),
    .addr_i  (core_l0m ? addr_i : l0m_addr_i),
    .wdata_i (core_l0m ? core_wdata : l0m_wdata_i),
    .rdata_o (l0m_rdata)
  );

  always_comb begin
    unique case (region_q)
      4'h1:    rdata_o = 32'(l1m_rdata_o >> {place_q, 3'b000});
      4'h2:    rdata_o = 32'(l0m_rdata >> {place_q, 3'b000});
      4'h4:    rdata_o = monitor_rdata_i;
      default: rdata_o = ram_rdata;
    endcase
  end

endmodule
