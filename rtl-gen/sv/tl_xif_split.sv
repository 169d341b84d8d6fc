// SPDX-License-Identifier: Apache-2.0

// Between a core with CV-X-IF 1.0 and several units that differ in EngineID and CSR numbers. The
// instruction word says whose it is: that unit alone sees the offer, and answers it; what is
// nobody's is rejected. A commit or kill is one of all older or younger instructions, whoever has
// them: each unit gets one with the id of its own last or first of them. Results go to the core in
// program order. The word, operands, hart ids and x_commit_kill go past this module.
module tl_xif_split #(
  parameter int unsigned Units = 2,             // 2 to 4
  parameter int unsigned IdWidth = 4,           // X_ID_WIDTH of the core
  parameter int unsigned HartWidth = 1,         // X_HARTID_WIDTH of the core; X_NUM_HARTS is 1
  // EngineID of unit i in bits 2*i+1 and 2*i: no two are the same
  parameter logic [2*Units-1:0] EngineIds = (2*Units)'(8'b11_10_01_00),
  // bit i: csr_base of unit i is 0x880. Of two units with one csr_base the lower one gets the
  // instructions of opcode SYSTEM; the CSR instructions of opcode custom-2 have an EngineID
  parameter logic [Units-1:0] HighCsrs = Units'(4'b1010),
  // bit i: unit i has the matrix instructions, which have no EngineID. One unit at most
  parameter logic [Units-1:0] Matrix = Units'(4'b0001)
) (
  input  logic                            clk_i,
  // asynchronous assert, synchronous release
  input  logic                            rst_ni,

  // The core
  input  logic                            x_issue_valid_i,
  output logic                            x_issue_ready_o,          // also register_ready
  input  logic [31:0]                     x_issue_instr_i,
  input  logic [IdWidth-1:0]              x_issue_id_i,             // no such id waits
  output logic                            x_issue_accept_o,
  output logic                            x_issue_writeback_o,
  output logic [2:0]                      x_issue_register_read_o,
  input  logic                            x_commit_valid_i,
  input  logic [IdWidth-1:0]              x_commit_id_i,
  input  logic                            x_commit_kill_i,
  output logic                            x_result_valid_o,
  input  logic                            x_result_ready_i,
  output logic [HartWidth-1:0]            x_result_hartid_o,
  output logic [IdWidth-1:0]              x_result_id_o,
  output tl_pkg::host_t                   x_result_data_o,
  output logic [4:0]                      x_result_rd_o,
  output logic                            x_result_we_o,

  // The units: tl_xif_top
  output logic [Units-1:0]                u_issue_valid_o,
  input  logic [Units-1:0]                u_issue_ready_i,
  input  logic [Units-1:0]                u_issue_accept_i,
  input  logic [Units-1:0]                u_issue_writeback_i,
  input  logic [Units-1:0][2:0]           u_issue_register_read_i,
  output logic [Units-1:0]                u_commit_valid_o,
  output logic [Units-1:0][IdWidth-1:0]   u_commit_id_o,
  input  logic [Units-1:0]                u_result_valid_i,
  output logic [Units-1:0]                u_result_ready_o,
  input  logic [Units-1:0][HartWidth-1:0] u_result_hartid_i,
  input  logic [Units-1:0][IdWidth-1:0]   u_result_id_i,
  input  tl_pkg::host_t [Units-1:0]       u_result_data_i,
  input  logic [Units-1:0][4:0]           u_result_rd_i,
  input  logic [Units-1:0]                u_result_we_i
);

  if (Units < 2 || Units > 4) begin : gen_bad_units
    $error("tl_xif_split: Units = %0d is not allowed; allowed: 2 to 4", Units);
  end

  for (genvar i = 0; i < Units; i++) begin : gen_unit
    for (genvar j = 0; j < i; j++) begin : gen_other
      if (EngineIds[2*i+:2] == EngineIds[2*j+:2] || (Matrix[i] && Matrix[j])) begin : gen_bad_units
        $error({"tl_xif_split: units %0d and %0d have one EngineID or both Matrix; ",
            "allowed: EngineIds that differ, and Matrix of one unit"}, j, i);
      end
    end
  end

  localparam int unsigned Ids = 2 ** IdWidth;

  // Whose the offered instruction is.
  logic [Units-1:0] owner;
  logic             high;   // the CSR is one of csr_base 0x880
  logic             unused_instr;

  assign high         = x_issue_instr_i[30] ? x_issue_instr_i[25] : x_issue_instr_i[27];
  assign unused_instr = ^x_issue_instr_i;

  always_comb begin
    owner = '0;
    for (int unsigned i = 0; i < Units; i++) begin
      if (owner == '0) begin
        unique case (x_issue_instr_i[6:0])
          7'b1011011: owner[i] = x_issue_instr_i[31:30] == EngineIds[2*i+:2];
          7'b0101011: owner[i] = Matrix[i];
          7'b1110011: owner[i] = HighCsrs[i] == high;
          default:    owner[i] = 1'b0;
        endcase
      end
    end
  end

  // An offer waits while its id is in flight. What was killed before is answered here, as rejected.
  logic             held;
  logic             is_void;
  logic [Units-1:0] shown;    // the unit that answers

  assign shown               = is_void ? '0 : owner;
  assign u_issue_valid_o     = (x_issue_valid_i && !held) ? shown : '0;
  assign x_issue_ready_o     = x_issue_valid_i && !held &&
      ((shown == '0) || ((shown & u_issue_ready_i) != '0));
  assign x_issue_accept_o    = (shown & u_issue_accept_i) != '0;
  assign x_issue_writeback_o = (shown & u_issue_writeback_i) != '0;

  always_comb begin
    x_issue_register_read_o = '0;
    for (int unsigned i = 0; i < Units; i++) begin
      if (shown[i]) x_issue_register_read_o = u_issue_register_read_i[i];
    end
  end

  // Instructions in flight, by id.
  logic [Ids-1:0]            waits_q;          // for its commit
  logic [Ids-1:0]            owes_q;           // accepted, and without its result
  logic [Units-1:0][Ids-1:0] of_q;             // of this unit
  logic [Ids-1:0][Ids-1:0]   older_q;          // [i][j]: j was issued before i
  logic [Ids-1:0]            older;            // than the one that the commit names
  logic [Ids-1:0]            named;            // by the commit, itself
  logic [Ids-1:0]            covered;          // by the commit or kill
  logic [Ids-1:0]            answers;          // its result is taken
  logic                      hit;              // the commit names one that waits
  logic                      names_new;        // it names the one that is offered
  logic [Ids-1:0]            entered;          // it is issued
  logic                      offered_q;
  logic [Units-1:0]          offered_owner_q;
  logic [IdWidth-1:0]        offered_id_q;
  logic                      early_q;
  logic                      doomed_q;
  logic                      same;             // it was offered in the cycle before, too
  logic                      early;            // committed before it is taken
  logic                      doomed;           // killed before it is taken

  assign held      = owes_q[x_issue_id_i];
  assign is_void   = same && doomed_q;
  assign names_new = x_commit_valid_i && x_issue_valid_i && (x_commit_id_i == x_issue_id_i);
  assign hit       = x_commit_valid_i && waits_q[x_commit_id_i] && !names_new;
  assign named     = Ids'(1) << x_commit_id_i;
  assign older     = names_new ? '1 : older_q[x_commit_id_i];
  assign covered   = (hit || names_new) ?
      waits_q & (x_commit_kill_i ? ~older : older | named) : '0;
  assign same      = offered_q && (offered_id_q == x_issue_id_i) && (offered_owner_q == owner);
  assign early     = (same && early_q) || (names_new && !x_commit_kill_i);
  assign doomed    = is_void || ((hit || names_new) && x_commit_kill_i);
  assign entered   = (x_issue_ready_o && !doomed) ? Ids'(1) << x_issue_id_i : '0;

  // Of those that the commit covers, a unit has to hear of its youngest, and of the offered one
  // before that; a kill names its oldest.
  logic [Units-1:0] offer_too;

  always_comb begin
    for (int unsigned u = 0; u < Units; u++) begin
      offer_too[u]     = u_issue_valid_o[u] && (names_new || (hit && x_commit_kill_i));
      u_commit_id_o[u] = '0;
      for (int unsigned i = 0; i < Ids; i++) begin
        if (covered[i] && of_q[u][i] && ((covered & of_q[u] & ~(Ids'(1) << i) &
            (x_commit_kill_i ? older_q[i] : ~older_q[i])) == '0)) begin
          u_commit_id_o[u] = u_commit_id_o[u] | IdWidth'(i);
        end
      end
      if (offer_too[u] && (!x_commit_kill_i || ((covered & of_q[u]) == '0))) begin
        u_commit_id_o[u] = x_issue_id_i;
      end
      u_commit_valid_o[u] = offer_too[u] || ((covered & of_q[u]) != '0);
    end
  end

  // Results: it is the turn of the oldest instruction without one.
  logic [Ids-1:0]   oldest;
  logic [Units-1:0] turn;

  always_comb begin
    for (int unsigned i = 0; i < Ids; i++) begin
      oldest[i] = owes_q[i] && ((older_q[i] & owes_q) == '0);
    end
    x_result_hartid_o = '0;
    x_result_id_o     = '0;
    x_result_data_o   = '0;
    x_result_rd_o     = '0;
    x_result_we_o     = 1'b0;
    for (int unsigned u = 0; u < Units; u++) begin
      turn[u] = (oldest & of_q[u]) != '0;
      if (turn[u]) begin
        x_result_hartid_o = u_result_hartid_i[u];
        x_result_id_o     = u_result_id_i[u];
        x_result_data_o   = u_result_data_i[u];
        x_result_rd_o     = u_result_rd_i[u];
        x_result_we_o     = u_result_we_i[u];
      end
    end
  end

  assign x_result_valid_o = (turn & u_result_valid_i) != '0;
  assign u_result_ready_o = turn & {Units{x_result_ready_i}};
  assign answers          = (x_result_valid_o && x_result_ready_i) ? oldest : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q   <= '0;
      owes_q    <= '0;
      offered_q <= 1'b0;
      early_q   <= 1'b0;
      doomed_q  <= 1'b0;
      for (int unsigned i = 0; i < Ids; i++) older_q[i] <= (Ids'(1) << i) - Ids'(1);
    end else begin
      waits_q <= (waits_q & ~covered & ~entered) | (early ? '0 : entered);
      owes_q  <= (owes_q & ~answers & ~(x_commit_kill_i ? covered : '0) & ~entered) |
          (x_issue_accept_o ? entered : '0);
      for (int unsigned i = 0; i < Ids; i++) begin
        // Each other id was issued before this one, lately or long ago.
        if (entered[i]) older_q[i] <= ~entered;
        else older_q[i] <= older_q[i] & ~entered;
      end
      offered_q <= x_issue_valid_i && !x_issue_ready_o;
      early_q   <= early;
      doomed_q  <= doomed;
    end
  end

  always_ff @(posedge clk_i) begin
    offered_owner_q <= owner;
    offered_id_q    <= x_issue_id_i;
    for (int unsigned u = 0; u < Units; u++) begin
      of_q[u] <= (of_q[u] & ~entered) | (owner[u] ? entered : '0);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert ((entered & waits_q) == '0)
      else $error("tl_xif_split: an instruction is issued with the id of one that waits");
      assert (!(held && names_new && !x_commit_kill_i))
      else $error("tl_xif_split: an offer is committed while its id is in flight");
      assert (!x_result_valid_o || oldest[x_result_id_o])
      else $error("tl_xif_split: the result of a unit is not of its oldest instruction");
    end
  end
`endif

endmodule
