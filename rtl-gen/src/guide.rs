// SPDX-License-Identifier: Apache-2.0
//! The ports of the modules that a team attaches, as tables for docs/integration.md.

use crate::Sources;
use crate::output::ADAPTERS;
use crate::ports::{Port, ports};

/// A port: name, meaning, value after reset, when it counts or changes.
type Row<'a> = (&'a str, &'a str, &'a str, &'a str);

/// After reset, of outputs that mean nothing without another one.
const ANY: &str = "any";

const PORTS: [Row<'static>; 93] = [
    ("clk_i", "clock; everything happens at its rising edge", "", ""),
    ("rst_ni", "reset, active low", "", "falls at any time, rises well before an edge; low for one edge or more"),
    ("issue_valid_i", "an instruction is offered", "", "may be withdrawn while `issue_ready_o` is 0"),
    ("issue_ready_o", "there is room: the instruction is taken in this cycle", "1", "state only"),
    ("issue_instr_i", "its word", "", "with `issue_valid_i`"),
    ("issue_rs_i", "x[11:7] for TensorLoad instructions, x[19:15] for all others", "", "with `issue_valid_i`"),
    ("issue_rs2_i", "x[24:20]; only matrix instructions look at it", "", "with `issue_valid_i`"),
    ("issue_id_i", "any number, for the host alone", "", "with `issue_valid_i`"),
    ("result_valid_o", "the oldest instruction is done", "0", "held until `result_ready_i`"),
    ("result_ready_i", "the result is taken in this cycle", "", "may be 1 before"),
    ("result_id_o", "`issue_id_i` of the instruction", ANY, "stable while `result_valid_o`"),
    ("result_trap_o", "it has trapped", ANY, "stable while `result_valid_o`"),
    ("result_cause_o", "cause of the trap ([isa.md](isa.md#traps))", ANY, "with `result_trap_o`"),
    ("result_tval_o", "value of the trap; else 0", ANY, "stable while `result_valid_o`"),
    ("result_we_o", "a register of the host is written", ANY, "stable while `result_valid_o`"),
    ("result_rd_o", "its number; else 0", ANY, "stable while `result_valid_o`"),
    ("result_data_o", "its value; else 0", ANY, "stable while `result_valid_o`"),
    ("result_killed_o", "an older one has trapped: it has changed nothing", ANY, "stable while `result_valid_o`"),
    ("resume_i", "the host has seen the trap: what it issues from now on is executed", "", "for one cycle"),
    ("busy_o", "an instruction has no result yet, or the unit starts or recovers", "1", "flip-flops only"),
    ("l1m_req_o", "a word of L1M is asked for", "0", "held until `l1m_gnt_i`"),
    ("l1m_gnt_i", "the request is taken in this cycle", "", "may be 1 before"),
    ("l1m_addr_o", "byte address, a multiple of PortBytes below the size of L1M", ANY, "stable while `l1m_req_o`"),
    ("l1m_rvalid_i", "the word of the oldest request is here", "", "a later cycle than its grant; cannot be held back"),
    ("l1m_rdata_i", "the word, little-endian", "", "with `l1m_rvalid_i`"),
    ("l1m_err_i", "there is none", "", "with `l1m_rvalid_i`"),
    ("l0m_req_o", "bytes of a word of L0M are to be written", "0", "held until `l0m_gnt_i`"),
    ("l0m_gnt_i", "the request is taken in this cycle", "", "may be 1 before"),
    ("l0m_addr_o", "byte address, a multiple of PortBytes below the size of L0M", ANY, "stable while `l0m_req_o`"),
    ("l0m_be_o", "which bytes", ANY, "stable while `l0m_req_o`"),
    ("l0m_wdata_o", "the bytes; those that are not enabled are any", ANY, "stable while `l0m_req_o`"),
    ("l0m_rvalid_i", "the oldest request is done", "", "a later cycle than its grant; cannot be held back"),
    ("l0m_err_i", "it is not: memory has not changed", "", "with `l0m_rvalid_i`"),
    ("trap_o", "the unit has trapped", "0", "for one cycle"),
    ("trap_cause_o", "cause", ANY, "with `trap_o`"),
    ("trap_tval_o", "value", ANY, "with `trap_o`"),
    (
        "rvfi_valid_i",
        "the core has done an instruction",
        "",
        "at the latest in the cycle before `pcpi_valid_i` of the next",
    ),
    ("rvfi_rd_addr_i", "the register that it wrote; 0: none", "", "with `rvfi_valid_i`"),
    ("rvfi_rd_wdata_i", "its value", "", "with `rvfi_valid_i`"),
    ("pcpi_valid_i", "an instruction is offered", "", "held until `pcpi_ready_o`, or until the core gives up"),
    ("pcpi_insn_i", "its word", "", "stable while `pcpi_valid_i`"),
    ("pcpi_rs1_i", "x[19:15]", "", "stable while `pcpi_valid_i`"),
    ("pcpi_rs2_i", "x[24:20]", "", "stable while `pcpi_valid_i`"),
    ("pcpi_wr_o", "write `pcpi_rd_o` to x[11:7]", ANY, "with `pcpi_ready_o`"),
    ("pcpi_rd_o", "the value", ANY, "with `pcpi_ready_o`"),
    ("pcpi_wait_o", "it is the unit's, and has no answer yet", "0", "follows `pcpi_valid_i` in the same cycle"),
    ("pcpi_ready_o", "the instruction is done", "0", "for one cycle"),
    ("axi_arvalid_o", "a burst of L1M is asked for", "0", "held until `axi_arready_i`"),
    ("axi_arready_i", "it is taken in this cycle", "", "may be 1 before, or wait"),
    ("axi_araddr_o", "address of its first beat, a multiple of AxiBytes", ANY, "stable while `axi_arvalid_o`"),
    ("axi_arlen_o", "its beats, without the first", ANY, "stable while `axi_arvalid_o`"),
    ("axi_rvalid_i", "a beat of the oldest burst is here", "", "held until `axi_rready_o`"),
    ("axi_rready_o", "it is taken in this cycle", "0", "state only"),
    ("axi_rdata_i", "the beat", "", "with `axi_rvalid_i`, stable"),
    ("axi_rresp_i", "2 and 3: an error of each word of the beat", "", "with `axi_rvalid_i`, stable"),
    ("axi_awvalid_o", "a burst of L0M is to be written", "0", "held until `axi_awready_i`"),
    ("axi_awready_i", "it is taken in this cycle", "", "may be 1 before, or wait, for `axi_wvalid_o` too"),
    ("axi_awaddr_o", "address of its first beat, a multiple of AxiBytes", ANY, "stable while `axi_awvalid_o`"),
    ("axi_awlen_o", "its beats, without the first", ANY, "stable while `axi_awvalid_o`"),
    (
        "axi_wvalid_o",
        "a beat is to be written",
        "0",
        "held until `axi_wready_i`; not before `axi_awvalid_o` of its burst",
    ),
    ("axi_wready_i", "it is taken in this cycle", "", "may be 1 before, or wait"),
    ("axi_wdata_o", "the beat; bytes that are not enabled are any", ANY, "stable while `axi_wvalid_o`"),
    ("axi_wstrb_o", "which bytes", ANY, "stable while `axi_wvalid_o`"),
    ("axi_wlast_o", "it is the last of its burst", ANY, "stable while `axi_wvalid_o`"),
    ("axi_bvalid_i", "the oldest burst is done", "", "held until `axi_bready_o`"),
    ("axi_bready_o", "the answer is taken in this cycle", "1", "state only"),
    ("axi_bresp_i", "2 and 3: an error of each word of the burst", "", "with `axi_bvalid_i`, stable"),
    (
        "meaning_o",
        "which instructions are legal with what the CSRs hold; for `tl_xif`, else open",
        ANY,
        "flip-flops only",
    ),
    ("x_issue_valid_i", "issue: an instruction is offered", "", "may be taken back while `x_issue_ready_o` is 0"),
    ("x_issue_ready_o", "it is accepted or rejected in this cycle; also register_ready", "0", "follows the inputs"),
    ("x_issue_instr_i", "its word", "", "stable while `x_issue_valid_i` with the same id"),
    ("x_issue_hartid_i", "hart; one, whose number comes back with the result", "", "with `x_issue_valid_i`"),
    ("x_issue_id_i", "id of the instruction", "", "with `x_issue_valid_i`"),
    ("x_issue_accept_o", "it is the unit's, and legal", ANY, "with `x_issue_ready_o`"),
    ("x_issue_writeback_o", "it will write x[11:7]", ANY, "with `x_issue_ready_o`"),
    ("x_issue_register_read_o", "operands that it uses: rs1, rs2, rs3", ANY, "with `x_issue_ready_o`"),
    ("x_rs1_i", "register: x[19:15]", "", "with `x_rs_valid_i[0]`"),
    ("x_rs2_i", "x[24:20]", "", "with `x_rs_valid_i[1]`"),
    ("x_rs3_i", "x[11:7]", "", "with `x_rs_valid_i[2]`"),
    ("x_rs_valid_i", "which operands are there", "", "with `x_issue_valid_i`; may come later, one by one"),
    ("x_commit_valid_i", "commit: an instruction is committed or killed", "", "for one cycle; with its offer or later"),
    ("x_commit_hartid_i", "hart", "", "with `x_commit_valid_i`"),
    ("x_commit_id_i", "its id", "", "with `x_commit_valid_i`"),
    (
        "x_commit_kill_i",
        "0: it and all older are committed; 1: it and all younger are killed",
        "",
        "with `x_commit_valid_i`",
    ),
    ("x_result_valid_o", "result: the oldest committed instruction is done", "0", "held until `x_result_ready_i`"),
    ("x_result_ready_i", "the result is taken in this cycle", "", "may be 1 before"),
    ("x_result_hartid_o", "hart", ANY, "stable while `x_result_valid_o`"),
    ("x_result_id_o", "its id", ANY, "stable while `x_result_valid_o`"),
    ("x_result_data_o", "value for x[11:7]", ANY, "stable while `x_result_valid_o`"),
    ("x_result_rd_o", "number of the register", ANY, "stable while `x_result_valid_o`"),
    ("x_result_we_o", "it is written", ANY, "stable while `x_result_valid_o`"),
    ("fault_o", "`tcause` is not 0: interrupt for the core", "0", "flip-flops only"),
    ("x_busy_o", "something is in the adapter or in the unit", "1", "flip-flops only"),
];

/// The tables of the modules that a team attaches, in Markdown. They are the same in every configuration.
pub fn tables(sources: &Sources) -> String {
    let adapters = ADAPTERS.iter().map(|adapter| format!("tl_{adapter}_top"));
    let modules = std::iter::once("tl_top".to_owned()).chain(adapters);
    modules
        .map(|module| format!("### Ports of {module}\n\n{}\n", table(sources.body(&format!("{module}.sv")))))
        .collect()
}

fn table(text: &str) -> String {
    let head = "| port | bits | meaning | after reset | timing |\n|---|---|---|---|---|\n";
    ports(text).iter().fold(head.to_owned(), |table, port| table + &row(port))
}

fn row(port: &Port) -> String {
    let nothing = (port.name, "not in the table of rtl-gen/src/guide.rs", "", "");
    let (name, meaning, reset, timing) = PORTS.iter().find(|row| row.0 == port.name).copied().unwrap_or(nothing);
    let direction = if port.is_input { "in" } else { "out" };
    format!("| `{name}` | {direction} {} | {meaning} | {reset} | {timing} |\n", bits(&port.ty))
}

/// `logic [31:0]` has 32 bits; another type says it by its name.
fn bits(ty: &str) -> String {
    match ty.strip_prefix("logic [").and_then(|range| range.strip_suffix(":0]")) {
        None if ty == "logic" => "1".into(),
        None => ty.into(),
        Some(high) => match high.parse::<u32>() {
            Ok(high) => (high + 1).to_string(),
            Err(_) => high.trim_end_matches("-1").into(),
        },
    }
}
