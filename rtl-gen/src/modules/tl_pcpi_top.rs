// SPDX-License-Identifier: Apache-2.0
//! `tl_pcpi_top`: the unit with the adapter to PicoRV32.

use super::attach::attach;
use super::tl_pcpi;
use crate::sv::Module;

/// The unit `unit` behind its adapter.
pub fn module(unit: &Module) -> Module {
    let mut m = Module::new("tl_pcpi_top", "The unit as co-processor of PicoRV32: tl_pcpi and tl_top.");
    attach(
        &mut m,
        &[(&tl_pcpi::module(), "u_pcpi", &[]), (unit, "u_unit", &[])],
        &["issue_", "result_", "resume_", "meaning_"],
        // There is one instruction at a time, so it needs no name.
        &[("issue_id_i", "8'd0")],
        "there is one instruction at a time, and the core knows which",
    );
    m
}
