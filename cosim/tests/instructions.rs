// SPDX-License-Identifier: Apache-2.0
//! What a new instruction needs in the bench, asked for by its name: whatever the compiler does not miss. README.md,
//! "Add an instruction", lists all places.

use std::collections::{BTreeMap, BTreeSet};

use cosim_bench::case::Case;
use cosim_bench::coverage::bins::Bins;
use cosim_bench::coverage::facts;
use cosim_bench::coverage::values::{Axis, Value};
use cosim_bench::lockstep::bound;
use cosim_bench::triage::fields::fields;
use cosim_bench::unit::fault_table::FAULTS;
use cosim_bench::unit::target::Target;
use golden::decode::{Decoded, Engine, Matrix, OperandKind, Register, Tensor, decode, instructions};
use golden::{Machine, Outcome};

/// Random cases that are looked at step by step.
const CASES: u64 = 30;

/// The axes of the coverage table that tell instructions apart.
const KINDS: [Axis; 5] = [Axis::Op, Axis::CsrKind, Axis::Mx, Axis::MxSize, Axis::MxSet];

/// All element widths, and both instruction sets.
fn target() -> Target {
    cosim::workshop().target("w16").expect("w16")
}

/// An instruction that has completed on the model.
struct Completed<'a> {
    mnemonic: &'static str,
    word: u32,
    before: &'a Machine,
    outcome: &'a Outcome,
    after: &'a Machine,
}

/// Runs random cases on the model, and shows everything that completes.
fn completed(target: &Target, mut each: impl FnMut(Completed)) {
    for number in 0..CASES {
        let case = Case::new(target, 5, number);
        let mut machine = Machine::new(&target.golden);
        machine.l1m.bytes.copy_from_slice(&case.setup.l1m);
        for word in case.program {
            let before = machine.clone();
            let outcome = machine.step(word);
            if let Some(mnemonic) = decode(word, &target.golden).mnemonic().filter(|_| outcome.trap.is_none()) {
                each(Completed { mnemonic, word, before: &before, outcome: &outcome, after: &machine });
            }
        }
    }
}

/// Once in two cases or, of the many matrix loads and stores, once in ten. Random words alone make less of each.
#[test]
fn every_instruction_is_in_the_random_stimulus() {
    const CASES: u64 = 300;
    let target = target();
    let often = |instruction: Decoded| match instruction {
        Decoded::Matrix(_) => CASES / 10,
        Decoded::Tensor(_) | Decoded::Csr(_) | Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => CASES / 2,
    };
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..CASES {
        let case = Case::new(&target, 5, number);
        let mut machine = Machine::new(&target.golden);
        for word in case.program {
            let mnemonic = decode(word, &target.golden).mnemonic().filter(|_| machine.step(word).trap.is_none());
            mnemonic.into_iter().for_each(|mnemonic| *counts.entry(mnemonic).or_default() += 1);
        }
    }
    for instruction in instructions(&target.golden) {
        let mnemonic = instruction.mnemonic().expect("instruction");
        let (count, least) = (counts.get(mnemonic).copied().unwrap_or(0), often(instruction));
        let place = "cosim/bench/src/random/";
        assert!(count >= least, "{mnemonic} completes {count} times in {CASES} cases, least is {least}: {place}");
    }
}

/// What an instruction is, is told by its values on the axes of kinds. They must be its own, and in a bin.
#[test]
fn every_instruction_of_the_unit_has_bins_of_its_own() {
    let target = target();
    let mut kinds: BTreeMap<&str, BTreeSet<Vec<Value>>> = BTreeMap::new();
    completed(&target, |Completed { mnemonic, word, before, outcome, after }| {
        let mut known = facts::before(&target, before, word);
        facts::after(&mut known, &target, after, word, outcome);
        let value = |axis| known.index(axis).map(|index| Value { axis, index });
        kinds.entry(mnemonic).or_default().insert(KINDS.into_iter().filter_map(value).collect());
    });
    let bins = Bins::new(&target);
    let binned = |kind: &[Value]| {
        let has = |id: usize| {
            let Some((group, cell)) = bins.bin(id) else { return false };
            let given = |value: &Value| group.given.iter().filter(|other| other.axis == value.axis).eq([value]);
            kind.iter().all(|value| cell.has(*value) || given(value))
        };
        bins.possible().any(has)
    };
    let mut owners: BTreeMap<&Vec<Value>, &str> = BTreeMap::new();
    let of_host: BTreeSet<_> = engines(&target, &[Engine::Host]);
    for (mnemonic, kinds) in kinds.iter().filter(|(mnemonic, _)| !of_host.contains(*mnemonic)) {
        for kind in kinds {
            let text: Vec<String> = kind.iter().map(|value| value.text()).collect();
            assert!(
                !kind.is_empty(),
                "{mnemonic} has no value on {KINDS:?}: cosim/bench/src/coverage/{{values,facts}}"
            );
            assert!(binned(kind), "{mnemonic}, {text:?}, is in no bin: cosim/bench/src/coverage/table*.rs");
            let other = owners.insert(kind, mnemonic);
            assert_eq!(
                other, None,
                "{mnemonic} counts as another instruction, {text:?}: cosim/bench/src/coverage/facts"
            );
        }
    }
}

/// The mnemonics of these engines.
fn engines(target: &Target, engines: &[Engine]) -> BTreeSet<&'static str> {
    let of = |instruction: &Decoded| instruction.engine().is_some_and(|engine| engines.contains(&engine));
    instructions(&target.golden).filter(of).filter_map(Decoded::mnemonic).collect()
}

/// No instruction is done in less time than its results take through the datapath and the ports.
#[test]
fn the_roofline_of_every_instruction_has_room_for_its_results() {
    let target = target();
    let register = u64::from(target.rtl.reg_bytes / target.rtl.lanes);
    completed(&target, |Completed { mnemonic, word, before, outcome, .. }| {
        let roofline = bound::roofline(&target, before, word);
        // A result in tl0 is dropped, and counts.
        let writes = decode(word, &target.golden).operands().writes();
        let results = writes.filter(|register| matches!(register, Register::Tl(_))).count() as u64 * register;
        let covered: BTreeSet<u32> = outcome.mem_writes.iter().flat_map(|&(start, len)| start..start + len).collect();
        let beats = covered.len() as u64 / u64::from(target.rtl.port_bytes());
        let least = results.max(beats);
        let place = "cosim/bench/src/bound.rs";
        assert!(roofline >= least, "{mnemonic}: a roofline of {roofline}, and results of {least} cycles: {place}");
        let hang = bound::hang(&target, Some(word), 1);
        assert!(hang > 4 * least, "{mnemonic} counts as hung after {hang} cycles, and results take {least}: {place}");
    });
}

/// Each operand of each instruction is in its table of fields, with the value that it has.
#[test]
fn the_report_explains_every_operand_of_every_instruction() {
    let target = target();
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
        let word = instruction.encode(target.golden.engine_id).expect("instruction");
        let fields = fields(word, &state);
        let digits: String = fields.iter().map(|field| field.digits(word)).collect();
        assert_eq!(digits, format!("{word:032b}"), "{mnemonic}: cosim/bench/src/triage/fields.rs");
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
            let place = "cosim/bench/src/triage/fields.rs";
            assert!(named, "{mnemonic}: {expected}, bits from {} on, is in no field: {place}", operand.low);
        }
        let text: Vec<_> = fields.iter().map(|field| (field.high, field.name, field.meaning.clone())).collect();
        let other = explained.insert(text, mnemonic);
        assert_eq!(other, None, "{mnemonic} is explained as another instruction: cosim/bench/src/triage/fields.rs");
    }
}

/// A planted fault for each kind of instruction of the unit: one of which the smallest case, as `cosim faults --shrink`
/// finds it, ends with this instruction.
fn planted(instruction: Decoded) -> Option<u32> {
    match instruction {
        Decoded::Tensor(tensor) => match tensor {
            Tensor::Load { .. } => Some(18),
            Tensor::Mload { .. } => Some(19),
            Tensor::Store { .. } => Some(23),
            Tensor::Mstore { .. } => Some(4),
            Tensor::Addi { .. } => Some(25),
            Tensor::Concat { .. } => Some(32),
            Tensor::Merge { .. } => Some(26),
            Tensor::Xpose { .. } => Some(35),
        },
        Decoded::Matrix(matrix) => match matrix {
            Matrix::Load(_) => Some(51),
            Matrix::Store(_) => Some(53),
            Matrix::SetTile { .. } => Some(42),
            // It does nothing that a fault could change.
            Matrix::Release => None,
        },
        Decoded::Csr(_) => Some(5),
        // Not executed by the RTL.
        Decoded::Host(_) | Decoded::Illegal | Decoded::NotOurs => None,
    }
}

/// The fault that is named is not one of what all instructions go through. Those of TensorLoad have each their own.
#[test]
fn every_instruction_has_a_planted_fault_of_its_engine() {
    let mut owners = BTreeMap::new();
    for instruction in instructions(&target().golden) {
        let Some(id) = planted(instruction) else { continue };
        let mnemonic = instruction.mnemonic().expect("instruction");
        let fault = FAULTS.iter().find(|fault| fault.id == id).expect("planted");
        let of_engine: &[&str] = match instruction.engine().expect("engine") {
            Engine::Host => &[],
            Engine::Csr => &["tl_csr."],
            Engine::Load => &["tl_load", "tl_decoder."],
            Engine::Store => &["tl_store", "tl_decoder."],
            Engine::Move => &["tl_move", "tl_addi_row.", "tl_concat", "tl_lane_mask.", "tl_decoder."],
            Engine::Xpose => &["tl_xpose", "tl_lane_swap.", "tl_decoder."],
            Engine::MatrixLoad => &["tl_mx_load.", "tl_mx_lines.", "tl_mx_decoder."],
            Engine::MatrixStore => &["tl_mx_store.", "tl_mx_lines.", "tl_mx_decoder."],
            Engine::MatrixConfig => &["tl_mx_size.", "tl_csr.", "tl_mx_decoder."],
        };
        let fits = of_engine.iter().any(|file| fault.file.starts_with(file));
        assert!(fits, "{mnemonic}: fault {id} is in {}, and not in {of_engine:?}", fault.file);
        let other = owners.insert(id, instruction).filter(|_| matches!(instruction, Decoded::Tensor(_)));
        assert_eq!(other, None, "{mnemonic} has no fault of its own: cosim/bench/src/fault_table.rs");
    }
}

/// docs/performance.md has the cycles of every operation that has an engine of several cycles.
#[test]
fn every_operation_of_tensorload_has_its_cycles_in_the_documents() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/performance.md")).expect("file");
    for instruction in instructions(&target().golden).filter(|i| matches!(i, Decoded::Tensor(_))) {
        let mnemonic = instruction.mnemonic().expect("instruction");
        let dimensions = instruction.operands().iter().filter(|o| o.kind == OperandKind::Dimension).count();
        // `tl.concat.d`: without the point, too.
        let stem = if dimensions == 0 { mnemonic } else { &mnemonic[..mnemonic.len() - dimensions - 1] };
        let row = |line: &str| line.starts_with('|') && line.contains(&format!("`{stem}`"));
        assert!(text.lines().any(row), "{stem} has no row in docs/performance.md");
    }
}
