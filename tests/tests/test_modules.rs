// SPDX-License-Identifier: Apache-2.0
//! The tests of each crate are one program, and no file with tests is left out of it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

#[test]
fn every_file_of_tests_is_a_module_of_its_program() {
    for folder in ["golden/tests", "rtl-gen/tests", "kernels/tests", "cosim/tests", "tests/tests"] {
        let folder = e2e::root().join(folder);
        let main = std::fs::read_to_string(folder.join("main.rs")).unwrap();
        let modules = main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
        let modules: BTreeSet<String> = modules.map(str::to_owned).collect();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let compiled = name == "main" || modules.contains(name);
            assert!(path.extension() != Some("rs".as_ref()) || compiled, "{} has no `mod {name};`", folder.display());
        }
    }
}

/// A test that `make test` leaves out says what it needs, or that it takes long, and which command runs it.
#[test]
fn tests_that_are_left_out_say_why_and_what_runs_them() {
    for folder in ["golden/tests", "rtl-gen/tests", "kernels/tests", "cosim/tests", "tests/tests"] {
        for entry in std::fs::read_dir(e2e::root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            for line in text.lines().filter(|line| line.starts_with("#[ignore")) {
                let reason =
                    line.strip_prefix("#[ignore = \"").and_then(|rest| rest.strip_suffix(": make test-all\"]"));
                let known = reason.is_some_and(|reason| reason.starts_with("needs ") || reason.ends_with(" minute"));
                assert!(known, "{}: {line}", path.display());
            }
        }
    }
}
