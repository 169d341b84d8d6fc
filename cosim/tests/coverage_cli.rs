// SPDX-License-Identifier: Apache-2.0
//! The program and coverage: exit codes, files, a steered case on its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use assert_cmd::cargo::cargo_bin;
use cosim_bench::coverage::bins::Bins;
use cosim_bench::coverage::file::{Coverage, Covered};
use cosim_bench::coverage::hits::Hits;

fn cosim(arguments: &[&str]) -> Output {
    Command::new(cargo_bin!("cosim")).args(arguments).output().expect("cosim runs")
}

#[track_caller]
fn ends(arguments: &[&str], code: i32) -> String {
    let output = cosim(arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

fn name(folder: &Path, file: &str) -> (PathBuf, String) {
    let path = folder.join(file);
    let text = path.to_str().expect("path").to_owned();
    (path, text)
}

#[test]
fn until_covered_writes_its_coverage_and_report_reads_it() {
    let folder = tempfile::tempdir().expect("folder");
    let (json_path, json) = name(folder.path(), "c.json");
    let (page_path, page) = name(folder.path(), "c.html");
    let text =
        ends(&["random", "--config", "tiny", "--until-covered", "--coverage", &json, "--coverage-html", &page], 0);
    assert!(text.contains("bins hit, 100.0 %"), "{text}");
    let html = fs::read_to_string(&page_path).expect("page");
    assert!(html.contains("Every bin that can occur was hit") && !html.contains("http"), "self-contained");
    // What is missing is a picture and a number; names and cells are folded away.
    ends(&["random", "--config", "tiny", "--count", "256", "--coverage-html", &page], 0);
    let html = fs::read_to_string(&page_path).expect("page");
    let first = html.split("<details").next().expect("a beginning");
    assert!(
        first.contains(" bins not hit</b>") && !first.contains("<li>") && !html.contains("<details open"),
        "{first}"
    );
    assert!(html.contains(" missing</b>") && html.contains("<li>"), "{first}");
    let text = ends(&["coverage", "report", &json], 0);
    assert!(text.contains("100.0 %") && text.contains("what is added is not negative"), "{text}");
    let report: serde_json::Value =
        serde_json::from_str(&ends(&["coverage", "report", &json, "--json", "-"], 0)).expect("JSON");
    assert_eq!(report[0]["missing"], serde_json::json!([]));
    assert_eq!(report[0]["hit"], report[0]["possible"]);

    // A bin that cannot occur and was hit all the same is not passed over.
    let bad = fs::read_to_string(&json_path).expect("file").replacen(
        "\"hits\": {",
        "\"hits\": {\n        \"saturation: tl.addi, e4, 0, both\": 1,",
        1,
    );
    let (bad_path, bad_name) = name(folder.path(), "bad.json");
    fs::write(&bad_path, bad).expect("written");
    assert!(ends(&["coverage", "report", &bad_name], 1).contains("hit although the table says"));

    let (sum_path, sum) = name(folder.path(), "sum.json");
    ends(&["coverage", "merge", &json, &json, "--out", &sum], 0);
    ends(&["coverage", "merge", &sum, &json, "-o", &sum], 0);
    let cases = |path: &Path| {
        let value: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).expect("file")).expect("JSON");
        value["configurations"][0]["cases"].as_u64().expect("number")
    };
    assert_eq!(cases(&sum_path), 3 * cases(&json_path));
}

/// Their bins do not count the same.
#[test]
fn configurations_of_one_name_that_differ_are_not_added() {
    let folder = tempfile::tempdir().expect("folder");
    let file = |name: &str, l1m_bytes: u32| {
        let text = format!("name = \"mine\"\nlanes = 8\nreg_bytes = 64\nl1m_bytes = {l1m_bytes}\nl0m_bytes = 4096\n");
        let target = cosim::workshop().of(rtl_gen::Config::from_toml(&text).expect("parameters")).expect("a target");
        let (bins, mut hits) = (Arc::new(Bins::new(&target)), Hits::default());
        hits.cases = 1;
        let mut coverage = Coverage::default();
        coverage.add(Covered { target, bins, hits });
        let (path, name) = self::name(folder.path(), name);
        coverage.write(&path).expect("written");
        name
    };
    let (one, other, like) = (file("one.json", 4096), file("other.json", 8192), file("like.json", 4096));
    let (_, sum) = name(folder.path(), "sum.json");
    let text = ends(&["coverage", "merge", &one, &other, "-o", &sum], 2);
    assert!(text.contains("other.json: configuration \"mine\" has other parameters than in an earlier file"), "{text}");
    ends(&["coverage", "merge", &one, &like, "-o", &sum], 0);
}

#[test]
fn bins_that_are_missing_are_named_and_the_exit_code_is_1() {
    let text = ends(&["random", "--config", "tiny", "--until-covered", "--count", "100"], 1);
    assert!(text.contains("bins not hit:") && text.contains("and ") && text.contains(" more"), "{text}");
}

#[test]
fn a_case_for_bins_runs_on_its_own() {
    let once = |bins| ends(&["random", "--config", "tiny", "--seed", "3", "--case", "40", "--bins", bins], 0);
    // The first one may say that it makes the model.
    once("5");
    assert_eq!(once("5,10-12"), once("5,10-12"));
    assert_ne!(once("5,10-12"), once("6,10-12"));
}

/// A crash is a failure of the case, and the report names the command that makes the same case.
#[test]
fn a_case_for_bins_that_crashes_is_reported() {
    let folder = tempfile::tempdir().expect("folder");
    let (_, out) = name(folder.path(), "out");
    let case = ["random", "--config", "tiny", "--case", "40", "--bins", "2,10-12", "--out", &out, "--no-shrink"];
    let text = ends(&[&case[..], &["--self-test", "abort:tl.load"]].concat(), 1);
    assert!(text.contains("cosim random --config tiny --seed 1 --case 40 --bins 2,10-12"), "{text}");
    let replay = folder.path().join("out/tiny-seed1-case40/original.json");
    ends(&["replay", replay.to_str().expect("path")], 0);
    let run = ["random", "--config", "tiny", "--until-covered", "--out", &out, "--no-shrink"];
    let text = ends(&[&run[..], &["--self-test", "abort:tl.load"]].concat(), 1);
    assert!(text.contains("SIGABRT"), "{text}");
}

/// What a run with a planted fault leaves behind: its text but for the speeds of the table, its coverage, and its
/// reports.
fn with_a_fault(jobs: &str, more: &[&str]) -> [String; 4] {
    let folder = tempfile::tempdir().expect("folder");
    let run = [
        "random",
        "--config",
        "tiny",
        "--fault",
        "8",
        "--seed",
        "8",
        "--no-shrink",
        "--count",
        "12000",
        "--jobs",
        jobs,
    ];
    let files = ["--coverage", "c.json", "--coverage-html", "c.html", "--summary", "s.md"];
    let done = Command::new(cargo_bin!("cosim")).current_dir(folder.path()).args(run).args(files).args(more).output();
    let done = done.expect("cosim runs");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(1), "{done:?}");
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
    let value = |json: &str| -> serde_json::Value { serde_json::from_str(json).expect("JSON") };
    let cases = |json: &str| value(json)["configurations"][0]["cases"].as_u64().expect("number");
    let first = with_a_fault("1", &[]);
    assert_eq!(first, with_a_fault("4", &[]));
    assert!(first[0].contains(" bins hit, ") && cases(&first[1]) > 0, "{}", first[0]);
    // It goes on when it is told to, and what the cases in between hit counts.
    let more = with_a_fault("1", &["--max-failures", "4"]);
    assert_eq!(more, with_a_fault("4", &["--max-failures", "4"]));
    assert!(more[3].contains("**4 cases failed**") && cases(&more[1]) > cases(&first[1]), "{}", more[0]);
}

#[test]
fn bad_input_ends_with_2_and_says_why() {
    let folder = tempfile::tempdir().expect("folder");
    let (path, file) = name(folder.path(), "c.json");
    fs::write(&path, "{\"format\": \"something else\"}").expect("written");
    assert!(ends(&["coverage", "report", &file], 2).contains("not a coverage file"));
    assert!(ends(&["coverage", "merge", &file, "-o", "/tmp/never"], 2).contains("not a coverage file"));
    fs::write(&path, [0xff, 0xfe, 0]).expect("written");
    assert!(ends(&["coverage", "report", &file], 2).contains("cannot read"));
    assert!(ends(&["coverage", "report", "/nowhere.json"], 2).contains("cannot read /nowhere.json"));
    assert!(ends(&["coverage", "merge", "-o", "x"], 2).contains("Usage"));
    let case = ["random", "--config", "tiny", "--case", "1", "--bins"];
    for bad in ["x", "3-1", "1,", "99999", "0-40"] {
        assert!(ends(&[&case[..], &[bad]].concat(), 2).contains("--bins"), "{bad}");
    }
    assert!(ends(&["random", "--config", "tiny", "--bins", "1"], 2).contains("--case"));
    ends(&["random", "--config", "tiny", "--until-covered", "--fault", "1"], 2);
    let unwritable = ["random", "--config", "tiny", "--count", "256", "--coverage", "/nowhere/c.json"];
    assert!(ends(&unwritable, 2).contains("cannot write /nowhere/c.json"));
    let counting = ["random", "--config", "tiny", "--case", "1", "--rtl-coverage", "out"];
    assert!(ends(&counting, 2).contains("cannot be used with"));
    for command in [&["coverage", "--help"][..], &["coverage", "merge", "--help"], &["coverage", "report", "--help"]] {
        assert!(ends(command, 0).contains("Usage"));
    }
}

#[test]
#[ignore = "half a minute: make test-all"]
fn lines_and_toggles_of_the_rtl_are_counted() {
    let folder = tempfile::tempdir().expect("folder");
    let (path, out) = name(folder.path(), "rtl");
    let run = ["random", "--config", "tiny", "--count", "256", "--rtl-coverage", &out];
    let text = ends(&run, 0);
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
