// SPDX-License-Identifier: Apache-2.0

// A unit without matrix instructions behind the registers of an APB3 slave, made from docs/integration.md alone.
//
//   address  write                             read
//   0x00     GPR of the next instruction
//   0x04     its word (see below)
//   0x08     the result is taken               [31] there is one, [30] trap, [29] killed, [28] rd is written,
//                                              [20:16] cause, [12:8] rd, [7:0] number of the instruction
//   0x0c     resume after a trap               [0] busy
//   0x10                                       value of the trap
//   0x14                                       value of rd
//
// A word waits until the unit takes it. When the unit is full and a result waits, only software can make room: PSLVERR,
// and the word is not taken.
module tl_apb (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           psel_i,
  input  logic                           penable_i,
  input  logic                           pwrite_i,
  input  logic [4:0]                     paddr_i,
  input  logic [31:0]                    pwdata_i,
  output logic                           pready_o,
  output logic [31:0]                    prdata_o,
  output logic                           pslverr_o,
  output logic                           irq_o,         // a result waits

  output logic                           l1m_req_o,
  input  logic                           l1m_gnt_i,
  output logic [31:0]                    l1m_addr_o,
  input  logic                           l1m_rvalid_i,
  input  logic [8*tl_pkg::PortBytes-1:0] l1m_rdata_i,
  input  logic                           l1m_err_i,
  output logic                           l0m_req_o,
  input  logic                           l0m_gnt_i,
  output logic [31:0]                    l0m_addr_o,
  output logic [tl_pkg::PortBytes-1:0]   l0m_be_o,
  output logic [8*tl_pkg::PortBytes-1:0] l0m_wdata_o,
  input  logic                           l0m_rvalid_i,
  input  logic                           l0m_err_i
);

  localparam logic [2:0] Operand = 3'd0;
  localparam logic [2:0] Word    = 3'd1;
  localparam logic [2:0] Result  = 3'd2;
  localparam logic [2:0] Resume  = 3'd3;
  localparam logic [2:0] Tval    = 3'd4;
  localparam logic [2:0] Data    = 3'd5;

  logic        write;
  logic [2:0]  place;
  logic        issue_valid;
  logic        issue_ready;
  logic        result_ready;
  logic        result_valid;
  logic        result_trap;
  logic        result_killed;
  logic        result_we;
  logic        resume;
  logic        full;
  logic        busy;
  logic [4:0]  result_cause;
  logic [4:0]  result_rd;
  logic [7:0]  result_id;
  logic [31:0] result_tval;
  logic [31:0] result_data;
  logic [31:0] operand_q;
  logic [7:0]  number_q;
  logic        unused;

  assign write        = psel_i && penable_i && pwrite_i;
  assign place        = paddr_i[4:2];
  assign issue_valid  = write && (place == Word);
  assign result_ready = write && (place == Result);
  assign resume       = write && (place == Resume);
  assign full         = issue_valid && !issue_ready;
  assign pready_o     = !full || result_valid;
  assign pslverr_o    = full && result_valid;
  assign irq_o        = result_valid;
  assign unused       = ^paddr_i[1:0];

  always_comb begin
    unique case (place)
      Result:  prdata_o = {result_valid, result_trap, result_killed, result_we, 7'd0, result_cause, 3'd0, result_rd, result_id};
      Resume:  prdata_o = 32'(busy);
      Tval:    prdata_o = result_tval;
      Data:    prdata_o = result_data;
      default: prdata_o = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      operand_q <= '0;
      number_q  <= '0;
    end else begin
      if (write && (place == Operand)) operand_q <= pwdata_i;
      if (issue_valid && issue_ready) number_q <= number_q + 8'd1;
    end
  end

  // verilator lint_off PINCONNECTEMPTY
  tl_top u_unit (
    .issue_valid_i   (issue_valid),
    .issue_ready_o   (issue_ready),
    .issue_instr_i   (pwdata_i),
    .issue_rs_i      (operand_q),
    .issue_rs2_i     ('0),
    .issue_id_i      (number_q),
    .result_valid_o  (result_valid),
    .result_ready_i  (result_ready),
    .result_id_o     (result_id),
    .result_trap_o   (result_trap),
    .result_cause_o  (result_cause),
    .result_tval_o   (result_tval),
    .result_we_o     (result_we),
    .result_rd_o     (result_rd),
    .result_data_o   (result_data),
    .result_killed_o (result_killed),
    .resume_i        (resume),
    .busy_o          (busy),
    .meaning_o       (),
    .*
  );
  // verilator lint_on PINCONNECTEMPTY

endmodule
