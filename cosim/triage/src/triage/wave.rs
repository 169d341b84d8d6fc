// SPDX-License-Identifier: Apache-2.0
//! The waveform: which signals to look at first.

use std::path::Path;

use anyhow::Result;
use golden::decode::{Decoded, decode};

use super::bucket::engine_name;
use super::evidence::Evidence;
use crate::waveform::viewer::{self, Group};

/// The headings and their signals, below tl_top; `*` at the end stands for the rest of a name.
const GROUPS: [(&str, &[&str]); 10] = [
    ("issue", &["clk_i", "rst_ni", "issue_*", "u_probe.exec_valid", "u_probe.exec_tag", "entry.instr"]),
    ("CSRs", &["u_probe.csr_*"]),
    ("load engine", &["u_load.cmd_valid_i", "u_load.cmd_soon_o", "u_load.cmd_i.*", "u_load.done_o.*"]),
    ("store engine", &["u_store.cmd_valid_i", "u_store.cmd_soon_o", "u_store.cmd_i.*", "u_store.done_o.*"]),
    ("move engine", &["u_move.cmd_valid_i", "u_move.cmd_soon_o", "u_move.cmd_i.*", "u_move.done_o.*"]),
    ("transpose engine", &["u_xpose.cmd_valid_i", "u_xpose.cmd_soon_o", "u_xpose.cmd_i.*", "u_xpose.done_o.*"]),
    (
        "matrix engine",
        &[
            "gen_matrix.u_matrix.cmd_valid_i",
            "gen_matrix.u_matrix.cmd_i.*",
            "gen_matrix.u_matrix.load_done_o.*",
            "gen_matrix.u_matrix.store_done_o.*",
            "gen_matrix.u_matrix.write_o",
            "gen_matrix.u_matrix.write_md_o",
        ],
    ),
    (
        "register file ports",
        &[
            "u_regfile.read_gnt_o",
            "u_regfile.write_gnt_o",
            "u_regfile.gen_bank[0].u_lower.*",
            "u_regfile.gen_bank[0].gen_upper.u_upper.*",
            "u_regfile.gen_bank[1].u_lower.*",
            "u_regfile.gen_bank[1].gen_upper.u_upper.*",
        ],
    ),
    ("memory ports", &["l1m_*", "l0m_*"]),
    ("retire", &["result_*", "u_probe.retire_*"]),
];

/// The groups with the signals that `wave` has, the engine of the failing instruction before the others.
pub fn groups(wave: &Path, evidence: &Evidence) -> Result<Vec<Group>> {
    let instruction = evidence.failure.at.map(|(_, word, _)| decode(word, evidence.before.config()));
    let first = instruction.and_then(Decoded::engine).map(engine_name);
    let mut groups = viewer::groups(wave, "tl_top", &GROUPS)?;
    let place = |group: &Group| if Some(group.name) == first { 2 } else { 3 };
    if groups.len() > 2 {
        groups[2..].sort_by_key(|group| if group.name.ends_with("engine") { place(group) } else { 4 });
    }
    Ok(groups)
}
