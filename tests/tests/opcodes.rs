// SPDX-License-Identifier: Apache-2.0
//! The files for riscv-opcodes, read by a parser of its format that somebody else wrote: that of riscv-isac.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use e2e::{root, stdout};

/// Bits of a word that name the engine; those of `w16` are zeros.
const ENGINE: u32 = 3 << 30;

/// The first random word that the parser reads otherwise than the model, from the files in `folder`; and how many it
/// read.
fn difference(folder: &Path) -> (Option<String>, usize) {
    let mut script = Command::new(root().join(".tools/venv/bin/python"));
    let done = script.arg(root().join("tests/opcodes/isac.py")).arg(folder).args(["rv_tl", "rv_tlmx"]).output();
    let done = done.unwrap_or_else(|e| panic!("{script:?}: {e}; run `make setup-test-all`"));
    assert!(done.status.success(), "{script:?}: {}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).unwrap();
    let read = |line: &str| {
        let mut parts = line.split(' ');
        let word = u32::from_str_radix(parts.next().unwrap(), 16).unwrap();
        let engine = parts.clone().any(|field| field.starts_with("tl_engine="));
        (if engine { word & !ENGINE } else { word }, parts.next().unwrap().to_owned())
    };
    let words: Vec<(u32, String)> = text.lines().map(read).collect();
    let arguments: Vec<String> = words.iter().map(|(word, _)| format!("{word:08x}")).collect();
    let arguments: Vec<&str> =
        ["disasm", "--config", "w16"].into_iter().chain(arguments.iter().map(String::as_str)).collect();
    let said = stdout("golden", &arguments);
    assert_eq!(said.lines().count(), words.len());
    let other = words.iter().zip(said.lines()).find(|((_, name), said)| said.split(' ').next() != Some(name.as_str()));
    (other.map(|((word, name), said)| format!("{word:08x} is {name}, and for the model {said}")), words.len())
}

#[test]
#[ignore = "needs a reader of riscv-opcodes: make test-all"]
fn a_parser_of_riscv_opcodes_reads_the_instructions_of_the_model_and_a_wrong_line_is_seen() {
    let files = root().join("docs/riscv-opcodes");
    let (found, words) = difference(&files);
    assert_eq!((found, words), (None, 20 * (27 + 43)));
    let folder = tempfile::tempdir().unwrap();
    for (name, from, to) in
        [("arg_lut.csv", "", ""), ("rv_tl", "", ""), ("rv_tlmx", "25=0 14..12=0 11..10=1", "25=0 14..12=0 11..10=3")]
    {
        let text = std::fs::read_to_string(files.join(name)).unwrap();
        assert!(text.contains(from));
        std::fs::write(folder.path().join(name), text.replacen(from, to, 1)).unwrap();
    }
    assert!(difference(folder.path()).0.is_some_and(|said| said.contains("mlae16")));
}
