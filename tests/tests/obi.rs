// SPDX-License-Identifier: Apache-2.0
//! The memory ports against cocotbext-obi.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use e2e::{in_parallel, root};

/// Runs it on the RTL in `folder`; whether all was well, and what it says.
fn run(folder: &Path) -> (bool, String) {
    let output = Command::new("sh").arg(root().join("tests/obi/run.sh")).arg(folder).args(["--copies", "30"]).output();
    let output = output.unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code() == Some(0), text)
}

/// With a fault that only what looks at the protocol sees: a request is taken back while a response comes.
#[test]
#[ignore = "needs cocotb: make test-all"]
fn the_ports_hold_against_cocotbext_obi_and_a_fault_does_not() {
    let wrong = tempfile::tempdir().unwrap();
    let config = rtl_gen::Config::named("tiny").unwrap();
    rtl_gen::write(&config, wrong.path()).unwrap();
    let path = wrong.path().join("tl_store.sv");
    let text = std::fs::read_to_string(&path).unwrap();
    let request = "word_valid_q && waiting_room;";
    assert!(text.contains(request));
    std::fs::write(path, text.replace(request, "word_valid_q && waiting_room && !l0m_rvalid_i;")).unwrap();
    let sound = root().join("rtl/tiny");
    in_parallel(&[(sound.as_path(), true), (wrong.path(), false)], |(folder, expected)| {
        let (good, text) = run(folder);
        assert_eq!(good, *expected, "{text}");
        assert!(*expected || text.contains("Assertion failed in obi_tb.u_l0m."), "{text}");
        assert!(text.contains(if *expected { "1 tests, 0 failed\n" } else { "1 tests, 1 failed\n" }), "{text}");
    });
}
