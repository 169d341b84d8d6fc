// SPDX-License-Identifier: Apache-2.0
//! Mutants of the source: made, selected at run time, refused, killed, proven; and the unit with all of them and none
//! selected runs clean, or there is no result.

use std::path::Path;
use std::process::Command;

use crate::common::{COSIM, Done, run};
use serde_json::Value;

fn mutate(arguments: &[&str], yosys: Option<&str>) -> Done {
    // There `make setup-lint` puts Yosys.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::new(COSIM);
    run(command.arg("mutate").args(arguments).current_dir(root).envs(yosys.map(|program| ("YOSYS", program))))
}

/// All mutants of a module, or those that `more` asks for: exit code, what was printed, and the list of the report.
fn mutants_of(module: &str, more: &[&str]) -> (Option<i32>, String, Vec<Value>) {
    let folder = tempfile::tempdir().expect("folder");
    let json = folder.path().join("score.json");
    let module = ["--module", module, "--count", "1000", "--cases", "16"];
    let done = mutate(&[&module[..], more, &["--json", json.to_str().expect("path")]].concat(), None);
    let text = done.out;
    assert!(json.exists(), "{text}{}", done.err);
    let phases = ["Verible reads the RTL", " mutants that are no RTL", " mutants is made"];
    assert!(phases.iter().all(|phase| done.err.contains(phase)), "{}", done.err);
    let report: Value = serde_json::from_slice(&std::fs::read(&json).expect("report")).expect("JSON");
    let mutants = report["mutants"].as_array().expect("list").clone();
    let count = |verdict: &str| mutants.iter().filter(|mutant| mutant["verdict"] == verdict).count();
    for verdict in ["refused", "killed", "equivalent", "slower", "survived"] {
        assert_eq!(report["total"][verdict], count(verdict), "{verdict}");
    }
    let counted = mutants.len() - count("refused") - count("equivalent");
    let score = format!("score: {:.2} %", 100.0 * count("killed") as f64 / counted as f64);
    assert!(text.contains(&score), "{score} in {text}");
    (done.code, text, mutants)
}

/// The verdict on the mutant of a kind that changes `before` to `after`.
fn verdict<'a>(mutants: &'a [Value], [kind, before, after]: [&str; 3]) -> &'a str {
    let is = |m: &&Value| m["kind"] == kind && m["before"] == before && m["after"] == after;
    let found = mutants.iter().find(is).unwrap_or_else(|| panic!("no {kind} {before} -> {after} in {mutants:?}"));
    found["verdict"].as_str().expect("a verdict")
}

#[test]
#[ignore = "half a minute: make test-all"]
fn mutants_are_killed_and_proven() {
    let (code, text, mutants) = mutants_of("tl_decode", &["--at-least", "94"]);
    assert_eq!(code, Some(0), "{text}");
    for mutant in [
        ["operator", "!valid_o || ready_i", "!valid_o && ready_i"],
        ["negation", "ready_o", "!ready_o"],
        ["dropped_reset", "valid_o <= 1'b0;", ""],
        ["dropped_assignment", "csr_o <= csr;", ""],
        ["wrong_signal", "entry_i", "entry_o"],
    ] {
        assert_eq!(verdict(&mutants, mutant), "killed", "{mutant:?}");
    }
    let (_, _, sizes) = mutants_of("tl_xpose_sizes", &["--kind", "constant"]);
    assert_eq!(verdict(&sizes, ["constant", "8'd1", "8'd2"]), "killed");
    // Nothing reads it but what keeps a linter quiet.
    let unused = ["operator", "^{gpr, ours, undefined}", "|{gpr, ours, undefined}"];
    assert_eq!(verdict(&mutants, unused), "equivalent");
    // What survives is shown with its place and text.
    for survivor in mutants.iter().filter(|mutant| mutant["verdict"] == "survived") {
        let place =
            format!(" {}:{} {},", survivor["line"], survivor["column"], survivor["file"].as_str().expect("file"));
        assert!(text.contains(&place) && text.contains(survivor["after"].as_str().expect("text")), "{text}");
    }
}

#[test]
#[ignore = "half a minute: make test-all"]
fn bits_that_are_not_there_are_refused_and_a_low_score_fails() {
    let (code, text, mutants) = mutants_of("tl_rename", &["--kind", "constant", "--at-least", "100.1"]);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(verdict(&mutants, ["constant", "release_q[1]", "release_q[2]"]), "refused");
    assert_eq!(verdict(&mutants, ["constant", "5'd0", "5'd1"]), "killed");
}

#[test]
fn a_missing_yosys_and_bad_options_are_usage_errors() {
    let refused = |arguments: &[&str], message: &str| mutate(arguments, None).refused(message);
    mutate(&["--count", "5"], Some("/nowhere/yosys")).refused("YOSYS=/nowhere/yosys does not run");
    refused(&["--count", "0"], "0 is not in 1..65535");
    refused(&["--config", "none"], "no configuration `none`");
    refused(&["--module", "none"], "there is no module \"none\"");
    let unknown = ["--module", "tl_decode", "--count", "5", "--mutant", "2,6"];
    refused(&unknown, "the list has no mutant 6; it has 1 to 5");
}
