// SPDX-License-Identifier: Apache-2.0
//! Mutants of a netlist: made, selected at run time, killed; and the netlist without one runs clean, or there is no
//! result.

use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

fn mutate(arguments: &[&str], yosys: Option<&str>) -> Output {
    // There `make setup-lint` puts Yosys.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::new(cargo_bin!("cosim"));
    command.arg("mutate").args(arguments).current_dir(root);
    if let Some(program) = yosys {
        command.env("YOSYS", program);
    }
    command.output().expect("cosim runs")
}

#[test]
fn mutants_of_the_rename_map_are_killed_and_the_report_counts_them() {
    let folder = tempfile::tempdir().expect("folder");
    let json = folder.path().join("score.json");
    let path = json.to_str().expect("path");
    // As many cases as the first round has, so that one model is built.
    let done = mutate(
        &[
            "--module",
            "tl_rename",
            "--count",
            "20",
            "--cases",
            "16",
            "--check",
            "20",
            "--at-least",
            "70",
            "--json",
            path,
        ],
        None,
    );
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&done.stderr));
    let report: Value = serde_json::from_slice(&std::fs::read(&json).expect("report")).expect("JSON");
    let mutants = report["mutants"].as_array().expect("list");
    assert_eq!((mutants.len(), &report["total"]["mutants"]), (20, &20.into()));
    let of = |verdict: &str| mutants.iter().filter(|mutant| mutant["verdict"] == verdict).count();
    assert_eq!(report["total"]["killed"], of("killed"));
    assert_eq!(of("killed") + of("timing") + of("equivalent") + of("argued") + of("survived"), 20);
    assert!(mutants.iter().all(|mutant| mutant["module"] == "tl_rename"), "{text}");
    assert!(text.contains("time to kill: median"), "{text}");
    // Facts that name a register which the RTL does not have any more are left out: here they would be missing. How many are
    // proven in their time depends on the machine.
    let facts = |kind: &str| report["facts"][kind].as_array().map_or(0, Vec::len);
    assert!(facts("proven") + facts("open") >= 19 && facts("proven") >= 10, "{}", report["facts"]);
}

#[test]
fn a_missing_yosys_and_bad_options_are_usage_errors() {
    let refused = |arguments: &[&str], yosys| {
        let done = mutate(arguments, yosys);
        assert_eq!(done.status.code(), Some(2), "{done:?}");
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    assert!(refused(&["--count", "5"], Some("/nowhere/yosys")).contains("YOSYS=/nowhere/yosys does not run"));
    assert!(refused(&["--count", "0"], None).contains("--count is 0; allowed: 1 to 65535"));
    assert!(refused(&["--config", "none"], None).contains("no configuration `none`"));
}
