// SPDX-License-Identifier: Apache-2.0
//! The unit behind CV-X-IF of a real core: random programs on CV32E40X, with late memories and interrupts, in lockstep
//! with the model.
#![allow(clippy::unwrap_used)]

use crate::common::tiny;
use cosim::workshop;
use cosim_bench::cli::soc::random;
use cosim_bench::unit::faults::E40X;
use cosim_bench::unit::target::Target;

/// `tiny` with matrix instructions and the revision; its traps are not precise, so that a program goes on behind a
/// fault.
fn target() -> Target {
    let mut config = tiny().rtl;
    (config.gpr_rs1, config.pitch, config.precise) = (true, true, false);
    workshop().of(config).unwrap()
}

#[test]
#[ignore = "needs CV32E40X: make test-all"]
fn random_programs_find_no_difference_on_cv32e40x() {
    let target = target();
    let (mut unit, mut traps) = (0, 0);
    for number in 0..100 {
        let done = random(&target, [1, number], 0).unwrap();
        let counts = done.unwrap_or_else(|failure| panic!("program {number}: {:?}", failure.cause));
        unit += counts.unit;
        traps += counts.traps;
    }
    assert!(unit > 5_000 && traps > 1_000, "{unit} instructions of the unit, {traps} traps");
}

/// Without an option of the glue a program fails.
#[test]
#[ignore = "needs CV32E40X: make test-all"]
fn every_part_between_core_and_unit_is_needed() {
    let target = target();
    for fault in E40X.iter() {
        let failure =
            (0..200).find_map(|number| Some((number, random(&target, [1, number], fault.id).unwrap().err()?)));
        let (number, failure) = failure.unwrap_or_else(|| panic!("not needed: {}", fault.description));
        println!("{}: program {number}: {:?}", fault.description, failure.cause);
    }
}
