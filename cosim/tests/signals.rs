// SPDX-License-Identifier: Apache-2.0
//! Runs that are ended from outside, and what they leave behind; threads that cannot be started.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{COSIM, Done, signal, until};

fn cosim(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(COSIM);
    command.current_dir(folder).args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Workers of a run in this folder.
fn workers(folder: &Path) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    let ours = |process: &fs::DirEntry| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let worker = String::from_utf8_lossy(&line).contains("\0worker\0");
        worker && fs::read_link(process.path().join("cwd")).is_ok_and(|place| place == folder)
    };
    processes.filter(ours).filter_map(|process| process.file_name().to_str()?.parse().ok()).collect()
}

/// Cases that never end, and a worker that nobody would wait for in ten minutes.
const ENDLESS: &str = "--self-test endless:tl.xpose.23 --watchdog 600";

#[test]
fn workers_end_with_the_run_that_started_them() {
    // A killed run, and one that is asked twice to end.
    for signals in [&["KILL"][..], &["TERM", "TERM"]] {
        let folder = tempfile::tempdir().expect("folder");
        let mut run =
            cosim(folder.path(), &format!("random --config tiny --for 10m --jobs 2 {ENDLESS}")).spawn().expect("cosim");
        // Both are in a case without an end soon.
        until("workers", || workers(folder.path()).len() == 2);
        std::thread::sleep(Duration::from_secs(2));
        for name in signals {
            signal(run.id(), name);
            std::thread::sleep(Duration::from_millis(200));
        }
        run.wait().expect("end");
        until("workers are left", || workers(folder.path()).is_empty());
    }
}

/// As when a job of Slurm is taken back, or its time is up: all of its processes get the signal.
#[test]
fn signals_for_all_processes_are_no_crashes() {
    let folder = tempfile::tempdir().expect("folder");
    let mut run = cosim(folder.path(), "random --config tiny --for 10m --jobs 2").spawn().expect("cosim");
    let at_work = || workers(folder.path()).len() == 2 && fs::read_dir(folder.path().join("failures/running")).is_ok();
    until("workers", at_work);
    std::thread::sleep(Duration::from_secs(1));
    for name in ["HUP", "INT", "TERM"] {
        workers(folder.path()).into_iter().for_each(|worker| signal(worker, name));
        std::thread::sleep(Duration::from_millis(300));
    }
    signal(run.id(), "TERM");
    assert_eq!(run.wait().expect("end").code(), Some(143));
    assert!(!folder.path().join("failures").exists(), "a failing case is left");
}

/// HUP is a terminal that goes away.
#[test]
fn an_interrupted_run_ends_in_order_and_is_an_error_in_its_reports() {
    for (name, number) in [("HUP", 1), ("INT", 2), ("TERM", 15)] {
        let folder = tempfile::tempdir().expect("folder");
        let mut run = cosim(folder.path(), "random --config tiny --for 10m --junit j.xml --summary s.md");
        let run = run.stdout(Stdio::piped()).spawn().expect("cosim");
        until("running", || folder.path().join("failures/running").exists());
        std::thread::sleep(Duration::from_secs(1));
        signal(run.id(), name);
        let done = Done::from(run.wait_with_output().expect("end"));
        assert_eq!(done.code, Some(128 + number), "{done:?}");
        assert!(done.out.contains("interrupted"), "{done:?}");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
        let error = format!("<error message=\"interrupted by signal {number}\"");
        let told = ["name=\"tiny\"", "errors=\"1\"", &error].iter().all(|part| read("j.xml").contains(part));
        assert!(told, "{}", read("j.xml"));
        assert!(read("s.md").starts_with("## cosim random: **interrupted**"), "{}", read("s.md"));
        assert!(!folder.path().join("failures").exists(), "something is left");
    }
}

#[test]
#[ignore = "half a minute: make test-all"]
fn a_run_that_is_killed_has_a_junit_file_that_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let arguments = "random --config tiny,int8 --for 40s --jobs 1 --junit j.xml --summary s.md";
    let mut run = cosim(folder.path(), arguments).spawn().expect("cosim");
    until("both are missing", || read("j.xml").matches("<error message=").count() == 2);
    until("one is done", || read("j.xml").matches("<error message=").count() == 1);
    signal(run.id(), "KILL");
    run.wait().expect("end");
    let junit = read("j.xml");
    assert!(junit.contains("errors=\"1\"") && junit.contains("has to go on, before this was done"), "{junit}");
    let missing = junit.split("<testcase").find(|case| case.contains("<error")).expect("missing");
    assert!(missing.contains("name=\"int8\""), "{junit}");
    assert!(read("s.md").contains("not complete") && read("s.md").contains("| int8 | | | | | | **missing** |"));
}

#[test]
fn shrinking_ends_at_a_signal() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments =
        "random --config tiny --count 20000 --jobs 1 --self-test endless:tl.xpose.23 --watchdog 12 --junit j.xml";
    let start = Instant::now();
    let mut run = cosim(folder.path(), arguments).spawn().expect("cosim");
    let original = || {
        let folders = fs::read_dir(folder.path().join("failures")).into_iter().flatten().filter_map(Result::ok);
        folders.map(|entry| entry.path().join("original.json")).find(|file| file.exists())
    };
    until("a failing case", || original().is_some());
    assert!(start.elapsed() >= Duration::from_secs(12), "it ended before the watchdog");
    let asked = Instant::now();
    signal(run.id(), "INT");
    assert_eq!(run.wait().expect("end").code(), Some(1), "the failure counts");
    assert!(asked.elapsed() < Duration::from_secs(11), "{:?}", asked.elapsed());
    let folder = original().expect("there").parent().expect("folder").to_owned();
    assert!(folder.join("report.html").exists());
}

#[test]
fn no_empty_folder_is_left_when_nothing_can_be_said() {
    let folder = tempfile::tempdir().expect("folder");
    for arguments in ["random --config tiny --count 300", "random --config tiny --case 3"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
        let code = cosim(folder.path(), arguments).stdout(full).status().expect("cosim").code();
        assert_eq!(code, Some(2));
        assert!(!folder.path().join("failures").exists(), "{arguments}");
    }
}

#[test]
fn threads_that_cannot_be_started_are_an_error() {
    let folder = tempfile::tempdir().expect("folder");
    let done = |arguments: &str, stack: &str| -> Done {
        let output = cosim(folder.path(), arguments).env("RUST_MIN_STACK", stack).stderr(Stdio::piped()).output();
        output.expect("cosim").into()
    };
    // No stack can be as large as this.
    for arguments in ["random --config tiny --jobs 2 --count 600", "random --config tiny --jobs 1 --count 600"] {
        done(arguments, "70000000000000").refused("cosim: cannot start a thread");
    }
    for jobs in ["0", "100000", "-1", "x"] {
        done(&format!("random --config tiny --jobs={jobs}"), "").refused("allowed: 1 to 1024");
    }
}
