// SPDX-License-Identifier: Apache-2.0
//! Runs are the same with any number of threads, and models belong to their configuration. Programs and random cases on
//! every configuration: `make regress`.

use crate::common::target;
use cosim_bench::lockstep::Lockstep;
use cosim_bench::run::regression::{Plan, run};
use cosim_bench::unit::ModelKind;
use cosim_bench::unit::target::Target;

#[test]
fn the_number_of_threads_changes_nothing() {
    let target = target("tiny");
    let results = [1, 2, 5].map(|jobs| {
        let summary = run(&target, &Plan { seed: 5, instructions: 3000, jobs, fault: 0 }, |_| ());
        (summary.hash, summary.sums.counts)
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
    let other = run(&target, &Plan { seed: 6, instructions: 3000, jobs: 2, fault: 0 }, |_| ());
    assert_ne!(results[0].0, other.hash);
}

#[test]
fn a_model_of_another_configuration_is_refused() {
    let refused = |name: &str, change: fn(&mut Target), differs: &str| {
        let mut target = target(name);
        change(&mut target);
        let text = Lockstep::new(&target, ModelKind::Fast, &Default::default()).err().expect("refused").to_string();
        assert!(text.contains(&format!("the RTL is not of configuration {name}: it has {differs}")), "{text}");
    };
    refused("tiny", |tiny| tiny.golden.l0m_bytes *= 2, "l0m_bytes = 4096, not 8192");
    let without = "matrix (1: on) = 1, not 0; tlen = 512, not 0; trlen = 128, not 0";
    refused("w16", |w16| w16.golden.matrix = None, without);
}
