// SPDX-License-Identifier: Apache-2.0
//! The parameters of RTL that bench and model work with.

use rtl_config::Config;

const NAMES: [&str; 12] = [
    "mem_port_bytes",
    "matrix (1: on)",
    "lanes",
    "reg_bytes",
    "element_widths (one bit each)",
    "engine_id",
    "csr_base",
    "pitch, csr_op, gpr_rs1, mask_init (one bit each)",
    "l1m_bytes",
    "l0m_bytes",
    "tlen",
    "trlen",
];

/// Those that the ports tell are the first ones.
pub const ON_PORTS: usize = 2;

/// The values of a configuration, in the order of their names.
pub fn values(rtl: &Config, golden: &golden::Config) -> [u32; NAMES.len()] {
    let widths = golden::ElementWidths::ALLOWED.iter().rev();
    let widths = widths.fold(0, |mask, &width| mask << 1 | u32::from(golden.element_widths.contains(width)));
    let options = [golden.mask_init, golden.gpr_rs1, golden.csr_op, golden.pitch];
    [
        rtl.port_bytes(),
        golden.matrix.is_some().into(),
        rtl.lanes,
        rtl.reg_bytes,
        widths,
        golden.engine_id.into(),
        golden.csr_base.into(),
        options.iter().fold(0, |bits, &on| bits << 1 | u32::from(on)),
        golden.l1m_bytes,
        golden.l0m_bytes,
        golden.matrix.map_or(0, |matrix| matrix.tlen),
        golden.matrix.map_or(0, |matrix| matrix.trlen),
    ]
}

/// Compares what RTL `has`, or the first of it, with what the configuration says.
///
/// # Errors
/// Everything that differs.
pub fn compare((rtl, golden): (&Config, &golden::Config), has: &[u32]) -> Result<(), String> {
    let fields = NAMES.iter().zip(has).zip(values(rtl, golden)).filter(|((_, has), wanted)| *has != wanted);
    let lines: Vec<String> = fields.map(|((name, has), wanted)| format!("{name} = {has}, not {wanted}")).collect();
    if lines.is_empty() {
        return Ok(());
    }
    Err(format!("the RTL is not of configuration {}: it has {}", rtl.name, lines.join("; ")))
}
