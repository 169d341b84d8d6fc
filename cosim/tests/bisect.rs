// SPDX-License-Identifier: Apache-2.0
//! The commit that broke a case is found in a history, also where some commits cannot be run.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{COSIM, break_lane_swap, run, write_tiny};
use cosim_bench::case::Origin;
use cosim_bench::case::replay::{self, Identity};
use cosim_bench::random::random_case;
use cosim_bench::shrink::in_process;
use cosim_bench::unit::target::RtlOptions;
use tempfile::TempDir;

const COMMITS: usize = 16;
/// The commit with the error.
const BROKEN: usize = 9;

fn git(repository: &Path, arguments: &[&str]) -> String {
    let who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").current_dir(repository).args(who).args(arguments).output().expect("git");
    assert!(done.status.success(), "{arguments:?}: {done:?}");
    String::from_utf8(done.stdout).expect("text").trim().to_owned()
}

/// Commits 0 to 15, tagged `c0` to `c15`; those of `unusable` list no files. One is merged. In the folder `rtl/tiny`,
/// and beside the repository a case that fails on the last of them.
fn history(unusable: &[usize]) -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    let repository = folder.path().join("repository");
    let rtl = repository.join("rtl/tiny");
    write_tiny(&rtl);
    git(&repository, &["init", "-q"]);
    let list = fs::read_to_string(rtl.join("tl.f")).expect("list");
    for number in 0..COMMITS {
        if number == BROKEN {
            break_lane_swap(&rtl);
        }
        if unusable.contains(&number) {
            fs::write(rtl.join("tl.f"), "// nothing\n").expect("written");
        } else {
            fs::write(rtl.join("tl.f"), &list).expect("written");
        }
        fs::write(repository.join("notes"), number.to_string()).expect("written");
        git(&repository, &["add", "-A"]);
        git(&repository, &["commit", "-q", "-m", &format!("change {number}")]);
        git(&repository, &["tag", &format!("c{number}")]);
        if number == 5 {
            let main = git(&repository, &["symbolic-ref", "--short", "HEAD"]);
            git(&repository, &["checkout", "-q", "-b", "side", "HEAD~2"]);
            git(&repository, &["commit", "-q", "--allow-empty", "-m", "beside"]);
            git(&repository, &["checkout", "-q", &main]);
            git(&repository, &["merge", "-q", "--no-ff", "-m", "merged", "side"]);
        }
    }
    let options = RtlOptions { rtl: Some(rtl), ..RtlOptions::default() };
    let target = cosim::workshop().with(&options).expect("RTL").target("tiny").expect("tiny");
    let failing = (0..).map(|number| (number, random_case(&target, 1, number)));
    let (number, case) = failing.take(50).find(|(_, case)| in_process(&target, 0, case).is_some()).expect("a failure");
    let origin = Origin { seed: 1, case: number, fault: 0 };
    replay::save(&folder.path().join("case.json"), &Identity::new(&target), origin, &case).expect("saved");
    folder
}

/// What `cosim bisect` prints, which must end with this exit code. A model that is not in the cache yet is told, too,
/// and left out here.
#[track_caller]
fn bisect(folder: &TempDir, good: &str, bad: &str, code: i32) -> String {
    let words = format!("bisect case.json --repository repository --good={good} --bad {bad}");
    let mut command = Command::new(COSIM);
    // As in a hook of another repository.
    command.envs(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].map(|name| (name, folder.path().join("other"))));
    let text = run(command.current_dir(folder.path()).args(words.split_whitespace())).with_code(code);
    text.lines().filter(|line| !line.starts_with("model ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_commit_with_the_error_is_found_and_the_repository_stays_as_it_is() {
    let folder = history(&[4, 12]);
    let repository = folder.path().join("repository");
    let state = || [git(&repository, &["rev-parse", "HEAD"]), git(&repository, &["status", "--porcelain"])];
    let before = state();
    let text = bisect(&folder, "c0", "HEAD", 0);
    let (steps, end) = text.split_once("first bad commit: ").expect("a commit");
    assert!(end.contains(&format!(" change {BROKEN}\n")) && end.contains("  rtl/tiny/tl_lane_swap.sv\n"), "{text}");
    assert_eq!(end.lines().count(), 2, "{text}");
    // Both ends, and half of what is left each time; two commits cannot be run.
    let runs = steps.lines().filter(|line| line.starts_with("  ")).count();
    assert!((4..=8).contains(&runs), "{text}");
    assert!(steps.contains("  passes\n") && steps.contains("  fails: "), "{text}");
    assert_eq!(state(), before);
    assert_eq!(bisect(&folder, "c0", "HEAD", 0), text);
}

#[test]
fn commits_that_cannot_be_run_leave_it_open_which_it_is() {
    let folder = history(&[7, 8]);
    let text = bisect(&folder, "c0", "HEAD", 1);
    let (steps, end) = text.split_once("one of these").expect("several");
    assert!(steps.contains("  cannot be run: "), "{text}");
    for number in [7, 8, BROKEN] {
        assert!(end.contains(&format!(" change {number}\n")), "{text}");
    }
    assert_eq!(end.lines().count(), 4, "{text}");
}

#[test]
fn ends_that_are_none_are_errors() {
    let folder = history(&[]);
    for (good, bad, message) in [
        ("c15", "c0", "--good c15 is no ancestor of --bad c0"),
        ("c3", "c3", "--good c3 is no ancestor of --bad c3"),
        ("c9", "c15", "at --good c9 the case fails: "),
        ("c0", "c8", "at --bad c8 the case passes"),
        ("none", "c8", "\"none\" is no commit"),
        ("--all", "c8", "\"--all\" is no commit"),
    ] {
        let text = bisect(&folder, good, bad, 2);
        assert!(text.contains(message), "{good} {bad}: {text}");
    }
}
