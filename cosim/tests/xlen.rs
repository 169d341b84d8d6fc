// SPDX-License-Identifier: Apache-2.0
//! A host with 64 bits (docs/isa.md, "Hosts with 64 bits"): nothing that the RTL forgets of an upper half passes.
#![allow(clippy::unwrap_used)]

use crate::common::{cosim, cosim_with, edit};

const CONFIG: &str = "../tests/tiny64.toml";

/// Mistakes of a designer: file, text, wrong text.
const FAULTS: [(&str, &str, &str); 6] = [
    ("tl_slice_walk.sv", "(addr_o[Xlen-1:AddrW] != '0)", "(addr_o[31:AddrW] != '0)"),
    ("tl_slice_walk.sv", "{(Xlen - 32) {offset[31]}}", "{(Xlen - 32) {1'b0}}"),
    ("tl_load.sv", "{fault_high_q,", "{32'd0, fault_high_q[31-AddrW:0],"),
    ("tl_store_check.sv", "addr_q    <= walk_addr;", "addr_q    <= tl_pkg::Xlen'(walk_addr[31:0]);"),
    ("tl_mx_lines.sv", "(next_q.stride[Xlen-1:MxMemW] == '1)", "(next_q.stride[31:MxMemW] == '1)"),
    ("tl_top.sv", "tl_pkg::Xlen'(retired_value)", "tl_pkg::Xlen'($signed(retired_value))"),
];

#[test]
fn random_programs_reach_every_bin_without_a_mismatch() {
    let text = cosim_with(&["random", "--config", CONFIG, "--until-covered"]).with_code(0);
    for bin in ["upper ", "upper-matrix "] {
        assert!(text.contains(&format!("\n {bin}")), "{text}");
    }
}

#[test]
#[ignore = "needs four models: make test-all"]
fn adapters_hand_over_whole_registers() {
    cosim_with(&["check", "xif", "--config", CONFIG, "--count", "8000"]).with_code(0);
    cosim_with(&["check", "axi", "--config", CONFIG, "--cases", "20"]).with_code(0);
}

#[test]
#[ignore = "needs six models: make test-all"]
fn upper_halves_that_are_dropped_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let config = rtl_gen::Config::load(CONFIG).unwrap();
    for (number, (name, right, wrong)) in FAULTS.into_iter().enumerate() {
        let rtl = folder.path().join(number.to_string());
        rtl_gen::write(&config, &rtl).unwrap();
        edit(&rtl.join(name), right, wrong);
        let done = cosim(folder.path(), &format!("random --rtl {number} --until-covered --no-shrink"));
        assert_eq!(done.code, Some(1), "{name}: {wrong}\n{}{}", done.out, done.err);
        assert!(done.out.contains("tiny64: "), "{}", done.out);
    }
}
