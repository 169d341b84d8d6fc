// SPDX-License-Identifier: Apache-2.0
//! Replay files: the same failure in another process, and clear errors for files that are none.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::common::{Done, case_folder, cosim, cosim_with, target};
use cosim_bench::case::Origin;
use cosim_bench::case::replay::{self, Identity, Replay};
use cosim_bench::cli::corpus;
use cosim_bench::random::random_case;
use cosim_bench::run::executor::run_case;
use cosim_bench::shrink::in_process;
use cosim_bench::unit::ModelKind;
use golden::decode::{Decoded, decode};

fn path(path: &Path) -> &str {
    path.to_str().expect("path")
}

/// The folder that a failing run of planted fault `fault` leaves below `out`.
fn failing(out: &Path, fault: &str, more: &[&str]) -> (Done, PathBuf) {
    let arguments = ["random", "--config", "tiny", "--count", "30000", "--fault", fault, "--out", path(out)];
    let output = cosim_with(&[&arguments[..], more].concat());
    assert_eq!(output.code, Some(1), "{output:?}");
    (output, case_folder(out))
}

#[test]
fn a_failing_case_fails_in_the_same_way_in_a_fresh_process() {
    // A wrong value, wrong bytes of a store, and a hang.
    let large: (&[&str], _) = (&["--no-shrink"], "original.json");
    let small: (&[&str], _) = (&[], "replay.json");
    for (fault, (more, file)) in [("1", large), ("16", small), ("31", large), ("31", small)] {
        let folder = tempfile::tempdir().expect("folder");
        let (output, failed) = failing(&folder.path().join("out"), fault, more);
        let moved = folder.path().join("moved.json");
        fs::rename(failed.join(file), &moved).expect("moved");
        let first = cosim_with(&["replay", path(&moved)]);
        assert_eq!(first.code, Some(1), "{first:?}");
        let report = &first.out;
        assert!(report.len() > 300 && output.out.contains(report.as_str()), "{report}\n{}", output.out);
        assert_eq!(cosim(folder.path(), "replay moved.json").out, first.out);
        let wave = folder.path().join("wave.fst");
        let traced = cosim_with(&["replay", path(&moved), "--wave", path(&wave)]);
        assert_eq!(traced.out, first.out);
        assert!(fs::metadata(&wave).expect("wave").len() > 1000);
    }
}

#[test]
fn every_case_survives_the_way_through_a_file() {
    for name in rtl_gen::Config::names() {
        let target = target(name);
        let identity = Identity::new(&target);
        for number in 0..4 {
            let case = random_case(&target, 8, number);
            let origin = Origin { seed: 8, case: number, fault: 0 };
            let text = replay::text(&identity, origin, &case).expect("text");
            let read = Replay::from_text(&cosim::workshop(), text.as_bytes()).expect("readable");
            assert_eq!((read.case.hash(), read.target.name()), (case.hash(), *name));
            assert_eq!((&read.case.setup.l1m, &read.case.setup.l0m), (&case.setup.l1m, &case.setup.l0m));
            assert_eq!((&read.case.program, &read.case.setup.stall_seeds), (&case.program, &case.setup.stall_seeds));
            assert_eq!((read.case.setup.stalls, read.case.setup.seed), (case.setup.stalls, case.setup.seed));
            assert!(read.notes.is_empty(), "{:?}", read.notes);
            assert_eq!(replay::text(&identity, origin, &read.case).expect("text"), text);
        }
    }
}

/// The replay file of a small case as text.
fn small() -> String {
    let target = target("tiny");
    let mut case = random_case(&target, 1, 3);
    case.program.truncate(20);
    case.setup.stall_seeds.truncate(20);
    case.setup.l1m_faults = Vec::from([Range { start: 64, end: 128 }]);
    case.setup.l1m = vec![0; 4096];
    case.setup.l1m[70] = 9;
    replay::text(&Identity::new(&target), Origin { seed: 1, case: 3, fault: 0 }, &case).expect("text")
}

#[track_caller]
fn refused(text: &[u8], message: &str) {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("case.json"), text).expect("written");
    let done = cosim(folder.path(), "replay case.json");
    done.refused(message);
    done.refused("case.json");
    assert!(!done.err.contains("panicked") && done.out.is_empty(), "{done:?}");
}

#[test]
fn a_file_that_is_no_good_is_refused_with_what_is_wrong_where_and_what_is_allowed() {
    let good = small();
    assert!(Replay::from_text(&cosim::workshop(), good.as_bytes()).is_ok());
    // A file that was changed on purpose says so: its hash is null.
    let stimulus = good.lines().find(|line| line.contains("\"stimulus\"")).expect("field").to_owned();
    let open = good.replace(&stimulus, "  \"stimulus\": null,");
    assert!(Replay::from_text(&cosim::workshop(), open.as_bytes()).is_ok());
    let table: &[(&str, &str, &str)] = &[
        ("\"cosim replay\"", "\"trace\"", "the field `format` is \"trace\", not \"cosim replay\""),
        ("\"version\": 3", "\"version\": 4", "the field `version` is 4; this program reads 1 to 3"),
        ("\"reset_cycles\": ", "\"reset_cycles\": 77", "allowed: 1 to 64 clock cycles"),
        ("\"version\": 3", "\"version\": 3, \"more\": 0", "unknown field `more`"),
        ("\"reset_after\"", "\"reset\"", "unknown field `reset`"),
        ("\"power_up\"", "\"version\"", "duplicate field `version`"),
        (
            "\"name\":\"tiny\"",
            "\"name\":\"w17\"",
            "the field `config.name` is \"w17\"; allowed: \"tiny\", as in `config.toml`",
        ),
        (
            "lanes = 8",
            "lanes = 4",
            "`config.toml`: configuration field `lanes`: 4 is not allowed; allowed: 8, 16, 32, 64",
        ),
        ("lanes = 8", "lanes = 16", "the field `config.hash` is"),
        ("lanes = 8", "lines = 8", "unknown field `lines`"),
        ("\"hash\":\"", "\"hash\":\"0", "the field `config.hash` is \"0"),
        (
            "\"fault\":0",
            "\"fault\":9999",
            "the field `origin.fault` is 9999; allowed: 0, or a planted fault that `cosim check faults` lists: there is no planted fault 9999",
        ),
        ("\"fault\":0", "\"fault\":-1", "invalid value"),
        ("\"issue\":\"", "\"issue\":\"x", "unknown variant `x"),
        ("\"at\":70", "\"at\":4097", "the field `l1m.patches[0].at` is 4097"),
        ("\"bytes\":\"09\"", "\"bytes\":\"0\"", "the field `l1m.patches[0].bytes` is \"0\"; allowed: hexadecimal"),
        ("\"bytes\":\"09\"", "\"bytes\":\"0x\"", "the field `l1m.patches[0].bytes` is \"0x\""),
        ("\"at\":70,\"bytes\":\"09\"", "\"at\":4095,\"bytes\":\"0909\"", "at most 1 bytes"),
        ("[64,128]", "[64,100]", "the field `l1m.errors` is [64, 100]; allowed: [start, end] with start < end <= 4096"),
        ("[64,128]", "[128,64]", "the field `l1m.errors` is [128, 64]"),
        ("[64,128]", "[64,8192]", "the field `l1m.errors` is [64, 8192]"),
        ("{\"word\":\"", "{\"word\":\"g", "`program[0].word` is \"g"),
        ("{\"word\":\"", "{\"word\":7,\"x\":\"", "invalid type: integer `7`, expected a string"),
        ("\"reset_after\": null", "\"reset_after\": 99999999", "the field `reset_after` is 99999999; allowed: null"),
    ];
    for (from, to, message) in table {
        assert!(open.contains(from), "{from}");
        refused(open.replacen(from, to, 1).as_bytes(), message);
    }
    refused(good.replacen("\"at\":70", "\"at\":71", 1).as_bytes(), "the file is damaged: its contents have the hash");
    let (digit, mut flipped) = (good.find("{\"word\":\"").expect("program") + 9, good.clone().into_bytes());
    flipped[digit] = if flipped[digit] == b'0' { b'1' } else { b'0' };
    refused(&flipped, "the file is damaged");
    for cut in [0, 1, 100, good.len() / 2, good.len() - 3] {
        refused(&good.as_bytes()[..cut], "EOF while parsing");
    }
    refused(format!("{good}{good}").as_bytes(), "trailing characters");
    refused(b"\xff\xfe\0\0", "not text in UTF-8");
    refused(b"[]", "damaged, cut off or no replay file");
    refused("[".repeat(100_000).as_bytes(), "damaged, cut off or no replay file");
    refused(&vec![b' '; replay::MAX_FILE as usize + 1], "more than 16777216 bytes, which is the limit");
    let line = good.lines().last().map(|_| "    {\"word\":\"00000013\",\"stall\":0},\n").expect("line");
    let long = open.replacen("  \"program\": [\n", &format!("  \"program\": [\n{}", line.repeat(1 << 16)), 1);
    refused(long.as_bytes(), "the field `program` is 65556 instructions long");
}

#[test]
fn a_file_that_cannot_be_read_or_written_is_an_error_of_the_user() {
    for arguments in [&["replay", "/nowhere.json"][..], &["replay", "/"], &["replay"]] {
        assert_eq!(cosim_with(arguments).code, Some(2), "{arguments:?}");
    }
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("case.json");
    fs::write(&file, small()).expect("written");
    assert_eq!(cosim_with(&["replay", path(&file)]).code, Some(0));
    assert_eq!(cosim_with(&["replay", path(&file), "--wave", "/nowhere/wave.fst"]).code, Some(2));
    // The folder for failures is a file.
    let output = cosim_with(&["random", "--config", "tiny", "--count", "300", "--out", path(&file)]);
    assert_eq!(output.code, Some(2), "{output:?}");
    assert!(output.err.contains("cannot create the folder"), "{output:?}");
}

#[test]
#[ignore = "half a minute: make test-all"]
fn the_corpus_passes_and_still_tells_most_of_the_faults_that_it_was_made_from() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/regressions");
    let workshop = cosim::workshop();
    let faults = workshop.with_faults().expect("tiny");
    let (mut count, mut told) = (0, 0);
    let mut matrix = 0;
    for file in corpus::list(&folder).expect("folder") {
        let (Replay { target, case, .. }, _) = Replay::load(&workshop, &file).expect("readable");
        let result = run_case(&target, &case, ModelKind::Fast, 0, |_| Ok(()));
        assert!(result.is_ok(), "{}: {result:?}", file.display());
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("name");
        if let Some(fault) = name.strip_prefix("fault").and_then(|number| number.parse().ok()) {
            count += 1;
            let is_matrix = |&word: &u32| matches!(decode(word, &target.golden), Decoded::Matrix(_));
            matrix += usize::from(case.program.iter().any(is_matrix));
            told += usize::from(in_process(&faults, fault, &case).is_some());
        }
    }
    // Some depend on the timing of the unit: those are made again when it changes (docs/replay.md).
    assert!(count >= 10 && told * 2 > count, "{told} of {count}");
    assert!(matrix >= 5, "{matrix} cases of matrix instructions");
    println!("{told} of {count} faults");
}

#[test]
fn other_rtl_is_worth_a_note() {
    let text = small();
    let start = text.find("\"rtl\":\"").expect("field") + 7;
    let other = format!("{}0123456789abcdef{}", &text[..start], &text[start + 16..]);
    let replay = Replay::from_text(&cosim::workshop(), other.as_bytes()).expect("readable");
    assert_eq!(replay.notes, ["made with other RTL of configuration tiny: the outcome may be another"]);
}
