// SPDX-License-Identifier: Apache-2.0
//! Planted faults: the bench catches every one, and its report runs the failure again.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use cosim_bench::case::replay::Replay;
use cosim_bench::cli::program::{Code, Program};
use cosim_bench::lockstep::failure::Cause;
use cosim_bench::lockstep::{Lockstep, Setup};
use cosim_bench::run::executor::run_case;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::faults::{FAULTS, Fault};
use cosim_bench::unit::target::Target;
use golden::decode::decode;

/// Instructions in which a fault must show.
const BUDGET: u64 = 30_000;

/// Configuration `tiny` as the model with the faults has it.
fn tiny() -> Target {
    cosim::workshop().with_faults().expect("tiny")
}

#[test]
fn every_planted_fault_is_caught() {
    let tiny = tiny();
    for fault in FAULTS.iter() {
        let Fault { id, file, description, .. } = fault;
        let plan = Plan { seed: 1, instructions: BUDGET, jobs: 2, fault: *id };
        let failed = run(&tiny, &plan, |_| ()).failed;
        let Some(failed) = failed else { panic!("fault {id}, {file}, {description}: not caught") };
        // One of an instruction of its own shows there, and nowhere else.
        if let Some(of) = fault.of {
            let at = failed.failure.at.and_then(|(_, word, _)| decode(word, &tiny.golden).mnemonic());
            assert_eq!(at, Some(of), "fault {id}, {description}: {:?}", failed.failure.cause);
        }
    }
}

/// The holes that ordinary programs did not reach for long, each with the seeds that are used first.
#[test]
fn twenty_thousand_random_instructions_find_what_few_programs_reach() {
    let tiny = tiny();
    for id in 61..=67 {
        for seed in 1..=3 {
            let plan = Plan { seed, instructions: 20_000, jobs: 2, fault: id };
            assert!(run(&tiny, &plan, |_| ()).failed.is_some(), "fault {id}, seed {seed}");
        }
    }
}

/// The program hangs, or stores something else, where the first slice of an access joins the access before.
#[test]
fn a_copy_of_blocks_tells_joins_across_instructions() {
    let w16 = cosim::workshop().target("w16").expect("w16");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/copy_blocks.s");
    let mut program = Program::read(&w16, &path, None, None).expect("program");
    program.fill_l1m(&w16);
    for (fault, fails) in [(0, false), (61, true), (62, true)] {
        let setup = Setup { fault, ..program.setup.clone() };
        let mut bench = Lockstep::new(&w16, ModelKind::Faults, &setup).expect("model");
        let ran = match &program.code {
            Code::Program(code) => {
                bench.load(code).expect("it fits");
                bench.run_program(program.limit).map(|_| ())
            }
            Code::Stream(words) => bench.run(words),
        };
        let result = ran.and_then(|()| bench.finish());
        assert_eq!(result.is_err(), fails, "fault {fault}: {:?}", result.err());
    }
}

/// The small cases of these faults tell them, whatever else changes: they are the programs of a class of mistakes.
#[test]
fn the_replay_files_of_joins_shared_words_and_resets_tell_their_faults() {
    let workshop = cosim::workshop();
    for fault in (61..=66).chain([73]) {
        let path = format!("{}/../tests/regressions/fault{fault}.json", env!("CARGO_MANIFEST_DIR"));
        let case = Replay::load(&workshop, Path::new(&path)).expect("readable").0.case;
        assert!(run_case(&tiny(), &case, ModelKind::Faults, 0, |_| Ok(())).is_ok(), "{path}");
        assert!(run_case(&tiny(), &case, ModelKind::Faults, fault, |_| Ok(())).is_err(), "{path}");
    }
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
    let list =
        rtl_gen::generate(&tiny().rtl).expect("files").into_iter().find(|file| file.name == "tl.f").expect("list");
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
    let entries = fs::read_dir(out).expect("folder").map(|entry| entry.expect("entry").path());
    // Beside it is the page of the run.
    let folders: Vec<_> = entries.filter(|path| !path.ends_with("index.html")).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    for (file, size) in [("report.md", 300), ("report.html", 5000), ("program.s", 300), ("wave.fst", 1000)] {
        assert!(fs::metadata(folders[0].join(file)).expect(file).len() > size, "{file}");
    }
}
