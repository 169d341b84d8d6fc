// SPDX-License-Identifier: Apache-2.0
//! The seeds of every target, and some thousand changed ones, the same every time. `make fuzz` runs more.

use std::panic::catch_unwind;

use fuzz::mutate::input;
use fuzz::{TARGETS, Target};

/// Inputs of a target.
const INPUTS: usize = 2000;

#[test]
fn no_input_does_harm() {
    std::thread::scope(|scope| TARGETS.iter().for_each(|target| drop(scope.spawn(|| run(target)))));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).and_then(|rest| rest.split_whitespace().next());
    let peak: u64 = peak.and_then(|kilobytes| kilobytes.parse().ok()).unwrap_or(0);
    assert!(peak < 1 << 20, "{peak} kB of memory");
}

fn run(target: &Target) {
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{}: no seeds", target.name);
    for number in 0..INPUTS {
        let bytes = input(target, &seeds, number);
        let done = catch_unwind(|| (target.run)(&bytes));
        assert!(done.is_ok(), "{}: input {number}: {:?}", target.name, String::from_utf8_lossy(&bytes));
    }
}

/// A target that refuses all of its seeds would find nothing: each takes some.
#[test]
fn seeds_are_taken() {
    let refused = fuzz::target("elf").expect("a target");
    let elf = (refused.seeds)();
    assert!(golden::Program::from_elf(&elf[0]).is_ok());
    for seed in (fuzz::target("numpy").expect("a target").seeds)().iter().take(2) {
        assert!(cosim_bench::operators::npy::parse(&seed[..], false).is_ok());
    }
    let workshop = cosim::workshop();
    for seed in (fuzz::target("replay").expect("a target").seeds)().iter().take(3) {
        assert!(cosim_bench::case::replay::Replay::from_text(&workshop, seed).is_ok());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let coverage = (fuzz::target("coverage").expect("a target").seeds)();
    for (at, seed) in coverage.iter().enumerate() {
        let parsed = cosim_bench::coverage::file::Coverage::from_json(&workshop, &text(seed)).expect("a coverage file");
        assert_eq!(parsed.0.values().map(|covered| covered.hits.cases).sum::<u64>(), at as u64);
    }
    let part = (fuzz::target("shard").expect("a target").seeds)();
    let path = std::path::Path::new("shard-00001-of-00002.json");
    let parsed = cosim_bench::cli::ci::part::Part::parse(&text(&part[0]), path);
    assert!(parsed.is_ok_and(|part| part.outcomes.len() == 1 && part.outcomes[0].failures[0].explained.is_some()));
}
