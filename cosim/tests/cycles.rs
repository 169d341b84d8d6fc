// SPDX-License-Identifier: Apache-2.0
//! The unit takes the clock cycles that `tests/cycles.json` has, and a file that says otherwise is refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use cosim_bench::performance::cycles::{CASES, CASES_FOR_MUTANTS, Pinned, compare, measure};

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cycles.json")
}

fn cosim(file: &Path) -> Output {
    Command::new(cargo_bin!("cosim")).arg("cycles").arg("--file").arg(file).output().expect("cosim runs")
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn no_pinned_case_takes_another_number_of_cycles_whatever_the_number_of_threads() {
    let text = std::fs::read_to_string(committed()).expect("cycles.json");
    let before: Vec<Pinned> = serde_json::from_str(&text).expect("JSON");
    let now = measure(&cosim::workshop(), "all", 2).expect("no case fails");
    let (text, same) = compare(&before, &now);
    assert!(same, "{text}\n\nIf the change is wanted: cosim check cycles --update");
    let cases: Vec<u64> = now.iter().map(|unit| unit.cycles.len() as u64).collect();
    assert!(
        cases.iter().filter(|&&cases| cases == CASES).count() == now.len() - 1 && cases.contains(&CASES_FOR_MUTANTS),
        "{cases:?}"
    );
}

#[test]
fn a_file_that_is_missing_or_damaged_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("cycles.json");
    let refused = |wanted: &str| {
        let done = cosim(&path);
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{text}");
        assert!(text.contains("cycles.json") && text.contains(wanted), "{text}");
    };
    refused("cannot read");
    for text in ["", "[", "{}", "[{\"config\":\"w16\",\"stimulus\":\"\",\"cycles\":[-1]}]", "[{\"config\":1}]"] {
        std::fs::write(&path, text).expect("file");
        refused("is no file with cycles");
    }
    std::fs::write(&path, vec![b' '; (1 << 20) + 1]).expect("file");
    refused("more than 1048576 bytes");
}

#[test]
fn a_configuration_out_of_a_file_can_be_pinned_beside_the_others() {
    let folder = tempfile::tempdir().expect("folder");
    let (own, file) = (folder.path().join("own.toml"), folder.path().join("cycles.json"));
    let toml = "name = \"own\"\nlanes = 8\nreg_bytes = 64\nelement_widths = [8]\nl1m_bytes = 4096\nl0m_bytes = 4096\n";
    std::fs::write(&own, toml).expect("written");
    std::fs::copy(committed(), &file).expect("copied");
    let cycles = |more: &[&str]| {
        let mut command = Command::new(cargo_bin!("cosim"));
        command.arg("cycles").arg("--config").arg(&own).arg("--file").arg(&file).args(more);
        let done = command.output().expect("cosim runs");
        (done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned())
    };
    let (code, text) = cycles(&[]);
    assert!(code == Some(1) && text.contains("own: not in the file"), "{text}");
    assert_eq!(cycles(&["--update"]).0, Some(0));
    let (code, text) = cycles(&[]);
    assert!(code == Some(0) && text.contains("own") && !text.contains("w16"), "{text}");
    let units = |file: &Path| std::fs::read_to_string(file).expect("file").matches("\"config\"").count();
    assert_eq!(units(&file), units(&committed()) + 1, "the others stay");
}
