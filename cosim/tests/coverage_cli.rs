// SPDX-License-Identifier: Apache-2.0
//! The program and coverage: exit codes, files, a steered case on its own.

use std::fs;
use std::sync::Arc;

use crate::common::{cosim, target_of};
use cosim_bench::coverage::bins::Bins;
use cosim_bench::coverage::file::{Coverage, Covered};
use cosim_bench::coverage::hits::Hits;
use tempfile::TempDir;

/// All that `cosim` prints in a folder, where it ends with this exit code.
#[track_caller]
fn ends(folder: &TempDir, arguments: &str, code: i32) -> String {
    cosim(folder.path(), arguments).with_code(code)
}

#[test]
fn until_covered_writes_its_coverage_and_report_reads_it() {
    let folder = tempfile::tempdir().expect("folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    let text = ends(&folder, "random --config tiny --until-covered --coverage c.json --coverage-html c.html", 0);
    assert!(text.contains("bins hit, 100.0 %"), "{text}");
    let html = read("c.html");
    assert!(html.contains("Every bin that can occur was hit") && !html.contains("http"), "self-contained");
    // What is missing is a picture and a number; names and cells are folded away.
    ends(&folder, "random --config tiny --count 256 --coverage-html c.html", 0);
    let html = read("c.html");
    let first = html.split("<details").next().expect("a beginning");
    assert!(
        first.contains(" bins not hit</b>") && !first.contains("<li>") && !html.contains("<details open"),
        "{first}"
    );
    assert!(html.contains(" missing</b>") && html.contains("<li>"), "{first}");
    let text = ends(&folder, "coverage report c.json", 0);
    assert!(text.contains("100.0 %") && text.contains("what is added is not negative"), "{text}");
    let report: serde_json::Value =
        serde_json::from_str(&ends(&folder, "coverage report c.json --json -", 0)).expect("JSON");
    assert_eq!(report[0]["missing"], serde_json::json!([]));
    assert_eq!(report[0]["hit"], report[0]["possible"]);

    // A bin that cannot occur and was hit all the same is not passed over.
    let refuted = "\"hits\": {\n        \"saturation: tl.addi, e4, 0, both\": 1,";
    let bad = read("c.json").replacen("\"hits\": {", refuted, 1);
    fs::write(folder.path().join("bad.json"), bad).expect("written");
    assert!(ends(&folder, "coverage report bad.json", 1).contains("hit although the table says"));

    ends(&folder, "coverage merge c.json c.json --out sum.json", 0);
    ends(&folder, "coverage merge sum.json c.json -o sum.json", 0);
    assert_eq!(cases(&read("sum.json")), 3 * cases(&read("c.json")));
}

/// Cases of the first configuration of a coverage file.
fn cases(json: &str) -> u64 {
    let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    value["configurations"][0]["cases"].as_u64().expect("number")
}

/// Their bins do not count the same.
#[test]
fn configurations_of_one_name_that_differ_are_not_added() {
    let folder = tempfile::tempdir().expect("folder");
    let file = |name: &str, l1m_bytes: u32| {
        let text = format!("name = \"mine\"\nlanes = 8\nreg_bytes = 64\nl1m_bytes = {l1m_bytes}\nl0m_bytes = 4096\n");
        let target = target_of(&text);
        let (bins, mut hits) = (Arc::new(Bins::new(&target)), Hits::default());
        hits.cases = 1;
        let mut coverage = Coverage::default();
        coverage.add(Covered { target, bins, hits });
        coverage.write(&folder.path().join(name)).expect("written");
    };
    file("one.json", 4096);
    file("other.json", 8192);
    file("like.json", 4096);
    cosim(folder.path(), "coverage merge one.json other.json -o sum.json")
        .refused("other.json: configuration \"mine\" has other parameters than in an earlier file");
    ends(&folder, "coverage merge one.json like.json -o sum.json", 0);
}

#[test]
fn bins_that_are_missing_are_named_and_the_exit_code_is_1() {
    let folder = tempfile::tempdir().expect("folder");
    let text = ends(&folder, "random --config tiny --until-covered --count 100", 1);
    assert!(text.contains("bins not hit:") && text.contains("and ") && text.contains(" more"), "{text}");
}

#[test]
fn a_case_for_bins_runs_on_its_own() {
    let folder = tempfile::tempdir().expect("folder");
    let once = |bins| ends(&folder, &format!("random --config tiny --seed 3 --case 40 --bins {bins}"), 0);
    // The first one may say that it makes the model.
    once("5");
    assert_eq!(once("5,10-12"), once("5,10-12"));
    assert_ne!(once("5,10-12"), once("6,10-12"));
}

/// A crash is a failure of the case, and the report names the command that makes the same case.
#[test]
fn a_case_for_bins_that_crashes_is_reported() {
    let folder = tempfile::tempdir().expect("folder");
    let crash = "--out out --no-shrink --self-test abort:tl.load";
    let text = ends(&folder, &format!("random --config tiny --case 40 --bins 2,10-12 {crash}"), 1);
    assert!(text.contains("cosim random --config tiny --seed 1 --case 40 --bins 2,10-12"), "{text}");
    ends(&folder, "replay out/tiny-seed1-case40/original.json", 0);
    let text = ends(&folder, &format!("random --config tiny --until-covered {crash}"), 1);
    assert!(text.contains("SIGABRT"), "{text}");
}

/// What a run with a planted fault leaves behind: its text but for the speeds of the table, its coverage, and its
/// reports.
fn with_a_fault(options: &str) -> [String; 4] {
    let folder = tempfile::tempdir().expect("folder");
    let run = "random --config tiny --fault 8 --seed 10 --no-shrink --count 12000";
    let files = "--coverage c.json --coverage-html c.html --summary s.md";
    let text = ends(&folder, &format!("{run} {files} {options}"), 1);
    let without_speed = |line: &str| match line
        .trim_start()
        .strip_prefix("tiny ")
        .and_then(|row| row.trim_start().strip_prefix("random "))
    {
        Some(row) => row.split_whitespace().take(6).collect::<Vec<_>>().join(" "),
        None => line.to_owned(),
    };
    let text = text.lines().map(|line| without_speed(line) + "\n").collect();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    [text, read("c.json"), read("c.html"), read("s.md")]
}

#[test]
fn a_failing_run_hits_the_same_whatever_the_number_of_threads() {
    // The first run says that it makes the model, when there is none.
    with_a_fault("--jobs 1");
    let first = with_a_fault("--jobs 1");
    assert_eq!(first, with_a_fault("--jobs 4"));
    assert!(first[0].contains(" bins hit, ") && cases(&first[1]) > 0, "{}", first[0]);
    // It goes on when it is told to, and what the cases in between hit counts.
    let more = with_a_fault("--jobs 1 --max-failures 4");
    assert_eq!(more, with_a_fault("--jobs 4 --max-failures 4"));
    assert!(more[3].contains("**4 cases failed**") && cases(&more[1]) > cases(&first[1]), "{}", more[0]);
}

#[test]
fn bad_input_ends_with_2_and_says_why() {
    let folder = tempfile::tempdir().expect("folder");
    let refused = |arguments: &str, message: &str| cosim(folder.path(), arguments).refused(message);
    fs::write(folder.path().join("c.json"), "{\"format\": \"something else\"}").expect("written");
    refused("coverage report c.json", "not a coverage file");
    refused("coverage merge c.json -o never", "not a coverage file");
    fs::write(folder.path().join("c.json"), [0xff, 0xfe, 0]).expect("written");
    refused("coverage report c.json", "cannot read");
    refused("coverage report /nowhere.json", "cannot read /nowhere.json");
    refused("coverage merge -o x", "Usage");
    for bad in ["x", "3-1", "1,", "99999", "0-40"] {
        refused(&format!("random --config tiny --case 1 --bins {bad}"), "--bins");
    }
    refused("random --config tiny --bins 1", "--case");
    refused("random --config tiny --count 256 --coverage /nowhere/c.json", "cannot write /nowhere/c.json");
    refused("random --config tiny --case 1 --rtl-coverage out", "cannot be used with");
    for command in ["coverage --help", "coverage merge --help", "coverage report --help"] {
        assert!(ends(&folder, command, 0).contains("Usage"));
    }
}

#[test]
#[ignore = "half a minute: make test-all"]
fn lines_and_toggles_of_the_rtl_are_counted() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("rtl");
    let text = ends(&folder, "random --config tiny --count 256 --rtl-coverage rtl", 0);
    let (_, figures) = text.split_once("tiny: RTL: ").expect("figures");
    let numbers: Vec<u32> = figures.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    let [lines, all_lines, bits, all_bits] = numbers[..4] else { panic!("{figures}") };
    assert!(lines < all_lines && 10 * lines > 8 * all_lines && all_lines > 500, "{figures}");
    assert!(bits < all_bits && 2 * bits > all_bits && all_bits > 10_000, "{figures}");
    // What a case of 256 instructions does not reach is marked in the sources, and what it reaches is not.
    let source = |name: &str| fs::read_to_string(path.join("tiny").join(name)).expect("a source with counts");
    let queue = source("tl_queue.sv");
    assert!(queue.lines().any(|line| line.starts_with(" 0") && line.contains("head_q;")), "{queue}");
    let top = source("tl_top.sv");
    assert!(top.lines().any(|line| line.starts_with("%000000")), "{top}");
    assert!(path.join("tiny.dat").exists());
}
