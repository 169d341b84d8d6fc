// SPDX-License-Identifier: Apache-2.0
//! Random programs for the host: they end, survive their files, and find what streams do not.

use crate::common::tiny;
use cosim_bench::case::replay::{self, Identity, Replay};
use cosim_bench::case::{Case, Origin};
use cosim_bench::random::host_program::{MOST_INSTRUCTIONS, share};
use cosim_bench::random::random_case;
use cosim_bench::shrink::{Budget, Signature, in_process, shrink};
use cosim_bench::unit::target::Target;

/// The first cases of a seed that are programs for the host.
fn cases(target: &Target, seed: u64) -> impl Iterator<Item = (u64, Case)> {
    (0..).filter(|&number| share(number)).map(move |number| (number, random_case(target, seed, number)))
}

#[test]
fn random_programs_for_the_host_end_and_trap_in_every_configuration() {
    for target in cosim::workshop().targets("all").expect("all") {
        let identity = Identity::new(&target);
        let (mut instructions, mut traps) = (0, 0);
        for (number, case) in cases(&target, 3).take(30) {
            let mut model = case.setup.machine(&target.golden);
            model.load(&case.loaded()).expect("fits");
            let steps = (0..MOST_INSTRUCTIONS as usize).map_while(|index| case.step(&mut model, index));
            let all: Vec<bool> = steps.map(|outcome| outcome.trap.is_some()).collect();
            assert!((all.len() as u64) < MOST_INSTRUCTIONS, "{} {number} does not end", target.name());
            instructions += all.len();
            traps += all.iter().filter(|trap| **trap).count();
            let origin = Origin { seed: 3, case: number, fault: 0 };
            let text = replay::text(&identity, origin, &case).expect("text");
            let read = Replay::from_text(&cosim::workshop(), text.as_bytes()).expect("reads").case;
            assert_eq!((read.host, read.hash()), (true, case.hash()));
            assert_ne!(Case { host: false, ..read }.hash(), case.hash());
        }
        println!("{}: {instructions} instructions, {traps} traps", target.name());
        assert!(instructions > 30 * 100 && traps > 30 * 5, "{}: {instructions}, {traps}", target.name());
        assert!(traps * 5 < instructions * 2, "{}: {instructions}, {traps}", target.name());
    }
}

/// A killed CSR instruction writes its host register.
const RECOVERY: u32 = 83;

/// A fault in what is undone after a trap, and one of a datapath.
#[test]
fn a_failing_program_for_the_host_gets_small_and_fails_in_the_same_way() {
    let target = tiny();
    for fault in [38, RECOVERY] {
        let mut run = |case: &Case| Ok(in_process(&target, fault, case));
        let found = cases(&target, 1).take(40).find_map(|(_, case)| Some((in_process(&target, fault, &case)?, case)));
        let (failure, case) = found.expect("a program that fails");
        let signature = Signature::of_failure(&target, &failure);
        let small = shrink(&target, &case, failure, Budget::default(), &mut run).expect("runs");
        assert!(small.case.program.len() < 40, "{fault}: {}", small.summary());
        let again = in_process(&target, fault, &small.case).expect("fails");
        assert_eq!(Signature::of_failure(&target, &again), signature);
        assert_eq!(in_process(&target, 0, &small.case), None, "{fault}");
    }
}
