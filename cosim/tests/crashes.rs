// SPDX-License-Identifier: Apache-2.0
//! Crashes are failures of their case, with a replay file, and not the end of the run.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use crate::common::{COSIM, case_folder, cosim_with, number, target};
use cosim_bench::unit::ModelKind;
use fst_reader::FstReader;

/// A random run in which every case with `tl.concat.1` ends its process like this.
#[track_caller]
fn crashes(how: &str, message: &str) {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("out");
    let test = format!("{how}:tl.concat.1");
    let path = |path: &Path| path.to_str().expect("path").to_owned();
    let arguments = ["random", "--config", "tiny", "--count", "1500", "--watchdog", "2", "--jobs", "2"];
    let output = cosim_with(&[&arguments[..], &["--out", &path(&out), "--self-test", &test]].concat());
    let text = &output.out;
    assert_eq!(output.code, Some(1), "{output:?}");
    assert!(text.contains("tiny: CRASH: ") && text.contains(message), "{text}");
    let case = case_folder(&out);
    for file in ["original.json", "replay.json", "program.s", "report.html", "wave.fst", "wave.gtkw", "wave.sucl"] {
        assert!(case.join(file).exists(), "{file}");
    }
    let at = text.lines().find(|line| line.starts_with("  at ")).expect("at");
    assert!(at.contains(": tl.concat.1 ") && at.ends_with("(the oldest in flight)"), "{at}");
    // The waveform ends where the process did.
    let wave = text.lines().find(|line| line.starts_with("  wave ")).expect("wave");
    let file = fs::File::open(case.join("wave.fst")).expect("waveform");
    let end = FstReader::open(BufReader::new(file)).expect("FST").get_header().end_time;
    let time = number(wave, "(the failure is at time ");
    assert!((time - 2..=time).contains(&end), "{wave}: {end}");
    let page = fs::read_to_string(case.join("report.md")).expect("page");
    assert!(page.contains("## In flight when it failed") && page.contains("| tl.concat.1 "), "{page}");
    // One instruction is left, the one that does it.
    let program = fs::read_to_string(case.join("program.s")).expect("program");
    let program: Vec<_> = program.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(program.len() == 1 && program[0].starts_with("tl.concat.1"), "{program:?}");
    assert!(program[0].ends_with("<== FAILS HERE"), "{program:?}");
    let replay = path(&case.join("replay.json"));
    let again = cosim_with(&["replay", &replay, "--self-test", &test, "--watchdog", "2"]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.out.contains(message) && again.out.contains(at), "{again:?}");
    assert_eq!(cosim_with(&["replay", &replay]).code, Some(0));
}

#[test]
fn an_abort_is_a_failure_of_the_case() {
    crashes("abort", "the process was ended by signal 6 (SIGABRT)");
}

#[test]
fn a_segmentation_fault_is_a_failure_of_the_case() {
    crashes("segfault", "the process was ended by signal 11 (SIGSEGV)");
}

#[test]
fn a_panic_is_a_failure_of_the_case() {
    crashes("panic", "the process ended with exit code 101: panicked at");
}

#[test]
fn an_exit_is_a_failure_of_the_case() {
    crashes("exit", "the process ended with exit code 3");
}

#[test]
fn a_loop_without_end_is_a_failure_of_the_case() {
    crashes("endless", "no answer within 2 s, the process was ended");
}

#[test]
fn the_cases_around_a_crash_are_run() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("path");
    // Cases without a matrix instruction run to their end, those after the crash among them.
    let arguments = ["random", "--config", "tiny,int8", "--count", "3000", "--no-shrink", "--out", out];
    let output = cosim_with(&[&arguments[..], &["--self-test", "abort:tl.xpose.23"]].concat());
    let text = &output.out;
    assert_eq!(output.code, Some(1));
    for config in ["tiny", "int8"] {
        assert!(text.contains(&format!("{config}: CRASH: ")), "{text}");
    }
    assert!(text.lines().last().expect("a line").starts_with("2 FAILED: "), "{text}");
}

#[test]
fn a_crash_names_the_instruction_in_flight_and_those_that_retired_before() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().to_str().expect("path");
    let arguments = ["random", "--config", "tiny", "--count", "3000", "--no-shrink", "--out", out];
    let output = cosim_with(&[&arguments[..], &["--self-test", "segfault:tl.xpose.23"]].concat());
    let text = &output.out;
    assert_eq!(output.code, Some(1), "{text}");
    let at = text.lines().find(|line| line.starts_with("  at ")).expect("at");
    assert!(at.contains(": tl.xpose.23 ") && at.ends_with("(the oldest in flight)"), "{at}");
    let retired: Vec<&str> = text.lines().filter(|line| line.contains("  cycle ") && line.contains("  pc ")).collect();
    assert_eq!(retired.len(), 8, "{text}");
    assert_eq!(number(retired[7], "") + 1, number(at, "instruction "), "{text}");
    assert!(!retired.iter().any(|line| line.contains("tl.xpose.23")), "{text}");
    // What it says comes from the run itself: in all of the program nothing retires beyond it.
    let page = fs::read_to_string(case_folder(folder.path()).join("report.md")).expect("page");
    assert!(page.contains("## The instruction, field by field") && page.contains("## The last retirements"), "{page}");
}

#[test]
fn a_replay_file_is_there_while_its_case_runs() {
    let folder = tempfile::tempdir().expect("folder");
    let out = folder.path().to_str().expect("path");
    let target = target("tiny");
    let model = target.models.make(ModelKind::Fast).expect("model");
    let request = format!("{{\"models\":[[\"fast\",{model:?}]],\"request\":{{\"Job\":{{\"number\":3}}}}}}\n");
    let toml = target.rtl.to_toml();
    let arguments = ["worker", "--toml", &toml, "--rtl-digest", "0", "--seed", "4", "--out", out];
    let mut child = Command::new(COSIM)
        .args(arguments)
        .args(["--self-test", "abort:tl.load"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("starts");
    // The pipe stays open: a worker ends with it.
    let mut pipe = child.stdin.take().expect("pipe");
    std::io::Write::write_all(&mut pipe, request.as_bytes()).expect("written");
    assert!(!child.wait().expect("ends").success());
    // Like a power cut: nothing had a chance to write anything at the end.
    let file = folder.path().join("running/tiny-seed4-case3.json");
    let replay = cosim_with(&["replay", file.to_str().expect("path")]);
    assert_eq!(replay.code, Some(0), "{replay:?}");
}
