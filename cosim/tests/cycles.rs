// SPDX-License-Identifier: Apache-2.0
//! The unit takes the clock cycles that `tests/cycles.json` has, and a file that says otherwise is refused.

use std::fs;

use crate::common::{OWN, cosim, repository_text};
use cosim_bench::performance::cycles::{CASES, CASES_FOR_MUTANTS, Pinned, compare, measure};

const COMMITTED: &str = "tests/cycles.json";

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn no_pinned_case_takes_another_number_of_cycles_whatever_the_number_of_threads() {
    let before: Vec<Pinned> = serde_json::from_str(&repository_text(COMMITTED)).expect("JSON");
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
    let refused = |wanted: &str| {
        let done = cosim(folder.path(), "check cycles --file cycles.json");
        done.refused("cycles.json");
        done.refused(wanted);
    };
    let write = |text: &str| fs::write(folder.path().join("cycles.json"), text).expect("file");
    refused("cannot read");
    for text in ["", "[", "{}", "[{\"config\":\"w16\",\"stimulus\":\"\",\"cycles\":[-1]}]", "[{\"config\":1}]"] {
        write(text);
        refused("is no file with cycles");
    }
    write(&" ".repeat((1 << 20) + 1));
    refused("more than 1048576 bytes");
}

#[test]
fn a_configuration_out_of_a_file_can_be_pinned_beside_the_others() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("cycles.json");
    fs::write(folder.path().join("own.toml"), OWN).expect("written");
    fs::write(&file, repository_text(COMMITTED)).expect("written");
    let cycles =
        |more: &str| cosim(folder.path(), &format!("check cycles --config own.toml --file cycles.json {more}"));
    assert!(cycles("").with_code(1).contains("own: not in the file"));
    cycles("--update").with_code(0);
    let text = cycles("").with_code(0);
    assert!(text.contains("own") && !text.contains("w16"), "{text}");
    let units = |text: String| text.matches("\"config\"").count();
    let after = units(fs::read_to_string(&file).expect("file"));
    assert_eq!(after, units(repository_text(COMMITTED)) + 1, "the others stay");
}
