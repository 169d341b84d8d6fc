// SPDX-License-Identifier: Apache-2.0
//! Shrinking: smaller with every step, the same failure, and small enough to be read.

use crate::common::{failure, target, tiny};
use cosim_bench::case::Case;
use cosim_bench::lockstep::failure::Failure;
use cosim_bench::lockstep::stall::{self, Class};
use cosim_bench::lockstep::{Lockstep, Setup};
use cosim_bench::random::random_case;
use cosim_bench::run::executor::run_case;
use cosim_bench::shrink::{Budget, Shrunk, Signature, in_process, shrink};
use cosim_bench::unit::ModelKind;

fn failing(fault: u32) -> (Case, Box<Failure>) {
    let failed = failure(fault);
    (random_case(&tiny(), 1, failed.job.number), failed.failure)
}

fn shrunk(case: &Case, failure: Box<Failure>, fault: u32, budget: Budget) -> Shrunk {
    let target = tiny();
    let mut run = |case: &Case| Ok(in_process(&target, fault, case));
    shrink(&target, case, failure, budget, &mut run).expect("runs")
}

/// A wrong value, wrong bytes stored, overlapping instructions, a hang, a wrong trap, and matrix instructions. All
/// faults: `cosim check faults --shrink`.
const SAMPLE: [u32; 8] = [1, 5, 10, 13, 16, 31, 41, 50];

#[test]
fn a_failing_case_gets_small_and_fails_in_the_same_way() {
    let target = tiny();
    let mut sizes = Vec::new();
    for fault in SAMPLE {
        let (case, failure) = failing(fault);
        let before = Signature::of_failure(&target, &failure);
        let small = shrunk(&case, failure, fault, Budget::default());
        assert!(small.cut_short.is_none(), "fault {fault}: {}", small.summary());
        assert!(small.costs.len() > 3 && small.costs.windows(2).all(|pair| pair[1] < pair[0]), "{:#?}", small.costs);
        assert_eq!(Signature::of_failure(&target, &small.failure), before, "fault {fault}");
        let again = in_process(&target, fault, &small.case).expect("fails");
        assert_eq!(*again, *small.failure, "fault {fault}");
        // It is the program that fails, and not what makes its state.
        let preload = small.case.preload.len() as u64;
        assert!(again.at.is_none_or(|(_, _, index)| index >= preload), "{again:?}");
        // The state is no failure of its own, and without the fault all is well.
        let state = Case { preload: Vec::new(), program: small.case.preload.clone(), ..small.case.clone() };
        for case in [&small.case, &state] {
            let sound = run_case(&target, case, ModelKind::Faults, 0, |_| Ok(()));
            assert!(sound.is_ok(), "fault {fault}: {sound:?}");
        }
        sizes.push(small.case.program.len());
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= 4 && sizes[sizes.len() - 1] <= 12, "{sizes:?}");
}

#[test]
fn the_same_case_gets_small_in_the_same_way_and_a_small_one_stays() {
    let (case, failure) = failing(16);
    let hashes = [(); 2].map(|()| shrunk(&case, failure.clone(), 16, Budget::default()).case.hash());
    assert_eq!(hashes[0], hashes[1]);
    let small = shrunk(&case, failure, 16, Budget::default());
    let smaller = shrunk(&small.case, small.failure.clone(), 16, Budget::default());
    assert!(smaller.case.program.len() <= small.case.program.len());
    assert!(smaller.case.preload.len() <= small.case.preload.len());
}

#[test]
fn a_budget_is_kept() {
    let (case, failure) = failing(16);
    let little = Budget { runs: 7, ..Budget::default() };
    let small = shrunk(&case, failure.clone(), 16, little);
    assert!(small.runs <= 7 && small.cut_short == Some("the budget is used up"), "{}", small.summary());
    assert!(in_process(&tiny(), 16, &small.case).is_some());
    let none = shrunk(&case, failure, 16, Budget { runs: 0, ..little });
    assert_eq!((none.runs, none.case.hash()), (0, case.hash()));
}

#[test]
fn a_reset_in_the_middle_stalls_and_errors_go_when_nothing_needs_them() {
    let (mut case, _) = failing(41);
    case.reset_after = Some(40);
    let heavy = [Class::Heavy; 2];
    case.setup.stalls = stall::Plan { issue: Class::Heavy, result: Class::Light, l1m: heavy, l0m: heavy };
    case.setup.l0m_faults = vec![0..64, 1024..2048];
    let failure = in_process(&tiny(), 41, &case).expect("fails");
    let small = shrunk(&case, failure, 41, Budget::default()).case;
    assert_eq!(small.reset_after, None);
    assert_eq!(small.setup.stalls, stall::Plan::default());
    assert!(small.setup.stall_seeds.iter().all(|&seed| seed == stall::NO_STALL));
    assert!(small.setup.l1m.iter().chain(&small.setup.l0m).all(|&byte| byte == 0), "memories");
}

/// Cycles from the issue of each instruction to that of the next, with stalls on the issue port.
fn gaps(words: &[u32], stall_seeds: &[u32]) -> Vec<u64> {
    let stalls = stall::Plan { issue: Class::Heavy, ..stall::Plan::default() };
    let setup = Setup { stalls, seed: 5, stall_seeds: stall_seeds.to_vec(), ..Setup::default() };
    let target = target("tiny");
    let mut bench = Lockstep::new(&target, ModelKind::Fast, &setup).expect("model");
    bench.observers.timings = Some(Vec::new());
    bench.run(words).expect("no mismatch");
    let issued: Vec<u64> = bench.observers.timings.iter().flatten().map(|timing| timing.issued).collect();
    issued.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn deleting_an_instruction_leaves_the_waits_of_the_others() {
    let word = 0x8110_5073; // csrrwi x0, tshape, 0
    let seeds: Vec<u32> = (0..24).map(|index| stall::seed_of(9, index)).collect();
    let all = gaps(&[word; 24], &seeds);
    assert!(all.iter().max() > Some(&12), "{all:?}");
    for deleted in 1..23 {
        let mut seeds = seeds.clone();
        seeds.remove(deleted);
        let mut expected = all.clone();
        // The wait of an instruction is the gap before it.
        expected.remove(deleted - 1);
        assert_eq!(gaps(&[word; 23], &seeds), expected, "without instruction {deleted}");
    }
}
