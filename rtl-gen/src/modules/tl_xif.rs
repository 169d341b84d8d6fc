// SPDX-License-Identifier: Apache-2.0
//! `tl_xif`: between the extension interface of a core (CV-X-IF) and the unit.

use super::{tl_fifo, tl_lutram, tl_xif_check};
use crate::Config;
use crate::sv::{Module, Ty};

/// Its parameters: name, default, meaning. `tl_xif_top` has the same.
pub const PARAMETERS: [(&str, &str, &str); 4] = [
    ("IdWidth", "4", "X_ID_WIDTH of the core"),
    ("HartWidth", "1", "X_HARTID_WIDTH of the core"),
    ("Entries", "8", "instructions between issue and the unit: a power of two"),
    ("InFlight", "32", "instructions in the unit at most: a power of two"),
];

/// The module of `config`.
pub fn module(config: &Config) -> Module {
    let mut m = Module::new(
        "tl_xif",
        "Between a core with the extension interface CV-X-IF 1.0 and the unit. What the core offers is accepted when it is \
         legal with what the CSRs hold, and waits until the core commits it: only then the unit gets it, since it executes \
         what it gets. What is killed before leaves no trace. Results go back in order. Faults of memory come too late for \
         the core: they are kept in two CSRs, and fault_o says so.",
    );
    for (name, default, doc) in PARAMETERS {
        m.param(name, default, doc);
    }
    ports(&mut m);
    issue(&mut m, config);
    commit(&mut m);
    to_the_unit(&mut m);
    results(&mut m);
    faults(&mut m);
    m
}

fn ports(m: &mut Module) {
    m.clocked();
    m.group("Issue and register interface (X_ISSUE_REGISTER_SPLIT = 0)");
    m.input("x_issue_valid_i", Ty::bit(), "");
    m.output("x_issue_ready_o", Ty::bit(), "also register_ready");
    m.input("x_issue_instr_i", Ty::bits(32), "");
    m.input("x_issue_hartid_i", Ty::bits("HartWidth"), "");
    m.input("x_issue_id_i", Ty::bits("IdWidth"), "");
    m.output("x_issue_accept_o", Ty::bit(), "");
    m.output("x_issue_writeback_o", Ty::bit(), "");
    m.output("x_issue_register_read_o", Ty::bits(3), "");
    m.input("x_rs1_i", Ty::bits(32), "x[19:15]");
    m.input("x_rs2_i", Ty::bits(32), "x[24:20]");
    m.input("x_rs3_i", Ty::bits(32), "x[11:7]");
    m.input("x_rs_valid_i", Ty::bits(3), "");
    m.group("Commit interface");
    m.input("x_commit_valid_i", Ty::bit(), "");
    m.input("x_commit_hartid_i", Ty::bits("HartWidth"), "");
    m.input("x_commit_id_i", Ty::bits("IdWidth"), "");
    m.input("x_commit_kill_i", Ty::bit(), "");
    m.group("Result interface");
    m.output("x_result_valid_o", Ty::bit(), "");
    m.input("x_result_ready_i", Ty::bit(), "");
    m.output("x_result_hartid_o", Ty::bits("HartWidth"), "");
    m.output("x_result_id_o", Ty::bits("IdWidth"), "");
    m.output("x_result_data_o", Ty::bits(32), "");
    m.output("x_result_rd_o", Ty::bits(5), "");
    m.output("x_result_we_o", Ty::bit(), "");
    m.group("Beside the interface");
    m.output("fault_o", Ty::bit(), "tcause is not 0: an interrupt for the core");
    m.output("x_busy_o", Ty::bit(), "something is in the adapter or in the unit");
    m.group("To tl_top");
    m.output("issue_valid_o", Ty::bit(), "");
    m.input("issue_ready_i", Ty::bit(), "");
    m.output("issue_instr_o", Ty::bits(32), "");
    m.output("issue_rs_o", Ty::bits(32), "");
    m.output("issue_rs2_o", Ty::bits(32), "open when the unit has no matrix instructions");
    m.input("result_valid_i", Ty::bit(), "");
    m.output("result_ready_o", Ty::bit(), "");
    m.input("result_trap_i", Ty::bit(), "");
    m.input("result_cause_i", Ty::bits(5), "");
    m.input("result_tval_i", Ty::bits(32), "");
    m.input("result_data_i", Ty::bits(32), "0 when nothing is written");
    m.output("resume_o", Ty::bit(), "");
    m.input("meaning_i", Ty::named("meaning_bits_t"), "");
    m.input("busy_i", Ty::bit(), "");
}

/// The instruction that the core offers.
fn issue(m: &mut Module, config: &Config) {
    m.text(
        r#"
        localparam int unsigned IndexW = $clog2(Entries);
        localparam int unsigned NameW  = HartWidth + IdWidth;
        localparam int unsigned CountW = $clog2(InFlight) + 1;
        "#,
    );
    m.section("The instruction that the core offers, for as long as it offers it: it may take it back.");
    m.signals(&["issue_tag", "commit_tag", "offered_tag_q"], Ty::bits("NameW"));
    m.signals(&["known", "legal", "writes", "address", "changes", "is_local", "calm", "room"], Ty::bit());
    m.signal("reads", Ty::bits(3), "");
    m.instance(
        &tl_xif_check::module(config),
        "u_check",
        &[],
        &[
            ("instr_i", "x_issue_instr_i"),
            ("rs3_i", "x_rs3_i"),
            ("rs_valid_i", "x_rs_valid_i"),
            ("meaning_i", "meaning_i"),
            ("calm_i", "calm"),
            ("known_o", "known"),
            ("legal_o", "legal"),
            ("writes_o", "writes"),
            ("reads_o", "reads"),
            ("address_o", "address"),
            ("changes_o", "changes"),
            ("local_o", "is_local"),
        ],
    );
    m.text(
        r#"
        assign issue_tag  = {x_issue_hartid_i, x_issue_id_i};
        assign commit_tag = {x_commit_hartid_i, x_commit_id_i};

        assign x_issue_ready_o         = x_issue_valid_i && room && known;
        assign x_issue_accept_o        = legal;
        assign x_issue_writeback_o     = legal && writes;
        assign x_issue_register_read_o = reads & {3{legal}};
        "#,
    );
}

/// The instructions that were issued.
fn commit(m: &mut Module) {
    m.section(
        "Instructions that were issued, in order, from head to tail; also those that were not accepted, until they are \
         committed or killed, since a commit may name them.",
    );
    m.signals(&["head_q", "tail_q"], Ty::bits("IndexW+1"));
    m.signals(&["head", "tail", "hit_age"], Ty::bits("IndexW"));
    m.signal("age", Ty::bits("IndexW").packed("Entries"), "from the head");
    m.signal("tags_q", Ty::bits("NameW").packed("Entries"), "");
    m.signal("waits_q", Ty::bits("Entries"), "for its commit");
    m.signal("changes_q", Ty::bits("Entries"), "it will change what the CSRs mean");
    m.signals(&["legal_q", "local_q"], Ty::bits("Entries"));
    m.signal("hit", Ty::bits("Entries"), "the commit names it");
    m.signal("names_new", Ty::bit(), "the commit names the instruction that is offered");
    m.signals(&["commit", "kill", "enter", "pop"], Ty::bit());
    m.signals(&["offered_q", "early_q", "doomed_q"], Ty::bit());
    m.signal("same", Ty::bit(), "it was offered in the cycle before, too");
    m.signal("early", Ty::bit(), "committed before it is taken");
    m.signal("doomed", Ty::bit(), "killed before it is taken");
    m.text(
        r#"
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

        // A commit that names nothing that waits is one of an instruction that has had its own.
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
        "#,
    );
}

/// The oldest instruction goes to the unit.
fn to_the_unit(m: &mut Module) {
    m.section("The oldest one, when it is committed, goes to the unit.");
    m.signals(&["instr", "rs", "rs2", "issue_rs"], Ty::bits(32));
    m.signals(&["ready", "to_unit", "csr_writes", "flight_ready", "flight_valid", "flight_pop"], Ty::bit());
    m.signal("flight_tag", Ty::bits("NameW"), "of the oldest instruction in the unit");
    m.signals(&["flight_changes", "flight_we"], Ty::bit());
    m.signal("flight_rd", Ty::bits(5), "");
    m.signal("changing_q", Ty::bits("CountW"), "instructions in the unit that change what the CSRs mean");
    m.text("assign issue_rs = address ? x_rs3_i : x_rs1_i;");
    m.instance(
        &tl_lutram::module(),
        "u_entries",
        &[("Width", "96"), ("Depth", "Entries")],
        &[
            ("clk_i", "clk_i"),
            ("we_i", "enter"),
            ("waddr_i", "tail"),
            ("wdata_i", "{x_issue_instr_i, issue_rs, x_rs2_i}"),
            ("raddr_i", "head"),
            ("rdata_o", "{instr, rs, rs2}"),
        ],
    );
    m.text(
        r#"
        assign ready      = (head_q != tail_q) && !waits_q[head];
        assign to_unit    = ready && legal_q[head] && !local_q[head];
        assign csr_writes = (instr[6:0] == 7'b1110011) && (instr[11:7] != 5'd0);

        assign issue_valid_o = to_unit && flight_ready;
        assign issue_instr_o = instr;
        assign issue_rs_o    = rs;
        assign issue_rs2_o   = rs2;
        "#,
    );
    m.instance(
        &tl_fifo::module(),
        "u_flight",
        &[("Width", "NameW + 7"), ("Depth", "InFlight")],
        &[
            ("clk_i", "clk_i"),
            ("rst_ni", "rst_ni"),
            ("valid_i", "to_unit && issue_ready_i"),
            ("ready_o", "flight_ready"),
            ("data_i", "{tags_q[head], changes_q[head], csr_writes, instr[11:7]}"),
            ("valid_o", "flight_valid"),
            ("ready_i", "flight_pop"),
            ("data_o", "{flight_tag, flight_changes, flight_we, flight_rd}"),
        ],
    );
    m.signals(&["more", "fewer"], Ty::bit());
    m.text(
        r#"
        // What the CSRs mean is known when no older instruction is left that changes it.
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
        "#,
    );
}

fn results(m: &mut Module) {
    m.section("Results: of the unit, or of the CSRs here, when all that is older has given its own.");
    m.signal("local_valid", Ty::bit(), "");
    m.signal("csr_rdata", Ty::bits(32), "");
    m.text(
        r#"
        assign local_valid    = ready && legal_q[head] && local_q[head] && !flight_valid;
        assign result_ready_o = x_result_ready_i;
        assign flight_pop     = result_valid_i && x_result_ready_i;
        assign pop            = (issue_valid_o && issue_ready_i) || (local_valid && x_result_ready_i) ||
            (ready && !legal_q[head]);
        assign x_busy_o       = busy_i || (head_q != tail_q);

        assign x_result_valid_o = local_valid || result_valid_i;
        assign x_result_data_o  = local_valid ? csr_rdata : result_data_i;
        assign x_result_we_o    = local_valid ? csr_writes : flight_we;
        assign x_result_rd_o    = local_valid ? instr[11:7] : flight_rd;
        assign {x_result_hartid_o, x_result_id_o} = local_valid ? tags_q[head] : flight_tag;
        "#,
    );
}

fn faults(m: &mut Module) {
    m.section(
        "The CSRs tcause and ttval: the first fault since tcause was 0. A unit with precise traps changes nothing from a \
         fault on until it is made 0 again.",
    );
    m.signal("tcause_q", Ty::bits(5), "");
    m.signals(&["ttval_q", "operand", "value"], Ty::bits(32));
    m.signals(&["write", "fault"], Ty::bit());
    m.text(
        r#"
        assign csr_rdata = instr[20] ? ttval_q : 32'(tcause_q);
        assign operand   = instr[14] ? 32'(instr[19:15]) : rs;
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
        "#,
    );
}
