// SPDX-License-Identifier: Apache-2.0
//! The example benches, run as their users run them.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program of an example, which cargo builds with the tests.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(2).unwrap().join("examples").join(name)
}

/// Runs an example; gives all that it printed, after it has ended with this exit code and has said these lines.
#[track_caller]
fn says(name: &str, folder: &Path, arguments: &[&str], code: i32, lines: &[&str]) -> String {
    let Output { status, stdout, stderr } =
        Command::new(example(name)).current_dir(folder).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
    assert_eq!(status.code(), Some(code), "{text}");
    lines.iter().for_each(|line| assert!(text.contains(line), "{line:?} is not in:\n{text}"));
    text
}

#[test]
fn a_unit_without_faults_is_covered_and_has_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    says("gcd", folder.path(), &["random", "--count", "300", "--until-covered"], 0, &["6 of 6", "no difference"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a run without failures leaves files");
}

#[test]
fn a_planted_fault_becomes_one_step_with_its_page_and_waveform() {
    let folder = tempfile::tempdir().unwrap();
    let random = ["random", "--fault", "1", "--max-failures", "3", "--junit", "j.xml", "--summary", "s.md"];
    let again = "again: gcd replay failures/gcd16-seed1-case0-fault1/replay.json";
    says("gcd", folder.path(), &random, 1, &["gcd16: wrong result", "1 of 19 steps are left", again, "in 1 bucket"]);
    let case = folder.path().join("failures/gcd16-seed1-case0-fault1");
    for name in ["replay.json", "report.html", "wave.fst", "wave.gtkw", "wave.sucl"] {
        assert!(fs::metadata(case.join(name)).unwrap().len() > 0, "{name}");
    }
    let page = fs::read_to_string(case.join("report.html")).unwrap();
    assert!(page.contains("fails here") && page.contains("gcd(2, 2)"), "{page}");
    let junit = fs::read_to_string(folder.path().join("j.xml")).unwrap();
    assert!(junit.contains("failures=\"1\"") && junit.contains("gcd16: wrong result"), "{junit}");
    assert!(fs::read_to_string(folder.path().join("s.md")).unwrap().contains("### gcd16: wrong result"));
    let index = fs::read_to_string(folder.path().join("failures/index.html")).unwrap();
    assert!(index.contains("3 failing cases in 1 bucket") && index.contains("<dt>steps</dt><dd>gcd</dd>"), "{index}");
    assert!(index.contains("href=\"gcd16-seed1-case0-fault1/report.html\""), "{index}");
    let file = "failures/gcd16-seed1-case0-fault1/replay.json";
    says("gcd", folder.path(), &["replay", file, "--wave", "w.fst"], 1, &["gcd16: wrong result, cycle 4"]);
    assert!(folder.path().join("w.fst").exists());
    says("gcd", folder.path(), &["faults", "--count", "50"], 0, &["5 of 5 faults found"]);
}

#[test]
fn a_replay_file_is_checked_and_one_changed_by_hand_says_so() {
    let folder = tempfile::tempdir().unwrap();
    says("gcd", folder.path(), &["random", "--fault", "1"], 1, &["gcd16: wrong result"]);
    let path = folder.path().join("failures/gcd16-seed1-case0-fault1/replay.json");
    let good = fs::read_to_string(path).unwrap();
    let line = |field: &str| good.lines().find(|line| line.contains(&format!("\"{field}\": "))).unwrap().to_owned();
    let by_hand = good.replace(&line("stimulus"), "  \"stimulus\": null,");
    for (text, from, to, code, message) in [
        (&good, "\"b\":2", "\"b\":4", 2, "a.json is no replay file: the file is damaged: its contents have the hash"),
        (&by_hand, "\"b\":2", "\"b\":4", 1, "gcd(2, 4)"),
        (&good, "\"b\":2", "\"c\":2", 2, "missing field `b`"),
        (
            &good,
            &*line("rtl"),
            "  \"rtl\": \"00112233aabbccdd\",",
            1,
            "note: made with other RTL of configuration gcd16",
        ),
        (&good, "\"rtl\": \"", "\"rtl\": \"0", 2, "the field `rtl` is \"0"),
        (&good, "\"version\": 2", "\"version\": 1", 2, "the field `version` is 1; this program reads 2"),
        (&good, "unit replay", "else", 2, "no replay file: the field `format` is \"else\", not \"unit replay\""),
        (&good, &*line("format"), "", 2, "missing field `format`"),
        (&good, "\"fault\":1", "\"fault\":9", 2, "gcd16 has no planted fault 9"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(folder.path().join("a.json"), text.replace(from, to)).unwrap();
        says("gcd", folder.path(), &["replay", "a.json"], code, &[message]);
    }
}

#[test]
fn a_case_that_ends_its_process_has_its_cycle_and_a_waveform_up_to_there() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/gcd/gcd.sv")).unwrap();
    let kill = "  import \"DPI-C\" function int raise(input int signal);\n  always_ff @(posedge clk_i) if (rst_ni && state_q == \
        Done) void'(raise(9));\nendmodule";
    fs::write(folder.path().join("gcd.sv"), text.replace("endmodule", kill)).unwrap();
    let ended = "gcd16: the process was ended by signal 9 (SIGKILL)\n";
    let text = says("gcd", folder.path(), &["--rtl", ".", "random"], 1, &[ended, "cycle 2; 1 of 19 steps are left"]);
    assert!(text.contains(">   0  gcd(") && text.contains("waveform: "), "{text}");
}

#[test]
fn shards_together_are_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let random = |more: &[&str]| {
        says("gcd", folder.path(), &[&["random", "--count", "90"], more].concat(), 0, &[]);
    };
    let results = |file: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(folder.path().join(file)).unwrap()).unwrap()
    };
    random(&["--results", "whole.json"]);
    fs::create_dir(folder.path().join("shards")).unwrap();
    for shard in ["1", "2", "3"] {
        random(&["--shard", &format!("{shard}/3"), "--results", &format!("shards/{shard}.json")]);
    }
    says("gcd", folder.path(), &["collect", "shards", "--results", "sum.json"], 0, &["no difference"]);
    for field in ["cases", "steps", "cycles", "hash", "hits", "sums", "shard"] {
        assert_eq!(results("whole.json")[field], results("sum.json")[field], "{field}");
    }
    let text = fs::read_to_string(folder.path().join("shards/3.json")).unwrap();
    let more = text.replace("\"failures\":[]", "\"failures\":[],\"more\":1");
    fs::write(folder.path().join("shards/3.json"), more).unwrap();
    says("gcd", folder.path(), &["collect", "shards"], 2, &["3.json: no results"]);
    fs::write(folder.path().join("shards/3.json"), text).unwrap();
    fs::remove_file(folder.path().join("shards/2.json")).unwrap();
    says("gcd", folder.path(), &["collect", "shards"], 1, &["shard 2/3 is missing"]);
}

#[test]
fn bisect_finds_the_commit_that_broke_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(folder.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(arguments);
        assert!(git.output().unwrap().status.success(), "git {arguments:?}");
    };
    git(&["init", "-q"]);
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/gcd/gcd.sv")).unwrap();
    let wrong = text.replace("<< shift_q", "<< 1");
    fs::create_dir(folder.path().join("rtl")).unwrap();
    for (number, text) in [text.clone(), text + "\n", wrong.clone(), wrong + "\n"].iter().enumerate() {
        fs::write(folder.path().join("rtl/gcd.sv"), text).unwrap();
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", &format!("commit {number}")]);
    }
    says("gcd", folder.path(), &["--rtl", "rtl", "random"], 1, &["wrong result"]);
    let mut left = fs::read_dir(folder.path().join("failures")).unwrap().map(|entry| entry.unwrap().path());
    let case = left.find(|path| path.is_dir()).unwrap();
    let file = case.join("replay.json");
    let bisect = ["bisect", file.to_str().unwrap(), "--good", "HEAD~3", "--folder", "rtl"];
    let text = says("gcd", folder.path(), &bisect, 0, &["first bad commit: "]);
    assert!(text.lines().any(|line| line.starts_with("first bad commit") && line.ends_with("commit 2")), "{text}");
}

#[test]
fn bad_input_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), "{}").unwrap();
    for (arguments, message) in [
        (&["--config", "gcd8", "random"][..], "--config gcd8; allowed: gcd16"),
        (&["random", "--fault", "9"], "gcd16 has no planted fault 9; allowed: 0 for none, [1, 2, 3, 4, 5]"),
        (&["faults", "--fault", "1"], "`random --fault 1` for one"),
        (&["replay", "none.json"], "cannot read none.json"),
        (&["replay", "a.json"], "a.json is no replay file"),
        (&["--rtl", "none", "random"], "cannot read none/gcd.sv"),
        (&["collect", "."], "a.json: no results"),
    ] {
        says("gcd", folder.path(), arguments, 2, &[message]);
    }
}

#[test]
#[ignore = "needs Verible and Yosys: make test-all"]
fn mutants_of_the_teaching_unit_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mutate = ["mutate", "--count", "200", "--cases", "300", "--at-least", "97"];
    says("gcd", folder.path(), &mutate, 0, &["killed by", "score: "]);
}

#[test]
#[ignore = "a minute, and needs PicoRV32: make test-all"]
fn units_of_somebody_else_are_covered_broken_and_mutated() {
    let folder = tempfile::tempdir().unwrap();
    let all = ["--config", "all", "random", "--until-covered"];
    says("picorv32_pcpi", folder.path(), &all, 0, &["6 of 6", "8 of 8", "no difference"]);
    for (config, faults) in [("mul", "2 of 2 faults found"), ("div", "3 of 3 faults found")] {
        let text = says("picorv32_pcpi", folder.path(), &["--config", config, "faults"], 0, &[faults]);
        let smaller = text.lines().filter(|line| line.contains("steps are left")).collect::<Vec<_>>();
        assert!(!smaller.is_empty() && smaller.iter().all(|line| line.contains("; 1 of ")), "{smaller:?}");
        let module = format!("picorv32_pcpi_{config}");
        let mutate = ["--config", config, "mutate", "--module", &module, "--count", "300", "--cases", "200"];
        let mutate = [&mutate[..], &["--at-least", "97"]].concat();
        says("picorv32_pcpi", folder.path(), &mutate, 0, &["does not read the module around picorv32.v, line 691"]);
    }
}

#[test]
fn doctor_names_the_tools_of_mutate() {
    let folder = tempfile::tempdir().unwrap();
    says("gcd", folder.path(), &["doctor"], 0, &["verilator ", "yosys ", "verible "]);
    let output = Command::new(example("gcd")).env("YOSYS", "/nowhere/yosys").arg("doctor").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("yosys       none, for mutate alone: "), "{text}");
}

#[test]
fn a_replay_file_is_run_as_it_was_made_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    says("gcd", folder.path(), &["random", "--fault", "3"], 1, &[]);
    let file = "failures/gcd16-seed1-case0-fault3/replay.json";
    says("gcd", folder.path(), &["replay", file], 1, &["note: with the planted fault 3: "]);
    let said = format!("--config gcd8; {file} is of gcd16");
    says("gcd", folder.path(), &["--config", "gcd8", "replay", file], 2, &[&said]);
}
