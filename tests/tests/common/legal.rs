// SPDX-License-Identifier: Apache-2.0
//! Random legal configurations.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config as Runs, TestRunner};
use rtl_gen::Config;

/// Configurations from all that docs/configuration.md allows.
pub fn legal() -> impl Strategy<Value = Config> {
    ("[a-z][a-z0-9_]{0,31}", any::<[u32; 24]>()).prop_map(|(name, draws)| {
        let mut draws = draws.into_iter();
        Config::sample(&name, 1 << 28, |n| draws.next().unwrap() % n).unwrap()
    })
}

/// The same configurations in every run.
pub fn runner(cases: u32) -> TestRunner {
    let random = TestRunner::deterministic().rng().clone();
    TestRunner::new_with_rng(Runs { cases, failure_persistence: None, ..Runs::default() }, random)
}

/// Some of them, every other one with matrix instructions, which chance alone does not give in a small sample.
pub fn sample(count: u32) -> Vec<Config> {
    let mut runner = runner(count);
    (0..count)
        .map(|number| {
            let mut config = legal().new_tree(&mut runner).unwrap().current();
            config.matrix = number % 2 == 0;
            config
        })
        .collect()
}
