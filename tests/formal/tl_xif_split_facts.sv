// SPDX-License-Identifier: Apache-2.0
// What one co-processor with CV-X-IF sees: its instructions in flight in order, from its issue, commit and result interface.
module tl_xif_view #(
  parameter int unsigned IdWidth = 2,
  parameter int unsigned Units = 2,
  localparam int unsigned Ids = 2 ** IdWidth,
  // id; whose it is; it waits for its commit; it was accepted and has no result
  localparam int unsigned EntryW = IdWidth + Units + 2
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       issue_valid_i,
  input  logic                       issue_ready_i,
  input  logic                       issue_accept_i,
  input  logic [Units-1:0]           issue_unit_i,
  input  logic [IdWidth-1:0]         issue_id_i,
  input  logic                       commit_valid_i,
  input  logic                       commit_kill_i,
  input  logic [IdWidth-1:0]         commit_id_i,
  input  logic                       answer_i,    // the result of the oldest one is taken
  output logic [Ids-1:0][EntryW-1:0] list_o,      // the oldest first
  output logic [IdWidth:0]           count_o,
  output logic                       offered_o,   // something was offered, and not taken
  output logic                       early_o,     // and committed
  output logic                       void_o,      // and killed
  output logic [IdWidth+Units-1:0]   offer_o      // its id, and whose it is
);

  typedef struct packed {
    logic [IdWidth-1:0] id;
    logic [Units-1:0]   unit;
    logic               waits;
    logic               owes;
  } entry_t;

  entry_t [Ids:0]     list;
  entry_t [Ids-1:0]   kept;
  logic   [IdWidth:0] count;
  logic   [IdWidth:0] left;
  logic               again;     // the same offer as in the cycle before
  logic               early;
  logic               is_void;
  logic               answered;

  always_comb begin
    list = '0;
    for (int unsigned i = 0; i < Ids; i++) list[i] = list_o[i];
    count    = count_o;
    again    = offered_o && (offer_o == {issue_id_i, issue_unit_i});
    early    = again && early_o;
    is_void  = again && void_o;
    answered = 1'b0;
    for (int unsigned i = 0; i < Ids; i++) begin
      if ((i < 32'(count_o)) && list[i].owes && answer_i && !answered) {answered, list[i].owes} = 2'b10;
    end
    if (commit_valid_i) begin
      for (int unsigned i = 0; i < Ids; i++) begin
        if ((i < 32'(count_o)) && list_o[i][1] && (list[i].id == commit_id_i)) begin
          for (int unsigned j = 0; j < Ids; j++) begin
            if (!commit_kill_i && (j <= i)) list[j].waits = 1'b0;
            if (commit_kill_i && (j >= i)) {list[j].waits, list[j].owes} = 2'b00;
          end
          if (commit_kill_i) is_void = 1'b1;
        end
      end
      if (issue_valid_i && (issue_id_i == commit_id_i)) begin
        if (commit_kill_i) is_void = 1'b1;
        else begin
          early = 1'b1;
          for (int unsigned j = 0; j < Ids; j++) list[j].waits = 1'b0;
        end
      end
    end
    if (issue_valid_i && issue_ready_i && !is_void) begin
      list[count_o] = '{id: issue_id_i, unit: issue_unit_i, waits: !early, owes: issue_accept_i};
      count = count_o + 1'b1;
    end
    kept = '0;
    left = '0;
    for (int unsigned i = 0; i <= Ids; i++) begin
      if ((i < 32'(count)) && (list[i].waits || list[i].owes)) begin
        kept[left[IdWidth-1:0]] = list[i];
        left = left + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    list_o    <= kept;
    count_o   <= rst_ni ? left : '0;
    offered_o <= rst_ni && issue_valid_i && !issue_ready_i;
    early_o   <= early;
    void_o    <= is_void;
    offer_o   <= {issue_id_i, issue_unit_i};
  end

endmodule

// The splitter: each unit sees of the core's issues, commits and kills what it would see with its own instructions alone, and the
// core gets each result, in program order, from the unit that has it. Assumed of the core: what it offers has no id that
// waits for its commit, and no commit while it is in flight. Of the units (xif): results are of the oldest committed
// instruction without one, and stay until they are taken.
module tl_xif_split_facts #(
  parameter int unsigned Units = 2,
  parameter int unsigned IdWidth = 2,
  parameter int unsigned HartWidth = 1,
  parameter logic [2*Units-1:0] EngineIds = '0,
  parameter logic [Units-1:0] HighCsrs = '0,
  parameter logic [Units-1:0] Matrix = '0
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            x_issue_valid_i,
  input logic                            x_issue_ready_o,
  input logic [31:0]                     x_issue_instr_i,
  input logic [IdWidth-1:0]              x_issue_id_i,
  input logic                            x_issue_accept_o,
  input logic                            x_issue_writeback_o,
  input logic [2:0]                      x_issue_register_read_o,
  input logic                            x_commit_valid_i,
  input logic [IdWidth-1:0]              x_commit_id_i,
  input logic                            x_commit_kill_i,
  input logic                            x_result_valid_o,
  input logic                            x_result_ready_i,
  input logic [HartWidth-1:0]            x_result_hartid_o,
  input logic [IdWidth-1:0]              x_result_id_o,
  input logic [31:0]                     x_result_data_o,
  input logic [4:0]                      x_result_rd_o,
  input logic                            x_result_we_o,
  input logic [Units-1:0]                u_issue_valid_o,
  input logic [Units-1:0]                u_issue_ready_i,
  input logic [Units-1:0]                u_issue_accept_i,
  input logic [Units-1:0]                u_issue_writeback_i,
  input logic [Units-1:0][2:0]           u_issue_register_read_i,
  input logic [Units-1:0]                u_commit_valid_o,
  input logic [Units-1:0][IdWidth-1:0]   u_commit_id_o,
  input logic [Units-1:0]                u_result_valid_i,
  input logic [Units-1:0]                u_result_ready_o,
  input logic [Units-1:0][HartWidth-1:0] u_result_hartid_i,
  input logic [Units-1:0][IdWidth-1:0]   u_result_id_i,
  input logic [Units-1:0][31:0]          u_result_data_i,
  input logic [Units-1:0][4:0]           u_result_rd_i,
  input logic [Units-1:0]                u_result_we_i
);

  localparam int unsigned Ids     = 2 ** IdWidth;
  localparam int unsigned EntryW  = IdWidth + Units + 2;
  localparam int unsigned ResultW = HartWidth + IdWidth + 38;

  // Entries: id, unit, waits, owes.
  logic [Ids-1:0][EntryW-1:0]            list;
  logic [IdWidth:0]                      count;
  logic                                  offered;
  logic                                  early;
  logic                                  is_void;
  logic [IdWidth+Units-1:0]              offer;
  logic [Units-1:0][Ids-1:0][EntryW-1:0] u_list;
  logic [Units-1:0][IdWidth:0]           u_count;
  logic [Units-1:0]                      u_offered;
  logic [Units-1:0]                      u_early;
  logic [Units-1:0]                      u_void;
  logic [Units-1:0][IdWidth+Units-1:0]   u_offer;
  logic [Units-1:0]                      whose;        // the offered word, as isa.md has it
  logic                                  held;         // the id of the offer is in flight
  logic                                  killed;       // the offer was
  logic                                  running_q;
  logic [Units-1:0]                      held_q;       // a result of the unit was not taken
  logic [Units-1:0][ResultW-1:0]         u_result;
  logic [Units-1:0][ResultW-1:0]         u_result_q;
  logic                                  x_held_q;
  logic [ResultW-1:0]                    x_result;
  logic [ResultW-1:0]                    x_result_q;

  assign x_result = {x_result_hartid_o, x_result_id_o, x_result_data_o, x_result_rd_o, x_result_we_o};

  tl_xif_view #(.IdWidth (IdWidth), .Units (Units)) u_core (
    .clk_i, .rst_ni, .issue_valid_i (x_issue_valid_i), .issue_ready_i (x_issue_ready_o), .issue_accept_i (x_issue_accept_o),
    .issue_unit_i (whose), .issue_id_i (x_issue_id_i), .commit_valid_i (x_commit_valid_i), .commit_kill_i (x_commit_kill_i),
    .commit_id_i (x_commit_id_i), .answer_i (x_result_valid_o && x_result_ready_i), .list_o (list), .count_o (count),
    .offered_o (offered), .early_o (early), .void_o (is_void), .offer_o (offer)
  );

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    assign u_result[u] = {u_result_hartid_i[u], u_result_id_i[u], u_result_data_i[u], u_result_rd_i[u], u_result_we_i[u]};

    tl_xif_view #(.IdWidth (IdWidth), .Units (Units)) u_view (
      .clk_i, .rst_ni, .issue_valid_i (u_issue_valid_o[u]), .issue_ready_i (u_issue_ready_i[u]),
      .issue_accept_i (u_issue_accept_i[u]), .issue_unit_i (Units'(1) << u), .issue_id_i (x_issue_id_i),
      .commit_valid_i (u_commit_valid_o[u]), .commit_kill_i (x_commit_kill_i), .commit_id_i (u_commit_id_o[u]),
      .answer_i (u_result_valid_i[u] && u_result_ready_o[u]), .list_o (u_list[u]), .count_o (u_count[u]),
      .offered_o (u_offered[u]), .early_o (u_early[u]), .void_o (u_void[u]), .offer_o (u_offer[u])
    );
  end

  always_comb begin
    whose = '0;
    for (int u = Units - 1; u >= 0; u--) begin
      if (x_issue_instr_i[6:0] == 7'h5b && x_issue_instr_i[31:30] == EngineIds[2*u+:2]) whose = Units'(1) << u;
      if (x_issue_instr_i[6:0] == 7'h2b && Matrix[u]) whose = Units'(1) << u;
      // 0x8.. or 0xc..: of one csr_base or the other
      if (x_issue_instr_i[6:0] == 7'h73 &&
          HighCsrs[u] == ((x_issue_instr_i[31:20] & (x_issue_instr_i[30] ? 12'h020 : 12'h080)) != '0)) whose = Units'(1) << u;
    end
  end

  // Of each unit what the list of the core has, and its first one without a result.
  logic [Units-1:0][Ids-1:0][EntryW-1:0] of_core;
  logic [Units-1:0][IdWidth:0]           of_core_count;
  logic [Units-1:0]                      may_answer;
  logic [Units-1:0]                      owing;
  logic [Units-1:0][IdWidth-1:0]         answer_id;
  logic                                  first;
  logic [Units-1:0]                      first_unit;   // of the first one of all

  always_comb begin
    of_core       = '0;
    of_core_count = '0;
    may_answer    = '0;
    owing         = '0;
    answer_id     = '0;
    first         = 1'b0;
    first_unit    = '0;
    for (int unsigned i = 0; i < Ids; i++) begin
      if (i < 32'(count)) begin
        if (list[i][0] && !first) {first, first_unit} = {1'b1, list[i][2+:Units]};
        for (int unsigned u = 0; u < Units; u++) begin
          if (list[i][2+u]) begin
            of_core[u][of_core_count[u][IdWidth-1:0]] = list[i];
            of_core_count[u] = of_core_count[u] + 1'b1;
          end
        end
      end
      for (int unsigned u = 0; u < Units; u++) begin
        if ((i < 32'(u_count[u])) && u_list[u][i][0] && !owing[u]) begin
          owing[u]      = 1'b1;
          may_answer[u] = !u_list[u][i][1];
          answer_id[u]  = u_list[u][i][2+Units+:IdWidth];
        end
      end
    end
  end

  initial running_q = 1'b0;

  always_ff @(posedge clk_i) begin
    running_q <= 1'b1;
    assume (rst_ni == running_q);
    held_q     <= {Units{rst_ni}} & u_result_valid_i & ~u_result_ready_o;
    u_result_q <= u_result;
    x_held_q   <= rst_ni && x_result_valid_o && !x_result_ready_i;
    x_result_q <= x_result;
    if (rst_ni) begin
      // The core.
      held   = 1'b0;
      killed = offered && is_void && (offer == {x_issue_id_i, whose});
      for (int unsigned i = 0; i < Ids; i++) begin
        if (x_issue_valid_i && (i < 32'(count)) && (list[i][2+Units+:IdWidth] == x_issue_id_i)) begin
          assume (!list[i][1]);
          held = 1'b1;
        end
      end
      if (held) assume (!(x_commit_valid_i && !x_commit_kill_i && (x_commit_id_i == x_issue_id_i)));
      // The units.
      for (int unsigned u = 0; u < Units; u++) begin
        if (u_result_valid_i[u]) assume (may_answer[u] && (u_result_id_i[u] == answer_id[u]));
        if (held_q[u]) assume (u_result_valid_i[u] && (u_result[u] == u_result_q[u]));
      end

      // Issue: to the owner alone, whose answer it is. An offer waits for its id; what was killed is rejected.
      assert (u_issue_valid_o == ((x_issue_valid_i && !held && !killed) ? whose : '0));
      if (x_issue_valid_i && held) assert (!x_issue_ready_o);
      if (x_issue_valid_i && !held && ((whose == '0) || killed)) assert (x_issue_ready_o && !x_issue_accept_o && !x_issue_writeback_o);
      for (int unsigned u = 0; u < Units; u++) begin
        if (u_issue_valid_o[u]) begin
          assert ({x_issue_ready_o, x_issue_accept_o, x_issue_writeback_o, x_issue_register_read_o} ==
              {u_issue_ready_i[u], u_issue_accept_i[u], u_issue_writeback_i[u], u_issue_register_read_i[u]});
        end
      end
      // Each unit sees of the core what is its own.
      for (int unsigned u = 0; u < Units; u++) begin
        assert (u_count[u] == of_core_count[u]);
        for (int unsigned i = 0; i < Ids; i++) if (i < 32'(u_count[u])) assert (u_list[u][i] == of_core[u][i]);
        if (u_offered[u]) assert (offered && ({u_early[u], u_void[u], u_offer[u]} == {early, is_void, offer}));
        if (offered && offer[u] && !u_offered[u]) assert (is_void || !early);
        if (u_offered[u]) assert (!tl_xif_split.owes_q[offer[Units+:IdWidth]]);
      end
      // Results: of the oldest one, as its unit gives it, and as soon.
      assert (x_result_valid_o == ((first_unit & u_result_valid_i) != '0));
      for (int unsigned u = 0; u < Units; u++) begin
        assert (u_result_ready_o[u] == (first_unit[u] && x_result_ready_i));
        if (x_result_valid_o && first_unit[u]) assert (x_result == u_result[u]);
      end
      if (x_held_q) assert (x_result_valid_o && (x_result == x_result_q));
      // Why: the sets of ids are the list, and their order is one.
      assert (32'(count) <= Ids);
      for (int unsigned i = 0; i < Ids; i++) begin
        assert (!tl_xif_split.older_q[i][i]);
        for (int unsigned j = 0; j < i; j++) assert (tl_xif_split.older_q[i][j] != tl_xif_split.older_q[j][i]);
        if (i < 32'(count)) begin
          assert ($onehot0(list[i][2+:Units]) && (list[i][1:0] != '0));
          if (list[i][0]) assert (list[i][2+:Units] != '0);
          assert (tl_xif_split.waits_q[list[i][2+Units+:IdWidth]] == list[i][1]);
          assert (tl_xif_split.owes_q[list[i][2+Units+:IdWidth]] == list[i][0]);
          for (int unsigned u = 0; u < Units; u++) begin
            assert (tl_xif_split.of_q[u][list[i][2+Units+:IdWidth]] == list[i][2+u]);
          end
          for (int unsigned j = 0; j < i; j++) begin
            assert (list[i][2+Units+:IdWidth] != list[j][2+Units+:IdWidth]);
            assert (tl_xif_split.older_q[list[i][2+Units+:IdWidth]][list[j][2+Units+:IdWidth]]);
            // A commit is one of all older instructions.
            if (list[j][1]) assert (list[i][1]);
          end
        end
      end
      assert ($countones(tl_xif_split.waits_q | tl_xif_split.owes_q) == 32'(count));
      assert (tl_xif_split.offered_q == offered);
      if (offered) begin
        assert ((tl_xif_split.early_q == early) && (tl_xif_split.doomed_q == is_void));
        assert ({tl_xif_split.offered_id_q, tl_xif_split.offered_owner_q} == offer);
        if (early) assert (tl_xif_split.waits_q == '0);
      end
      for (int unsigned u = 0; u < Units; u++) if (held_q[u]) assert (may_answer[u] && (answer_id[u] == u_result_q[u][38+:IdWidth]));
    end
  end

endmodule

bind tl_xif_split tl_xif_split_facts #(
  .Units (Units), .IdWidth (IdWidth), .HartWidth (HartWidth), .EngineIds (EngineIds), .HighCsrs (HighCsrs), .Matrix (Matrix)
) u_facts (.*);
