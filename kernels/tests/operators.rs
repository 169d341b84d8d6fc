// SPDX-License-Identifier: Apache-2.0
//! Operators as programs on the model, against their definitions.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "common/mod.rs"]
mod common;
mod reference;

use common::{Rng, config, random_case, run, unit};
use kernels::operator::Operator;
use kernels::plan::Plan;
use kernels::tensor::Tensor;
use reference::Array;

/// Runs an operator on the model and compares it with its definition; `None` when the tensors do not fit.
fn check(operator: &Operator, inputs: &[Tensor], name: &str, rng: &mut Rng) -> Option<Plan> {
    let mapping = operator.mapping(inputs).unwrap_or_else(|error| panic!("{operator:?} {inputs:?}: {error}"));
    let config = config(name);
    let plan = Plan::new(&mapping, &unit(&config)).ok()?;
    let bytes: Vec<Vec<u8>> = inputs.iter().map(|x| rng.bytes(x)).collect();
    let arrays: Vec<Array> = inputs.iter().zip(&bytes).map(|(x, bytes)| Array::read(x, bytes)).collect();
    let expected = reference::outputs(operator, &arrays);
    let results = run(&plan, &mapping, &config, &bytes);
    let results: Vec<Array> =
        mapping.outputs.iter().zip(&results).map(|(tensor, bytes)| Array::read(tensor, bytes)).collect();
    let steps: Vec<String> = plan.steps.iter().map(kernels::plan::Step::describe).collect();
    assert!(results == expected, "{operator:?} on {inputs:?}, {name}:\n{}", steps.join("\n"));
    assert_eq!(mapping.apply(&bytes).len(), expected.len());
    for (tensor, (got, want)) in mapping.outputs.iter().zip(mapping.apply(&bytes).iter().zip(&expected)) {
        assert_eq!(&Array::read(tensor, got), want, "moves of {operator:?} on {inputs:?}");
    }
    Some(plan)
}

#[test]
fn random_operators_do_what_they_say() {
    let cases = std::env::var("OPERATOR_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(5000);
    let mut rng = Rng(2026);
    let mut ran = 0;
    for case in 0..cases {
        let name = ["w16", "tiny", "w8", "int8", "mx1024"][case % 5];
        let (operator, inputs) = random_case(&mut rng, name == "tiny");
        ran += usize::from(check(&operator, &inputs, name, &mut rng).is_some());
    }
    assert!(ran * 10 >= cases * 8, "only {ran} of {cases} cases fit into the memories");
}
