// SPDX-License-Identifier: Apache-2.0
//! The matrix part of the random stimulus, in the words of the coverage table: every value occurs, and loads and stores
//! mostly complete.

use std::collections::BTreeMap;

use crate::common::{matrix_targets, target, tiny};
use cosim_bench::coverage::facts;
use cosim_bench::coverage::values::{Axis, MX_LOAD, MX_STORE, OUTSIDE, PORT, Value};
use cosim_bench::random::random_case;
use cosim_bench::unit::target::Target;
use golden::decode::{Decoded, decode};

const CASES: u64 = 1600;

/// Axes of which loads and stores both have all values. The base of an empty tile is left to the coverage bins.
const OF_BOTH: [Axis; 9] = [
    Axis::MxSize,
    Axis::MxRegister,
    Axis::MxRows,
    Axis::MxColumns,
    Axis::MxEmpty,
    Axis::MxStride,
    Axis::MxMisaligned,
    Axis::MxElement,
    Axis::MxWhy,
];

/// Axes with the operations, and those of other instructions.
const OF_ANY: [Axis; 4] = [Axis::Mx, Axis::MxSet, Axis::MxValue, Axis::MxWord];

/// How often each value was there: in loads, in stores, in all instructions; and each mnemonic, completed and trapped.
#[derive(Default)]
struct Seen {
    values: BTreeMap<(usize, Value), u32>,
    mnemonics: BTreeMap<&'static str, [u32; 2]>,
}

fn seen(target: &Target) -> Seen {
    let mut seen = Seen::default();
    for number in 0..CASES {
        let case = random_case(target, 5, number);
        // The words of a program for the host come in another order.
        if case.host {
            continue;
        }
        let mut machine = case.setup.machine(&target.golden);
        for word in case.program {
            let outcome = machine.step(word);
            if word & 0x7f != 0x2b {
                continue;
            }
            let mut facts = facts::before(target, &machine, word);
            facts::after(&mut facts, target, &machine, word, &outcome);
            let decoded = decode(word, &target.golden);
            if let (Some(_), Some(name)) = (decoded.tile_transfer(), decoded.mnemonic()) {
                seen.mnemonics.entry(name).or_default()[usize::from(outcome.trap.is_some())] += 1;
            }
            let side = [MX_LOAD, MX_STORE].iter().position(|&side| facts.has(side));
            for axis in OF_BOTH.into_iter().chain(OF_ANY).chain([OUTSIDE.axis]) {
                let Some(index) = facts.index(axis) else { continue };
                for side in [side, Some(2)].into_iter().flatten() {
                    *seen.values.entry((side, Value { axis, index })).or_default() += 1;
                }
            }
        }
    }
    seen
}

#[test]
#[ignore = "half a minute: make test-all"]
fn most_loads_and_stores_complete_and_every_value_occurs() {
    let targets: Vec<Target> = matrix_targets().into_iter().chain([tiny()]).collect();
    assert_eq!(targets.iter().map(Target::name).collect::<Vec<_>>(), ["w16", "w32", "w16r", "mx1024", "tiny"]);
    for target in targets {
        let Seen { values, mnemonics } = seen(&target);
        let both = OF_BOTH.into_iter().flat_map(Axis::values).chain([OUTSIDE, PORT]);
        let both = both.flat_map(|value| [(0, value), (1, value)]);
        let needed = both.chain(OF_ANY.into_iter().flat_map(Axis::values).map(|value| (2, value)));
        let rare: Vec<_> = needed.filter(|key| values.get(key).is_none_or(|&count| count < 5)).collect();
        let rare = rare.iter().map(|(side, value)| format!("{}: {}", ["load", "store", "any"][*side], value.text()));
        assert_eq!(rare.collect::<Vec<_>>(), [""; 0], "{}", target.name());
        assert_eq!(mnemonics.len(), 36, "{mnemonics:?}");
        for (name, [done, trapped]) in &mnemonics {
            // A loop repeats what it has, so one mnemonic varies; all together vary little.
            assert!(*done > 50 && *trapped > 0 && trapped < done, "{}: {name} {done} {trapped}", target.name());
        }
        let [done, trapped] = [0, 1].map(|i| mnemonics.values().map(|counts| counts[i]).sum::<u32>());
        assert!(trapped * 7 < done * 3, "{}: {done} loads and stores done, {trapped} trapped", target.name());
    }
}

#[test]
fn without_the_instruction_set_its_words_are_noise() {
    let target = target("w8");
    let (mut words, mut legal_elsewhere) = (0, 0);
    for number in 0..CASES {
        let program = random_case(&target, 5, number).program;
        for &word in program.iter().filter(|&&word| word & 0x7f == 0x2b) {
            words += 1;
            assert_eq!(decode(word, &target.golden), Decoded::NotOurs);
            let isa = golden::decode::Isa { matrix: true, ..golden::decode::Isa::DRAFT };
            legal_elsewhere += u32::from(matches!(decode(word, isa), Decoded::Matrix(_)));
        }
    }
    assert!(words > 300 && legal_elsewhere > 20, "{words} words, of which {legal_elsewhere}");
}
