// SPDX-License-Identifier: Apache-2.0

// Two units that get the same words. Without memories: what they answer is that they are there.
module example (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [31:0] instr_i,
  output logic [1:0]  done_o,
  output logic [1:0]  trap_o
);

  // verilator lint_off PINCONNECTEMPTY
  tl_top u_tiny (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .issue_valid_i  (valid_i),
    .issue_ready_o  (),
    .issue_instr_i  (instr_i),
    .issue_rs_i     ('0),
    .issue_rs2_i    ('0),
    .issue_id_i     ('0),
    .result_valid_o (done_o[0]),
    .result_ready_i (1'b1),
    .result_id_o    (),
    .result_trap_o  (trap_o[0]),
    .result_cause_o (),
    .result_tval_o  (),
    .result_we_o    (),
    .result_rd_o    (),
    .result_data_o  (),
    .result_killed_o (),
    .resume_i       (1'b1),
    .busy_o         (),
    .meaning_o      (),
    .l1m_req_o      (),
    .l1m_gnt_i      (1'b0),
    .l1m_addr_o     (),
    .l1m_rvalid_i   (1'b0),
    .l1m_rdata_i    ('0),
    .l1m_err_i      (1'b0),
    .l0m_req_o      (),
    .l0m_gnt_i      (1'b0),
    .l0m_addr_o     (),
    .l0m_be_o       (),
    .l0m_wdata_o    (),
    .l0m_rvalid_i   (1'b0),
    .l0m_err_i      (1'b0)
  );

  dma_top u_dma (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .issue_valid_i  (valid_i),
    .issue_ready_o  (),
    .issue_instr_i  (instr_i),
    .issue_rs_i     ('0),
    .issue_rs2_i    ('0),
    .issue_id_i     ('0),
    .result_valid_o (done_o[1]),
    .result_ready_i (1'b1),
    .result_id_o    (),
    .result_trap_o  (trap_o[1]),
    .result_cause_o (),
    .result_tval_o  (),
    .result_we_o    (),
    .result_rd_o    (),
    .result_data_o  (),
    .result_killed_o (),
    .resume_i       (1'b1),
    .busy_o         (),
    .meaning_o      (),
    .l1m_req_o      (),
    .l1m_gnt_i      (1'b0),
    .l1m_addr_o     (),
    .l1m_rvalid_i   (1'b0),
    .l1m_rdata_i    ('0),
    .l1m_err_i      (1'b0),
    .l0m_req_o      (),
    .l0m_gnt_i      (1'b0),
    .l0m_addr_o     (),
    .l0m_be_o       (),
    .l0m_wdata_o    (),
    .l0m_rvalid_i   (1'b0),
    .l0m_err_i      (1'b0)
  );
  // verilator lint_on PINCONNECTEMPTY

endmodule
