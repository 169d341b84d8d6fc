// SPDX-License-Identifier: Apache-2.0
//! The unit behind the extension interface of a core (CV-X-IF): the adapter, a random core, faults in the adapter. The
//! SystemVerilog of the core is in cosim/xif.

use anyhow::Result;

use super::adapter::{self, fault};
use super::source::SourceFile;
use crate::unit::faults::Fault;

/// List of the adapter's files.
const LIST: &str = "tl_xif.f";

const BENCH: [(&str, &str); 3] = [
    ("tl_xif_bench.vlt", include_str!("../../../xif/tl_xif_bench.vlt")),
    ("xif_host.sv", include_str!("../../../xif/xif_host.sv")),
    ("tl_xif_bench.sv", include_str!("../../../xif/tl_xif_bench.sv")),
];

/// The files of a unit, of the adapter with its faults, and of the core; `generated` has the adapter.
///
/// # Errors
/// When a fault does not fit.
pub fn files(unit: Vec<SourceFile>, generated: &[SourceFile]) -> Result<Vec<SourceFile>> {
    adapter::files(unit, generated, LIST, &FAULTS, &BENCH)
}

/// What a designer of the adapter could have done wrong.
pub const FAULTS: [Fault; 12] = [
    fault(
        1,
        "tl_xif.sv",
        "instructions go to the unit before they are committed",
        ["(head_q != tail_q) && ", "!waits_q[head]", ";"],
        "1'b1",
    ),
    fault(
        2,
        "tl_xif.sv",
        "a kill takes the instruction that it names, and none behind it",
        ["tail_q <= head_q + ", "(IndexW + 1)'(hit_age)", ";"],
        "tail_q - head_q - 1'b1",
    ),
    fault(
        3,
        "tl_xif.sv",
        "an instruction that is killed while it is offered is taken all the same",
        ["x_issue_ready_o && ", "!doomed", ";"],
        "1'b1",
    ),
    fault(
        4,
        "tl_xif.sv",
        "a commit of the instruction that is offered is forgotten when it has to wait",
        ["(same && ", "early_q", ")"],
        "1'b0",
    ),
    fault(
        5,
        "tl_xif.sv",
        "a commit is one of a single instruction",
        ["(names_new || (", "age[i] <= hit_age", "))"],
        "age[i] == hit_age",
    ),
    fault(
        6,
        "tl_xif.sv",
        "what is legal is told before older CSR instructions are done",
        ["assign calm  = ", "(changes_q == '0) && (changing_q == '0)", ";"],
        "changes_q == '0",
    ),
    fault(
        7,
        "tl_xif_check.sv",
        "what is legal is told while the CSRs' meaning is worked out",
        ["(calm_i && ", "meaning.settled", "))"],
        "1'b1",
    ),
    fault(
        8,
        "tl_xif_check.sv",
        "operands are not waited for",
        ["assign known_o   = (", "(reads_o & ~rs_valid_i) == '0", ")"],
        "1'b1",
    ),
    fault(
        9,
        "tl_xif.sv",
        "the adapter's CSRs are read before older instructions are done",
        ["local_q[head] && ", "!flight_valid", ";"],
        "1'b1",
    ),
    fault(
        10,
        "tl_xif.sv",
        "a later fault takes the place of the first",
        ["end else if (fault && ", "!fault_o", ") begin"],
        "1'b1",
    ),
    fault(
        11,
        "tl_xif.sv",
        "a killed instruction leaves behind that it would change the CSRs",
        ["if (kill && ", "(age[i] >= hit_age)", ") {"],
        "age[i] == hit_age",
    ),
    fault(
        12,
        "tl_xif.sv",
        "a unit with precise traps goes on at once",
        ["assign resume_o  = ", "write && !instr[20] && (value[4:0] == '0)", ";"],
        "fault",
    ),
];
