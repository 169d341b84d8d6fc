// SPDX-License-Identifier: Apache-2.0
//! Mutants of the netlist and of the source: made, selected at run time, killed, proven; and the unit with all of them and
//! none selected runs clean, or there is no result.

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
#[ignore = "a minute: make test-all"]
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
            "12",
            "--cases",
            "16",
            "--check",
            "5",
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
    assert_eq!((mutants.len(), &report["total"]["mutants"]), (12, &12.into()));
    let of = |verdict: &str| mutants.iter().filter(|mutant| mutant["verdict"] == verdict).count();
    assert_eq!(report["total"]["killed"], of("killed"));
    assert_eq!(of("killed") + of("slower") + of("equivalent") + of("argued") + of("survived"), 12);
    assert!(mutants.iter().all(|mutant| mutant["module"] == "tl_rename"), "{text}");
    assert!(text.contains("time to kill: median"), "{text}");
    // A reason for a port that is told is an error, and the other mutants are not run.
    let told = mutants.iter().find(|mutant| mutant["verdict"] == "killed").expect("one");
    let there = mutants.iter().filter(|mutant| mutant["site"] == told["site"]).count();
    let reasons = folder.path().join("reasons.json");
    std::fs::write(&reasons, format!(r#"[{{"mutants":[{}],"because":"Nobody reads it."}}]"#, told["site"]))
        .expect("file");
    let list = ["--module", "tl_rename", "--count", "12", "--cases", "16", "--check", "0"];
    let argued = ["--argued", "--reviewed", reasons.to_str().expect("path"), "--json", path];
    let done = mutate(&[&list[..], &argued].concat(), None);
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(1), "{text}{}", String::from_utf8_lossy(&done.stderr));
    assert!(text.contains(&format!("WRONG: mutant {} is told, though the review says: Nobody", told["id"])), "{text}");
    let report: Value = serde_json::from_slice(&std::fs::read(&json).expect("report")).expect("JSON");
    assert_eq!(report["mutants"].as_array().expect("list").len(), there);
}

/// All mutants of the source of a module, or those that `more` asks for: what was printed, and the report.
fn mutants_of(module: &str, more: &[&str]) -> (String, Value) {
    let folder = tempfile::tempdir().expect("folder");
    let json = folder.path().join("score.json");
    let module = ["--source", "--module", module, "--count", "1000", "--cases", "16", "--check", "0"];
    let done = mutate(&[&module[..], more, &["--json", json.to_str().expect("path")]].concat(), None);
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&done.stderr));
    let report: Value = serde_json::from_slice(&std::fs::read(&json).expect("report")).expect("JSON");
    let length = |name: &str| report[name].as_array().expect("list").len();
    let total = &report["total"];
    let lengths = [&Value::from(length("mutants")), &length("refused").into()];
    assert_eq!([&total["mutants"], &total["refused"]], lengths);
    (text, report)
}

/// The mutant of a kind that changes `before` to `after`, in the list `name` of a report.
fn one<'a>(report: &'a Value, name: &str, [kind, before, after]: [&str; 3]) -> &'a Value {
    let list = report[name].as_array().expect("list");
    let is = |m: &&Value| m["kind"] == kind && m["before"] == before && m["after"] == after;
    list.iter().find(is).unwrap_or_else(|| panic!("no {kind} {before} -> {after} in {list:?}"))
}

#[test]
#[ignore = "half a minute: make test-all"]
fn mutants_of_the_source_are_killed_and_proven() {
    let (text, report) = mutants_of("tl_decode", &["--at-least", "94"]);
    for mutant in [
        ["constant", "8'd1", "8'd2"],
        ["operator", "!valid_o || ready_i", "!valid_o && ready_i"],
        ["negation", "ready_o", "!ready_o"],
        ["dropped_reset", "valid_o <= 1'b0;", ""],
        ["dropped_assignment", "csr_o <= csr;", ""],
        ["wrong_signal", "entry_i", "entry_o"],
    ] {
        assert_eq!(one(&report, "mutants", mutant)["verdict"], "killed", "{mutant:?}");
    }
    // Nothing reads it but what keeps a linter quiet.
    let unused = ["operator", "^{gpr, ours, undefined}", "|{gpr, ours, undefined}"];
    assert_eq!(one(&report, "mutants", unused)["verdict"], "equivalent");
    // What survives is shown with its place and text.
    let mutants = report["mutants"].as_array().expect("list");
    for survivor in mutants.iter().filter(|mutant| mutant["verdict"] == "survived") {
        let place =
            format!(" {}:{} {},", survivor["line"], survivor["column"], survivor["file"].as_str().expect("file"));
        assert!(text.contains(&place) && text.contains(survivor["after"].as_str().expect("text")), "{text}");
    }
}

#[test]
#[ignore = "half a minute: make test-all"]
fn mutants_of_bits_that_are_not_there_are_refused() {
    let (_, report) = mutants_of("tl_port_owner", &["--kind", "constant"]);
    assert_eq!(one(&report, "mutants", ["constant", "1'b0", "1'b1"])["verdict"], "killed");
    let (_, report) = mutants_of("tl_rename", &["--kind", "constant"]);
    one(&report, "refused", ["constant", "release_q[1]", "release_q[2]"]);
    assert_eq!(one(&report, "mutants", ["constant", "5'd0", "5'd1"])["verdict"], "killed");
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
    assert!(refused(&["--source", "--module", "none"], None).contains("there is no module \"none\""));
}
