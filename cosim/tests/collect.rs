// SPDX-License-Identifier: Apache-2.0
//! Shards of a run, put together: as if it had been one.

use std::fs;
use std::process::Command;

use crate::common::{COSIM, cosim, until};

/// Without the columns of the table, and the attributes, that are times.
fn timeless(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split_whitespace().collect();
        match cells.iter().position(|cell| *cell == "random") {
            Some(at) => lines.push(cells[..at + 7].join(" ")),
            None => lines.push(match line.split_once(" time=\"") {
                Some((start, rest)) => format!("{start}{}", &rest[rest.find('"').expect("end") + 1..]),
                None => line.to_owned(),
            }),
        }
    }
    lines.join("\n")
}

/// Runs `arguments` once as a whole and once in `of` shards, collects, and compares everything.
#[track_caller]
fn same(arguments: &str, of: u64, code: i32) -> String {
    let folder = tempfile::tempdir().expect("folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    let reports = |name: &str| format!("--junit {name}.xml --summary {name}.md --coverage {name}.json");
    let whole = cosim(folder.path(), &format!("random {arguments} {}", reports("whole")));
    assert_eq!(whole.code, Some(code), "{whole:?}");
    // The last one first, and one of them again, as after a lost node: nothing is counted twice.
    for index in (1..=of).rev().chain([of]) {
        let more = format!("--shard {index}/{of} --results parts --coverage part.json");
        let part = cosim(folder.path(), &format!("random {arguments} {more}"));
        assert!([Some(0), Some(code)].contains(&part.code), "{part:?}");
    }
    assert_eq!(fs::read_dir(folder.path().join("parts")).expect("parts").count() as u64, of);
    let done = cosim(folder.path(), &format!("collect parts {}", reports("parts")));
    assert_eq!(done.code, Some(code), "{done:?}");
    assert_eq!(timeless(&done.out), timeless(&whole.out));
    assert_eq!(read("parts.md"), read("whole.md"));
    assert_eq!(read("parts.json"), read("whole.json"));
    assert_eq!(timeless(&read("parts.xml")), timeless(&read("whole.xml")));
    done.out
}

#[test]
fn shards_without_a_failure_are_as_one_run() {
    // 12 cases for 5 shards: two of them have one case less.
    same("--config tiny,int8 --seed 9 --count 3000", 5, 0);
    // A shard for each case.
    same("--config tiny --seed 9 --count 512", 2, 0);
}

#[test]
fn shards_with_failures_are_as_one_run() {
    let text = same("--config tiny --fault 16 --no-shrink --seed 5 --count 4000 --max-failures 1000", 3, 1);
    assert!(text.contains("in the same way case") && text.contains("MISMATCH"), "{text}");
}

#[test]
fn what_is_missing_or_was_interrupted_is_named() {
    let folder = tempfile::tempdir().expect("folder");
    let shard = |index: u64, more: &str| {
        let arguments = format!("random --config tiny --seed 3 --count 1500 --shard {index}/4 --results parts {more}");
        assert_eq!(cosim(folder.path(), &arguments).code, Some(0));
    };
    (1..=4).for_each(|index| shard(index, ""));
    let collect = |code: i32| {
        let done = cosim(folder.path(), "collect parts --junit j.xml --summary s.md");
        assert_eq!(done.code, Some(code), "{done:?}");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
        (done.out + &done.err, read("j.xml"), read("s.md"))
    };
    let whole = collect(0);
    let at = |index: u64| folder.path().join(format!("parts/shard-0000{index}-of-00004.json"));
    fs::remove_file(at(2)).expect("there");
    let third = fs::read_to_string(at(3)).expect("there");
    fs::write(at(3), third.replace("\"stopped\":null", "\"stopped\":{\"signal\":15}")).expect("written");
    let (text, junit, summary) = collect(1);
    assert!(text.contains("shard 2/4 is missing\nshard 3/4 is missing\n"), "{text}");
    fs::remove_file(at(3)).expect("there");
    assert!(collect(1).0.contains("\nincomplete, 2 of 4 shards are missing; no mismatch in 3 cases, "));
    assert!(junit.contains("errors=\"3\"") && junit.contains("name=\"shard 2/4\""), "{junit}");
    assert!(summary.contains("not complete") && summary.contains("| shard 3/4 | "), "{summary}");
    // Again, and all is as it was.
    shard(2, "");
    shard(3, "");
    let again = collect(0);
    assert_eq!((timeless(&again.0), &again.2), (timeless(&whole.0), &whole.2));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let run = |arguments: &str| cosim(folder.path(), arguments);
    let refused = |message: &str| run("collect parts").refused(message);
    refused("cannot read the folder parts");
    fs::create_dir(folder.path().join("parts")).expect("folder");
    refused("no shard has left anything in parts");
    run("random --config tiny --seed 1 --count 300 --shard 1/3 --results parts");
    run("random --config tiny --seed 2 --count 300 --shard 2/3 --results parts");
    refused("parts: shards 1/3 and 2/3 are of different runs: --seed is 1 in the first, 2 in the second\n");
    let (first, second) = ("parts/shard-00001-of-00003.json", folder.path().join("parts/shard-00002-of-00003.json"));
    fs::copy(folder.path().join(first), &second).expect("copied");
    refused("it should be called shard-00001-of-00003.json");
    for text in
        ["", "{", "[]", "{\"format\":\"cosim shard\",\"version\":2}", "{\"format\":\"cosim shard\",\"version\":5}"]
    {
        fs::write(&second, text).expect("written");
        refused("is not what a shard leaves");
    }
    fs::remove_file(&second).expect("there");
    run("collect parts --coverage c.json").refused("shard 1 was run without --coverage");
}

/// Sums that do not fit into a number, control characters for the terminal, a link that is none.
#[test]
fn a_file_that_somebody_else_wrote_does_no_harm() {
    let folder = tempfile::tempdir().expect("folder");
    let at = |index: u64| folder.path().join(format!("parts/shard-0000{index}-of-00002.json"));
    for index in [1, 2] {
        let run = "random --config tiny --fault 16 --no-shrink --seed 5 --count 2000 --max-failures 9 --results parts";
        assert_eq!(cosim(folder.path(), &format!("{run} --shard {index}/2")).code, Some(1));
        let text = fs::read_to_string(at(index)).expect("there");
        let mut part: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let outcome = &mut part["outcomes"][0];
        outcome["elapsed"]["secs"] = u64::MAX.into();
        outcome["cases"] = u64::MAX.into();
        for field in ["retired", "cycles", "roofline", "traps"] {
            outcome["sums"]["counts"][field] = u64::MAX.into();
        }
        let uses = serde_json::json!({"issued": u64::MAX, "retired": 1, "trapped": 0});
        outcome["sums"]["counts"]["mnemonics"]["bell\u{7}\u{1b}[2J"] = uses;
        let explained = &mut outcome["failures"][0]["explained"];
        for field in ["headline", "text", "again"] {
            explained[field] = "clear\u{1b}[2J\u{202e}".into();
        }
        fs::write(at(index), part.to_string()).expect("written");
    }
    let done = cosim(folder.path(), "collect parts --junit j.xml --summary s.md");
    assert_eq!(done.code, Some(1), "{done:?}");
    let junit = fs::read_to_string(folder.path().join("j.xml")).expect("JUnit");
    for text in [done.out, junit] {
        assert!(text.contains("clear\\u{1b}[2J") && text.contains("bell\\u{7}"), "{text}");
        assert!(!text.contains(['\u{7}', '\u{1b}', '\u{202e}']), "{text}");
    }
    let text = fs::read_to_string(at(2)).expect("there").replace("\"folder\":\"", "\"folder\":\"javascript:");
    fs::write(at(2), text).expect("written");
    cosim(folder.path(), "collect parts").refused("allowed: letters, digits");
}

#[test]
fn a_shard_that_is_killed_leaves_nothing_that_counts() {
    let folder = tempfile::tempdir().expect("folder");
    let arguments = "random --config tiny --count 100000000 --shard 1/2 --results parts";
    let mut command = Command::new(COSIM);
    command.current_dir(folder.path()).args(arguments.split(' ')).stdout(std::process::Stdio::null());
    let mut run = command.spawn().expect("cosim");
    until("running", || folder.path().join("failures/running").exists());
    run.kill().expect("killed");
    run.wait().expect("end");
    assert_eq!(fs::read_dir(folder.path().join("parts")).expect("parts").count(), 0);
}
