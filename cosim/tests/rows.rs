// SPDX-License-Identifier: Apache-2.0
//! Every row of the tables of `golden` gets stimulus, and what it needs to complete.

use std::collections::BTreeMap;

use crate::common::target;
use cosim_bench::base::draw::Draw;
use cosim_bench::random::establish::establish;
use cosim_bench::random::generator::Generator;
use cosim_bench::random::noise::any_operands;
use cosim_bench::random::program::scenarios;
use cosim_bench::random::random_case;
use golden::decode::{Decoded, Engine, decode, instructions};

/// In whatever state a program is, with any operands.
#[test]
fn what_is_established_for_a_row_makes_it_complete() {
    for name in ["tiny", "w16", "w16r", "int8"] {
        let target = target(name);
        let mut incomplete: BTreeMap<&str, u32> = BTreeMap::new();
        for seed in 0..40 {
            let case = random_case(&target, 1, seed);
            let faults = [&case.setup.l1m_faults[..], &case.setup.l0m_faults[..]];
            let mut draw = Draw::new(seed, "rows", 0);
            let mut g = Generator::new(&target, &mut draw, faults);
            let mut machine = case.setup.machine(&target.golden);
            let mut done = 0;
            for row in instructions(&target.golden).filter(|row| row.engine() != Some(Engine::Host)) {
                let all = scenarios(&target);
                g.draw.weighted(&all, all[0].1).write(&mut g);
                let drawn = any_operands(&mut g, row);
                let legal = establish(&mut g, drawn);
                let word = legal.encode(&target.golden).expect("an instruction");
                g.words()[done..].iter().for_each(|&word| _ = machine.step(word));
                g.word(word);
                done = g.words().len();
                let trapped = machine.step(word).trap.is_some();
                *incomplete.entry(row.mnemonic().expect("a row")).or_default() += u32::from(trapped);
            }
        }
        println!("{name}: {incomplete:?}");
        for (mnemonic, count) in incomplete {
            assert!(count <= 2, "{name}: {mnemonic} traps {count} times of 40: cosim/stimulus/src/random/establish.rs");
        }
    }
}

/// A row of a table; a matrix load or store has one for its three element widths.
fn row_of(mnemonic: &str) -> &str {
    if mnemonic.starts_with('m') { mnemonic.trim_end_matches(|c: char| c.is_ascii_digit()) } else { mnemonic }
}

/// Each row of TensorLoad, in either encoding, is one instruction in 60 at least. There are too many others for that.
#[test]
fn each_row_is_drawn_often_and_completes_mostly() {
    for name in ["tiny", "w16", "w16r"] {
        let target = target(name);
        let mut counts: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
        let mut total = 0;
        for case in (0..1200).map(|number| random_case(&target, 3, number)).filter(|case| !case.host) {
            let mut machine = case.setup.machine(&target.golden);
            for word in case.program {
                let trapped = machine.step(word).trap.is_some();
                total += 1;
                if let Some(mnemonic) = decode(word, &target.golden).mnemonic() {
                    counts.entry(row_of(mnemonic)).or_default()[usize::from(trapped)] += 1;
                }
            }
        }
        for row in instructions(&target.golden).filter(|row| row.engine() != Some(Engine::Host)) {
            let mnemonic = row_of(row.mnemonic().expect("a row"));
            let [done, trapped] = counts.get(mnemonic).copied().unwrap_or_default();
            let drawn = done + trapped;
            println!(
                "{name} {mnemonic:<16} one in {:>5}, {:>3} % complete",
                total / drawn.max(1),
                100 * done / drawn.max(1)
            );
            let often = if matches!(row, Decoded::Tensor(_)) { 60 } else { 1000 };
            assert!(
                drawn * often >= total,
                "{name}: {mnemonic} is {drawn} of {total}: cosim/stimulus/src/random/row.rs"
            );
            assert!(done >= trapped, "{name}: {mnemonic} completes {done} times and traps {trapped} times");
        }
    }
}
