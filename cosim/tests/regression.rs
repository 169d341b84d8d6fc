// SPDX-License-Identifier: Apache-2.0
//! Runs are the same with any number of threads, and models belong to their configuration. Programs and random cases on
//! every configuration: `make regress`.

use crate::common::{cosim, number, target};
use cosim_bench::lockstep::Lockstep;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::Target;

#[test]
fn the_number_of_threads_changes_nothing() {
    let target = target("tiny");
    let results = [1, 2, 5].map(|jobs| {
        let summary = run(&target, &Plan { seed: 5, instructions: 3000, jobs, fault: 0 }, |_| ());
        (summary.hash, summary.sums.counts)
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
    let other = run(&target, &Plan { seed: 6, instructions: 3000, jobs: 2, fault: 0 }, |_| ());
    assert_ne!(results[0].0, other.hash);
}

/// The files of `tests` are those of the clone, wherever it runs.
#[test]
fn a_regression_reports_each_program_and_replay_file_and_its_totals_agree() {
    let folder = tempfile::tempdir().expect("folder");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let done = cosim(folder.path(), "regress --config tiny,tiny --count 600 --junit j.xml --summary s.md");
    let text = done.with_code(0);
    let column = |number: usize| -> u64 {
        let cells =
            |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
        let rows = text.lines().filter(|line| line.starts_with(' ')).map(cells);
        let rows = rows.filter(|cells: &Vec<String>| cells.len() == 10 && cells[0] != "configuration");
        rows.map(|cells| cells[number].parse::<u64>().expect("a number")).sum()
    };
    let last = text.lines().find(|line| line.starts_with("no mismatch: ")).expect("a last line");
    assert_eq!(number(last, " cases, "), column(2), "{text}");
    assert_eq!(text.matches("tiny: seed 1, 3 cases").count(), 1, "{text}");
    assert!(text.contains("configuration  slowest "), "{text}");
    let (junit, summary) = (read("j.xml"), read("s.md"));
    let programs = junit.matches("classname=\"cosim.program\"").count();
    let cases = [programs, junit.matches("cosim.replay\"").count(), junit.matches("cosim.operator\"").count()];
    assert!(cases.iter().all(|count| *count > 10), "{cases:?}");
    assert_eq!(number(last, "no mismatch: "), cases.iter().sum::<usize>() as u64 + 3, "{text}");
    assert!(
        summary.contains(&format!("{} programs, replay files and operators, 0 failed", cases.iter().sum::<usize>()))
    );
    // Only what has a name that contains the text.
    let text = cosim(folder.path(), "regress --config tiny --filter fault02 --timing --junit j.xml").with_code(0);
    let stages = text.split("longest chain").nth(1).expect("a table of stages");
    assert!(["programs", "operators", "replay files", "at least"].iter().all(|name| stages.contains(name)), "{text}");
    assert!(
        text.ends_with("no mismatch: 1 case, 1 instructions\n") || text.contains("no mismatch: 1 case, "),
        "{text}"
    );
    assert_eq!(read("j.xml").matches("<testcase ").count(), 1);
    assert_eq!(cosim(folder.path(), "regress --config tiny --filter nothing").code, Some(2));
}

#[test]
fn a_program_that_fails_is_in_the_reports() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("p.s"), "nop\n").expect("written");
    std::fs::write(folder.path().join("p.l0m.expected"), "x").expect("written");
    let words = "regress --config tiny --programs . --filter p.s --junit j.xml --summary s.md";
    let text = cosim(folder.path(), words).with_code(1);
    assert!(text.contains("\n1 FAILED: 1 case, 0 instructions in those that passed\n"), "{text}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    assert!(read("j.xml").contains("L0M differs from ./p.l0m.expected"), "{}", read("j.xml"));
    assert!(
        read("s.md").contains("**1 failed**") && read("s.md").contains("### tiny: program ./p.s"),
        "{}",
        read("s.md")
    );
}

#[test]
fn a_model_of_another_configuration_is_refused() {
    let refused = |name: &str, change: fn(&mut Target), differs: &str| {
        let mut target = target(name);
        change(&mut target);
        let text = Lockstep::new(&target, ModelKind::Fast, &Default::default()).err().expect("refused").to_string();
        assert!(text.contains(&format!("the RTL is not of configuration {name}: it has {differs}")), "{text}");
    };
    refused("tiny", |tiny| tiny.golden.l0m_bytes *= 2, "l0m_bytes = 4096, not 8192");
    let without = "matrix (1: on) = 1, not 0; tlen = 512, not 0; trlen = 128, not 0";
    refused("w16", |w16| w16.golden.matrix = None, without);
}
