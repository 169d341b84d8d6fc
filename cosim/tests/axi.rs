// SPDX-License-Identifier: Apache-2.0
//! The unit with memories behind AXI4, in lockstep.
#![allow(clippy::unwrap_used)]

use crate::common::target;
use cosim_bench::performance::axi;
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::faults::AXI;

const KINDS: [ModelKind; 2] = [ModelKind::Axi, ModelKind::AxiWide];

#[test]
fn random_cases_find_no_difference_behind_axi4() {
    let target = target("tiny");
    for kind in KINDS {
        let mut traps = 0;
        for number in 0..30 {
            let done = axi::random(&target, kind, [1, number], 0);
            traps += done.unwrap_or_else(|failure| panic!("{kind:?}, case {number}: {:?}", failure.cause)).traps;
        }
        assert!(traps > 100, "{kind:?}: {traps}");
    }
}

#[test]
#[ignore = "half a minute: make test-all"]
fn every_fault_of_the_adapter_is_caught() {
    let target = target("tiny");
    for fault in AXI.iter() {
        let fails = |kind| (0..60).any(|number| axi::random(&target, kind, [1, number], fault.id).is_err());
        assert!(KINDS.into_iter().any(fails), "fault {}, {}: not caught", fault.id, fault.description);
    }
}

#[test]
#[ignore = "a sixth of a minute: make test-all"]
fn loads_and_stores_are_about_as_fast_as_on_the_ports() {
    let rows = axi::measure(&target("tiny")).unwrap();
    for row in rows.iter().filter(|row| row.latency == 0) {
        assert!(row.axi <= 1.1 * row.native, "{row:?}");
    }
}
