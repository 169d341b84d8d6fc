// SPDX-License-Identifier: Apache-2.0

// Connects a core with the extension interface CV-X-IF 1.0 to the unit. An offered instruction is
// accepted if it is legal with the current CSRs. It waits until the core commits it; only then does
// the unit get it, because the unit executes everything that it gets. An instruction that is killed
// before has no effect. Results go back in order. Memory faults come too late for the core: two
// CSRs keep the first one, and fault_o reports it.
module tl_xif #(
  parameter int unsigned IdWidth = 4,           // X_ID_WIDTH of the core
  parameter int unsigned HartWidth = 1,         // X_HARTID_WIDTH of the core
  // instructions between issue and the unit: a power of two, 2 or more
  parameter int unsigned Entries = 8,
  parameter int unsigned InFlight = 32,         // instructions in the unit at most: 2, 4, 8 ...
  // X_NUM_RS of the core. With 2, which takes a unit with `gpr_rs1`, x_rs3_i is not used, and
  // instructions that read x[11:7] are not accepted
  parameter int unsigned NumRs = 3
) (
  input  logic                  clk_i,
  // asynchronous assert, synchronous release
  input  logic                  rst_ni,

  // Issue and register interface (X_ISSUE_REGISTER_SPLIT = 0)
  input  logic                  x_issue_valid_i,
  output logic                  x_issue_ready_o,          // also register_ready
  input  logic [31:0]           x_issue_instr_i,
  input  logic [HartWidth-1:0]  x_issue_hartid_i,
  input  logic [IdWidth-1:0]    x_issue_id_i,
  // the instruction is the unit's, and legal
  output logic                  x_issue_accept_o,
  output logic                  x_issue_writeback_o,      // it writes x[11:7]
  output logic [2:0]            x_issue_register_read_o,  // operands that it reads
  input  tl_pkg::host_t         x_rs1_i,                  // x[19:15]
  input  tl_pkg::host_t         x_rs2_i,                  // x[24:20]
  input  tl_pkg::host_t         x_rs3_i,                  // x[11:7]
  input  logic [2:0]            x_rs_valid_i,             // operands that are valid

  // Commit interface
  input  logic                  x_commit_valid_i,
  input  logic [HartWidth-1:0]  x_commit_hartid_i,
  input  logic [IdWidth-1:0]    x_commit_id_i,
  input  logic                  x_commit_kill_i,          // it must not execute

  // Result interface
  output logic                  x_result_valid_o,
  input  logic                  x_result_ready_i,
  output logic [HartWidth-1:0]  x_result_hartid_o,
  output logic [IdWidth-1:0]    x_result_id_o,
  output tl_pkg::host_t         x_result_data_o,
  output logic [4:0]            x_result_rd_o,
  output logic                  x_result_we_o,            // write x_result_data_o to x_result_rd_o

  // Beside the interface
  // tcause is not 0: an interrupt for the core
  output logic                  fault_o,
  // a committed instruction is in the adapter or in the unit
  output logic                  x_busy_o,

  // To tl_top
  output logic                  issue_valid_o,
  input  logic                  issue_ready_i,
  output logic [31:0]           issue_instr_o,
  // x[11:7] or x[19:15], as the instruction names it
  output tl_pkg::host_t         issue_rs_o,
  // unused if the unit has no matrix instructions
  output tl_pkg::host_t         issue_rs2_o,
  input  logic                  result_valid_i,
  output logic                  result_ready_o,
  input  logic                  result_trap_i,
  input  logic [4:0]            result_cause_i,
  input  tl_pkg::host_t         result_tval_i,
  input  tl_pkg::host_t         result_data_i,            // 0 when nothing is written
  // software has cleared tcause: the unit executes again
  output logic                  resume_o,
  input  tl_pkg::meaning_bits_t meaning_i,                // of tl_top
  input  logic                  busy_i                    // of tl_top
);

  if (Entries < 2 || Entries != 2 ** $clog2(Entries)) begin : gen_bad_entries
    $error("tl_xif: Entries = %0d is not allowed; allowed: a power of two, 2 or more", Entries);
  end

  if (InFlight < 2 || InFlight != 2 ** $clog2(InFlight)) begin : gen_bad_in_flight
    $error("tl_xif: InFlight = %0d is not allowed; allowed: a power of two, 2 or more", InFlight);
  end

  if (NumRs != 3 && (NumRs != 2 || tl_pkg::GprRs1 == 0)) begin : gen_bad_num_rs
    $error("tl_xif: NumRs = %0d is not allowed; allowed: 3, or with gpr_rs1 2", NumRs);
  end

  localparam int unsigned IndexW = $clog2(Entries);
  localparam int unsigned NameW  = HartWidth + IdWidth;
  localparam int unsigned CountW = $clog2(InFlight) + 1;

  // The instruction that the core offers. The core may withdraw it.
  logic [NameW-1:0] issue_tag;
  logic [NameW-1:0] commit_tag;
  logic [NameW-1:0] offered_tag_q;
  logic             known;
  logic             legal;
  logic             writes;
  logic             address;
  logic             changes;
  logic             is_local;
  logic             calm;
  logic             room;
  logic [2:0]       reads;

  tl_xif_check #(
    .NumRs (NumRs)
  ) u_check (
    .instr_i    (x_issue_instr_i),
    .rs1_i      (x_rs1_i[31:0]),
    .rs3_i      (x_rs3_i[31:0]),
    .rs_valid_i (x_rs_valid_i),
    .meaning_i  (meaning_i),
    .calm_i     (calm),
    .known_o    (known),
    .legal_o    (legal),
    .writes_o   (writes),
    .reads_o    (reads),
    .address_o  (address),
    .changes_o  (changes),
    .local_o    (is_local)
  );

  assign issue_tag  = {x_issue_hartid_i, x_issue_id_i};
  assign commit_tag = {x_commit_hartid_i, x_commit_id_i};

  assign x_issue_ready_o         = x_issue_valid_i && room && known;
  assign x_issue_accept_o        = legal;
  assign x_issue_writeback_o     = legal && writes;
  assign x_issue_register_read_o = reads & {3{legal}};

  // Issued instructions, in order, from head to tail. They include instructions that were not
  // accepted, until these are committed or killed, because a commit may name them.
  logic [IndexW+1-1:0]            head_q;
  logic [IndexW+1-1:0]            tail_q;
  logic [IndexW-1:0]              head;
  logic [IndexW-1:0]              tail;
  logic [IndexW-1:0]              hit_age;
  logic [Entries-1:0][IndexW-1:0] age;        // distance from the head
  logic [Entries-1:0][NameW-1:0]  tags_q;
  logic [Entries-1:0]             waits_q;    // the instruction waits for its commit
  logic [Entries-1:0]             changes_q;  // it will change what the CSRs mean
  logic [Entries-1:0]             legal_q;
  logic [Entries-1:0]             local_q;
  logic [Entries-1:0]             hit;        // the commit names it
  logic                           names_new;  // the commit names the instruction that is offered
  logic                           commit;
  logic                           kill;
  logic                           enter;
  logic                           pop;
  logic                           offered_q;
  logic                           early_q;
  logic                           doomed_q;
  logic                           same;       // it was already offered in the previous cycle
  logic                           early;      // committed before it is taken
  logic                           doomed;     // killed before it is taken

  assign head = head_q[IndexW-1:0];
  assign tail = tail_q[IndexW-1:0];
  assign room = (tail_q - head_q) != (IndexW + 1)'(Entries);

  always_comb begin
    hit_age = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      age[i] = IndexW'(i) - head;
      hit[i] = x_commit_valid_i && waits_q[i] && (tags_q[i] == commit_tag);
      if (hit[i]) hit_age = hit_age | age[i];
    end
  end

  // A commit that names no waiting instruction is ignored: that instruction already had its commit.
  assign names_new = x_commit_valid_i && x_issue_valid_i && (commit_tag == issue_tag);
  assign commit    = ((hit != '0) || names_new) && !x_commit_kill_i;
  assign kill      = (hit != '0) && x_commit_kill_i;
  assign same      = offered_q && (offered_tag_q == issue_tag);
  assign early     = (same && early_q) || (names_new && !x_commit_kill_i);
  assign doomed    = (same && doomed_q) || kill || (names_new && x_commit_kill_i);
  assign enter     = x_issue_ready_o && !doomed;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      waits_q   <= '0;
      changes_q <= '0;
      offered_q <= 1'b0;
      early_q   <= 1'b0;
      doomed_q  <= 1'b0;
    end else begin
      if (pop) head_q <= head_q + 1'b1;
      if (kill) tail_q <= head_q + (IndexW + 1)'(hit_age);
      else if (enter) tail_q <= tail_q + 1'b1;
      for (int unsigned i = 0; i < Entries; i++) begin
        if (commit && (names_new || (age[i] <= hit_age))) waits_q[i] <= 1'b0;
        if (kill && (age[i] >= hit_age)) {waits_q[i], changes_q[i]} <= 2'b00;
        if (pop && (head == IndexW'(i))) changes_q[i] <= 1'b0;
        if (enter && (tail == IndexW'(i))) begin
          waits_q[i]   <= !early;
          changes_q[i] <= legal && changes;
        end
      end
      offered_q <= x_issue_valid_i && !x_issue_ready_o;
      early_q   <= early;
      doomed_q  <= doomed;
    end
  end

  always_ff @(posedge clk_i) begin
    offered_tag_q <= issue_tag;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (enter && (tail == IndexW'(i))) begin
        tags_q[i]  <= issue_tag;
        legal_q[i] <= legal;
        local_q[i] <= is_local;
      end
    end
  end

  // The oldest instruction goes to the unit when it is committed.
  logic [31:0]       instr;
  logic [31:0]       csr_word;        // a CSR instruction in the standard encoding
  tl_pkg::host_t     rs;
  tl_pkg::host_t     rs2;
  tl_pkg::host_t     issue_rs;
  logic              ready;
  logic              to_unit;
  logic              csr_writes;
  logic              unused_word;
  logic              flight_ready;
  logic              flight_valid;
  logic              flight_pop;
  logic [NameW-1:0]  flight_tag;      // of the oldest instruction in the unit
  logic              flight_changes;
  logic              flight_we;
  logic [4:0]        flight_rd;
  logic [CountW-1:0] changing_q;      // instructions in the unit that change what the CSRs mean

  assign issue_rs = address ? x_rs3_i : x_rs1_i;

  tl_lutram #(
    .Width ($bits({instr, rs, rs2})),
    .Depth (Entries)
  ) u_entries (
    .clk_i   (clk_i),
    .we_i    (enter),
    .waddr_i (tail),
    .wdata_i ({x_issue_instr_i, issue_rs, x_rs2_i}),
    .raddr_i (head),
    .rdata_o ({instr, rs, rs2})
  );

  assign ready      = (head_q != tail_q) && !waits_q[head];
  assign to_unit    = ready && legal_q[head] && !local_q[head];
  assign csr_word    = tl_pkg::csr_word(instr, 1'b1);
  assign unused_word = ^csr_word;
  assign csr_writes  = (csr_word[6:0] == 7'b1110011) && (instr[11:7] != 5'd0);

  assign issue_valid_o = to_unit && flight_ready;
  assign issue_instr_o = instr;
  assign issue_rs_o    = rs;
  assign issue_rs2_o   = rs2;

  tl_fifo #(
    .Width ($bits({flight_tag, flight_changes, flight_we, flight_rd})),
    .Depth (InFlight)
  ) u_flight (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (to_unit && issue_ready_i),
    .ready_o (flight_ready),
    .data_i  ({tags_q[head], changes_q[head], csr_writes, instr[11:7]}),
    .valid_o (flight_valid),
    .ready_i (flight_pop),
    .data_o  ({flight_tag, flight_changes, flight_we, flight_rd})
  );

  logic more;
  logic fewer;

  // The meaning of the CSRs is known when no older instruction that changes it is left.
  assign calm  = (changes_q == '0) && (changing_q == '0);
  assign more  = issue_valid_o && issue_ready_i && changes_q[head];
  assign fewer = flight_pop && flight_changes;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      changing_q <= '0;
    end else begin
      if (more && !fewer) changing_q <= changing_q + 1'b1;
      if (fewer && !more) changing_q <= changing_q - 1'b1;
    end
  end

  // Results come from the unit, or from the CSRs here once all older instructions have given
  // theirs.
  logic          local_valid;
  tl_pkg::host_t csr_rdata;

  assign local_valid    = ready && legal_q[head] && local_q[head] && !flight_valid;
  assign result_ready_o = x_result_ready_i;
  assign flight_pop     = result_valid_i && x_result_ready_i;
  assign pop            = (issue_valid_o && issue_ready_i) || (local_valid && x_result_ready_i) ||
      (ready && !legal_q[head]);
  assign x_busy_o       = busy_i || ready;

  assign x_result_valid_o = local_valid || result_valid_i;
  assign x_result_data_o  = local_valid ? csr_rdata : result_data_i;
  assign x_result_we_o    = local_valid ? csr_writes : flight_we;
  assign x_result_rd_o    = local_valid ? instr[11:7] : flight_rd;
  assign {x_result_hartid_o, x_result_id_o} = local_valid ? tags_q[head] : flight_tag;

  // The CSRs tcause and ttval: the first fault since tcause was 0. A unit with precise traps
  // changes nothing after a fault until software sets tcause to 0.
  logic [4:0]    tcause_q;
  tl_pkg::host_t ttval_q;
  tl_pkg::host_t operand;
  tl_pkg::host_t value;
  logic          write;
  logic          fault;

  assign csr_rdata = instr[20] ? ttval_q : tl_pkg::Xlen'(tcause_q);
  assign operand   = csr_word[14] ? tl_pkg::Xlen'(instr[19:15]) : rs;
  assign write     = local_valid && x_result_ready_i &&
      ((instr[13:12] == 2'b01) || (instr[19:15] != 5'd0));
  assign fault     = flight_pop && result_trap_i;
  assign fault_o   = tcause_q != '0;
  assign resume_o  = write && !instr[20] && (value[4:0] == '0);

  always_comb begin
    unique case (instr[13:12])
      2'b10:   value = csr_rdata | operand;
      2'b11:   value = csr_rdata & ~operand;
      default: value = operand;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tcause_q <= '0;
      ttval_q  <= '0;
    end else if (fault && !fault_o) begin
      tcause_q <= result_cause_i;
      ttval_q  <= result_tval_i;
    end else if (write) begin
      if (instr[20]) ttval_q <= value;
      else tcause_q <= value[4:0];
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      assert (!$past(x_result_valid_o && !x_result_ready_i) || (x_result_valid_o &&
          $stable({x_result_hartid_o, x_result_id_o}) &&
          $stable({x_result_data_o, x_result_rd_o, x_result_we_o})))
      else $error("tl_xif: a result changed before it was taken");
    end
  end
`endif

endmodule
