// SPDX-License-Identifier: Apache-2.0

// Connects the core CV32E40X, whose extension interface is older than 1.0, to tl_xif. Fields that
// tl_xif lacks are constants at the core; results do not pass through this module.
// Each parameter works around one difference. A system needs all of them at 1:
//
// - KeepRejected (interface before 1.0): the core kills each instruction that was rejected, its own
// CSR instructions too, and goes on. Since 1.0 a kill takes all younger ones with it. Here
//   it becomes a commit, which an instruction that was rejected ignores.
// - KillReused (before 1.0): an instruction that is killed in ID has neither a commit nor a kill,
//   and the next one gets its id. Here the former is killed before the latter is offered.
// - HoldData (core): a load or store behind an instruction that waits for its result is
//   requested again and again, and the result is lost when an answer is missing in its cycle. Here
//   the request waits.
// - HoldWriteback (core): that rd is written is forgotten when EX is occupied in the cycle of
//   the accept. Here an instruction of opcode custom-2 that writes rd waits until EX is surely
//   empty. Standard CSR instructions need not wait: of those the core's decoder knows rd.
module tl_xif_e40x #(
  parameter int unsigned IdWidth = 4,        // X_ID_WIDTH of the core
  parameter bit          KeepRejected = 1,
  parameter bit          KillReused = 1,
  parameter bit          HoldData = 1,
  parameter bit          HoldWriteback = 1
) (
  input  logic               clk_i,
  // asynchronous assert, synchronous release
  input  logic               rst_ni,

  // The core
  input  logic               issue_valid_i,
  output logic               issue_ready_o,
  input  logic [6:0]         issue_opcode_i,     // bits 6:0 of the instruction
  input  logic [IdWidth-1:0] issue_id_i,
  input  logic               commit_valid_i,
  input  logic [IdWidth-1:0] commit_id_i,
  input  logic               commit_kill_i,      // it must not execute
  input  logic               result_ready_i,
  input  logic               data_req_i,
  output logic               data_gnt_o,
  input  logic               data_rvalid_i,      // answer to the oldest request

  // tl_xif
  output logic               x_issue_valid_o,
  input  logic               x_issue_ready_i,
  input  logic               x_issue_accept_i,
  input  logic               x_issue_writeback_i,
  output logic               x_commit_valid_o,
  output logic [IdWidth-1:0] x_commit_id_o,
  output logic               x_commit_kill_o,
  input  logic               x_result_valid_i,

  // Data memory
  output logic               data_req_o,
  input  logic               data_gnt_i
);

  localparam logic [6:0] System = 7'b1110011;
  // Cycles after which EX is empty if it waits for no memory and no result: a division takes 35.
  localparam logic [5:0] Drained = 6'd40;

  // Ids that were answered and have no commit yet, and those of them that were rejected.
  logic [2**IdWidth-1:0] open_q;
  logic [2**IdWidth-1:0] rejected_q;
  // the id belongs to an older instruction, which the core has dropped
  logic                  reused;
  logic                  writes;    // the offer has to wait until EX is empty
  logic                  answered;

  assign reused   = KillReused && issue_valid_i && open_q[issue_id_i];
  assign writes   = HoldWriteback && x_issue_writeback_i && (issue_opcode_i != System);
  assign answered = x_issue_valid_o && x_issue_ready_i;

  // The kill of a reused id waits for a cycle without a commit of the core.
  assign x_commit_valid_o = commit_valid_i || reused;
  assign x_commit_id_o    = commit_valid_i ? commit_id_i : issue_id_i;
  assign x_commit_kill_o  = commit_valid_i ?
      commit_kill_i && !(KeepRejected && rejected_q[commit_id_i]) : 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q     <= '0;
      rejected_q <= '0;
    end else begin
      for (int unsigned i = 0; i < 2 ** IdWidth; i++) begin
        if (x_commit_valid_o && (x_commit_id_o == IdWidth'(i))) open_q[i] <= 1'b0;
        if (answered && (issue_id_i == IdWidth'(i))) begin
          open_q[i]     <= 1'b1;
          rejected_q[i] <= !x_issue_accept_i;
        end
      end
    end
  end

  // EX is empty: no data access and no instruction of the unit is under way, and a division has had
  // time to end.
  logic [1:0] accesses_q;  // data accesses without an answer
  logic [1:0] waiting_q;   // committed instructions without a result
  logic [5:0] drained_q;
  logic       granted;
  logic       committed;
  logic       taken;
  logic       still;

  assign granted   = data_req_i && data_gnt_o;
  assign committed = x_commit_valid_o && !x_commit_kill_o && !rejected_q[x_commit_id_o];
  assign taken     = x_result_valid_i && result_ready_i;
  assign still     = issue_valid_i && (open_q == '0) && !data_req_i && (accesses_q == '0) &&
      (waiting_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accesses_q <= '0;
      waiting_q  <= '0;
      drained_q  <= '0;
    end else begin
      accesses_q <= accesses_q + 2'(granted) - 2'(data_rvalid_i);
      waiting_q  <= waiting_q + 2'(committed) - 2'(taken);
      if (!still) drained_q <= '0;
      else if (drained_q != Drained) drained_q <= drained_q + 1'b1;
    end
  end

  assign x_issue_valid_o = issue_valid_i && !reused && !(writes && (drained_q != Drained));
  assign issue_ready_o   = answered;

  // While an instruction of the unit waits in WB, the load or store behind it in EX has to wait,
  // too.
  logic hold;

  assign hold       = HoldData && result_ready_i && !x_result_valid_i;
  assign data_req_o = data_req_i && !hold;
  assign data_gnt_o = data_gnt_i && !hold;

endmodule
