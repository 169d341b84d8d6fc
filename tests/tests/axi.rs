// SPDX-License-Identifier: Apache-2.0
//! The masters of AXI4 against cocotbext-axi.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use e2e::{in_parallel, root};

/// Runs it on the RTL in `folder`; whether all was well, and what it says.
fn run(folder: &Path, axi_bytes: u32) -> (bool, String) {
    let mut command = Command::new("sh");
    command.arg(root().join("tests/axi/run.sh")).arg(folder).args(["--words", "800"]);
    let output = command.args(["--axi-bytes", &axi_bytes.to_string()]).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code() == Some(0), text)
}

/// With a fault that only this opponent has to see: a burst that crosses 4 KiB.
#[test]
#[ignore = "needs cocotb: make test-all"]
fn the_masters_hold_against_cocotbext_axi_and_a_fault_does_not() {
    let wrong = tempfile::tempdir().unwrap();
    let config = rtl_gen::Config::named("tiny").unwrap();
    rtl_gen::write(&config, wrong.path()).unwrap();
    let path = wrong.path().join("tl_axi_run.sv");
    let text = std::fs::read_to_string(&path).unwrap();
    let boundary = "addr_i / PortBytes % BurstWords != 32'd0";
    assert!(text.contains(boundary));
    std::fs::write(path, text.replace(boundary, "1'b1")).unwrap();
    let sound = root().join("rtl/tiny");
    in_parallel(&[(sound.as_path(), true), (wrong.path(), false)], |(folder, expected)| {
        let (good, text) = run(folder, 32);
        assert_eq!(good, *expected, "{text}");
        let end = if *expected { "2 tests, 0 failed\n" } else { " failed\n" };
        assert!(text.ends_with(end), "{text}");
    });
}
