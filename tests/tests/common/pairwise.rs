// SPDX-License-Identifier: Apache-2.0
//! Small units in which every two values of two options meet.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use proptest::prelude::RngCore;
use proptest::test_runner::{RngAlgorithm, TestRng};
use rtl_gen::Config;

/// Fields of a configuration and their values; a unit has one value of each.
const OPTIONS: [(&str, &[&str]); 16] = [
    ("lanes", &["8", "16"]),
    ("mem_port_bytes", &["4", "8"]),
    ("element_widths", &["[4, 8, 16, 32]", "[8]", "[4]", "[16, 32]"]),
    ("engine_id", &["0", "3"]),
    ("csr_base", &["0x800", "0x880"]),
    ("pitch", &["false", "true"]),
    ("csr_op", &["false", "true"]),
    ("gpr_rs1", &["false", "true"]),
    ("mask_init", &["false", "true"]),
    ("xlen", &["32", "64"]),
    ("queue_entries", &["2", "5", "16"]),
    ("spare_registers", &["4", "16"]),
    ("outstanding", &["16", "64"]),
    ("precise", &["false", "true"]),
    ("matrix", &["false", "true"]),
    ("trlen", &["64", "256"]),
];

/// Candidates of which the best one is the next unit.
const CANDIDATES: usize = 200;

/// Which value of each option a unit has.
type Choice = [usize; OPTIONS.len()];

/// The pairs of values that a unit has: option and value, twice.
fn pairs(choice: &Choice) -> impl Iterator<Item = [(usize, usize); 2]> {
    let values: Vec<(usize, usize)> = choice.iter().copied().enumerate().collect();
    (0..values.len()).flat_map(move |i| {
        let values = values.clone();
        (0..i).map(move |j| [values[j], values[i]])
    })
}

/// Units in which each two values of two options are together at least once; the same ones in every run.
pub fn pairwise() -> Vec<Config> {
    let all = |i: usize| (0..OPTIONS[i].1.len()).map(move |value| (i, value));
    let mut missing: BTreeSet<[(usize, usize); 2]> = (0..OPTIONS.len())
        .flat_map(|i| (0..i).flat_map(move |j| all(j).flat_map(move |a| all(i).map(move |b| [a, b]))))
        .collect();
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut units = Vec::new();
    while let Some(&[(i, a), (j, b)]) = missing.first() {
        let mut candidate = || -> Choice {
            let mut choice = std::array::from_fn(|i| random.next_u32() as usize % OPTIONS[i].1.len());
            (choice[i], choice[j]) = (a, b);
            choice
        };
        let gain = |choice: &Choice| pairs(choice).filter(|pair| missing.contains(pair)).count();
        let best = (0..CANDIDATES).map(|_| candidate()).max_by_key(gain).unwrap();
        pairs(&best).for_each(|pair| _ = missing.remove(&pair));
        units.push(best);
    }
    units.iter().enumerate().map(|(number, choice)| unit(number, choice)).collect()
}

fn unit(number: usize, choice: &Choice) -> Config {
    let fields = OPTIONS.iter().zip(choice).map(|((name, values), &value)| format!("{name} = {}\n", values[value]));
    let fixed = format!("name = \"pair{number}\"\nreg_bytes = 64\nl1m_bytes = 4096\nl0m_bytes = 4096\n");
    Config::from_toml(&(fixed + &fields.collect::<String>())).unwrap()
}
