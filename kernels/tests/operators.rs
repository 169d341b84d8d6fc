// SPDX-License-Identifier: Apache-2.0
//! Operators as programs on the model, against their definitions.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use crate::common::{Rng, config, random_case, run, run_program, unit};
use crate::reference::Array;
use golden::{Config, Program};
use kernels::emit;
use kernels::operator::Operator;
use kernels::plan::Plan;
use kernels::tensor::Tensor;

/// Runs an operator on the model and compares it with its definition.
fn check(operator: &Operator, inputs: &[Tensor], config: &Config, rng: &mut Rng) -> Plan {
    let mapping = operator.mapping(inputs).unwrap_or_else(|error| panic!("{operator:?} {inputs:?}: {error}"));
    let plan = Plan::new(&mapping, &unit(config)).unwrap_or_else(|error| panic!("{operator:?} {inputs:?}: {error}"));
    let bytes: Vec<Vec<u8>> = inputs.iter().map(|x| rng.bytes(x)).collect();
    let arrays: Vec<Array> = inputs.iter().zip(&bytes).map(|(x, bytes)| Array::read(x, bytes)).collect();
    let expected = crate::reference::outputs(operator, &arrays);
    let results = run(&plan, &mapping, config, &bytes);
    let results: Vec<Array> =
        mapping.outputs.iter().zip(&results).map(|(tensor, bytes)| Array::read(tensor, bytes)).collect();
    let steps: Vec<String> = plan.steps.iter().map(kernels::plan::Step::describe).collect();
    assert!(results == expected, "{operator:?} on {inputs:?}, {}:\n{}", config.name, steps.join("\n"));
    assert_eq!(mapping.apply(&bytes).len(), expected.len());
    for (tensor, (got, want)) in mapping.outputs.iter().zip(mapping.apply(&bytes).iter().zip(&expected)) {
        assert_eq!(&Array::read(tensor, got), want, "moves of {operator:?} on {inputs:?}");
    }
    plan
}

#[test]
fn random_operators_do_what_they_say() {
    let cases = std::env::var("OPERATOR_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let mut rng = Rng(2026);
    let mut tiled = 0;
    for case in 0..cases {
        let mut config = config(["w16", "tiny", "w8", "int8", "mx1024"][case % 5]);
        let small = rng.one_in(4);
        let (operator, inputs) = random_case(&mut rng, small);
        if rng.one_in(8) {
            // Smaller than a register.
            (config.l1m_bytes, config.l0m_bytes) = (rng.pick(&[128, 1024, 4096]), rng.pick(&[128, 1024, 4096]));
        }
        tiled += usize::from(check(&operator, &inputs, &config, &mut rng).tiled);
    }
    assert!(tiled * 10 > cases, "only {tiled} of {cases} cases are larger than the memories");
}

/// The program of a plan in C, compiled.
fn compiled(plan: &Plan, config: &Config) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let (source, elf) = (folder.path().join("plan.c"), folder.path().join("plan.elf"));
    let text = emit::c::program(plan, &unit(config));
    std::fs::write(&source, &text).unwrap();
    kernels::compile(&[&source], &[], &elf).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Program::from_elf(&std::fs::read(&elf).unwrap()).unwrap()
}

#[test]
fn plans_in_c_do_what_those_in_assembly_language_do() {
    let cases = std::env::var("OPERATOR_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut rng = Rng(1972);
    let mut kinds = BTreeSet::new();
    for case in 0..cases {
        let mut config = config(["w16", "tiny", "w8", "mx1024"][case % 4]);
        if case % 5 == 0 {
            (config.l1m_bytes, config.l0m_bytes) = (1024, 4096);
        }
        let small = rng.one_in(4);
        let (operator, inputs) = random_case(&mut rng, small);
        let mapping = operator.mapping(&inputs).unwrap();
        let plan = Plan::new(&mapping, &unit(&config)).unwrap();
        let bytes: Vec<Vec<u8>> = inputs.iter().map(|x| rng.bytes(x)).collect();
        let expected = run(&plan, &mapping, &config, &bytes);
        let found = run_program(&compiled(&plan, &config), &plan, &mapping, &config, &bytes);
        assert!(found == expected, "{operator:?} on {inputs:?}, {}", config.name);
        let words = plan.steps.iter().map(|step| step.describe().replace(|c: char| !c.is_ascii_alphabetic(), " "));
        kinds.extend(words.flat_map(|text| text.split_whitespace().map(String::from).collect::<Vec<_>>()));
    }
    for kind in ["load", "fill", "xpose", "matrix", "host", "pieces", "transposed"] {
        assert!(kinds.contains(kind), "no {kind} in any plan");
    }
}

#[test]
fn what_the_host_has_no_room_for_is_refused() {
    let mapping = Operator::Flatten { axis: 1 }.mapping(&[Tensor::new(&[24 << 20], 8)]).unwrap();
    let error = Plan::new(&mapping, &unit(&config("w16"))).unwrap_err().to_string();
    let expected = "inputs and outputs have 50331648 bytes, too many for L1M or L0M; the program memory of the host has room for 49283072";
    assert_eq!(error, expected);
}
