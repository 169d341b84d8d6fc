// SPDX-License-Identifier: Apache-2.0
//! `tl_xif_top`: the unit behind the extension interface of a core.

use super::attach::attach;
use super::tl_xif;
use crate::Config;
use crate::sv::Module;

/// The unit `unit` of `config` behind its adapter.
pub fn module(config: &Config, unit: &Module) -> Module {
    let mut m = Module::new("tl_xif_top", "The unit as co-processor of a core with CV-X-IF 1.0: tl_xif and tl_top.");
    for (name, default, doc) in tl_xif::PARAMETERS {
        m.param(name, default, doc);
    }
    let params = tl_xif::PARAMETERS.map(|(name, ..)| (name, name));
    attach(
        &mut m,
        &[(&tl_xif::module(config), "u_xif", &params), (unit, "u_unit", &[])],
        &["issue_", "result_", "resume_", "meaning_", "busy_"],
        &[("issue_id_i", "8'd0")],
        "results come in order, and the adapter knows whose they are",
    );
    m
}
