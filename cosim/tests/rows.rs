// SPDX-License-Identifier: Apache-2.0
//! Every row of the tables of `golden` gets stimulus, and what it needs to complete.

use std::collections::BTreeMap;

use crate::common::target;
use cosim_bench::base::draw::Draw;
use cosim_bench::case::Case;
use cosim_bench::random::establish::establish;
use cosim_bench::random::generator::Generator;
use cosim_bench::random::noise::any_operands;
use cosim_bench::random::program::scenarios;
use golden::decode::{Engine, instructions};

/// In whatever state a program is, with any operands.
#[test]
fn what_is_established_for_a_row_makes_it_complete() {
    for name in ["tiny", "w16", "w16r", "int8"] {
        let target = target(name);
        let mut incomplete: BTreeMap<&str, u32> = BTreeMap::new();
        for seed in 0..40 {
            let case = Case::new(&target, 1, seed);
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
            assert!(count <= 2, "{name}: {mnemonic} traps {count} times of 40: cosim/bench/src/random/establish.rs");
        }
    }
}
