// SPDX-License-Identifier: Apache-2.0
//! `tl_axi_top`: the unit with memories behind AXI4.

use super::attach::attach;
use super::{tl_axi_read, tl_axi_write};
use crate::sv::Module;

/// The unit `unit` with its adapters.
pub fn module(unit: &Module) -> Module {
    let mut m = Module::new(
        "tl_axi_top",
        "The unit as master of AXI4: tl_top, L1M behind tl_axi_read and L0M behind tl_axi_write. What is not among the \
         ports is constant: size of a beat AxiBytes, type INCR, one id.",
    );
    m.param("AxiBytes", "PortBytes", "bytes of a beat: a power of two, PortBytes to 64");
    m.param("ReadWords", "8", "words of L1M in a burst: a power of two, to 256 and to 4096 / PortBytes");
    m.param("WriteWords", "4", "the same for L0M");
    m.param("Bursts", "16", "most without an answer, of each master: a power of two");
    let params = |words| [("AxiBytes", "AxiBytes"), ("BurstWords", words), ("Bursts", "Bursts")];
    attach(
        &mut m,
        &[
            (unit, "u_unit", &[]),
            (&tl_axi_read::module(), "u_read", &params("ReadWords")),
            (&tl_axi_write::module(), "u_write", &params("WriteWords")),
        ],
        &["l1m_", "l0m_", "meaning_"],
        &[],
        "for another adapter",
    );
    m
}
