// SPDX-License-Identifier: Apache-2.0
// The adapter to CV-X-IF beside a list of what the core has issued, and one of what is in the unit: nothing that is not committed
// goes to the unit, nothing that was killed leaves a trace, each instruction that was accepted and committed gets one result, in
// order, with its id. Assumed of the core: what it offers has no id that waits for its commit. Of the unit (tl_retire): results
// are of instructions that were issued, and stay until they are taken.
module tl_xif_facts #(
  parameter int unsigned IdWidth = 2,
  parameter int unsigned HartWidth = 1,
  parameter int unsigned Entries = 4,
  parameter int unsigned InFlight = 4
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 x_issue_valid_i,
  input logic                 x_issue_ready_o,
  input logic [31:0]          x_issue_instr_i,
  input logic [HartWidth-1:0] x_issue_hartid_i,
  input logic [IdWidth-1:0]   x_issue_id_i,
  input logic                 x_issue_accept_o,
  input logic                 x_issue_writeback_o,
  input logic [2:0]           x_issue_register_read_o,
  input logic [31:0]          x_rs1_i,
  input logic [31:0]          x_rs2_i,
  input logic [31:0]          x_rs3_i,
  input logic [2:0]           x_rs_valid_i,
  input logic                 x_commit_valid_i,
  input logic [HartWidth-1:0] x_commit_hartid_i,
  input logic [IdWidth-1:0]   x_commit_id_i,
  input logic                 x_commit_kill_i,
  input logic                 x_result_valid_o,
  input logic                 x_result_ready_i,
  input logic [HartWidth-1:0] x_result_hartid_o,
  input logic [IdWidth-1:0]   x_result_id_o,
  input logic [31:0]          x_result_data_o,
  input logic [4:0]           x_result_rd_o,
  input logic                 x_result_we_o,
  input logic                 fault_o,
  input logic                 x_busy_o,
  input logic                 issue_valid_o,
  input logic                 issue_ready_i,
  input logic [31:0]          issue_instr_o,
  input logic [31:0]          issue_rs_o,
  input logic [31:0]          issue_rs2_o,
  input logic                 result_valid_i,
  input logic                 result_ready_o,
  input logic                 result_trap_i,
  input logic [4:0]           result_cause_i,
  input logic [31:0]          result_tval_i,
  input logic [31:0]          result_data_i
);

  localparam int unsigned IndexW = $clog2(Entries);
  localparam int unsigned FlightW = $clog2(InFlight);

  typedef struct packed {
    logic [HartWidth+IdWidth-1:0] tag;
    logic                         committed;
    logic                         accepted;
    logic                         own;      // for the CSRs of the adapter
    logic                         changes;  // what the CSRs mean
    logic                         writes;   // as was said at issue
    logic [31:0]                  word;
    logic [31:0]                  rs;
    logic [31:0]                  rs2;
  } entry_t;

  logic                         running_q;
  entry_t [Entries:0]           list_q;    // issued, and not gone to the unit, the oldest first
  entry_t [Entries:0]           list;
  logic [IndexW:0]              count_q;
  logic [IndexW:0]              count;
  entry_t [InFlight:0]          unit_q;    // in the unit
  logic [FlightW:0]             within_q;
  logic [HartWidth+IdWidth-1:0] issue_tag;
  logic [HartWidth+IdWidth-1:0] commit_tag;
  logic [HartWidth+IdWidth-1:0] result_tag;
  logic [HartWidth+IdWidth-1:0] offered_tag_q;
  logic                         offered_q;  // in the cycle before, and not taken
  logic                         early_q;    // and committed
  logic                         void_q;     // and killed
  logic                         early;
  logic                         is_void;
  logic                         calm;       // nothing older changes what the CSRs mean
  logic [FlightW:0]             changing;   // instructions in the unit that do
  logic                         sent;
  logic                         answered;
  logic                         shown_q;    // to the unit, which did not take it
  logic [95:0]                  issue_q;
  logic                         result_q;   // a result of the unit was not taken
  logic [69:0]                  unit_result_q;
  logic                         waits_q;    // a result for the core was not taken
  logic [HartWidth+IdWidth+37:0] shown_result_q;
  logic                         fault_q;    // the first fault has come
  logic [36:0]                  trap_q;

  assign issue_tag  = {x_issue_hartid_i, x_issue_id_i};
  assign commit_tag = {x_commit_hartid_i, x_commit_id_i};
  assign result_tag = {x_result_hartid_o, x_result_id_o};
  assign sent       = issue_valid_o && issue_ready_i;
  assign answered   = x_result_valid_o && x_result_ready_i;

  always_comb begin
    calm     = 1'b1;
    changing = '0;
    for (int unsigned i = 0; i < Entries; i++) if (i < 32'(count_q)) calm = calm && !list_q[i].changes;
    for (int unsigned i = 0; i < InFlight; i++) if (i < 32'(within_q)) changing = changing + (FlightW + 1)'(unit_q[i].changes);
    calm = calm && (changing == '0);
  end

  // A CSR instruction: of the standard, or under the unit's opcode.
  function automatic logic is_csr(logic [31:0] word);
    is_csr = (word[6:0] == 7'b1110011) || ((word[6:0] == 7'b1011011) && (word[31:30] == tl_pkg::EngineId) && !word[29] &&
        ((word[14:12] == 3'd5) || (word[14:12] == 3'd6) || (word[14:12] == 3'd7)));
  endfunction

  // What the core says.
  always_comb begin
    list    = list_q;
    count   = count_q;
    early   = offered_q && (offered_tag_q == issue_tag) && early_q;
    is_void = offered_q && (offered_tag_q == issue_tag) && void_q;
    if (x_commit_valid_i) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if ((i < 32'(count_q)) && !list_q[i].committed && (list_q[i].tag == commit_tag)) begin
          if (x_commit_kill_i) begin
            count   = (IndexW + 1)'(i);
            is_void = 1'b1;
          end else begin
            for (int unsigned j = 0; j <= i; j++) list[j].committed = 1'b1;
          end
        end
      end
      if (x_issue_valid_i && (issue_tag == commit_tag)) begin
        if (x_commit_kill_i) begin
          is_void = 1'b1;
        end else begin
          early = 1'b1;
          for (int unsigned j = 0; j < Entries; j++) list[j].committed = 1'b1;
        end
      end
    end
    if (x_issue_valid_i && x_issue_ready_o && !is_void) begin
      list[count] = '{
        tag: issue_tag, committed: early, accepted: x_issue_accept_o, own: tl_xif.is_local, changes: x_issue_accept_o && tl_xif.changes,
        writes: x_issue_writeback_o, word: x_issue_instr_i, rs: tl_xif.address ? x_rs3_i : x_rs1_i, rs2: x_rs2_i
      };
      count = count + 1'b1;
    end
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    offered_tag_q  <= issue_tag;
    offered_q      <= rst_ni && x_issue_valid_i && !x_issue_ready_o;
    early_q        <= early;
    void_q         <= is_void;
    shown_q        <= rst_ni && issue_valid_o && !issue_ready_i;
    issue_q        <= {issue_instr_o, issue_rs_o, issue_rs2_o};
    result_q       <= rst_ni && result_valid_i && !result_ready_o;
    unit_result_q  <= {result_trap_i, result_cause_i, result_tval_i, result_data_i};
    waits_q        <= rst_ni && x_result_valid_o && !x_result_ready_i;
    shown_result_q <= {result_tag, x_result_data_o, x_result_rd_o, x_result_we_o};
    fault_q        <= rst_ni && result_valid_i && result_ready_o && result_trap_i && !fault_o;
    trap_q         <= {result_cause_i, result_tval_i};
    if (!rst_ni) begin
      count_q  <= '0;
      within_q <= '0;
    end else begin
      list_q  <= tl_xif.pop ? list >> $bits(entry_t) : list;
      count_q <= count - (IndexW + 1)'(tl_xif.pop);
      if (answered && (within_q != '0)) begin
        unit_q <= unit_q >> $bits(entry_t);
        if (sent) unit_q[within_q-1'b1] <= list_q[0];
      end else if (sent) begin
        unit_q[within_q] <= list_q[0];
      end
      within_q <= within_q + (FlightW + 1)'(sent) - (FlightW + 1)'(answered && (within_q != '0));

      // The core.
      for (int unsigned i = 0; i < Entries; i++) begin
        if (x_issue_valid_i && (i < 32'(count_q)) && !list_q[i].committed) assume (issue_tag != list_q[i].tag);
      end
      // The unit.
      if (result_valid_i) assume (within_q != '0);
      if (result_q) assume (result_valid_i && ({result_trap_i, result_cause_i, result_tval_i, result_data_i} == unit_result_q));

      // Issue: what depends on CSRs waits for older changes; operands are there.
      if (x_issue_ready_o) assert (x_issue_valid_i && (32'(count_q) < Entries) && ((x_issue_register_read_o & ~x_rs_valid_i) == '0));
      if (x_issue_ready_o && tl_xif.u_check.needs_state) assert (calm);
      // The unit gets what is accepted and committed, in order, once; what it is shown stays.
      if (issue_valid_o) begin
        assert ((count_q != '0) && list_q[0].committed && list_q[0].accepted && !list_q[0].own);
        assert ({issue_instr_o, issue_rs_o, issue_rs2_o} == {list_q[0].word, list_q[0].rs, list_q[0].rs2});
      end
      if (shown_q) assert (issue_valid_o && ({issue_instr_o, issue_rs_o, issue_rs2_o} == issue_q));
      // Results: of the oldest one that is accepted and committed and has none.
      if (x_result_valid_o) begin
        if (within_q != '0) begin
          assert (result_valid_i && (result_tag == unit_q[0].tag) && (x_result_data_o == result_data_i));
          assert ((x_result_we_o == unit_q[0].writes) && (x_result_rd_o == unit_q[0].word[11:7]));
        end else begin
          assert ((count_q != '0) && list_q[0].committed && list_q[0].accepted && list_q[0].own && (result_tag == list_q[0].tag));
          assert ((x_result_we_o == list_q[0].writes) && (x_result_rd_o == list_q[0].word[11:7]));
        end
      end
      assert ((result_valid_i && result_ready_o) == (answered && (within_q != '0)));
      if (waits_q) assert (x_result_valid_o && ({result_tag, x_result_data_o, x_result_rd_o, x_result_we_o} == shown_result_q));
      // The first fault is kept.
      if (fault_q) assert ((tl_xif.tcause_q == trap_q[36:32]) && (tl_xif.ttval_q == trap_q[31:0]));
      assert (fault_o == (tl_xif.tcause_q != '0));
      // Nothing stands still: the oldest that is committed goes on in this cycle, or the unit or the core keeps it.
      if ((count_q != '0) && list_q[0].committed) begin
        if (!list_q[0].accepted) assert (tl_xif.pop);
        else if (!list_q[0].own) assert (issue_valid_o || (32'(within_q) == InFlight));
        else assert (x_result_valid_o || (within_q != '0));
      end
      if (tl_xif.pop) assert (sent || (answered && (within_q == '0)) || !list_q[0].accepted);
      assert (x_busy_o == (tl_xif.busy_i || ((count_q != '0) && list_q[0].committed)));
      // Why: the ring is the list, the FIFO is what is in the unit.
      assert ((32'(count_q) <= Entries) && (32'(within_q) <= InFlight));
      assert (count_q == (IndexW + 1)'(tl_xif.tail_q - tl_xif.head_q));
      for (int unsigned i = 0; i < Entries; i++) begin
        if (i < 32'(count_q)) begin
          assert (tl_xif.tags_q[IndexW'(tl_xif.head_q + i)] == list_q[i].tag);
          assert (tl_xif.waits_q[IndexW'(tl_xif.head_q + i)] == !list_q[i].committed);
          assert (tl_xif.legal_q[IndexW'(tl_xif.head_q + i)] == list_q[i].accepted);
          assert (tl_xif.local_q[IndexW'(tl_xif.head_q + i)] == list_q[i].own);
          assert (tl_xif.changes_q[IndexW'(tl_xif.head_q + i)] == list_q[i].changes);
          assert (tl_xif.u_entries.mem[IndexW'(tl_xif.head_q + i)] == {list_q[i].word, list_q[i].rs, list_q[i].rs2});
          if (list_q[i].accepted) assert (list_q[i].writes == (is_csr(list_q[i].word) && (list_q[i].word[11:7] != '0)));
          for (int unsigned j = 0; j < i; j++) begin
            if (!list_q[j].committed && !list_q[i].committed) assert (list_q[j].tag != list_q[i].tag);
          end
        end else begin
          assert (!tl_xif.waits_q[IndexW'(tl_xif.head_q + i)] && !tl_xif.changes_q[IndexW'(tl_xif.head_q + i)]);
        end
      end
      assert (tl_xif.u_flight.u_state.count == within_q);
      for (int unsigned i = 0; i < InFlight; i++) begin
        if (i < 32'(within_q)) begin
          assert (tl_xif.u_flight.words[FlightW'(tl_xif.u_flight.head_q + i)] ==
              {unit_q[i].tag, unit_q[i].changes, unit_q[i].writes, unit_q[i].word[11:7]});
        end
      end
      assert (tl_xif.changing_q == changing);
      if (offered_q) assert ((tl_xif.offered_tag_q == offered_tag_q) && (tl_xif.early_q == early_q) && (tl_xif.doomed_q == void_q));
      assert (tl_xif.offered_q == offered_q);
    end
  end

endmodule

bind tl_xif tl_xif_facts #(
  .IdWidth (IdWidth), .HartWidth (HartWidth), .Entries (Entries), .InFlight (InFlight)
) u_facts (.*);
