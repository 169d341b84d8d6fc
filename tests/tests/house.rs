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
