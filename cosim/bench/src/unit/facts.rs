// SPDX-License-Identifier: Apache-2.0
//! The unit with the properties that `make formal` proves, in tests/formal: what a proof asserts, and what it assumes of the
//! neighbours of its module, is an assertion here. So an assumption that does not hold in the unit is seen, and a property
//! that names a signal which is gone does not build.

use anyhow::{Result, ensure};
use rtl_config::Config;

use super::adapter::fault;
use super::plant::plant;
use super::source::SourceFile;
use crate::unit::faults::{self, Fault};

/// What a configuration needs for a file of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Matrix,
    Precise,
    /// No more than five lane bits.
    FewLanes,
}

/// A file of properties.
struct Facts {
    name: &'static str,
    text: &'static str,
    needs: Needs,
}

macro_rules! facts {
    ($name:literal, $needs:ident) => {
        Facts { name: $name, text: include_str!(concat!("../../../../tests/formal/", $name)), needs: Needs::$needs }
    };
}

/// Without those of the adapters, of modules that are put together for a proof, and the proof of `tl_move`, which leaves out concat.
const FACTS: [Facts; 28] = [
    facts!("tl_fifo_state.sv", Nothing),
    facts!("tl_fifo_facts.sv", Nothing),
    facts!("tl_queue_facts.sv", Nothing),
    facts!("tl_bank_arb_facts.sv", Nothing),
    facts!("tl_top_facts.sv", Nothing),
    facts!("tl_top_bound.sv", Nothing),
    facts!("tl_slice_walk_facts.sv", Nothing),
    facts!("tl_load_facts.sv", Nothing),
    facts!("tl_load_bank_facts.sv", Nothing),
    facts!("tl_load_progress.sv", Nothing),
    facts!("tl_store_facts.sv", Nothing),
    facts!("tl_store_progress.sv", Nothing),
    facts!("tl_decode_facts.sv", Nothing),
    facts!("tl_dispatch_facts.sv", Nothing),
    facts!("tl_retire_facts.sv", Nothing),
    facts!("tl_rename_facts.sv", Nothing),
    facts!("tl_csr_facts.sv", Nothing),
    facts!("tl_shape_facts.sv", Nothing),
    facts!("tl_move_facts.sv", Nothing),
    facts!("tl_xpose_progress.sv", FewLanes),
    facts!("tl_dispatch_mx_facts.sv", Matrix),
    facts!("tl_dispatch_progress.sv", Matrix),
    facts!("tl_mx_load_facts.sv", Matrix),
    facts!("tl_mx_store_facts.sv", Matrix),
    facts!("tl_matrix_progress.sv", Matrix),
    facts!("tl_port_owner_facts.sv", Matrix),
    facts!("tl_recover_facts.sv", Precise),
    facts!("tl_recover_progress.sv", Precise),
];

/// A proof begins with one cycle of reset. Here reset comes when the bench wants it, and no assertion is looked at meanwhile.
const RESET: &str = "assume (rst_ni == running_q);";
/// A free input of a proof: which word is followed. Here it is the next one, always, or a stride.
const FREE: [[&str; 2]; 2] =
    [["logic watch;  // free", "logic watch = 1'b1;"], ["logic [4:0] watch;  // free", "logic [4:0] watch = 5'd9;"]];

/// What breaks the assumption of a proof about a neighbour, and in the end the bound of an instruction; each ends at that
/// assumption, or at the bound. The other planted faults are there, too.
pub const FAULTS: [Fault; 9] = [
    fault(
        1001,
        "tl_move_out.sv",
        "a completion stays: the engine completes what it was not given",
        ["done_o.valid <= ", "pop && dest_q.last", ";"],
        "(pop && dest_q.last) || done_o.valid",
    ),
    fault(
        1002,
        "tl_retire.sv",
        "an instruction gives back registers that it has not got",
        ["release_o[r]      = retire && ", "result_o.results.valid[r]", ";"],
        "1'b1",
    ),
    fault(
        1003,
        "tl_top.sv",
        "a CSR that is put back after a trap counts as unchanged",
        [".change_i         (", "csr_change || undo", "),"],
        "csr_change",
    ),
    fault(
        1004,
        "tl_decode.sv",
        "a transposition renames another register than its first operand",
        ["decoded.rd        = op == tl_pkg::OpXpose ? ", "rs1", " : rd;"],
        "rs2",
    ),
    fault(
        1005,
        "tl_store.sv",
        "a store is never answered",
        ["assign done_o     = {", "done_valid_q", ", done_tag_q"],
        "1'b0",
    ),
    fault(
        1006,
        "tl_dispatch.sv",
        "a transposition does not wait for its engine",
        ["(decoded_i.is_xpose && ", "xpose_soon_i", ");"],
        "1'b1",
    ),
    fault(
        1007,
        "tl_store.sv",
        "in every other cycle a store says that it reads no strides any more",
        ["strides_busy_o <= cmd_valid_i || held_first || ", "check_reads", ";"],
        "(check_reads && !strides_busy_o)",
    ),
    fault(
        1008,
        "tl_mx_regs.sv",
        "the sweep after reset never ends, so accesses come in it",
        ["clear_q <= clear_q + ", "4'd1", ";"],
        "4'(clear_q != 4'd7)",
    ),
    fault(
        1009,
        "tl_move.sv",
        "addi and merge begin while passes of a concat are still to come",
        ["(d_free || !wait_valid_q) && ", "!plan_busy", ";"],
        "(u_concat_plan.under_way_q == '0)",
    ),
];

/// The files of a unit, with planted faults, and the properties.
///
/// # Errors
/// When nothing is in a file that stands for something of a proof alone.
pub fn files(unit: Vec<SourceFile>, config: &Config) -> Result<Vec<SourceFile>> {
    let (unit, _) = plant(unit, &[&faults::FAULTS[..], &FAULTS].concat());
    let fits = |facts: &&Facts| match facts.needs {
        Needs::Nothing => true,
        Needs::Matrix => config.matrix,
        Needs::Precise => config.precise,
        Needs::FewLanes => 8 * config.lanes / config.granule_bits() <= 32,
    };
    let mut files = unit;
    for facts in FACTS.iter().filter(fits) {
        let mut text = facts.text.replace(RESET, "");
        for [free, fixed] in FREE {
            text = text.replace(free, fixed);
        }
        ensure!(!text.contains("// free"), "{}: a free signal that is none here", facts.name);
        files.push(SourceFile { name: facts.name.into(), text });
    }
    Ok(files)
}
