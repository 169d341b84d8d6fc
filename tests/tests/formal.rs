// SPDX-License-Identifier: Apache-2.0
//! The quick proofs of `make formal`.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

use e2e::root;

fn prove(arguments: &[&str]) -> Output {
    let python = root().join(".tools/venv/bin/python");
    let mut command = Command::new(&python);
    command.arg(root().join("tests/formal/prove.py")).args(arguments);
    command.output().unwrap_or_else(|e| panic!("{}: {e}; run `make setup-formal`", python.display()))
}

/// Each with its planted fault, which the runner demands to be found.
#[test]
#[ignore = "needs Yices: make test-all"]
fn quick_proofs_hold_and_their_faults_are_found() {
    let output = prove(&["--quick"]);
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.contains(" proven and their faults found"), "{text}");
}

/// Every proof has its row in the document, with what it says.
#[test]
fn the_document_has_every_proof() {
    let page = std::fs::read_to_string(root().join("docs/proofs.md")).unwrap();
    let proofs = std::fs::read_to_string(root().join("tests/formal/proofs.toml")).unwrap();
    let value =
        |line: &str, key: &str| Some(line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned());
    let names: Vec<_> = proofs.lines().filter_map(|line| value(line, "name")).collect();
    let claims: Vec<_> = proofs.lines().filter_map(|line| value(line, "claims")).collect();
    assert!(names.len() > 8 && names.len() == claims.len(), "{} proofs, {} claims", names.len(), claims.len());
    for (name, claim) in names.iter().zip(&claims) {
        let row = page.lines().find(|line| line.starts_with(&format!("| {name} |")));
        assert!(row.is_some_and(|row| row.contains(claim.as_str())), "docs/proofs.md: {name}: run `make formal`");
    }
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.matches(" | ").count() == 2).count();
    assert_eq!(rows, names.len() + 1, "docs/proofs.md has rows of other proofs: run `make formal`");
}

#[test]
fn what_is_not_there_is_named() {
    let output = prove(&["nothing"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("prove.py: unknown proof nothing; there are fifo, "), "{text}");
    let output = prove(&["fifo", "--with", "dpth = 3"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("prove.py: --with: proof fifo: unknown fields dpth; allowed: assumes, "), "{text}");
}
