// SPDX-License-Identifier: Apache-2.0
//! The unit behind the extension interface of a core, in lockstep.
#![allow(clippy::unwrap_used)]

use crate::common::{target, tiny};
use cosim::workshop;
use cosim_bench::performance::axi::random;
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::faults::{Fault, XIF};
use cosim_bench::unit::target::Target;

/// `tiny` has traps that are not precise and no matrix instructions; the other one, of the same size, has both.
fn targets() -> [Target; 2] {
    [target("tiny"), tiny()]
}

#[test]
fn random_cases_find_no_difference_behind_cv_x_if() {
    for target in targets() {
        let (mut traps, mut killed) = (0, 0);
        for number in 0..30 {
            let done = random(&target, ModelKind::Xif, [1, number], 0);
            let done = done.unwrap_or_else(|failure| panic!("{}, case {number}: {:?}", target.name(), failure.cause));
            traps += done.traps;
            killed += done.killed;
        }
        assert!(traps > 100, "{}: {traps}", target.name());
        assert_eq!(killed > 100, target.rtl.precise, "{}: {killed}", target.name());
    }
}

/// A core that reads two registers, with a unit of which all instructions can be written so.
#[test]
fn random_cases_find_no_difference_with_two_operands() {
    let mut config = tiny().rtl;
    (config.gpr_rs1, config.precise) = (true, false);
    let target = workshop().of(config).unwrap();
    for number in 0..30 {
        let done = random(&target, ModelKind::XifTwo, [1, number], 0);
        done.unwrap_or_else(|failure| panic!("case {number}: {:?}", failure.cause));
    }
}

#[test]
#[ignore = "half a minute: make test-all"]
fn every_fault_of_the_adapter_is_caught() {
    let targets = targets();
    let caught = |fault: &Fault| {
        let fails = |target| (0..60).any(|number| random(target, ModelKind::Xif, [1, number], fault.id).is_err());
        targets.iter().any(fails)
    };
    let missed: Vec<&str> = XIF.iter().filter(|fault| !caught(fault)).map(|fault| fault.description).collect();
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
