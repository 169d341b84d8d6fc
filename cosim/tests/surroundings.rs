// SPDX-License-Identifier: Apache-2.0
//! The unit with the properties of the proofs, behind the adapters, and beside a real core: random programs find no
//! difference, and every planted fault is caught.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use crate::common::{target, tiny};
use cosim::workshop;
use cosim_bench::cli::soc;
use cosim_bench::lockstep::failure::Cause;
use cosim_bench::lockstep::system::{System, SystemCounts};
use cosim_bench::operators::soc_examples::two_units;
use cosim_bench::performance::axi::{self, random};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::faults::{AXI, E40X, FACTS, Fault, PCPI, XIF, XIF_AXI};
use cosim_bench::unit::surroundings::LATE;
use cosim_bench::unit::target::Target;

/// Results of random cases: those that trapped, and those that an older trap killed.
fn traps_and_killed(target: &Target, kind: ModelKind, count: u64) -> [u64; 2] {
    let mut sums = [0, 0];
    for number in 0..count {
        let done = random(target, kind, [1, number], 0);
        let done = done.unwrap_or_else(|f| panic!("{}, {kind:?}, case {number}: {:?}", target.name(), f.cause));
        sums = [sums[0] + done.traps, sums[1] + done.killed];
    }
    sums
}

/// Fails with the faults that no random case finds, on any of these units.
fn all_are_caught(faults: &[Fault], units: &[(&Target, ModelKind)]) {
    let fails = |fault: &Fault, &(target, kind): &(&Target, ModelKind)| {
        (0..60).any(|number| match kind {
            ModelKind::Soc => soc::random(target, kind, [1, number], fault.id).unwrap().is_err(),
            _ => random(target, kind, [1, number], fault.id).is_err(),
        })
    };
    let caught = |fault: &&Fault| units.iter().any(|unit| fails(fault, unit));
    let missed: Vec<&str> = faults.iter().filter(|fault| !caught(fault)).map(|fault| &*fault.description).collect();
    assert!(missed.is_empty(), "not caught: {missed:?}");
}

/// `tiny` has traps that are not precise and no matrix instructions; the other one, of the same size, has both.
fn two() -> [Target; 2] {
    [target("tiny"), tiny()]
}

/// `tiny` with matrix instructions that a core of two operands can write.
fn of_two_operands(pitch: bool) -> Target {
    let mut config = tiny().rtl;
    (config.gpr_rs1, config.pitch, config.precise) = (true, pitch, false);
    workshop().target_of(config).unwrap()
}

/// Two units of two widths, with either of them watched; the other one than `tiny` has this EngineID.
fn beside(engine_id: u32) -> [Target; 2] {
    let first = of_two_operands(true);
    let mut config = first.rtl.clone();
    (config.name, config.lanes, config.matrix) = ("second".into(), 16, false);
    (config.engine_id, config.csr_base) = (engine_id, 0x880);
    let second = workshop().target_of(config).unwrap();
    [[&first, &second], [&second, &first]].map(|[watched, other]| workshop().beside(watched, other).unwrap())
}

#[test]
fn properties_and_the_assumptions_of_their_proofs_hold_in_random_programs() {
    // All modules of properties are in `tiny` with all instruction sets and precise traps.
    traps_and_killed(&tiny(), ModelKind::Facts, 40);
}

#[test]
#[ignore = "needs two models: make test-all"]
fn random_cases_find_no_difference_behind_axi4() {
    for kind in [ModelKind::Axi, ModelKind::AxiWide] {
        let [traps, _] = traps_and_killed(&target("tiny"), kind, 30);
        assert!(traps > 100, "{kind:?}: {traps}");
    }
}

#[test]
#[ignore = "needs three models: make test-all"]
fn random_cases_find_no_difference_behind_cv_x_if() {
    for target in two() {
        let [traps, killed] = traps_and_killed(&target, ModelKind::Xif, 30);
        assert!(traps > 100, "{}: {traps}", target.name());
        assert_eq!(killed > 100, target.rtl.precise, "{}: {killed}", target.name());
    }
    traps_and_killed(&of_two_operands(false), ModelKind::XifTwo, 30);
}

/// Cases behind both adapters trap, and where traps are precise, older traps kill others.
fn pass_between_cv_x_if_and_axi4(target: &Target) {
    let [traps, killed] = traps_and_killed(target, ModelKind::XifAxi, 30);
    assert!(traps > 100, "{}: {traps}", target.name());
    assert_eq!(killed > 100, target.rtl.precise, "{}: {killed}", target.name());
}

#[test]
fn random_cases_find_no_difference_between_cv_x_if_and_axi4() {
    pass_between_cv_x_if_and_axi4(&tiny());
}

#[test]
#[ignore = "needs a model of its own: make test-all"]
fn random_cases_find_no_difference_there_with_traps_that_are_not_precise() {
    pass_between_cv_x_if_and_axi4(&target("tiny"));
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

#[test]
#[ignore = "half a minute: make test-all"]
fn every_fault_of_the_adapter_to_axi4_is_caught() {
    let target = target("tiny");
    all_are_caught(&AXI, &[ModelKind::Axi, ModelKind::AxiWide, ModelKind::XifAxi].map(|kind| (&target, kind)));
}

#[test]
#[ignore = "half a minute: make test-all"]
fn every_fault_of_the_adapter_to_cv_x_if_is_caught() {
    let ([one, other], two) = (two(), of_two_operands(true));
    let kinds = [(&one, ModelKind::Xif), (&other, ModelKind::Xif), (&two, ModelKind::XifTwo)];
    all_are_caught(&XIF, &[&kinds[..], &[(&other, ModelKind::XifAxi)]].concat());
}

/// Of the top itself: what it connects.
#[test]
#[ignore = "half a minute: make test-all"]
fn every_fault_of_the_top_with_both_adapters_is_caught() {
    let [one, other] = two();
    all_are_caught(&XIF_AXI, &[(&one, ModelKind::XifAxi), (&other, ModelKind::XifAxi)]);
}

/// Some need a second unit, a unit with precise traps, or one whose GPR is in the second encoding.
#[test]
#[ignore = "needs PicoRV32: make test-all"]
fn every_fault_of_the_adapter_to_picorv32_is_caught() {
    let ([draft, precise], [first, second]) = (two(), beside(2));
    let units = [&draft, &precise, &of_two_operands(true), &first, &second];
    all_are_caught(&PCPI, &units.map(|target| (target, ModelKind::Soc)));
}

/// With either of the two units watched.
#[test]
#[ignore = "needs PicoRV32: make test-all"]
fn random_programs_for_two_units_find_no_difference() {
    for target in beside(2) {
        let mut sum = SystemCounts::default();
        for number in 0..100 {
            let done = soc::random(&target, ModelKind::Soc, [1, number], 0).unwrap();
            sum.add(&done.unwrap_or_else(|f| panic!("{}, program {number}: {:?}", target.name(), f.cause)));
        }
        assert!(sum.unit > 3_000 && sum.second > 3_000 && sum.traps > 1_000, "{}: {sum:?}", target.name());
    }
}

#[test]
#[ignore = "a sixth of a minute: make test-all"]
fn loads_and_stores_are_about_as_fast_behind_axi4_as_on_the_ports() {
    let rows = axi::measure(&target("tiny")).unwrap();
    for row in rows.iter().filter(|row| row.latency == 0) {
        assert!(row.axi <= 1.1 * row.native, "{row:?}");
    }
}

/// With late memories and interrupts. The traps of the unit are not precise, so that a program goes on behind a fault.
#[test]
#[ignore = "needs CV32E40X: make test-all"]
fn random_programs_find_no_difference_on_cv32e40x() {
    let target = of_two_operands(true);
    let (mut unit, mut traps) = (0, 0);
    for number in 0..100 {
        let done = soc::random(&target, ModelKind::SocE40x, [1, number], 0).unwrap();
        let counts = done.unwrap_or_else(|failure| panic!("program {number}: {:?}", failure.cause));
        unit += counts.unit;
        traps += counts.traps;
    }
    assert!(unit > 5_000 && traps > 1_000, "{unit} instructions of the unit, {traps} traps");
}

/// One program on units of two widths, with either of them watched, on both cores. Each unit transposes or adds while the
/// other one is at work.
#[test]
#[ignore = "needs CV32E40X: make test-all"]
fn two_units_beside_one_core_do_what_their_models_do() {
    let first = of_two_operands(true);
    let (program, l1m) = two_units(&first).unwrap();
    for (kind, late) in [(ModelKind::Soc, 0), (ModelKind::SocE40x, LATE)] {
        for target in beside(1) {
            let mut system = System::new(&target, kind, &program, &l1m, [1, late]).unwrap();
            let code =
                system.run().unwrap_or_else(|failure| panic!("{kind:?}, {}: {:?}", target.name(), failure.cause));
            let counts = system.counts();
            assert_eq!((code, counts.unit + counts.second), (0, 32), "{kind:?}, {}: {counts:?}", target.name());
            assert!(counts.unit > 10 && counts.second > 10, "{counts:?}");
        }
    }
    let error = workshop().beside(&first, &first).unwrap_err().to_string();
    assert!(error.contains("engine_id = 0: two units need different ones"), "{error}");
}

/// Without an option of the glue a program fails.
#[test]
#[ignore = "needs CV32E40X: make test-all"]
fn every_part_between_cv32e40x_and_unit_is_needed() {
    let target = of_two_operands(true);
    for fault in E40X.iter() {
        let needed =
            (0..200).any(|number| soc::random(&target, ModelKind::SocE40x, [1, number], fault.id).unwrap().is_err());
        assert!(needed, "not needed: {}", fault.description);
    }
}
