// SPDX-License-Identifier: Apache-2.0
//! Planted faults: the bench catches every one, and its report runs the failure again.

use std::fs;
use std::path::Path;

use crate::common::{Done, case_folder, cosim_with, tiny};
use cosim_bench::case::replay::Replay;
use cosim_bench::lockstep::failure::Cause;
use cosim_bench::random::random_case;
use cosim_bench::run::executor::run_case;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::faults::{FAULTS, Fault};
use cosim_bench::unit::poison;
use golden::decode::decode;

/// Instructions in which a fault must show.
const BUDGET: u64 = 30_000;

/// Some of them stop the unit.
#[test]
fn every_planted_fault_is_caught() {
    let tiny = tiny();
    let mut hangs = 0;
    for fault in FAULTS.iter() {
        let Fault { id, file, description, .. } = fault;
        let plan = Plan { seed: 1, instructions: BUDGET, jobs: 2, fault: *id };
        let failed = run(&tiny, &plan, |_| ()).failed;
        let Some(failed) = failed else { panic!("fault {id}, {file}, {description}: not caught") };
        hangs += usize::from(matches!(failed.failure.cause, Cause::Hang { .. }));
        // One of an instruction of its own shows there, or at its second encoding, and nowhere else.
        if let Some(of) = fault.of.as_deref() {
            let at = failed.failure.at.and_then(|(_, word, _)| decode(word, &tiny.golden).mnemonic());
            let at = at.unwrap_or_default();
            let second = at.strip_suffix(".rs1").or(at.strip_prefix("tl."));
            assert!(at == of || second == Some(of), "fault {id}, {description}: {at}, {:?}", failed.failure.cause);
        }
    }
    assert!(hangs > 0, "no planted fault stops the unit");
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
fn all_poison_is_in_the_models() {
    let sources = tiny().models.sources().expect("RTL");
    assert_eq!(poison::plant(sources.files).1, [""; 0]);
}

/// Memories of this simulation give the old word where the target's may give any.
#[test]
fn poison_alone_finds_a_read_of_what_is_written() {
    let target = tiny();
    let poisoned = |number| random_case(&target, 1, number).setup.seed % 2 == 1;
    let failed = |number| {
        let case = random_case(&target, 1, number);
        run_case(&target, &case, ModelKind::Faults, 192, |_| Ok(())).is_err()
    };
    let (with, without): (Vec<u64>, Vec<u64>) = (0..60).partition(|&number| poisoned(number));
    assert!(with.into_iter().any(failed) && !without.into_iter().any(failed));
}

#[test]
fn every_module_has_a_planted_fault() {
    let list =
        rtl_gen::generate(&tiny().rtl).expect("files").into_iter().find(|file| file.name == "tl.f").expect("list");
    let without: Vec<_> = list
        .text
        .lines()
        .filter(|name| !["+incdir+.", "tl_pkg.sv"].contains(name) && FAULTS.iter().all(|fault| fault.file != *name))
        .collect();
    assert!(without.is_empty(), "modules without a planted fault: {without:?}");
}

/// The report up to the files that it names.
fn failure(output: &Done) -> String {
    let text = &output.out;
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
        cosim_with(&["random", "--config", "tiny", "--seed", "3", "--count", "20000", "--fault", &fault, "--out", out]);
    assert_eq!(found.code, Some(1), "{found:?}");
    let text = failure(&found);
    let command = text.lines().find_map(|line| line.trim().strip_prefix("again")).expect("command");
    let mut arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
    arguments.extend(["--out", out]);
    let again = cosim_with(&arguments);
    assert_eq!(again.code, Some(1));
    assert_eq!(failure(&again), text);
    let case = case_folder(Path::new(out));
    for (file, size) in [("report.md", 300), ("report.html", 5000), ("program.s", 300), ("wave.fst", 1000)] {
        assert!(fs::metadata(case.join(file)).expect(file).len() > size, "{file}");
    }
}
