// SPDX-License-Identifier: Apache-2.0
//! ONNX's own node tests on the model.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::process::Command;

#[test]
fn node_tests_pass_on_the_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let python = root.join(".tools/venv/bin/python");
    let script = root.join("kernels/tests/onnx_nodes.py");
    let output = Command::new(&python).arg(script).args([env!("CARGO_BIN_EXE_cosim"), "--model"]).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}; `make setup-test` installs it", python.display()));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("\n80 passed\n"), "{text}");
    // The document has the same table.
    let document = std::fs::read_to_string(root.join("docs/operators.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let missing: Vec<&str> = rows.filter(|row| !document.contains(row)).collect();
    assert!(missing.is_empty(), "docs/operators.md lacks {missing:#?}");
}
