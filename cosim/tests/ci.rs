// SPDX-License-Identifier: Apache-2.0
//! What a CI job relies on: shards, time budget, reports, exit codes, signals.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::cosim;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("folder")
}

#[test]
#[ignore = "needs models of all configurations: make test-all"]
fn reports_have_a_case_for_each_configuration_and_no_failure() {
    let folder = folder();
    let done = cosim(folder.path(), "random --config tiny,int8 --count 600 --shard 2/3 --junit j.xml --summary s.md");
    assert_eq!(done.code, Some(0));
    let junit = fs::read_to_string(folder.path().join("j.xml")).expect("JUnit");
    for name in ["name=\"tiny shard 2/3\"", "name=\"int8 shard 2/3\"", "tests=\"2\" failures=\"0\""] {
        assert!(junit.contains(name), "{name} is missing: {junit}");
    }
    let summary = fs::read_to_string(folder.path().join("s.md")).expect("summary");
    assert!(summary.contains("no mismatch") && summary.contains("| tiny shard 2/3 | 1 | 1 |"), "{summary}");
}

#[test]
fn a_failure_has_its_seed_and_the_command_that_runs_it_again_in_the_message() {
    let folder = folder();
    let arguments = "random --config tiny --fault 16 --no-shrink --seed 5 --junit j.xml --summary s.md";
    assert_eq!(cosim(folder.path(), arguments).code, Some(1));
    let junit = fs::read_to_string(folder.path().join("j.xml")).expect("JUnit");
    let start = junit.find("<failure message=\"").expect("failure");
    let message = junit[start..].split('"').nth(1).expect("message");
    assert!(message.contains("seed 5; again: cosim random --config tiny --seed 5 --case "), "{message}");
    let again = message.split("again: cosim ").nth(1).expect("command");
    assert_eq!(cosim(folder.path(), &format!("{again} --no-shrink")).code, Some(1), "{again}");
    let summary = fs::read_to_string(folder.path().join("s.md")).expect("summary");
    assert!(summary.contains(&format!("cosim {again}")), "{summary}");
}

#[test]
fn a_run_goes_on_after_failures_and_is_the_same_whatever_the_number_of_threads() {
    let run = |fault: u32, jobs: u32, more: &str| {
        let folder = folder();
        let arguments = "random --config tiny --seed 2 --no-shrink --count 12000 --junit j.xml --summary s.md";
        let done = cosim(folder.path(), &format!("{arguments} --fault {fault} --jobs {jobs} {more}"));
        assert_eq!(done.code, Some(1), "{done:?}");
        let text = &done.out;
        // Speeds are in the table alone, which is there when a case has passed.
        let verdict = text.lines().last().expect("a line").to_owned();
        let report = text[..text.find("\n configuration").unwrap_or(text.len())].to_owned();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
        let folders = fs::read_dir(folder.path().join("failures")).expect("folder").count();
        (report, verdict, read("s.md"), read("j.xml"), folders)
    };
    let also = |text: &str| -> usize {
        let lists = text.split("; in the same way case").skip(1);
        let count = |list: &str| {
            let list = list.trim_start_matches('s').split(['\n', '|', '"']).next().unwrap_or_default();
            list.split(',').filter(|number| number.trim().parse::<u64>().is_ok()).count()
        };
        lists.map(count).sum()
    };
    // One fails in one way only, the other in several.
    for (fault, at_least) in [(34, 1), (16, 2)] {
        let (report, verdict, summary, junit, folders) = run(fault, 1, "--max-failures 5");
        let other = run(fault, 3, "--max-failures 5");
        assert_eq!((&report, &verdict, &summary, folders), (&other.0, &other.1, &other.2, other.4));
        assert!(verdict.starts_with("5 FAILED: "), "{verdict}");
        assert!(summary.contains("**5 cases failed**"), "{summary}");
        // Each way to fail has its report, each case its folder, beside them the page of the run; every other case is
        // named beside the one that it is like.
        let ways = report.matches("  again    cosim random").count();
        assert!((at_least..=5).contains(&ways) && folders == 6 && (fault == 16 || ways < 5), "{report}");
        assert_eq!((summary.matches("\n### tiny").count(), junit.matches("again: cosim random").count()), (ways, ways));
        assert_eq!([also(&report), also(&summary), also(&junit)], [5 - ways; 3], "{report}\n{summary}\n{junit}");
    }

    // Without it the first failure ends the run, and the table does not have what other threads did beyond it.
    let (one, three) = (run(16, 1, ""), run(16, 3, ""));
    assert_eq!((one.0, &one.1, one.2, one.4), (three.0, &three.1, three.2, 2));
    assert!(one.1.starts_with("1 FAILED: "), "{}", one.1);
}

#[test]
fn a_run_with_a_time_budget_ends_and_is_clean() {
    let folder = folder();
    let start = Instant::now();
    let done = cosim(folder.path(), "random --config tiny --for 1s --summary s.md");
    assert_eq!(done.code, Some(0));
    assert!(start.elapsed() < Duration::from_secs(60));
    let summary = fs::read_to_string(folder.path().join("s.md")).expect("summary");
    assert!(summary.contains("ok, time up"), "{summary}");
}

#[test]
fn bad_usage_and_files_that_cannot_be_written_are_errors_before_the_run() {
    let folder = folder();
    fs::write(folder.path().join("file"), "").expect("file");
    let cases = [
        ("--shard 5/4", "1 <= I <= N"),
        ("--for soon", "invalid value 'soon'"),
        ("--max-failures 0", "invalid value '0' for '--max-failures <N>'"),
        ("--fault 1 --until-covered", "--fault does not go with --until-covered"),
        (
            "--fault 1 --rtl-coverage d",
            "--fault does not go with --rtl-coverage: planted faults are in models of their own",
        ),
        ("--fault 1 --case 3 --bins 4", "--fault does not go with --bins"),
        ("--count 0", "--count is 0; allowed: 1 and more"),
        ("--junit no/j.xml", "cannot write no/j.xml"),
        ("--summary file/s.md", "cannot write file/s.md"),
        ("--out file", "cannot create the folder file"),
    ];
    for (arguments, message) in cases {
        cosim(folder.path(), &format!("random --config tiny {arguments}")).refused(message);
    }
}
