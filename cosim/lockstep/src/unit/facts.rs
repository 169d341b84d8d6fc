// SPDX-License-Identifier: Apache-2.0
//! The unit with the properties that `make formal` proves, in tests/formal: what a proof asserts, and what it assumes
//! of the neighbours of its module, is an assertion here. So an assumption that does not hold in the unit is seen, and
//! a property that names a signal which is gone does not build.

use anyhow::{Result, ensure};
use rtl_config::Config;

use super::faults;
use crate::model::fault::plant;
use crate::model::source::SourceFile;

/// What a configuration needs for a file of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Matrix,
    Precise,
    /// No more than five lane bits, and a row bit of two registers for each: the plan assigns no lane bits.
    FewLanes,
}

/// A file of properties.
struct Facts {
    name: &'static str,
    text: &'static str,
    needs: Needs,
}

macro_rules! facts {
    ($($needs:ident: $($name:literal)+;)+) => {
        &[$($(Facts { name: $name, text: include_str!(concat!("../../sv/formal/", $name)), needs: Needs::$needs }),+),+]
    };
}

/// Without those of the adapters, of modules that are put together for a proof, and the proof of `tl_move`, which
/// leaves out concat.
const FACTS: &[Facts] = facts! {
    Nothing: "tl_ring_pkg.sv" "tl_fifo_state.sv" "tl_fifo_facts.sv" "tl_queue_facts.sv" "tl_bank_arb_facts.sv"
        "tl_top_facts.sv" "tl_top_bound.sv" "tl_slice_walk_facts.sv" "tl_load_facts.sv" "tl_load_bank_facts.sv" "tl_load_progress.sv"
        "tl_store_facts.sv" "tl_store_progress.sv" "tl_decode_facts.sv" "tl_dispatch_facts.sv" "tl_retire_facts.sv"
        "tl_rename_facts.sv" "tl_csr_facts.sv" "tl_shape_facts.sv" "tl_move_facts.sv";
    FewLanes: "tl_xpose_progress.sv";
    Matrix: "tl_dispatch_mx_facts.sv" "tl_dispatch_progress.sv" "tl_mx_load_facts.sv" "tl_mx_store_facts.sv"
        "tl_matrix_progress.sv" "tl_port_owner_facts.sv";
    Precise: "tl_recover_facts.sv" "tl_recover_progress.sv";
};

/// A proof begins with one cycle of reset. Here reset comes when the bench wants it, and no assertion is looked at
/// meanwhile.
const RESET: &str = "assume (rst_ni == running_q);";
/// A free input of a proof: which word is followed. Here it is the next one, always, or a stride.
const FREE: [[&str; 2]; 2] =
    [["logic watch;  // free", "logic watch = 1'b1;"], ["logic [4:0] watch;  // free", "logic [4:0] watch = 5'd9;"]];

/// The files of a unit, with planted faults, and the properties.
///
/// # Errors
/// When nothing is in a file that stands for something of a proof alone.
pub fn files(unit: Vec<SourceFile>, config: &Config) -> Result<Vec<SourceFile>> {
    let (unit, _) = plant(unit, &[&faults::FAULTS[..], &faults::FACTS[..]].concat());
    let fits = |facts: &&Facts| match facts.needs {
        Needs::Nothing => true,
        Needs::Matrix => config.matrix,
        Needs::Precise => config.precise,
        Needs::FewLanes => {
            let granules = 8 * config.lanes / config.granule_bits();
            granules <= 32.min(2 * config.reg_bytes / config.lanes)
        }
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
