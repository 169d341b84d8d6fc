// SPDX-License-Identifier: Apache-2.0
//! Crashes are failures of their case, with a replay file, and not the end of the run.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{COSIM, case_folder, cosim_with, number, shell, until};
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

/// The first file of this kind in the folder of what is running, as soon as there is something in it; then all ends, as
/// if the machine did.
fn left_in_the_middle(folder: &Path, arguments: &str, kind: &str) -> PathBuf {
    let mut command = Command::new(COSIM);
    command.current_dir(folder).args(arguments.split(' ')).stdout(std::process::Stdio::null());
    let mut run = command.spawn().expect("starts");
    let running = folder.join("failures/running");
    let written =
        |path: &PathBuf| path.extension().is_some_and(|it| it == kind) && fs::read(path).is_ok_and(|it| !it.is_empty());
    let mut found = None;
    until("a file of a case", || {
        let entries = fs::read_dir(&running).into_iter().flatten().map(|entry| entry.expect("entry").path());
        found = { entries }.find(written);
        found.is_some()
    });
    run.kill().expect("killed");
    run.wait().expect("end");
    found.expect("a file")
}

#[test]
fn the_command_of_a_case_is_there_while_it_runs() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments = "random --config tiny --seed 4 --case 3 --self-test endless:tl.load --watchdog 60";
    let command = fs::read_to_string(left_in_the_middle(folder.path(), arguments, "txt")).expect("text");
    assert_eq!(command, "cosim random --config tiny --seed 4 --case 3\n");
    shell(folder.path(), &command).with_code(0);
}

#[test]
fn a_failure_that_was_not_reported_has_a_replay_file() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments = "random --config tiny --fault 8 --count 100000000 --max-failures 65535";
    let file = left_in_the_middle(folder.path(), arguments, "json");
    let said = cosim_with(&["replay", file.to_str().expect("path")]).with_code(1);
    assert!(said.contains("tiny: MISMATCH"), "{said}");
}
