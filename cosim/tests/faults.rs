// SPDX-License-Identifier: Apache-2.0
//! Planted faults: the bench catches every one.

use crate::common::tiny;
use cosim_bench::lockstep::failure::Cause;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::unit::faults::{FAULTS, Fault};
use golden::decode::decode;

/// Instructions in which a fault must show.
const BUDGET: u64 = 30_000;

/// Some of them stop the unit.
#[test]
fn every_planted_fault_is_caught() {
    let tiny = tiny();
    let mut hangs = 0;
    for fault in FAULTS.iter() {
        let Fault { id, file, description, .. } = fault;
        let plan = Plan { seed: 1, instructions: BUDGET, jobs: 2, fault: *id };
        let failed = run(&tiny, &plan, |_| ()).failed;
        let Some(failed) = failed else { panic!("fault {id}, {file}, {description}: not caught") };
        hangs += usize::from(matches!(failed.failure.cause, Cause::Hang { .. }));
        // One of an instruction of its own shows there, or at its second encoding, and nowhere else.
        if let Some(of) = fault.of.as_deref() {
            let at = failed.failure.at.and_then(|(_, word, _)| decode(word, &tiny.golden).mnemonic());
            let at = at.unwrap_or_default();
            let second = at.strip_suffix(".rs1").or(at.strip_prefix("tl."));
            assert!(at == of || second == Some(of), "fault {id}, {description}: {at}, {:?}", failed.failure.cause);
        }
    }
    assert!(hangs > 0, "no planted fault stops the unit");
}

/// The holes that ordinary programs did not reach for long, each with the seeds that are used first.
#[test]
fn twenty_thousand_random_instructions_find_what_few_programs_reach() {
    let tiny = tiny();
    for id in 61..=67 {
        for seed in 1..=3 {
            let plan = Plan { seed, instructions: 20_000, jobs: 2, fault: id };
            assert!(run(&tiny, &plan, |_| ()).failed.is_some(), "fault {id}, seed {seed}");
        }
    }
}

#[test]
fn every_fault_was_found_in_the_rtl() {
    assert_eq!(tiny().models.faults_not_planted().expect("RTL"), [""; 0]);
}

#[test]
fn every_module_has_a_planted_fault() {
    let list =
        rtl_gen::generate(&tiny().rtl).expect("files").into_iter().find(|file| file.name == "tl.f").expect("list");
    let without: Vec<_> = list
        .text
        .lines()
        .filter(|name| !["+incdir+.", "tl_pkg.sv"].contains(name) && FAULTS.iter().all(|fault| fault.file != *name))
        .collect();
    assert!(without.is_empty(), "modules without a planted fault: {without:?}");
}
