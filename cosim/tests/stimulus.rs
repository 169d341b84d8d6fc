// SPDX-License-Identifier: Apache-2.0
//! The random stimulus: the same everywhere, different for every seed, and worth running.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{target, target_of, tiny};
use cosim_bench::base::draw::Draw;
use cosim_bench::random::generator::Generator;
use cosim_bench::random::program::scenarios;
use cosim_bench::random::random_case;
use golden::decode::{Decoded, Operand, OperandKind, Register, Tensor, decode, stored};

#[test]
fn every_seed_configuration_and_case_has_a_stimulus_of_its_own() {
    let mut seeds: Vec<u64> = (0..40).collect();
    seeds.extend((0..64).map(|bit| 1 << bit).filter(|&seed| seed >= 40));
    seeds.extend([u64::MAX, u64::MAX - 1, 0xffff_ffff, 0xffff_ffff_0000_0000]);
    let mut hashes: BTreeSet<u64> = seeds.iter().map(|&seed| random_case(&target("tiny"), seed, 0).hash()).collect();
    hashes.extend((1..50).map(|case| random_case(&target("tiny"), 0, case).hash()));
    hashes.extend(["w16", "w8", "int8"].map(|name| random_case(&target(name), 0, 0).hash()));
    assert_eq!(hashes.len(), seeds.len() + 49 + 3);
}

#[test]
fn a_case_is_the_same_on_every_machine() {
    let hash = |name, seed, case| random_case(&target(name), seed, case).hash();
    assert_eq!(hash("tiny", 1, 0), hash("tiny", 1, 0));
    // Change these numbers only together with the generator.
    assert_eq!(format!("{:016x}", hash("tiny", 1, 0)), "c144549353eeca5d");
    assert_eq!(format!("{:016x}", hash("w16", u64::MAX, 7)), "81f79a91af5d293b");
}

/// Of all configurations, and of small ones, where little fits.
#[test]
fn every_scenario_writes_something_everywhere() {
    let mut targets = cosim::workshop().targets("all").expect("all");
    for toml in ["name = \"pair\"\nlanes = 8\nqueue_entries = 2\n", "name = \"short\"\nlanes = 16\nreg_bytes = 64\n"] {
        targets.push(target_of(toml));
    }
    for target in targets {
        let all = scenarios(&target);
        let names: BTreeSet<&str> = all.iter().map(|(_, scenario)| scenario.name).collect();
        assert_eq!(names.len(), all.len());
        for (_, scenario) in all {
            assert!(!scenario.about.is_empty());
            let mut draw = Draw::new(1, scenario.name, 0);
            let mut g = Generator::new(&target, &mut draw, [&[], &[]]);
            (0..40).for_each(|_| scenario.write(&mut g));
            assert!(g.words().len() >= 40, "{}: {}", target.name(), scenario.name);
        }
    }
}

/// What the programs of some cases do on the model: for each operation, how often it is executed and how often it
/// traps, and how often each cause occurs.
#[test]
fn most_instructions_are_legal_and_every_trap_occurs() {
    for name in rtl_gen::Config::names() {
        let target = target(name);
        let mut operations: BTreeMap<String, [u32; 2]> = BTreeMap::new();
        let mut causes: BTreeMap<u32, u32> = BTreeMap::new();
        let (mut total, mut port_errors) = (0, [0, 0]);
        for number in 0..500 {
            let case = random_case(&target, 3, number);
            let mut machine = case.setup.machine(&target.golden);
            for word in case.program {
                let outcome = machine.step(word);
                total += 1;
                if outcome.trap.is_some_and(|trap| trap.cause == golden::Trap::LOAD_FAULT) {
                    // A load that traps for the port alone does not trap without the errors.
                    let faults = std::mem::take(&mut machine.l1m.faults);
                    port_errors[0] += u32::from(machine.step(word).trap != outcome.trap);
                    machine.l1m.faults = faults;
                }
                port_errors[1] += u32::from(!outcome.mem_unknown.is_empty());
                if let Decoded::Tensor(_) = decode(word, &target.golden) {
                    let text = target.disassemble(word);
                    let name = text.split(' ').next().unwrap_or_default();
                    // Both encodings are one operation.
                    let name = name.trim_end_matches(".rd").trim_end_matches(".rs1");
                    let counts = operations.entry(name.into()).or_default();
                    counts[usize::from(outcome.trap.is_some())] += 1;
                }
                if let Some(trap) = outcome.trap {
                    *causes.entry(trap.cause).or_default() += 1;
                }
            }
        }
        println!("{name}: {total} instructions, traps by cause {causes:?}, port errors {port_errors:?}");
        assert!(port_errors.iter().all(|&n| n > 5), "{name}: {port_errors:?}");
        for (operation, [done, trapped]) in &operations {
            println!("  {operation:<12} {done:>6} done {trapped:>6} trapped");
            assert!(*done > 100 && *trapped > 0 && trapped * 2 < *done, "{name}: {operation} {done} {trapped}");
        }
        // 4 + 3 + 3 + 10 mnemonics without the exchanges that are written both ways.
        assert!(operations.len() >= 5 + 3 + 3 + 10, "{name}: {:?}", operations.keys());
        let needed: &[u32] = if *name == "int8" { &[2, 5, 7] } else { &[2, 4, 5, 6, 7] };
        assert!(needed.iter().all(|cause| causes.get(cause).is_some_and(|&n| n > 20)), "{name}: {causes:?}");
    }
}

/// The pieces are those of the model, in its order, and give its memory: for every store that completes.
#[test]
fn pieces_are_what_the_model_writes() {
    for target in [target("w16"), tiny()] {
        let (mut tensor, mut matrix) = (0, 0);
        for number in 0..40 {
            let case = random_case(&target, 7, number);
            let mut model = case.setup.machine(&target.golden);
            for word in case.program {
                let pieces = stored(&model, word);
                let before = if pieces.is_empty() { Vec::new() } else { model.l0m.bytes.clone() };
                let outcome = model.step(word);
                if outcome.mem_writes.is_empty() {
                    continue;
                }
                let ranges: Vec<(u32, u32)> = pieces.iter().map(|(at, bytes)| (*at, bytes.len() as u32)).collect();
                assert_eq!(ranges, outcome.mem_writes, "{}", target.disassemble(word));
                let mut memory = before;
                for (at, bytes) in pieces {
                    memory[at as usize..at as usize + bytes.len()].copy_from_slice(&bytes);
                }
                assert!(memory == model.l0m.bytes, "{}", target.disassemble(word));
                let family = if word & 0x7f == 0x2b { &mut matrix } else { &mut tensor };
                *family += 1;
            }
        }
        assert!(tensor > 100 && matrix > 100, "{tensor} and {matrix} stores");
    }
}

/// Each immediate of each sum at each width, as long as another one next to it gives anything else for one element in
/// 20: in the 20,000 instructions of a short run, whatever the seed, there is a result that shows it.
#[test]
fn every_immediate_at_every_width_shows_in_a_short_run() {
    let with = |sum: Tensor, immediate: i32| {
        sum.with_operands(|operand| if operand.kind == OperandKind::Immediate { immediate } else { operand.value })
    };
    let sum = |value: i64, sum: Tensor, immediate: i32, bits: u32| {
        (value + i64::from(with(sum, immediate).added().expect("a sum"))).clamp(0, (1 << bits) - 1)
    };
    let tells = |value: i64, of: Tensor, imm: i32, bits| sum(value, of, imm, bits) != sum(value, of, imm ^ 1, bits);
    for (name, seeds) in [("tiny", 1..=3), ("w16", 1..=1), ("int8", 1..=1)] {
        let target = target(name);
        for seed in seeds {
            let mut shown = BTreeSet::new();
            for number in 0..20_000u64.div_ceil(256) {
                let case = random_case(&target, seed, number);
                let mut machine = case.setup.machine(&target.golden);
                for word in case.program {
                    if let Decoded::Tensor(tensor) = decode(word, &target.golden)
                        && let (Some(_), Some(immediate)) = (tensor.added(), tensor.operands().immediate())
                        && let [Register::Tl(source), Register::Tl(1..)] =
                            tensor.operands().iter().filter_map(Operand::register).collect::<Vec<_>>()[..]
                        && let Some(element) = machine.element_type().filter(|element| element.integer)
                    {
                        let (bits, imm) = (element.bits, immediate.value);
                        if elements(machine.tl.get(source), bits).any(|value| tells(value, tensor, imm, bits)) {
                            shown.insert((tensor.number(), bits, imm));
                        }
                    }
                    machine.step(word);
                }
            }
            let mut missed = Vec::new();
            for (tensor, bits) in
                sums().flat_map(|sum| target.golden.element_widths.iter().map(move |bits| (sum, bits)))
            {
                let most = (1i64 << bits.min(16)) - 1;
                let tell = |imm: i32| (0..=most).filter(|&value| tells(value, tensor, imm, bits)).count() as i64;
                let visible = |imm: &i32| 20 * tell(*imm) > most;
                let range = tensor.operands().immediate().expect("of a sum").range();
                let not_shown = range.filter(|&imm| !shown.contains(&(tensor.number(), bits, imm)));
                missed.extend(not_shown.filter(visible).map(|imm| (tensor.mnemonic(), bits, imm)));
            }
            assert_eq!(missed, [], "{name}, seed {seed}: bits of an element, immediate");
        }
    }
}

fn sums() -> impl Iterator<Item = Tensor> {
    Tensor::all().filter(|tensor| tensor.added().is_some())
}

/// The elements of a register.
fn elements(register: &[u8], bits: u32) -> impl Iterator<Item = i64> {
    let per_byte = if bits == 4 { 2 } else { 1 };
    let bytes = (bits as usize / 8).max(1);
    register.chunks_exact(bytes).flat_map(move |chunk| {
        let value = chunk.iter().rev().fold(0, |value, &byte| value << 8 | i64::from(byte));
        (0..per_byte).map(move |half| if bits == 4 { value >> (4 * half) & 15 } else { value })
    })
}
