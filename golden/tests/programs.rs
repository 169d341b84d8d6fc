// SPDX-License-Identifier: Apache-2.0
//! The programs in tests/programs run on the model.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use crate::common::{Rng, config};
use golden::report::Report;
use golden::{Ending, Machine, Program, asm, run};

/// File name and text of every program, in order of the names.
fn programs() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/programs");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "s"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
        .collect();
    programs.sort();
    programs
}

fn program(name: &str) -> String {
    programs().into_iter().find(|(file, _)| file == name).unwrap().1
}

fn run_on_random_data(source: &str) -> (Machine, Report) {
    let mut m = Machine::new(&config("w16"));
    Rng(20).fill(&mut m.l1m.bytes);
    let words = asm::assemble("program", source, 0).unwrap();
    let report = run::run(&mut m, &words);
    (m, report)
}

#[test]
fn no_program_traps_and_each_changes_a_register() {
    let programs = programs();
    assert!(programs.len() >= 12, "only {} programs found", programs.len());
    for (name, source) in programs {
        let (m, report) = run_on_random_data(&source);
        assert_eq!(run::summary(&report, 0).lines().count(), 1, "{name}: {}", run::summary(&report, 0));
        assert!((1..32).any(|tl| m.tl.get(tl).iter().any(|&byte| byte != 0)), "{name}");
    }
}

/// The comment behind each instruction of known_words.s is its word.
#[test]
fn known_words_are_those_in_the_comments() {
    for (folder, count) in [("", 14), ("matrix/", 13)] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/programs/{folder}known_words.s"));
        let source = fs::read_to_string(path).unwrap();
        let known = source.lines().filter(|line| line.starts_with(['t', 'm'])).filter_map(|line| line.split_once("# "));
        let known: Vec<(&str, &str)> = known.collect();
        for &(text, word) in &known {
            let words = asm::assemble("known", text, &config("w16")).unwrap();
            assert_eq!(format!("{:08x}", words[0]), word, "{text}");
            assert_eq!(asm::disassemble(words[0], &config("w16")), text.trim());
        }
        assert_eq!(known.len(), count);
    }
}

#[test]
fn nhwc_to_nchw_is_a_permutation_of_the_axes() {
    let (m, _) = run_on_random_data(&program("nhwc_to_nchw.s"));
    for c in 0..4 {
        for h in 0..64 {
            for w in 0..64 {
                let (source, target) = ((h * 64 + w) * 4 + c, c * 4096 + h * 64 + w);
                assert_eq!(m.l0m.bytes[target], m.l1m.bytes[source], "({c}, {h}, {w})");
            }
        }
    }
    assert!(m.l0m.bytes[16384..].iter().all(|&byte| byte == 0));
}

/// The example with named elements: {a, b, c, d} and {e, f, g, h} concatenate to {c, d, e, f} along dimension 2.
#[test]
fn concat_listing_gives_c_d_e_f() {
    for name in ["concat.s", "concat_merge.s"] {
        let (m, _) = run_on_random_data(&program(name));
        let rows = |tl| m.tl.get(tl)[..256].chunks(4);
        for ((result, first), second) in rows(10).zip(rows(11)).zip(rows(12)) {
            assert_eq!(result, [first[2], first[3], second[0], second[1]], "{name}");
        }
    }
}

/// Everything that a program can see of the unit.
fn unit(m: &Machine) -> impl PartialEq + std::fmt::Debug + use<> {
    (m.csr.clone(), m.tl.clone(), m.tiles.clone(), m.l1m.bytes.clone(), m.l0m.bytes.clone())
}

#[test]
fn a_context_switch_restores_all_state_of_the_unit() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/matrix/context_switch.s");
    let source = fs::read_to_string(path).unwrap();
    for name in ["w16", "w32", "mx1024"] {
        let config = config(name);
        let mut m = Machine::new(&config);
        Rng(21).fill(&mut m.l1m.bytes);
        Rng(22).fill(&mut m.l0m.bytes);
        m.load(&Program::from_words(&asm::assemble("program", &source, &config).unwrap())).unwrap();
        // Before each `la a0, area`, which are the two switches, and at the end.
        let mut states = Vec::new();
        while let Ok(Some(word)) = m.hart.fetch() {
            if word & 0xFFF == 0x517 {
                states.push(unit(&m));
            }
            let outcome = m.step_program().unwrap();
            assert_eq!(outcome.trap, None, "{name}: {}", asm::disassemble(outcome.word, &config));
        }
        assert_eq!((m.hart.fetch(), states.len()), (Err(Ending::Exit(0)), 2), "{name}");
        assert!(states[0] != states[1], "{name}: nothing was spoilt");
        assert!(unit(&m) == states[0], "{name}");
    }
}
