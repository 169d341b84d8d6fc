// SPDX-License-Identifier: Apache-2.0
//! What a new instruction needs in the bench, asked for by its name: whatever the compiler does not miss.
//! docs/new-instruction.md has all places. `w16` has all element widths, and both instruction sets.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{repository_text, target};
use cosim_bench::coverage::bins::Bins;
use cosim_bench::coverage::instructions::{without_bin_or_fault, without_stimulus};
use cosim_bench::coverage::operation;
use cosim_bench::lockstep::bound;
use cosim_bench::lockstep::mnemonics::Mnemonics;
use cosim_bench::random::random_case;
use cosim_bench::triage::fields::fields;
use cosim_bench::unit::faults::{FAULTS, Fault};
use cosim_bench::unit::target::Target;
use golden::decode::{Decoded, Engine, OperandKind, Register, Tensor, decode, instructions};
use golden::{Machine, Outcome};

/// Random cases that are looked at step by step.
const CASES: u64 = 30;

/// An instruction that has completed on the model.
struct Completed<'a> {
    mnemonic: &'static str,
    word: u32,
    before: &'a Machine,
    outcome: &'a Outcome,
}

/// Runs random cases on the model, and shows everything that completes.
fn completed(target: &Target, mut each: impl FnMut(Completed)) {
    for number in 0..CASES {
        let case = random_case(target, 5, number);
        let mut machine = case.setup.machine(&target.golden);
        for word in case.program {
            let before = machine.clone();
            let outcome = machine.step(word);
            if let Some(mnemonic) = decode(word, &target.golden).mnemonic().filter(|_| outcome.trap.is_none()) {
                each(Completed { mnemonic, word, before: &before, outcome: &outcome });
            }
        }
    }
}

/// Once in two cases or, of the many matrix loads and stores, once in ten. Random words alone make less of each.
#[test]
fn every_instruction_is_in_the_random_stimulus() {
    const CASES: u64 = 300;
    let target = target("w16");
    let often = |instruction: Decoded| match instruction {
        Decoded::Matrix(_) => CASES / 10,
        Decoded::Tensor(_) | Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => CASES / 2,
    };
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..CASES {
        let case = random_case(&target, 5, number);
        let mut machine = Machine::new(&target.golden);
        for word in case.program {
            let mnemonic = decode(word, &target.golden).mnemonic().filter(|_| machine.step(word).trap.is_none());
            mnemonic.into_iter().for_each(|mnemonic| *counts.entry(mnemonic).or_default() += 1);
        }
    }
    for instruction in instructions(&target.golden) {
        let mnemonic = instruction.mnemonic().expect("instruction");
        let (count, least) = (counts.get(mnemonic).copied().unwrap_or(0), often(instruction));
        let place = "cosim/stimulus/src/random/";
        assert!(count >= least, "{mnemonic} completes {count} times in {CASES} cases, least is {least}: {place}");
    }
}

#[test]
fn every_instruction_of_the_unit_has_a_bin_and_a_planted_fault_of_its_own() {
    for target in cosim::workshop().targets("all").expect("all") {
        assert_eq!(without_bin_or_fault(&target, &Bins::new(&target), &FAULTS), [""; 0], "{}", target.name());
    }
}

/// By name, and with the file in which it is to be put right.
#[test]
fn what_an_instruction_lacks_is_named() {
    let (without_matrix, target) = (Bins::new(&target("int8")), target("w16"));
    let of_unit = instructions(&target.golden).filter(|i| i.engine() != Some(Engine::Host)).count();
    let bins = Bins::new(&target);
    let others: Vec<Fault> = FAULTS.iter().filter(|fault| fault.of.as_deref() != Some("csrrsi")).cloned().collect();
    let place = "cosim/lockstep/src/unit/faults.json";
    assert_eq!(
        without_bin_or_fault(&target, &bins, &others),
        [format!("csrrsi has no planted fault of its own: {place}")]
    );
    assert_eq!(without_bin_or_fault(&target, &bins, &[]).len(), of_unit);
    let lacking = without_bin_or_fault(&target, &without_matrix, &FAULTS);
    let matrix = instructions(&target.golden).filter(|i| matches!(i, Decoded::Matrix(_))).count();
    assert_eq!(lacking.len(), matrix, "{lacking:?}");
    assert!(
        lacking.iter().all(|line| line.contains("has no coverage bin: cosim/stimulus/src/coverage/")),
        "{lacking:?}"
    );
    let mut issued = Mnemonics::default();
    assert_eq!(without_stimulus(&target, &issued).len(), instructions(&target.golden).count());
    instructions(&target.golden)
        .filter(|i| i.mnemonic() != Some("tl.merge.d"))
        .filter_map(|i| i.encode(&target.golden))
        .for_each(|word| issued.issue(word, &target.golden));
    assert_eq!(
        without_stimulus(&target, &issued),
        ["tl.merge.d has no stimulus, it was never issued: cosim/stimulus/src/random/"]
    );
}

/// No instruction is done in less time than its results take through the datapath and the ports.
#[test]
fn the_roofline_of_every_instruction_has_room_for_its_results() {
    let target = target("w16");
    let register = u64::from(target.rtl.reg_bytes / target.rtl.lanes);
    completed(&target, |Completed { mnemonic, word, before, outcome, .. }| {
        let roofline = bound::roofline(&target, before, word);
        // A result in tl0 is dropped, and counts.
        let decoded = decode(word, &target.golden);
        let writes = decoded.operands().writes();
        // A load writes zeros into two rows at once.
        let register = if decoded.engine() == Some(Engine::Load) { register / 2 } else { register };
        let results = writes.filter(|register| matches!(register, Register::Tl(_))).count() as u64 * register;
        let covered: BTreeSet<u32> = outcome.mem_writes.iter().flat_map(|&(start, len)| start..start + len).collect();
        let beats = covered.len() as u64 / u64::from(target.rtl.port_bytes());
        let least = results.max(beats);
        let place = "cosim/lockstep/src/lockstep/bound.rs";
        assert!(roofline >= least, "{mnemonic}: a roofline of {roofline}, and results of {least} cycles: {place}");
        let hang = bound::hang(&target, [word].into_iter(), 1);
        assert!(hang > 4 * least, "{mnemonic} counts as hung after {hang} cycles, and results take {least}: {place}");
    });
}

/// Each operand of each instruction is in its table of fields, with the value that it has.
#[test]
fn the_report_explains_every_operand_of_every_instruction() {
    let target = target("w16");
    let state = Machine::new(&target.golden);
    let mut explained = BTreeMap::new();
    for instruction in instructions(&target.golden) {
        let mnemonic = instruction.mnemonic().expect("instruction");
        let mut next = 0;
        // Different numbers, all of which fit all kinds of operands.
        let instruction = instruction.with_operands(|operand| {
            next += 1;
            if operand.kind == OperandKind::Dimension { 3 - next } else { next % 4 }
        });
        let word = instruction.encode(&target.golden).expect("instruction");
        let fields = fields(word, &state);
        let digits: String = fields.iter().map(|field| field.digits(word)).collect();
        assert_eq!(digits, format!("{word:032b}"), "{mnemonic}: cosim/triage/src/triage/fields.rs");
        for operand in instruction.operands().iter() {
            let expected = match operand.register() {
                Some(Register::X(number)) => format!("x{number}"),
                Some(Register::Tl(number)) => format!("tl{number}"),
                Some(Register::Tile(tile)) => format!("{tile:?}"),
                None => operand.value.to_string(),
            };
            let named = fields.iter().any(|field| {
                let here = operand.register().is_none() || field.low == operand.low;
                here && field.meaning.contains(&expected)
            });
            let place = "cosim/triage/src/triage/fields.rs";
            assert!(named, "{mnemonic}: {expected}, bits from {} on, is in no field: {place}", operand.low);
        }
        let text: Vec<_> = fields.iter().map(|field| (field.high, field.name, field.meaning.clone())).collect();
        let other = explained.insert(text, mnemonic);
        assert_eq!(other, None, "{mnemonic} is explained as another instruction: cosim/triage/src/triage/fields.rs");
    }
}

/// docs/performance.md has the cycles of every operation that has an engine of several cycles, or of one like it.
#[test]
fn every_operation_of_tensorload_has_its_cycles_in_the_documents() {
    let text = repository_text("docs/performance.md");
    for tensor in Tensor::all() {
        let has_row = |tensor: Tensor| {
            let name = format!("`{}`", operation::stem(tensor));
            text.lines().any(|line| line.starts_with('|') && line.contains(&name))
        };
        let found = has_row(tensor) || tensor.alike().any(has_row);
        assert!(found, "{} has no row in docs/performance.md", tensor.mnemonic());
    }
}
