// SPDX-License-Identifier: Apache-2.0
//! Operators against others: ONNX's own node tests, and random cases against NumPy.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Whether a script of `kernels/tests` says that all is well, and what it prints.
fn python(script: &str, arguments: &[&str]) -> (bool, String) {
    let python = root().join(".tools/venv/bin/python");
    let script = root().join("kernels/tests").join(script);
    let output = Command::new(&python).arg(script).arg(env!("CARGO_BIN_EXE_cosim")).args(arguments).output();
    let output =
        output.unwrap_or_else(|error| panic!("{}: {error}; `make setup-test-all` installs it", python.display()));
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

#[test]
#[ignore = "needs ONNX's node tests: make test-all"]
fn node_tests_pass_on_the_model_and_with_the_revision_on_the_rtl() {
    let (passed, text) = python("onnx_nodes.py", &["--config", "w16r"]);
    assert!(passed && text.contains("\n83 passed\n"), "w16r: {text}");
    let (passed, text) = python("onnx_nodes.py", &["--model"]);
    assert!(passed && text.contains("\n83 passed\n"), "{text}");
}

/// A part of what `make numpy` runs.
#[test]
#[ignore = "needs ONNX's node tests: make test-all"]
fn random_operators_are_as_numpy_has_them() {
    let revision = "--config=w16r";
    for arguments in [
        &["--cases=200", "--model"][..],
        &["--cases=18"],
        &["--cases=200", "--model", revision],
        &["--cases=12", revision],
    ] {
        let (passed, text) = python("numpy_cases.py", arguments);
        assert!(passed, "{arguments:?}: {text}");
    }
}
