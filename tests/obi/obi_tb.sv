// SPDX-License-Identifier: Apache-2.0
// The unit with the names of signals that cocotbext-obi looks for, and with the signals of OBI that it has not.
module obi_tb #(
  parameter int unsigned Size  = 4096,
  parameter int unsigned Bytes = tl_pkg::PortBytes
) (
  input  logic               clk,
  input  logic               clk_n,
  input  logic               rst_n,
  input  logic               issue_valid,
  output logic               issue_ready,
  input  logic [31:0]        issue_instr,
  input  logic [31:0]        issue_rs,
  output logic               result_valid,
  output logic               result_trap,
  output logic [4:0]         result_cause,
  output logic [31:0]        result_tval,
  output logic               l1m_req,
  input  logic               l1m_gnt,
  output logic [31:0]        l1m_addr,
  output logic               l1m_we,
  output logic [Bytes-1:0]   l1m_be,
  output logic [8*Bytes-1:0] l1m_wdata,
  input  logic               l1m_rvalid,
  input  logic               l1m_rready,
  input  logic [8*Bytes-1:0] l1m_rdata,
  input  logic               l1m_err,
  output logic               l0m_req,
  input  logic               l0m_gnt,
  output logic [31:0]        l0m_addr,
  output logic               l0m_we,
  output logic [Bytes-1:0]   l0m_be,
  output logic [8*Bytes-1:0] l0m_wdata,
  input  logic               l0m_rvalid,
  input  logic               l0m_rready,
  input  logic [8*Bytes-1:0] l0m_rdata,
  input  logic               l0m_err
);

  // The unit takes a response in any cycle. One that is held up between it and the memory is a later one.
  logic                  l1m_response;
  logic                  l0m_response;
  logic [7:0]            id;
  logic                  we;
  logic [4:0]            rd;
  logic [31:0]           data;
  logic                  killed;
  logic                  busy;
  tl_pkg::meaning_bits_t meaning;

  assign l1m_we       = 1'b0;
  assign l1m_be       = '1;
  assign l1m_wdata    = '0;
  assign l1m_response = l1m_rvalid && l1m_rready;
  assign l0m_we       = 1'b1;
  assign l0m_response = l0m_rvalid && l0m_rready;

  tl_top u_unit (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .issue_valid_i   (issue_valid),
    .issue_ready_o   (issue_ready),
    .issue_instr_i   (issue_instr),
    .issue_rs_i      (issue_rs),
    .issue_rs2_i     ('0),
    .issue_id_i      ('0),
    .result_valid_o  (result_valid),
    .result_ready_i  (1'b1),
    .result_id_o     (id),
    .result_trap_o   (result_trap),
    .result_cause_o  (result_cause),
    .result_tval_o   (result_tval),
    .result_we_o     (we),
    .result_rd_o     (rd),
    .result_data_o   (data),
    .result_killed_o (killed),
    .resume_i        (1'b0),
    .busy_o          (busy),
    .meaning_o       (meaning),
    .l1m_req_o       (l1m_req),
    .l1m_gnt_i       (l1m_gnt),
    .l1m_addr_o      (l1m_addr),
    .l1m_rvalid_i    (l1m_response),
    .l1m_rdata_i     (l1m_rdata),
    .l1m_err_i       (l1m_err),
    .l0m_req_o       (l0m_req),
    .l0m_gnt_i       (l0m_gnt),
    .l0m_addr_o      (l0m_addr),
    .l0m_be_o        (l0m_be),
    .l0m_wdata_o     (l0m_wdata),
    .l0m_rvalid_i    (l0m_response),
    .l0m_err_i       (l0m_err)
  );

  obi_check #(
    .Bytes (Bytes),
    .Size  (Size)
  ) u_l1m (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .req_i    (l1m_req),
    .gnt_i    (l1m_gnt),
    .addr_i   (l1m_addr),
    .we_i     (l1m_we),
    .be_i     (l1m_be),
    .wdata_i  (l1m_wdata),
    .rvalid_i (l1m_response)
  );

  obi_check #(
    .Bytes (Bytes),
    .Size  (Size)
  ) u_l0m (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .req_i    (l0m_req),
    .gnt_i    (l0m_gnt),
    .addr_i   (l0m_addr),
    .we_i     (l0m_we),
    .be_i     (l0m_be),
    .wdata_i  (l0m_wdata),
    .rvalid_i (l0m_response)
  );

  logic unused;
  assign unused = ^{id, we, rd, data, killed, busy, meaning, l0m_rdata};

endmodule
