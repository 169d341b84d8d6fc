// SPDX-License-Identifier: Apache-2.0
//! The ports of the modules that a team attaches, as tables.

use crate::Sources;
use crate::output::ADAPTERS;
use crate::ports::{Port, ports};

/// A port: name, meaning, value after reset, when it counts or changes.
type Row<'a> = (&'a str, &'a str, &'a str, &'a str);

/// After reset, of outputs that are valid only with another one.
const ANY: &str = "any";

const PORTS: [Row<'static>; 93] = [
    ("clk_i", "clock; everything happens at its rising edge", "", ""),
    ("rst_ni", "reset, active low", "", "see *Clock, reset, power*"),
    ("issue_valid_i", "an instruction is offered", "", "may be withdrawn while `issue_ready_o` is 0"),
    ("issue_ready_o", "there is room: the instruction is accepted in this cycle", "1", "depends on state only"),
    ("issue_instr_i", "instruction word", "", "with `issue_valid_i`"),
    ("issue_rs_i", "x[11:7] for custom-2 words with bit 14 = 0, else x[19:15]", "", "with `issue_valid_i`"),
    ("issue_rs2_i", "x[24:20], for matrix instructions; without them tie to 0", "", "with `issue_valid_i`"),
    ("issue_id_i", "any number; comes back with the result", "", "with `issue_valid_i`"),
    ("result_valid_o", "the oldest instruction is done", "0", "held until `result_ready_i`"),
    ("result_ready_i", "the result is taken in this cycle", "", "may be 1 earlier"),
    ("result_id_o", "`issue_id_i` of the instruction", ANY, "with `result_valid_o`"),
    ("result_trap_o", "the instruction trapped", ANY, "with `result_valid_o`"),
    ("result_cause_o", "trap cause ([isa.md](isa.md#traps))", ANY, "with `result_trap_o`"),
    ("result_tval_o", "trap value; else 0", ANY, "with `result_valid_o`"),
    ("result_we_o", "a host register is written", ANY, "with `result_valid_o`"),
    ("result_rd_o", "number of the host register; else 0", ANY, "with `result_valid_o`"),
    ("result_data_o", "value of the host register; else 0", ANY, "with `result_valid_o`"),
    ("result_killed_o", "an older one trapped: nothing has changed; 0 without `precise`", ANY, "with `result_valid_o`"),
    ("resume_i", "with `precise`: go on after a trap; else tie to 0", "", "for one cycle"),
    ("busy_o", "a result is not taken yet, or the unit starts or recovers", "1", "from flip-flops"),
    ("l1m_req_o", "request to read a word of L1M", "0", "held until `l1m_gnt_i`"),
    ("l1m_gnt_i", "the request is accepted in this cycle", "", "may be 1 earlier"),
    ("l1m_addr_o", "byte address, a multiple of PortBytes, inside L1M", ANY, "stable while `l1m_req_o`"),
    ("l1m_rvalid_i", "response to the oldest request", "", "in a later cycle than the grant; cannot be held back"),
    ("l1m_rdata_i", "the word, little-endian", "", "with `l1m_rvalid_i`"),
    ("l1m_err_i", "error: there is no word", "", "with `l1m_rvalid_i`"),
    ("l0m_req_o", "request to write bytes of a word of L0M", "0", "held until `l0m_gnt_i`"),
    ("l0m_gnt_i", "the request is accepted in this cycle", "", "may be 1 earlier"),
    ("l0m_addr_o", "byte address, a multiple of PortBytes, inside L0M", ANY, "stable while `l0m_req_o`"),
    ("l0m_be_o", "byte enables", ANY, "stable while `l0m_req_o`"),
    ("l0m_wdata_o", "the bytes; bytes without enable have any value", ANY, "stable while `l0m_req_o`"),
    ("l0m_rvalid_i", "response to the oldest request", "", "in a later cycle than the grant; cannot be held back"),
    ("l0m_err_i", "error: memory has not changed", "", "with `l0m_rvalid_i`"),
    ("trap_o", "the unit has trapped", "0", "for one cycle"),
    ("trap_cause_o", "trap cause", ANY, "with `trap_o`"),
    ("trap_tval_o", "trap value", ANY, "with `trap_o`"),
    ("rvfi_valid_i", "the core has executed an instruction", "", "before the cycle of the next `pcpi_valid_i`"),
    ("rvfi_rd_addr_i", "the register that it wrote; 0: none", "", "with `rvfi_valid_i`"),
    ("rvfi_rd_wdata_i", "value of that register", "", "with `rvfi_valid_i`"),
    ("pcpi_valid_i", "an instruction is offered", "", "held until `pcpi_ready_o`, or until the core times out"),
    ("pcpi_insn_i", "instruction word", "", "stable while `pcpi_valid_i`"),
    ("pcpi_rs1_i", "x[19:15]", "", "stable while `pcpi_valid_i`"),
    ("pcpi_rs2_i", "x[24:20]", "", "stable while `pcpi_valid_i`"),
    ("pcpi_wr_o", "write `pcpi_rd_o` to x[11:7]", ANY, "with `pcpi_ready_o`"),
    ("pcpi_rd_o", "the value", ANY, "with `pcpi_ready_o`"),
    ("pcpi_wait_o", "the unit works on the instruction", "0", "follows `pcpi_valid_i`, same cycle"),
    ("pcpi_ready_o", "the instruction is done", "0", "for one cycle"),
    ("axi_arvalid_o", "address of a read burst of L1M", "0", "held until `axi_arready_i`"),
    ("axi_arready_i", "the address is accepted in this cycle", "", "may be 1 earlier, or wait"),
    ("axi_araddr_o", "address of the first beat, a multiple of AxiBytes", ANY, "stable while `axi_arvalid_o`"),
    ("axi_arlen_o", "number of beats minus 1", ANY, "stable while `axi_arvalid_o`"),
    ("axi_rvalid_i", "a beat of the oldest burst", "", "held until `axi_rready_o`"),
    ("axi_rready_o", "the beat is accepted in this cycle", "0", "depends on state only"),
    ("axi_rdata_i", "the beat", "", "with `axi_rvalid_i`, stable"),
    ("axi_rresp_i", "2 and 3: error for each word of the beat", "", "with `axi_rvalid_i`, stable"),
    ("axi_awvalid_o", "address of a write burst of L0M", "0", "held until `axi_awready_i`"),
    ("axi_awready_i", "the address is accepted in this cycle", "", "may be 1 earlier, or wait for `axi_wvalid_o`"),
    ("axi_awaddr_o", "address of the first beat, a multiple of AxiBytes", ANY, "stable while `axi_awvalid_o`"),
    ("axi_awlen_o", "number of beats minus 1", ANY, "stable while `axi_awvalid_o`"),
    ("axi_wvalid_o", "a write beat", "0", "held until `axi_wready_i`; not before `axi_awvalid_o` of its burst"),
    ("axi_wready_i", "the beat is accepted in this cycle", "", "may be 1 earlier, or wait"),
    ("axi_wdata_o", "the beat; bytes without enable have any value", ANY, "stable while `axi_wvalid_o`"),
    ("axi_wstrb_o", "byte enables", ANY, "stable while `axi_wvalid_o`"),
    ("axi_wlast_o", "last beat of its burst", ANY, "stable while `axi_wvalid_o`"),
    ("axi_bvalid_i", "response to the oldest burst", "", "held until `axi_bready_o`"),
    ("axi_bready_o", "the response is accepted in this cycle", "1", "depends on state only"),
    ("axi_bresp_i", "2 and 3: error for each word of the burst", "", "with `axi_bvalid_i`, stable"),
    ("meaning_o", "for `tl_xif`: what is legal now; else leave open", ANY, "from flip-flops"),
    ("x_issue_valid_i", "an instruction is offered", "", "may be withdrawn while `x_issue_ready_o` is 0"),
    ("x_issue_ready_o", "accepted or rejected in this cycle; also register_ready", "0", "follows the inputs"),
    ("x_issue_instr_i", "instruction word", "", "stable while `x_issue_valid_i` with the same id"),
    ("x_issue_hartid_i", "hart; comes back with the result", "", "with `x_issue_valid_i`"),
    ("x_issue_id_i", "id of the instruction", "", "with `x_issue_valid_i`"),
    ("x_issue_accept_o", "the instruction is the unit's, and legal", ANY, "with `x_issue_ready_o`"),
    ("x_issue_writeback_o", "it will write x[11:7]", ANY, "with `x_issue_ready_o`"),
    ("x_issue_register_read_o", "operands that it uses: rs1, rs2, rs3", ANY, "with `x_issue_ready_o`"),
    ("x_rs1_i", "x[19:15]", "", "with `x_rs_valid_i[0]`"),
    ("x_rs2_i", "x[24:20]", "", "with `x_rs_valid_i[1]`"),
    ("x_rs3_i", "x[11:7]; with `NumRs` = 2 any value", "", "with `x_rs_valid_i[2]`"),
    ("x_rs_valid_i", "which operands are valid", "", "with `x_issue_valid_i`; may come later, one by one"),
    ("x_commit_valid_i", "an instruction is committed or killed", "", "for one cycle; with its offer or later"),
    ("x_commit_hartid_i", "hart", "", "with `x_commit_valid_i`"),
    ("x_commit_id_i", "id of the instruction", "", "with `x_commit_valid_i`"),
    ("x_commit_kill_i", "0: commit it and older ones; 1: kill it and younger ones", "", "with `x_commit_valid_i`"),
    ("x_result_valid_o", "the oldest committed instruction is done", "0", "held until `x_result_ready_i`"),
    ("x_result_ready_i", "the result is taken in this cycle", "", "may be 1 earlier"),
    ("x_result_hartid_o", "hart", ANY, "with `x_result_valid_o`"),
    ("x_result_id_o", "id of the instruction", ANY, "with `x_result_valid_o`"),
    ("x_result_data_o", "value for x[11:7]", ANY, "with `x_result_valid_o`"),
    ("x_result_rd_o", "number of the register", ANY, "with `x_result_valid_o`"),
    ("x_result_we_o", "the register is written", ANY, "with `x_result_valid_o`"),
    ("fault_o", "`tcause` is not 0: interrupt for the core", "0", "from flip-flops"),
    ("x_busy_o", "a committed instruction is in the adapter or in the unit", "1", "from flip-flops"),
];

/// The tables of the modules that a team attaches, in Markdown, the same in every configuration. An adapter's table has
/// the ports that `tl_top` lacks, and names the others.
pub fn tables(sources: &Sources) -> String {
    let unit = ports(sources.body("tl_top.sv"));
    let adapter = |name: &str| {
        let module = format!("tl_{name}_top");
        let all = ports(sources.body(&format!("{module}.sv")));
        let is_shared = |port: &Port| unit.iter().any(|other| other.name == port.name);
        let (shared, own): (Vec<Port>, Vec<Port>) = all.into_iter().partition(is_shared);
        format!("### Ports of {module}\n\nAs in `tl_top`: {}.\n\n{}\n", interfaces(&shared), table(&own))
    };
    let adapters: String = ADAPTERS.iter().map(|name| adapter(name)).collect();
    format!("### Ports of tl_top\n\n{}\n{adapters}", table(&unit))
}

/// The names of ports, those with one first word together: `l1m_*`.
fn interfaces(ports: &[Port]) -> String {
    let first_word = |port: &Port| port.name.split('_').next().unwrap_or_default().to_owned();
    let name = |port: &Port| {
        let word = first_word(port);
        match ports.iter().filter(|other| first_word(other) == word).count() {
            1 => format!("`{}`", port.name),
            _ => format!("`{word}_*`"),
        }
    };
    let mut names: Vec<String> = ports.iter().map(name).collect();
    names.dedup();
    names.join(", ")
}

fn table(ports: &[Port]) -> String {
    let head = "| port | bits | meaning | after reset | timing |\n|---|---|---|---|---|\n";
    ports.iter().fold(head.to_owned(), |table, port| table + &row(port))
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
