// SPDX-License-Identifier: Apache-2.0
//! Planted faults: the bench catches every one, and its report runs the failure again.

use std::fs;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use cosim_bench::lockstep::failure::Cause;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::unit::fault_table::FAULTS;
use cosim_bench::unit::target::Target;

/// Instructions in which a fault must show.
const BUDGET: u64 = 30_000;

/// Configuration `tiny` as the model with the faults has it.
fn tiny() -> Target {
    cosim::workshop().with_faults().expect("tiny")
}

#[test]
fn every_planted_fault_is_caught() {
    let survivors: Vec<_> = FAULTS
        .iter()
        .filter(|fault| {
            let plan = Plan { seed: 1, instructions: BUDGET, jobs: 2, fault: fault.id };
            run(&tiny(), &plan, |_| ()).failed.is_none()
        })
        .map(|fault| (fault.id, fault.file, fault.description))
        .collect();
    assert!(survivors.is_empty(), "not caught: {survivors:#?}");
}

#[test]
fn every_fault_was_found_in_the_rtl() {
    assert_eq!(tiny().models.faults_not_planted().expect("RTL"), [""; 0]);
}

#[test]
fn without_a_fault_the_model_with_faults_runs_clean() {
    let case = cosim_bench::case::Case::new(&tiny(), 2, 0);
    let result =
        cosim_bench::run::executor::run_case(&tiny(), &case, cosim_bench::unit::ModelKind::Faults, 0, |_| Ok(()));
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn every_module_has_a_planted_fault() {
    let list = rtl_gen::generate(&tiny().rtl).into_iter().find(|file| file.name == "tl.f").expect("list");
    let without: Vec<_> = list
        .text
        .lines()
        .filter(|name| *name != "tl_pkg.sv" && FAULTS.iter().all(|fault| fault.file != *name))
        .collect();
    assert!(without.is_empty(), "modules without a planted fault: {without:?}");
}

#[test]
fn a_hang_is_a_failure() {
    let hangs = FAULTS.iter().any(|fault| {
        let plan = Plan { seed: 1, instructions: BUDGET, jobs: 2, fault: fault.id };
        let failed = run(&tiny(), &plan, |_| ()).failed;
        failed.is_some_and(|failed| matches!(failed.failure.cause, Cause::Hang { .. }))
    });
    assert!(hangs, "no planted fault stops the unit");
}

fn cosim(arguments: &[&str]) -> Output {
    Command::new(cargo_bin!("cosim")).args(arguments).output().expect("cosim runs")
}

/// The report up to the files that it names.
fn failure(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let start = text.find("tiny: ").expect("report");
    let report = text.split("\n\n").find(|part| part.contains("  again ")).unwrap_or(&text[start..]);
    report.split("  wave ").next().expect("report").trim().to_owned()
}

#[test]
fn the_command_of_a_report_reproduces_the_failure_and_a_waveform() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("failures");
    let out = out.to_str().expect("path");
    let fault = FAULTS.first().expect("a fault").id.to_string();
    let found =
        cosim(&["random", "--config", "tiny", "--seed", "3", "--count", "20000", "--fault", &fault, "--out", out]);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    let text = failure(&found);
    let command = text.lines().find_map(|line| line.trim().strip_prefix("again")).expect("command");
    let mut arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
    arguments.extend(["--out", out]);
    let again = cosim(&arguments);
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(failure(&again), text);
    let folders: Vec<_> = fs::read_dir(out).expect("folder").map(|entry| entry.expect("entry").path()).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    for (file, size) in [("report.md", 300), ("report.html", 5000), ("program.s", 300), ("wave.fst", 1000)] {
        assert!(fs::metadata(folders[0].join(file)).expect(file).len() > size, "{file}");
    }
}
